"""The named ways to round. Each takes an exact number and gives a whole one."""

from __future__ import annotations

from decimal import ROUND_FLOOR, ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ONE = Decimal(1)


def half_away_from_zero(number: Decimal) -> int:
    """2.5 gives 3 and −2.5 gives −3."""
    # What Python calls ROUND_HALF_UP goes away from zero.
    return int(number.quantize(ONE, rounding=ROUND_HALF_UP))


def half_up(number: Decimal) -> int:
    """2.5 gives 3 and −2.5 gives −2."""
    return int((number + Decimal("0.5")).quantize(ONE, rounding=ROUND_FLOOR))


def half_down(number: Decimal) -> int:
    """2.5 gives 2; for positive numbers only."""
    return int(number.quantize(ONE, rounding=ROUND_HALF_DOWN))


def half_up_of(numerator: int, denominator: int) -> int:
    """A fraction rounded half up, in whole numbers only: 5 / 2 gives 3."""
    return (2 * numerator + denominator) // (2 * denominator)


def half_down_of(numerator: int, denominator: int) -> int:
    """A fraction rounded half down, in whole numbers only: 5 / 2 gives 2."""
    return -((denominator - 2 * numerator) // (2 * denominator))


ROUNDINGS: Mapping[str, Callable[[Decimal], int]] = {
    "half away from zero": half_away_from_zero,
    "half up": half_up,
    "half down": half_down,
}
# The same for a fraction of two whole numbers, both positive.
WHOLE_ROUNDINGS: Mapping[str, Callable[[int, int], int]] = {
    "half away from zero": half_up_of,
    "half up": half_up_of,
    "half down": half_down_of,
}


def decimal(number: float | Decimal) -> Decimal:
    """A number as a Decimal for the roundings, without a float's binary tail."""
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
