"""A ledger: the book of a club's ratings in one file, its decisions, its lists, and the check that all of it is true.

club = arpad.ledger.open("club.arpad")
preview = club.preview("open.trf")
club.accept(preview.settle({7: "P12"}), who="Ann", why="club championship")
club.list().players
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from arpad.core import rating_of
from arpad.errors import BadFile, BadInput, cause
from arpad.ledger.archive import restored
from arpad.ledger.book import GameResult, Period, RatingPool, book_after
from arpad.ledger.deciding import AfterDecision, DecidingLedger, Effect
from arpad.ledger.decisions import Decision, Submission
from arpad.ledger.incoming import (
    NEW_PERSON,
    Draft,
    MembersPreview,
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
from arpad.ledger.rating import check_pool, usual_period
from arpad.ledger.season import Days, day_by_day, parts_by_day
from arpad.ledger.store import create, open_store, stale
from arpad.ledger.views import whole_rating
from arpad.messages import Message, say

MAIN = "main"
ONLY_THE_YEAR = "formats.day.birth"  # said of a birthday that may be two; a ledger has no more than the year


class Ledger(DecidingLedger):
    """An open ledger. What it reads is always the newest state; what it decides is based on a state that was seen."""

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
        self, white: str, black: str, result: GameResult, *, pool: str | None = None, on: date | None = None
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
            *_, outcome, odd = self._days(preview, "", "")
            movers = outcome.effect.movers.get(preview.draft.pool, ())
            return replace(preview, movers=movers, doubled=tuple(dict.fromkeys((*preview.doubled, *odd))))
        body, _ = accepted(preview, self.book)
        trial = self._decision("accept", body, "", "", None)
        effect = self._outcome(book_after(self._book, trial, self._log)).effect
        return replace(preview, movers=effect.movers.get(preview.draft.pool, ()))

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
    ) -> tuple[list[Decision], list[Submission], AfterDecision, list[Message]]:
        """What accepting each day of a table would do."""
        decisions, sources, after, odd = day_by_day(
            preview, self._book, self._log, lambda body, source: self._decision("accept", body, who, why, source)
        )
        return decisions, sources, self._outcome(after), odd

    def _accept_days(self, preview: Preview, who: str, why: str) -> Effect:
        """An event for each day of a table, all at once."""
        if not who.strip():
            raise BadInput(say("ledger.needs_who"), at="who")
        decisions, sources, outcome, odd = self._days(preview, who.strip(), why.strip())
        if odd and not preview.anyway:
            raise BadInput(say("ledger.problems", problems=odd), at="anyway")
        self.store.add(decisions, submissions=list({one.hash: one for one in sources}.values()))
        return self._go_on(decisions, outcome)

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


def new(
    place: str,
    *,
    system: str,
    who: str,
    pool: str = MAIN,
    name: str = "",
    start: Decimal | int | str | None = None,
    period: Period | None = None,
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
