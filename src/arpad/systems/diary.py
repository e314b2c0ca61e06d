"""A player's diary: events for several lists, each rated by the rules of its day, and the rating over time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Exact, Figure, Table, TableColumn, date_notes, derived, hidden
from arpad.core import Event, Period, Rating, as_day, as_player
from arpad.errors import ArpadError, BadInput, Unsupported
from arpad.messages import say
from arpad.systems.answers import EventChange, RatingChange
from arpad.systems.fide.k import entered, next_list
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.core import Number, Player
    from arpad.messages import Message
    from arpad.systems.base import System

MOST_EVENTS = 500


@dataclass(frozen=True, kw_only=True)
class DiaryEntry:
    """The events that enter one list, or one event in a system without lists, and their effect on the rating."""

    list: date | None  # the day of the list; None in a system without lists
    on: date  # the last day of its events
    rated: RatingChange = hidden()

    @derived
    def rating(self) -> Rating | None:
        """The rating before."""
        return self.rated.rating

    @derived
    def k(self) -> Rating | None:
        """The K that was used; None in a system without one."""
        return self.rated.k_used

    @derived
    def change(self) -> Exact:
        """The sum of the changes of its games, before rounding."""
        return self.rated.change

    @derived
    def new_rating(self) -> Rating | None:
        """The rating after; None for a rating below the floor, which is not published."""
        return self.rated.new_rating

    @derived
    def events(self) -> tuple[EventChange, ...]:
        """Its events, with the change of each."""
        return self.rated.events

    @property
    def day(self) -> date:
        """The day from which the new rating holds."""
        return self.list or self.on


@dataclass(frozen=True, kw_only=True)
class Diary(Answer):
    """A rating over several lists: the rating at the start, each list, the rating today, and the next list."""

    rating: Rating | None  # before the first event
    entries: tuple[DiaryEntry, ...]
    next_list: date | None  # the first list after today; None in a system without lists

    @derived
    def now(self) -> Rating | None:
        """The rating in force on the day asked about."""
        return self._rating_on(self.on)

    @derived
    def next_rating(self) -> Rating | None:
        """The rating on the next list; today's in a system without lists."""
        return self._rating_on(self.next_list or self.on)

    @derived
    def games(self) -> int:
        """How many games were rated."""
        return sum(entry.rated.games for entry in self.entries)

    @derived
    def highest(self) -> Rating | None:
        """The highest rating on any list, or before the first event."""
        ratings = [self.rating, *(entry.new_rating for entry in self.entries)]
        return max((rating for rating in ratings if rating is not None), default=None)

    def tables(self) -> Iterable[Table]:
        """A row for each list, or for each event in a system without lists."""
        columns = (
            TableColumn("list", lambda entry: str(entry.day), "text"),
            TableColumn(
                "event", lambda entry: ", ".join(event.name or str(event.on) for event in entry.events), "text"
            ),
            TableColumn("k"),
            TableColumn("change", form="signed"),
            TableColumn("new_rating", form="rating"),
        )
        yield Table("lists", columns, self.entries)

    def _rating_on(self, day: date) -> Rating | None:
        """The rating in force on a day."""
        until = [entry for entry in self.entries if entry.day <= day]
        return until[-1].new_rating if until else self.rating

    def summary(self) -> Sequence[Figure]:
        first, last = self.entries[0], self.entries[-1]
        ahead = Figure("diary.next", _or_unrated(self.next_rating), say("answers.diary.next", list=self.next_list))
        return (
            *(() if self.next_list is None else (ahead,)),
            Figure("diary.now", _or_unrated(self.now), say("answers.diary.now", on=self.on)),
            Figure("diary.games", self.games, say("answers.diary.since", on=first.events[0].on or first.on)),
            Figure("diary.highest", self.highest),
            Figure("k", last.k, say("answers.diary.k", on=last.on)),
        )


def _or_unrated(rating: Rating | None) -> Rating | Message:
    return say("answers.unrated") if rating is None else rating


def keep_diary(system: System, player: Player | Number, events: Iterable[Event], *, on: date) -> Diary:
    """The rating after each list that the events enter, each from the rating before it.

    Accepts a system, a player or a rating, and events; one without a day counts as on the day asked about. Gives a
    Diary with an entry for each list. Raises BadInput without events, and Unsupported if the rating is lost before the
    last of them.
    """
    player, on = as_player(player), as_day(on)
    dated = sorted((replace(event, on=event.on or on) for event in events), key=_last_day)
    if not dated:
        raise BadInput(say("systems.diary.empty"), at="event")
    if len(dated) > MOST_EVENTS:
        raise BadInput(say("systems.diary.too_many", events=len(dated), most=MOST_EVENTS), at="event")
    start = player.rating_used
    entries: list[DiaryEntry] = []
    for listed, together in _by_list(system, dated):
        if entries and player.rating_used is None:
            raise Unsupported(say("systems.diary.unrated", on=entries[-1].day), at="event")
        rated, player = _rated(system, player, together, on)
        entries.append(DiaryEntry(list=listed, on=_last_day(together[-1]), rated=rated))
    rules = system.rulebook.at(max(on, system.rulebook.covered_from))
    return Diary(
        system=system.name,
        on=on,
        trail=tuple(step for entry in entries for step in entry.rated.trail),
        remarks=lambda: tuple({str(note): note for note in _notes(system, entries)}.values()),
        rating=start,
        entries=tuple(entries),
        next_list=next_list(on, rules) if isinstance(rules, FideRules) else None,
    )


def brought_up(system: System, player: Player, events: Iterable[Event], day: date) -> tuple[Player, list[Event]]:
    """The player after the lists before the one that an event of a day enters, and the events that enter that one.

    Raises BadInput for an event after that day.
    """
    dated = sorted(events, key=_last_day)
    if dated and _last_day(dated[-1]) > day:
        raise BadInput(say("systems.diary.later", on=_last_day(dated[-1]), day=day), at="on")
    *lists, (_, (*before, _)) = _by_list(system, [*dated, Event((), on=day)])
    for _, together in lists:
        _, player = _rated(system, player, together, day)
    return player, before


def _rated(system: System, player: Player, together: Sequence[Event], on: date) -> tuple[RatingChange, Player]:
    """What the events of one list did, and the player after it."""
    try:
        rated = system.rate_period(player, Period(tuple(together)), on=together[-1].on or on)
    except ArpadError as error:
        if (error.at or "").startswith("event["):
            error.at = "event"  # it counts the events of this list only
        raise
    return rated, system.after(player, rated)


def _last_day(event: Event) -> date:
    """The last day of an event as far as known; by now every event has a day."""
    return event.ended or event.on or date.max


def _by_list(system: System, events: Sequence[Event]) -> list[tuple[date | None, list[Event]]]:
    """The events by the list they enter; in a system without lists, each by itself."""
    found: list[tuple[date | None, list[Event]]] = []
    for event in events:
        rules = system.rulebook.at(event.on or _last_day(event))
        listed = entered(_last_day(event), rules).enters if isinstance(rules, FideRules) else None
        if listed is not None and found and found[-1][0] == listed:
            found[-1][1].append(event)
        else:
            found.append((listed, [event]))
    return found


def _notes(system: System, entries: Sequence[DiaryEntry]) -> Iterable[Message]:
    """What was assumed, whether the rating is no longer published, and whether rules may have changed."""
    for entry in entries:
        yield from entry.rated.notes
    if entries[-1].new_rating is None:
        yield say("notes.season.unrated")
    yield from date_notes(system.rulebook, entries[-1].on)
