"""The norms of a report: who made one, who still can, of whom it is not known, and who missed one by one condition."""

# No postponed annotations here: named tuples would compile each one.

from typing import Any, NamedTuple

from arpad.errors import ArpadError
from arpad.messages import Message
from arpad.tournaments.event.report import EventRating
from arpad.tournaments.norms.answer import NormReport
from arpad.tournaments.norms.lines import STANDS, in_words, norm_lines, unlisted
from arpad.tournaments.norms.report import find_norms

RATED_BY = "fide-standard"  # the list whose events can bring norms


class NormRow(NamedTuple):
    """A norm in a table: whose, of which title, how it stands, and the figures behind it."""

    no: int
    name: str
    title: str
    stands: str
    says: str


class Norms(NamedTuple):
    """The norms of an event, or why there are none to judge."""

    report: NormReport | None
    why: str | None = None

    @property
    def rows(self) -> list[NormRow]:
        """What `arpad norms` lists, made ones first."""
        lines = [] if self.report is None else norm_lines(self.report)
        lines.sort(key=lambda line: STANDS.index(line.stands))
        return [
            NormRow(one.entrant.no, one.entrant.called, norm.title, line.stands, in_words(norm))
            for line in lines
            for one, norm in (line,)
        ]

    @property
    def says(self) -> str | None:
        """What stands beside the rows, or in their place."""
        return self.why if self.report is None else unlisted(self.report)

    @property
    def notes(self) -> list[Message]:
        """What was assumed about norms; what was assumed about the event the report says already."""
        return [] if self.report is None else [one for one in self.report.notes if one.key.startswith("norms.")]

    def value(self) -> dict[str, Any]:
        """The norms by the names of the public contract."""
        return {"players": [], "why": self.why} if self.report is None else self.report.value()


def norms_of(rated: EventRating) -> Norms | None:
    """The norms of a standard event; None where the list is another."""
    if rated.system != RATED_BY:
        return None
    try:
        return Norms(find_norms(rated.tournament, on=rated.on))
    except ArpadError as error:
        return Norms(None, error.message)
