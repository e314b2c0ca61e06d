"""How chances are said, and how outcomes are read off their shares."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.messages import figure

if TYPE_CHECKING:
    from collections.abc import Iterable

UNLIKELY = 0.0001  # a smaller chance is not worth a line


def quantile(shares: Iterable[tuple[int | None, float]], share: float) -> int | None:
    """The lowest rating at which the shares add up to so much; unrated is below every rating."""
    ascending = sorted(shares, key=lambda pair: -1 if pair[0] is None else pair[0])
    below = 0.0
    for rating, one in ascending:
        below += one
        if below >= share - 1e-12:  # a quartile that falls on an edge stays there in spite of rounding
            return rating
    return ascending[-1][0]


def percent(chance: float | None) -> str | None:
    """A chance as people write it."""
    if chance is None:
        return None
    if 0 < chance < UNLIKELY:
        return "under 0.01 %"
    if 1 - UNLIKELY < chance < 1:
        return "over 99.99 %"
    places = 1 if 0.0005 <= chance <= 0.9995 or chance in (0, 1) else 2
    return f"{100 * chance:.{places}f} %"


def signed(number: Decimal | float) -> str:
    """A mean change to the tenth."""
    return figure(Decimal(number).quantize(Decimal("0.1")), signed=True)
