"""The typed constants of Lichess, and its own formulas."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import Step, formula, ruled
from arpad.rulebooks import Rule, one_of
from arpad.systems.glicko import glicko2
from arpad.systems.glicko.standing import StartValues, real, start

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Bounds(NamedTuple):
    """The lowest and the highest value allowed."""

    least: float
    most: float


class Regulator(NamedTuple):
    """The factor by which a gain is multiplied: by speed in standard chess, by variant otherwise."""

    speed: Mapping[str, float]
    variant: Mapping[str, float]


class LichessRules(NamedTuple):
    """The rules in the source code; scale, volatility and interval are from the paper."""

    start: Rule[StartValues]
    usual_deviation: Rule[float]
    tau: Rule[float]
    scale: Rule[glicko2.Unit]
    volatility: Rule[float]
    growth: Rule[int]
    interval: Rule[float]
    unplayed: Rule[str]
    periods_per_day: Rule[float]
    deviation_bounds: Rule[Bounds]
    least_rating: Rule[float]
    most_volatility: Rule[float]
    most_change: Rule[float]
    advantage: Rule[Mapping[str, float]]
    regulator: Rule[Regulator]
    against_bot: Rule[float]
    sane: Rule[StartValues]
    shown: Rule[str]
    provisional: Rule[float]
    no_show: Rule[str]
    set_position: Rule[str]


def _table(value: Mapping[str, Any]) -> Mapping[str, float]:
    return {name: real(number) for name, number in value.items()}


READERS: Mapping[str, Callable[[Any], Any]] = {
    **glicko2.READERS,
    "periods_per_day": real,
    "deviation_bounds": lambda value: Bounds(**_table(value)),
    "least_rating": real,
    "most_volatility": real,
    "most_change": real,
    "advantage": _table,
    "regulator": lambda value: Regulator(_table(value["speed"]), _table(value["variant"])),
    "against_bot": real,
    "sane": start,
    "shown": one_of("truncated"),
    "provisional": real,
    "no_show": one_of("rated"),
    "set_position": one_of("no advantage"),
}


@formula("{days} × {per_day}")
def periods(days: Any, per_day: Any) -> Any:
    """Days as rating periods."""
    return days * per_day


@formula("{rating} + {advantage} / 2")
def advantaged(rating: Any, advantage: Any) -> Any:
    """White's rating inside E."""
    return rating + advantage / 2


@formula("{rating} − {advantage} / 2")
def disadvantaged(rating: Any, advantage: Any) -> Any:
    """Black's rating inside E."""
    return rating - advantage / 2


@formula("{rating} + ({factor} − 1) × ({rating} − {before})")
def enlarged(rating: Any, factor: Any, before: Any) -> Any:
    """A rating after a gain, with the gain multiplied by a factor."""
    return rating + (factor - 1) * (rating - before)


@formula("{before} + {share} × ({after} − {before})")
def part_way(before: Any, share: Any, after: Any) -> Any:
    """A share of the way from the old value to the new one."""
    return before + share * (after - before)


def bounded(step: Step, rule: Rule[object], least: float = -inf, most: float = inf) -> Step:
    """A value within its limits; the rule is named if it changes the value."""
    value = min(max(step.value, least), most)
    return step if value == step.value else ruled(f"{step.key}.bound", rule, value, exact=step)
