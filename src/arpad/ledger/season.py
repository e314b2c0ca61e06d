"""A table of games of several days: each day is an event of its own; all are accepted at once, or none."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.ledger.book import Book, Reported, book_after
from arpad.ledger.decisions import Decision, Submission
from arpad.ledger.incoming import NEW_PERSON, DayRows, Draft, Preview, accepted, doubles, draft_of_file
from arpad.ledger.matching import NEW, SURE, Matched
from arpad.ledger.tables import table_of_days
from arpad.messages import Message, say
from arpad.reading.days import DayOrder, order_of_days, parse_date, read_day

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Days(NamedTuple):
    """The parts of a table by day, in their order, and what settled how its days are written."""

    parts: Mapping[date, DayRows]
    notes: tuple[Message, ...] = ()


def parts_by_day(data: bytes, name: str) -> Days:
    """A table with a column for the day, taken apart by days; no parts for everything else.

    Raises BadInput for a row whose day cannot be read, or may mean two days: 11/09/2025, unless another row shows
    whether the day or the month comes first.
    """
    table = table_of_days(data, name)
    if table is None:
        return Days({})
    texts = [table.cell(row, table.day) for row in table.rows]
    order = order_of_days(texts)
    days = [_day(text, order) for text in texts]
    rows: dict[date, list[Sequence[str]]] = {}
    for row, day in zip(table.rows, days, strict=True):
        rows.setdefault(day, []).append(row)
    parts = {}
    for day in sorted(rows):
        events = {table.cell(row, table.event).strip() for row in rows[day]}
        parts[day] = DayRows(_table([table.headings, *rows[day]]), events.pop() if len(events) == 1 else "")
    return Days(parts, tuple(_settled(zip(texts, days, strict=True), order)))


def _day(text: str, order: DayOrder | None) -> date:
    """The day of a row, in a table that writes year, month and day in this order."""
    if order is not None:
        with suppress(ValueError):
            if found := read_day(text).by(order.order).day:
                return found
    return parse_date(text, at="file")


def _settled(days: Iterable[tuple[str, date]], order: DayOrder | None) -> Iterator[Message]:
    """The first day that may mean two by itself, and the one that settles it."""
    for text, day in days:
        if order is not None and read_day(text).day is None:
            yield say("formats.day.settled", text=text, day=day, settled_by=order.settled_by)
            return


def _table(rows: Sequence[Sequence[str]]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _same(one: Reported) -> tuple[Any, ...]:
    """Who somebody is in a whole table, on whatever day."""
    return one.name, one.born, one.fide, one.club


def day_by_day(
    preview: Preview,
    book: Book,
    log: Sequence[Decision],
    decide: Callable[[Mapping[str, Any], Submission], Decision],
) -> tuple[list[Decision], list[Submission], Book, list[Message]]:
    """The decisions that accept each day of a table, what came in, the book after them, and which days look known.

    Who is who was settled for the whole table; `decide` makes a decision from its body and its source.
    """
    persons = {_same(one.reported): preview.who(one) for one in preview.entries}
    decisions: list[Decision] = []
    sources: list[Submission] = []
    odd: list[Message] = []
    for day, part in preview.draft.days:
        draft = _of_day(preview.draft, day, part)
        entries = []
        for one in draft.players:
            person = persons[_same(one)]
            new = person in (None, NEW_PERSON)
            entries.append(Matched(one, NEW if new else SURE, None if new else person))
        odd += doubles(draft, entries, book)
        body, found = accepted(Preview(draft, tuple(entries), book.last), book)
        persons |= {_same(one): found[one.no] for one in draft.players}
        source = Submission.of(part.table, draft.name)
        before = decisions[-1].digest if decisions else log[-1].digest
        decision = decide(body, source)._replace(number=book.last + 1, based_on=book.last).sealed(before)
        book = book_after(book, decision, [*log, *decisions])
        decisions.append(decision)
        sources.append(source)
    return decisions, sources, book, odd


def _of_day(whole: Draft, day: date, part: DayRows) -> Draft:
    """The event of one day, called as the table says."""
    called = f"{part.event or whole.name}, {day.isoformat()}"
    draft = draft_of_file(part.table, whole.name, pool=whole.pool, called=called, start=day)
    return replace(draft, days=())
