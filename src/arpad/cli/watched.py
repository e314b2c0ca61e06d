"""The state of a watched file: the terminal and the page share one calculation."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from arpad.cli.views import reply_with
from arpad.errors import ArpadError
from arpad.questions.standings import StandingsOf
from arpad.questions.tournaments import EventOf, NextOf, NormsOf
from arpad.reports.page import Norms, body, live_body, norms_of, order_of
from arpad.tournaments.next_round import next_round

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import TypeAlias

    from arpad.calculation.answer import Answer
    from arpad.cli.show import Style
    from arpad.questions import Asked
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.next_round import NextRound
    from arpad.tournaments.norms.answer import NormsReport
    from arpad.tournaments.standings import EventStandings

    WatchedQuestion: TypeAlias = EventOf | NormsOf | StandingsOf

Q = TypeVar("Q", bound="EventOf | NormsOf | StandingsOf")

# The fields of a question that its next round depends on.
NEXT_ROUND_FIELDS = ("today", "path", "columns", "list", "folder", "on", "player", "qc_approved")
NOTHING_AHEAD = ("tournaments.next.no_pairings", "tournaments.next.not_paired")


def watched(asked: Asked) -> WatchedQuestion:
    """The question asked, which must be one that can be watched."""
    if not isinstance(asked.question, EventOf | NormsOf | StandingsOf):
        raise TypeError(f"{asked.question.spec.name} cannot be watched")
    return asked.question


def state_of(asked: Asked, file: str) -> EventState | NormsState | StandingsState:
    """The state of a file, for the question asked."""
    question = watched(asked)
    if isinstance(question, EventOf):
        return EventState(asked, replace(question, path=file))
    if isinstance(question, NormsOf):
        return NormsState(asked, replace(question, path=file))
    return StandingsState(asked, replace(question, path=file))


class FileState(Generic[Q]):
    """The answer for the current state of a file, and the next round if the file has its pairings."""

    def __init__(self, asked: Asked, question: Q) -> None:
        self.asked = replace(asked, question=question)
        self.question = question
        self.event = question.tournament()
        self._shared = {name: getattr(question, name) for name in NEXT_ROUND_FIELDS if hasattr(question, name)}

    @property
    def answer(self) -> Answer:
        """What was asked for."""
        raise NotImplementedError

    @cached_property
    def rated(self) -> EventReport:
        """The rated event, which the next round needs."""
        return NextOf(**self._shared).report()

    @cached_property
    def next_round(self) -> tuple[NextRound | None, str]:
        """The next round, or why it is not shown; neither if there are no pairings for it."""
        try:
            return next_round(self.rated, player=self._shared.get("player")), ""
        except ArpadError as error:
            return None, "" if getattr(error.said, "key", None) in NOTHING_AHEAD else str(error)

    def text(self, output: Collection[str], style: Style) -> str:
        """What the terminal shows. JSON leaves out the next round, which is a question of its own."""
        shown = reply_with(self.answer, self.asked).shown(output, style)
        if "json" in output:
            return shown
        ahead, why = self.next_round
        if ahead is not None:
            asked = replace(self.asked, question=NextOf(**self._shared))
            why = reply_with(ahead, asked).shown(output, style)
        return "\n\n".join(filter(None, [shown, why]))

    def body(self) -> str:
        """What the page shows."""
        raise NotImplementedError


class EventState(FileState[EventOf]):
    """The rating report, of everybody or of one player."""

    @cached_property
    def rated(self) -> EventReport:
        return self.question.rated(self.event)

    @property
    def answer(self) -> Answer:
        return self.question.chosen(self.rated)

    def body(self) -> str:
        ahead, why = self.next_round
        if self.question.player is not None:
            return live_body(player=self.rated.for_player(self.question.player), ahead=ahead, why=why)
        order = order_of(self.rated, self.question.names, unrated=self.question.unrated)
        return body(self.rated, norms_of(self.rated), order, ahead)


class NormsState(FileState[NormsOf]):
    """The norms, of everybody or of one player."""

    @cached_property
    def norms(self) -> NormsReport:
        """Everybody's norms."""
        return self.question.norms_in(self.event)

    @property
    def answer(self) -> Answer:
        return self.question.chosen(self.norms)

    def body(self) -> str:
        player, (ahead, why) = self.question.player, self.next_round
        norms = self.norms if player is None else self.norms.for_player(player)
        return live_body(norms=Norms(norms), ahead=ahead, why=why)


class StandingsState(FileState[StandingsOf]):
    """The standings."""

    @cached_property
    def answer(self) -> EventStandings:
        return self.question.standings_in(self.event)

    def body(self) -> str:
        ahead, why = self.next_round
        return live_body(standings=self.answer, ahead=ahead, why=why)
