"""The rules of a day, or what changed between two, for the page and the API; and the list of systems."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.questions import read_question, spec_of
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.questions.rules import RulesOf, rules
from arpad.rulebooks import Change

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.rulebooks import Document, Rule, Rulebook
    from arpad.rulebooks import Rules as RulesOfADay


ONCE = "one_off"  # a rule for a single list


class Amendment(NamedTuple):
    """A day on which rules changed: the changes, and the documents behind them."""

    since: date
    documents: list[Document]
    changes: list[Change]


class Rules(NamedTuple):
    """The rules that were asked for."""

    system: str
    book: Rulebook[RulesOfADay]
    on: date
    in_force: list[Rule[object]]
    span: tuple[date, date] | None = None

    @property
    def lasting(self) -> list[Rule[object]]:
        """The rules in force on the day, without one-off rules of earlier days."""
        return [rule for rule in self.in_force if rule not in self.done]

    @property
    def done(self) -> list[Rule[object]]:
        """One-off rules from before the day."""
        return [rule for rule in self.in_force if rule.name == ONCE and rule.since < self.on]

    @property
    def changes(self) -> list[Change]:
        """What changed between the two days."""
        return [] if self.span is None else self.book.changes(*self.span)

    def editions(self) -> list[Amendment]:
        """Every day on which a rule began or changed, oldest first."""
        days = sorted({max(rule.since, self.book.covered_from) for rule in self.book})
        found = []
        for before, day in zip([None, *days], days, strict=False):
            changes = (
                [Change(None, rule) for rule in self.book.in_force(day)]
                if before is None
                else (self.book.changes(before, day))
            )
            cited = list({change.after.document.key: change.after.document for change in changes}.values())
            # A rule may be cited from a later text that only restates it.
            documents = [document for document in cited if document.effective == day] or cited
            if changes:
                found.append(Amendment(day, documents, changes))
        return found


def day_before(day: date) -> date:
    """The day before, so that changes since then include those of the day."""
    return day - timedelta(days=1)


def read(given: Mapping[str, Any], *, today: date) -> Rules:
    """The rules of a day (`on`), or what changed (`changes=A..B`)."""
    asked = read_question(spec_of("rules"), given, today=today, door="page").question
    if not isinstance(asked, RulesOf):
        raise TypeError("the question about rules is declared otherwise")
    book, on = rules(asked.system or DEFAULT_SYSTEM), asked.on or today
    in_force = [] if asked.changes is not None else book.in_force(on)
    return Rules(asked.system or DEFAULT_SYSTEM, book, on, in_force, asked.changes)
