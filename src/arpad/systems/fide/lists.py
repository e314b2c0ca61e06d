"""Which rating list an event enters, and whose K it is rated with (7.1)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arpad.core import Event, ListedK
    from arpad.messages import Message
    from arpad.systems.fide.rules import FideRules


class Entering(NamedTuple):
    """When the last event of a period ended, the list it enters, and the list before that, whose K counts."""

    ended: date
    enters: date
    k_list: date

    def notes(self, on: date, used: ListedK | None = None) -> Iterator[Message]:
        """Which list's K counts, where it is not the list that was in force when the event began.

        `used` is the list that K was read from, if it was: the one that counts may not be there yet.
        """
        if self.k_list <= on:
            return
        yield say("notes.k.list", list=self.k_list, ended=self.ended, enters=self.enters)
        if used is not None and used.month is not None and used.month < self.k_list:
            yield say("notes.k.older_list", list=f"{self.k_list:%Y-%m}", used=used.list)


def entering(events: Iterable[Event], rules: FideRules) -> Entering | None:
    """The list that a period's events enter; None if no last day is known, or if K is that of the first day."""
    if rules.k_at_start:
        return None
    ended = max((event.ended for event in events if event.ended is not None), default=None)
    return None if ended is None else entered(ended, rules)


def entered(ended: date, rules: FideRules) -> Entering:
    """The first list whose closing date an event meets that ended on a day."""
    months, closing, _ = rules.lists.value
    month = (ended.year * 12 + ended.month - 1) // months * months
    while ended > _first_of(month + months) - timedelta(days=closing):
        month += months
    return Entering(ended, _first_of(month + months), _first_of(month))


def next_list(day: date, rules: FideRules) -> date:
    """The first list that appears after a day."""
    months = rules.lists.value.months
    return _first_of((day.year * 12 + day.month - 1) // months * months + months)


def _first_of(month: int) -> date:
    """The first day of a month, counted from the year 0."""
    return date(month // 12, month % 12 + 1, 1)
