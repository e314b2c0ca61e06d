"""Certificates of title norms, from a tournament file."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.questions import readers
from arpad.questions.declare import IN_REPORT, flag, optional, question
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH
from arpad.questions.tournaments import NEEDS, NormFields
from arpad.tournaments.certificates import NormCertificates, certificates

EXAMPLE = "docs/examples/norms.trf"
LONGEST_ADDRESS = 400


@question(
    "certificate",
    needs=NEEDS,
    slow=True,
    examples=(
        {"path": EXAMPLE},
        {"path": EXAMPLE, "player": 12, "title": "IM", "sheet": "it1"},
    ),
    **IN_REPORT,
)
@dataclass(frozen=True, kw_only=True)
class CertificateOf(NormFields):
    """The certificates of the norms made in a tournament, and the report of the event."""

    sheet: str | None = optional(readers.text, example="it1")
    organiser: str | None = optional(readers.text, example="Lagoon Chess Club", longest=LONGEST_ADDRESS, group="event")
    to: str | None = optional(
        readers.path, example="certificates.pdf", group="report", longest=LONGEST_PATH, **COMMAND_ALONE
    )
    force: bool = flag(group="report", **COMMAND_ALONE)

    def answer(self) -> NormCertificates:
        """The sheets."""
        tournament = self.tournament()
        return certificates(
            self.norms_in(tournament),
            tournament,
            sheet=self.sheet,
            player=self.player,
            title=self.title,
            organiser=self.organiser,
        )
