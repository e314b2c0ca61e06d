"""Chances and ratings as people write them, and quantiles of ratings that have chances."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.messages import Message, figure, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arpad.core import Rating

UNLIKELY = 0.0001  # a smaller chance is not worth a line
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # the quantiles that are shown


def quantile(shares: Iterable[tuple[int | None, float]], share: float) -> int | None:
    """The lowest rating at which the shares add up to `share`; unrated counts as below every rating."""
    ascending = sorted(shares, key=lambda pair: -1 if pair[0] is None else pair[0])
    below = 0.0
    for rating, probability in ascending:
        below += probability
        if below >= share - 1e-12:  # a quartile exactly on an edge stays there despite rounding
            return rating
    return ascending[-1][0]


def percent(chance: float | None) -> Message | None:
    """A chance in percent; None stays None."""
    if chance is None:
        return None
    if 0 < chance < UNLIKELY:
        return say("forecast.percent.under")
    if 1 - UNLIKELY < chance < 1:
        return say("forecast.percent.over")
    decimals = 1 if 0.0005 <= chance <= 0.9995 or chance in (0, 1) else 2
    return say("forecast.percent", percent=f"{100 * chance:.{decimals}f}")


def signed(number: Decimal | float) -> str:
    """A mean change to the tenth, with its sign."""
    return figure(Decimal(number).quantize(Decimal("0.1")), signed=True)


def rating_or_unrated(rating: Rating | None) -> Rating | Message:
    """A rating, or the word for having none."""
    return say("answers.unrated") if rating is None else rating


def middle_half_text(ends: tuple[int | None, int | None]) -> Message:
    """The range of the middle half of all outcomes."""
    low, high = ends
    return say("forecast.from_to", low=rating_or_unrated(low), high=rating_or_unrated(high))
