"""Decisions about what is known: pools, people, events, games, merges, undo, published lists; and what each did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from arpad.core import EARLIEST_BIRTH, Player, rating_of, whole_of
from arpad.errors import BadInput
from arpad.ledger.book import (
    FACTS,
    GAME_ENDS,
    NEVER,
    PERIODS,
    POLICIES,
    REVISE,
    SCHEMES,
    WINDOW,
    Book,
    GameEnd,
    LedgerGame,
    Period,
    Person,
    Policy,
    PublishedList,
    RatingPool,
    book_after,
    game_row,
)
from arpad.ledger.decisions import Decision, Submission, canonical
from arpad.ledger.history import PoolHistory
from arpad.ledger.incoming import NEW_PERSON, Mover, facts_of, pool_named
from arpad.ledger.rating import check_pool, rating_system, replay, standing_from, usual_period
from arpad.ledger.reading import ReadLedger, numbered
from arpad.ledger.store import stale
from arpad.ledger.views import LedgerList, moved
from arpad.messages import Message, say

UNRATED = ("settings", "pool", "publish")  # decisions that move nobody


class Effect(NamedTuple):
    """What a decision did: its number in the log, who moved in which pool, and which decisions lost their effect."""

    decision: int
    movers: Mapping[str, tuple[Mover, ...]]
    idle: tuple[tuple[int, Message], ...] = ()


class AfterDecision(NamedTuple):
    """The book after some decisions, what they did, and the pools rated again."""

    book: Book
    effect: Effect
    histories: Mapping[str, PoolHistory]


class DecidingLedger(ReadLedger):
    """An open ledger as it is decided about; what was seen on an older state than the newest is refused."""

    def add_pool(
        self,
        name: str,
        system: str,
        *,
        who: str,
        why: str = "",
        start: Decimal | int | str | None = None,
        period: Period | None = None,
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
        policy: Policy | None = None,
        window: int | None = None,
        adult: int | None = None,
        based_on: int | None = None,
    ) -> Effect:
        """The ledger's name, whether a published list may be revised, and who is shown to search engines."""
        if policy is not None and policy not in POLICIES:
            raise BadInput(say("ledger.one_of", value=policy, allowed=POLICIES), at="policy")
        if policy == WINDOW and window is None:
            window = self.book.settings.window
        given = {"name": name, "policy": policy, "window": window, "adult": adult}
        body = {key: value for key, value in given.items() if value is not None}
        return self._decide("settings", body, who, why, based_on)

    def change_person(
        self, person: str, *, who: str, why: str = "", based_on: int | None = None, **facts: str | int | None
    ) -> Effect:
        """New facts about a person: name, born, sex, federation, title, pseudonym, or an ID (`fide`, `club`)."""
        of_a_person = ("name", *FACTS)
        unknown = sorted(facts.keys() - {*of_a_person, *SCHEMES})
        if unknown or not facts:
            raise BadInput(say("ledger.no_fact", facts=unknown, known=[*of_a_person, *SCHEMES]), at="facts")
        if not str(facts.get("name", person) or "").strip():
            raise BadInput(say("ledger.nameless"), at="facts")
        if facts.get("born"):
            facts["born"] = whole_of(facts["born"], "listed_birth_year", EARLIEST_BIRTH, self.today().year, at="facts")
        if facts.get("fide"):
            facts["fide"] = str(whole_of(facts["fide"], "most", 1, at="facts"))
        about: Any = {name: facts.get(name) for name in ("sex", "title", "federation")}
        Player(None, **about)  # which refuses what is no sex or title
        found: dict[str, Any] = {name: value for name, value in facts.items() if name in of_a_person}
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
        if excluded is not None and excluded == before.excluded:
            raise BadInput(say("ledger.out_already" if excluded else "ledger.in_already", event=event), at="event")
        facts = {key: value for key, value in given.items() if value is not None}
        now = {"name": before.name, "pool": before.pool, "start": f"{before.start}", "end": f"{before.end}",
               "excluded": before.excluded}  # fmt: skip
        if facts.items() <= now.items():
            raise BadInput(say("ledger.so_already"), at="event")
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
        how: GameEnd | None = None,
        round: int | None = None,
        based_on: int | None = None,
    ) -> Effect:
        """A game with another result or other players, by their numbers in the event; without a number, a new game."""
        if how is not None and how not in GAME_ENDS:
            raise BadInput(say("ledger.one_of", value=how, allowed=GAME_ENDS), at="how")
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
        if new == before:
            raise BadInput(say("ledger.so_already"), at="game")
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
            raise BadInput(say("ledger.no_entry", entry=entry), at="is_person")
        body: dict[str, Any] = {"event": event, "entry": entry}
        if person == NEW_PERSON:
            body["person"] = f"P{self._book.new_person()}"
            body["people"] = [facts_of(found.entries[entry].reported, body["person"])]
        else:
            body["person"] = self.find(person).id
        return self._decide("entry", body, who, why, based_on)

    def merge(
        self,
        person: str,
        into: str,
        *,
        who: str,
        why: str = "",
        anyway: bool = False,
        based_on: int | None = None,
    ) -> Effect:
        """Two people who are one; refused if they played each other.

        What else speaks for two people, such as two years of birth or an event with both, is accepted with `anyway`.
        """
        gone, stays = self.find(person), self.find(into)
        if gone.id == stays.id:
            raise BadInput(say("ledger.idle.merged", person=gone.id, into=stays.id), at="person")
        for event in self._book.events.values():
            persons = {no: self._book.who(entry.person) for no, entry in event.entries.items()}
            for game in event.games.values():
                if game.black is not None and {persons[game.white], persons[game.black]} == {gone.id, stays.id}:
                    raise BadInput(say("ledger.met", name=gone.name, other=stays.name, event=event.name), at="person")
        apart = [] if anyway else list(self._apart(gone, stays))
        if apart:
            raise BadInput(say("ledger.merge_doubt", name=gone.name, other=stays.name, reasons=apart), at="anyway")
        return self._decide("merge", {"person": gone.id, "into": stays.id}, who, why, based_on)

    def _apart(self, one: Person, other: Person) -> Iterator[Message]:
        """What speaks for two people."""
        if None not in (one.born, other.born) and one.born != other.born:
            yield say("ledger.apart.born", year=f"{one.born}", other=f"{other.born}")
        for scheme, id in one.ids.items():
            if other.ids.get(scheme, id) != id:
                yield say("ledger.apart.ids", id=id, other=other.ids[scheme])
        for event in self._book.events.values():
            if {one.id, other.id} <= {self._book.who(entry.person) for entry in event.entries.values()}:
                yield say("ledger.apart.event", event=event.id, name=event.name)

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
        return numbered(listed, self.book.published[-1]) if made.decision else listed

    def _check_revision(self, same: Sequence[PublishedList], listed: LedgerList, why: str) -> None:
        settings = self._book.settings
        if same[-1].fingerprint == listed.fingerprint:
            raise BadInput(say("ledger.same_list", number=same[-1].number), at="on")
        late = settings.policy == WINDOW and (self.today() - listed.day).days > settings.window
        if settings.policy == NEVER or late:
            key = "ledger.window_over" if late else "ledger.never_revised"
            raise BadInput(say(key, number=same[-1].number, days=settings.window), at="on")
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
        outcome = self._outcome(book_after(self._book, decision, self._log), rated=kind not in UNRATED)
        if decision.number in outcome.book.idle:
            raise BadInput(outcome.book.idle[decision.number], at=kind)
        self.store.add([decision], submissions=[source] if source is not None else [], frozen=frozen)
        return self._go_on([decision], outcome)

    def _go_on(self, decisions: Sequence[Decision], outcome: AfterDecision) -> Effect:
        """Go on from the state after decisions that have been written."""
        self._log, self._book, self._histories = [*self._log, *decisions], outcome.book, {}
        self._bases = {**self._bases, **outcome.histories}
        return outcome.effect

    def _decision(self, kind: str, body: Mapping[str, Any], who: str, why: str, source: Submission | None) -> Decision:
        last = self.book.last
        before = self._log[-1].digest if self._log else ""
        at = self._clock().isoformat(timespec="seconds")
        hash = None if source is None else source.hash
        return Decision(last + 1, kind, who, at, why, last, canonical(body), hash).sealed(before)

    def _outcome(self, after: Book, *, rated: bool = True) -> AfterDecision:
        """Who moves from this book to another, and which decisions lose their effect."""
        before = self._book
        movers, histories = {}, {}
        for pool in after.pools if rated else ():
            if pool in before.pools:
                histories[pool] = replay(after, pool, base=self.history(pool))
                found = moved(self.history(pool), histories[pool], before, after)
                if found:
                    movers[pool] = found
        idle = tuple(
            (number, said) for number, said in after.idle.items() if number not in before.idle and number < after.last
        )
        return AfterDecision(after, Effect(after.last, movers, idle), histories)
