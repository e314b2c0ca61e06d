"""Floors: the lowest a rating can fall, and why (5, and the rulebook)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.calculation.answers import because
from arpad.calculation.contract import Calculation, Figure
from arpad.calculation.step import Step, formula, found, known, ruled
from arpad.core import between, rating_of, whole_of
from arpad.core.roundings import decimal, half_up
from arpad.errors import BadInput
from arpad.systems.uschess.rules import OVER_THE_BOARD, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from arpad.core import Rating
    from arpad.systems.uschess.rules import UsChessRules


@formula("{base} + {a_win} × {wins} + {a_draw} × {draws} + {an_event} × {events}")
def earned(base: Any, a_win: Any, wins: Any, a_draw: Any, draws: Any, an_event: Any, events: Any) -> Any:
    """The absolute floor that wins, draws and events earn."""
    return base + a_win * wins + a_draw * draws + an_event * events


def absolute_floor(wins: int, draws: int, events: int, rules: UsChessRules, *, system: str) -> Step:
    """What everybody has: 100, and over the board up to 50 more for wins, draws and events."""
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


def peak_floor(peak: Rating | float, rules: UsChessRules, *, system: str) -> Step | None:
    """200 below the highest established rating, down to a hundred; None where there is none."""
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
    """The level that would have kept a winner out, in a class up to 2000; None for a smaller prize."""
    if prize < rules.prize_floor.value.prize or level > rules.prize_floor.value.most:
        return None
    return ruled("floor.prize", rules.prize_floor, level, prize=known("prize", prize), level=known("class", level))


def count_of(value: Any, what: str) -> int:
    """A number of wins, draws or events."""
    return whole_of(value, f"a number of {what}", 0, at=what)


def highest(floors: Iterable[Step | None]) -> Step:
    """The floor that holds: the highest one."""
    return max((floor for floor in floors if floor is not None), key=lambda floor: floor.value)


class Floor(Calculation):
    """A player's floors, and the one that holds."""

    def __init__(self, system: str, on: date, floors: tuple[Step, ...]) -> None:
        super().__init__(system, on, floors)
        self._holds = highest(floors)

    @property
    def floor(self) -> int:
        """The lowest rating the player can have."""
        return int(self._holds.value)

    def figures(self) -> list[Figure]:
        return [Figure("floor", self.floor, because(self._holds))]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "floor": self.floor,
            "why": because(self._holds),
            "floors": {step.key.removeprefix("floor."): step.value for step in self.roots},
        }


def floor_of(
    *,
    on: date,
    system: str = "uschess-regular",
    peak: Rating | float | None = None,
    wins: Any = 0,
    draws: Any = 0,
    events: Any = 0,
    life_master: bool = False,
    prize: Any = None,
    under: Rating | None = None,
    readings: Mapping[str, str] | None = None,
) -> Floor:
    """A player's floor: by wins, draws and events of three games, by the peak, by title, by a prize in a class."""
    rules = rules_of(system, on, readings)
    if (prize is None) != (under is None):
        raise BadInput("A prize sets a floor in a class: give both the prize and the class's limit.", at="prize")
    won = None if prize is None else between(prize, "a prize", 0, 10_000_000, at="prize")
    floors = [
        absolute_floor(
            count_of(wins, "wins"), count_of(draws, "draws"), count_of(events, "events"), rules, system=system
        ),
        None if peak is None else peak_floor(rating_of(peak, at="peak"), rules, system=system),
        life_master_floor(rules) if life_master else None,
        None if won is None or under is None else prize_floor(won, rating_of(under, at="under"), rules),
    ]
    return Floor(system, on, tuple(floor for floor in floors if floor is not None))
