"""FIDE's three lists: standard, rapid and blitz, each under the edition of the day."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from arpad.calculation.contract import System
from arpad.rulebooks.rulebook import Rulebook
from arpad.systems.fide.change import expect, rate_period
from arpad.systems.fide.games import whole_rating
from arpad.systems.fide.rules import EVERY_LIST, RAPID_AND_BLITZ, FideRules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from decimal import Decimal
    from typing import Any

    from arpad.calculation.first_rating import FirstRating
    from arpad.core.model import Rating
    from arpad.systems.fide.conversion import Conversion

FILES = {
    "fide-standard": ("fide-standard", EVERY_LIST),
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
        first_rating=partial(_first_rating, book, name),
        conversion=partial(_conversion, book, name),
    )


def _expected_score(book: Rulebook[FideRules], difference: Rating, *, on: date) -> Decimal:
    """PD by the table alone."""
    return book.at(on).expected.value.expected(whole_rating(difference))


# The two below are rarely asked for, so their modules wait until they are.


def _first_rating(*args: Any, **kwargs: Any) -> FirstRating:
    from arpad.systems.fide.first import first_rating

    return first_rating(*args, **kwargs)


def _conversion(*args: Any, **kwargs: Any) -> Conversion:
    from arpad.systems.fide.conversion import conversion

    return conversion(*args, **kwargs)
