"""A ledger: the book of a club's ratings in one file, its decisions, its lists, and the check that all of it is true.

club = arpad.ledger.open("club.arpad")
preview = club.preview("open.trf")
club.accept(preview.settle({7: "P12"}), who="Ann", why="club championship")
club.list().players
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from arpad.core import EARLIEST_BIRTH, Player, rating_of, whole_of
from arpad.errors import BadFile, BadInput, cause
from arpad.ledger.archive import restored
from arpad.ledger.book import (
    FACTS,
    NEVER,
    PERIODS,
    POLICIES,
    REVISE,
    SCHEMES,
    WINDOW,
    Book,
    LedgerGame,
    Person,
    PublishedList,
    RatingPool,
    book_after,
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
    draft_of_game,
    draft_of_sentence,
    events_on_days,
    facts_of,
    in_doubt,
    members_in,
    pool_named,
    preview_of,
    reported_of,
)
from arpad.ledger.matching import NEW, Matcher, Surroundings
from arpad.ledger.rating import check_pool, rating_system, replay, standing_from, usual_period
from arpad.ledger.reading import ReadLedger, numbered
from arpad.ledger.season import Days, day_by_day, parts_by_day
from arpad.ledger.store import create, open_store, stale
from arpad.ledger.views import LedgerList, moved, whole_rating
from arpad.messages import Message, say

MAIN = "main"
ONLY_THE_YEAR = "formats.day.birth"  # said of a birthday that may be two; a ledger has no more than the year


class Effect(NamedTuple):
    """What a decision did: its number in the log, who moved in which pool, and which decisions lost their effect."""

    decision: int
    movers: Mapping[str, tuple[Mover, ...]]
    idle: tuple[tuple[int, Message], ...] = ()


class _Told(NamedTuple):
    after: Book
    told: Effect
    histories: Mapping[str, PoolHistory]


class Ledger(ReadLedger):
    """An open ledger. What it reads is always the newest state; what it decides is based on a state that was seen."""

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
        days = Days({}) if start or end or columns else parts_by_day(data, given)
        draft = draft_of_file(
            data, given, pool=pool_named(self.book, pool), called=called, start=start, end=end, columns=columns,
            section=section, days=days.parts,
        )  # fmt: skip
        return self._previewed(replace(draft, notes=(*draft.notes, *days.notes)))

    def preview_game(self, text: str, *, pool: str | None = None, on: date | None = None) -> Preview:
        """What one game would do: `Ann Baker 1-0 Carl Dorn, blitz, today`.

        A name that only one person has is that person, as somebody typed it for this game; any other is in doubt.
        """
        draft = draft_of_sentence(text, self.book, on or self.today(), pool=pool)
        found = self._previewed(draft)
        unknown = {one.reported.no for one in found.entries if one.state == NEW}
        if unknown:
            names = [one.reported.name for one in found.entries if one.reported.no in unknown]
            raise BadInput(say("ledger.unknown_names", names=names), at="game")
        return self.effect_of(found.settle(same_names=True))

    def preview_result(
        self, white: str, black: str, result: str, *, pool: str | None = None, on: date | None = None
    ) -> Preview:
        """What one game of two people would do, each by name, ID or number; the result is White's: `1-0`."""
        one, other = self.find(white), self.find(black)
        draft = draft_of_game(one, other, result, pool_named(self._book, pool), on or self.today())
        return self.effect_of(self._previewed(draft).settle({1: one.id, 2: other.id}))

    def look_again(self, preview: Preview) -> Preview:
        """A preview on the newest state, with what was said about it before."""
        found = self._previewed(preview.draft)
        return self.effect_of(found.settle(preview.settled, same_names=preview.same_names, anyway=preview.anyway))

    def _previewed(self, draft: Draft) -> Preview:
        """Who is who; somebody may play a typed game besides any event."""
        book = self.book
        history = self.history(draft.pool, draft.start)
        others = [] if draft.typed else list(events_on_days(book, draft))
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
        if preview.draft.days:
            *_, told, odd = self._days(preview, "", "")
            movers = told.told.movers.get(preview.draft.pool, ())
            return replace(preview, movers=movers, doubled=tuple(dict.fromkeys((*preview.doubled, *odd))))
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
            raise BadInput(in_doubt(preview.open), at="person")
        if preview.problems:
            raise BadInput(say("ledger.problems", problems=list(preview.problems)), at="anyway")
        if preview.draft.days:
            return self._accept_days(preview, who, why)
        body, _ = accepted(preview, self._book)
        return self._decide("accept", body, who, why, preview.based_on, preview.draft.source)

    def _days(
        self, preview: Preview, who: str, why: str
    ) -> tuple[list[Decision], list[Submission], _Told, list[Message]]:
        """What accepting each day of a table would do."""
        decisions, sources, after, odd = day_by_day(
            preview, self._book, self._log, lambda body, source: self._decision("accept", body, who, why, source)
        )
        return decisions, sources, self._told(after), odd

    def _accept_days(self, preview: Preview, who: str, why: str) -> Effect:
        """An event for each day of a table, all at once."""
        if not who.strip():
            raise BadInput(say("ledger.needs_who"), at="who")
        decisions, sources, told, odd = self._days(preview, who.strip(), why.strip())
        if odd and not preview.anyway:
            raise BadInput(say("ledger.problems", problems=odd), at="anyway")
        self.store.add(decisions, submissions=list({one.hash: one for one in sources}.values()))
        self._log, self._book, self._histories = [*self._log, *decisions], told.after, {}
        self._bases = {**self._bases, **told.histories}
        return told.told

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
        problems = [one for one in table.oddities if one.serious and one.says.key != ONLY_THE_YEAR]
        return MembersPreview(
            tuple(entries), ratings, chosen, on, self._book.last, Submission.of(data, given),
            tuple(one.placed for one in problems),
            tuple(one.placed for one in table.oddities if one not in problems),
        )  # fmt: skip

    def accept_members(self, preview: MembersPreview, *, who: str, why: str = "", anyway: bool = False) -> Effect:
        """Take over the members who are new, and everybody's rating if a pool was named.

        Rows that could not be read are left out only if that was accepted with `anyway`.
        """
        if preview.problems and not anyway:
            raise BadInput(say("ledger.problems", problems=list(preview.problems)), at="anyway")
        if preview.open:
            raise BadInput(in_doubt(preview.open), at="person")
        next_id = self.book.new_person()
        people: list[dict[str, Any]] = []
        ratings: list[dict[str, Any]] = []
        for one in preview.entries:
            id = preview.who(one) or ""
            if id == NEW_PERSON:
                id = f"P{next_id + len(people)}"
                people.append(facts_of(one.reported, id))
            rating = preview.ratings.get(one.reported.no) if preview.pool is not None else None
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
        effect = self._effect(decision)
        if decision.number in effect.after.idle:
            raise BadInput(effect.after.idle[decision.number], at=kind)
        self.store.add([decision], submissions=[source] if source is not None else [], frozen=frozen)
        self._log, self._book, self._histories = [*self._log, decision], effect.after, {}
        self._bases = {**self._bases, **effect.histories}
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
        after = book_after(self._book, decision, self._log)
        return self._told(after, rated=decision.kind not in ("settings", "pool", "publish"))

    def _told(self, after: Book, *, rated: bool = True) -> _Told:
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
        return _Told(after, Effect(after.last, movers, idle), histories)


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


def _bytes(path: str) -> bytes:
    try:
        with builtins.open(path, "rb") as file:
            return file.read()
    except OSError as problem:
        raise BadFile(say("formats.file.unreadable", why=cause(problem)), at=path) from None
