"""Event, Period and PlannedEvent: games that are rated together; and Pace, their time control."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Protocol

from arpad.core.games import Game, Opponent
from arpad.core.values import MOST_GAMES, Number, Rating
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arpad.core.games import Pairing


class TimeBounds(Protocol):
    """The limits that a rule sets for a time control; None means no limit."""

    @property
    def at_least(self) -> Rating | None: ...
    @property
    def more_than(self) -> Rating | None: ...
    @property
    def less_than(self) -> Rating | None: ...
    @property
    def at_most(self) -> Rating | None: ...


@dataclass(frozen=True, slots=True)
class Pace:
    """A time control: minutes for the game and seconds added for each move."""

    minutes: Rating
    increment: Rating = 0

    @property
    def total(self) -> Rating:
        """Minutes for 60 moves: the minutes plus the increment in seconds."""
        return self.minutes + self.increment

    def fits(self, span: TimeBounds) -> bool:
        """Whether the total is within a rule's limits."""
        total = self.total
        return (
            (span.at_least is None or total >= span.at_least)
            and (span.more_than is None or total > span.more_than)
            and (span.less_than is None or total < span.less_than)
            and (span.at_most is None or total <= span.at_most)
        )

    def __str__(self) -> str:
        return f"{self.minutes}+{self.increment}"


@dataclass(frozen=True, slots=True)
class Event:
    """The games of one tournament, with the list rating and the rules of the day on which it began.

    `ended` is its last day, if known: it decides when the event enters a list. `qc_approved` is whether FIDE's
    qualification commission approved the event, which matters for a faster time control. `highest` is the highest
    rating in the whole tournament, if known: in the older editions it decided how long games had to be.
    """

    games: tuple[Game, ...]
    rating: Rating | None = None
    on: date | None = None
    name: str | None = None
    pace: Pace | None = None
    ended: date | None = None
    qc_approved: bool = False
    highest: Rating | None = None

    def __post_init__(self) -> None:
        if self.on is not None and self.ended is not None and self.ended < self.on:
            raise BadInput(say("values.not.ended", on=self.on, ended=self.ended), at="ended")


@dataclass(frozen=True, slots=True)
class Period:
    """The events that enter one rating list, and the rating they are added to if FIDE corrected it."""

    events: tuple[Event, ...]
    base: Rating | None = None


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """An event with some or all games still to be played."""

    pairings: tuple[Pairing, ...]
    on: date | None = None
    name: str | None = None
    pace: Pace | None = None
    qc_approved: bool = False


def as_day(value: date) -> date:
    """The date; anything else, such as a datetime, is refused."""
    if type(value) is not date:
        raise BadInput(say("values.not.day", value=repr(value)), at="on")
    return value


def as_period(value: Period | Event | Iterable[Event]) -> Period:
    """A period; a single event or a list of events becomes one, without a corrected base."""
    if isinstance(value, Period):
        return value
    events = (value,) if isinstance(value, Event) else tuple(value)
    for place, event in enumerate(events):
        if not isinstance(event, Event):
            raise BadInput(say("values.not.event", value=repr(event)), at=f"event[{place}]")
    return Period(events)


def check_size(period: Period) -> None:
    """Refuse a period without games, or with too many."""
    games = sum(len(event.games) for event in period.events)
    if not 0 < games <= MOST_GAMES:
        raise BadInput(say("values.too.many_games", games=games, most=MOST_GAMES), at="games")


def with_pace(events: Iterable[Event], pace: Pace | None) -> list[Event]:
    """The events, with this time control where they have none of their own."""
    if pace is None:
        return list(events)
    return [event if event.pace is not None else replace(event, pace=pace) for event in events]


def last_day(events: Iterable[Event]) -> date | None:
    """The day of the latest event; None if no event has a day."""
    return max((event.on for event in events if event.on is not None), default=None)


def one_game(opponent: Opponent, score: Number, pace: Pace | None = None) -> Period:
    """A period of one game."""
    return Period((Event((Game(opponent, score),), pace=pace),))
