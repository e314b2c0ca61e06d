"""The ranking by criteria: group by group, each criterion for those still tied; and the working of every value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.step import Step, known, ruled
from arpad.tournaments.tiebreaks import values
from arpad.tournaments.tiebreaks.criteria import ENCOUNTERS, POINTS, RATINGS, Criterion
from arpad.tournaments.tiebreaks.scoreboard import TieTable, Worth
from arpad.tournaments.tiebreaks.values import EXTENDED_SB, by_ratings, direct_encounter

if TYPE_CHECKING:
    from arpad.rulebooks import Rule
    from arpad.tournaments.tiebreaks.scoreboard import Contribution, Key
    from arpad.tournaments.tiebreaks.values import Groups


VALUES: Mapping[str, Callable[[TieTable, Criterion, int], Worth]] = {
    "PTS": values.points,
    "WIN": values.wins,
    "WON": values.games_won,
    "BPG": values.games_with_black,
    "BWG": values.wins_with_black,
    "PS": values.progressive,
    "REP": values.rounds_elected,
    "GE": values.rounds_elected,
    "STD": values.standard_points,
    "TPN": values.pairing_number,
    "BH": values.buchholz,
    "FB": values.buchholz,
    "AOB": values.average_buchholz,
    "SB": values.sonneborn_berger,
    "KS": values.koya,
    **dict.fromkeys(EXTENDED_SB, values.extended_sonneborn_berger),
    **dict.fromkeys(RATINGS, by_ratings),
    "MPVGP": values.other_score,
    "SSSC": values.strength_and_score,
    **dict.fromkeys(("BC", "TBR", "BBE"), values.board_count),
}
VALUE = "tie.value"
PRODUCTS = frozenset({"SB", *EXTENDED_SB})
MEANS = frozenset({"AOB"})
OWN_GAMES = frozenset({"WON", "BPG", "BWG", "REP", "GE"})
COUNTS = OWN_GAMES | {"WIN"}


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


@dataclass(frozen=True, slots=True)
class TieStage:
    """One criterion: each player's value, who was tied before it, and the groups after it."""

    criterion: Criterion
    name: str  # as shown; numbered from its second use on
    worth: Mapping[int, Worth]
    before: Groups
    after: Groups


def with_points(order: Sequence[Criterion]) -> list[Criterion]:
    """The order, with the points first unless they are in it."""
    return list(order) if any(criterion.name == "PTS" for criterion in order) else [POINTS, *order]


def _stage(table: TieTable, criterion: Criterion, groups: Groups, times: dict[str, int]) -> TieStage:
    name = str(criterion)
    times[name] = times.get(name, 0) + 1
    label = name if times[name] == 1 else f"{name} ({times[name]})"
    if criterion.name in ENCOUNTERS:
        return _encounter(table, criterion, label, groups)
    value = VALUES[criterion.name]
    worth = {no: value(table, criterion, no) for group in groups for no in group}
    after = [part for group in groups for part in _split(group, worth)]
    return TieStage(criterion, label, worth, groups, after)


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
                else values.extended_encounter(group, table, criterion)
            )
        place = 1
        for part in parts:
            value = Worth(-place, place) if len(parts) > 1 else Worth(None, None)
            worth |= dict.fromkeys(part, value)
            place += len(part)
        after += parts
    return TieStage(criterion, label, worth, groups, after)


def _split(group: Sequence[int], worth: Mapping[int, Worth]) -> Groups:
    """A group by value, the highest first; those without a value come last."""
    if len(group) == 1:
        return [list(group)]
    by_key: dict[Key | None, list[int]] = {}
    for no in group:
        by_key.setdefault(worth[no].key, []).append(no)
    known = sorted((key for key in by_key if key is not None), reverse=True)
    return [by_key[key] for key in [*known, *([None] if None in by_key else [])]]


def value_step(table: TieTable, criterion: Criterion, worth: Worth) -> Step:
    """A value with all the steps it rests on."""
    words = {"criterion": str(criterion)}
    if worth.worked is not None:
        return worth.worked._replace(words={**worth.worked.words, **words})
    rule, name = table.rules.of(criterion.name), criterion.name
    if name in COUNTS:
        given = {"rounds": known("tie.rounds", ", ".join(map(str, worth.rounds)))} if worth.rounds else {}
        if name in OWN_GAMES and table.fields[table.primary].fixed:
            given["forfeits"] = ruled("tie.forfeits", table.rules.own_forfeits, table.rules.own_forfeits.value)
        return ruled(VALUE, rule, worth.shown, words=words, **given)
    if not worth.meetings and not worth.cut:
        return ruled(VALUE, rule, worth.shown, words=words)
    part = _part_of(table, criterion)
    parts = tuple(part(met, cut=False) for met in worth.meetings)
    cut = tuple(part(met, cut=True) for met in worth.cut)
    if name in MEANS:
        total = Step(
            "tie.total", sum((step.value for step in parts), Decimal(0)), {"parts": parts}, None, formulas.total
        )
        return Step(
            VALUE, worth.shown, {"total": total, "games": known("games", len(parts))}, rule, formulas.average, words
        )
    rests_on: dict[str, Any] = {"parts": parts, "cut": cut}
    if name == "KS" and not table.field(criterion).fixed:
        rests_on["forfeits"] = ruled("tie.forfeits", table.rules.koya_forfeits, table.rules.koya_forfeits.value)
    return Step(VALUE, worth.shown, rests_on, rule, formulas.total, words)


def _part_of(table: TieTable, criterion: Criterion) -> Callable[..., Step]:
    """How to calculate one round of a criterion."""
    if criterion.name in EXTENDED_SB:
        theirs, own = (table.fields[score] for score in EXTENDED_SB[criterion.name])
    else:
        theirs = own = table.field(criterion)

    def part(met: Contribution, *, cut: bool) -> Step:
        what = "after" if criterion.name == "PS" else "dummy" if met.opponent is None else "met"
        key = f"tie.{'cut_' if cut else ''}{what}"
        words = {"round": met.round, "no": met.opponent}
        score, points = theirs.points(met.score), own.points(met.points)
        rule = _rule(table, criterion, met, cut=cut)
        if criterion.name in PRODUCTS:
            given = {"score": known("score", score), "points": known("tie.points", points)}
            return Step(key, score * points, given, rule, formulas.times_points, words)
        return Step(key, points if criterion.name == "KS" else score, {}, rule, None, words)

    return part


def _rule(table: TieTable, criterion: Criterion, met: Contribution, *, cut: bool) -> Rule[object] | None:
    """The rule behind a part, if it is not simply the opponent's points."""
    rules = table.rules
    if cut:
        return rules.voluntary if met.voluntary else rules.cuts
    if criterion.name in {"PS", "KS", *MEANS}:
        return None
    if met.opponent is None:
        return rules.dummy
    return rules.opponents if met.changed else None


def encounter_step(table: TieTable, criterion: Criterion, place: int | None, tied: Sequence[int]) -> Step:
    """A place among the tied players, and who they are."""
    among = {"among": known("tie.among", ", ".join(map(str, tied)))} if tied else {}
    return ruled(VALUE, table.rules.of(criterion.name), place, words={"criterion": str(criterion)}, **among)
