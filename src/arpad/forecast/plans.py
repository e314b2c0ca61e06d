"""Plans side by side: what each is expected to gain, its chance to reach the target, and its risk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.contract import Calculation, Figure
from arpad.core import MOST_GAMES, PlannedEvent, Player
from arpad.core.tournament import SWISS
from arpad.errors import BadInput
from arpad.forecast.chain import MOST_WORK
from arpad.forecast.chances import UNLIKELY, percent, signed
from arpad.forecast.outlook import Outlook, look_ahead
from arpad.forecast.season import Season, look_ahead_season
from arpad.messages import Message

if TYPE_CHECKING:
    from datetime import date

    from arpad.systems.base import System

MOST_PLANS = 10


class Plan(NamedTuple):
    """A season with a name."""

    name: str
    season: Season


class Plans(Calculation):
    """Several plans of one player."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = tuple(plans)
        first = self.plans[0].season
        super().__init__(
            first.system,
            first.on,
            tuple(root for plan in self.plans for root in plan.season.roots),
            self._noted,
        )

    def _noted(self) -> list[Message]:
        """Each plan's notes, those that agree once."""
        notes: list[Message] = []
        for plan in self.plans:
            notes += [note for note in plan.season.notes if note not in notes]
        return notes

    @property
    def best(self) -> Plan:
        """The plan with the best chance to reach the target; without a target, with the highest expected gain.

        Where a plan may end without a rating, that gain is of those who keep one, and so the chance to gain counts.
        """
        return max(self.plans, key=_chance if self._may_end_unrated else _merit)

    @property
    def _may_end_unrated(self) -> bool:
        return any(plan.season.reach is None and plan.season.unrated >= UNLIKELY for plan in self.plans)

    def figures(self) -> list[Figure]:
        season = self.best.season
        why = f"{percent(season.reach)} to reach {season.asked.reach}"
        if self._may_end_unrated:
            why = f"{percent(season.gain)} to end higher, {percent(season.unrated)} to end unrated"
        elif season.reach is None:
            why = "no rating is left" if season.mean is None else f"{signed(season.mean)} on average"
        return [Figure("best", self.best.name, why)]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "best": self.best.name,
            "plans": [{"name": plan.name, **plan.season.value()} for plan in self.plans],
        }


def _merit(plan: Plan) -> tuple[float, float]:
    season = plan.season
    gain = float("-inf") if season.mean is None else season.mean
    return (0.0 if season.reach is None else season.reach), gain


def _chance(plan: Plan) -> tuple[float, float]:
    """To end higher; of two plans alike in that, the one that keeps the rating more surely."""
    return plan.season.gain, -plan.season.unrated


def compare_plans(plans: Sequence[Plan]) -> Plans:
    """Two or more plans side by side."""
    _check(len(plans))
    return Plans(plans)


def _check(plans: int) -> None:
    if not 2 <= plans <= MOST_PLANS:
        raise BadInput(f"{plans} plans cannot be compared; give from 2 to {MOST_PLANS}.", at="plan")


class Intended(NamedTuple):
    """The events that somebody means to play, under the name of a plan."""

    player: Player
    events: Sequence[PlannedEvent]
    name: str = ""


def look_ahead_plans(
    system: System, plans: Sequence[Intended], *, on: date, norm: str | None = None, kind: str = SWISS, **asked: Any
) -> Outlook | Season | Plans:
    """What one plan can do, over one list or over several, or several plans side by side.

    `asked` is what is asked of each: `reach`, `lose`, `strength` and `draws`. Plans share the work of a season.
    """
    if len(plans) == 1 and _enter_one_list(plans[0].events, on):
        (plan,) = plans
        day = max((event.on or on for event in plan.events), default=on)
        return look_ahead(system, plan.player, plan.events, on=day, norm=norm, kind=kind, **asked)
    if norm is not None:
        raise BadInput("A norm is made in one event; give the games of one alone.", at="norm")
    games = sum(len(event.pairings) for plan in plans for event in plan.events)
    if games > MOST_GAMES:
        raise BadInput(f"{games} games are too many to look ahead over; at most {MOST_GAMES} are taken.", at="event")
    if len(plans) == 1:
        return look_ahead_season(system, plans[0].player, plans[0].events, on=on, **asked)
    _check(len(plans))
    asked["most_work"] = MOST_WORK // len(plans)
    return Plans([Plan(one.name, look_ahead_season(system, one.player, one.events, on=on, **asked)) for one in plans])


def _enter_one_list(events: Sequence[PlannedEvent], on: date) -> bool:
    """Whether all of the events are of one month."""
    return len({(day.year, day.month) for day in (event.on or on for event in events)}) <= 1
