"""The working of a value: which opponents, which points, what was cut, and the article."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.step import Step, known, ruled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arpad.rulebooks.rulebook import Rule
    from arpad.tournaments.tiebreaks.criteria import Criterion
    from arpad.tournaments.tiebreaks.rounds import Scoreboard
    from arpad.tournaments.tiebreaks.table import TieTable, Worth
    from arpad.tournaments.tiebreaks.unplayed import Contribution

VALUE = "tie.value"
# Which points the opponents' scores and the own ones are in, where a criterion for teams multiplies the two.
POINTS = {"EMMSB": ("MP", "MP"), "EMGSB": ("MP", "GP"), "EGMSB": ("GP", "MP"), "EGGSB": ("GP", "GP")}
PRODUCTS = frozenset({"SB", *POINTS})
MEANS = frozenset({"AOB"})
OWN_GAMES = frozenset({"WON", "BPG", "BWG", "REP", "GE"})
COUNTS = OWN_GAMES | {"WIN"}


def value_step(table: TieTable, criterion: Criterion, worth: Worth) -> Step:
    """A value with everything it rests on."""
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
    parts = tuple(part(one, cut=False) for one in worth.meetings)
    cut = tuple(part(one, cut=True) for one in worth.cut)
    if name in MEANS:
        total = Step("tie.total", sum((one.value for one in parts), Decimal(0)), {"parts": parts}, None, formulas.total)
        return Step(
            VALUE, worth.shown, {"total": total, "games": known("games", len(parts))}, rule, formulas.average, words
        )
    return Step(VALUE, worth.shown, {"parts": parts, "cut": cut}, rule, formulas.total, words)


def _part_of(table: TieTable, criterion: Criterion) -> Callable[..., Step]:
    """How one round of a criterion is worked out."""
    theirs, own = _fields(table, criterion)

    def part(one: Contribution, *, cut: bool) -> Step:
        key = f"tie.{'cut_' if cut else ''}{_what(criterion, one)}"
        words = {"round": one.round, "no": one.opponent}
        score, points = theirs.points(one.score), own.points(one.points)
        rule = _rule(table, criterion, one, cut=cut)
        if criterion.name in PRODUCTS:
            given = {"score": known("score", score), "points": known("tie.points", points)}
            return Step(key, score * points, given, rule, formulas.times_points, words)
        return Step(key, points if criterion.name == "KS" else score, {}, rule, None, words)

    return part


def _fields(table: TieTable, criterion: Criterion) -> tuple[Scoreboard, Scoreboard]:
    """The scores that the opponents' and the own points are in."""
    if criterion.name in POINTS:
        theirs, own = POINTS[criterion.name]
        return table.fields[theirs], table.fields[own]
    return table.field(criterion), table.field(criterion)


def _what(criterion: Criterion, one: Contribution) -> str:
    if criterion.name == "PS":
        return "after"
    return "dummy" if one.opponent is None else "met"


def _rule(table: TieTable, criterion: Criterion, one: Contribution, *, cut: bool) -> Rule[Any] | None:
    """The rule that makes a part what it is, where it is not simply the opponent's points."""
    rules = table.rules
    if cut:
        return rules.voluntary if one.voluntary else rules.cuts
    if criterion.name in {"PS", "KS", *MEANS}:
        return None
    if one.opponent is None:
        return rules.dummy
    return rules.opponents if one.changed else None


def encounter_step(table: TieTable, criterion: Criterion, place: int | None, tied: Sequence[int]) -> Step:
    """A place among those who were tied, with who they are."""
    among = {"among": known("tie.among", ", ".join(map(str, tied)))} if tied else {}
    return ruled(VALUE, table.rules.of(criterion.name), place, words={"criterion": str(criterion)}, **among)
