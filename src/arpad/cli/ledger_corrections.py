"""The `arpad ledger` commands that correct what was decided: events, people, ratings, merges, and undo."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from arpad.cli.ledger import ABOUT, Deciding, InPool, OfLedger, done, number, persons
from arpad.core import whole_of
from arpad.errors import BadInput
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import Place, flag, optional, question, required, several

if TYPE_CHECKING:
    from decimal import Decimal

    from arpad.cli.reply import Done
    from arpad.ledger import GameEnd


def result(typed: str, _: Place) -> tuple[Decimal, Decimal, GameEnd]:
    """A result, White first."""
    from arpad.ledger.incoming import scores_of

    return scores_of(typed)


@question(
    "ledger correct",
    needs=("ledger", "of_event"),
    **ABOUT,
    examples=(
        {"ledger": "club.arpad", "of_event": "4", "of_game": "2", "new_result": "0-1", "reason": "wrong way round"},
        {"ledger": "club.arpad", "of_event": "4", "leave_out": True},
        {"ledger": "club.arpad", "of_event": "4", "is_person": ["7=P12"]},
    ),
)
@dataclass(frozen=True, kw_only=True)
class LedgerCorrect(Deciding, InPool, OfLedger):
    """Correct an event: a result, a game or the whole event left out, its days, its pool, or who somebody is."""

    of_event: int = required(number, example="4", option="event", word=True)
    of_game: int | None = optional(number, example="2", option="game")
    new_result: tuple[Decimal, Decimal, GameEnd] | None = optional(result, example="0-1", option="result")
    leave_out: bool = flag()
    count_again: bool = flag()
    called: str | None = optional(readers.text, example="Club championship")
    on: date | None = optional(readers.day, example="2026-11-01")
    until: date | None = optional(readers.day, example="2026-11-08")
    is_person: tuple[tuple[str, str], ...] = several(persons, example="7=P12", option="is")

    def run(self) -> Done:
        """Decide it."""
        opened = self.opened()
        if self.is_person:
            ((no, person), *more) = self.is_person
            if more:
                raise BadInput(say("ledger.command.one_at_a_time"), at="is_person")
            entry = whole_of(no, "most", 1, at="is_person")
            return done(opened.identify(self.of_event, entry, person, **self.by))
        if self.of_game is not None and self.leave_out:
            return done(opened.remove_game(self.of_event, self.of_game, **self.by))
        if self.of_game is not None:
            if self.new_result is None:
                raise BadInput(say("ledger.command.nothing"), at="new_result")
            white, black, how = self.new_result
            return done(opened.change_game(self.of_event, self.of_game, scores=(white, black), how=how, **self.by))
        given = {"name": self.called, "pool": self.in_pool, "start": self.on, "end": self.until}
        excluded = True if self.leave_out else False if self.count_again else None
        if excluded is None and all(value is None for value in given.values()):
            raise BadInput(say("ledger.command.nothing"), at="of_event")
        return done(opened.change_event(self.of_event, excluded=excluded, **given, **self.by))  # type: ignore[arg-type]


@question(
    "ledger edit",
    needs=("ledger", "person", "facts"),
    **ABOUT,
    examples=({"ledger": "club.arpad", "person": "P12", "facts": ["name=Ann Baker-Smith", "born=1980"]},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerEdit(Deciding, OfLedger):
    """Change a person's data: name, born, sex, federation, title, pseudonym, fide, club."""

    person: str = required(readers.text, example="P12", word=True)
    facts: tuple[tuple[str, str], ...] = several(readers.named_value, example="born=1980", word=True)

    def run(self) -> Done:
        """Decide it."""
        facts: dict[str, Any] = dict(self.facts)
        return done(self.opened().change_person(self.person, **facts, **self.by))


@question(
    "ledger rating",
    needs=("ledger", "person", "facts", "on"),
    **ABOUT,
    examples=({"ledger": "club.arpad", "person": "P12", "facts": ["rating=1750"], "on": "2026-09-01"},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerRating(Deciding, InPool, OfLedger):
    """Set a rating by hand, from a day on."""

    person: str = required(readers.text, example="P12", word=True)
    facts: tuple[tuple[str, str], ...] = several(readers.named_value, example="rating=1750", word=True)
    on: date = required(readers.day, example="2026-09-01")

    def run(self) -> Done:
        """Decide it."""
        facts: dict[str, Any] = dict(self.facts)
        return done(self.opened().set_rating(self.person, day=self.on, pool=self.in_pool, **facts, **self.by))


@question(
    "ledger merge",
    needs=("ledger", "person", "into"),
    **ABOUT,
    examples=({"ledger": "club.arpad", "person": "P31", "into": "P12", "reason": "the same person"},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerMerge(Deciding, OfLedger):
    """Two people who are one."""

    person: str = required(readers.text, example="P31", word=True)
    into: str = required(readers.text, example="P12", word=True)
    anyway: bool = flag()

    def run(self) -> Done:
        """Decide it."""
        return done(self.opened().merge(self.person, self.into, anyway=self.anyway, **self.by))


@question("ledger split", needs=("ledger", "person"), **ABOUT, examples=({"ledger": "club.arpad", "person": "P31"},))
@dataclass(frozen=True, kw_only=True)
class LedgerSplit(Deciding, OfLedger):
    """Take a merge apart."""

    person: str = required(readers.text, example="P31", word=True)

    def run(self) -> Done:
        """Decide it."""
        return done(self.opened().split(self.person, **self.by))


@question("ledger undo", needs=("ledger", "decision"), **ABOUT, examples=({"ledger": "club.arpad", "decision": "14"},))
@dataclass(frozen=True, kw_only=True)
class LedgerUndo(Deciding, OfLedger):
    """Undo any decision, by its number in the log."""

    decision: int = required(number, example="14", word=True)

    def run(self) -> Done:
        """Undo it."""
        return done(self.opened().undo(self.decision, **self.by))
