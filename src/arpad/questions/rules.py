"""The rules themselves: rules, systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Literal, overload

from arpad.calculation.answer import Answer, Figure, hidden
from arpad.calculation.serialise import to_json
from arpad.core import as_day
from arpad.errors import UnknownName
from arpad.questions import readers
from arpad.questions.declare import DOORS, Place, flag, optional, question
from arpad.questions.fields import Asking
from arpad.reading import parse_span
from arpad.rulebooks import SURE, Change, Rule, Rulebook, Rules
from arpad.systems import SYSTEMS, coverage, rulebook_of, system_names, unknown

if TYPE_CHECKING:
    from arpad.systems import FideName, Readings, UsChessName
    from arpad.systems.base import Setting
    from arpad.systems.dwz.rules import DwzRules
    from arpad.systems.ecf import EcfRules
    from arpad.systems.elo import EloRules
    from arpad.systems.fide.rules import FideRules
    from arpad.systems.glicko.chesscom import ChesscomRules
    from arpad.systems.glicko.glicko1 import GlickoRules
    from arpad.systems.glicko.glicko2 import Glicko2Rules
    from arpad.systems.glicko.lichess import LichessRules
    from arpad.systems.icu import IcuRules
    from arpad.systems.performance import PerformanceRules
    from arpad.systems.uschess.rules import UsChessRules
    from arpad.tournaments.norms.rules import TitleRules
    from arpad.tournaments.tiebreaks.criteria import TieRules
    from arpad.tournaments.titles import DirectRules


# Regulations that are not rating systems, each with the function that gives its rulebook.
BOOKS = {
    "fide-direct-titles": "arpad.tournaments.titles.direct_title_rulebook",
    "fide-performance": "arpad.systems.performance.rulebook",
    "fide-ties": "arpad.tournaments.tiebreaks.criteria.rulebook",
    "fide-titles": "arpad.tournaments.norms.rules.rulebook",
}
STALE = timedelta(days=183)  # half a year: FIDE's editions change at most that often
Json = str | int | float | bool | None | list[Any] | dict[str, Any]  # a rule's value: a number, a name, or a table


@overload
def rules(name: FideName, *, readings: Readings = None) -> Rulebook[FideRules]: ...
@overload
def rules(name: UsChessName, *, readings: Readings = None) -> Rulebook[UsChessRules]: ...
@overload
def rules(name: Literal["dwz"], *, readings: Readings = None) -> Rulebook[DwzRules]: ...
@overload
def rules(name: Literal["ecf"], *, readings: Readings = None) -> Rulebook[EcfRules]: ...
@overload
def rules(name: Literal["icu"], *, readings: Readings = None) -> Rulebook[IcuRules]: ...
@overload
def rules(name: Literal["elo"], *, readings: Readings = None, **settings: Setting) -> Rulebook[EloRules]: ...
@overload
def rules(name: Literal["glicko"], *, readings: Readings = None, **settings: Setting) -> Rulebook[GlickoRules]: ...
@overload
def rules(name: Literal["glicko-2"], *, readings: Readings = None, **settings: Setting) -> Rulebook[Glicko2Rules]: ...
@overload
def rules(name: Literal["lichess"], *, readings: Readings = None, **settings: Setting) -> Rulebook[LichessRules]: ...
@overload
def rules(name: Literal["chesscom"]) -> Rulebook[ChesscomRules]: ...
@overload
def rules(name: Literal["fide-direct-titles"], *, readings: Readings = None) -> Rulebook[DirectRules]: ...
@overload
def rules(name: Literal["fide-performance"], *, readings: Readings = None) -> Rulebook[PerformanceRules]: ...
@overload
def rules(name: Literal["fide-ties"], *, readings: Readings = None) -> Rulebook[TieRules]: ...
@overload
def rules(name: Literal["fide-titles"], *, readings: Readings = None) -> Rulebook[TitleRules]: ...
@overload
def rules(name: str, *, readings: Readings = None, **settings: Setting) -> Rulebook[Rules]: ...


def rules(name: str, *, readings: Readings = None, **settings: Setting) -> Rulebook[Rules]:
    """The rulebook of a system with its settings, or of another regulation: `rules("fide-titles")`.

    Accepts the name of a system or regulation, and `readings` of disputed rules by name. Gives a Rulebook: `at` has the
    rules of a day, and `changes` what changed between two days. Raises UnknownName for what none is called.
    """
    if name not in BOOKS:
        if name not in SYSTEMS:
            raise unknown(name, (*SYSTEMS, *BOOKS))
        return rulebook_of(name, **settings, **({} if readings is None else {"readings": readings}))
    for setting in settings:
        raise UnknownName("setting", setting, of=name, known=["readings"], at="settings")
    module, function = BOOKS[name].rsplit(".", 1)
    book: Rulebook[Rules] = getattr(import_module(module), function)(tuple((readings or {}).items()))
    return book


def rulebook_names() -> list[str]:
    """The names of all rulebooks, those of rating systems first."""
    return [*system_names(), *BOOKS]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """One rule: its value, its first day, its article, and how sure it is."""

    name: str
    value: Json
    since: date
    article: str
    says: str
    sure: Annotated[str, SURE]
    reading: str | None
    rule: Rule[object] = hidden()

    @classmethod
    def of(cls, rule: Rule[object]) -> RuleLine:
        """A rule as a line."""
        return cls(
            name=rule.name,
            value=to_json(rule.value),
            since=rule.since,
            article=rule.article,
            says=rule.says,
            sure=rule.sure,
            reading=rule.reading,
            rule=rule,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """What a rule was, and what it became."""

    before: RuleLine | None
    after: RuleLine

    @classmethod
    def of(cls, change: Change) -> ChangeLine:
        """A change as a line."""
        return cls(before=change.before and RuleLine.of(change.before), after=RuleLine.of(change.after))


@dataclass(frozen=True, kw_only=True)
class RulesInForce(Answer):
    """The rules of a day."""

    rules: tuple[RuleLine, ...]

    def summary(self) -> tuple[Figure, ...]:
        return ()


@dataclass(frozen=True, kw_only=True)
class RuleChanges(Answer):
    """What changed between two days."""

    after: date
    changes: tuple[ChangeLine, ...]

    def summary(self) -> tuple[Figure, ...]:
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemLine:
    """A system, the day its rules are covered from, the day they were last checked, and against what."""

    name: str
    title: str
    covered_from: str
    checked: str
    compared: str


@dataclass(frozen=True, kw_only=True)
class RulebookList(Answer):
    """Every rulebook: those of the rating systems, and other regulations."""

    rulebooks: tuple[SystemLine, ...]

    @classmethod
    def of(cls, books: Mapping[str, Rulebook[Rules]], on: date) -> RulebookList:
        """The rulebooks by name."""
        return cls(system="all", on=on, trail=(), rulebooks=tuple(SystemLine(**line) for line in coverage(books)))

    def summary(self) -> tuple[Figure, ...]:
        return (Figure("rulebooks", len(self.rulebooks)),)


def span(typed: str, place: Place) -> tuple[date, date]:
    """Two days: `2013-01-01..2026-11-15`."""
    return parse_span(typed, at=place.at)


@question(
    "rules",
    tool=True,
    examples=(
        {"system": "fide-standard", "on": "2014-07-01"},
        {"system": "fide-standard", "changes": "2013-01-01..2026-11-15"},
        {"system": "fide-titles", "on": "2026-09-05"},
        {"stale": True},
    ),
)
@dataclass(frozen=True, kw_only=True)
class RulesOf(Asking):
    """The rules of a day, or what changed between two."""

    system: str | None = optional(readers.text, example="fide-standard", word=True)
    on: date | None = optional(readers.day, example="2026-11-15")
    changes: tuple[date, date] | None = optional(span, example="2013-01-01..2026-11-15")
    stale: bool = flag(doors=frozenset({"command", "api"}), why="the page shows the rules of one system")

    def answer(self) -> RulesInForce | RuleChanges | RulebookList:
        """The rules or their changes; without a system, all rulebooks; with `stale`, those not checked lately."""
        if self.stale:
            on = as_day(self.day)
            names = rulebook_names() if self.system is None else [self.system]
            books = {name: book for name in names if on - (book := rules(name)).checked > STALE}
            return RulebookList.of(books, on)
        if self.system is None:
            return RulebookList.of({name: rules(name) for name in rulebook_names()}, self.today)
        book = rules(self.system)
        if self.changes is not None:
            after, until = self.changes
            lines = tuple(ChangeLine.of(change) for change in book.changes(after=after, until=until))
            return RuleChanges(system=self.system, on=until, trail=(), after=after, changes=lines)
        on = as_day(self.day)
        lines_in_force = tuple(RuleLine.of(rule) for rule in book.in_force(on))
        return RulesInForce(system=self.system, on=on, trail=(), rules=lines_in_force)


@dataclass(frozen=True, kw_only=True)
class SystemList(Answer):
    """Every rating system."""

    systems: tuple[SystemLine, ...]

    def summary(self) -> tuple[Figure, ...]:
        return (Figure("systems", len(self.systems)),)


@question("systems", doors=DOORS - {"page"}, why="the forms and the page about rules list them", examples=({},))
@dataclass(frozen=True, kw_only=True)
class SystemsOf(Asking):
    """The rating systems, and when their rules were last checked."""

    def answer(self) -> SystemList:
        """Every system."""
        return SystemList(
            system="all", on=self.today, trail=(), systems=tuple(SystemLine(**line) for line in coverage())
        )
