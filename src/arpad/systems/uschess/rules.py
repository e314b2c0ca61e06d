"""The typed rules of the US Chess rating system: what each value is, and how it is read."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core.numbers import decimal
from arpad.errors import UncoveredDate, UnknownName
from arpad.messages import say
from arpad.rulebooks import Rule, Rulebook, one_of, rounding_name, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from decimal import Decimal

REGULAR = "uschess-regular"
OVER_THE_BOARD = (REGULAR, "uschess-quick", "uschess-blitz")
ONLINE = ("uschess-online-regular", "uschess-online-quick", "uschess-online-blitz")
LISTS = (*OVER_THE_BOARD, *ONLINE)


class EffectiveGames(NamedTuple):
    """N* = most / √(base + slope · (centre − rating)²) up to a rating; above it, `most`."""

    most: int
    base: float
    slope: float
    centre: int
    up_to: int


class Special(NamedTuple):
    """The special formula: the reach of the straight line, the tolerance, and the highest rating."""

    reach: int
    within: float
    most: int


class DualK(NamedTuple):
    """The regular K of a dual-rated event: K · (base − slope · rating) above a level, top / (N′ + m) from another."""

    above: int
    base: float
    slope: float
    top_from: int
    top: int


class BonusGames(NamedTuple):
    """The games a bonus needs, the number of games that fewer count as, and how often an opponent may be met."""

    at_least: int
    counted_as: int
    meetings: int


class StartAge(NamedTuple):
    """Starting rating by age: points per year, limits, ratings for an unknown age, and the youngest plausible age."""

    a_year: int
    least: int
    most: int
    adult: int
    unknown: int
    believed_from: int = 0


class StartFide(NamedTuple):
    """Starting rating from a FIDE rating: one line (base, slope) up to a level, another above it."""

    up_to: int
    lower: tuple[Decimal, Decimal]
    upper: tuple[Decimal, Decimal]


class StartFideGames(NamedTuple):
    """How many games a start from a FIDE rating counts for."""

    up_to: int
    lower: int
    upper: int


class AbsoluteFloor(NamedTuple):
    """The lowest floor and what wins, draws and events add to it, up to a maximum."""

    base: int
    win: int
    draw: int
    event: int
    event_games: int
    most: int


class PeakFloor(NamedTuple):
    """Points below the peak, rounded down to a step, between two levels, for some lists."""

    below: int
    step: int
    lowest: int
    highest: int
    systems: tuple[str, ...]


class PrizeFloor(NamedTuple):
    """The prize, in dollars, that sets a floor, and the highest such floor."""

    prize: int
    most: int


class MatchLimits(NamedTuple):
    """How far apart the players may be, and the most points in a match, in half a year and in three years."""

    apart: int
    a_match: int
    half_a_year: int
    three_years: int


class TimeLimits(NamedTuple):
    """The limits of a list for minutes plus seconds."""

    at_least: int | None = None
    more_than: int | None = None
    at_most: int | None = None
    less_than: int | None = None


class UsChessRules(NamedTuple):
    """The rules of a day."""

    unplayed: Rule[str]
    first_look: Rule[int]
    second_pass: Rule[str]
    established: Rule[int]
    rounding: Rule[str]
    lowest: Rule[int]
    effective_games: Rule[EffectiveGames]
    special_up_to: Rule[int]
    special: Rule[Special]
    one_sided: Rule[int]
    expected: Rule[int]
    k: Rule[int]
    dual_k: Rule[DualK]
    bonus: Rule[int]
    bonus_games: Rule[BonusGames]
    bonus_in_three: Rule[int]
    start_age: Rule[StartAge]
    age: Rule[str]
    start_fide: Rule[StartFide]
    start_fide_games: Rule[StartFideGames]
    absolute_floor: Rule[AbsoluteFloor]
    peak_floor: Rule[PeakFloor]
    life_master: Rule[int]
    prize_floor: Rule[PrizeFloor]
    match: Rule[MatchLimits]
    time_control: Rule[Mapping[str, TimeLimits]]


def _start_fide(value: Any) -> StartFide:
    lines = {side: (decimal(value[side][0]), decimal(value[side][1])) for side in ("lower", "upper")}
    return StartFide(whole(value["up_to"]), **lines)


def _peak_floor(value: Any) -> PeakFloor:
    return PeakFloor(**{**value, "systems": tuple(value["systems"])})


def _time_control(value: Any) -> Mapping[str, TimeLimits]:
    return {name: TimeLimits(**span) for name, span in value.items()}


READERS: Mapping[str, Callable[[Any], Any]] = {
    "unplayed": one_of("not rated"),
    "first_look": whole,
    "second_pass": one_of("intermediate ratings"),
    "established": whole,
    "rounding": rounding_name,
    "lowest": whole,
    "effective_games": lambda value: EffectiveGames(**value),
    "special_up_to": whole,
    "special": lambda value: Special(**value),
    "one_sided": whole,
    "expected": whole,
    "k": whole,
    "dual_k": lambda value: DualK(**value),
    "bonus": whole,
    "bonus_games": lambda value: BonusGames(**value),
    "bonus_in_three": whole,
    "start_age": lambda value: StartAge(**value),
    "age": one_of("fractional", "whole"),
    "start_fide": _start_fide,
    "start_fide_games": lambda value: StartFideGames(**value),
    "absolute_floor": lambda value: AbsoluteFloor(**value),
    "peak_floor": _peak_floor,
    "life_master": whole,
    "prize_floor": lambda value: PrizeFloor(**value),
    "match": lambda value: MatchLimits(**value),
    "time_control": _time_control,
}


@cache
def _rulebook(readings: tuple[tuple[str, str], ...]) -> Rulebook[UsChessRules]:
    return Rulebook("uschess", UsChessRules, READERS, readings=dict(readings))


def rulebook(readings: Mapping[str, str] | None = None) -> Rulebook[UsChessRules]:
    """The rulebook of all six lists, under the chosen readings."""
    return _rulebook(tuple(sorted((readings or {}).items())))


def rules_of(system: str, day: date, readings: Mapping[str, str] | None = None) -> UsChessRules:
    """The rules of a day for one list; an error if the list did not exist yet."""
    if system not in LISTS:
        raise UnknownName("uschess_list", system, known=LISTS, at="system")
    book = rulebook(readings)
    rules = book.at(day)
    if system not in rules.time_control.value:
        began = next(rule.since for rule in book.rules["time_control"] if system in rule.value)
        raise UncoveredDate(say("uschess.uncovered", system=system, since=began, day=day), at="on")
    return rules
