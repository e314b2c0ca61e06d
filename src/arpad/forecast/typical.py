"""Typical for the age: what players of an age and a rating were worth more than their rating.

The figures are in typical.toml, written by bench/fit_typical.py from two of FIDE's lists; docs/chances.md has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pkgutil import get_data
from typing import TYPE_CHECKING

from arpad.calculation.answer import Figure
from arpad.errors import BadInput, Unsupported
from arpad.messages import say
from arpad.systems.calibrated import FITTED_ON

if TYPE_CHECKING:
    from datetime import date

    from arpad.core import Player, Rating
    from arpad.messages import Message
    from arpad.systems.base import System


@dataclass(frozen=True, slots=True, kw_only=True)
class Typical:
    """What players from an age and a rating on were worth more than their rating, in points and in score a game."""

    age: int
    rating: int
    score: float
    points: float
    error: float  # the standard error of the points
    players: int

    def note(self, age: int, rating: Rating) -> Message:
        """The assumption, with its number and its source."""
        figures = {"points": round(self.points), "error": round(self.error), "players": self.players}
        return say("notes.typical", age=age, rating=rating, **figures)


@lru_cache(maxsize=1)
def _cells() -> tuple[Typical, ...]:
    """The table, youngest and lowest first."""
    import tomllib  # most outlooks do not ask for it

    data = tomllib.loads((get_data("arpad.forecast", "typical.toml") or b"").decode())
    return tuple(Typical(**cell) for cell in data["cells"])


def age_on(player: Player, on: date) -> int:
    """The age that a player reaches in the year of a day."""
    if player.birth_year is None:
        raise BadInput(say("forecast.refused.typical_born"), at="born")
    return on.year - player.birth_year


def typical_of(system: System, player: Player, rating: Rating, *, on: date) -> Typical:
    """What players of this age and rating were worth more than their rating."""
    if system.name != FITTED_ON:
        raise Unsupported(say("forecast.refused.typical_system", system=system.name), at="typical")
    age = age_on(player, on)
    return next(
        (one for one in reversed(_cells()) if age >= one.age and rating >= one.rating),
        _cells()[0],
    )


def strength_figure(strength: Rating, typical: Typical | None, model: Message) -> Figure:
    """The strength of an answer, whether it is typical for the age, and the model of chances."""
    return Figure("strength", strength, model if typical is None else say("forecast.typical_strength", remark=model))
