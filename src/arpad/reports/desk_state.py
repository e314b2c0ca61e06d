"""One saved state of an event on the arbiter's desk: its ratings, and what is worked out from it when needed."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Figure
from arpad.core.tournaments import Tournament
from arpad.errors import ArpadError
from arpad.reports.chances import simulated
from arpad.reports.page import norms_of, order_of, words
from arpad.tournaments.next_round import next_round
from arpad.tournaments.prizes import Prize
from arpad.tournaments.standings import standings

if TYPE_CHECKING:
    from arpad.reports.page import NormRow, Norms, Order
    from arpad.simulation.answer import EventChances
    from arpad.tournaments.event.parts import PartedEvent
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.next_round import NextRound
    from arpad.tournaments.prizes import Share
    from arpad.tournaments.standings import EventStandings
    from arpad.tournaments.submission import EventPart

MADE, POSSIBLE = "made", "possible"  # a norm
NOTHING_AHEAD = ("tournaments.next.no_pairings", "tournaments.next.not_paired")
Later = Callable[[Callable[[], "EventChances"]], "Future[EventChances]"]  # has chances worked out while others wait


class DeskRating(NamedTuple):
    """An event, rated as a whole, and in its parts if it is too long for one report."""

    whole: EventReport
    parted: PartedEvent | None = None


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The prizes that the folder has for an event, as last read, and what is wrong with their file since."""

    file: str
    prizes: tuple[Prize, ...] = ()
    problem: str = ""
    several: bool = False  # whether a player may win prizes of several conditions


class SavedState:
    """One saved state of an event. Everything is worked out when it is first needed, all from the same state."""

    def __init__(
        self, rated: DeskRating, *, called: str = "", prizes: PrizeList | None = None, later: Later | None = None
    ) -> None:
        self.ratings = rated
        self.called = called  # what an event without a name is called
        self.prizes = prizes
        self._later = later
        self._simulated: Future[EventChances] | None = None

    @property
    def rated(self) -> EventReport:
        """The event as a whole, rated by one list."""
        return self.ratings.whole

    @property
    def parts(self) -> tuple[tuple[EventPart, EventReport], ...]:
        """The parts of an event that is too long for one report, each with its own report; none for any other event."""
        parted = self.ratings.parted
        return () if parted is None else tuple(zip(parted.parts, parted.reports, strict=True))

    def report_on(self, number: int) -> EventReport:
        """The report to which a round belongs: of its part, or of the whole event."""
        return next((report for part, report in self.parts if number in part.rounds), self.rated)

    @property
    def event(self) -> Tournament:
        """The tournament of this state."""
        return self.rated.event

    @property
    def title(self) -> str:
        """The name of the event."""
        return self.event.name or self.called or words("tournament")

    @property
    def stem(self) -> str:
        """The name of the file without its extension, by which its prizes are found."""
        return os.path.splitext(self.called)[0]

    @cached_property
    def order(self) -> Order:
        """The standings."""
        return order_of(self.rated)

    @cached_property
    def norms(self) -> Norms | None:
        """The norms; None for an event without any."""
        return norms_of(self.rated)

    @cached_property
    def ahead(self) -> tuple[NextRound | None, str]:
        """The next round, or why it is not shown; neither if there are no pairings for it."""
        try:
            return next_round(self.rated), ""
        except ArpadError as error:
            return None, "" if getattr(error.said, "key", None) in NOTHING_AHEAD else str(error)

    @property
    def progress(self) -> Figure | None:
        """How far the event is."""
        found = self.order.standings
        return None if found is None else next(iter(found.progress()))

    @property
    def norms_made(self) -> list[NormRow]:
        """The norms that have been made."""
        return [] if self.norms is None else [row for row in self.norms.rows if row.stands == MADE]

    def with_prizes(self, share: Share) -> EventStandings:
        """The standings with the prizes of the folder, shared in one way."""
        assert self.prizes is not None  # noqa: S101  # there is no such tab or document without them
        return standings(
            self.event,
            [] if self.order.standings is None else self.order.standings.criteria,
            on=self.rated.on,
            prizes=self.prizes.prizes,
            share=share,
            several=self.prizes.several,
        )

    def chances(self) -> EventChances | None:
        """The rest of the event, simulated beside everything else; None until that is done."""

        def play() -> EventChances:
            table = self.prizes or PrizeList("")
            return simulated(self.rated, prizes=table.prizes, several=table.several)

        if self._later is None:
            return play()
        if self._simulated is None:
            self._simulated = self._later(play)
        return self._simulated.result() if self._simulated.done() else None
