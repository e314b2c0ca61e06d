"""What games do to a rating: the questions `rate` and `period`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from arpad.core import Event, Game, Pace, Period, Rating, last_day, with_pace
from arpad.errors import BadInput
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import flag, nested, optional, question, several
from arpad.questions.fields import (
    BY_K,
    COMMAND_ALONE,
    FIDE,
    LONGEST_PATH,
    ListFields,
    OpponentFields,
    PasteFields,
    PlayerFields,
    RuleFields,
    TimeField,
)
from arpad.questions.files import period_fields
from arpad.questions.people import k_list_of, with_k_of_list
from arpad.reading import apart
from arpad.systems.answers import RatingChange
from arpad.systems.elo import with_plain_elo
from arpad.systems.system import System

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.messages import Message


@dataclass(frozen=True, kw_only=True)
class PlayedEvent:
    """One of several events: its games, and what is special about it."""

    game: tuple[Game, ...] = several(readers.game, split=apart, example="1950:win", word=True)
    name: str | None = optional(readers.text, example="Autumn Open", group="event")
    on: date | None = optional(readers.day, example="2026-10-03", group="event")
    ended: date | None = optional(readers.day, example="2026-10-11", group="event")
    time: Pace | None = optional(readers.pace, example="90+30", group="event")
    qc_approved: bool = flag(group="event")

    def event(self) -> Event:
        """The event."""
        return Event(self.game, None, self.on, self.name, self.time, self.ended, self.qc_approved)


@dataclass(frozen=True, kw_only=True)
class PeriodEvent(PlayedEvent):
    """One event of a rating period; the player's list rating may differ from event to event."""

    rating: Rating | None = optional(readers.rating, example="1750", group="event")

    def event(self) -> Event:
        """The event."""
        return replace(super().event(), rating=self.rating)


class PacedFields(RuleFields, TimeField):
    """The rules of one system, and a time control, which may not fit it."""

    @property
    def pace_note(self) -> Message | None:
        """Says where a time control is rated, if not in this system."""
        if self.time is None:
            return None
        # This loads the rules of every federation, and most questions have no time control.
        from arpad.questions.paces import rated_elsewhere

        return rated_elsewhere(self.time, self.system, self.day)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class GameFields(PacedFields, PasteFields):
    """Games: typed, pasted or in events."""

    game: tuple[Game, ...] = several(readers.game, split=apart, example="1950:win", word=True)
    ended: date | None = optional(readers.day, example="2027-01-03", group="event", systems=(*FIDE, "dwz"))
    qc_approved: bool = flag(group="event")
    event: tuple[PlayedEvent, ...] = nested(PlayedEvent, group="event")

    def events(self) -> list[Event]:
        """Games outside any event as one event, then each event; `time` applies to events without their own."""
        events = [played.event() for played in self.event]
        loose = (*self.game, *self.pasted_games())
        if loose:
            events.insert(0, Event(loose, on=self.on, ended=self.ended, qc_approved=self.qc_approved))
        elif self.ended is not None:
            raise BadInput(say("questions.ended_alone"), at="ended")
        return with_pace(events, self.time)

    def day_of(self, events: Sequence[Event]) -> date:
        """The day whose rules apply: as given if all games are in events, otherwise the last event's, or today."""
        if self.on is not None and not self.game and self.pasted is None:
            return self.on
        return last_day(events) or self.today


@question(
    "rate",
    tool=True,
    needs=("rating",),
    waits=("game|event",),
    examples=(
        {"rating": 1750, "game": ["1950:win"], "born": 2010},
        {"rating": 1750, "game": ["1950:win", "1800:draw"], "k": 20},
        {"rating": 2395, "event": [{"game": ["2103:1"], "on": "2026-10-03"}, {"game": ["2310:1"], "rating": 2400}]},
        {"rating": 1500, "game": ["1700:win"], "system": "elo", "k": 32},
        {"rating": 1500, "game": ["1400/30:win", "1550/100:loss"], "deviation": 200, "system": "glicko-2"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class Rate(GameFields, PlayerFields, OpponentFields, ListFields):
    """What a game, an event or a rating period does to a rating."""

    event: tuple[PeriodEvent, ...] = nested(PeriodEvent, group="event")
    base: Rating | None = optional(readers.rating, example="1750", group="event", systems=BY_K)
    formula: bool = flag(group="event")
    period: str | None = optional(
        readers.path,
        example="november.toml",
        group="event",
        longest=LONGEST_PATH,
        expand=period_fields,
        **COMMAND_ALONE,
    )

    def answer(self) -> RatingChange:
        """The change, next to plain Elo's if asked for."""
        chosen = self.rating_system()
        events = [self._known(event, chosen) for event in self.events()]
        day = self.day_of(events)
        player = with_k_of_list(self.player(chosen), k_list_of(events, chosen, day), chosen, self)
        change = chosen.rate_period(player, Period(tuple(events), self.base), on=day)
        return with_plain_elo(change) if self.formula else change

    def _known(self, event: Event, rated_by: System) -> Event:
        """An event, with the deviation given for all opponents."""
        if self.opponent_deviation is None:
            return event
        games = (replace(game, opponent=self.opponent_known(game.opponent, rated_by)) for game in event.games)
        return replace(event, games=tuple(games))


@question(
    "period",
    needs=("rating",),
    waits=("event|game",),
    doors=frozenset({"api", "page"}),
    why="at the command a period is rated by `rate`, with an --event for each of its events",
    examples=(
        {
            "rating": 2395,
            "on": "2026-11-01",
            "event": [
                {"name": "Autumn Open", "on": "2026-10-03", "game": ["2103:1", "2250:½"]},
                {"name": "League", "on": "2026-10-17", "rating": 2400, "game": ["2310:1"]},
            ],
        },
    ),
)
class RatePeriod(Rate):
    """What the events of a rating period do to a rating."""
