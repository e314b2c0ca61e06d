"""Every event of a pool rated in its order: everybody's standing after each event or month, and the working.

The order is computed from last day, first day and number, and everybody is rated by the standings before what is rated
at once: one event, or all events that ended in a month. In a pool by month an event is played with the list ratings of
the month in which it began, and its result counts from the first day of the month after it ended.

The systems do the rating; here it is only said who has which standing before, and what becomes of the answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import EloStanding, Event, Game, GlickoStanding, How, Player, Standing
from arpad.core.players import DwzStanding
from arpad.errors import ArpadError, BadInput
from arpad.ledger.book import MONTH, PLAYED, Book, LedgerEvent, Person, RatingPool, SetRating
from arpad.messages import Message, say
from arpad.systems import SYSTEMS, system, systems_using
from arpad.systems.answers import FirstRating, RatingChange
from arpad.systems.base import Competitor, Met, NationalSystem
from arpad.systems.uschess import UsChess, UsChessStanding

if TYPE_CHECKING:
    from arpad.systems.base import Calculation, System

BYES = ("bye",)


class RatedBatch(NamedTuple):
    """What one event, or the events of one month, did to a person."""

    events: tuple[int, ...]
    day: date  # from which the new standing counts
    before: Standing
    after: Standing
    games: int
    score: Decimal
    why: Message | None = None  # why there is no new rating
    work: Callable[[], Calculation | None] | None = None

    @property
    def change(self) -> Decimal | None:
        """The difference of the two ratings; None if one of them is missing."""
        if self.before.rating is None or self.after.rating is None:
            return None
        return Decimal(self.after.rating) - Decimal(self.before.rating)


class SetByHand(NamedTuple):
    """A rating set by hand."""

    day: date
    after: Standing
    decision: int
    source: str | None


@dataclass
class PoolHistory:
    """A pool after its last event: everybody's standing, and how it came about."""

    pool: RatingPool
    system: System
    standings: dict[str, Standing] = field(default_factory=dict)
    lines: dict[str, list[RatedBatch | SetByHand]] = field(default_factory=lambda: defaultdict(list))
    refused: dict[int, Message] = field(default_factory=dict)  # events that could not be rated, and why

    def on(self, person: str, day: date) -> Standing | None:
        """A person's standing on a day; None if they had none yet."""
        found = None
        for line in self.lines.get(person, ()):
            if line.day > day:
                break
            found = line.after
        return found


def rating_system(pool: RatingPool) -> System:
    """The system of a pool with its settings."""
    readings = {name.removeprefix("reading."): value for name, value in pool.settings.items() if "." in name}
    settings: dict[str, Any] = {name: value for name, value in pool.settings.items() if "." not in name}
    return system(pool.system, **settings, **({"readings": readings} if readings else {}))


def usual_period(name: str) -> str:
    """What a system rates at once: FIDE, England's and Glickman's systems a month, the others an event."""
    return MONTH if name.startswith(("fide-", "ecf", "glicko")) else "event"


def check_pool(pool: RatingPool) -> None:
    """Refuse a pool whose system needs what nobody said: a start value, or one event at a time."""
    chosen = rating_system(pool)
    listing = SYSTEMS[chosen.base]
    starts = not isinstance(chosen, UsChess) and chosen.base not in systems_using("deviation")
    if pool.start is None and "first" in listing.lacks and starts:
        raise BadInput(say("ledger.needs_start", system=pool.system), at="start")
    together = isinstance(chosen, NationalSystem) and chosen.rates_together
    if pool.period == MONTH and ("period" in listing.lacks or together):
        raise BadInput(say("ledger.by_event", system=pool.system), at="period")
    if pool.start is not None:
        _start(pool, chosen)


def _start(pool: RatingPool, chosen: System) -> Standing:
    """The standing of somebody who has not played yet."""
    if isinstance(chosen, UsChess):
        return UsChessStanding(games=0, start=None if pool.start is None else _whole(pool.start))
    kind = chosen.standing
    facts: dict[str, Any] = {} if pool.start is None else {"rating": _whole(pool.start)}
    if kind is EloStanding:
        facts["games"] = 0
    return kind(**facts)


def _whole(number: Decimal) -> int | Decimal:
    return int(number) if number == int(number) else number


def standing_from(facts: Mapping[str, str], chosen: System) -> Standing:
    """A standing from the facts of a rating set by hand; raises BadInput for what the system does not use."""
    known: dict[str, Any] = {name: _number(value) for name, value in facts.items()}
    if isinstance(chosen, UsChess):
        names = {one.name for one in fields(UsChessStanding)}
        if not known.keys() <= names:
            raise BadInput(say("ledger.no_fact", facts=sorted(known.keys() - names), known=sorted(names)), at="facts")
        return UsChessStanding(**known)
    return chosen.player(known.pop("rating", None), **known).standing


def _number(value: str) -> int | Decimal | str:
    try:
        return _whole(Decimal(value))
    except ArithmeticError:
        return value


def replay(
    book: Book, pool: str, *, until: date | None = None, keep: Callable[[str], bool] | None = None
) -> PoolHistory:
    """A pool's history from its first event; `until` leaves out later events, `keep` says whose working is kept."""
    chosen = book.pools[pool]
    history = PoolHistory(chosen, rating_system(chosen))
    people = book.persons()
    events = [event for event in book.events_in(pool) if until is None or event.end <= until]
    by_hand = sorted(
        (
            one
            for group in book.ratings.values()
            for one in group
            if one.pool == pool and (until is None or one.day <= until)
        ),
        key=lambda one: (one.day, one.decision),
    )
    run = _Run(book, people, history, keep or (lambda _: False))
    batches = _batches(events, chosen.period)
    for batch in batches:
        last = batch[-1].end if chosen.period != MONTH else _next_month(batch[-1].end) - timedelta(days=1)
        while by_hand and by_hand[0].day <= last:
            run.set(by_hand.pop(0))
        run.rate(batch)
    for one in by_hand:
        run.set(one)
    return history


def _batches(events: Sequence[LedgerEvent], period: str) -> list[list[LedgerEvent]]:
    """What is rated at once, in order."""
    if period != MONTH:
        return [[event] for event in events]
    return [list(group) for _, group in groupby(events, key=lambda event: (event.end.year, event.end.month))]


def _next_month(day: date) -> date:
    """The first day of the month after a day."""
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


def _months(since: date, until: date) -> int:
    return (until.year - since.year) * 12 + until.month - since.month


class OneGame(NamedTuple):
    """A game of a person: the opponent (None for a bye), the score, the colour and how it ended."""

    opponent: str | None
    score: Decimal
    colour: str | None
    how: How


class _Run:
    """The events of a pool, one batch after the other."""

    def __init__(
        self, book: Book, people: Mapping[str, Person], history: PoolHistory, keep: Callable[[str], bool]
    ) -> None:
        self.book, self.people, self.history, self.keep = book, people, history, keep
        self.system, self.pool = history.system, history.pool
        self.standings = history.standings
        self.start = _start(self.pool, self.system)
        self.last: dict[str, date] = {}  # the day that somebody's standing is of
        self.earlier: dict[str, list[Event]] = defaultdict(list)  # events of people without a rating
        self.uncertain = self.system.base in systems_using("idle")

    def set(self, one: SetRating) -> None:
        """Take over a rating set by hand."""
        person = self.book.who(one.person)
        standing = standing_from(one.facts, self.system)
        self.standings[person] = standing
        self.last[person] = one.day
        self.earlier.pop(person, None)
        self.history.lines[person].append(SetByHand(one.day, standing, one.decision, one.source))

    def rate(self, batch: Sequence[LedgerEvent]) -> None:
        """Rate one event, or the events of one month."""
        games = {event.id: self._games(event) for event in batch}
        if isinstance(self.system, NationalSystem) and self.system.rates_together:
            (event,) = batch
            self._together(event, games[event.id])
        else:
            self._each(batch, games)

    def _games(self, event: LedgerEvent) -> dict[str, list[OneGame]]:
        """Everybody's games in an event; a game of somebody against themselves is left out, and the history says so."""
        found: dict[str, list[OneGame]] = {}
        persons = {no: self.book.who(entry.person) for no, entry in event.entries.items()}
        for game in sorted(event.games.values(), key=lambda game: (game.round, game.id)):
            white = persons[game.white]
            if game.black is None:
                found.setdefault(white, []).append(OneGame(None, game.score, None, "bye"))
                continue
            black = persons[game.black]
            if white == black:
                self.history.refused[event.id] = say("ledger.oneself", name=self.people[white].name)
                continue
            how: Any = game.how
            found.setdefault(white, []).append(OneGame(black, game.score, "white", how))
            found.setdefault(black, []).append(OneGame(white, game.other, "black", how))
        return found

    def _player(self, person: str, day: date) -> Player:
        """A person with their standing before a day; where deviations grow without games, with the idle time."""
        standing = self.standings.get(person, self.start)
        if self.uncertain and isinstance(standing, GlickoStanding) and person in self.last:
            idle = self._idle(self.last[person], day)
            standing = replace(standing, idle=idle) if idle > 0 else standing
        about = self.people[person]
        return Player(standing, birth_year=about.born, name=about.name)

    def _idle(self, since: date, day: date) -> int:
        """The time without games: days on Lichess, whole months in a pool by month; else deviations do not grow."""
        if self.system.base == "lichess":
            return (day - since).days
        return max(0, _months(since, day) - 1) if self.pool.period == MONTH else 0

    def _each(self, batch: Sequence[LedgerEvent], games: Mapping[int, Mapping[str, list[OneGame]]]) -> None:
        """Everybody separately, by the standings before the batch."""
        last = max(event.end for event in batch)
        monthly = self.pool.period == MONTH
        counts_from = _next_month(last) if monthly else last
        cache: dict[tuple[str, date], Player] = {}

        def before(person: str, day: date) -> Player:
            """A person as they were on the list of a day: in a pool by month, of the month in which an event began."""
            key = (person, day.replace(day=1) if monthly else day)
            if key not in cache:
                listed = self._player(person, last)
                if monthly and _months(day, last) > 0:
                    then = self.history.on(person, day)
                    listed = replace(listed, standing=self.start if then is None else then)
                cache[key] = listed
            return cache[key]

        results: list[tuple[str, RatedBatch]] = []
        for person in dict.fromkeys(person for event in batch for person in games[event.id]):
            events = []
            for event in batch:
                played = games[event.id].get(person)
                if played:
                    own = before(person, event.start).standing.rating
                    events.append(
                        Event(
                            tuple(
                                Game(
                                    None if one.opponent is None else before(one.opponent, event.start),
                                    one.score,
                                    one.how,
                                    colour=one.colour,  # type: ignore[arg-type]  # white, black or None
                                )
                                for one in played
                            ),
                            rating=own if monthly else None,
                            on=event.start,
                            name=event.name,
                            pace=event.pace,
                            ended=event.end,
                        )
                    )
            ids = tuple(event.id for event in batch if person in games[event.id])
            results.append((person, self._rated(person, self._player(person, last), events, ids, last, counts_from)))
        for person, rated in results:
            self._enter(person, rated, last)

    def _rated(
        self, person: str, player: Player, events: list[Event], ids: tuple[int, ...], last: date, counts_from: date
    ) -> RatedBatch:
        """What the events did to a person, or why they did nothing."""
        day = self._day(events[0].on or last, last)
        played = [game for event in events for game in event.games if game.how == PLAYED]
        games, score = len(played), sum((game.score for game in played), Decimal(0))
        unrated = player.rating_used is None and "first" not in SYSTEMS[self.system.base].lacks
        if unrated:
            self.earlier[person] += events
        work = partial(self._answer, player, tuple(self.earlier[person] if unrated else events), day, unrated=unrated)
        why = None
        after = player.standing
        try:
            answer = work()
        except ArpadError as error:
            why = error.said
        else:
            after = self._after(player, answer)
            if after.rating is None and isinstance(answer, FirstRating):
                why = say("ledger.not_yet", missing=list(answer.missing))
            elif unrated:
                del self.earlier[person]
        kept = work if self.keep(person) else None
        return RatedBatch(ids, counts_from, _plain(player.standing), _plain(after), games, score, why, kept)

    def _day(self, began: date, ended: date) -> date:
        """The day whose rules apply."""
        if isinstance(self.system, NationalSystem):
            return self.system.event_day(began, ended)
        return ended if self.pool.period == MONTH else began

    def _answer(self, player: Player, events: Sequence[Event], day: date, *, unrated: bool) -> Calculation:
        if unrated:
            return self.system.first_rating(events, on=day)
        if self.system.base.startswith(("dwz", "icu")) or self.pool.period == MONTH:
            return self.system.rate_period(player, events, on=day)
        return self.system.rate(player, events[0].games, on=day, pace=events[0].pace)

    def _after(self, player: Player, answer: Calculation) -> Standing:
        """The standing after an answer."""
        if isinstance(answer, RatingChange):
            return self.system.after(player, answer).standing
        standing = player.standing
        if answer.rating is None:
            return standing
        counted = sum(game.rated for game in answer.per_game)
        if isinstance(standing, DwzStanding):
            return DwzStanding(answer.rating, index=1)
        if isinstance(standing, EloStanding):
            before = standing.games or 0
            return replace(standing, rating=answer.rating, games=before + counted, peak=answer.rating)
        return replace(standing, rating=answer.rating)

    def _together(self, event: LedgerEvent, games: Mapping[str, list[OneGame]]) -> None:
        """Everybody at once, as the ICU and US Chess do."""
        chosen: Any = self.system
        numbers = {person: no for no, person in enumerate(games, start=1)}
        field = {
            no: Competitor(
                no,
                self._player(person, event.end),
                None,
                tuple(
                    Met(
                        None if one.opponent is None else numbers[one.opponent],
                        Game(
                            None if one.opponent is None else self._player(one.opponent, event.end),
                            one.score,
                            one.how,
                            colour=one.colour,  # type: ignore[arg-type]  # white, black or None
                        ),
                    )
                    for one in games[person]
                ),
            )
            for person, no in numbers.items()
        }
        day = chosen.event_day(event.start, event.end)
        about = Event((), on=event.start, name=event.name, pace=event.pace, ended=event.end)
        try:
            answers = chosen.rate_field(field, about, day) if field else {}
        except ArpadError as error:
            self.history.refused[event.id] = error.said
            answers = {}
        for person, no in numbers.items():
            competitor, answer = field[no], answers.get(no)
            standing = competitor.player.standing
            after = standing if answer is None else self._section_after(competitor, answer)
            played = [one for one in games[person] if one.how == PLAYED]
            score = sum((one.score for one in played), Decimal(0))
            why = self.history.refused.get(event.id) if answer is None else None
            work = partial(_same, answer) if answer is not None and self.keep(person) else None
            rated = RatedBatch((event.id,), event.end, standing, after, len(played), score, why, work)
            self._enter(person, rated, event.end)

    def _section_after(self, competitor: Competitor, answer: Calculation) -> Standing:
        standing = competitor.player.standing
        if not isinstance(standing, UsChessStanding):
            if isinstance(answer, FirstRating):
                if answer.rating is None:
                    return standing
                before = standing.games or 0 if isinstance(standing, EloStanding) else 0
                counted = sum(game.rated for game in answer.per_game)
                return EloStanding(answer.rating, games=before + counted)
            return self.system.after(competitor.player, answer).standing
        new: Any = answer.new_rating if isinstance(answer, RatingChange) else answer.rating
        played = [met.game for met in competitor.games if met.game.how == PLAYED]
        peak = max(rating for rating in (standing.peak, standing.rating, new) if rating is not None)
        return replace(
            standing, rating=new, games=None if standing.games is None else standing.games + len(played), peak=peak,
            start=None,
        )  # fmt: skip

    def _enter(self, person: str, rated: RatedBatch, last: date) -> None:
        self.history.lines[person].append(rated)
        if rated.why is None:
            self.standings[person] = rated.after
            self.last[person] = last


def _same(answer: Calculation) -> Calculation:
    return answer


def _plain(standing: Standing) -> Standing:
    """A standing without the idle time, which belongs to a day."""
    return replace(standing, idle=None) if isinstance(standing, GlickoStanding) else standing
