"""Typical for the age: how much stronger than their rating players of an age and a rating were.

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
from arpad.systems.chances import FITTED_ON
from arpad.systems.fide.games import has_todays_scale

if TYPE_CHECKING:
    from datetime import date

    from arpad.core import Player, Rating
    from arpad.messages import Message
    from arpad.systems.system import System


@dataclass(frozen=True, slots=True, kw_only=True)
class Typical:
    """How much stronger than their rating players of an age and a rating were, in points and in score per game."""

    age: int
    rating: int
    last_age: int | None  # None: and older
    highest_rating: int | None  # None: and more
    score: float
    points: float
    error: float  # the standard error of the points
    players: int

    @property
    def note(self) -> Message:
        """The assumption, with its number and its source."""
        return say(
            "notes.typical",
            points=round(self.points),
            error=round(self.error),
            players=self.players,
            ages=_range("ages", self.age, self.last_age),
            ratings=_range("ratings", self.rating, self.highest_rating),
        )


def _range(of: str, first: int, last: int | None) -> Message:
    """A range in words, with or without an upper end; the first ages begin with 0."""
    key = "from" if last is None else "between" if first else "up_to"
    return say(f"notes.typical.{of}.{key}", first=first, last=last)


@lru_cache(maxsize=1)
def _cells() -> tuple[Typical, ...]:
    """The table, youngest and lowest first; a cell ends where the next one begins."""
    import tomllib  # most outlooks do not ask for it

    cells = tomllib.loads((get_data("arpad.forecast", "typical.toml") or b"").decode())["cells"]
    ages, ratings = ({cell[name] for cell in cells} for name in ("age", "rating"))
    return tuple(
        Typical(**cell, last_age=_before_next(cell["age"], ages), highest_rating=_before_next(cell["rating"], ratings))
        for cell in cells
    )


def _before_next(first: int, starts: set[int]) -> int | None:
    """The last number before the next start; None after the last start."""
    return min((start - 1 for start in starts if start > first), default=None)


def age_on(player: Player, on: date) -> int:
    """The age that a player reaches in the year of a day."""
    if player.birth_year is None:
        raise BadInput(say("forecast.refused.typical_born"), at="born")
    return on.year - player.birth_year


def typical_is_known(system: System, on: date) -> bool:
    """Whether the figures are for ratings of this system and day: those of FIDE's standard list, on today's scale."""
    return system.name == FITTED_ON and has_todays_scale(system.rulebook, on)


def typical_of(system: System, player: Player, rating: Rating, *, on: date) -> Typical:
    """How much stronger than their rating such players were; the lowest band includes everybody below it."""
    if system.name != FITTED_ON:
        raise Unsupported(say("forecast.refused.typical_system", system=system.name), at="typical")
    if not typical_is_known(system, on):
        raise Unsupported(say("forecast.refused.typical_scale", on=on), at="typical")
    age = age_on(player, on)
    bands = [cell for cell in _cells() if cell.age <= age and (cell.last_age is None or age <= cell.last_age)]
    return next((cell for cell in reversed(bands) if rating >= cell.rating), bands[0])


def strength_figure(strength: Rating, typical: Typical | None, model: Message) -> Figure:
    """The strength, with a remark on the model of chances and on whether it is typical for the age."""
    return Figure("strength", strength, model if typical is None else say("forecast.typical_strength", remark=model))
