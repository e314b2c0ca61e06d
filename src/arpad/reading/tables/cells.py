"""Single cells of a pasted table: ratings, titles, names, rounds without an opponent, and the cells of crosstables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from arpad.core import HIGHEST_RATING
from arpad.reading.pasted import LOWEST_PASTED, RatingState
from arpad.reading.players import unmarked
from arpad.reading.results import BYE_POINTS, MARKS, Colour, Result, colour_letters, compact, meaning_of
from arpad.reading.vocabulary import title_letters, titles

NO_GAME = ("bye", "absent", "empty")
LONGEST_PHRASE = 30  # characters
NO_OPPONENT_NUMBERS = ("-1", "-2")
NUMBER, LETTER = r"([0-9]{1,3})", r"([wbsncčzpvaλμбч])"  # a longer number is a rating
NUMBER_FIRST = re.compile(rf"{NUMBER} ?{LETTER} ?([01½=+*-]|1/2|0[.,]5)?", re.IGNORECASE)
RESULT_FIRST = re.compile(rf"([01½=]|1/2|0[.,]5) ?{LETTER} ?{NUMBER}", re.IGNORECASE)
SIGN_FIRST = re.compile(rf"([+=<>-]) ?{LETTER}? ?{NUMBER} ?{LETTER}?", re.IGNORECASE)
LETTER_FIRST = re.compile(rf"([WDLXF]) ?{NUMBER}")
SIGNS: dict[str, Result] = {"+": "win", "=": "draw", "-": "loss", ">": "forfeit-win", "<": "forfeit-loss"}
US_RESULTS: dict[str, Result] = {
    "W": "win", "D": "draw", "L": "loss", "X": "forfeit-win", "F": "forfeit-loss",
}  # fmt: skip
US_BYES = {"H": Decimal("0.5"), "B": Decimal(1), "U": Decimal(0), "Z": Decimal(0)}
LONGEST_CELL = 12  # characters
BYE_CELL = re.compile(r"- ?([01½]|0[.,]5)")


def rating_in(cell: str) -> RatingCell | None:
    """`1702`, `1672 F`, `2273 *`, `1384P12`; 0 or nothing is unrated; None if it is not a rating."""
    text = cell.strip()
    if text in ("", "0", "-", "--", "—") or meaning_of(text) == "unrated":
        return RatingCell(None, "unrated")
    number = unmarked(text)
    if number.isascii() and number.isdecimal() and LOWEST_PASTED <= int(number[:5]) <= HIGHEST_RATING:
        return RatingCell(int(number), "rated", text.endswith("*"))
    return None


class RatingCell(NamedTuple):
    """The rating in a cell."""

    rating: int | None
    state: RatingState
    capped: bool = False


def is_rating(cell: str) -> bool:
    """Whether a cell is a rating other than 0."""
    found = rating_in(cell)
    return found is not None and found.rating is not None


def title_in(cell: str) -> str | None:
    """A title in full or by its letter; None if it is not one."""
    text = cell.strip()
    return titles().get(text) or title_letters().get(text.lower() if len(text) <= 3 else "")


def name_and_title(cell: str) -> tuple[str | None, str | None]:
    """A name without a title before it: `FM Bishopric`."""
    text = cell.strip()
    first, _, rest = text.partition(" ")
    if rest and first in titles():
        return rest.strip(), first
    return text or None, None


def is_name(cell: str) -> bool:
    """Whether a cell can be a person's name: words, and neither a federation nor a title."""
    return is_wordy(cell) and not is_federation(cell) and title_in(cell) is None


def is_wordy(cell: str) -> bool:
    """Whether a cell is made of letters, as a name or a club is."""
    return sum(letter.isalpha() for letter in cell) > 1


def is_federation(cell: str) -> bool:
    """Whether a cell is three capital letters."""
    text = cell.strip()
    return len(text) == len("GER") and text.isascii() and text.isalpha() and text.isupper()


def is_count(cell: str) -> bool:
    """Whether a cell is a small whole number: a round, a board, a starting number; `1.` and `1.1` too."""
    text = cell.strip().rstrip(".")
    whole, _, board = text.partition(".")
    return whole.isascii() and whole.isdecimal() and len(whole) <= 4 and (not board or board.isdecimal())


def count_in(cell: str) -> int:
    """The number in such a cell: 1 for `1.` and for `1.2`."""
    return int(cell.strip().partition(".")[0])


def no_game_in(cell: str) -> bool:
    """Whether a cell says that there was no opponent: `bye`, `spielfrei`, `not paired`."""
    text = cell.strip()
    return bool(text) and len(text) <= LONGEST_PHRASE and meaning_of(text) in NO_GAME


def bye_points(cell: str) -> Decimal | None:
    """The points of a round without an opponent: `- 1`, `-½`, `0`; None if the cell does not say."""
    text = compact(cell)
    halves = BYE_POINTS.get(text, BYE_POINTS.get(text.removeprefix("-")))
    return None if halves is None else Decimal(halves) / 2


def cross_cell(cell: str, *, result_first: bool = False) -> CrossCell | None:
    """A cell of a crosstable; None if it is not one. An empty cell is not one either."""
    text = " ".join(cell.split()).strip()
    if not text:
        return None
    if no_game_in(text):
        return CrossCell("bye", text=text)
    if bye := BYE_CELL.fullmatch(text):
        return CrossCell("bye", points=bye_points(bye[1]), text=text)
    if result_first and (found := RESULT_FIRST.fullmatch(text)):
        return CrossCell(MARKS[compact(found[1])], int(found[3]), found[2].lower(), text=text)
    if found := NUMBER_FIRST.fullmatch(text):
        result = MARKS[compact(found[3])] if found[3] else "to-come"
        return CrossCell(result, int(found[1]), found[2].lower(), text=text)
    if found := SIGN_FIRST.fullmatch(text):
        letter = (found[2] or found[4] or "").lower() or None
        return CrossCell(SIGNS[found[1]], int(found[3]), letter, text=text)
    return us_cell(text)


@dataclass(frozen=True, slots=True)
class CrossCell:
    """A round of one player: the opponent's number if there is one, the colour and the result."""

    result: Result
    number: int | None = None
    letter: str | None = None
    points: Decimal | None = None
    text: str = ""


def us_cell(text: str) -> CrossCell | None:
    """A cell in the letters of US Chess: `W 12`, `H`, `-H-`; None if it is not one."""
    letter = " ".join(text.split()).strip("- ").upper()
    if found := LETTER_FIRST.fullmatch(letter):
        return CrossCell(US_RESULTS[found[1]], int(found[2]), text=text)
    if letter in ("X", "F"):
        return CrossCell(US_RESULTS[letter], text=text)
    return CrossCell("bye", points=US_BYES[letter], text=text) if letter in US_BYES else None


def is_cross_cell(cell: str) -> bool:
    """Whether a cell names an opponent by number, with a colour or a result."""
    if len(cell) > LONGEST_CELL or not any(sign.isdecimal() for sign in cell):
        return False
    found = cross_cell(cell) or cross_cell(cell, result_first=True)
    return found is not None and found.number is not None


def is_result_first(cells: Iterable[str]) -> bool:
    """Whether a table writes `1 w 4`, the result first: some cell makes sense only that way."""
    return any(NUMBER_FIRST.fullmatch(cell.strip()) is None and RESULT_FIRST.fullmatch(cell.strip()) for cell in cells)


def colours_of(cells: Iterable[CrossCell]) -> dict[str, Colour]:
    """What the colour letters of a table mean."""
    return colour_letters({cell.letter for cell in cells if cell.letter})
