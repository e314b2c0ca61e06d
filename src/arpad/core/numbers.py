"""Numbers: the checks of those people give (ratings, K, deviations, counts), and the named roundings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import ROUND_FLOOR, ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal, InvalidOperation
from operator import index
from re import fullmatch
from typing import SupportsIndex

from arpad.errors import BadInput
from arpad.messages import AsTyped, say

Rating = int | Decimal
Number = int | Decimal | float | str  # how a number may be given

# These bounds are not rules: they catch typing errors, and no rating pool goes beyond them.
LOWEST_RATING, HIGHEST_RATING = 1, 4000
HIGHEST_K = 1000
LOWEST_DEVIATION, HIGHEST_DEVIATION = Decimal("0.001"), 1000
LOWEST_VOLATILITY, HIGHEST_VOLATILITY = Decimal("0.00001"), 1
LONGEST_IDLE = 100_000
MOST_GAMES = 1000
MOST_GAMES_BEFORE = 1_000_000
EARLIEST_BIRTH = 1850
MOST_DIGITS = 10  # before the decimal point; more is a typing error
TOO_LARGE = 10**MOST_DIGITS
LONGEST_SHOWN = 100  # how many characters of the input an error quotes

FIGURES = set("0123456789.+-")  # the characters of a number as people write it
ONE = Decimal(1)
DECIMAL_COMMA = r"-?(0,[0-9]{1,9}|[0-9]{1,9},[0-9]{1,2})"


def number(
    value: object,
    kind: str = "number",
    *,
    low: Rating | None = None,
    high: Rating | None = None,
    at: str | None = None,
) -> Rating:
    """A finite number, as an int if it is whole; `kind` is the message that refuses anything else, with the bounds."""
    if type(value) is int and abs(value) < TOO_LARGE:  # the usual case
        return value
    exact = _finite(value)
    if exact is None:
        raise refused(value, kind, low=low, high=high, at=at)
    return int(exact) if exact == exact.to_integral_value() else exact


def refused(value: object, kind: str, *, at: str | None, **allowed: object) -> BadInput:
    """The error for a value that is not allowed, saying what is."""
    shown = AsTyped(value[:LONGEST_SHOWN]) if isinstance(value, str) else str(value)[:LONGEST_SHOWN]
    return BadInput(say(f"values.not.{kind}", value=shown, **allowed), at=at)


def _finite(value: object) -> Decimal | None:
    """A number as a decimal; None for anything else or for too many digits."""
    try:
        exact = Decimal(_plain(value))
    except (InvalidOperation, TypeError, ValueError):
        return None
    return exact if exact.is_finite() and exact.adjusted() < MOST_DIGITS else None


def _plain(value: object) -> Decimal | str | int:
    """A number that `Decimal` accepts: `1e-9` and integers of array libraries too, but no booleans and no `1e3`.

    The comma in `0,75` is a decimal comma; the one in `1,750` could separate thousands, so it is refused.
    """
    if isinstance(value, Decimal):
        return value
    if isinstance(value, str):
        text = value.strip()
        if fullmatch(DECIMAL_COMMA, text):
            return text.replace(",", ".")
        return text if set(text.replace("e-", "")) <= FIGURES else "NaN"
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return "NaN"
    return index(value)


def rating_of(value: object, *, at: str | None = None) -> Rating:
    """A plausible rating."""
    if type(value) is int and LOWEST_RATING <= value <= HIGHEST_RATING:
        return value
    bounds = {"low": LOWEST_RATING, "high": HIGHEST_RATING}
    # A comma is more likely between two opponents than in a rating, and a plus more likely before points.
    if isinstance(value, str) and ("," in value or "+" in value):
        raise refused(value, "rating", at=at, **bounds)
    rating = number(value, "rating", low=LOWEST_RATING, high=HIGHEST_RATING, at=at)
    if not LOWEST_RATING <= rating <= HIGHEST_RATING:
        raise refused(value, "rating", at=at, **bounds)
    return rating


def k_of(value: object, *, at: str | None = None) -> Rating:
    """A K-factor that was given."""
    return between(value, "k", 0, HIGHEST_K, at=at)


def deviation_of(value: object, *, at: str | None = None) -> Rating:
    """A rating deviation."""
    return between(value, "deviation", LOWEST_DEVIATION, HIGHEST_DEVIATION, at=at)


def volatility_of(value: object, *, at: str | None = None) -> Rating:
    """A volatility."""
    return between(value, "volatility", LOWEST_VOLATILITY, HIGHEST_VOLATILITY, at=at)


def games_before_of(value: object, *, at: str | None = None) -> int:
    """The number of rated games a player has completed."""
    return whole_of(value, "games_before", 0, MOST_GAMES_BEFORE, at=at)


def between(value: object, kind: str, low: Rating, high: Rating, *, at: str | None) -> Rating:
    """A number above `low` and at most `high`."""
    exact = number(value, kind, low=low, high=high, at=at)
    if not low < exact <= high:
        raise refused(value, kind, low=low, high=high, at=at)
    return exact


def whole_of(value: object, kind: str, low: int, high: int | None = None, *, at: str | None) -> int:
    """A whole number of at least `low` and, if given, at most `high`."""
    exact = number(value, kind, low=low, high=high, at=at)
    if not isinstance(exact, int) or exact < low or (high is not None and exact > high):
        raise refused(value, kind, low=low, high=high, at=at)
    return exact


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
