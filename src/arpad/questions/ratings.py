"""What games do to a rating: rate, period, expect, first, performance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, cast

from arpad.core import WIN, Event, Game, Pace, Period, Player, Rating, last_day, with_pace
from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import defaulting, flag, nested, optional, question, required, several
from arpad.questions.fields import (
    COMMAND_ALONE,
    LONGEST_PATH,
    GameFields,
    GameObject,
    ListFields,
    OpponentFields,
    PersonFields,
    RuleFields,
    rated_games,
)
from arpad.questions.files import period_fields
from arpad.questions.read import k_list_of, with_k_of_list
from arpad.reading import split_games
from arpad.systems import systems_using
from arpad.systems.answers import Expectation, FirstRating, RatingChange
from arpad.systems.base import System
from arpad.systems.performance import METHODS, Performance, performance

if TYPE_CHECKING:
    from arpad.core import Colour
    from arpad.messages import Message
    from arpad.questions.declare import SomeDoors
    from arpad.systems.performance import PerformanceMethod

OTHER_COLOUR: Mapping[Colour, Colour] = {"white": "black", "black": "white"}
NOT_ON_THE_PAGE: SomeDoors = {
    "doors": frozenset({"command", "api"}),
    "why": "the page shows both players of a game without being asked",
}


@dataclass(frozen=True, kw_only=True)
class PlayedEvent:
    """One of several events: its games, and what is special about it."""

    game: tuple[Game, ...] = several(
        readers.game, split=split_games, example="1950:win", word=True, as_object=GameObject
    )
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


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class PlayedFields(RuleFields, GameFields):
    """Games in one event or several, and the rules they are rated by."""

    time: Pace | None = optional(readers.pace, example="90+30", group="event")
    ended: date | None = optional(readers.day, example="2027-01-03", group="event", systems=systems_using("ended"))
    qc_approved: bool = flag(group="event")
    event: tuple[PlayedEvent, ...] = nested(PlayedEvent, group="event")

    def events(self) -> list[Event]:
        """Games outside any event as one event, then each event; `time` applies to events without their own."""
        events = [played.event() for played in self.event]
        loose = self.played()
        if loose:
            events[:0] = self._events_of_paste() or [self._event(loose)]
        elif self.ended is not None:
            raise BadInput(say("questions.ended_alone"), at="ended")
        return with_pace(events, self.time)

    def _event(self, games: tuple[Game, ...]) -> Event:
        """Games outside any event as one event, with the name that a paste gives it."""
        named = None if self.pasted is None else self.pasted.about.event
        name = None if named is None else str(named.value)
        return Event(games, on=self.on, name=name, ended=self.ended, qc_approved=self.qc_approved)

    def _events_of_paste(self) -> list[Event]:
        """The events of a paste that has several, unless games or days are given beside it."""
        if self.pasted is None or self.game or self.on is not None:
            return []
        games = {
            event.name: rated_games(game for game in self.pasted.games if game.event == event.name)
            for event in self.pasted.events
        }
        if sum(map(len, games.values())) < len(self.played()):
            return []  # some game is in none of them
        return [
            Event(games[event.name], on=event.on, name=event.name, ended=event.ended, qc_approved=self.qc_approved)
            for event in self.pasted.events
            if games[event.name]
        ]

    def day_of(self, events: Sequence[Event]) -> date:
        """The day whose rules apply: as given if all games are in events, otherwise the last event's, or today."""
        if self.on is not None and not self.game and self.pasted is None:
            return self.on
        return last_day(events) or self.today

    @property
    def pace_note(self) -> Message | None:
        """Says where the time control is rated, if not in this system."""
        return _pace_note(self.time, self)


def _pace_note(pace: Pace | None, rules: RuleFields) -> Message | None:
    if pace is None:
        return None
    # This loads the rules of every federation, and most questions have no time control.
    from arpad.questions.time_control import rated_elsewhere

    return rated_elsewhere(pace, rules.system, rules.day)


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
class Rate(PlayedFields, OpponentFields, PersonFields, ListFields):
    """What a game, an event or a rating period does to a rating."""

    event: tuple[PeriodEvent, ...] = nested(PeriodEvent, group="event")
    base: Rating | None = optional(readers.rating, example="1750", group="event", systems=systems_using("base"))
    formula: bool = flag(group="event")
    both: bool = flag(group="event", **NOT_ON_THE_PAGE)
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
        if self.both:
            change = replace(change, other_side=self.other_side())
        if not self.formula:
            return change
        from arpad.systems.elo import with_plain_elo  # another system's module, which few ask for

        return with_plain_elo(change)

    def other_side(self) -> RatingChange | None:
        """A single game as the opponent sees it, with what is known about them; None if it is not rated for them."""
        chosen, events = self.rating_system(), self.events()
        games = [game for event in events for game in self._known(event, chosen).games]
        if len(games) != 1 or games[0].how != "played" or games[0].opponent.rating is None:
            return None
        (game,) = games
        colour = None if game.colour is None else OTHER_COLOUR[game.colour]
        theirs = Game(self.player(chosen), WIN - game.score, colour=colour)
        try:
            rated = chosen.rate(game.opponent, theirs, on=self.day_of(events), pace=events[0].pace)
        except ArpadError:
            return None
        return rated if rated.games else None

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


@question(
    "expect",
    tool=True,
    needs=("rating", "opponent"),
    examples=({"rating": 1500, "opponent": 1700}, {"rating": 2650, "opponent": 2000, "system": "fide-rapid"}),
)
@dataclass(frozen=True, kw_only=True)
class Expect(RuleFields, OpponentFields, PersonFields, ListFields):
    """One game before it is played: expected score, and the change for win, draw and loss."""

    opponent: Player = required(readers.opponent, example="1700", word=True)
    time: Pace | None = optional(readers.pace, example="90+30", group="event")
    both: bool = flag(group="event", **NOT_ON_THE_PAGE)

    def answer(self) -> Expectation:
        """The expectation, next to the opponent's if asked for."""
        chosen = self.rating_system()
        opponent = self.opponent_known(self.opponent, chosen)
        expected = chosen.expect(self.player(chosen), opponent, on=self.day, pace=self.time)
        return replace(expected, other_side=self.other_side()) if self.both else expected

    def other_side(self) -> Expectation | None:
        """The game as the opponent sees it, with what is known about them; None if it is not rated for them."""
        chosen = self.rating_system()
        if self.opponent.rating is None:
            return None
        try:
            opponent = self.opponent_known(self.opponent, chosen)
            expected = chosen.expect(opponent, self.player(chosen), on=self.day, pace=self.time)
        except ArpadError:
            return None
        return None if expected.expected is None else expected

    @property
    def pace_note(self) -> Message | None:
        """Says where the time control is rated, if not in this system."""
        return _pace_note(self.time, self)


@question(
    "first",
    tool=True,
    needs=("game|event|paste|paste_file",),
    examples=(
        {"game": ["1902:1", "1877:1", "1884:½", "2012:0", "1832:½"]},
        {"event": [{"game": ["1902:0"], "on": "2025-01-10"}, {"game": ["1884:½"], "on": "2025-06-01"}]},
    ),
)
@dataclass(frozen=True, kw_only=True)
class First(PlayedFields, ListFields):
    """An unrated player's first rating, or what is still missing."""

    def answer(self) -> FirstRating:
        """The first rating."""
        events = self.events()
        return self.rating_system().first_rating(events, on=self.day_of(events))


@question(
    "performance",
    tool=True,
    needs=("game|paste|paste_file",),
    examples=(
        {"game": ["1950:win", "2010:draw", "1890:1"]},
        {"game": ["1830:1", "1914:1", "1867:1", "2255:0", "1818:1", "1990:1"], "method": "ptp"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class PerformanceOf(GameFields, ListFields):
    """A performance rating."""

    on: date | None = optional(readers.day, example="2026-11-15", group="rules")
    system: str = defaulting(
        readers.text,
        "fide-standard",
        example="fide-standard",
        group="rules",
        doors=frozenset({"api", "page"}),
        why="no method depends on it, but an address names one",
    )
    reading: tuple[tuple[str, str], ...] = several(
        readers.named_value, example="ptp_perfect=eight-hundred", group="rules"
    )
    method: str = defaulting(readers.text, "fide", example="fide", choices=tuple(METHODS))

    def answer(self) -> Performance:
        """The performance rating."""
        return performance(
            self.played(), on=self.day, method=cast("PerformanceMethod", self.method), readings=dict(self.reading)
        )
