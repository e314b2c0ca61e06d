"""The typed rules of rating reports on a day."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from arpad.calculation.step import Step, ruled
from arpad.rulebooks import Rule, Rulebook, positive, text


class ReportRules(NamedTuple):
    """The rules of rating reports on a day."""

    header: Rule[tuple[str, ...]]
    usual: Rule[tuple[str, ...]]
    days: Rule[int]
    hours_a_day: Rule[int]
    rounds_a_day: Rule[Mapping[str, int]]
    ratings: Rule[tuple[int, ...]]
    ages: Rule[tuple[int, ...]]
    deputies: Rule[tuple[int, ...]]


def _codes(value: Any) -> tuple[str, ...]:
    return tuple(text(code) for code in value)


def _bounds(value: Any) -> tuple[int, ...]:
    low, high = value
    return positive(low), positive(high)


READERS: Mapping[str, Callable[[Any], Any]] = {
    "header": _codes,
    "usual": _codes,
    "days": positive,
    "hours_a_day": positive,
    "rounds_a_day": lambda value: {text(name): positive(most) for name, most in value.items()},
    "ratings": _bounds,
    "ages": _bounds,
    "deputies": lambda value: tuple(positive(most) for most in value),
}


def rule_steps(on: date) -> tuple[Step, ...]:
    """The rules of a day as steps, so that each check can be traced to its article."""
    rules = rulebook().at(on)
    return tuple(ruled(f"check.{name}", rule, _shown(rule.value)) for name, rule in rules._asdict().items())


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {most}" for name, most in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@cache
def rulebook() -> Rulebook[ReportRules]:
    """The rulebook of rating reports."""
    return Rulebook("fide-reports", ReportRules, READERS)
