"""FIDE's class of a time control: standard, rapid or blitz, by the rules of a day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from arpad.errors import UncoveredDate
from arpad.systems import rulebook_of
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from datetime import date

    from arpad.core import Pace
    from arpad.rulebooks import Rule

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
