"""FIDE's three lists: standard, rapid and blitz, each under the edition of the day."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from arpad.rulebooks import Rulebook
from arpad.systems.base import System
from arpad.systems.fide.change import expect, rate_period
from arpad.systems.fide.conversion import conversion
from arpad.systems.fide.first import first_rating
from arpad.systems.fide.games import whole_rating
from arpad.systems.fide.rules import RAPID_AND_BLITZ, STANDARD, FideRules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from decimal import Decimal

    from arpad.core import Rating

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
