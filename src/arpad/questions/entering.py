"""An entry list: who has entered a tournament that has not begun."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from arpad.questions import readers
from arpad.questions.declare import NO_PAGE, optional, question
from arpad.questions.tournaments import NEEDS, SentFile
from arpad.tournaments.entries import EntryList, entry_list


@question(
    "entries",
    needs=NEEDS,
    examples=(
        {"path": "docs/examples/entries.csv", "rounds": 9, "host": "ITA"},
        {"path": "docs/examples/norms.trf", "on": "2026-09-05"},
    ),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class EntriesOf(SentFile):
    """The field of an entry list: averages, rating bands, titles, federations, and whether norms are possible."""

    rounds: int | None = optional(readers.count, example="9", group="event")
    host: str | None = optional(readers.federation, example="ITA", group="event")
    event_kind: str | None = optional(readers.text, example="swiss", group="event")
    on: date | None = optional(readers.day, example="2026-09-05", group="rules")

    entries: ClassVar[bool] = True

    def answer(self) -> EntryList:
        """The field."""
        found = self.tournament()
        day = self.on or found.start or self.today
        return entry_list(found, on=day, rounds=self.rounds, host=self.host, kind=self.event_kind)

    def began(self, tournament: object) -> date | None:  # noqa: ARG002
        return self.on or self.today
