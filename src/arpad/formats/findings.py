"""Where in its file a finding is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.formats.trf.columns import round_column

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.tournaments.checks import Finding


def column_of(tournament: Tournament, finding: Finding) -> int | None:
    """The column of a finding's round in a tournament report; None in other files."""
    report = tournament.source is not None and tournament.source.format.startswith("trf")
    return round_column(finding.round) if report and finding.round is not None and finding.line is not None else None
