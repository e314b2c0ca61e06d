"""A player's card: one row per round, with the opponent and the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.messages import Message, say
from arpad.reading.pasted import PARTICULARS, TOTAL, Account, PastedGame, PastedLine
from arpad.reading.results import (
    MARKS,
    RESULT_LETTERS,
    SIDES,
    Colour,
    Result,
    colour_letters,
    colour_of,
    compact,
    meaning_of,
)
from arpad.reading.tables.cells import (
    NO_OPPONENT_NUMBERS,
    bye_points,
    is_count,
    is_rating,
    is_wordy,
    name_and_title,
    no_game_in,
    rating_in,
    title_in,
)

if TYPE_CHECKING:
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow


LONGEST_SHOWN = 20  # characters of a cell
RESULT_OF_WORD: dict[str, Result] = {"win": "win", "draw": "draw", "loss": "loss"}


def read_card(
    account: Account, headings: TableHeadings, rows: Sequence[PastedRow], others: Iterable[PastedLine] = ()
) -> None:
    """Read every row as a game of the player whose card it is, or leave it out with the reason."""
    letters = _letters_of(headings, rows)
    results = RESULT_LETTERS if letters <= set(RESULT_LETTERS) and letters & {"d", "l"} else {}
    for row in rows:
        game = _game(headings, row, {} if results else colour_letters(letters), results)
        if isinstance(game, PastedGame):
            account.add(game, row.lines)
        else:
            account.leave(row.lines, game, doubtful=True)
    for line in others:
        words = line.text.split()
        if words and is_count(words[0]) and any(map(is_rating, words)):
            account.leave([line], say("reading.why.not_under_headings"), doubtful=True)
        else:
            account.leave([line], TOTAL if "\t" in line.text.strip() else PARTICULARS)


def _letters_of(headings: TableHeadings, rows: Sequence[PastedRow]) -> set[str]:
    """The colour letters that occur in a table."""
    colour, result = headings.place("colour"), headings.place("result")
    letters = {row.cell(colour) for row in rows} | {parts_of_result(row.cell(result)).letter or "" for row in rows}
    return {letter for letter in letters if len(letter.strip("().")) == 1}


def _game(
    headings: TableHeadings, row: PastedRow, letters: dict[str, Colour], results: dict[str, Result]
) -> PastedGame | Message:
    """The game of a row, or why it cannot be read; a letter is a colour, or a result where the table has d or l."""
    place = headings.place
    result = parts_of_result(row.cell(place("result")))
    number = row.cell(place("round")).rstrip(".")
    round_number = int(number) if is_count(number) and number.isdecimal() else None
    name, before = name_and_title(row.cell(place("name")))
    if _is_bye(headings, row, name, result):
        mark = result.mark or next((cell for cell in reversed(row.cells[1:]) if bye_points(cell) is not None), "")
        return PastedGame(result="bye", round=round_number, points=bye_points(mark), read_from=mark.strip())
    problem = _cell_is_missing(headings, row)
    if problem is not None:
        return problem
    rating = rating_in(row.cell(place("rating")))
    if rating is None:
        return say("reading.why.not_a_rating", cell=row.cell(place("rating"))[:LONGEST_SHOWN])
    shade = (row.cell(place("colour")) or result.letter or "").strip("(). ").lower()
    colour = letters.get(shade) if len(shade) == 1 else colour_of(shade) if is_wordy(shade) else None
    ended = results.get(result.letter or "") or _ended_as(result.mark, colour)
    if ended is None:
        shown = result.mark[:LONGEST_SHOWN]
        if compact(result.mark) in SIDES:
            return say("reading.why.whose_score_in_row", cell=shown)
        return say("reading.why.not_a_result", cell=shown)
    if name is None and rating.rating is None:
        return say("reading.why.no_opponent_in_row")
    national = rating_in(row.cell(place("national")))
    federation = row.cell(place("federation"))
    return PastedGame(
        result=ended,
        round=round_number,
        opponent=rating.rating,
        rating_state=rating.state if place("rating") is not None else "unknown",
        name=name,
        title=title_in(row.cell(place("title"))) or before or _title_before_name(headings, row),
        federation=federation or None,
        colour=colour,
        national_rating=national.rating if national else None,
        capped=rating.capped,
        read_from=result.mark or (result.letter or "" if ended != "to-come" else ""),
    )


def _is_bye(headings: TableHeadings, row: PastedRow, name: str | None, result: ResultCell) -> bool:
    """Whether a row has no opponent."""
    if no_game_in(name or "") or (name is None and any(no_game_in(cell) for cell in row.cells)):
        return True
    if row.cell(headings.place("no")) in NO_OPPONENT_NUMBERS:
        return True
    return name is None and not row.cell(headings.place("rating")) and bye_points(result.mark) is not None


def _cell_is_missing(headings: TableHeadings, row: PastedRow) -> Message | None:
    """Why a short row is refused: with a cell missing, the points may be in the place of the result."""
    result = headings.place("result")
    if result is None or len(row.cells) != result + 1 or len(row.lines) > 1:
        return None
    if "points" in headings.roles[result + 1 :] and row.cell(result):
        return say("reading.why.cell_missing", cell=row.cell(result))
    return None


def _title_before_name(headings: TableHeadings, row: PastedRow) -> str | None:
    """A title in another kind of column just before the name, such as Vega's category."""
    name = headings.place("name")
    before = row.cell(name - 1) if name else ""
    return title_in(before) if before.isupper() else None


def parts_of_result(cell: str) -> ResultCell:
    """The colour letter and the mark of a result cell."""
    first, _, rest = cell.strip().partition(" ")
    if len(first) == 1 and first.isalpha():
        return ResultCell(first.lower(), rest.strip())
    return ResultCell(None, cell.strip())


@dataclass(frozen=True, slots=True)
class ResultCell:
    """A result cell split into its parts: `w ½` is White and a draw."""

    letter: str | None
    mark: str


def _ended_as(mark: str, colour: Colour | None) -> Result | None:
    """How a game ended for the player, by its mark; None if it is not a mark or may be either side's score."""
    small = compact(mark)
    if not small:
        return "to-come"
    if small in SIDES:
        own, other = SIDES[small]
        return None if colour == "black" and own != other else own
    return MARKS.get(small) or RESULT_OF_WORD.get(meaning_of(mark) or "")
