"""The rules of DWZ, typed: what each value is, and how it is read."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from arpad.core import HIGHEST_RATING
from arpad.messages import say
from arpad.rulebooks.rulebook import BadValue, Rule, one_of, positive, record, rounding_name, whole, within


class AgeGroup(NamedTuple):
    """J, the share of E that grows with age; the last group has no upper end."""

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
    """Between what E must lie: by the index while it is low, and otherwise where it was braked."""

    at_least: int
    at_most: int
    per_index: int
    until_index: int
    at_most_braked: int


class DwzRules(NamedTuple):
    """The rules of a day."""

    expected: Rule[int]
    points: Rule[int]
    base: Rule[Base]
    acceleration: Rule[Acceleration]
    braking: Rule[Braking]
    whole_e: Rule[str]
    bounds: Rule[Limits]
    rounding: Rule[str]
    unplayed: Rule[str]


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
}
