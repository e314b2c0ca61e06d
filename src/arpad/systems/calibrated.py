"""The calibrated model: chances of win, draw and loss, fitted on real games.

Each rating stands for an ability. The difference in ability, with White's advantage at that level, goes into an ordered
logit, whose width sets the share of draws: it rises with the level and, between close ratings, a little more. The
figures are in calibrated.toml, written by bench/fit_chances.py; docs/chances.md says how well they hold.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import exp
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.messages import say

if TYPE_CHECKING:
    from datetime import date

    from arpad.messages import Message

PER = 200  # rating points; slopes are per 200 points
# The ratings it was fitted on. For other systems' ratings it was never tested.
FITTED_ON = "fide-standard"
FAST = ("fide-rapid", "fide-blitz")


class HeldOut(NamedTuple):
    """Games left out of a test fit, by the favourite's lead in points: what was predicted, and what happened."""

    low: int
    games: int
    says: float
    scored: float
    draws: float
    drawn: float
    high: int | None = None


class Calibrated(NamedTuple):
    """The parameters of the model, and its formula."""

    fitted: date
    games: int
    ratings: tuple[int, ...]  # where the slope of ability is given; linear between them, constant outside
    slopes: tuple[float, ...]
    middle: float
    span: float
    lowest: float
    highest: float
    white: float
    white_rise: float
    bend: float
    width: float
    width_rise: float
    close: float
    close_within: float
    holds: tuple[HeldOut, ...]

    def chances(self, rating: float, opponent: float, colour: str | None, white: float | None = None) -> Chances:
        """Chances of win, draw and loss; `white`, in points, replaces White's fitted advantage.

        If the colour is not known, it is the mean of White and Black.
        """
        level = (min(max((rating + opponent) / 2, self.lowest), self.highest) - self.middle) / self.span
        near = exp(-(((rating - opponent) / self.close_within) ** 2))
        width = exp(self.width + self.width_rise * level + self.close * near)
        edge = self.ability(rating) - self.ability(opponent)
        first_move = self.white + self.white_rise * level if white is None else white * self.slope_at(level) / PER
        if colour is not None:
            return self._split(edge + (first_move if colour == "white" else -first_move), width)
        mine, theirs = self._split(edge + first_move, width), self._split(edge - first_move, width)
        return (mine[0] + theirs[0]) / 2, (mine[1] + theirs[1]) / 2, (mine[2] + theirs[2]) / 2

    def _split(self, edge: float, width: float) -> Chances:
        """The ordered logit of an edge; a larger edge is reduced more."""
        edge /= 1 + self.bend * abs(edge)
        win, loss = _logistic(edge - width), _logistic(-edge - width)
        # As a product, not as 1 − win − loss: a difference would lose the last digits of a rare draw.
        return win, (1 - win) * (1 - loss) * (1 - exp(-2 * width)), loss

    def ability(self, rating: float) -> float:
        """The ability that a rating stands for: the integral of the slopes."""
        total, start = 0.0, self.ratings[0]
        if rating <= start:
            return self.slopes[0] * (rating - start) / PER
        for (low, first), (high, last) in pairwise(zip(self.ratings, self.slopes, strict=True)):
            into = min(rating, high) - low
            total += first * into + (last - first) * into**2 / (2 * (high - low))
            if rating <= high:
                return total / PER
        return (total + self.slopes[-1] * (rating - self.ratings[-1])) / PER

    def slope_at(self, level: float) -> float:
        """The slope of ability at a level, given in spans from the middle."""
        rating = self.middle + self.span * level
        return (self.ability(rating + 1) - self.ability(rating - 1)) * PER / 2

    def band(self, difference: float) -> HeldOut:
        """The held-out games with a favourite this far ahead."""
        return next(band for band in reversed(self.holds) if abs(difference) >= band.low)

    def how_well(self, difference: float, system: str) -> Message:
        """How well the model holds for such a difference, in one line."""
        if system != FITTED_ON:
            return say("notes.model.fast" if system in FAST else "notes.model.untested", system=system)
        band = self.band(difference)
        key = "open" if band.high is None else "band"
        words = {"low": band.low, "high": band.high, "games": band.games}
        return say(f"notes.model.{key}", says=_percent(band.says), scored=_percent(band.scored), **words)


Chances = tuple[float, float, float]


def _logistic(value: float) -> float:
    """1 / (1 + e^−value), without an overflow on either side."""
    if value >= 0:
        return 1 / (1 + exp(-value))
    power = exp(value)
    return power / (1 + power)


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


@lru_cache(maxsize=1)
def calibrated() -> Calibrated:
    """The model with the figures of its data file."""
    import tomllib  # most commands need no chances

    data: dict[str, Any] = tomllib.loads((get_data("arpad.systems", "calibrated.toml") or b"").decode())
    return Calibrated(
        fitted=data["fitted"],
        games=data["games"],
        ratings=tuple(data["ability"]["ratings"]),
        slopes=tuple(data["ability"]["slopes"]),
        **data["level"],
        **{name: parameter["value"] for name, parameter in data["parameters"].items()},
        holds=tuple(HeldOut(**band) for band in data["holds"]),
    )
