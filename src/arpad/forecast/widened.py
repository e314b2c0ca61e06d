"""Uncertainty of strength: the same outlook over a distribution of strengths instead of one.

Before the first result the strength is normal around the one assumed; each result so far makes some strengths likelier.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod, sqrt
from typing import TYPE_CHECKING

from arpad.calculation.answer import Figure, derived
from arpad.core import Field, Player, Rating, number, refused
from arpad.forecast.chances import middle_half_text, percent, quantile
from arpad.forecast.distribution import chance_of, distribution
from arpad.forecast.reliability import Reliability
from arpad.forecast.schedule import RESULTS, lattice
from arpad.forecast.targets import TargetChance, target_chances
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arpad.core import Number, Pairing
    from arpad.forecast.aim import Aim
    from arpad.forecast.distribution import Outcome
    from arpad.forecast.schedule import Ahead, Model

MOST_UNCERTAIN = 400  # points, about Glicko's deviation for an unknown player


@dataclass(frozen=True, kw_only=True)
class Widened:
    """The chances if the strength is uncertain by this standard deviation, less after the results so far."""

    deviation: Rating
    reliability: Reliability | None  # where the deviation is from FIDE's lists
    results: int  # results so far that say something about the strength
    strength: float  # the mean after these results
    remaining: float  # the standard deviation after these results
    targets: tuple[TargetChance, ...]
    gain: float
    lose: float | None
    middle_half: tuple[int | None, int | None]

    @derived
    def reach(self) -> float | None:
        """The chance to have the first target or more on the next list; None without a target."""
        return self.targets[0].reach if self.targets else None

    def figures(self) -> Sequence[Figure]:
        """The chances, shown beside those for a single strength."""
        remark = say("forecast.widened", deviation=self.deviation)
        return (
            *(
                Figure(
                    "reach.widened",
                    percent(chance.reach),
                    say("forecast.widened.reach", target=chance.target, if_so=remark),
                )
                for chance in self.targets
            ),
            Figure("gain.widened", percent(self.gain), remark),
            Figure("lose.widened", percent(self.lose), remark),
            Figure("middle_half.widened", middle_half_text(self.middle_half), remark),
            *([self._strength_figure()] if self.results else []),
        )

    def _strength_figure(self) -> Figure:
        """The strength after the results so far."""
        after = say("forecast.plus_minus", value=round(self.strength), error=round(self.remaining))
        return Figure("strength.widened", after, say("forecast.widened.results", results=self.results))


def uncertainty_of(uncertain: Number) -> Rating:
    """A standard deviation of strength in points, checked."""
    deviation = number(uncertain, "uncertainty", low=0, high=MOST_UNCERTAIN, at="uncertain")
    if not 0 <= deviation <= MOST_UNCERTAIN:
        raise refused(uncertain, "uncertainty", low=0, high=MOST_UNCERTAIN, at="uncertain")
    return deviation


def widened(ahead: Ahead, model: Model, aim: Aim, uncertain: Number | Reliability) -> Widened:
    """The chances over strengths half a deviation apart, up to four deviations either side."""
    reliability = uncertain if isinstance(uncertain, Reliability) else None
    deviation = uncertainty_of(round(uncertain.deviation) if isinstance(uncertain, Reliability) else uncertain)
    played = [pairing for pairing in ahead.pairings if _is_evidence(pairing)]
    strengths = _after_results(lattice(Field(aim.strength, deviation), 0), model, played)
    mean = sum(strength * share for strength, share in strengths)
    variance = sum((strength - mean) ** 2 * share for strength, share in strengths)
    outcomes = [
        (share, [ending.outcome for ending in distribution(ahead, model._replace(strength=float(strength)))])
        for strength, share in strengths
    ]

    def over(holds: Callable[[Outcome], bool]) -> float:
        return min(1.0, sum(share * chance_of(ways, holds) for share, ways in outcomes))

    most = aim.lose_more_than
    ratings = [(outcome.new_rating, share * outcome.probability) for share, ways in outcomes for outcome in ways]
    return Widened(
        deviation=deviation,
        reliability=reliability,
        results=len(played),
        strength=mean,
        remaining=sqrt(variance),
        targets=target_chances(aim.targets, ratings),
        gain=over(lambda outcome: outcome.rounded > 0),
        lose=None if most is None else over(lambda outcome: -outcome.rounded > most),
        middle_half=(quantile(ratings, 0.25), quantile(ratings, 0.75)),
    )


def _is_evidence(pairing: Pairing) -> bool:
    """Whether it is a game played against a rated opponent."""
    opponent = pairing.opponent
    return (
        pairing.how == "played"
        and pairing.score is not None
        and isinstance(opponent, Player)
        and opponent.rating_used is not None
    )


def _after_results(
    strengths: Sequence[tuple[int, float]], model: Model, played: Sequence[Pairing]
) -> list[tuple[int, float]]:
    """The shares of the strengths after the results: each is weighted by how likely it makes them (Bayes)."""
    likely = [(strength, share * _likelihood(model, strength, played)) for strength, share in strengths]
    total = sum(share for _, share in likely)
    # A model without draws makes a draw impossible for everybody: it then says nothing of the strength.
    return [(strength, share / total) for strength, share in likely] if total else list(strengths)


def _likelihood(model: Model, strength: int, played: Sequence[Pairing]) -> float:
    """How likely the results are at a strength."""
    mine = model._replace(strength=float(strength))
    return prod(mine.against(pairing)[RESULTS.index(pairing.score)] for pairing in played if pairing.score is not None)
