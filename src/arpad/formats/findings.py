"""Where in its file a finding is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.formats.trf.columns import round_column

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.tournaments.checks import Finding


def column_of(tournament: Tournament, one: Finding) -> int | None:
    """The column of its round in a report; a table's columns are its own."""
    report = tournament.source is not None and tournament.source.format.startswith("trf")
    return round_column(one.round) if report and one.round is not None and one.line is not None else None
