"""`arpad check`: what is odd or inconsistent in a tournament file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH
from arpad.calculation.serialise import listing
from arpad.cli.files import TournamentFile, any_lost, column_of, finding_lines, oddity_lines, oddity_values, size_of
from arpad.cli.show import Reply, Style
from arpad.messages import say
from arpad.questions.declare import question
from arpad.tournaments.checks import inconsistencies

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.tournaments.checks import Finding


@question(
    "check",
    needs=("path",),
    doors=frozenset({"command"}),
    why="it checks a file of this machine",
    examples=({"path": "docs/examples/open.trf"}, {"path": "results.csv", "columns": "no=Nr,name=Spieler"}),
)
@dataclass(frozen=True, kw_only=True)
class Check(TournamentFile):
    """What is odd or inconsistent in a tournament file."""

    def run(self) -> Reply:
        """Check the file."""
        tournament = self.tournament()
        found = inconsistencies(tournament)
        return Reply(
            lambda style: _summary(tournament, found, style),
            lambda: listing([], **_value(tournament, found)),
            look=bool(found) or any_lost(tournament.oddities),
        )


def _summary(tournament: Tournament, found: list[Finding], style: Style) -> str:
    """The verdict, then what is inconsistent, then what is odd."""
    name = tournament.name or say("command.check.unnamed")
    head = str(say("command.check.head", name=name, size=size_of(tournament)))
    verdict = str(say("command.check.findings", findings=len(found)) if found else say("command.check.consistent"))
    gap = " " if len(head) + len(verdict) < WIDTH else "\n"
    parts = [f"{head}{gap}{style('strong', verdict)}"]
    if found:
        parts.append("\n".join(finding_lines(tournament, found)))
    if tournament.oddities:
        lost = sum(one.lost for one in tournament.oddities)
        title = say("command.check.lost" if lost else "command.check.odd", odd=len(tournament.oddities), lost=lost)
        parts.append("\n".join([style("faint", str(title)), *oddity_lines(tournament.oddities)]))
    return "\n\n".join(parts)


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
