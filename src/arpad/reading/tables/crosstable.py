"""Crosstables: a row for each player, with the opponents by their number in the same table or as columns of results.

The numbers in the cells are starting numbers or ranks. What a cell alone does not say is proven by the opponent's row:
which of the two columns is meant, and whether `2 1` is a win against number 2. In a round robin each column is an
opponent; in the line-up of a team, a round whose opponent is not named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arpad.core import WIN
from arpad.core.tournaments import FORFEIT
from arpad.reading.results import MARKS, MIRROR, Colour, Result, compact
from arpad.reading.tables.cells import CrossCell, Notation, colours_of, cross_cell, is_count
from arpad.reading.tables.columns import TableHeadings
from arpad.reading.tables.rows import PastedRow

OWN_CELL_MARKS = ("*", "**", "***", "x", "xx", "xxx", "#", "##", "■", "█", "\\", "---", "--")
SINGLE_MARKS = "10½=+-"


@dataclass(frozen=True, slots=True)
class TableRow:
    """A player's row in a crosstable."""

    row: PastedRow
    numbers: Mapping[str, int]  # by column: no, rank, row
    rounds: Mapping[int, CrossCell]
    unread: Mapping[int, tuple[str, int]]  # the cell and its column


@dataclass(frozen=True, slots=True)
class SwissTable:
    """The players of a crosstable, and the column that the numbers in the cells refer to; None if that is unclear."""

    players: Sequence[TableRow]
    column: str | None
    colours: Mapping[str, Colour]
    games: int  # cells with an opponent
    agreeing: Mapping[str, int]  # how many of them the opponent's row confirms, by column
    paired: bool = True  # whether any cell names an opponent

    @property
    def by_number(self) -> dict[int, TableRow]:
        """The rows by the number that the cells refer to; of two with one number, the first."""
        return _by_number(self.players, self.column or "")


def _by_number(players: Sequence[TableRow], column: str) -> dict[int, TableRow]:
    return {player.numbers[column]: player for player in reversed(players) if column in player.numbers}


def crosstable_of(headings: TableHeadings, rows: Sequence[PastedRow]) -> SwissTable:
    """The crosstable in the rows below these headings."""
    notation = Notation.of(row.cell(place) for row in rows for place, _ in headings.rounds)
    if headings.parts:
        notation = notation._replace(paired=True)
    known: dict[str, CrossCell | None] = {}
    players = [_player(headings, row, order, notation, known) for order, row in enumerate(rows, start=1)]
    colours = colours_of(cell for cell in known.values() if cell is not None)
    columns = [column for column in ("no", "rank") if any(column in player.numbers for player in players)] or ["row"]
    if "no" in headings.chosen or all(player.numbers.get("no") == player.numbers.get("rank") for player in players):
        columns = columns[:1]
    games = sum(cell.number is not None and not cell.unproven for player in players for cell in player.rounds.values())
    agreeing = {column: _agreeing(players, column, colours) for column in columns}
    column = _numbered_by(columns, games, agreeing)
    if column is not None:
        players = _proven(players, column, colours)
    return SwissTable(players, column, colours, games, agreeing, notation.paired)


def _player(
    headings: TableHeadings, row: PastedRow, order: int, notation: Notation, known: dict[str, CrossCell | None]
) -> TableRow:
    """A player's row; `known` has the cells that were read before."""
    numbers = {"row": order}
    for column in ("no", "rank"):
        text = row.cell(headings.place(column)).rstrip(".")
        if is_count(text) and text.isdecimal() and int(text):
            numbers[column] = int(text)
    rounds: dict[int, CrossCell] = {}
    unread: dict[int, tuple[str, int]] = {}
    for number, place, text in _cells(headings, row):
        if text not in known:
            known[text] = cross_cell(text, notation)
        cell = known[text]
        if cell is not None:
            rounds[number] = cell
        elif text:
            unread[number] = text, place
    return TableRow(row, numbers, rounds, unread)


def _cells(headings: TableHeadings, row: PastedRow) -> list[tuple[int, int, str]]:
    """Number, column and text of each round; opponent, colour and result in columns of their own are put together."""
    found = [(number, place, row.cell(place)) for place, number in headings.rounds]
    for number, parts in (headings.parts or {}).items():
        opponent, colour, result = (row.cell(parts.get(part)) for part in ("opponent", "colour", "result"))
        letter = colour[:1].lower().strip("-") or "?"  # `?` keeps number and result apart
        found.append((number, min(parts.values()), f"{opponent}{letter}{result}" if opponent else result))
    return found


def _numbered_by(columns: Sequence[str], games: int, agreeing: Mapping[str, int]) -> str | None:
    """The column that the numbers in the cells refer to; None if that is unclear.

    Ranks need proof: every game agrees by rank and not by starting number. A mistake in a table by starting numbers
    does not put them in doubt.
    """
    if len(columns) == 1 or not games:
        return columns[0]
    by_number, by_rank = agreeing["no"], agreeing["rank"]
    if by_rank < by_number:
        return "no"
    return "rank" if by_rank == games > by_number else None


def _agreeing(players: Sequence[TableRow], column: str, colours: Mapping[str, Colour]) -> int:
    """How many games the opponent's row confirms, if the numbers in the cells refer to this column."""
    by_number = _by_number(players, column)
    return sum(
        _confirmed(player, number, cell, by_number, column, colours)
        for player in players
        for number, cell in player.rounds.items()
        if cell.number is not None and not cell.unproven
    )


def _confirmed(
    player: TableRow,
    number: int,
    cell: CrossCell,
    by_number: Mapping[int, TableRow],
    column: str,
    colours: Mapping[str, Colour],
) -> bool:
    """Whether the opponent's row has the same game: the other colour, and the rest of the point."""
    opponent = by_number.get(cell.number or 0)
    back = opponent.rounds.get(number) if opponent is not None and opponent is not player else None
    if back is None or back.number != player.numbers.get(column):
        return False
    own, other = colours.get(cell.letter or ""), colours.get(back.letter or "")
    if own is not None and own == other:
        return False
    if cell.score is None or back.score is None:
        return cell.score == back.score
    return cell.kind == FORFEIT or cell.score + back.score == WIN


def _proven(players: Sequence[TableRow], column: str, colours: Mapping[str, Colour]) -> list[TableRow]:
    """The players with the cells that the opponents' rows prove; other such cells are unread, or a bye."""
    by_number = _by_number(players, column)
    settled = []
    for player in players:
        rounds, unread = dict(player.rounds), dict(player.unread)
        for number, cell in player.rounds.items():
            if not cell.unproven or _confirmed(player, number, cell, by_number, column, colours):
                rounds[number] = replace(cell, unproven=False) if cell.unproven else cell
            elif cell.otherwise is not None:
                rounds[number] = cell.otherwise
            else:
                unread[number] = cell.text, -1
                del rounds[number]
        settled.append(replace(player, rounds=rounds, unread=unread) if rounds != player.rounds else player)
    return settled


def contradicts(cell: CrossCell, back: CrossCell) -> bool:
    """Whether the two rows of a game give results that do not fit."""
    if cell.score is None or back.score is None or FORFEIT in (cell.kind, back.kind):
        return False if None in (cell.score, back.score) else back.result != MIRROR.get(cell.result)
    return cell.score + back.score != WIN


def own_columns(rows: Sequence[PastedRow], headings: TableHeadings) -> list[int | None]:
    """The number of each row's own column: by its mark, or by the number, rank or order with a free diagonal."""
    columns = headings.rounds
    marked = [next((number for at, number in columns if is_own_cell(row.cell(at))), None) for row in rows]
    if any(number is not None for number in marked) and not headings.across:
        return marked
    if len(rows) < 2 or not (headings.across or len(rows) == len(columns)):
        return marked
    orders = [[row.cell(headings.place(role)).rstrip(".") for row in rows] for role in ("no", "rank")]
    orders.append([str(number) for number in range(1, len(rows) + 1)])
    for order in orders:
        numbers = [int(text) if text.isdecimal() and len(text) <= 4 else 0 for text in order]
        if {number for _, number in columns} == set(numbers) and _mirrors(rows, headings, numbers):
            return list(numbers)
    return marked


def _mirrors(rows: Sequence[PastedRow], headings: TableHeadings, own: Sequence[int]) -> bool:
    """Whether nobody has a result against themselves, and every result has its opposite across the diagonal."""
    places = {number: at for at, number in headings.rounds}
    by_number = dict(zip(own, rows, strict=True))
    played = 0
    for number, row in by_number.items():
        for other, opponent in by_number.items():
            cell = row.cell(places[other])
            if other == number:
                if cell and cell != "-" and not is_own_cell(cell):
                    return False
                continue
            here, there = results_in(cell), results_in(opponent.cell(places[number]))
            if (cell and not here) or [MIRROR[result] for result in here] != there:
                return False
            played += len(here)
    return played > 0


def is_own_cell(cell: str) -> bool:
    """Whether a cell marks the player's own column."""
    return compact(cell) in OWN_CELL_MARKS


def results_in(cell: str) -> list[Result]:
    """The results in a cell: one, or two in a double round robin such as `1 ½`."""
    small = compact(cell)
    if small in MARKS:
        return [MARKS[small]]
    marks = small.replace("0.5", "½").replace("1/2", "½").replace("/", "")
    return [MARKS[mark] for mark in marks] if marks and all(mark in SINGLE_MARKS for mark in marks) else []
