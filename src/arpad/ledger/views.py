"""What is read out of a ledger: the list of a day, a person with every game, an event, and what changed and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.explain import text
from arpad.calculation.step import walk
from arpad.core import GlickoStanding, Player, Standing
from arpad.core.numbers import half_up
from arpad.core.tournaments import Entrant, Round, Tournament
from arpad.errors import BadInput
from arpad.ledger.book import PLAYED, Book, LedgerEvent, LedgerGame, Person
from arpad.ledger.decisions import Decision, canonical
from arpad.ledger.history import PoolHistory, RatedBatch, SetByHand
from arpad.ledger.incoming import Mover
from arpad.messages import Message, figure, say
from arpad.systems.answers import RatingChange

if TYPE_CHECKING:
    from arpad.systems.base import Calculation


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
    later: date | None = None  # in a pool by month: from when games count that were played before the day of the list

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
    days = [line.day for lines in history.lines.values() for line in lines if line.day > day and not live]
    return named(LedgerList(history.pool.name, history.pool.system, day, players, later=min(days, default=None)), book)


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


@dataclass(frozen=True)
class PersonPages:
    """The pages of a pool's people; `public` leaves out what only the club may see: IDs, former names, pseudonyms."""

    history: PoolHistory
    book: Book
    public: bool = False

    @cached_property
    def people(self) -> Mapping[str, Person]:
        """Everybody."""
        return self.book.persons()

    @cached_property
    def merged(self) -> Mapping[str, tuple[str, ...]]:
        """Those who were merged, by the person they are."""
        found: dict[str, tuple[str, ...]] = {}
        for id in self.book.merged:
            found[self.book.who(id)] = (*found.get(self.book.who(id), ()), id)
        return found

    @cached_property
    def _played(self) -> dict[int, dict[str, list[LedgerGame]]]:
        return {}

    def page(self, person: Person) -> PersonPage:
        """A person's page."""
        hidden = self.public and person.pseudonym is not None
        return PersonPage(
            id=person.id,
            name=person.shown if self.public else person.name,
            born=None if hidden else person.born,
            sex=person.sex,
            federation=person.federation,
            title=None if hidden else person.title,
            ids={} if self.public else person.ids,
            former=() if self.public else person.former,
            merged=self.merged.get(person.id, ()),
            pool=self.history.pool.name,
            rating=whole_rating(self.history.standings.get(person.id)),
            history=tuple(self._event(line, person.id) for line in self.history.lines.get(person.id, [])),
        )

    def _event(self, line: RatedBatch | SetByHand, id: str) -> PersonEvent:
        if isinstance(line, SetByHand):
            return PersonEvent((), (), line.day, None, whole_rating(line.after), decision=line.decision)
        answer = None if line.work is None else line.work()
        judged = [] if answer is None else list(answer.per_game)
        games = list(self._games(line, id))
        if len(judged) >= len(games):  # the games of a first rating are the last of all that count for it
            for place, judgement in enumerate(judged[len(judged) - len(games) :]):
                games[place] = replace(
                    games[place],
                    rating=None if judgement.opponent is None else half_up(Decimal(judgement.opponent)),
                    expected=judgement.expected,
                    change=judgement.change if isinstance(answer, RatingChange) else None,
                    why=None if judgement.why is None else str(judgement.why),
                )
        return PersonEvent(
            line.events,
            tuple(self.book.events[event].name for event in line.events),
            line.day,
            whole_rating(line.before),
            whole_rating(line.after),
            tuple(games),
            line.why,
            None if answer is None else _published(answer) if self.public else answer.explain(),
        )

    def _games(self, line: RatedBatch, id: str) -> Iterator[PersonGame]:
        who, people = self.book.who, self.people
        for number in line.events:
            event = self.book.events[number]
            for game in self._of(event).get(id, ()):
                white = who(event.entries[game.white].person)
                black = None if game.black is None else who(event.entries[game.black].person)
                other = black if id == white else white
                name = "" if other is None else people[other].shown if self.public else people[other].name
                colour = None if game.black is None else "white" if id == white else "black"
                score = game.score if id == white else game.other
                yield PersonGame(event.id, game.round, other, name, colour, score, game.how, None, None, None, None)

    def _of(self, event: LedgerEvent) -> Mapping[str, Sequence[LedgerGame]]:
        """Everybody's games in an event, found once for all of its people."""
        found = self._played.get(event.id)
        if found is None:
            found = self._played[event.id] = {}
            for game in sorted(event.games.values(), key=lambda game: (game.round, game.id)):
                numbers = [no for no in (game.white, game.black) if no is not None]
                sides = {self.book.who(event.entries[no].person) for no in numbers}
                for side in sides if len(sides) == len(numbers) else ():  # nobody plays against themselves
                    found.setdefault(side, []).append(game)
        return found


PRIVATE = ("born", "age")  # steps that only the club may see


def _published(answer: Calculation) -> str | None:
    """The working without anybody's birth; none if a formula has the age among its numbers."""
    for step in walk(*answer.trail):
        if step.formula is not None and any(reason.key in PRIVATE for reason in step.reasons()):
            return None
    return text(answer, without=PRIVATE)


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


def _result_in(row: Sequence[Any]) -> str:
    """The result in a game's row of the log, White first: `1–0`."""
    return f"{figure(Decimal(row[3]))}–{figure(Decimal(row[4]))}"


def _settings_in(body: Mapping[str, Any]) -> Iterator[str]:
    """What a decision set, in words; the days of a policy are in its sentence."""
    for name, value in body.items():
        if name == "policy":
            yield str(say(f"ledger.policy.{value}", window=body.get("window", 0)))
        elif name != "window" or "policy" not in body:
            yield str(say(f"ledger.set.{name}", **{name: value}))


def _about(decision: Decision, book: Book) -> str:
    """What a decision is about, in a few words."""
    body = decision.content
    kind = decision.kind
    names = book.people
    facts: dict[str, Callable[[], dict[str, Any]]] = {
        "settings": lambda: {"what": "; ".join(_settings_in(body))},
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
        "event": lambda: {"event": body["event"], "what": ", ".join(map(str, body["facts"].values()))},
        "event_out": lambda: {"event": body["event"]},
        "event_in": lambda: {"event": body["event"]},
        "game": lambda: {"game": body["game"], "event": body["event"], "result": _result_in(body["row"])},
        "game_out": lambda: {"game": body["game"], "event": body["event"]},
        "entry": lambda: {"entry": body["entry"], "event": body["event"], "name": names[body["person"]].name},
        "merge": lambda: {"name": names[body["person"]].name, "into": names[body["into"]].name},
        "split": lambda: {"name": names[body["person"]].name},
        "publish": lambda: {"number": body["number"], "pool": body["pool"], "day": body["day"]},
        "undo": lambda: {"decision": body["decision"]},
    }
    if kind == "event" and body["facts"].keys() == {"excluded"}:
        kind = "event_out" if body["facts"]["excluded"] else "event_in"
    elif kind == "game" and body["row"] is None:
        kind = "game_out"
    return str(say(f"ledger.about.{kind}", **facts[kind]()))
