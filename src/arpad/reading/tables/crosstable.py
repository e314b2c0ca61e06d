"""Crosstables: a row for each player, with the opponents by their number in the same table or as columns of results.

The rating is in the opponent's row. If a table has both rank and starting number, the numbers in the cells belong to
the column under which all games match the opponents' rows, and a note says so; if that is unclear, nothing is read.
In a round robin each column is an opponent; in the line-up of a team, a round whose opponent is not named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.messages import Message, say
from arpad.reading.pasted import OTHERS, OWN_ROW, PARTICULARS, Account, PastedGame, PastedLine
from arpad.reading.results import MARKS, Colour, Result, compact
from arpad.reading.tables.cells import (
    CrossCell,
    RatingCell,
    colours_of,
    cross_cell,
    is_count,
    is_result_first,
    name_and_title,
    rating_in,
    title_in,
)

if TYPE_CHECKING:
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow


MIRROR = {
    "win": "loss", "draw": "draw", "loss": "win", "forfeit-win": "forfeit-loss", "forfeit-loss": "forfeit-win",
    "to-come": "to-come",
}  # fmt: skip
OWN_CELL_MARKS = ("*", "**", "***", "x", "xx", "xxx", "#", "##", "■", "█", "\\", "---", "--")
SINGLE_MARKS = "10½=+-"
NAMES_OF = {"no": say("reading.column.no"), "rank": say("reading.column.rank"), "row": say("reading.column.row")}


def read_crosstable(
    account: Account, headings: TableHeadings, rows: Sequence[PastedRow], others: Iterable[PastedLine]
) -> None:
    """Read the player's row as games."""
    account.leave(others, PARTICULARS)
    result_first = is_result_first(row.cell(place) for row in rows for place, _ in headings.rounds)
    players = [_player(headings, row, order, result_first) for order, row in enumerate(rows, start=1)]
    place = 0 if len(players) == 1 else account.whose([player.name or "" for player in players])
    for number, player in enumerate(players):
        if number != place:
            account.leave(player.row.lines, OTHERS)
    if place is None:
        return
    own = players[place]
    column = _numbered_by(account, players)
    if column is None:
        account.leave(own.row.lines, say("reading.why.rank_or_number"), doubtful=True)
        return
    by_number = {player.numbers[column]: player for player in players if column in player.numbers}
    colours = colours_of(cell for player in players for cell in player.rounds.values())
    if len(players) == 1:
        account.note(say("reading.note.one_row"))
    for number, cell in sorted(own.rounds.items()):
        game = _crosstable_game(number, cell, by_number, column, own, colours)
        if isinstance(game, PastedGame):
            account.add(game, own.row.lines)
        else:
            account.leave_part(own.row.lines[0], game)
    for number, text in own.unread.items():
        account.leave_part(own.row.lines[0], say("reading.why.round_cell", round=number, cell=text[:20]))
    if not account.games:
        account.leave(own.row.lines, OWN_ROW)


def _player(headings: TableHeadings, row: PastedRow, order: int, result_first: bool) -> TableRow:
    place = headings.place
    name, before = name_and_title(row.cell(place("name")))
    numbers = {"row": order}
    for column in ("no", "rank"):
        text = row.cell(place(column)).rstrip(".")
        if is_count(text) and text.isdecimal():
            numbers[column] = int(text)
    rounds: dict[int, CrossCell] = {}
    unread: dict[int, str] = {}
    for at, number in headings.rounds:
        cell = cross_cell(row.cell(at), result_first=result_first)
        if cell is not None:
            rounds[number] = cell
        elif row.cell(at):
            unread[number] = row.cell(at)
    rating = rating_in(row.cell(place("rating"))) if place("rating") is not None else None
    return TableRow(name, title_in(row.cell(place("title"))) or before, rating, numbers, rounds, unread, row)


def _numbered_by(account: Account, players: Sequence[TableRow]) -> str | None:
    """The column that the numbers in the cells refer to; None if that is unclear."""
    columns = [column for column in ("no", "rank") if any(column in player.numbers for player in players)] or ["row"]
    if len(columns) == 1 or all(player.numbers.get("no") == player.numbers.get("rank") for player in players):
        return columns[0]
    misfits = {column: _misfits(players, column) for column in columns}
    fitting = [column for column in columns if misfits[column] == 0]
    if len(fitting) != 1:
        return None
    other = next(column for column in columns if column != fitting[0])
    account.note(
        say("reading.note.numbered_by", column=NAMES_OF[fitting[0]], other=NAMES_OF[other], cells=misfits[other])
    )
    return fitting[0]


def _misfits(players: Sequence[TableRow], column: str) -> int:
    """How many cells the opponent's row contradicts, if the numbers refer to this column."""
    by_number = {player.numbers[column]: player for player in players if column in player.numbers}
    return sum(
        not _fits(number, cell, by_number[cell.number], player.numbers.get(column))
        for player in players
        for number, cell in player.rounds.items()
        if cell.number in by_number
    )


def _fits(number: int, cell: CrossCell, opponent: TableRow, own: int | None) -> bool:
    """Whether the opponent's row has the same game with the opposite result."""
    back = opponent.rounds.get(number)
    return back is not None and back.number == own and (back.result == MIRROR.get(cell.result))


def _crosstable_game(
    number: int,
    cell: CrossCell,
    by_number: Mapping[int, TableRow],
    column: str,
    own: TableRow,
    colours: Mapping[str, Colour],
) -> PastedGame | Message:
    """One round of the player, or why it cannot be read."""
    if cell.number is None:
        return PastedGame(result=cell.result, round=number, points=cell.points, read_from=cell.text)
    opponent = by_number.get(cell.number)
    if opponent is own:
        return say("reading.why.meets_himself", round=number, number=cell.number)
    if opponent is not None and number in opponent.rounds and cell.result != "to-come":
        back = opponent.rounds[number]
        if back.number == own.numbers.get(column) and back.result not in (MIRROR[cell.result], "to-come"):
            return say("reading.why.contradiction", round=number, cell=cell.text, other=back.text)
    rating = opponent.rating if opponent else None
    return PastedGame(
        result=cell.result,
        round=number,
        opponent=rating.rating if rating else None,
        rating_state=rating.state if rating else "unknown",
        name=opponent.name if opponent else None,
        title=opponent.title if opponent else None,
        colour=colours.get(cell.letter or ""),
        read_from="" if cell.result == "to-come" else cell.text,
    )


@dataclass(frozen=True, slots=True)
class TableRow:
    """A player's row in a crosstable."""

    name: str | None
    title: str | None
    rating: RatingCell | None
    numbers: Mapping[str, int]  # by column
    rounds: Mapping[int, CrossCell]
    unread: Mapping[int, str]
    row: PastedRow


def read_round_robin(
    account: Account, headings: TableHeadings, rows: Sequence[PastedRow], others: Iterable[PastedLine]
) -> None:
    """Read the player's row, with an opponent in each column; such a table has no rounds and no colours."""
    account.leave(others, PARTICULARS)
    own = own_columns(rows, headings)
    place = account.whose([row.cell(headings.place("name")) for row in rows])
    for number, row in enumerate(rows):
        if number != place:
            account.leave(row.lines, OTHERS)
    if place is None:
        return
    by_number = {number: row for number, row in zip(own, rows, strict=True) if number is not None}
    row = rows[place]
    own_column = next((at for at, number in headings.rounds if number == own[place]), None)
    for at, number in headings.rounds:
        opponent = by_number.get(number)
        if number == own[place] or opponent is row:
            continue
        cell = row.cell(at)
        here = results_in(cell)
        back = results_in(opponent.cell(own_column)) if opponent and own[place] else []
        if cell and not here:
            account.leave_part(row.lines[0], say("reading.why.column", cell=cell[:20], column=number))
        elif here and back and [MIRROR[result] for result in here] != back:
            account.leave_part(row.lines[0], say("reading.why.row_and_column", column=number))
        else:
            for result in here or ["to-come"] if opponent else here:
                account.add(_round_robin_game(headings, opponent, result, cell), row.lines)
    account.leave(row.lines, OWN_ROW)


def _round_robin_game(headings: TableHeadings, opponent: PastedRow | None, result: Result, cell: str) -> PastedGame:
    """A game against the player of another row."""
    if opponent is None:
        return PastedGame(result=result, read_from=cell)
    place = headings.place
    name, before = name_and_title(opponent.cell(place("name")))
    rating = rating_in(opponent.cell(place("rating"))) if place("rating") is not None else None
    return PastedGame(
        result=result,
        opponent=rating.rating if rating else None,
        rating_state=rating.state if rating else "unknown",
        name=name,
        title=title_in(opponent.cell(place("title"))) or before,
        read_from=cell,
    )


def read_line_up(
    account: Account, headings: TableHeadings, rows: Sequence[PastedRow], others: Iterable[PastedLine]
) -> None:
    """Read the results of a team's player by round; such a table does not say who the opponents were."""
    account.leave(others, PARTICULARS)
    names = [row.cell(headings.place("name")) for row in rows]
    place = 0 if len(rows) == 1 else account.whose(names)
    for number, row in enumerate(rows):
        if number != place:
            account.leave(row.lines, OTHERS)
    if place is None:
        return
    account.note(say("reading.note.no_opponents"))
    for at, number in headings.rounds:
        cell = rows[place].cell(at)
        for result in results_in(cell):
            account.add(PastedGame(result=result, round=number, read_from=cell), rows[place].lines)
    account.leave(rows[place].lines, OWN_ROW)


def own_columns(rows: Sequence[PastedRow], headings: TableHeadings) -> list[int | None]:
    """The number of each row's own column, by its mark; by row order in a square table with an empty diagonal."""
    columns = headings.rounds
    marked = [next((number for at, number in columns if is_own_cell(row.cell(at))), None) for row in rows]
    if any(number is not None for number in marked) or len(rows) != len(columns):
        return marked
    numbers = [number for _, number in columns]
    diagonal_is_empty = all(not row.cell(at) for row, (at, _) in zip(rows, columns, strict=True))
    return list(numbers) if diagonal_is_empty and _mirrors(rows, headings) else marked


def _mirrors(rows: Sequence[PastedRow], headings: TableHeadings) -> bool:
    """Whether every result has its opposite across the diagonal."""
    for number, row in enumerate(rows):
        for other, (at, _) in enumerate(headings.rounds):
            here, there = results_in(row.cell(at)), results_in(rows[other].cell(headings.rounds[number][0]))
            if [MIRROR[result] for result in here] != there:
                return False
    return True


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
