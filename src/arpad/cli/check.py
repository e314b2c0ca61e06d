"""`arpad check`: what is odd or inconsistent in a tournament file, and whether a rating office would take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH
from arpad.calculation.serialise import listing
from arpad.cli.files import TournamentFile, any_serious, as_oddities, column_of, oddity_lines, oddity_values, size_of
from arpad.cli.show import Reply, Style, told
from arpad.core.tournaments import by_kind
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import optional, question
from arpad.questions.fields import AllFindings, ListFields
from arpad.questions.tournaments import listed
from arpad.tournaments.checks import inconsistencies
from arpad.tournaments.submission.items import MISSING, READY, check_office, paces_of, submission_items

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.messages import Message
    from arpad.tournaments.checks import Finding
    from arpad.tournaments.submission.items import CheckItem


@question(
    "check",
    needs=("path",),
    doors=frozenset({"command"}),
    why="it checks a file of this machine",
    examples=(
        {"path": "docs/examples/open.trf"},
        {"path": "docs/examples/norms.trf", "office": "fide"},
        {"path": "results.csv", "columns": "no=Nr,name=Spieler"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class Check(TournamentFile, AllFindings, ListFields):
    """What is odd or inconsistent in a tournament file, and whether it can be sent to a rating office."""

    office: str | None = optional(readers.text, example="fide", option="for")

    def run(self) -> Reply:
        """Check the file."""
        if self.office is not None:
            check_office(self.office)
        tournament = self.tournament()
        if self.list is not None:
            tournament = listed(tournament, self.list, self.folder, self._pace(tournament))
        found = inconsistencies(tournament)
        if self.office is not None:
            return _for_office(tournament, found, self.office)
        return Reply(
            lambda style: _summary(tournament, found, style, every=self.all),
            lambda: _json(tournament, found),
            look=bool(found) or any_serious(tournament.oddities),
        )

    @staticmethod
    def _pace(tournament: Tournament) -> str:
        """The list that the event is rated in; standard where the time control does not say."""
        return next(iter(paces_of(tournament)), "standard")


def _for_office(tournament: Tournament, found: list[Finding], office: str) -> Reply:
    """What the office asks for; what stops a submission makes the exit code 1."""
    items = submission_items(tournament)
    ready = all(one.state != MISSING for one in items)

    def text(style: Style) -> str:
        head = say(f"command.check.office.{'ready' if ready else 'not_ready'}", office=office.upper())
        shown = sorted((one for one in items if one.state != READY), key=lambda one: one.state != MISSING)
        good = say("command.check.good", ready=sum(one.state == READY for one in items))
        return "\n".join([style("strong", str(head)), *(row for one in shown for row in told(_said(one))), str(good)])

    return Reply(text, lambda: _json(tournament, found, ready=ready, items=items), look=not ready)


def _said(item: CheckItem) -> Message:
    return say("command.check.item", state=say(f"command.check.state.{item.state}"), what=item.what, do=item.do)


def _json(tournament: Tournament, found: list[Finding], **more: object) -> dict[str, Any]:
    return listing([], **_value(tournament, found), **more)


def _summary(tournament: Tournament, found: list[Finding], style: Style, *, every: bool) -> str:
    """The verdict, then what is inconsistent or was left out, then what is odd."""
    serious = [*as_oddities(tournament, found), *(one for one in tournament.oddities if one.serious)]
    odd = [one for one in tournament.oddities if not one.serious]
    name = tournament.name or say("command.check.unnamed")
    head = str(say("command.check.head", name=name, size=size_of(tournament)))
    verdict = str(say("command.check.findings", findings=len(serious)) if serious else say("command.check.consistent"))
    gap = " " if len(head) + len(verdict) < WIDTH else "\n"
    parts = [f"{head}{gap}{style('strong', verdict)}"]
    if serious:
        parts.append("\n".join(oddity_lines(serious, every=every)))
    if odd:
        title = str(say("command.check.odd", odd=len(odd)))
        parts.append("\n".join([style("faint", title), *oddity_lines(odd, every=every)]))
    shortened = not every and len(by_kind([*serious, *odd])) < len(serious) + len(odd)
    return "\n\n".join([*parts, *([str(say("command.check.all"))] if shortened else [])])


def _value(tournament: Tournament, found: list[Finding]) -> dict[str, Any]:
    return {
        "name": tournament.name,
        "players": len(tournament.entrants),
        "rounds": tournament.rounds,
        "format": None if tournament.source is None else tournament.source.format,
        "consistent": not found,
        "findings": [_finding(tournament, one) for one in found],
        "oddities": oddity_values(tournament.oddities),
    }


def _finding(tournament: Tournament, one: Finding) -> dict[str, Any]:
    place = {"no": one.no, "round": one.round, "line": one.line, "column": column_of(tournament, one)}
    return {"kind": one.kind, "says": str(one.says), **place}
