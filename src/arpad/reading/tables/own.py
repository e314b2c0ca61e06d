"""One player's games in the tables of a paste, with every other line left out for its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.core import TITLES
from arpad.messages import Message, say
from arpad.reading.particulars import HIGHEST_OWN_K, class_named
from arpad.reading.pasted import OTHERS, OWN_ROW, PARTICULARS, Account, PastedGame, PastedLine
from arpad.reading.results import MIRROR, TWO_FOR_A_WIN, Colour, Result, both_results, compact
from arpad.reading.tables import FoundTable, examined, tables_in_text
from arpad.reading.tables.boards import BoardRow, boards_in_matches, boards_of
from arpad.reading.tables.card import card_games, is_round_without_headings
from arpad.reading.tables.cells import CrossCell, bye_points, is_federation, no_game_in, rating_in
from arpad.reading.tables.crosstable import SwissTable, TableRow, contradicts, crosstable_of, own_columns, results_in
from arpad.reading.tables.player import full_name, row_player
from arpad.reading.text import persons_called

if TYPE_CHECKING:
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow

COLOUR_OF_SIDE: tuple[Colour, Colour] = ("white", "black")
NAMES_OF = {"no": say("reading.column.no"), "rank": say("reading.column.rank"), "row": say("reading.column.row")}
RATING_LETTERS = {"F": "international", "N": "national", "E": None}  # the French federation's; E is an estimate
LAYOUTS = {"games": "pairings", "matches": "team boards"}


def read_tables(account: Account) -> bool:
    """Read every table with headings; false if the text has none."""
    tables, before = tables_in_text(account.lines)
    if not tables:
        return False
    for left in before:
        account.leave([left.line], left.why)
    boards: list[BoardRow] = []
    teams = False
    known = [examined(table) for table in tables]
    has_card = any(table.kind == "card" for table in known)
    for table in known:
        account.leave([table.line], say("reading.why.heading"))
        for left in table.left_out:
            doubtful = left.doubtful or (table.kind == "card" and is_round_without_headings(left.line))
            why = say("reading.why.not_under_headings") if doubtful and not left.doubtful else left.why
            account.leave([left.line], why, doubtful=doubtful)
        account.columns = account.columns or table.headings.readings
        account.layout = (
            LAYOUTS.get(table.kind, table.kind) if table.kind != "standing" else account.layout or "standing"
        )
        if table.kind == "games":
            boards += boards_of(table.headings, table.rows, table.round)
        elif table.kind == "matches":
            teams = True
            boards += boards_in_matches([line for row in table.rows for line in row.lines], table.round)
        elif table.kind == "standing" and has_card and len(table.rows) == 1:
            _state_row(account, table.headings, table.rows[0])  # the player's own, above his games
            account.leave(table.rows[0].lines, PARTICULARS)
        else:
            _read_rows(account, table)
    read_boards(account, boards, colours=not teams)
    if account.layout == "standing":
        account.note(say("reading.note.standing"))
    return True


def _read_rows(account: Account, table: FoundTable) -> None:
    """Read the rows of a table of one player's games, or of players."""
    if table.kind == "crosstable":
        read_crosstable(account, table.headings, table.rows)
    elif table.kind == "round robin":
        read_round_robin(account, table.headings, table.rows)
    elif table.kind == "line-up":
        _read_line_up(account, table.headings, table.rows)
    elif table.kind == "card":
        read_card(account, table.headings, table.rows)
    else:
        account.leave((line for row in table.rows for line in row.lines), say("reading.why.standing"))


def read_card(account: Account, headings: TableHeadings, rows: Sequence[PastedRow]) -> None:
    """Read every row of a player's card as a game, or leave it out with the reason; a column has the player's K."""
    for row in rows:
        _state_k(account, headings, row)
        _state_system(account, headings, row)
    for row, game in card_games(headings, rows):
        if isinstance(game, PastedGame):
            account.add(game, row.lines)
        else:
            account.leave(row.lines, game, doubtful=True)


def read_boards(account: Account, boards: Sequence[BoardRow], *, colours: bool) -> None:
    """Read the player's own boards as games; `colours` says whether the left player has White."""
    if not boards:
        return
    names = [seat.name or "" for board in boards for seat in (board.left, board.right)]
    names = ["" if no_game_in(name) else name for name in names]
    place = account.whose(names)
    own = set() if place is None or account.player is None else set(persons_called(account.player, names))
    two_points = any(compact(board.score) in ("2:0", "0:2") for board in boards)
    for number, board in enumerate(boards):
        side = 0 if 2 * number in own else 1 if 2 * number + 1 in own else None
        if side is None:
            account.leave(board.lines, OTHERS)
            continue
        seat = (board.left, board.right)[side]
        if seat.rating is not None and seat.rating.rating is not None:
            account.state("rating", seat.rating.rating, board.lines[0])
        game = _own_game(board, side, colours=colours, two_points=two_points)
        if isinstance(game, PastedGame):
            account.add(game, board.lines)
        else:
            account.leave(board.lines, game, doubtful=True)


def _own_game(board: BoardRow, side: int, *, colours: bool, two_points: bool) -> PastedGame | Message:
    """The game of the player on one side of a board, or why it cannot be read."""
    opponent = (board.right, board.left)[side]
    if (opponent.name is None and opponent.rating is None) or (opponent.name and no_game_in(opponent.name)):
        return PastedGame(result="bye", round=board.round, points=bye_points(board.score), read_from=board.score)
    both = TWO_FOR_A_WIN.get(compact(board.score)) if two_points else None
    both = both or both_results(board.score, two_points=two_points)
    if both is None:
        return say("reading.why.not_a_score", cell=board.score[:20])
    rating = opponent.rating
    return PastedGame(
        result=both[side],
        round=board.round,
        opponent=rating.rating if rating else None,
        rating_state=rating.state if rating else "unknown",
        name=opponent.name,
        title=opponent.title,
        colour=COLOUR_OF_SIDE[side] if colours else None,
        read_from=board.score,
    )


def read_crosstable(account: Account, headings: TableHeadings, rows: Sequence[PastedRow]) -> None:
    """Read the player's row as games."""
    table = crosstable_of(headings, rows)
    place = _own_place(account, headings, rows)
    if place is None:
        return
    own, line = table.players[place], rows[place].lines[0]
    if table.column is None:
        account.leave(own.row.lines, say("reading.why.rank_or_number"), doubtful=True)
        return
    _note_column(account, table)
    for number, cell in sorted(own.rounds.items()):
        game = _crosstable_game(headings, number, cell, own, table)
        if isinstance(game, PastedGame):
            account.add(game, own.row.lines)
        else:
            account.leave_part(line, game)
    for number, (text, _) in own.unread.items():
        account.leave_part(line, say("reading.why.round_cell", round=number, cell=text[:20]))
    if not account.games:
        account.leave(own.row.lines, OWN_ROW)


def _own_place(account: Account, headings: TableHeadings, rows: Sequence[PastedRow]) -> int | None:
    """The place of the player's row, which may be the only one; the others are left out."""
    place = 0 if len(rows) == 1 else account.whose([full_name(headings, row) for row in rows])
    for number, row in enumerate(rows):
        if number != place:
            account.leave(row.lines, OTHERS)
        else:
            _state_row(account, headings, row)
    return place


def _state_row(account: Account, headings: TableHeadings, row: PastedRow) -> None:
    """State what the player's own row says: rating, K, system, federation and title."""
    first = row.lines[0]
    place = headings.place
    kinds = {"rating": "rating" if place("national") is None else "international", "national": "national"}
    for role, kind in kinds.items():
        if place(role) is not None and row.cell(place(role)):
            state_rating(account, row.cell(place(role)), first, kind)
    _state_k(account, headings, row)
    _state_system(account, headings, row)
    own = row_player(headings, row)
    if is_federation(own.federation):
        account.state("federation", own.federation, first)
    if own.title in TITLES:
        account.state("title", own.title, first)


def state_rating(account: Account, cell: str, line: PastedLine, what: str = "rating") -> None:
    """State the player's own rating; a letter behind it says of which kind it is."""
    rating = rating_in(cell)
    kind = RATING_LETTERS.get(cell.rsplit(maxsplit=1)[-1], what) if cell.split() else None
    if rating is not None and kind is not None and not rating.capped:
        account.state(kind, rating.rating or "unrated", line)


def _state_k(account: Account, headings: TableHeadings, row: PastedRow) -> None:
    k = row.cell(headings.place("k")) if headings.place("k") is not None else ""
    if k.isascii() and k.isdecimal() and 0 < int(k[:4]) <= HIGHEST_OWN_K:
        account.state("k", int(k), row.lines[0])


def _state_system(account: Account, headings: TableHeadings, row: PastedRow) -> None:
    """State the system that the heading over the ratings names: DWZ."""
    at = headings.place("rating")
    system = None if at is None else class_named(headings.texts[at])
    if system is not None:
        account.state("system", system, row.lines[0])


def _note_column(account: Account, table: SwissTable) -> None:
    """Say by which column the opponents are numbered, if the table has two, and if their rows are not there."""
    column = table.column or ""
    for other, agreeing in table.agreeing.items():
        if other != column and table.games and table.agreeing[column] == table.games:
            values = {"column": NAMES_OF[column], "other": NAMES_OF[other], "cells": table.games - agreeing}
            account.note(say("reading.note.numbered_by", **values))
    if len(table.players) == 1:
        account.note(say("reading.note.one_row"))


def _crosstable_game(
    headings: TableHeadings, number: int, cell: CrossCell, own: TableRow, table: SwissTable
) -> PastedGame | Message:
    """One round of the player, or why it cannot be read."""
    if cell.number is None:
        return PastedGame(result=cell.result, round=number, points=cell.points, read_from=cell.text)
    opponent = table.by_number.get(cell.number)
    if opponent is own:
        return say("reading.why.meets_himself", round=number, number=cell.number)
    back = opponent.rounds.get(number) if opponent is not None else None
    if back is not None and back.number == own.numbers.get(table.column or "") and contradicts(cell, back):
        return say("reading.why.contradiction", round=number, cell=cell.text, other=back.text)
    read_from = "" if cell.result == "to-come" else cell.text
    game = _against(headings, opponent.row if opponent is not None else None, cell.result, read_from)
    return replace(game, round=number, colour=table.colours.get(cell.letter or ""))


def _against(headings: TableHeadings, row: PastedRow | None, result: Result, read_from: str) -> PastedGame:
    """A game against the player of a row; without the row, against somebody unknown."""
    if row is None:
        return PastedGame(result=result, read_from=read_from)
    return row_player(headings, row).game(result, read_from)


def read_round_robin(account: Account, headings: TableHeadings, rows: Sequence[PastedRow]) -> None:
    """Read the player's row, with an opponent in each column; such a table has no rounds and no colours."""
    own = own_columns(rows, headings)
    place = _own_place(account, headings, rows)
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
            results: list[Result] = here or (["to-come"] if opponent else [])
            for result in results:
                account.add(_against(headings, opponent, result, cell), row.lines)
    account.leave(row.lines, OWN_ROW)


def _read_line_up(account: Account, headings: TableHeadings, rows: Sequence[PastedRow]) -> None:
    """Read the results of a team's player by round; such a table does not say who the opponents were."""
    place = _own_place(account, headings, rows)
    if place is None:
        return
    account.note(say("reading.note.no_opponents"))
    for at, number in headings.rounds:
        cell = rows[place].cell(at)
        for result in results_in(cell):
            account.add(PastedGame(result=result, round=number, read_from=cell), rows[place].lines)
    account.leave(rows[place].lines, OWN_ROW)
