"""Crosstables: a row for each player, with the opponents by their number in the same table or as columns of results.

The numbers in the cells are starting numbers or ranks. What a cell alone does not say is proven by the opponent's row:
which of the two columns is meant, and whether `2 1` is a win against number 2. In a round robin each column is an
opponent; in the line-up of a team, a round whose opponent is not named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

from arpad.core import WIN
from arpad.core.tournaments import FORFEIT
from arpad.reading.results import MARKS, MIRROR, Colour, Result, compact
from arpad.reading.tables.cells import CrossCell, Notation, colours_of, cross_cell, number_in
from arpad.reading.tables.columns import TableHeadings
from arpad.reading.tables.rows import PastedRow

OWN_CELL_MARKS = ("*", "**", "***", "x", "xx", "xxx", "#", "##", "■", "█", "\\", "---", "--")
SINGLE_MARKS = "10½=+-"
NOT_PROVEN = -1  # in place of a column


@dataclass(frozen=True, slots=True)
class TableRow:
    """A player's row in a crosstable."""

    row: PastedRow
    numbers: Mapping[str, int]  # by column: no, rank, row
    rounds: Mapping[int, CrossCell]
    unread: Mapping[int, tuple[str, int]]  # the cell and its column, or NOT_PROVEN


@dataclass(frozen=True)
class SwissTable:
    """The players of a crosstable, and the column that the numbers in the cells refer to; None if that is unclear."""

    players: Sequence[TableRow]
    column: str | None
    colours: Mapping[str, Colour]
    games: int  # cells with an opponent
    agreeing: Mapping[str, int]  # how many of them the opponent's row confirms, by column
    paired: bool = True  # whether any cell names an opponent

    @cached_property
    def by_number(self) -> dict[int, TableRow]:
        """The rows by the number that the cells refer to; of two with one number, the first."""
        column = self.column or ""
        return {player.numbers[column]: player for player in reversed(self.players) if column in player.numbers}

    def confirms(self, player: TableRow, number: int, cell: CrossCell) -> bool:
        """Whether the opponent's row has the same game: the other colour, and the rest of the point."""
        opponent = self.by_number.get(cell.number or 0)
        back = opponent.rounds.get(number) if opponent is not None and opponent is not player else None
        if back is None or back.number != player.numbers.get(self.column or ""):
            return False
        own, other = self.colours.get(cell.letter or ""), self.colours.get(back.letter or "")
        if own is not None and own == other:
            return False
        if cell.score is None or back.score is None:
            return cell.score == back.score
        return cell.kind == FORFEIT or cell.score + back.score == WIN


def crosstable_of(headings: TableHeadings, rows: Sequence[PastedRow]) -> SwissTable:
    """The crosstable in the rows below these headings."""
    notation = Notation.of(row.cell(place) for row in rows for place, _ in headings.rounds)
    if headings.parts:
        notation = notation._replace(paired=True)
    read = cache(partial(cross_cell, notation=notation))
    players = [_player(headings, row, order, read) for order, row in enumerate(rows, start=1)]
    cells = [cell for player in players for cell in player.rounds.values()]
    columns = [column for column in ("no", "rank") if any(column in player.numbers for player in players)] or ["row"]
    if "no" in headings.chosen or all(player.numbers.get("no") == player.numbers.get("rank") for player in players):
        columns = columns[:1]
    table = SwissTable(
        players,
        None,
        colours_of(cells),
        sum(cell.number is not None and not cell.unproven for cell in cells),
        {},
        notation.paired,
    )
    agreeing = {column: _agreeing(replace(table, column=column)) for column in columns}
    table = replace(table, column=_numbered_by(columns, table.games, agreeing), agreeing=agreeing)
    return table if table.column is None else replace(table, players=[_proven(player, table) for player in players])


def _player(headings: TableHeadings, row: PastedRow, order: int, read: Callable[[str], CrossCell | None]) -> TableRow:
    """A player's row."""
    found = {column: number_in(row.cell(headings.place(column))) for column in ("no", "rank")}
    numbers = {"row": order} | {column: number for column, number in found.items() if number}
    rounds: dict[int, CrossCell] = {}
    unread: dict[int, tuple[str, int]] = {}
    for number, place, text in _cells(headings, row):
        cell = read(text)
        if cell is not None:
            rounds[number] = cell
        elif text:
            unread[number] = text, place
    return TableRow(row, numbers, rounds, unread)


def _cells(headings: TableHeadings, row: PastedRow) -> list[tuple[int, int, str]]:
    """Number, column and text of each round; opponent, colour and result in columns of their own are put together."""
    found = [(number, place, row.cell(place)) for place, number in headings.rounds]
    for number, parts in headings.parts.items():
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


def _agreeing(table: SwissTable) -> int:
    """How many games the opponent's row confirms, if the numbers in the cells refer to the column of the table."""
    return sum(
        table.confirms(player, number, cell)
        for player in table.players
        for number, cell in player.rounds.items()
        if cell.number is not None and not cell.unproven
    )


def _proven(player: TableRow, table: SwissTable) -> TableRow:
    """A player with the cells that the opponents' rows prove; other such cells are unread, or a bye."""
    doubtful = [(number, cell) for number, cell in player.rounds.items() if cell.unproven]
    if not doubtful:
        return player
    rounds, unread = dict(player.rounds), dict(player.unread)
    for number, cell in doubtful:
        if table.confirms(player, number, cell):
            rounds[number] = replace(cell, unproven=False)
        elif cell.otherwise is not None:
            rounds[number] = cell.otherwise
        else:
            unread[number] = cell.text, NOT_PROVEN
            del rounds[number]
    return replace(player, rounds=rounds, unread=unread)


def contradicts(cell: CrossCell, back: CrossCell) -> bool:
    """Whether the two rows of a game give results that do not fit."""
    if cell.score is None or back.score is None:
        return False
    if FORFEIT in (cell.kind, back.kind):
        return back.result != MIRROR.get(cell.result)
    return cell.score + back.score != WIN


def own_columns(rows: Sequence[PastedRow], headings: TableHeadings) -> list[int | None]:
    """The number of each row's own column: by its mark, or by the number, rank or order with a free diagonal."""
    columns = headings.rounds
    marked = [next((number for at, number in columns if is_own_cell(row.cell(at))), None) for row in rows]
    if any(number is not None for number in marked) and not headings.across:
        return marked
    if len(rows) < 2 or not (headings.across or len(rows) == len(columns)):
        return marked
    orders = [[number_in(row.cell(headings.place(role))) for row in rows] for role in ("no", "rank")]
    for numbers in (*orders, range(1, len(rows) + 1)):
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
