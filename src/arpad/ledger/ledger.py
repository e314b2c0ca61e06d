"""A ledger: the book of a club's ratings in one file, its decisions, its lists, and the check that all of it is true.

club = arpad.ledger.open("club.arpad")
preview = club.preview("open.trf")
club.accept(preview.settle({7: "P12"}), who="Ann", why="club championship")
club.list().players
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from arpad.core import rating_of
from arpad.errors import BadFile, BadInput
from arpad.formats import file_bytes
from arpad.formats.saving import save
from arpad.ledger.archive import Verified, exported, restored, verified
from arpad.ledger.book import (
    NEVER,
    PERIODS,
    POLICIES,
    REVISE,
    SCHEMES,
    WINDOW,
    Book,
    LedgerEvent,
    LedgerGame,
    Person,
    PublishedList,
    RatingPool,
    book_after,
    book_of,
    game_row,
)
from arpad.ledger.decisions import Decision, Submission, canonical
from arpad.ledger.history import PoolHistory
from arpad.ledger.incoming import (
    NEW_PERSON,
    Draft,
    MembersPreview,
    Mover,
    Preview,
    accepted,
    draft_of_file,
    draft_of_sentence,
    events_on_days,
    facts_of,
    members_in,
    pool_named,
    preview_of,
    reported_of,
)
from arpad.ledger.matching import NEW, Matcher, Surroundings
from arpad.ledger.rating import check_pool, rating_system, replay, standing_from, usual_period
from arpad.ledger.store import Store, create, open_store, stale
from arpad.ledger.views import (
    LedgerList,
    LogLine,
    PersonPage,
    list_from,
    list_of,
    log_lines,
    moved,
    person_page,
    tournament_of,
    whole_rating,
)
from arpad.messages import Message, say
from arpad.reading.text import name_words

MAIN = "main"
FACTS = ("name", "born", "sex", "federation", "title", "pseudonym")


class Effect(NamedTuple):
    """What a decision did: its number in the log, who moved in which pool, and which decisions lost their effect."""

    decision: int
    movers: Mapping[str, tuple[Mover, ...]]
    idle: tuple[tuple[int, Message], ...] = ()


class _Told(NamedTuple):
    after: Book
    told: Effect
    histories: Mapping[str, PoolHistory]


class Ledger:
    """An open ledger. What it reads is always the newest state; what it decides is based on a state that was seen."""

    def __init__(self, store: Store, clock: Callable[[], datetime] | None = None) -> None:
        self.store = store
        self._clock = clock or (lambda: datetime.now(UTC))
        self._log: list[Decision] = []
        self._book = Book()
        self._histories: dict[tuple[str, date | None], PoolHistory] = {}
        self._bases: dict[str, PoolHistory] = {}  # a history of each pool by an earlier state, to go on from

    def __repr__(self) -> str:
        return f"<Ledger {self.store.place!r}, {self.book.last} decisions>"

    # reading ---------------------------------------------------------------------------------------------------------

    @property
    def book(self) -> Book:
        """What the log says now."""
        last = self.store.last()
        if last != self._book.last or not self._log:
            self._histories = {}
            if last < self._book.last:  # another file has this name now
                self._log, self._book, self._bases = [], Book(), {}
            new = self.store.log(since=self._book.last)
            if len(new) == 1:
                self._book = book_after(self._book, new[0], self._log)
                self._log = [*self._log, *new]
            else:
                self._log = [*self._log, *new]
                self._book = book_of(self._log)
        return self._book

    def decisions(self) -> list[Decision]:
        """The log as it is stored."""
        return self._log if self.book.last else []

    def history(self, pool: str | None = None, until: date | None = None) -> PoolHistory:
        """A pool rated from its first event, with nobody's working."""
        name = pool_named(self.book, pool)
        if (name, until) not in self._histories:
            found = replay(self._book, name, until=until, base=self._bases.get(name))
            self._histories[name, until] = found
            if until is None or name not in self._bases:
                self._bases[name] = found
        return self._histories[name, until]

    def list(self, day: date | None = None, pool: str | None = None, *, live: bool = False) -> LedgerList:
        """The list of a day, by default of today."""
        on = day or self.today()
        return list_of(self.history(pool, on), self._book, on, live=live)

    def published(self, number: int, pool: str | None = None, revision: int | None = None) -> LedgerList:
        """A published list by its number: its newest revision, or the one asked for."""
        name = pool_named(self.book, pool)
        found = [
            one
            for one in self._book.published
            if (one.pool, one.number) == (name, number) and revision in (None, one.revision)
        ]
        if not found:
            numbers = sorted({one.number for one in self._book.published if one.pool == name})
            raise BadInput(say("ledger.no_list", number=number, pool=name, numbers=numbers), at="number")
        content = self.store.frozen(found[-1].decision)
        if content is None:
            raise BadFile(say("ledger.wrong.no_content", number=found[-1].decision), at=self.store.place)
        return _numbered(list_from(content, self._book), found[-1])

    def person(self, who: str, pool: str | None = None) -> PersonPage:
        """A person with every event and every game, and the working."""
        person = self.find(who)
        history = replay(self.book, pool_named(self.book, pool), keep=lambda one: one == person.id)
        return person_page(history, self._book, person)

    def find(self, who: str) -> Person:
        """A person by number, ID or name; raises BadInput if nobody is, or several are."""
        people = self.book.persons()
        known = self._book.who(who) if who in self._book.people else who
        if known in people:
            return people[known]
        words = name_words(who)
        found = [
            person
            for person in people.values()
            if who in person.ids.values() or words in {name_words(name) for name in person.names}
        ]
        if len(found) == 1:
            return found[0]
        named = [f"{person.id} {person.name} {person.born or ''}".strip() for person in found]
        key = "ledger.several" if found else "ledger.nobody"
        raise BadInput(say(key, who=who, people=named), at="person")

    def event(self, number: int) -> LedgerEvent:
        """An event by the number of the decision that accepted it."""
        if number not in self.book.events:
            raise BadInput(say("ledger.idle.no_event", event=number), at="event")
        return self._book.events[number]

    def changes(self, before: date, after: date, pool: str | None = None) -> tuple[Mover, ...]:
        """Who moved between the lists of two days, the largest change first, and the first event in between."""
        if after < before:
            raise BadInput(say("ledger.ends_before", start=before, end=after), at="after")
        book = self.book
        return moved(self.history(pool, before), self.history(pool, after), book, book)

    def log(self) -> tuple[LogLine, ...]:
        """The log as people read it."""
        book = self.book
        return log_lines(self._log, book)

    def today(self) -> date:
        """The day by the ledger's clock."""
        return self._clock().astimezone().date()

    # incoming --------------------------------------------------------------------------------------------------------

    def preview(
        self,
        source: str | bytes,
        *,
        pool: str | None = None,
        name: str | None = None,
        called: str | None = None,
        start: date | None = None,
        end: date | None = None,
        columns: Mapping[str, str] | None = None,
        section: str | None = None,
    ) -> Preview:
        """What a tournament file, or the bytes of a paste or table, would do; nothing is written."""
        data, given = (source, name or "paste.txt") if isinstance(source, bytes) else (_bytes(source), name or source)
        draft = draft_of_file(
            data, given, pool=pool_named(self.book, pool), called=called, start=start, end=end, columns=columns,
            section=section,
        )  # fmt: skip
        return self._previewed(draft)

    def preview_game(self, text: str, *, pool: str | None = None, on: date | None = None) -> Preview:
        """What one game would do: `Ann Baker 1-0 Carl Dorn, blitz, today`.

        A name that only one person has is that person, as somebody typed it for this game; any other is in doubt.
        """
        draft = draft_of_sentence(text, self.book, on or self.today(), pool=pool)
        found = self._previewed(draft, single=True)
        unknown = {one.reported.no for one in found.entries if one.state == NEW}
        if unknown:
            names = [one.reported.name for one in found.entries if one.reported.no in unknown]
            raise BadInput(say("ledger.unknown_names", names=names), at="game")
        return self.effect_of(found.settle(same_names=True))

    def _previewed(self, draft: Draft, *, single: bool = False) -> Preview:
        """Who is who; somebody may play a single game besides any event."""
        book = self.book
        history = self.history(draft.pool, draft.start)
        others = [] if single else list(events_on_days(book, draft))
        around = Surroundings(
            draft.start,
            draft.end,
            lambda one: whole_rating(history.standings.get(one)),
            lambda one: tuple(event.name for event, people in others if one in people),
        )
        return self.effect_of(preview_of(draft, book, around))

    def effect_of(self, preview: Preview) -> Preview:
        """The preview with who would change; only if nobody is in doubt any more."""
        if preview.open:
            return preview
        body, _ = accepted(preview, self.book)
        trial = self._trial("accept", body)
        return Preview(
            preview.draft, preview.entries, preview.based_on, trial.movers.get(preview.draft.pool, ()),
            preview.doubled, preview.same_names, preview.anyway, preview.settled,
        )  # fmt: skip

    def accept(self, preview: Preview, *, who: str, why: str = "") -> Effect:
        """Write an event; raises BadInput for doubts and oddities that nobody settled, Busy for an older state."""
        if preview.based_on != self.book.last:
            raise stale(preview.based_on, self._book.last)
        if preview.open:
            raise BadInput(say("ledger.in_doubt", players=[one.reported.name for one in preview.open]), at="person")
        if preview.problems:
            raise BadInput(say("ledger.problems", problems=list(preview.problems)), at="anyway")
        body, _ = accepted(preview, self._book)
        return self._decide("accept", body, who, why, preview.based_on, preview.draft.source)

    def preview_members(
        self,
        source: str | bytes,
        *,
        pool: str | None = None,
        day: date | None = None,
        name: str | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> MembersPreview:
        """A table of members; with a pool, their ratings count there from a day on."""
        data, given = (source, name or "members.csv") if isinstance(source, bytes) else (_bytes(source), name or source)
        table = members_in(data, given, columns)
        on = day or self.today()
        chosen = None if pool is None else pool_named(self.book, pool)
        around = Surroundings(on, on, lambda _: None, lambda _: ())
        entries = Matcher(self.book.persons()).match_all(map(reported_of, table.entrants), around)
        ratings = {one.no: str(one.player.rating) for one in table.entrants if one.player.rating is not None}
        return MembersPreview(
            tuple(entries), ratings if chosen else {}, chosen, on, self._book.last, Submission.of(data, given),
            tuple(oddity.placed for oddity in table.oddities if oddity.serious),
        )  # fmt: skip

    def accept_members(self, preview: MembersPreview, *, who: str, why: str = "", anyway: bool = False) -> Effect:
        """Take over the members who are new, and everybody's rating if a pool was named.

        Rows that could not be read are left out only if that was accepted with `anyway`.
        """
        if preview.problems and not anyway:
            raise BadInput(say("ledger.problems", problems=list(preview.problems)), at="anyway")
        if preview.open:
            raise BadInput(say("ledger.in_doubt", players=[one.reported.name for one in preview.open]), at="person")
        next_id = self.book.new_person()
        people: list[dict[str, Any]] = []
        ratings: list[dict[str, Any]] = []
        for one in preview.entries:
            id = preview.who(one) or ""
            if id == NEW_PERSON:
                id = f"P{next_id + len(people)}"
                people.append(facts_of(one.reported, id))
            rating = preview.ratings.get(one.reported.no)
            if rating is not None:
                ratings.append(
                    {"person": id, "pool": preview.pool, "day": preview.day.isoformat(), "facts": {"rating": rating},
                     "source": preview.submission.name}
                )  # fmt: skip
        if not people and not ratings:
            raise BadInput(say("ledger.nobody_new"), at="members")
        body = {"people": people, "ratings": ratings}
        return self._decide("people", body, who, why, preview.based_on, preview.submission)

    # decisions -------------------------------------------------------------------------------------------------------

    def add_pool(
        self,
        name: str,
        system: str,
        *,
        who: str,
        why: str = "",
        start: Decimal | int | str | None = None,
        period: str | None = None,
        settings: Mapping[str, str] | None = None,
        based_on: int | None = None,
    ) -> Effect:
        """A new pool: a system with its settings, the rating newcomers begin with, and what is rated at once."""
        value = None if start is None else Decimal(str(rating_of(start, at="start")))
        chosen = period or usual_period(system)
        if chosen not in PERIODS:
            raise BadInput(say("ledger.one_of", value=chosen, allowed=PERIODS), at="period")
        if not name.strip() or "," in name:
            raise BadInput(say("ledger.pool_name", name=name), at="pool")
        check_pool(RatingPool(name, system, settings or {}, value, chosen))
        body: dict[str, Any] = {"name": name, "system": system, "period": chosen, "settings": dict(settings or {})}
        if value is not None:
            body["start"] = str(value)
        return self._decide("pool", body, who, why, based_on)

    def set_policy(
        self,
        *,
        who: str,
        why: str = "",
        name: str | None = None,
        policy: str | None = None,
        window: int | None = None,
        adult: int | None = None,
        based_on: int | None = None,
    ) -> Effect:
        """The ledger's name, whether a published list may be revised, and who is shown to search engines."""
        if policy is not None and policy not in POLICIES:
            raise BadInput(say("ledger.one_of", value=policy, allowed=POLICIES), at="policy")
        given = {"name": name, "policy": policy, "window": window, "adult": adult}
        body = {key: value for key, value in given.items() if value is not None}
        return self._decide("settings", body, who, why, based_on)

    def change_person(
        self, person: str, *, who: str, why: str = "", based_on: int | None = None, **facts: str | int | None
    ) -> Effect:
        """New facts about a person: name, born, sex, federation, title, pseudonym, or an ID (`fide`, `club`)."""
        unknown = sorted(facts.keys() - {*FACTS, *SCHEMES})
        if unknown or not facts:
            raise BadInput(say("ledger.no_fact", facts=unknown, known=[*FACTS, *SCHEMES]), at="facts")
        found: dict[str, Any] = {name: value for name, value in facts.items() if name in FACTS}
        ids = {name: "" if value is None else str(value) for name, value in facts.items() if name in SCHEMES}
        body = {"person": self.find(person).id, "facts": {**found, **({"ids": ids} if ids else {})}}
        return self._decide("person", body, who, why, based_on)

    def set_rating(
        self,
        person: str,
        *,
        who: str,
        day: date,
        why: str = "",
        pool: str | None = None,
        based_on: int | None = None,
        **facts: str | float | Decimal,
    ) -> Effect:
        """A rating set by hand from a day on: `rating=1750, games=40`, and what else the system's players have."""
        name = pool_named(self.book, pool)
        given = {key: str(value) for key, value in facts.items()}
        standing_from(given, rating_system(self._book.pools[name]))
        body = {"person": self.find(person).id, "pool": name, "day": day.isoformat(), "facts": given}
        return self._decide("rating", body, who, why, based_on)

    def change_event(
        self,
        event: int,
        *,
        who: str,
        why: str = "",
        name: str | None = None,
        pool: str | None = None,
        start: date | None = None,
        end: date | None = None,
        excluded: bool | None = None,
        based_on: int | None = None,
    ) -> Effect:
        """New facts about an event; excluded, it does not count."""
        before = self.event(event)
        begins, ends = start or before.start, end or before.end
        if ends < begins:
            raise BadInput(say("ledger.ends_before", start=begins, end=ends), at="until")
        given = {
            "name": name,
            "pool": None if pool is None else pool_named(self.book, pool),
            "start": start and start.isoformat(),
            "end": end and end.isoformat(),
            "excluded": excluded,
        }
        facts = {key: value for key, value in given.items() if value is not None}
        return self._decide("event", {"event": event, "facts": facts}, who, why, based_on)

    def change_game(
        self,
        event: int,
        game: int | None,
        *,
        who: str,
        why: str = "",
        white: int | None = None,
        black: int | None = None,
        scores: tuple[Decimal, Decimal] | None = None,
        how: str | None = None,
        round: int | None = None,
        based_on: int | None = None,
    ) -> Effect:
        """A game with another result or other players, by their numbers in the event; without a number, a new game."""
        found = self.event(event)
        before = None if game is None else found.games.get(game)
        if game is not None and before is None:
            raise BadInput(say("ledger.idle.no_game", game=game, event=event), at="game")
        if before is None and (white is None or black is None or scores is None):
            raise BadInput(say("ledger.new_game"), at="game")
        number = max(found.games, default=0) + 1 if game is None else game
        new = LedgerGame(
            number,
            round or (before.round if before else 1),
            white if white is not None else before.white,  # type: ignore[union-attr]  # there is one, or it was refused
            black if black is not None else (before.black if before else None),
            scores[0] if scores else before.score,  # type: ignore[union-attr]
            scores[1] if scores else before.other,  # type: ignore[union-attr]
            how or (before.how if before else "played"),
        )
        if new.white == new.black:
            raise BadInput(say("ledger.oneself", name=found.entries[new.white].reported.name), at="game")
        body = {"event": event, "game": number, "row": game_row(new), "new": before is None}
        return self._decide("game", body, who, why, based_on)

    def remove_game(self, event: int, game: int, *, who: str, why: str = "", based_on: int | None = None) -> Effect:
        """An event without one of its games."""
        body = {"event": self.event(event).id, "game": game, "row": None, "new": False}
        return self._decide("game", body, who, why, based_on)

    def identify(
        self, event: int, entry: int, person: str, *, who: str, why: str = "", based_on: int | None = None
    ) -> Effect:
        """An entry of an event that is somebody else than it was taken for: a person, or `new`."""
        found = self.event(event)
        if entry not in found.entries:
            raise BadInput(say("ledger.no_entry", entry=entry), at="entry")
        body: dict[str, Any] = {"event": event, "entry": entry}
        if person == NEW_PERSON:
            body["person"] = f"P{self._book.new_person()}"
            body["people"] = [facts_of(found.entries[entry].reported, body["person"])]
        else:
            body["person"] = self.find(person).id
        return self._decide("entry", body, who, why, based_on)

    def merge(self, person: str, into: str, *, who: str, why: str = "", based_on: int | None = None) -> Effect:
        """Two people who are one; refused if they played each other."""
        gone, stays = self.find(person), self.find(into)
        if gone.id == stays.id:
            raise BadInput(say("ledger.idle.merged", person=gone.id, into=stays.id), at="person")
        for event in self._book.events.values():
            persons = {no: self._book.who(entry.person) for no, entry in event.entries.items()}
            for game in event.games.values():
                if game.black is not None and {persons[game.white], persons[game.black]} == {gone.id, stays.id}:
                    raise BadInput(say("ledger.met", name=gone.name, other=stays.name, event=event.name), at="person")
        return self._decide("merge", {"person": gone.id, "into": stays.id}, who, why, based_on)

    def split(self, person: str, *, who: str, why: str = "", based_on: int | None = None) -> Effect:
        """The end of a merge, by the number of the person who was merged."""
        if person not in self.book.merged:
            raise BadInput(say("ledger.idle.not_merged", person=person), at="person")
        return self._decide("split", {"person": person}, who, why, based_on)

    def undo(self, decision: int, *, who: str, why: str = "", based_on: int | None = None) -> Effect:
        """A decision that no longer counts; those that were about it lose their effect, and the answer names them.

        A published list is out: it is corrected by a later one, not undone.
        """
        book = self.book
        if not 1 <= decision <= book.last:
            raise BadInput(say("ledger.no_decision", decision=decision, last=book.last), at="decision")
        if decision in book.undone:
            raise BadInput(say("ledger.undone", decision=decision, by=book.undone[decision]), at="decision")
        if self._log[decision - 1].kind == "publish":
            raise BadInput(say("ledger.is_out"), at="decision")
        return self._decide("undo", {"decision": decision}, who, why, based_on)

    def publish(
        self, day: date | None = None, pool: str | None = None, *, who: str, why: str = "", based_on: int | None = None
    ) -> LedgerList:
        """Freeze the list of a day with a number and a fingerprint; it never changes.

        A second list of the same day is a revision, which needs a reason and a policy that allows it.
        """
        on = day or self.today()
        listed = self.list(on, pool)
        book = self._book
        earlier = [one for one in book.published if one.pool == listed.pool]
        same = [one for one in earlier if one.day == on]
        if same:
            self._check_revision(same, listed, why)
        number = same[0].number if same else 1 + max((one.number for one in earlier), default=0)
        body = {
            "pool": listed.pool,
            "day": on.isoformat(),
            "number": number,
            "revision": len(same),
            "fingerprint": listed.fingerprint,
        }
        frozen = (listed.fingerprint, listed.content)
        made = self._decide("publish", body, who, why, based_on, frozen=frozen)
        return _numbered(listed, self.book.published[-1]) if made.decision else listed

    def _check_revision(self, same: Sequence[PublishedList], listed: LedgerList, why: str) -> None:
        settings = self._book.settings
        if same[-1].fingerprint == listed.fingerprint:
            raise BadInput(say("ledger.same_list", number=same[-1].number), at="day")
        late = settings.policy == WINDOW and (self.today() - listed.day).days > settings.window
        if settings.policy == NEVER or late:
            key = "ledger.window_over" if late else "ledger.never_revised"
            raise BadInput(say(key, number=same[-1].number, days=settings.window), at="day")
        if settings.policy in (REVISE, WINDOW) and not why.strip():
            raise BadInput(say("ledger.needs_reason"), at="why")

    def _decide(
        self,
        kind: str,
        body: Mapping[str, Any],
        who: str,
        why: str,
        based_on: int | None,
        source: Submission | None = None,
        frozen: tuple[str, bytes] | None = None,
    ) -> Effect:
        """Write a decision, if it has an effect and the state it was based on is still the newest."""
        if not who.strip():
            raise BadInput(say("ledger.needs_who"), at="who")
        last = self.book.last
        if based_on is not None and based_on != last:
            raise stale(based_on, last)
        decision = self._decision(kind, body, who.strip(), why.strip(), source)
        effect = self._effect(decision)
        if decision.number in effect.after.idle:
            raise BadInput(effect.after.idle[decision.number], at=kind)
        self.store.add([decision], submissions=[source] if source is not None else [], frozen=frozen)
        self._log, self._book, self._histories = [*self._log, decision], effect.after, {}
        self._bases |= effect.histories
        return effect.told

    def _decision(self, kind: str, body: Mapping[str, Any], who: str, why: str, source: Submission | None) -> Decision:
        last = self.book.last
        before = self._log[-1].digest if self._log else ""
        at = self._clock().isoformat(timespec="seconds")
        hash = None if source is None else source.hash
        return Decision(last + 1, kind, who, at, why, last, canonical(body), hash).sealed(before)

    def _trial(self, kind: str, body: Mapping[str, Any]) -> Effect:
        """What a decision would do."""
        return self._effect(self._decision(kind, body, "", "", None)).told

    def _effect(self, decision: Decision) -> _Told:
        """The book after a decision, and who moved."""
        before, after = self._book, book_after(self._book, decision, self._log)
        movers, histories = {}, {}
        if decision.kind not in ("settings", "pool", "publish"):
            for pool in after.pools:
                if pool in before.pools:
                    histories[pool] = replay(after, pool, base=self.history(pool))
                    found = moved(self.history(pool), histories[pool], before, after)
                    if found:
                        movers[pool] = found
        idle = tuple(
            (number, said) for number, said in after.idle.items() if number not in before.idle and number < after.last
        )
        return _Told(after, Effect(after.last, movers, idle), histories)

    # out, in, and the check ------------------------------------------------------------------------------------------

    def write_event(self, event: int, path: str, *, force: bool = False) -> tuple[Message, ...]:
        """An event as it counts, as TRF, CSV, Excel or JSON; returns what the format has no place for."""
        data, lost = file_bytes(tournament_of(self.event(event), self._book), None, path)
        save(data, path, force=force)
        return tuple(oddity.placed for oddity in lost)

    def export(self) -> bytes:
        """Everything: the log and what came in, as JSON that `restore` reads."""
        return exported(self.store)

    def verify(self) -> Verified:
        """Check the log, what came in, and every published list by replaying the log up to it, byte for byte."""
        return verified(self.store)


def new(
    place: str,
    *,
    system: str,
    who: str,
    pool: str = MAIN,
    name: str = "",
    start: Decimal | int | str | None = None,
    period: str | None = None,
    settings: Mapping[str, str] | None = None,
    clock: Callable[[], datetime] | None = None,
) -> Ledger:
    """A new ledger in a file, with its first pool; raises BadInput if the file exists or the pool cannot be."""
    value = None if start is None else Decimal(str(rating_of(start, at="start")))
    check_pool(RatingPool(pool, system, settings or {}, value, period or usual_period(system)))
    ledger = Ledger(create(place), clock)
    if name:
        ledger.set_policy(name=name, who=who)
    ledger.add_pool(pool, system, start=start, period=period, settings=settings, who=who)
    return ledger


def open(place: str, *, clock: Callable[[], datetime] | None = None) -> Ledger:  # the public contract
    """The ledger in a file; raises BadFile if there is none."""
    return Ledger(open_store(place), clock)


def restore(data: bytes, place: str) -> Ledger:
    """A ledger from what `export` gave, with the same log, the same lists and the same ratings."""
    return Ledger(restored(data, place))


def _numbered(listed: LedgerList, published: PublishedList) -> LedgerList:
    return replace(listed, number=published.number, revision=published.revision)


def _bytes(path: str) -> bytes:
    try:
        with builtins.open(path, "rb") as file:
            return file.read()
    except OSError as problem:
        raise BadFile(say("formats.file.unreadable", why=problem.strerror), at=path) from None
