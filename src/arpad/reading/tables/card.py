"""A player's card: one row per round, with the opponent and the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from arpad.messages import Message, say
from arpad.reading.pasted import PastedGame, PastedLine
from arpad.reading.results import (
    FORFEITED,
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
    no_game_in,
    title_in,
)
from arpad.reading.tables.player import row_player

if TYPE_CHECKING:
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow


LONGEST_SHOWN = 20  # characters of a cell
RESULT_OF_WORD: dict[str, Result] = {"win": "win", "draw": "draw", "loss": "loss"}


def card_games(headings: TableHeadings, rows: Sequence[PastedRow]) -> Iterator[tuple[PastedRow, PastedGame | Message]]:
    """Each row as a game of the player whose card it is, or the reason why it cannot be read."""
    cells = [parts_of_result(row.cell(headings.place("result"))) for row in rows]
    shades = {row.cell(headings.place("colour")).strip("().").lower() for row in rows}
    colours = {shade for shade in shades if len(shade) == 1} | {
        cell.letter for cell in cells if cell.letter and cell.mark
    }
    alone = {cell.letter for cell in cells if cell.letter and not cell.mark}
    # W, D and L alone in the column of results are results if they cannot be colours.
    are_results = alone <= set(RESULT_LETTERS) and bool(alone & {"d", "l"} or shades - {""})
    results = RESULT_LETTERS if are_results else {}
    letters = colour_letters(colours if results else colours | alone)
    written = {row.cell(headings.place("result")).strip() for row in rows}
    if not results and not colours and not _are_colours({cell for cell in written if len(cell) == 1}, letters):
        letters = {}
    for row in rows:
        yield row, _game(headings, row, letters, results)


def _are_colours(alone: set[str], letters: dict[str, Colour]) -> bool:
    """Whether the letters alone in a column of results are those of the two colours, as pages write games to come.

    Capital letters may be results in some language, and so may a third letter: Italian V, S and P.
    """
    meant = [letters.get(letter) for letter in alone if letter.isalpha()]
    return (
        all(letter.islower() for letter in alone if letter.isalpha())
        and None not in meant
        and (len(meant) == len(set(meant)))
    )


def is_round_without_headings(line: PastedLine) -> bool:
    """Whether a line that is no row begins with a number and has a rating: perhaps a game."""
    words = line.text.split()
    return bool(words) and is_count(words[0]) and any(map(is_rating, words))


def _game(
    headings: TableHeadings, row: PastedRow, letters: dict[str, Colour], results: dict[str, Result]
) -> PastedGame | Message:
    """The game of a row, or why it cannot be read; a letter alone is a colour, or a result if it is among `results`."""
    place = headings.place
    result = parts_of_result(row.cell(place("result")))
    number = row.cell(place("round")).rstrip(".")
    round_number = int(number) if is_count(number) and number.isdecimal() else None
    opponent = row_player(headings, row)
    if _is_bye(headings, row, opponent.name, result):
        mark = result.mark or next((cell for cell in reversed(row.cells[1:]) if bye_points(cell) is not None), "")
        return PastedGame(result="bye", round=round_number, points=bye_points(mark), read_from=mark.strip())
    problem = _cell_is_missing(headings, row)
    if problem is not None:
        return problem
    if opponent.cell is None:
        return say("reading.why.not_a_rating", cell=row.cell(place("rating"))[:LONGEST_SHOWN])
    shade = (row.cell(place("colour")) or result.letter or "").strip("(). ").lower()
    colour = letters.get(shade) if len(shade) == 1 else colour_of(shade) if is_wordy(shade) else None
    ended = _ended_as(result.mark, colour)
    if result.letter and not result.mark:
        ended = results.get(result.letter) or (ended if result.letter in letters else None)
    if ended is None:
        shown = (result.mark or result.letter or "")[:LONGEST_SHOWN]
        if compact(result.mark) in SIDES:
            return say("reading.why.whose_score_in_row", cell=shown)
        return say("reading.why.not_a_result", cell=shown)
    if opponent.name is None and opponent.rating is None:
        return say("reading.why.no_opponent_in_row")
    return replace(
        opponent.game(ended, result.mark or (result.letter or "" if ended != "to-come" else "")),
        round=round_number,
        title=opponent.title or _title_before_name(headings, row),
        colour=colour,
        capped=opponent.cell.capped,
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
    in_words = {meaning_of(word) for word in mark.split()}  # `kampflos gewonnen`
    forfeit = next((result for word, result in FORFEITED.items() if in_words == {"forfeit", word}), None)
    return MARKS.get(small) or RESULT_OF_WORD.get(meaning_of(mark) or "") or forfeit
