"""What is read out of a ledger: the list of a day, a person with every game, an event, and what changed and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Any, NamedTuple

from arpad.core import GlickoStanding, Player, Standing
from arpad.core.numbers import half_up
from arpad.core.tournaments import Entrant, Round, Tournament
from arpad.errors import BadInput
from arpad.ledger.book import PLAYED, Book, LedgerEvent, Person
from arpad.ledger.decisions import Decision, canonical
from arpad.ledger.history import PoolHistory, RatedBatch, SetByHand
from arpad.ledger.incoming import Mover
from arpad.messages import Message, say
from arpad.systems.answers import RatingChange


@dataclass(frozen=True, slots=True)
class ListLine:
    """A person on a list: the place, the rating, and the games so far."""

    rank: int
    id: str
    rating: int
    deviation: int | None
    games: int
    last: date | None  # the day of the last event
    name: str = ""
    born: int | None = None
    sex: str | None = None


@dataclass(frozen=True, slots=True)
class LedgerList:
    """The list of a pool on a day; its fingerprint is that of people and ratings, whatever they are called."""

    pool: str
    system: str
    day: date
    players: tuple[ListLine, ...]
    number: int | None = None  # of a published list
    revision: int = 0

    @property
    def content(self) -> bytes:
        """The list without names, always with the same bytes for the same ratings."""
        rows = [
            [line.rank, line.id, line.rating, line.deviation, line.games, line.last and line.last.isoformat()]
            for line in self.players
        ]
        about = {"pool": self.pool, "system": self.system, "date": self.day.isoformat(), "players": rows}
        return canonical(about).encode()

    @property
    def fingerprint(self) -> str:
        """The digest of the content."""
        return sha256(self.content).hexdigest()

    def only(
        self, *, women: bool = False, born_since: int | None = None, active_since: date | None = None
    ) -> LedgerList:
        """Women, those born in a year or later, or those who played since a day; ranks stay those of the whole list."""
        players = tuple(
            line
            for line in self.players
            if (not women or line.sex == "w")
            and (born_since is None or (line.born is not None and line.born >= born_since))
            and (active_since is None or (line.last is not None and line.last >= active_since))
        )
        return replace(self, players=players)


def whole_rating(standing: Standing | None) -> int | None:
    """A rating as lists show it."""
    return None if standing is None or standing.rating is None else half_up(Decimal(standing.rating))


def list_of(history: PoolHistory, book: Book, day: date, *, live: bool = False) -> LedgerList:
    """The list of a day; `live` includes the running month of a pool by month."""
    found = []
    for person, lines in history.lines.items():
        standing = history.standings.get(person) if live else history.on(person, day)
        rating = whole_rating(standing)
        if standing is None or rating is None:
            continue
        rated = [line for line in lines if isinstance(line, RatedBatch) and (live or line.day <= day)]
        last = max((book.events[event].end for line in rated for event in line.events), default=None)
        deviation = getattr(standing, "deviation", None) if isinstance(standing, GlickoStanding) else None
        found.append(
            ListLine(
                0,
                person,
                rating,
                None if deviation is None else half_up(Decimal(deviation)),
                sum(line.games for line in rated),
                last,
            )
        )
    found.sort(key=lambda line: (-line.rating, line.id))
    ranks: dict[int, int] = {}
    for place, line in enumerate(found, start=1):
        ranks.setdefault(line.rating, place)
    players = tuple(replace(line, rank=ranks[line.rating]) for line in found)
    return named(LedgerList(history.pool.name, history.pool.system, day, players), book)


def named(listed: LedgerList, book: Book) -> LedgerList:
    """A list with names, in alphabetical order where ratings are equal."""
    people = book.persons()
    lines = []
    for line in listed.players:
        person = people[book.who(line.id)]
        lines.append(replace(line, name=person.shown, born=person.born, sex=person.sex))
    return replace(listed, players=tuple(sorted(lines, key=lambda line: (line.rank, line.name))))


def list_from(content: bytes, book: Book) -> LedgerList:
    """A published list from its content."""
    about = json.loads(content)
    players = tuple(
        ListLine(rank, id, rating, deviation, games, None if last is None else date.fromisoformat(last))
        for rank, id, rating, deviation, games, last in about["players"]
    )
    return named(LedgerList(about["pool"], about["system"], date.fromisoformat(about["date"]), players), book)


@dataclass(frozen=True, slots=True)
class PersonGame:
    """A game on a person's page: the opponent, the result, and what it did."""

    event: int
    round: int
    opponent: str | None  # the person's number
    name: str
    colour: str | None
    score: Decimal
    how: str
    rating: int | None  # the opponent's, as it counted
    expected: Decimal | None
    change: Decimal | None
    why: str | None


@dataclass(frozen=True, slots=True)
class PersonEvent:
    """What an event, or the events of a month, did to a person; or a rating set by hand."""

    events: tuple[int, ...]
    names: tuple[str, ...]
    day: date
    before: int | None
    after: int | None
    games: tuple[PersonGame, ...] = ()
    why: Message | None = None
    working: str | None = None
    decision: int | None = None  # that set it by hand


@dataclass(frozen=True, slots=True)
class PersonPage:
    """A person in a pool: who they are, the rating, and how it came about."""

    id: str
    name: str
    born: int | None
    sex: str | None
    federation: str | None
    title: str | None
    ids: Mapping[str, str]
    former: tuple[str, ...]
    merged: tuple[str, ...]
    pool: str
    rating: int | None
    history: tuple[PersonEvent, ...]


def person_page(history: PoolHistory, book: Book, person: Person, *, public: bool = False) -> PersonPage:
    """A person's page; `public` leaves out what only the club may see: IDs, former names, who has a pseudonym."""
    lines = history.lines.get(person.id, [])
    hidden = public and person.pseudonym is not None
    people = book.persons()
    return PersonPage(
        id=person.id,
        name=person.shown if public else person.name,
        born=None if hidden else person.born,
        sex=person.sex,
        federation=person.federation,
        title=None if hidden else person.title,
        ids={} if public else person.ids,
        former=() if public else person.former,
        merged=tuple(id for id in book.merged if book.who(id) == person.id),
        pool=history.pool.name,
        rating=whole_rating(history.standings.get(person.id)),
        history=tuple(_person_event(line, book, people, person.id, public=public) for line in lines),
    )


def _person_event(
    line: RatedBatch | SetByHand, book: Book, people: Mapping[str, Person], id: str, *, public: bool
) -> PersonEvent:
    if isinstance(line, SetByHand):
        return PersonEvent((), (), line.day, None, whole_rating(line.after), decision=line.decision)
    answer = None if line.work is None else line.work()
    judged = [] if answer is None else list(answer.per_game)
    games = list(_person_games(line, book, people, id, public=public))
    if len(judged) >= len(games):  # the games of a first rating are the last of all that count for it
        for place, judgement in enumerate(judged[len(judged) - len(games) :]):
            why = None if judgement.why is None else str(judgement.why)
            games[place] = replace(
                games[place],
                rating=None if judgement.opponent is None else half_up(Decimal(judgement.opponent)),
                expected=judgement.expected,
                change=judgement.change if isinstance(answer, RatingChange) else None,
                why=why,
            )
    return PersonEvent(
        line.events,
        tuple(book.events[event].name for event in line.events),
        line.day,
        whole_rating(line.before),
        whole_rating(line.after),
        tuple(games),
        line.why,
        None if answer is None else answer.explain(),
    )


def _person_games(
    line: RatedBatch, book: Book, people: Mapping[str, Person], id: str, *, public: bool
) -> Iterator[PersonGame]:
    for number in line.events:
        event = book.events[number]
        for game in sorted(event.games.values(), key=lambda game: (game.round, game.id)):
            white = book.who(event.entries[game.white].person)
            black = None if game.black is None else book.who(event.entries[game.black].person)
            if id not in (white, black) or white == black:
                continue
            other = black if id == white else white
            name = "" if other is None else people[other].shown if public else people[other].name
            colour = None if game.black is None else "white" if id == white else "black"
            score = game.score if id == white else game.other
            yield PersonGame(event.id, game.round, other, name, colour, score, game.how, None, None, None, None)


def moved(before: PoolHistory, after: PoolHistory, old: Book, new: Book) -> tuple[Mover, ...]:
    """Everybody whose rating differs between two histories, the largest change first, and the event through which.

    That is the first line of their history that differs.
    """
    people = new.persons() | {id: person for id, person in old.persons().items() if id not in new.people}
    movers = []
    for person in dict.fromkeys((*before.lines, *after.lines)):
        was, now = (whole_rating(history.standings.get(person)) for history in (before, after))
        if was == now or (was is None and now is None):
            continue
        who = person if person in people else new.who(person)
        movers.append(
            Mover(
                person,
                people[who].name,
                None if was is None else Decimal(was),
                None if now is None else Decimal(now),
                _first_difference(before.lines.get(person, []), after.lines.get(person, []), old, new),
            )
        )
    return tuple(sorted(movers, key=lambda one: (-abs(one.change or Decimal(0)), one.name)))


def _first_difference(
    one: list[RatedBatch | SetByHand], other: list[RatedBatch | SetByHand], old: Book, new: Book
) -> str | None:
    """The name of the first event that is different in two histories of a person."""
    for place in range(max(len(one), len(other))):
        here, there = (lines[place] if place < len(lines) else None for lines in (one, other))
        if _told(here) == _told(there):
            continue
        gone, came = _events(one) - _events(other), _events(other) - _events(one)
        for line, book, alone in ((there, new, came), (here, old, gone), (there, new, None), (here, old, None)):
            if isinstance(line, SetByHand) and alone is None:
                return str(say("ledger.set_by_hand", day=line.day))
            if isinstance(line, RatedBatch):
                events = [event for event in line.events if alone is None or event in alone]
                if events:
                    return book.events[events[-1]].name
    return None


def _events(lines: list[RatedBatch | SetByHand]) -> set[int]:
    return {event for line in lines if isinstance(line, RatedBatch) for event in line.events}


def _told(line: RatedBatch | SetByHand | None) -> tuple[Any, ...]:
    if line is None:
        return ()
    if isinstance(line, SetByHand):
        return (line.day, line.after)
    return (line.events, line.before, line.after, line.games, line.score)


def tournament_of(event: LedgerEvent, book: Book) -> Tournament:
    """An event as it counts, with its corrections, as a tournament for other programs."""
    people = book.persons()
    rounds = max((game.round for game in event.games.values()), default=0)
    cells: dict[int, list[Round]] = {no: [Round("absent")] * rounds for no in event.entries}
    extra = 0
    for game in event.games.values():
        if game.black is None:
            cells[game.white][game.round - 1] = Round(game.how, score=None)
            continue
        for no, opponent, colour, score in (
            (game.white, game.black, "white", game.score),
            (game.black, game.white, "black", game.other),
        ):
            if cells[no][game.round - 1].kind != "absent":
                extra += 1
            cells[no][game.round - 1] = Round(PLAYED if game.how == PLAYED else game.how, opponent, colour, score)
    if extra:
        raise BadInput(say("ledger.two_in_a_round", event=event.name), at="event")
    entrants = []
    for no, entry in sorted(event.entries.items()):
        person = people[book.who(entry.person)]
        fide: Any = person.ids.get("fide")
        facts: dict[str, Any] = {"title": person.title, "sex": person.sex, "federation": person.federation}
        player = Player(
            entry.reported.rating,
            name=person.name,
            birth_year=person.born,
            fide_id=int(fide) if fide else None,
            **facts,
        )
        entrants.append(Entrant(no, player, tuple(cells[no])))
    return Tournament(
        tuple(entrants),
        name=event.name,
        start=event.start,
        end=event.end,
        time_control=event.time_control,
        rounds=rounds,
    )


class LogLine(NamedTuple):
    """A decision as people read it."""

    number: int
    kind: str
    who: str
    at: str
    why: str
    about: str
    undone: int | None
    idle: Message | None


def log_lines(log: Sequence[Decision], book: Book) -> tuple[LogLine, ...]:
    """The log as people read it."""
    return tuple(
        LogLine(
            one.number, one.kind, one.who, one.at, one.why, _about(one, book), book.undone.get(one.number),
            book.idle.get(one.number),
        )
        for one in log
    )  # fmt: skip


def _about(decision: Decision, book: Book) -> str:
    """What a decision is about, in a few words."""
    body = decision.content
    kind = decision.kind
    names = book.people
    facts: dict[str, Callable[[], dict[str, Any]]] = {
        "settings": lambda: {"what": ", ".join(f"{key} {value}" for key, value in body.items())},
        "pool": lambda: {"pool": body["name"], "system": body["system"]},
        "people": lambda: {"people": len(body["people"]), "ratings": len(body["ratings"])},
        "person": lambda: {"name": names[body["person"]].name, "what": ", ".join(sorted(body["facts"]))},
        "rating": lambda: {
            "name": names[body["person"]].name,
            "day": body["day"],
            "rating": body["facts"].get("rating", "–"),
        },
        "accept": lambda: {
            "event": body["event"]["name"],
            "players": len(body["entries"]),
            "games": len(body["games"]),
        },
        "event": lambda: {"event": body["event"], "what": ", ".join(sorted(body["facts"]))},
        "game": lambda: {"game": body["game"], "event": body["event"]},
        "entry": lambda: {"entry": body["entry"], "event": body["event"], "name": names[body["person"]].name},
        "merge": lambda: {"name": names[body["person"]].name, "into": names[body["into"]].name},
        "split": lambda: {"name": names[body["person"]].name},
        "publish": lambda: {"number": body["number"], "pool": body["pool"], "day": body["day"]},
        "undo": lambda: {"decision": body["decision"]},
    }
    return str(say(f"ledger.about.{kind}", **facts[kind]()))
