"""The typed rules of DWZ: what each value is, and how it is read."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from arpad.core import HIGHEST_RATING
from arpad.messages import say
from arpad.rulebooks import BadValue, Rule, one_of, positive, record, rounding_name, whole, within


class AgeGroup(NamedTuple):
    """J, the part of E that grows with age; the last group has no upper limit."""

    add: int
    until_age: int | None = None


class Base(NamedTuple):
    """How E grows with the rating: (rating / divisor) to a power, plus J."""

    divisor: int
    power: int
    ages: tuple[AgeGroup, ...]


class Acceleration(NamedTuple):
    """The factor that makes E smaller, and the change larger, for a young player who did well."""

    until_age: int
    divisor: int
    at_least: Decimal
    at_most: Decimal


class Braking(NamedTuple):
    """The addition that makes E larger, and the change smaller, for a low-rated player who did badly."""

    under: int
    divisor: int


class Limits(NamedTuple):
    """The limits of E: lower while the index is low, and higher if E was braked."""

    at_least: int
    at_most: int
    per_index: int
    until_index: int
    at_most_braked: int


class KColumn(NamedTuple):
    """K by index for an age and a rating; the first column that fits applies, its last K to all higher indices."""

    by_index: tuple[int, ...]
    until_age: int | None = None
    rated_under: int | None = None


class Success(NamedTuple):
    """What is added to K for at least the expected score: fixed points, or the distance to a level, divided."""

    rated_under: int
    until_age: int | None = None
    divisor: int | None = None
    add: int | None = None


class Brake(NamedTuple):
    """The factor of K for less than the expected score, below a rating: (rating + add) / divisor."""

    rated_under: int
    add: int
    divisor: int


class RoundedTo(NamedTuple):
    """A rounding and the number of decimals."""

    by: str
    decimals: int


class FirstDwz(NamedTuple):
    """How a performance becomes a first DWZ: a share of the way up to `level`; below `least`, by another formula."""

    games: int
    level: int
    share: Decimal
    least: int


class Lift(NamedTuple):
    """The raise of the whole list: points below a first rating, then a line up to a second one."""

    line_from: int
    line_until: int
    add: int
    factor: Decimal
    constant: int
    adds_to_index: int


class DevelopmentRules(NamedTuple):
    """The rules of K by E, the development coefficient, and the number of games."""

    points: Rule[int]
    base: Rule[Base]
    acceleration: Rule[Acceleration]
    braking: Rule[Braking]
    whole_e: Rule[str]
    bounds: Rule[Limits]


class IndexRules(NamedTuple):
    """The rules of K by index, age and rating."""

    k: Rule[tuple[KColumn, ...]]
    success: Rule[tuple[Success, ...]]
    brake: Rule[Brake]
    k_rounding: Rule[RoundedTo]
    k_limit: Rule[int]


class DwzRules(NamedTuple):
    """The rules of a day; only one of the two ways to find K is in force, and the rules of the other are None."""

    expected: Rule[int]
    rounding: Rule[str]
    unplayed: Rule[str]
    decides: Rule[str]
    points: Rule[int] | None = None
    base: Rule[Base] | None = None
    acceleration: Rule[Acceleration] | None = None
    braking: Rule[Braking] | None = None
    whole_e: Rule[str] | None = None
    bounds: Rule[Limits] | None = None
    k: Rule[tuple[KColumn, ...]] | None = None
    success: Rule[tuple[Success, ...]] | None = None
    brake: Rule[Brake] | None = None
    k_rounding: Rule[RoundedTo] | None = None
    k_limit: Rule[int] | None = None
    minimum: Rule[int] | None = None
    first_rating: Rule[FirstDwz] | None = None
    one_off: Rule[Lift] | None = None
    guests: Rule[str] | None = None
    far_above: Rule[int] | None = None

    @property
    def by_development(self) -> DevelopmentRules | None:
        """The rules of E; None on a day that has K by index."""
        if self.points and self.base and self.acceleration and self.braking and self.whole_e and self.bounds:
            return DevelopmentRules(self.points, self.base, self.acceleration, self.braking, self.whole_e, self.bounds)
        return None

    @property
    def by_index(self) -> IndexRules | None:
        """The rules of K by index; None on a day that has E."""
        if self.k and self.success and self.brake and self.k_rounding and self.k_limit:
            return IndexRules(self.k, self.success, self.brake, self.k_rounding, self.k_limit)
        return None


def _base(value: Any) -> Base:
    ages = tuple(record(AgeGroup, group) for group in value["ages"])
    if len(ages) < 2 or ages[-1].until_age is not None or any(group.until_age is None for group in ages[:-1]):
        raise BadValue(say("rulebooks.value.age_groups"))
    return Base(positive(value["divisor"]), within(positive(value["power"]), 1, 10), ages)


def _acceleration(value: Any) -> Acceleration:
    return Acceleration(
        whole(value["until_age"]), positive(value["divisor"]), Decimal(value["at_least"]), Decimal(value["at_most"])
    )


def _braking(value: Any) -> Braking:
    braking = record(Braking, value)
    within(braking.under, 1, HIGHEST_RATING)
    within(braking.divisor, 20, HIGHEST_RATING)
    return braking


def _k(value: Any) -> tuple[KColumn, ...]:
    columns = tuple(record(KColumn, {**column, "by_index": tuple(column["by_index"])}) for column in value)
    if not columns or columns[-1][1:] != (None, None) or not all(column.by_index for column in columns):
        raise BadValue(say("rulebooks.value.k_columns"))
    for k in (k for column in columns for k in column.by_index):
        positive(k)
    return columns


def _success(value: Any) -> tuple[Success, ...]:
    corrections = tuple(record(Success, correction) for correction in value)
    if any((line.divisor is None) == (line.add is None) or line.divisor == 0 for line in corrections):
        raise BadValue(say("rulebooks.value.success"))
    return corrections


def _brake(value: Any) -> Brake:
    brake = record(Brake, value)
    positive(brake.divisor)
    return brake


def _rounded_to(value: Any) -> RoundedTo:
    rounded = record(RoundedTo, value)
    rounding_name(rounded.by)
    within(rounded.decimals, 0, 6)
    return rounded


def _first_rating(value: Any) -> FirstDwz:
    return FirstDwz(
        positive(value["games"]), positive(value["level"]), Decimal(value["share"]), positive(value["least"])
    )


def _one_off(value: Any) -> Lift:
    return record(Lift, {**value, "factor": Decimal(value["factor"])})


READERS = {
    "expected": positive,
    "points": positive,
    "base": _base,
    "acceleration": _acceleration,
    "braking": _braking,
    "whole_e": rounding_name,
    "bounds": lambda value: record(Limits, value),
    "rounding": rounding_name,
    "unplayed": one_of("not rated"),
    "decides": one_of("last day", "first day"),
    "k": _k,
    "success": _success,
    "brake": _brake,
    "k_rounding": _rounded_to,
    "k_limit": positive,
    "minimum": positive,
    "first_rating": _first_rating,
    "one_off": _one_off,
    "guests": one_of("FIDE rating"),
    "far_above": positive,
}
