"""`arpad check`: what is odd in a tournament file, and what does not fit together in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import WIDTH, listing
from arpad.cli import show
from arpad.cli.tournaments import (
    add_file,
    column_of,
    finding_lines,
    oddity_lines,
    oddity_values,
    size_of,
    the_tournament,
)
from arpad.tournaments.checks import inconsistencies

if TYPE_CHECKING:
    import argparse

    from arpad.core.tournament import Tournament
    from arpad.tournaments.checks import Finding

SUMMARY = "what is odd or does not fit together in a tournament file"
EXAMPLES = ("arpad check docs/examples/open.trf", "arpad check results.csv --columns no=Nr,name=Spieler")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad check`."""
    add_file(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Check the file."""
    tournament = the_tournament(options)
    found = inconsistencies(tournament)
    return show.Reply(
        lambda style: _summary(tournament, found, style), lambda: listing([], **_value(tournament, found))
    )


def _summary(tournament: Tournament, found: list[Finding], style: show.Style) -> str:
    """The verdict, then what does not fit, then what is odd."""
    verdict = "everything fits together"
    if found:
        verdict = f"{len(found)} things do not fit together" if len(found) > 1 else "1 thing does not fit together"
    head = f"{tournament.name or 'a tournament'}: {size_of(tournament)};"
    gap = " " if len(head) + len(verdict) < WIDTH else "\n"
    parts = [f"{head}{gap}{style('strong', verdict)}"]
    if found:
        parts.append("\n".join(finding_lines(tournament, found)))
    if tournament.oddities:
        lost = sum(one.lost for one in tournament.oddities)
        left_out = f", {lost} of them left out" if lost else ""
        title = style("faint", f"Odd in the file, and read all the same ({len(tournament.oddities)}{left_out}):")
        parts.append("\n".join([title, *oddity_lines(tournament.oddities)]))
    return "\n\n".join(parts)


def _value(tournament: Tournament, found: list[Finding]) -> dict[str, Any]:
    return {
        "name": tournament.name,
        "players": len(tournament.entrants),
        "rounds": tournament.rounds,
        "format": None if tournament.source is None else tournament.source.format,
        "consistent": not found,
        "findings": [{**one._asdict(), "column": column_of(tournament, one)} for one in found],
        "oddities": oddity_values(tournament.oddities),
    }
