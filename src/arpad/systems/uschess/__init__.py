"""US Chess: six lists with the same formulas; a whole section exactly, or one player as an estimate."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING

from arpad.calculation import formulas
from arpad.systems.base import System
from arpad.systems.uschess.entrant import Entrant, Result
from arpad.systems.uschess.estimate import estimate, expect, first_rating
from arpad.systems.uschess.estimate_answer import Estimate
from arpad.systems.uschess.event import UsChessStanding, national
from arpad.systems.uschess.floors import Floor, floor_of
from arpad.systems.uschess.pace import RatedIn, rated_in
from arpad.systems.uschess.rules import rulebook, rules_of
from arpad.systems.uschess.section import rate_section
from arpad.systems.uschess.section_answer import PlayerRating, SectionRating
from arpad.systems.uschess.start import StartRating, start_rating

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from arpad.core import Rating

__all__ = [
    "SETTINGS",
    "Entrant",
    "Estimate",
    "Floor",
    "PlayerRating",
    "RatedIn",
    "Result",
    "SectionRating",
    "StartRating",
    "UsChessStanding",
    "build",
    "floor_of",
    "rate_section",
    "rated_in",
    "start_rating",
]

SETTINGS = ("readings",)


def build(name: str, *, readings: Mapping[str, str] | None = None) -> System:
    """One of the six lists, with the chosen readings."""
    return System.of(
        name,
        f"US Chess {name.removeprefix('uschess-').replace('-', ' ')}",
        rulebook(readings),
        rate_period=partial(estimate, name, readings),
        expect=partial(expect, name, readings),
        expected_score=partial(_expected_score, name, readings),
        first_rating=partial(first_rating, name),
        national=national(name, readings),
    )


def _expected_score(system: str, readings: Mapping[str, str] | None, difference: Rating, *, on: date) -> Decimal:
    """The logistic curve alone."""
    scale = Decimal(rules_of(system, on, readings).expected.value)
    score: Decimal = formulas.logistic(Decimal(difference), scale)
    return score
