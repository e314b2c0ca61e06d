"""Uncertainty of strength: the same outlook over a distribution of strengths instead of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.calculation.answer import Figure
from arpad.core import Field, Rating, number, refused
from arpad.forecast.chances import middle_half_text, percent, quantile
from arpad.forecast.distribution import chance_of, distribution
from arpad.forecast.schedule import lattice
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arpad.core import Number
    from arpad.forecast.aim import Aim
    from arpad.forecast.distribution import Outcome
    from arpad.forecast.schedule import Ahead, Model

MOST_UNCERTAIN = 400  # points, about what Glicko takes for somebody unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Widened:
    """The chances where the strength is uncertain: normal around the strength, with this standard deviation."""

    deviation: Rating
    reach: float | None
    gain: float
    lose: float | None
    middle_half: tuple[int | None, int | None]

    def figures(self) -> Sequence[Figure]:
        """The chances beside those of one strength."""
        remark = say("forecast.widened", deviation=self.deviation)
        return (
            Figure("reach.widened", percent(self.reach), remark),
            Figure("gain.widened", percent(self.gain), remark),
            Figure("lose.widened", percent(self.lose), remark),
            Figure("middle_half.widened", middle_half_text(self.middle_half), remark),
        )


def uncertainty_of(uncertain: Number) -> Rating:
    """A standard deviation of strength in points, checked."""
    deviation = number(uncertain, "uncertainty", low=0, high=MOST_UNCERTAIN, at="uncertain")
    if not 0 <= deviation <= MOST_UNCERTAIN:
        raise refused(uncertain, "uncertainty", low=0, high=MOST_UNCERTAIN, at="uncertain")
    return deviation


def widened(ahead: Ahead, model: Model, aim: Aim, uncertain: Number) -> Widened:
    """The chances over every half deviation of strength, four deviations to either side."""
    deviation = uncertainty_of(uncertain)
    outcomes = [
        (share, [ending.outcome for ending in distribution(ahead, model._replace(strength=float(strength)))])
        for strength, share in lattice(Field(aim.strength, deviation), 0)
    ]

    def over(holds: Callable[[Outcome], bool]) -> float:
        return min(1.0, sum(share * chance_of(ways, holds) for share, ways in outcomes))

    target, most = aim.target, aim.lose_more_than
    ratings = [(one.new_rating, share * one.probability) for share, ways in outcomes for one in ways]
    return Widened(
        deviation=deviation,
        reach=None if target is None else over(lambda one: (one.new_rating or 0) >= target),
        gain=over(lambda one: one.rounded > 0),
        lose=None if most is None else over(lambda one: -one.rounded > most),
        middle_half=(quantile(ratings, 0.25), quantile(ratings, 0.75)),
    )
