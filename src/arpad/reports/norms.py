"""The norms in a report: made, still possible, not known, or missed by one condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arpad.calculation.serialise import to_json
from arpad.errors import ArpadError
from arpad.messages import say
from arpad.tournaments.norms.answer import STANDS, in_words, norm_lines, unlisted
from arpad.tournaments.norms.report import NORM_LIST, find_norms

if TYPE_CHECKING:
    from arpad.messages import Message
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.norms.answer import NormsReport


@dataclass(frozen=True, slots=True)
class NormRow:
    """A norm in a table: the player, the title, the verdict, and the figures behind it."""

    no: int
    name: str
    title: str
    stands: str  # made, possible, unknown or missed
    verdict: str  # the same in words
    figures: str


@dataclass(frozen=True, slots=True)
class Norms:
    """The norms of an event, or why they cannot be judged."""

    report: NormsReport | None
    why: Message | str | None = None

    @property
    def rows(self) -> list[NormRow]:
        """The norms that `arpad norms` lists, those made first."""
        lines = [] if self.report is None else norm_lines(self.report)
        lines.sort(key=lambda line: STANDS.index(line.stands))
        return [
            NormRow(
                line.player.no,
                line.player.called,
                line.norm.title,
                line.stands,
                str(say(f"tournaments.stands.{line.stands}")),
                in_words(line.norm),
            )
            for line in lines
        ]

    @property
    def says(self) -> Message | str | None:
        """The remark next to the rows, or instead of them."""
        return self.why if self.report is None else unlisted(self.report)

    @property
    def notes(self) -> list[Message]:
        """Notes about norms; those about the event are in the report itself."""
        return (
            [] if self.report is None else [note for note in self.report.notes if note.key.startswith("notes.norms.")]
        )

    def value(self) -> dict[str, Any]:
        """The norms as JSON, with the API's field names."""
        return {"players": [], "why": to_json(self.why)} if self.report is None else self.report.value()


def norms_of(rated: EventReport) -> Norms | None:
    """The norms of a standard event; None for rapid, blitz or another system."""
    if rated.system != NORM_LIST:
        return None
    try:
        return Norms(find_norms(rated.event, on=rated.on, qc_approved=rated.qc_approved))
    except ArpadError as error:
        return Norms(None, error.said)
