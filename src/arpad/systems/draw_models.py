"""Models of chances: how likely win, draw and loss are."""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, exp, sqrt
from typing import TYPE_CHECKING

from arpad.core import number, refused
from arpad.errors import BadInput, UnknownName
from arpad.messages import say
from arpad.systems.calibrated import calibrated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from arpad.core import Number
    from arpad.messages import Message

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
        if self.draw_rate is None:
            return self.name
        return str(say("systems.draws.between_equals", model=self.name, rate=f"{self.draw_rate:g}"))


CALIBRATED = DrawModel()
LABELLE = DrawModel("labelle")
MODELS = ("calibrated", "labelle", "davidson", "none")


def draw_model(name: str = "calibrated", *, draw_rate: Number | None = None, white: Number | None = None) -> DrawModel:
    """A model of chances by the name a user gives."""
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
