"""What is read out of an open ledger: the newest state, lists, people, events, changes, the log; and what goes out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from arpad.errors import BadFile, BadInput
from arpad.formats import file_bytes
from arpad.formats.saving import save
from arpad.ledger.archive import Verified, exported, verified
from arpad.ledger.book import Book, LedgerEvent, Person, PublishedList, book_after, book_of
from arpad.ledger.decisions import Decision
from arpad.ledger.history import PoolHistory
from arpad.ledger.incoming import Mover, pool_named
from arpad.ledger.rating import replay
from arpad.ledger.store import Store
from arpad.ledger.views import (
    LedgerList,
    LogLine,
    PersonPage,
    PersonPages,
    list_from,
    list_of,
    log_lines,
    moved,
    tournament_of,
)
from arpad.messages import Message, say
from arpad.reading.text import name_words

if TYPE_CHECKING:
    from typing import Self  # Python 3.11

NUMBERED = re.compile(r".+\((P\d+)\)")  # a name with the person's number, as messages call namesakes


class ReadLedger:
    """An open ledger as it is read; always the newest state, whoever wrote it."""

    def __init__(self, store: Store, clock: Callable[[], datetime] | None = None) -> None:
        self.store = store
        self._clock = clock or (lambda: datetime.now(UTC))
        self._log: list[Decision] = []
        self._book = Book()
        self._histories: dict[tuple[str, date | None], PoolHistory] = {}
        self._bases: dict[str, PoolHistory] = {}  # a history of each pool by an earlier state, to go on from

    def __repr__(self) -> str:
        return f"<Ledger {self.store.place!r}, {self.book.last} decisions>"

    def another(self) -> Self:
        """The same ledger for somebody else who works at the same time; what is known already is known to both."""
        return copy(self)  # what it holds is never changed, only replaced

    @property
    def seen(self) -> int:
        """The last decision that it has read."""
        return self._book.last

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
            self._histories = {**self._histories, (name, until): found}
            if until is None or name not in self._bases:
                self._bases = {**self._bases, name: found}
            return found
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
            key = "ledger.no_list" if numbers else "ledger.no_lists"
            raise BadInput(say(key, number=number, pool=name, numbers=numbers), at="number")
        content = self.store.frozen(found[-1].decision)
        if content is None:
            raise BadFile(say("ledger.wrong.no_content", number=found[-1].decision), at=self.store.place)
        return numbered(list_from(content, self._book), found[-1])

    def person(self, who: str, pool: str | None = None) -> PersonPage:
        """A person with every event and every game, and the working."""
        person = self.find(who)
        history = replay(self.book, pool_named(self.book, pool), keep=lambda one: one == person.id)
        return PersonPages(history, self._book).page(person)

    def find(self, who: str) -> Person:
        """A person by number, ID, name, or name and number; raises BadInput if nobody is, or several are."""
        people = self.book.persons()
        numbered_name = NUMBERED.fullmatch(who)
        who = numbered_name[1] if numbered_name else who.strip()
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

    def names(self) -> dict[str, str]:
        """Everybody's name by number, as `find` finds it: with the number where several have the name."""
        people = self.book.persons()
        times = Counter(name_words(name) for person in people.values() for name in set(person.names))
        return {
            id: person.name if times[name_words(person.name)] == 1 else f"{person.name} ({id})"
            for id, person in sorted(people.items(), key=lambda one: (one[1].name, one[0]))
        }

    def event(self, number: int) -> LedgerEvent:
        """An event by the number of the decision that accepted it."""
        if number not in self.book.events:
            raise BadInput(say("ledger.idle.no_event", event=number), at="event")
        return self._book.events[number]

    def changes(
        self, before: date, after: date, pool: str | None = None, *, improvers: bool = False
    ) -> tuple[Mover, ...]:
        """Who moved between the lists of two days, the largest change first, and the first event in between.

        With `improvers`, only those whose rating rose.
        """
        if after < before:
            raise BadInput(say("ledger.ends_before", start=before, end=after), at="after")
        book = self.book
        movers = moved(self.history(pool, before), self.history(pool, after), book, book)
        return tuple(one for one in movers if not improvers or (one.change or 0) > 0)

    def log(self) -> tuple[LogLine, ...]:
        """The log as people read it."""
        book = self.book
        return log_lines(self._log, book)

    def today(self) -> date:
        """The day by the ledger's clock."""
        return self._clock().astimezone().date()

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


def numbered(listed: LedgerList, published: PublishedList) -> LedgerList:
    """A published list with its number."""
    return replace(listed, number=published.number, revision=published.revision)
