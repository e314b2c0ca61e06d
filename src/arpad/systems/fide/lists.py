"""Which rating list an event enters, and which list's K it is rated with (7.1)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import EloStanding
from arpad.messages import say
from arpad.systems.fide.k import NextList, k_on_list
from arpad.systems.fide.rules import FideRules
from arpad.systems.next_list import KOnList, ListAhead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arpad.core import Event, ListedK, Player, Rating
    from arpad.messages import Message

UNLIKELY = 0.0001  # a K that is less probable on the next list is not shown


class Entering(NamedTuple):
    """When a period's last event ended, the list it enters, and the list before that, whose K counts."""

    ended: date
    enters: date
    k_list: date

    def notes(self, on: date, used: ListedK | None = None) -> Iterator[Message]:
        """Which list's K counts, if it is not the list in force when the event began.

        `used` is the list that K was read from, if any: the list that counts may not be out yet.
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
    last_days = [event.ended for event in events if event.ended is not None]
    return entered(max(last_days), rules) if last_days else None


def entered(ended: date, rules: FideRules) -> Entering:
    """The first list that an event can enter that ended on this day, by the closing dates."""
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


def list_ahead(
    rules: object, player: Player, endings: Iterable[tuple[Rating | None, float]], *, games: int, on: date
) -> ListAhead | None:
    """The next list after these rated games, for each rating they may lead to; None in a system without lists."""
    if not isinstance(rules, FideRules):
        return None
    day = entered(on, rules).enters
    standing = EloStanding.of(player)
    if standing.k is not None:
        return ListAhead(on=day, k=())
    before = [rating for rating in (standing.peak, player.rating_used) if rating is not None]
    shares: dict[Rating, float] = {}
    for rating, share in endings:
        if rating is not None:
            band = k_on_list(player, NextList(day, games, max(*before, rating, 0)), rules)
            shares[band.k] = shares.get(band.k, 0.0) + share
    likely = sorted((item for item in shares.items() if item[1] >= UNLIKELY), key=lambda item: -item[1])
    return ListAhead(on=day, k=tuple(KOnList(k=k, chance=share) for k, share in likely))
