"""Every event of a pool rated in its order: everybody's standing after each event or month, and the working.

The order is computed from last day, first day and number, and everybody is rated by the standings before what is rated
at once: one event, or all events that ended in a month. In a pool by month an event is played with the list ratings of
the month in which it began, and its result counts from the first day of the month after it ended.

The systems do the rating; here it is only said who has which standing before, and what becomes of the answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import EloStanding, Event, Game, GlickoStanding, How, Player, Standing
from arpad.core.players import DwzStanding
from arpad.errors import ArpadError, BadInput
from arpad.ledger.book import MONTH, PLAYED, Book, LedgerEvent, Person, RatingPool, SetRating
from arpad.ledger.history import PoolHistory, RatedBatch, SetByHand, StandingBefore, Step, StepTaken
from arpad.ledger.quick import Quick, QuickEvent, quick_of
from arpad.messages import say
from arpad.systems import FACTS, SYSTEMS, facts_used_by, system, systems_using
from arpad.systems.answers import FirstRating, RatingChange
from arpad.systems.base import Competitor, Met, NationalSystem
from arpad.systems.glicko.rating import GlickoSystem
from arpad.systems.uschess import UsChess, UsChessStanding

if TYPE_CHECKING:
    from arpad.systems.base import Calculation, System


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
    unknown = known.keys() - {"rating", *FACTS}  # what another system uses is refused by this one
    if unknown:
        used = ["rating", *facts_used_by(chosen.base)]
        raise BadInput(say("ledger.no_fact", facts=sorted(unknown), known=used), at="facts")
    return chosen.player(known.pop("rating", None), **known).standing


def _number(value: str) -> int | Decimal | str:
    try:
        return _whole(Decimal(value))
    except ArithmeticError:
        return value


def replay(
    book: Book,
    pool: str,
    *,
    until: date | None = None,
    keep: Callable[[str], bool] | None = None,
    since: date | None = None,
    base: PoolHistory | None = None,
) -> PoolHistory:
    """A pool's history from its first event; `until` leaves out later events, `keep` says whose working is kept.

    The working is kept of what counts from the day `since` on, by default of everything. With `base`, a history of the
    same pool by another state of the book, only what is different is rated: both begin with the same events.
    """
    chosen = book.pools[pool]
    people = book.persons()
    facts = {id: (who := book.who(id), people[who].born, people[who].name) for id in book.people}
    steps = _steps(book, chosen, until)
    if base is None or base.pool != chosen or keep is not None:
        history = PoolHistory(chosen, rating_system(chosen))
    else:
        history = base.back_to(_shared(base, steps, facts))
    history.facts = facts
    run = _Run(book, people, history, keep or (lambda _: False), since or date.min)
    for step in steps[len(history.done) :]:
        run.do(step)
    return history


def _steps(book: Book, pool: RatingPool, until: date | None) -> list[Step]:
    """What is to be rated, in order: ratings set by hand, and events that are rated at once."""
    events = [event for event in book.events_in(pool.name) if until is None or event.end <= until]
    by_hand = deque(
        sorted(
            (
                one
                for group in book.ratings.values()
                for one in group
                if one.pool == pool.name and (until is None or one.day <= until)
            ),
            key=lambda one: (one.day, one.decision),
        )
    )
    steps: list[Step] = []
    for batch in _batches(events, pool.period):
        last = batch[-1].end if pool.period != MONTH else _next_month(batch[-1].end) - timedelta(days=1)
        while by_hand and by_hand[0].day <= last:
            steps.append(by_hand.popleft())
        steps.append(tuple(batch))
    return [*steps, *by_hand]


def _shared(base: PoolHistory, steps: Sequence[Step], facts: Mapping[str, tuple[Any, ...]]) -> int:
    """How many steps a history has at its beginning that would be rated in the same way now."""
    changed = {id for id in {*base.facts, *facts} if base.facts.get(id) != facts.get(id)}
    for place, (done, step) in enumerate(zip(base.done, steps, strict=False)):
        if done.step != step:
            return place
        people = {step.person} if isinstance(step, SetRating) else {
            entry.person for event in step for entry in event.entries.values()
        }  # fmt: skip
        if changed and not changed.isdisjoint(people):
            return place
    return min(len(base.done), len(steps))


def _batches(events: Sequence[LedgerEvent], period: str) -> list[list[LedgerEvent]]:
    """What is rated at once, in order."""
    if period != MONTH:
        return [[event] for event in events]
    return [list(group) for _, group in groupby(events, key=lambda event: (event.end.year, event.end.month))]


def _next_month(day: date) -> date:
    """The first day of the month after a day."""
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


def months(since: date, until: date) -> int:
    """How many months later a day is, by the calendar."""
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
        self,
        book: Book,
        people: Mapping[str, Person],
        history: PoolHistory,
        keep: Callable[[str], bool],
        since: date,
    ) -> None:
        self.book, self.people, self.history, self.keep, self.since = book, people, history, keep, since
        self.system, self.pool = history.system, history.pool
        self.standings, self.last, self.earlier = history.standings, history.last, history.earlier
        self.start = _start(self.pool, self.system)
        self.uncertain = self.system.base in systems_using("idle")
        self.quick = quick_of(self.system)
        self.before: dict[str, StandingBefore] = {}

    def do(self, step: Step) -> None:
        """Take one step, and remember what was before it."""
        self.before = {}
        if isinstance(step, SetRating):
            self._set(step)
        else:
            self._rate(step)
        self.history.done.append(StepTaken(step, self.before))

    def _remember(self, person: str) -> None:
        self.before[person] = StandingBefore(
            self.standings.get(person), self.last.get(person), self.earlier.get(person)
        )

    def _set(self, one: SetRating) -> None:
        """Take over a rating set by hand."""
        person = self.book.who(one.person)
        self._remember(person)
        standing = standing_from(one.facts, self.system)
        self.standings[person] = standing
        self.last[person] = one.day
        self.earlier.pop(person, None)
        self.history.lines[person].append(SetByHand(one.day, standing, one.decision, one.source))

    def _rate(self, batch: Sequence[LedgerEvent]) -> None:
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

    def standing(self, person: str, day: date) -> Standing:
        """The standing of a person before a day; where deviations grow without games, with the idle time."""
        standing, idle = self.standings.get(person, self.start), self.idle(person, day)
        return replace(standing, idle=idle) if idle > 0 else standing  # type: ignore[call-arg]  # Glicko's has it

    def player(self, person: str, standing: Standing) -> Player:
        """A person with a standing."""
        about = self.people[person]
        return Player(standing, birth_year=about.born, name=about.name)

    def idle(self, person: str, day: date) -> int:
        """The time without games: days on Lichess, whole months in a pool by month; else deviations do not grow."""
        if not self.uncertain or person not in self.last or not isinstance(self.start, GlickoStanding):
            return 0
        since = self.last[person]
        if self.system.base == "lichess":
            return (day - since).days
        return max(0, months(since, day) - 1) if self.pool.period == MONTH else 0

    def _each(self, batch: Sequence[LedgerEvent], games: Mapping[int, Mapping[str, list[OneGame]]]) -> None:
        """Everybody separately, by the standings before the batch."""
        last = max(event.end for event in batch)
        listed = _Listed(self, batch[0].start, last)
        results: list[tuple[str, RatedBatch]] = []
        for person in dict.fromkeys(person for event in batch for person in games[event.id]):
            mine = [(event, games[event.id][person]) for event in batch if person in games[event.id]]
            self._remember(person)
            results.append((person, self._rated(person, mine, listed)))
        for person, rated in results:
            self._enter(person, rated, last)

    def _rated(self, person: str, mine: Sequence[tuple[LedgerEvent, list[OneGame]]], listed: _Listed) -> RatedBatch:
        """What the events did to a person, or why they did nothing."""
        last = listed.last
        before = _plain(self.standings.get(person, self.start))
        counts_from = _next_month(last) if self.pool.period == MONTH else last
        played = [one for _, games in mine for one in games if one.how == PLAYED]
        score = sum((one.score for one in played), Decimal(0))
        ids = tuple(event.id for event, _ in mine)
        rated = RatedBatch(ids, counts_from, before, before, len(played), score)
        kept = counts_from >= self.since and self.keep(person)
        after = self._quickly(self.quick, person, mine, listed) if self.quick is not None and played else None
        if after is not None and not kept:
            return rated._replace(after=after)
        player, events = self.player(person, listed.standing(person, last)), listed.events(person, mine)
        if after is not None:  # the working is only worked out where somebody reads it
            day = self._day(events[0].on or last, last)
            return rated._replace(after=after, work=partial(self._answer, player, tuple(events), day, unrated=False))
        return self._with_working(rated, player, events, last, kept, person)

    def _quickly(
        self, quick: Quick, person: str, mine: Sequence[tuple[LedgerEvent, list[OneGame]]], listed: _Listed
    ) -> Standing | None:
        """The standing after the events without the working, where that can be."""
        born, rules = self.people[person].born, listed.rules
        if born is not None and born > rules.year:
            return None
        events = []
        for event, games in mine:
            day = listed.day(event.start)
            met = [
                (listed.seen(quick, one.opponent, day), one.score)
                for one in games
                if one.how == PLAYED and one.opponent is not None
            ]
            events.append(QuickEvent(listed.seen(quick, person, day), met))
        standing = self.standings.get(person, self.start)
        return quick.after(standing, listed.seen(quick, person, listed.day(listed.last)), events, rules)

    def _with_working(
        self, rated: RatedBatch, player: Player, events: list[Event], last: date, kept: bool, person: str
    ) -> RatedBatch:
        """What the system says about the events of a person."""
        unrated = player.rating_used is None and "first" not in SYSTEMS[self.system.base].lacks
        if unrated:
            self.earlier[person] = (*self.earlier.get(person, ()), *events)
        try:
            day = self._day(events[0].on or last, last)
            all_events = self.earlier[person] if unrated else tuple(events)
            work = partial(self._answer, player, all_events, day, unrated=unrated)
            answer = work()
        except ArpadError as error:
            return rated._replace(why=error.said)
        after = self._after(player, answer)
        rated = rated._replace(after=_plain(after), work=work if kept else None)
        if after.rating is None and isinstance(answer, FirstRating):
            return rated._replace(why=say("ledger.not_yet", missing=list(answer.missing)))
        if unrated:
            del self.earlier[person]
        return rated

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
        players = {person: self.player(person, self.standing(person, event.end)) for person in games}
        numbers = {person: no for no, person in enumerate(games, start=1)}
        field = {
            no: Competitor(
                no,
                players[person],
                None,
                tuple(
                    Met(
                        None if one.opponent is None else numbers[one.opponent],
                        Game(
                            None if one.opponent is None else players[one.opponent],
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
        about = Event((), on=event.start, name=event.name, pace=event.pace, ended=event.end)
        try:
            day = chosen.event_day(event.start, event.end)
            answers = chosen.rate_field(field, about, day) if field else {}
        except ArpadError as error:
            self.history.refused[event.id] = error.said
            answers = {}
        for person, no in numbers.items():
            self._remember(person)
            competitor, answer = field[no], answers.get(no)
            standing = competitor.player.standing
            after = standing if answer is None else self._section_after(competitor, answer)
            played = [one for one in games[person] if one.how == PLAYED]
            score = sum((one.score for one in played), Decimal(0))
            why = self.history.refused.get(event.id) if answer is None else None
            kept = event.end >= self.since and self.keep(person)
            work = partial(_same, answer) if answer is not None and kept else None
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


class _Listed:
    """People as they are before a batch: in a pool by month, on the list of the month in which an event began."""

    def __init__(self, run: _Run, began: date, last: date) -> None:
        self.run, self.last = run, last
        self.monthly = run.pool.period == MONTH
        self.rules = last if self.monthly else began  # the day whose rules apply, in systems without their own
        self._standings: dict[tuple[str, date], Standing] = {}
        self._players: dict[tuple[str, date], Player] = {}
        self._seen: dict[tuple[str, date], Any] = {}

    def day(self, began: date) -> date:
        """The day of the list for an event that began on a day."""
        return began.replace(day=1) if self.monthly else self.last

    def standing(self, person: str, began: date) -> Standing:
        """The standing of a person in an event that began on a day."""
        key = (person, self.day(began))
        if key not in self._standings:
            earlier = self._earlier(person, key[1])
            self._standings[key] = self.run.standing(person, self.last) if earlier is None else earlier
        return self._standings[key]

    def _earlier(self, person: str, day: date) -> Standing | None:
        """The standing on the list of an earlier month, if it is that of an earlier one."""
        if not self.monthly or months(day, self.last) <= 0:
            return None
        return self.run.history.on(person, day) or self.run.start

    def player(self, person: str, began: date) -> Player:
        """The person as a player of such an event."""
        key = (person, self.day(began))
        if key not in self._players:
            self._players[key] = self.run.player(person, self.standing(person, began))
        return self._players[key]

    def seen(self, quick: Quick, person: str, day: date) -> Any:
        """The person on the list of a day, as a quick system sees them."""
        key = (person, day)
        if key not in self._seen:
            standing, idle = self._earlier(person, day), 0
            if standing is None:
                standing, idle = self.run.standings.get(person, self.run.start), self.run.idle(person, self.last)
            self._seen[key] = quick.seen(standing, idle, self.rules)
        return self._seen[key]

    def events(self, person: str, mine: Sequence[tuple[LedgerEvent, list[OneGame]]]) -> list[Event]:
        """Somebody's events as the systems take them."""
        by_list = self.monthly and not isinstance(self.run.system, GlickoSystem)  # there, one rating is for all events
        return [
            Event(
                tuple(
                    Game(
                        None if one.opponent is None else self.player(one.opponent, event.start),
                        one.score,
                        one.how,
                        colour=one.colour,  # type: ignore[arg-type]  # white, black or None
                    )
                    for one in games
                ),
                rating=self.standing(person, event.start).rating if by_list else None,
                on=event.start,
                name=event.name,
                pace=event.pace,
                ended=event.end,
            )
            for event, games in mine
        ]


def _same(answer: Calculation) -> Calculation:
    return answer


def _plain(standing: Standing) -> Standing:
    """A standing without the idle time, which belongs to a day."""
    return replace(standing, idle=None) if isinstance(standing, GlickoStanding) and standing.idle else standing
