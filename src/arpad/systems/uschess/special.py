"""The special formula (4.1): the rating at which the expected score is the score.

It is for new ratings, and for players who have won, or lost, every game so far. This module only has the numbers; the
steps that show them are made in `rating`.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import formula

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arpad.systems.uschess.rules import Special

PREVIOUS = ("wins", "losses")  # every earlier game was won, or lost


class Prior(NamedTuple):
    """What earlier games count as: a number of effective games against `rating`, with `score`."""

    rating: float
    effective: float
    score: float


def prior(rating: float, effective: float, previous: str | None, shift: int) -> Prior:
    """R₀′ and the score behind it: half the effective games; after only wins all of them, after only losses none."""
    if previous == "wins":
        return Prior(rating - shift, effective, effective)
    if previous == "losses":
        return Prior(rating + shift, effective, 0)
    return Prior(rating, effective, effective / 2)


@formula("1 / 2 + {difference} / (2 × {reach})")
def linear(difference: Any, reach: Any) -> Any:
    """Expected score on the straight line, inside its reach."""
    return 1 / 2 + difference / (2 * reach)


@formula("{effective} × {expected}")
def earlier_expected(effective: Any, expected: Any) -> Any:
    """The expected score of the resulting rating in the effective games."""
    return effective * expected


@formula("{earlier} + {score}")
def score_in_all(earlier: Any, score: Any) -> Any:
    """S′: the score of the effective games and of the event."""
    return earlier + score


def linear_expectancy(rating: float, opponent: float, reach: int) -> float:
    """PWe: a straight line, and zero or one from `reach` points on."""
    if rating <= opponent - reach:
        return 0.0
    if rating >= opponent + reach:
        return 1.0
    return float(linear(rating - opponent, reach))


def special_rating(rating: float, before: Prior, opponents: Sequence[float], score: float, rule: Special) -> float:
    """The rating nearest to R₀′ at which expected and actual score are equal, at most the highest; no floor yet."""
    reach = rule.reach

    def surplus(at: float) -> float:
        expected = before.effective * linear_expectancy(at, before.rating, reach)
        for opponent in opponents:
            expected += linear_expectancy(at, opponent, reach)
        return expected - (score + before.score)

    # The surplus never falls and is a straight line between these points, so it is solved one stretch at a time.
    knots = sorted({centre + side for centre in (before.rating, *opponents) for side in (-reach, reach)})
    found = float(before.rating)
    found = _walk(found, surplus, knots[::-1], rule.within, down=True)
    found = _walk(found, surplus, knots, rule.within, down=False)
    # Compared with the knots themselves: a difference of 400 may come out as 400.0000000000001.
    if not any(centre - reach <= found <= centre + reach for centre in (before.rating, *opponents)):
        found = _nearest_on_flat(found, knots, rating)
    return min(found, float(rule.most))


def _walk(at: float, surplus: Callable[[float], float], knots: Sequence[float], within: float, *, down: bool) -> float:
    """Go from knot to knot until the surplus is zero."""
    sign, nearer = (1, max) if down else (-1, min)
    here = surplus(at)
    for knot in knots:
        if sign * here <= within:
            break
        if sign * (at - knot) <= 0:
            continue
        there = surplus(knot)
        if sign * there <= within:
            # Rounding must not move the answer past the knot.
            return nearer(at - here * (at - knot) / (here - there), knot)
        at, here = knot, there
    return at


def _nearest_on_flat(at: float, knots: Sequence[float], rating: float) -> float:
    """Where no opponent is within reach, every rating of the stretch fits: the one nearest to the old rating."""
    below = max((knot for knot in knots if knot < at), default=-inf)
    above = min((knot for knot in knots if knot > at), default=inf)
    return min(max(rating, below), above)
