"""Crosstables: one row per player, with the opponents by their number in the same table.

The rating is in the opponent's row. If a table has both rank and starting number, the numbers in the cells belong to
the column under which all games match the opponents' rows, and a note says so; if that is unclear, nothing is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.messages import say
from arpad.reading.layouts.account import OTHERS, OWN_ROW, PARTICULARS
from arpad.reading.layouts.cells import is_count, name_and_title, rating_in, title_in
from arpad.reading.layouts.crosscells import colours_of, cross_cell, is_result_first
from arpad.reading.pasted import PastedGame

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from arpad.messages import Message
    from arpad.reading.layouts.account import Account, PastedLine
    from arpad.reading.layouts.cells import RatingCell
    from arpad.reading.layouts.crosscells import CrossCell
    from arpad.reading.layouts.headings import TableHeadings
    from arpad.reading.layouts.rows import PastedRow
    from arpad.reading.results import Colour

MIRROR = {
    "win": "loss", "draw": "draw", "loss": "win", "forfeit-win": "forfeit-loss", "forfeit-loss": "forfeit-win",
    "to-come": "to-come",
}  # fmt: skip
NAMES_OF = {"no": say("reading.column.no"), "rank": say("reading.column.rank"), "row": say("reading.column.row")}


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


def read_crosstable(
    account: Account, headings: TableHeadings, rows: Sequence[PastedRow], others: Iterable[PastedLine]
) -> None:
    """Read the player's row as games."""
    account.leave(others, PARTICULARS)
    players = _players(headings, rows)
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
        game = _game(number, cell, by_number, column, own, colours)
        if isinstance(game, PastedGame):
            account.add(game, own.row.lines)
        else:
            account.leave_part(own.row.lines[0], game)
    for number, text in own.unread.items():
        account.leave_part(own.row.lines[0], say("reading.why.round_cell", round=number, cell=text[:20]))
    if not account.games:
        account.leave(own.row.lines, OWN_ROW)


def _players(headings: TableHeadings, rows: Sequence[PastedRow]) -> list[TableRow]:
    columns = headings.rounds
    result_first = is_result_first(row.cell(place) for row in rows for place, _ in columns)
    return [_player(headings, row, order, result_first) for order, row in enumerate(rows, start=1)]


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


def _game(
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
