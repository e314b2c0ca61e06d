"""The ranking by criteria: group by group, each criterion for those still tied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.tournaments.tiebreaks import boards, opponents, own
from arpad.tournaments.tiebreaks.criteria import ENCOUNTERS, POINTS, RATINGS, Criterion
from arpad.tournaments.tiebreaks.encounter import direct_encounter
from arpad.tournaments.tiebreaks.ratings import by_ratings
from arpad.tournaments.tiebreaks.table import TieTable, Worth
from arpad.tournaments.tiebreaks.working import encounter_step, value_step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.calculation.step import Step
    from arpad.tournaments.tiebreaks.encounter import Groups
    from arpad.tournaments.tiebreaks.table import Key

VALUES: Mapping[str, Callable[[TieTable, Criterion, int], Worth]] = {
    "PTS": own.points,
    "WIN": own.wins,
    "WON": own.games_won,
    "BPG": own.games_with_black,
    "BWG": own.wins_with_black,
    "PS": own.progressive,
    "REP": own.rounds_elected,
    "GE": own.rounds_elected,
    "STD": own.standard_points,
    "TPN": own.pairing_number,
    "BH": opponents.buchholz,
    "FB": opponents.buchholz,
    "AOB": opponents.average_buchholz,
    "SB": opponents.sonneborn_berger,
    "KS": opponents.koya,
    **dict.fromkeys(("EMMSB", "EMGSB", "EGMSB", "EGGSB"), opponents.extended_sonneborn_berger),
    **dict.fromkeys(RATINGS, by_ratings),
    "MPVGP": boards.other_score,
    "SSSC": boards.strength_and_score,
    **dict.fromkeys(("BC", "TBR", "BBE"), boards.board_count),
}


@dataclass(frozen=True, slots=True)
class TieStage:
    """One criterion: each player's value, who was tied before it, and the groups after it."""

    criterion: Criterion
    name: str  # as shown; numbered from its second use on
    worth: Mapping[int, Worth]
    before: Groups
    after: Groups


@dataclass(frozen=True)
class Ranking:
    """The order of an event, stage by stage."""

    table: TieTable
    stages: tuple[TieStage, ...]
    groups: Groups  # from the top; players in the same group are equal in everything

    def step(self, stage: TieStage, no: int) -> Step:
        """The working of a value."""
        worth = stage.worth[no]
        if stage.criterion.name in ENCOUNTERS:
            tied = next(group for group in stage.before if no in group)
            shown = worth.shown if isinstance(worth.shown, int) else None
            return encounter_step(self.table, stage.criterion, shown, tied if len(tied) > 1 else ())
        return value_step(self.table, stage.criterion, worth)

    def decided_by(self, first: int, second: int) -> TieStage | None:
        """The criterion that put one above the other; None if they are equal."""
        for stage in self.stages:
            if not any(first in group and second in group for group in stage.after):
                return stage
        return None


def ranked(
    table: TieTable, numbers: Sequence[int], order: Sequence[Criterion], shown: Sequence[Criterion] = ()
) -> Ranking:
    """All players by the criteria in order; those only shown are calculated for the groups that result."""
    groups: Groups = [list(numbers)]
    stages = []
    times: dict[str, int] = {}
    for criterion in order:
        stages.append(_stage(table, criterion, groups, times))
        groups = stages[-1].after
    stages += [_stage(table, criterion, groups, times) for criterion in shown]
    return Ranking(table, tuple(stages), groups)


def _stage(table: TieTable, criterion: Criterion, groups: Groups, times: dict[str, int]) -> TieStage:
    name = str(criterion)
    times[name] = times.get(name, 0) + 1
    label = name if times[name] == 1 else f"{name} ({times[name]})"
    if criterion.name in ENCOUNTERS:
        return _encounter(table, criterion, label, groups)
    value = VALUES[criterion.name]
    worth = {no: value(table, criterion, no) for group in groups for no in group}
    return TieStage(criterion, label, worth, groups, [part for group in groups for part in _split(group, worth)])


def _split(group: Sequence[int], worth: Mapping[int, Worth]) -> Groups:
    """A group by value, the highest first; those without a value come last."""
    if len(group) == 1:
        return [list(group)]
    by_key: dict[Key | None, list[int]] = {}
    for no in group:
        by_key.setdefault(worth[no].key, []).append(no)
    known = sorted((key for key in by_key if key is not None), reverse=True)
    return [by_key[key] for key in [*known, *([None] if None in by_key else [])]]


def _encounter(table: TieTable, criterion: Criterion, label: str, groups: Groups) -> TieStage:
    """The tied players by the games among them; the value is the place among them."""
    worth: dict[int, Worth] = {}
    after: Groups = []
    for group in groups:
        parts = [group]
        if len(group) > 1:
            parts = (
                direct_encounter(group, table.opposition(criterion))
                if criterion.name == "DE"
                else boards.extended_encounter(group, table, criterion)
            )
        place = 1
        for part in parts:
            value = Worth(-place, place) if len(parts) > 1 else Worth(None, None)
            worth |= dict.fromkeys(part, value)
            place += len(part)
        after += parts
    return TieStage(criterion, label, worth, groups, after)


def with_points(order: Sequence[Criterion]) -> list[Criterion]:
    """The order, with the points first unless they are in it."""
    return list(order) if any(criterion.name == "PTS" for criterion in order) else [POINTS, *order]
