"""Checking a tournament file: what is odd or inconsistent in it, and whether a rating office would accept it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from arpad.calculation.answer import Answer, Figure, hidden
from arpad.core.tournaments import Oddity, Tournament
from arpad.formats.trf.fields import column_of
from arpad.messages import Message, say
from arpad.questions import readers
from arpad.questions.declare import IN_REPORT, optional, question
from arpad.questions.fields import AllFindings
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.questions.tournaments import EXAMPLE, NEEDS, SentFile
from arpad.tournaments.checks import Finding, inconsistencies
from arpad.tournaments.submission import MISSING, CheckItem, check_office, paces_of, rule_steps, submission_items

if TYPE_CHECKING:
    from datetime import date

SYSTEM = "fide-reports"


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """An inconsistency, with the player, round, line and column it is about."""

    kind: str
    says: Message
    no: int | None
    round: int | None
    line: int | None
    column: int | None


@dataclass(frozen=True, kw_only=True)
class FileCheck(Answer):
    """What was found in a tournament file, and whether a rating office would accept it."""

    name: str | None
    players: int
    rounds: int
    format: str | None
    consistent: bool
    findings: tuple[PlacedFinding, ...]
    oddities: tuple[Oddity, ...]
    office: str | None
    ready: bool | None  # True if nothing prevents a submission; None if no office was named
    items: tuple[CheckItem, ...]
    tournament: Tournament = hidden()
    found: tuple[Finding, ...] = hidden()

    def summary(self) -> Sequence[Figure]:
        shown = [Figure("check.findings", len(self.findings)), Figure("check.oddities", len(self.oddities))]
        if self.office is not None:
            shown.append(Figure("check.ready", self.ready, say("answers.as_said", text=self.office)))
        return shown


@question(
    "check",
    needs=NEEDS,
    slow=True,
    examples=(
        {"path": EXAMPLE},
        {"path": "docs/examples/norms.trf", "office": "fide"},
        {"path": "results.csv", "columns": "no=Nr,name=Spieler"},
    ),
    **IN_REPORT,
)
@dataclass(frozen=True, kw_only=True)
class CheckOf(AllFindings, SentFile):
    """What is odd or inconsistent in a tournament file, and whether it can be sent to a rating office."""

    office: str | None = optional(readers.text, example="fide", option="for")

    by_name: ClassVar[bool] = True

    def answer(self) -> FileCheck:
        """Check the file."""
        if self.office is not None:
            check_office(self.office)
        return file_check(self.tournament(), self.today, self.office)

    def pace(self, tournament: Tournament) -> str:
        """The rating list for the event's time control; standard if that is unclear."""
        return next(iter(paces_of(tournament)), "standard")


def file_check(tournament: Tournament, today: date, office: str | None = None) -> FileCheck:
    """What is wrong with a tournament, and what an office would miss in its report, if one is named."""
    if tournament.time_control and tournament.pace is None:
        unclear = say("notes.event.time_not_understood", text=tournament.time_control, system=DEFAULT_SYSTEM)
        tournament = replace(tournament, oddities=(*tournament.oddities, Oddity(unclear)))
    found = tuple(inconsistencies(tournament))
    items = () if office is None else submission_items(tournament)
    on = tournament.start or today
    return FileCheck(
        system=SYSTEM,
        on=on,
        trail=() if office is None else rule_steps(on),
        name=tournament.name,
        players=len(tournament.entrants),
        rounds=tournament.rounds,
        format=None if tournament.source is None else tournament.source.format,
        consistent=not found,
        findings=tuple(
            PlacedFinding(
                finding.kind, finding.says, finding.no, finding.round, finding.line, column_of(tournament, finding)
            )
            for finding in found
        ),
        oddities=tournament.oddities,
        office=office,
        ready=None if office is None else all(item.state != MISSING for item in items),
        items=items,
        tournament=tournament,
        found=found,
    )
