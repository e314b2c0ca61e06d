"""Single cells of a table: ratings, titles, names, rounds without an opponent."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import HIGHEST_RATING
from arpad.reading.opponents import unmarked
from arpad.reading.results import BYE_POINTS, compact, meaning_of
from arpad.reading.tokens import LOWEST_PASTED, title_letters, titles

if TYPE_CHECKING:
    from arpad.reading.pasted import RatingState

NO_GAME = ("bye", "absent", "empty")
LONGEST_PHRASE = 30
NO_OPPONENT_NUMBERS = ("-1", "-2")


class RatingCell(NamedTuple):
    """The rating in a cell."""

    rating: int | None
    state: RatingState
    capped: bool = False


def rating_in(cell: str) -> RatingCell | None:
    """`1702`, `1672 F`, `2273 *`, `1384P12`; 0 or nothing is unrated; None if it is not a rating."""
    text = cell.strip()
    if text in ("", "0", "-", "--", "—") or meaning_of(text) == "unrated":
        return RatingCell(None, "unrated")
    number = unmarked(text)
    if number.isascii() and number.isdecimal() and LOWEST_PASTED <= int(number[:5]) <= HIGHEST_RATING:
        return RatingCell(int(number), "rated", text.endswith("*"))
    return None


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


def no_game_in(cell: str) -> bool:
    """Whether a cell says that there was no opponent: `bye`, `spielfrei`, `not paired`."""
    text = cell.strip()
    return bool(text) and len(text) <= LONGEST_PHRASE and meaning_of(text) in NO_GAME


def bye_points(cell: str) -> Decimal | None:
    """The points of a round without an opponent: `- 1`, `-½`, `0`; None if the cell does not say."""
    text = compact(cell)
    halves = BYE_POINTS.get(text, BYE_POINTS.get(text.removeprefix("-")))
    return None if halves is None else Decimal(halves) / 2


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


def is_wordy(cell: str) -> bool:
    """Whether a cell is made of letters, as a name or a club is."""
    return sum(letter.isalpha() for letter in cell) > 1
