"""What the log says: people, pools, events with entries and games, ratings set by hand, and the lists published.

`book_of` reads the log from its beginning; the same log always gives the same book. A decision that was undone has no
effect, and neither has a later one whose subject went with it: the book says which and why. People who were new in a
decision that was undone stay known, because later decisions may be about them; without games they are on no list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any, Literal, get_args

from arpad.core import SCORES, Pace
from arpad.ledger.decisions import Decision
from arpad.messages import Message, say

Period = Literal["event", "month"]
Policy = Literal["never", "revise", "window"]
GameEnd = Literal["played", "forfeit", "short"]  # how a game of two ended; a short one ended before both had moved
GameResult = Literal["1-0", "0-1", "1/2-1/2", "½-½", "1-0f", "0-1f"]  # White first; with f by forfeit
FIDE, CLUB = "fide", "club"  # the schemes of IDs
SCHEMES = (FIDE, CLUB)
EVENT, MONTH = "event", "month"
PERIODS = (EVENT, MONTH)  # what is rated at once: the games of one event, or of all events of a month
NEVER, REVISE, WINDOW = "never", "revise", "window"
POLICIES = (NEVER, REVISE, WINDOW)
PLAYED = "played"
GAME_ENDS: tuple[GameEnd, ...] = get_args(GameEnd)
FACTS = ("born", "sex", "federation", "title", "pseudonym")  # what is known about somebody, besides names and IDs


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, by the ledger's own number, with the names and IDs by which they are recognised."""

    id: str
    name: str
    born: int | None = None  # the year
    sex: str | None = None
    federation: str | None = None
    title: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict)
    former: tuple[str, ...] = ()  # names they had, or were reported with
    pseudonym: str | None = None  # shown in place of the name wherever the list is published
    since: int = 0  # the decision that made them known

    @property
    def names(self) -> tuple[str, ...]:
        """Every name they are known by."""
        return (self.name, *self.former)

    @property
    def shown(self) -> str:
        """The name that everybody may see."""
        return self.pseudonym or self.name


@dataclass(frozen=True, slots=True)
class RatingPool:
    """Games that are rated together: the system with its settings, a start value, and what is rated at once."""

    name: str
    system: str
    settings: Mapping[str, str] = field(default_factory=dict)
    start: Decimal | None = None  # the rating of somebody without one; None: as the system rates newcomers
    period: str = EVENT


@dataclass(frozen=True, slots=True)
class Reported:
    """A player as the submission has them."""

    no: int
    name: str
    born: int | None = None
    fide: str | None = None
    club: str | None = None
    rating: int | None = None
    sex: str | None = None
    federation: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A player in an event: as reported, and the person they were identified as."""

    reported: Reported
    person: str


@dataclass(frozen=True, slots=True)
class LedgerGame:
    """A game of an event between two entries, by their numbers; `black` is None for a bye."""

    id: int
    round: int
    white: int
    black: int | None
    score: Decimal  # White's
    other: Decimal  # Black's
    how: str = PLAYED


@dataclass(frozen=True, slots=True)
class LedgerEvent:
    """An event in a pool; if it is excluded, its games do not count."""

    id: int  # the number of the decision that accepted it
    name: str
    pool: str
    start: date
    end: date
    entries: Mapping[int, LedgerEntry]
    games: Mapping[int, LedgerGame]
    pace: Pace | None = None
    time_control: str | None = None
    excluded: bool = False
    submission: str | None = None

    @property
    def order(self) -> tuple[date, date, int]:
        """Its place among all events: by its last day, its first day, and its number."""
        return self.end, self.start, self.id


@dataclass(frozen=True, slots=True)
class SetRating:
    """A rating set by hand: what a system's `player` takes, from a day on."""

    person: str
    pool: str
    day: date
    facts: Mapping[str, str]
    source: str | None
    decision: int


@dataclass(frozen=True, slots=True)
class PublishedList:
    """A list that was published: its number in its pool, and its revision, 0 for the first."""

    decision: int
    pool: str
    day: date
    number: int
    revision: int
    fingerprint: str
    why: str


@dataclass(frozen=True, slots=True)
class Policies:
    """The settings of a ledger."""

    name: str = ""
    policy: str = NEVER
    window: int = 0  # days, for the policy `window`
    adult: int = 18  # people who are younger are on pages that search engines are told to leave out


@dataclass
class Book:
    """What the log says, up to its last decision."""

    last: int = 0
    settings: Policies = field(default_factory=Policies)
    people: dict[str, Person] = field(default_factory=dict)
    pools: dict[str, RatingPool] = field(default_factory=dict)
    events: dict[int, LedgerEvent] = field(default_factory=dict)
    ratings: dict[int, tuple[SetRating, ...]] = field(default_factory=dict)  # by decision
    merged: dict[str, str] = field(default_factory=dict)  # a person, and who they are
    published: list[PublishedList] = field(default_factory=list)
    undone: dict[int, int] = field(default_factory=dict)  # a decision, and the one that undid it
    idle: dict[int, Message] = field(default_factory=dict)  # decisions without effect, and why

    def who(self, person: str) -> str:
        """The person that somebody is, behind every merge."""
        while person in self.merged:
            person = self.merged[person]
        return person

    def persons(self) -> dict[str, Person]:
        """Everybody once: those who were merged are the person they are, with all that was known about either."""
        found = {id: person for id, person in self.people.items() if id not in self.merged}
        for id in self.merged:
            gone, stays = self.people[id], found[self.who(id)]
            names = dict.fromkeys((*stays.former, *gone.names))
            more: dict[str, Any] = {name: getattr(gone, name) for name in FACTS if getattr(stays, name) is None}
            found[stays.id] = replace(
                stays,
                former=tuple(name for name in names if name != stays.name),
                ids={**gone.ids, **stays.ids},
                **more,
            )
        return found

    def events_in(self, pool: str) -> list[LedgerEvent]:
        """The events that count in a pool, in their order, which is computed and never stored."""
        events = [event for event in self.events.values() if event.pool == pool and not event.excluded]
        return sorted(events, key=lambda event: event.order)

    def new_person(self) -> int:
        """The number of the next person."""
        return 1 + max((int(id[1:]) for id in self.people), default=0)


class NoEffect(Exception):  # it is no error: the decision is kept, and the book says why it does nothing
    """A decision is about something that is not there."""

    def __init__(self, said: Message) -> None:
        super().__init__(said)
        self.said = said


def book_of(log: Iterable[Decision]) -> Book:
    """The book of a log."""
    decisions = list(log)
    book = Book(undone=undone_in(decisions))
    for decision in decisions:
        _enter(book, decision)
    return book


def book_after(book: Book, decision: Decision, log: Sequence[Decision]) -> Book:
    """The book after one more decision; `log` has those before it. The book that is given stays as it is."""
    if decision.kind == "undo":
        return book_of([*log, decision])
    after = replace(
        book,
        people=dict(book.people),
        pools=dict(book.pools),
        events=dict(book.events),
        ratings=dict(book.ratings),
        merged=dict(book.merged),
        published=list(book.published),
        idle=dict(book.idle),
    )
    _enter(after, decision)
    return after


def _enter(book: Book, decision: Decision) -> None:
    body = decision.content
    if decision.number in book.undone:
        _know(book, body.get("people", ()), decision.number)
    else:
        try:
            APPLY[decision.kind](book, body, decision)
        except NoEffect as nothing:
            book.idle[decision.number] = nothing.said
    book.last = decision.number


def undone_in(log: Iterable[Decision]) -> dict[int, int]:
    """The decisions that do not count, each with the one that undid it; an undo that was undone does not count."""
    undone: dict[int, int] = {}
    for decision in reversed([one for one in log if one.kind == "undo"]):
        if decision.number not in undone:
            undone[decision.content["decision"]] = decision.number
    return undone


def _settings(book: Book, body: Mapping[str, Any], _: Decision) -> None:
    book.settings = replace(book.settings, **body)


def _pool(book: Book, body: Mapping[str, Any], _: Decision) -> None:
    if body["name"] in book.pools:
        raise NoEffect(say("ledger.idle.pool_exists", pool=body["name"]))
    start = body.get("start")
    book.pools[body["name"]] = RatingPool(
        body["name"],
        body["system"],
        body.get("settings", {}),
        None if start is None else Decimal(start),
        body.get("period", EVENT),
    )


def _know(book: Book, people: Iterable[Mapping[str, Any]], number: int) -> None:
    """Add people."""
    for facts in people:
        known = {**facts, "former": tuple(facts.get("former", ()))}
        book.people[facts["id"]] = Person(**known, since=number)


def _people(book: Book, body: Mapping[str, Any], decision: Decision) -> None:
    _know(book, body["people"], decision.number)
    _set(book, body.get("ratings", ()), decision.number)


def _set(book: Book, ratings: Iterable[Mapping[str, Any]], number: int) -> None:
    """Set ratings by hand."""
    found = []
    for one in ratings:
        _person(book, one["person"])
        _known_pool(book, one["pool"])
        day = date.fromisoformat(one["day"])
        found.append(SetRating(one["person"], one["pool"], day, one["facts"], one.get("source"), number))
    if found:
        book.ratings[number] = tuple(found)


def _rating(book: Book, body: Mapping[str, Any], decision: Decision) -> None:
    _set(book, [body], decision.number)


def _change_person(book: Book, body: Mapping[str, Any], _: Decision) -> None:
    person = _person(book, body["person"])
    facts = dict(body["facts"])
    if "name" in facts and facts["name"] != person.name:
        former = [name for name in (*person.former, person.name) if name != facts["name"]]
        facts["former"] = tuple(dict.fromkeys(former))
    if "ids" in facts:
        facts["ids"] = {name: value for name, value in {**person.ids, **facts["ids"]}.items() if value}
    book.people[person.id] = replace(person, **facts)


def _accept(book: Book, body: Mapping[str, Any], decision: Decision) -> None:
    _know(book, body.get("people", ()), decision.number)
    facts = body["event"]
    _known_pool(book, facts["pool"])
    entries = {}
    for one in body["entries"]:
        _person(book, one["person"])
        entries[one["reported"]["no"]] = LedgerEntry(Reported(**one["reported"]), one["person"])
    games = {}
    for place, one in enumerate(body["games"], start=1):
        games[place] = _game_of(place, one)
    pace = facts.get("pace")
    book.events[decision.number] = LedgerEvent(
        id=decision.number,
        name=facts["name"],
        pool=facts["pool"],
        start=date.fromisoformat(facts["start"]),
        end=date.fromisoformat(facts["end"]),
        entries=entries,
        games=games,
        pace=None if pace is None else Pace(*map(_plain, pace)),
        time_control=facts.get("time_control"),
        submission=decision.submission,
    )


def _plain(number: str) -> int | Decimal:
    exact = Decimal(number)
    return int(exact) if exact == int(exact) else exact


SCORE_OF = {str(score): score for score in SCORES}


def _game_of(place: int, one: list[Any]) -> LedgerGame:
    """A game from its row in the log: round, White, Black, White's score, Black's score, how it ended."""
    number, white, black, score, other, how = one
    return LedgerGame(place, number, white, black, SCORE_OF[score], SCORE_OF[other], how)


def game_row(game: LedgerGame) -> list[Any]:
    """A game as its row in the log."""
    return [game.round, game.white, game.black, str(game.score), str(game.other), game.how]


def _change_event(book: Book, body: Mapping[str, Any], _: Decision) -> None:
    event = _event(book, body["event"])
    facts = dict(body["facts"])
    if "pool" in facts:
        _known_pool(book, facts["pool"])
    for name in ("start", "end"):
        if name in facts:
            facts[name] = date.fromisoformat(facts[name])
    book.events[event.id] = replace(event, **facts)


def _game(book: Book, body: Mapping[str, Any], _: Decision) -> None:
    """A game added (with a number that is free), replaced, or removed (without a row)."""
    event, number = _event(book, body["event"]), body["game"]
    row, games = body.get("row"), dict(event.games)
    if body["new"] != (number not in games):
        raise NoEffect(say("ledger.idle.no_game", game=number, event=event.id))
    if row is None:
        del games[number]
    else:
        for no in (row[1], row[2]):
            if no is not None and no not in event.entries:
                raise NoEffect(say("ledger.idle.no_entry", entry=no, event=event.id))
        games[number] = _game_of(number, row)
    book.events[event.id] = replace(event, games=games)


def _entry(book: Book, body: Mapping[str, Any], decision: Decision) -> None:
    """An entry identified as somebody else; with a number that is free, somebody who was left out."""
    _know(book, body.get("people", ()), decision.number)
    event, person = _event(book, body["event"]), _person(book, body["person"])
    no = body["entry"]
    if "reported" in body:
        reported = Reported(**body["reported"])
    elif no in event.entries:
        reported = event.entries[no].reported
    else:
        raise NoEffect(say("ledger.idle.no_entry", entry=no, event=event.id))
    book.events[event.id] = replace(event, entries={**event.entries, no: LedgerEntry(reported, person.id)})


def _merge(book: Book, body: Mapping[str, Any], _: Decision) -> None:
    gone, stays = _person(book, body["person"]), _person(book, body["into"])
    if gone.id in book.merged or book.who(stays.id) == gone.id:
        raise NoEffect(say("ledger.idle.merged", person=gone.id, into=book.who(gone.id)))
    book.merged[gone.id] = stays.id


def _split(book: Book, body: Mapping[str, Any], _: Decision) -> None:
    person = _person(book, body["person"])
    if person.id not in book.merged:
        raise NoEffect(say("ledger.idle.not_merged", person=person.id))
    del book.merged[person.id]


def _publish(book: Book, body: Mapping[str, Any], decision: Decision) -> None:
    day = date.fromisoformat(body["day"])
    book.published.append(
        PublishedList(
            decision.number, body["pool"], day, body["number"], body["revision"], body["fingerprint"], decision.why
        )
    )


def _undo(book: Book, body: Mapping[str, Any], decision: Decision) -> None:
    """What it undoes has been left out already."""


APPLY: Mapping[str, Callable[[Book, Mapping[str, Any], Decision], None]] = {
    "settings": _settings,
    "pool": _pool,
    "people": _people,
    "person": _change_person,
    "rating": _rating,
    "accept": _accept,
    "event": _change_event,
    "game": _game,
    "entry": _entry,
    "merge": _merge,
    "split": _split,
    "publish": _publish,
    "undo": _undo,
}


def _person(book: Book, id: str) -> Person:
    if id not in book.people:
        raise NoEffect(say("ledger.idle.no_person", person=id))
    return book.people[id]


def _event(book: Book, id: int) -> LedgerEvent:
    if id not in book.events:
        raise NoEffect(say("ledger.idle.no_event", event=id))
    return book.events[id]


def _known_pool(book: Book, name: str) -> None:
    if name not in book.pools:
        raise NoEffect(say("ledger.idle.no_pool", pool=name))
