"""The special formula for whole columns: one row a player, the same walk and the same figures as `special_rating`.

NumPy is imported here and nowhere else in the system, when somebody has columns to rate.
"""

from __future__ import annotations

from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arpad.systems.uschess.rules import Special


def special_ratings(
    rating: Any, prior_rating: Any, effective: Any, prior_score: Any, opponents: Any, score: Any, rule: Special
) -> Any:
    """A rating a row; `opponents` has a row a player, filled up with NaN where one met fewer."""
    import numpy as np

    reach = rule.reach
    target = score + prior_score
    missing = np.isnan(opponents)

    def expectancy(at: Any, opponent: Any) -> Any:
        line = 1 / 2 + (at - opponent) / (2 * reach)
        return np.where(at <= opponent - reach, 0.0, np.where(at >= opponent + reach, 1.0, line))

    def surplus(at: Any) -> Any:
        # Column by column, so that the sum is rounded like the one of a single player.
        expected = effective * expectancy(at, prior_rating)
        for column in range(opponents.shape[1]):
            met = expectancy(at, opponents[:, column])
            expected = expected + np.where(missing[:, column], 0.0, met)
        return expected - target

    centres = np.column_stack([prior_rating, opponents])
    knots = np.sort(np.concatenate([centres - reach, centres + reach], axis=1), axis=1)  # NaN comes last
    found = prior_rating.astype(float)
    for sign, order in ((1, knots[:, ::-1]), (-1, knots)):
        nearer = np.maximum if sign == 1 else np.minimum
        here = surplus(found)
        walking = sign * here > rule.within
        for column in range(order.shape[1]):
            knot = order[:, column]
            active = walking & (sign * (found - knot) > 0)
            if not active.any():
                continue
            there = surplus(np.where(active, knot, found))
            ends = active & (sign * there <= rule.within)
            slope = np.where(ends, here - there, 1.0)
            crossing = nearer(found - here * (found - knot) / slope, knot)
            onward = active & ~ends
            found = np.where(ends, crossing, np.where(onward, knot, found))
            here = np.where(onward, there, here)
            walking = walking & ~ends & (sign * here > rule.within)
    at = found[:, None]
    flat = ~((centres - reach <= at) & (at <= centres + reach)).any(axis=1)
    below = np.fmax.reduce(np.where(knots < at, knots, -np.inf), axis=1)
    above = np.fmin.reduce(np.where(knots > at, knots, np.inf), axis=1)
    found = np.where(flat, np.minimum(np.maximum(rating, below), above), found)
    return np.minimum(found, float(rule.most))
