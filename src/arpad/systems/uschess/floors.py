"""Floors: the lowest rating a player can fall to, and why (5, and the rulebook)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import Answer, Figure, Text
from arpad.calculation.explain import Reason
from arpad.calculation.step import N, Step, formula, found, known, ruled
from arpad.core import Rating, between, rating_of, whole_of
from arpad.core.numbers import decimal, half_up
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.uschess.rules import OVER_THE_BOARD, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from arpad.core import Number
    from arpad.systems.uschess.rules import UsChessRules

LARGEST_PRIZE = 10_000_000  # catches typing errors; not a rule


def floor_of(
    *,
    on: date,
    system: str = "uschess-regular",
    peak: Number | None = None,
    wins: Number = 0,
    draws: Number = 0,
    events: Number = 0,
    life_master: bool = False,
    prize: Number | None = None,
    under: Number | None = None,
    readings: Mapping[str, str] | None = None,
) -> Floor:
    """A player's floor: by wins, draws and events of three games, by the peak, by title, by a prize in a class."""
    rules = rules_of(system, on, readings)
    if (prize is None) != (under is None):
        raise BadInput(say("uschess.prize_and_class"), at="prize")
    won = None if prize is None else between(prize, "prize", 0, LARGEST_PRIZE, at="prize")
    floors = [
        absolute_floor(
            count_of(wins, "wins"), count_of(draws, "draws"), count_of(events, "events"), rules, system=system
        ),
        None if peak is None else peak_floor(rating_of(peak, at="peak"), rules, system=system),
        life_master_floor(rules) if life_master else None,
        None if won is None or under is None else prize_floor(won, rating_of(under, at="under"), rules),
    ]
    known_floors = tuple(floor for floor in floors if floor is not None)
    applied = highest(known_floors)
    return Floor(
        system=system,
        on=on,
        trail=known_floors,
        floor=applied.value,
        why=Reason(applied),
        floors={step.key.removeprefix("floor."): step.value for step in known_floors},
    )


@dataclass(frozen=True, kw_only=True)
class Floor(Answer):
    """A player's floors, and the one that applies: the lowest rating the player can have."""

    floor: Rating
    why: Text
    floors: Mapping[str, Rating]  # by kind: absolute, peak, life_master, prize

    def summary(self) -> Sequence[Figure]:
        return (Figure("floor", self.floor, self.why),)


def highest(floors: Iterable[Step | None]) -> Step:
    """The floor that applies: the highest one."""
    return max((floor for floor in floors if floor is not None), key=lambda floor: floor.value)


def absolute_floor(wins: int, draws: int, events: int, rules: UsChessRules, *, system: str) -> Step:
    """Everybody's floor: 100, and over the board up to 50 more for wins, draws and events."""
    rule = rules.absolute_floor
    base, win, draw, event, _, most = rule.value
    if system not in OVER_THE_BOARD:
        return ruled("floor.online", rules.lowest, rules.lowest.value)
    points = {"base": base, "a_win": win, "a_draw": draw, "an_event": event}
    given: dict[str, Any] = {name: ruled(f"constant.{name}", rule, value) for name, value in points.items()}
    counts: dict[str, Any] = {
        "wins": known("wins", wins),
        "draws": known("drawn", draws),
        "events": known("events", events),
    }
    floor = found("floor.absolute", earned, **given, **counts)._replace(rule=rule)
    return floor if floor.value <= most else ruled("floor.most", rule, most, earned=floor)


@formula("{base} + {a_win} × {wins} + {a_draw} × {draws} + {an_event} × {events}")
def earned(base: N, a_win: N, wins: N, a_draw: N, draws: N, an_event: N, events: N) -> N:
    """The absolute floor that wins, draws and events earn."""
    return base + a_win * wins + a_draw * draws + an_event * events


def peak_floor(peak: Rating | float, rules: UsChessRules, *, system: str) -> Step | None:
    """200 below the highest established rating, rounded down to a hundred; None if there is no such floor."""
    rule = rules.peak_floor
    if system not in rule.value.systems:
        return None
    level = (half_up(decimal(peak)) - rule.value.below) // rule.value.step * rule.value.step
    if level < rule.value.lowest:
        return None
    return ruled("floor.peak", rule, min(level, rule.value.highest), peak=known("peak", peak))


def life_master_floor(rules: UsChessRules) -> Step:
    """2200 for an Original Life Master."""
    return ruled("floor.life_master", rules.life_master, rules.life_master.value)


def prize_floor(prize: Rating, level: Rating, rules: UsChessRules) -> Step | None:
    """The rating limit of a class, up to 2000, in which a large prize was won; None otherwise."""
    if prize < rules.prize_floor.value.prize or level > rules.prize_floor.value.most:
        return None
    return ruled("floor.prize", rules.prize_floor, level, prize=known("prize", prize), level=known("class", level))


def count_of(value: object, what: str) -> int:
    """A number of `wins`, `draws` or `events`."""
    return whole_of(value, what, 0, at=what)
