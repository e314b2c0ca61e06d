"""Titles: progress towards one (`title`), and the certificates of norms (`certificate`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arpad.core import Rating
from arpad.core.tournaments import no_day
from arpad.formats import read, read_bytes
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import IN_REPORT, NO_PAGE, flag, optional, question, required, several
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH, Asking
from arpad.questions.tournaments import LONGEST_FILE, NEEDS, SENT, NormFields
from arpad.tournaments.certificates import SHEETS, NormCertificates, certificates
from arpad.tournaments.norms.report import find_norms
from arpad.tournaments.norms.rules import NORMS
from arpad.tournaments.titles import NormEvent, TitleApplication, application

MOST_FILES = 12
LONGEST_ADDRESS = 400
EXAMPLE = "docs/examples/norms.trf"


@question(
    "title",
    needs=("title", "path|text", "id"),
    slow=True,
    examples=(
        {"title": "IM", "path": [EXAMPLE], "id": 90001084, "rating": 2412},
        {"title": "GM", "path": [EXAMPLE], "id": 90001084},
    ),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class TitleOf(Asking):
    """The norms of several events towards one title: games, kinds of event, rating, and what is missing."""

    title: str = required(readers.text, example="IM", word=True, choices=NORMS)
    path: tuple[str, ...] = several(
        readers.path, example="open.trf", word=True, longest=LONGEST_PATH, most=MOST_FILES, **COMMAND_ALONE
    )
    text: tuple[str, ...] = several(readers.text, longest=LONGEST_FILE, most=MOST_FILES, **SENT)
    id: int = required(readers.fide_id, example="90001084")
    rating: Rating | None = optional(readers.rating, example="2412", group="player")
    on: date | None = optional(readers.day, example="2026-11-15", group="rules")

    def answer(self) -> TitleApplication:
        """How far the player is."""
        title, name = self.title.upper(), str(say("questions.the_file"))
        events = []
        for tournament in (*map(read, self.path), *(read_bytes(text.encode(), name) for text in self.text)):
            if tournament.start is None:
                raise no_day(tournament, at="path" if self.path else "text")
            events.append(NormEvent(tournament, find_norms(tournament)))
        return application(title, self.id, events, on=self.day, rating=self.rating)


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

    sheet: str | None = optional(readers.text, example="it1", choices=tuple(SHEETS))
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
