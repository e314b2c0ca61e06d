"""Plans side by side: what each is expected to gain, its chance to reach the target, and its risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Unpack

from arpad.calculation.answer import Answer, Figure, derived
from arpad.core import MOST_GAMES, PlannedEvent, Player
from arpad.errors import BadInput
from arpad.forecast.chain import MOST_WORK
from arpad.forecast.outlook import Outlook, look_ahead
from arpad.forecast.season import Season, look_ahead_season
from arpad.forecast.targets import UNLIKELY, percent, signed
from arpad.forecast.typical import AimOptions, Reliability
from arpad.messages import FieldName, Message, say

if TYPE_CHECKING:
    from arpad.core import Number
    from arpad.core.tournaments import EventKind
    from arpad.systems.base import System
    from arpad.tournaments.norms.rules import NormTitle


MOST_PLANS = 10


def look_ahead_plans(
    system: System,
    plans: Sequence[Plan],
    *,
    on: date,
    uncertain: Number | Reliability | None = None,
    **asked: Unpack[PlanOptions],
) -> Outlook | Season | PlanComparison:
    """The outlook of one plan over one list, its season over several lists, or a comparison of several plans.

    Raises BadInput for too many plans or games, and for an uncertain strength over several lists.
    """
    if len(plans) == 1 and enter_one_list(plans[0].events, on):
        (plan,) = plans
        day = max((event.on or on for event in plan.events), default=on)
        return look_ahead(system, plan.player, plan.events, on=day, uncertain=uncertain, **asked)
    if uncertain is not None:
        at = "inactive" if isinstance(uncertain, Reliability) else "uncertain"
        raise BadInput(say("forecast.refused.uncertain_season", uncertain=FieldName(at)), at=at)
    games = sum(len(event.pairings) for plan in plans for event in plan.events)
    if games > MOST_GAMES:
        raise BadInput(say("forecast.refused.planned_games", games=games, most=MOST_GAMES), at="event")
    if len(plans) == 1:
        return look_ahead_season(system, plans[0].player, plans[0].events, on=on, **asked)
    _check(len(plans))
    work = MOST_WORK // len(plans)
    seasons = [look_ahead_season(system, plan.player, plan.events, on=on, most_work=work, **asked) for plan in plans]
    return _compared([replace(season, name=plan.name) for plan, season in zip(plans, seasons, strict=True)])


class PlanOptions(AimOptions, total=False):
    """The options for each plan, as in `look_ahead` and `look_ahead_season`."""

    norm: NormTitle | Sequence[NormTitle] | None
    kind: EventKind
    seed: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The events a player intends to play; named if several plans are compared."""

    player: Player
    events: tuple[PlannedEvent, ...]
    name: str | None = None


def enter_one_list(events: Sequence[PlannedEvent], on: date) -> bool:
    """Whether all events are in one month."""
    return len({(day.year, day.month) for day in (event.on or on for event in events)}) <= 1


def compare_plans(seasons: Mapping[str, Season]) -> PlanComparison:
    """Two or more seasons of one player side by side, each under the name of its plan.

    Accepts the answers of `look_ahead_season` by name. Gives a PlanComparison with the best plan. Raises BadInput for
    fewer than two seasons.
    """
    return _compared([replace(season, name=name) for name, season in seasons.items()])


@dataclass(frozen=True, kw_only=True)
class PlanComparison(Answer):
    """Several plans of one player: the season of each."""

    plans: tuple[Season, ...]

    @derived
    def best(self) -> str | None:
        """The name of the best plan."""
        return self.best_plan.name

    @property
    def best_plan(self) -> Season:
        """The plan with the best chance to reach the target; without a target, with the highest expected gain.

        Where a plan may end without a rating, the gain covers only those who keep one, so the chance to gain decides.
        """
        return max(self.plans, key=_by_chance_to_gain if self._may_end_unrated else _by_reach_and_gain)

    @property
    def _may_end_unrated(self) -> bool:
        return any(plan.reach is None and plan.unrated >= UNLIKELY for plan in self.plans)

    def summary(self) -> Sequence[Figure]:
        return (Figure("best", self.best, self._why_best()), self.best_plan.strength_figure)

    def _why_best(self) -> Message:
        best = self.best_plan
        if self._may_end_unrated:
            return say("forecast.best.at_risk", gain=percent(best.gain), unrated=percent(best.unrated))
        if best.reach is not None:
            return say("forecast.best.reach", chance=percent(best.reach), target=best.target)
        if best.mean is None:
            return say("forecast.best.unrated")
        return say("forecast.best.mean", mean=signed(best.mean))


def _by_chance_to_gain(season: Season) -> tuple[float, float]:
    """A sort key: the chance to end higher, then the chance to keep a rating."""
    return season.gain, -season.unrated


def _by_reach_and_gain(season: Season) -> tuple[float, float]:
    """A sort key: the chance to reach the target, then the mean gain."""
    gain = float("-inf") if season.mean is None else season.mean
    return (0.0 if season.reach is None else season.reach), gain


def _compared(seasons: Sequence[Season]) -> PlanComparison:
    _check(len(seasons))
    return PlanComparison(
        system=seasons[0].system,
        on=seasons[0].on,
        trail=tuple(step for season in seasons for step in season.trail),
        remarks=lambda: _notes(seasons),
        plans=tuple(seasons),
    )


def _check(plans: int) -> None:
    if not 2 <= plans <= MOST_PLANS:
        raise BadInput(say("forecast.refused.plans", plans=plans, most=MOST_PLANS), at="plan")


def _notes(seasons: Sequence[Season]) -> list[Message]:
    """The notes of all plans, each once."""
    notes: list[Message] = []
    for season in seasons:
        notes += [note for note in season.notes if note not in notes]
    return notes
