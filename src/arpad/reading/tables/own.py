"""One player's games in the tables of a paste, with every other line left out for its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.core import TITLES
from arpad.messages import Message, say
from arpad.reading.particulars import HIGHEST_OWN_K, class_named
from arpad.reading.pasted import HEADING, OTHERS, OWN_ROW, PARTICULARS, Account, PastedGame, PastedLine
from arpad.reading.results import (
    FORFEITED,
    MARKS,
    MIRROR,
    RESULT_LETTERS,
    RESULT_NAMES,
    SCORES,
    SIDES,
    TWO_FOR_A_WIN,
    Colour,
    Result,
    both_results,
    colour_letters,
    colour_of,
    compact,
    meaning_of,
)
from arpad.reading.tables import FoundTable, examined, tables_in_text
from arpad.reading.tables.boards import BoardRow, Seat, boards_in_matches, boards_of, full_name, seat_of
from arpad.reading.tables.cells import (
    NO_OPPONENT_NUMBERS,
    CrossCell,
    bye_points,
    is_count,
    is_federation,
    is_rating,
    is_wordy,
    no_game_in,
    number_in,
    rating_in,
    title_in,
)
from arpad.reading.tables.crosstable import SwissTable, TableRow, contradicts, crosstable_of, own_columns, results_in
from arpad.reading.text import persons_called

if TYPE_CHECKING:
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow

COLOUR_OF_SIDE: tuple[Colour, Colour] = ("white", "black")
NAMES_OF = {column: say(f"reading.column.{column}") for column in ("no", "rank", "row")}
RATING_LETTERS = {"F": "international", "N": "national", "E": None}  # the French federation's; E is an estimate
LAYOUTS = {"games": "pairings", "matches": "team boards"}
LONGEST_SHOWN = 20  # characters of a cell
NOBODY = Seat(None, None, None)


def read_tables(account: Account) -> bool:
    """Read every table with headings; false if the text has none."""
    tables, before = tables_in_text(account.lines)
    if not tables:
        return False
    for left in before:
        account.leave([left.line], left.why)
    boards: list[BoardRow] = []
    known = [examined(table) for table in tables]
    kinds = {table.kind for table in known}
    for table in known:
        _leave_lines(account, table)
        account.columns = account.columns or table.headings.readings
        if table.kind != "standing" or not account.layout:
            account.layout = LAYOUTS.get(table.kind, table.kind)
        if table.kind == "games":
            boards += boards_of(table.headings, table.rows, table.round)
        elif table.kind == "matches":
            boards += boards_in_matches([line for row in table.rows for line in row.lines], table.round)
        elif table.kind == "standing":
            _leave_standing(account, table, with_card="card" in kinds)
        else:
            READERS[table.kind](account, table.headings, table.rows)
    read_boards(account, boards, colours="matches" not in kinds)
    if account.layout == "standing":
        account.note(say("reading.note.standing"))
    return True


def _leave_lines(account: Account, table: FoundTable) -> None:
    """Leave out the lines of a table that are no rows; below the headings of a card one of them may be a game."""
    account.leave([table.line], HEADING)
    for line, why, doubtful in table.left_out:
        words = line.text.split()
        if not doubtful and table.kind == "card" and words and is_count(words[0]) and any(map(is_rating, words)):
            account.leave([line], say("reading.why.not_under_headings"), doubtful=True)
        else:
            account.leave([line], why, doubtful=doubtful)


def _leave_standing(account: Account, table: FoundTable, *, with_card: bool) -> None:
    """Leave out the rows of a list of players; the only one above a card is the player's own."""
    if with_card and len(table.rows) == 1:
        _state_row(account, table.headings, table.rows[0])
        account.leave(table.rows[0].lines, PARTICULARS)
    else:
        account.leave((line for row in table.rows for line in row.lines), say("reading.why.standing"))


def _enter(account: Account, game: PastedGame | Message, lines: Sequence[PastedLine]) -> None:
    """Add a game, or leave its lines out for the reason why it cannot be read."""
    if isinstance(game, PastedGame):
        account.add(game, lines)
    else:
        account.leave(lines, game, doubtful=True)


def read_card(account: Account, headings: TableHeadings, rows: Sequence[PastedRow]) -> None:
    """Read every row of a player's card as a game, or leave it out with the reason; a column has the player's K."""
    letters, results = _letters_of(headings, rows)
    for row in rows:
        _state_k_and_system(account, headings, row)
        _enter(account, _card_game(headings, row, letters, results), row.lines)


def _letters_of(
    headings: TableHeadings, rows: Sequence[PastedRow]
) -> tuple[Mapping[str, Colour], Mapping[str, Result]]:
    """What letters mean as colours and, alone in the column of results, as results.

    W, D and L are results if they cannot be colours.
    """
    cells = [parts_of_result(row.cell(headings.place("result"))) for row in rows]
    shades = {row.cell(headings.place("colour")).strip("().").lower() for row in rows}
    colours = {shade for shade in shades if len(shade) == 1} | {letter for letter, mark in cells if mark} - {""}
    alone = {letter for letter, mark in cells if not mark} - {""}
    if alone <= set(RESULT_LETTERS) and (alone & {"d", "l"} or shades - {""}):
        return colour_letters(colours), RESULT_LETTERS
    letters = colour_letters(colours | alone)
    written = {row.cell(headings.place("result")).strip() for row in rows}
    if not colours and not _are_colours({cell for cell in written if len(cell) == 1}, letters):
        letters = {}
    return letters, {}


def _are_colours(alone: set[str], letters: Mapping[str, Colour]) -> bool:
    """Whether the letters alone in a column of results are those of the two colours, as pages write games to come.

    Capital letters may be results in some language, and so may a third letter: Italian V, S and P.
    """
    meant = [letters.get(letter) for letter in alone if letter.isalpha()]
    small = all(letter.islower() for letter in alone if letter.isalpha())
    return small and None not in meant and len(meant) == len(set(meant))


def _card_game(
    headings: TableHeadings, row: PastedRow, letters: Mapping[str, Colour], results: Mapping[str, Result]
) -> PastedGame | Message:
    """The game of a row, or why it cannot be read; a letter alone is a colour, or a result if it is among `results`."""
    place = headings.place
    letter, mark = parts_of_result(row.cell(place("result")))
    round_number = number_in(row.cell(place("round"))) or None
    opponent = seat_of(row, headings.first)
    if _is_bye(headings, row, opponent.name, mark):
        points = mark or next((cell for cell in reversed(row.cells[1:]) if bye_points(cell) is not None), "")
        return PastedGame(result="bye", round=round_number, points=bye_points(points), read_from=points.strip())
    last = row.cells[-1].strip()
    is_short = place("result") == len(row.cells) - 1 and len(row.lines) == 1
    if is_short and last and "points" in headings.roles[len(row.cells) :]:  # they may be in the place of the result
        return say("reading.why.cell_missing", cell=last)
    if opponent.unread:
        return say("reading.why.not_a_rating", cell=opponent.unread[:LONGEST_SHOWN])
    shade = (row.cell(place("colour")) or letter).strip("(). ").lower()
    colour = letters.get(shade) if len(shade) == 1 else colour_of(shade) if is_wordy(shade) else None
    ended = _ended_as(mark, colour)
    if letter and not mark:
        ended = results.get(letter) or (ended if letter in letters else None)
    if ended is None:
        key = "whose_score_in_row" if compact(mark) in SIDES else "not_a_result"
        return say(f"reading.why.{key}", cell=(mark or letter)[:LONGEST_SHOWN])
    game = opponent.game(ended, mark or (letter if ended != "to-come" else ""))
    if game.name is None and game.opponent is None:
        return say("reading.why.no_opponent_in_row")
    title = opponent.title or _title_before_name(headings, row)
    capped = opponent.rating is not None and opponent.rating.capped
    return replace(game, round=round_number, title=title, colour=colour, capped=capped)


def _is_bye(headings: TableHeadings, row: PastedRow, name: str | None, mark: str) -> bool:
    """Whether a row has no opponent."""
    if no_game_in(name or "") or row.cell(headings.place("no")) in NO_OPPONENT_NUMBERS:
        return True
    if name is not None:
        return False
    return any(map(no_game_in, row.cells)) or (not row.cell(headings.place("rating")) and bye_points(mark) is not None)


def _title_before_name(headings: TableHeadings, row: PastedRow) -> str | None:
    """A title in another kind of column just before the name, such as Vega's category."""
    name = headings.place("name")
    before = row.cell(name - 1) if name else ""
    return title_in(before) if before.isupper() else None


def parts_of_result(cell: str) -> tuple[str, str]:
    """The colour letter and the mark of a result cell: `w ½` is White and a draw."""
    first, _, rest = cell.strip().partition(" ")
    return (first.lower(), rest.strip()) if len(first) == 1 and first.isalpha() else ("", cell.strip())


def _ended_as(mark: str, colour: Colour | None) -> Result | None:
    """How a game ended for the player, by its mark; None if it is not a mark or may be either side's score."""
    small = compact(mark)
    if not small:
        return "to-come"
    if small in SIDES:
        own, other = SIDES[small]
        return None if colour == "black" and own != other else own
    in_words = {meaning_of(word) for word in mark.split()}  # `kampflos gewonnen`
    forfeit = next((result for word, result in FORFEITED.items() if in_words == {"forfeit", word}), None)
    meaning = meaning_of(mark)
    return MARKS.get(small) or (RESULT_NAMES[meaning] if meaning in SCORES else forfeit)


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
        _enter(account, _own_game(board, side, colours=colours, two_points=two_points), board.lines)


def _own_game(board: BoardRow, side: int, *, colours: bool, two_points: bool) -> PastedGame | Message:
    """The game of the player on one side of a board, or why it cannot be read."""
    opponent = (board.right, board.left)[side]
    if (opponent.name is None and opponent.rating is None) or (opponent.name and no_game_in(opponent.name)):
        return PastedGame(result="bye", round=board.round, points=bye_points(board.score), read_from=board.score)
    both = TWO_FOR_A_WIN.get(compact(board.score)) if two_points else None
    both = both or both_results(board.score, two_points=two_points)
    if both is None:
        return say("reading.why.not_a_score", cell=board.score[:LONGEST_SHOWN])
    colour = COLOUR_OF_SIDE[side] if colours else None
    return replace(opponent.game(both[side], board.score), round=board.round, colour=colour)


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
        account.leave_part(line, say("reading.why.round_cell", round=number, cell=text[:LONGEST_SHOWN]))
    if not account.games:
        account.leave(own.row.lines, OWN_ROW)


def _own_place(account: Account, headings: TableHeadings, rows: Sequence[PastedRow]) -> int | None:
    """The place of the player's row, which may be the only one; the others are left out."""
    place = 0 if len(rows) == 1 else account.whose([full_name(row, headings.first) for row in rows])
    for number, row in enumerate(rows):
        if number != place:
            account.leave(row.lines, OTHERS)
        else:
            _state_row(account, headings, row)
    return place


def _state_row(account: Account, headings: TableHeadings, row: PastedRow) -> None:
    """State what the player's own row says: rating, K, system, federation and title."""
    first = row.lines[0]
    kinds = {"rating": "rating" if headings.place("national") is None else "international", "national": "national"}
    for role, kind in kinds.items():
        state_rating(account, row.cell(headings.place(role)), first, kind)
    _state_k_and_system(account, headings, row)
    own = seat_of(row, headings.first)
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


def _state_k_and_system(account: Account, headings: TableHeadings, row: PastedRow) -> None:
    """State the player's K, and the system that the heading over the ratings names: DWZ."""
    k = number_in(row.cell(headings.place("k")))
    if 0 < k <= HIGHEST_OWN_K:
        account.state("k", k, row.lines[0])
    rating = headings.place("rating")
    system = None if rating is None else class_named(headings.texts[rating])
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
    seat = NOBODY if opponent is None else seat_of(opponent.row, headings.first)
    return replace(seat.game(cell.result, read_from), round=number, colour=table.colours.get(cell.letter or ""))


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
            account.leave_part(row.lines[0], say("reading.why.column", cell=cell[:LONGEST_SHOWN], column=number))
        elif here and back and [MIRROR[result] for result in here] != back:
            account.leave_part(row.lines[0], say("reading.why.row_and_column", column=number))
        else:
            seat = NOBODY if opponent is None else seat_of(opponent, headings.first)
            results: list[Result] = here or (["to-come"] if opponent else [])
            for result in results:
                account.add(seat.game(result, cell), row.lines)
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


READERS: dict[str, Callable[[Account, TableHeadings, Sequence[PastedRow]], None]] = {
    "crosstable": read_crosstable, "round robin": read_round_robin, "line-up": _read_line_up, "card": read_card,
}  # fmt: skip
