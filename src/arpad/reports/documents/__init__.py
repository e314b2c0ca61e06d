"""Documents to print: each by its name, made from the answers about an event, as PDF or as a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from arpad.errors import UnknownName
from arpad.messages import in_english, say
from arpad.reports.documents.boards import card_sheets, pairing_sheets, slip_sheets
from arpad.reports.documents.forms import arbiter_sheets, norm_sheets
from arpad.reports.documents.paper import EventDocument, PrintedSheet
from arpad.reports.documents.setting import A4, FORMS, PAPERS, printed
from arpad.reports.documents.tables import (
    crosstable_sheets,
    next_sheets,
    prize_sheets,
    rating_sheets,
    standings_sheets,
    title_sheets,
    wall_by_name,
    wall_by_rank,
)
from arpad.tournaments.certificates import FA1, IA1, IT1, IT3, certificates
from arpad.tournaments.event import rate_event
from arpad.tournaments.norms.report import find_norms
from arpad.tournaments.prizes import PLACES, Share
from arpad.tournaments.standings import standings

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.reports.page import Norms, Order
    from arpad.tournaments.certificates import NormCertificates
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.norms.answer import NormsReport
    from arpad.tournaments.standings import EventStandings

__all__ = [
    "A4",
    "DOCUMENTS",
    "FORMS",
    "PAPERS",
    "EventDocument",
    "EventDocuments",
    "certificate_document",
    "document",
    "documents_of",
    "printed",
]


@dataclass(frozen=True, kw_only=True)
class EventDocuments:
    """An event to print: the file, and how to get the answers; each is worked out when a document needs it."""

    tournament: Tournament
    round: int | None = None  # of pairings, and the last that standings count
    ranked: Callable[[int | None], EventStandings] | None = (
        None  # after a round; by the file's own criteria, if not given
    )
    rate: Callable[[], EventReport] | None = None  # by FIDE's standard list, if not given
    judge: Callable[[], NormsReport] | None = None
    player: int | None = None  # whose certificate
    share: Share = PLACES  # how tied players share prizes
    organiser: str | None = None
    cards: bool = False  # whether the rating report has every player's games
    charts: bool = False  # whether it has charts, which need an extra

    @cached_property
    def standings(self) -> EventStandings:
        """The standings after the round asked for, or the last one held."""
        return self.standings_after(self.round)

    def standings_after(self, number: int | None) -> EventStandings:
        """The standings after any round."""
        return standings(self.tournament, round=number) if self.ranked is None else self.ranked(number)

    @cached_property
    def rated(self) -> EventReport:
        """The rating report."""
        return rate_event(self.tournament, "fide-standard") if self.rate is None else self.rate()

    @cached_property
    def norms(self) -> NormsReport:
        """Everybody's norms."""
        return find_norms(self.tournament) if self.judge is None else self.judge()


def documents_of(
    rated: EventReport, norms: Norms | None, order: Order | None, *, cards: bool = False, charts: bool = False
) -> EventDocuments:
    """A rated event to print, with the norms and the standings that are known already."""
    found = None if order is None else order.standings
    judged = None if norms is None else norms.report
    return EventDocuments(
        tournament=rated.event,
        ranked=None if found is None else lambda _: found,
        rate=lambda: rated,
        judge=None if judged is None else lambda: judged,
        cards=cards,
        charts=charts,
    )


def document(name: str, event: EventDocuments) -> EventDocument:
    """A document of an event by its name; UnknownName for another one."""
    if name not in DOCUMENTS:
        raise UnknownName("document", name, known=DOCUMENTS, at="document")
    with in_english() if name in FOR_FIDE else nullcontext():
        return whole(event.tournament, DOCUMENTS[name](event))


def certificate_document(answer: NormCertificates) -> EventDocument:
    """Certificates that were made already, as a document."""
    facts = answer.form or answer.certificates[0]
    with in_english():
        return EventDocument(event=facts.event or str(say("reports.tournament")), about="", sheets=norm_sheets(answer))


def whole(tournament: Tournament, sheets: tuple[PrintedSheet, ...]) -> EventDocument:
    """Sheets as a document of an event."""
    days = [day for day in (tournament.start, tournament.end) if day is not None]
    when = " – ".join(dict.fromkeys(map(str, days)))
    about = " · ".join(filter(None, (tournament.city, tournament.federation, when)))
    return EventDocument(event=tournament.name or str(say("reports.tournament")), about=about, sheets=sheets)


def _certificates(event: EventDocuments, sheet: str) -> tuple[PrintedSheet, ...]:
    return norm_sheets(
        certificates(event.norms, event.tournament, sheet=sheet, player=event.player, organiser=event.organiser)
    )


DOCUMENTS: Mapping[str, Callable[[EventDocuments], tuple[PrintedSheet, ...]]] = {
    "standings": standings_sheets,
    "crosstable": crosstable_sheets,
    "wall-by-name": wall_by_name,
    "wall-by-rank": wall_by_rank,
    "pairings": pairing_sheets,
    "slips": slip_sheets,
    "cards": card_sheets,
    "rating-report": rating_sheets,
    "prizes": prize_sheets,
    "titles": title_sheets,
    "next": next_sheets,
    "it1": partial(_certificates, sheet=IT1),
    "it3": partial(_certificates, sheet=IT3),
    "fa1": partial(arbiter_sheets, name=FA1),
    "ia1": partial(arbiter_sheets, name=IA1),
}
FOR_FIDE = ("it1", "it3", "fa1", "ia1")  # forms that FIDE reads are in English
