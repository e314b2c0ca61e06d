"""The working of a value: which opponents, which points, what was cut, and the article."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.step import Step, known, ruled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arpad.rulebooks import Rule
    from arpad.tournaments.tiebreaks.criteria import Criterion
    from arpad.tournaments.tiebreaks.rounds import Scoreboard
    from arpad.tournaments.tiebreaks.table import TieTable, Worth
    from arpad.tournaments.tiebreaks.unplayed import Contribution

VALUE = "tie.value"
# Match points or game points of the opponent and of the team, for team criteria that multiply the two.
POINTS = {"EMMSB": ("MP", "MP"), "EMGSB": ("MP", "GP"), "EGMSB": ("GP", "MP"), "EGGSB": ("GP", "GP")}
PRODUCTS = frozenset({"SB", *POINTS})
MEANS = frozenset({"AOB"})
OWN_GAMES = frozenset({"WON", "BPG", "BWG", "REP", "GE"})
COUNTS = OWN_GAMES | {"WIN"}


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
    return Step(VALUE, worth.shown, {"parts": parts, "cut": cut}, rule, formulas.total, words)


def _part_of(table: TieTable, criterion: Criterion) -> Callable[..., Step]:
    """How to calculate one round of a criterion."""
    theirs, own = _fields(table, criterion)

    def part(met: Contribution, *, cut: bool) -> Step:
        key = f"tie.{'cut_' if cut else ''}{_what(criterion, met)}"
        words = {"round": met.round, "no": met.opponent}
        score, points = theirs.points(met.score), own.points(met.points)
        rule = _rule(table, criterion, met, cut=cut)
        if criterion.name in PRODUCTS:
            given = {"score": known("score", score), "points": known("tie.points", points)}
            return Step(key, score * points, given, rule, formulas.times_points, words)
        return Step(key, points if criterion.name == "KS" else score, {}, rule, None, words)

    return part


def _fields(table: TieTable, criterion: Criterion) -> tuple[Scoreboard, Scoreboard]:
    """The scoreboards for the opponents' points and for the player's own."""
    if criterion.name in POINTS:
        theirs, own = POINTS[criterion.name]
        return table.fields[theirs], table.fields[own]
    return table.field(criterion), table.field(criterion)


def _what(criterion: Criterion, met: Contribution) -> str:
    if criterion.name == "PS":
        return "after"
    return "dummy" if met.opponent is None else "met"


def _rule(table: TieTable, criterion: Criterion, met: Contribution, *, cut: bool) -> Rule[Any] | None:
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
