"""Chances of win, draw and loss: the calibrated model, fitted on real games, and the other draw models.

In the calibrated model each rating stands for an ability. The difference in ability, with White's advantage at that
level, goes into an ordered logit, whose width sets the share of draws: it rises with the level and, between close
ratings, a little more. The figures are in calibrated.toml, written by bench/fit_chances.py; docs/chances.md says how
well they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise
from math import erf, exp, sqrt
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from arpad.core import number, refused
from arpad.errors import BadInput, UnknownName
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.core import Number
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


# Labelle's fit to master games, published on wismuth.com: a normal curve for the score, and a pawn that is worth more
# rating points, the stronger the players are.
SPREAD = 2000 / 7
PAWN_AT_ZERO, PAWN_GROWTH, SHARE_OF_PAWN = 26.59, 1020, 0.6
# White's advantage at master level, in rating points (a score of about 55 %).
WHITE = 35
MOST_FOR_WHITE = 400


def normal(deviation: float) -> float:
    """The share of the normal distribution below a number of standard deviations."""
    return (1 + erf(deviation / sqrt(2))) / 2


def labelle(rating: float, opponent: float) -> Mapping[str, float]:
    """Labelle's model: the draw rate rises with the level and falls with the gap."""
    gap = -abs(rating - opponent)
    shift = SHARE_OF_PAWN * PAWN_AT_ZERO * exp((rating + opponent) / 2 / PAWN_GROWTH)
    upset = normal((gap - shift) / SPREAD)
    drawn = 2 * (normal(gap / SPREAD) - upset)
    rest = 1 - drawn - upset
    win, loss = (rest, upset) if rating >= opponent else (upset, rest)
    return {"win": win, "draw": drawn, "loss": loss}


def davidson(expected: float, draw_rate: float) -> Mapping[str, float]:
    """Davidson's model: draws go with the square root of win times loss; `draw_rate` is the rate between equals.

    The expected score is kept, as Ordo does: the draws solve (1 − 2 d₀) / d₀² × d² + 2 d − 4 E (1 − E) = 0.
    """
    for share, what in ((expected, "expected"), (draw_rate, "draw_rate")):
        if not 0 <= share <= 1:
            raise refused(share, "share", at=what)
    uneven = 4 * expected * (1 - expected)
    # The root is real; rounding may take it a hair below zero.
    below = draw_rate + sqrt(max(draw_rate**2 + (1 - 2 * draw_rate) * uneven, 0.0))
    drawn = uneven * draw_rate / below if below else 0.0
    return {"win": max(0.0, expected - drawn / 2), "draw": drawn, "loss": max(0.0, 1 - expected - drawn / 2)}


def decisive(expected: float) -> Mapping[str, float]:
    """No draws: the expected score is the probability of a win."""
    return {"win": expected, "draw": 0.0, "loss": 1 - expected}


@dataclass(frozen=True, slots=True)
class DrawModel:
    """A model of chances: its name, the draw rate between equals (Davidson), and White's advantage in points.

    The calibrated model has White's advantage at each level; it uses `white` only if that is given.
    """

    name: str = "calibrated"
    draw_rate: float | None = None
    white: float | None = None

    def chances(
        self, strength: float, opponent: float, colour: str | None, expected: Callable[[float], float]
    ) -> tuple[float, float, float]:
        """The chances of win, draw and loss; `expected` is the system's own curve, by difference."""
        if self.fitted:
            return calibrated().chances(strength, opponent, colour, self.white)
        # Half the advantage goes to each side: the gap changes by all of it, and the level of the game stays the same.
        edge = WHITE if self.white is None else self.white
        half = {"white": edge / 2, "black": -edge / 2}.get(colour or "", 0.0)
        own, other = strength + half, opponent - half
        if self.name == "labelle":
            chances = labelle(own, other)
        elif self.draw_rate is None:
            chances = decisive(expected(own - other))
        else:
            chances = davidson(expected(own - other), self.draw_rate)
        return chances["win"], chances["draw"], chances["loss"]

    @property
    def fitted(self) -> bool:
        """Whether it is the model fitted on games, which needs ratings on today's scale."""
        return self.name == CALIBRATED.name

    def how_well(self, differences: Iterable[float], system: str) -> tuple[Message, ...]:
        """How well it holds for such differences, in one line; empty for other models than the calibrated one."""
        gaps = [abs(difference) for difference in differences]
        return (calibrated().how_well(sum(gaps) / len(gaps), system),) if self.fitted and gaps else ()

    @property
    def called(self) -> Message:
        """Its name in a sentence: `the calibrated model`."""
        return say(f"systems.draws.model.{self.name}", rate=f"{self.draw_rate or 0:g}")

    def __str__(self) -> str:
        name = say(f"systems.draws.name.{self.name}")
        if self.draw_rate is None:
            return str(name)
        return str(say("systems.draws.between_equals", model=name, rate=f"{self.draw_rate:g}"))


CALIBRATED = DrawModel()
LABELLE = DrawModel("labelle")
DrawModelName = Literal["calibrated", "labelle", "davidson", "none"]
MODELS: tuple[DrawModelName, ...] = get_args(DrawModelName)


def draw_model(
    name: DrawModelName = "calibrated", *, draw_rate: Number | None = None, white: Number | None = None
) -> DrawModel:
    """A model of the chances of win, draw and loss: `draw_model("davidson", draw_rate=0.4)`.

    Accepts the name: calibrated, labelle, davidson, or none for no draws; `draw_rate` is Davidson's share of draws
    between equals, and `white` White's advantage in rating points. Gives a DrawModel. Raises UnknownName for another
    name, and BadInput for a rate that the model does not take, or lacks.
    """
    if name not in MODELS:
        raise UnknownName("draw_model", name, known=MODELS, at="draws")
    edge = None if white is None else float(number(white, "white", low=0, high=MOST_FOR_WHITE, at="white"))
    if edge is not None and not 0 <= edge <= MOST_FOR_WHITE:
        raise refused(white, "white", low=0, high=MOST_FOR_WHITE, at="white")
    if name != "davidson":
        if draw_rate is not None:
            raise BadInput(say("systems.draws.no_rate", model=name), at="draw_rate")
        return DrawModel(name, None, edge)
    if draw_rate is None:
        raise BadInput(say("systems.draws.rate_needed"), at="draw_rate")
    rate = float(number(draw_rate, "draw_rate", at="draw_rate"))
    if not 0 < rate < 1:
        raise refused(draw_rate, "draw_rate", at="draw_rate")
    return DrawModel(name, rate, edge)
