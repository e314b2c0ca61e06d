"""The same games rated by plain Elo, as most calculators do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.core import EloStanding, Period, Player
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems import system

if TYPE_CHECKING:
    from arpad.core import Rating
    from arpad.systems.rating_change import RatingChange


def with_plain_elo(change: RatingChange) -> RatingChange:
    """A change, with the same games by plain Elo and the same K beside it."""
    if change.k_used is None:
        raise BadInput(say("systems.plain_elo", system=change.system), at="formula")
    return replace(change, plain_elo=by_plain_elo(change, k=change.k_used))


def by_plain_elo(change: RatingChange, *, k: Rating | None = None) -> RatingChange:
    """The same games by plain Elo, with a given K or the one that most calculators use."""
    events = tuple(replace(event.event, rating=event.rating) for event in change.events)
    own = Player(EloStanding(events[0].rating, k=k))
    return system("elo").rate_period(own, Period(events, change.rating), on=change.on)
