"""FIDE's three lists: standard, rapid and blitz, each under the edition of the day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from arpad.errors import UncoveredDate
from arpad.rulebooks import Rulebook
from arpad.systems import rulebook_of
from arpad.systems.base import System
from arpad.systems.fide.change import expect, rate_period
from arpad.systems.fide.first_rating import first_rating
from arpad.systems.fide.games import conversion, whole_rating
from arpad.systems.fide.rules import RAPID_AND_BLITZ, STANDARD, FideRules

if TYPE_CHECKING:
    from arpad.core import Pace, Rating
    from arpad.rulebooks import Rule


FILES = {
    "fide-standard": ("fide-standard", STANDARD),
    "fide-rapid": ("fide-rapid-blitz", RAPID_AND_BLITZ),
    "fide-blitz": ("fide-rapid-blitz", RAPID_AND_BLITZ),
}


SETTINGS = ("readings",)


def build(name: str, *, readings: Mapping[str, str] | None = None, rules: str | None = None) -> System:
    """One of FIDE's lists, with the chosen readings of disputed rules, or with a club's own rule file."""
    file, readers = FILES[name]
    book: Rulebook[FideRules] = Rulebook(file, FideRules, readers, path=rules, readings=readings)
    return System.of(
        name,
        name.replace("fide-", "FIDE "),
        book,
        rate_period=partial(rate_period, book, name),
        expect=partial(expect, book, name),
        expected_score=partial(_expected_score, book),
        first_rating=partial(first_rating, book, name),
        conversion=partial(conversion, book, name),
    )


def _expected_score(book: Rulebook[FideRules], difference: Rating, *, on: date) -> Decimal:
    """PD by the table alone."""
    return book.at(on).expected.value.expected(whole_rating(difference))


FideClass = Literal["standard", "rapid", "blitz"]
LISTS: dict[FideClass, str] = {"standard": "fide-standard", "rapid": "fide-rapid", "blitz": "fide-blitz"}


@dataclass(frozen=True, slots=True)
class FidePace:
    """A class of time control, its list, the rule behind it, and the rating from which games need more time."""

    name: FideClass
    list: str
    rule: Rule[Any]
    not_from: int | None


def fide_pace(pace: Pace, on: date) -> FidePace | None:
    """The class of a time control, for players who need the least time; None if FIDE rates no such games."""
    for name, rating_list in LISTS.items():
        try:
            rule = rulebook_of(rating_list).of(FideRules).at(on).time_control
        except UncoveredDate:
            continue
        bands = rule.value[name]
        if pace.fits(bands[-1]):
            levels = [band.rated_from for band in bands if not pace.fits(band)]
            return FidePace(name, rating_list, rule, min(levels, default=None))
    return None
