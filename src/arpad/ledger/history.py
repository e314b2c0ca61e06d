"""The history of a pool: everybody's standings and how they came about, and the way back to an earlier point of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import Event, Standing
from arpad.ledger.book import LedgerEvent, RatingPool, SetRating
from arpad.messages import Message

if TYPE_CHECKING:
    from arpad.systems.base import Calculation, System

Step = SetRating | tuple[LedgerEvent, ...]  # what is done at once: a rating set by hand, or a batch of events


class RatedBatch(NamedTuple):
    """What one event, or the events of one month, did to a person."""

    events: tuple[int, ...]
    day: date  # from which the new standing counts
    before: Standing
    after: Standing
    games: int
    score: Decimal
    why: Message | None = None  # why there is no new rating
    work: Callable[[], Calculation | None] | None = None

    @property
    def change(self) -> Decimal | None:
        """The difference of the two ratings; None if one of them is missing."""
        if self.before.rating is None or self.after.rating is None:
            return None
        return Decimal(self.after.rating) - Decimal(self.before.rating)


class SetByHand(NamedTuple):
    """A rating set by hand."""

    day: date
    after: Standing
    decision: int
    source: str | None


class StandingBefore(NamedTuple):
    """What somebody had before a step: the standing, the day it is of, and the events played without a rating."""

    standing: Standing | None
    last: date | None
    earlier: tuple[Event, ...] | None


class StepTaken(NamedTuple):
    """A step that was taken, and what everybody in it had before."""

    step: Step
    before: Mapping[str, StandingBefore]


@dataclass
class PoolHistory:
    """A pool after its last event: everybody's standing, and how it came about."""

    pool: RatingPool
    system: System
    standings: dict[str, Standing] = field(default_factory=dict)
    lines: dict[str, list[RatedBatch | SetByHand]] = field(default_factory=lambda: defaultdict(list))
    refused: dict[int, Message] = field(default_factory=dict)  # events that could not be rated, and why
    # What `replay` needs to go back and on from here.
    last: dict[str, date] = field(default_factory=dict)  # the day that somebody's standing is of
    earlier: dict[str, tuple[Event, ...]] = field(default_factory=dict)  # events of people without a rating
    done: list[StepTaken] = field(default_factory=list)
    facts: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # what was known about everybody

    def on(self, person: str, day: date) -> Standing | None:
        """A person's standing on a day; None if they had none yet."""
        for line in reversed(self.lines.get(person, ())):
            if line.day <= day:
                return line.after
        return None

    def back_to(self, steps: int) -> PoolHistory:
        """A history of its own that ends after this many steps."""
        copy = replace(
            self,
            standings=dict(self.standings),
            lines=defaultdict(list, {person: list(lines) for person, lines in self.lines.items()}),
            refused=dict(self.refused),
            last=dict(self.last),
            earlier=dict(self.earlier),
            done=list(self.done),
        )
        while len(copy.done) > steps:
            copy.take_back()
        return copy

    def take_back(self) -> None:
        """Go back by one step."""
        done = self.done.pop()
        for person, before in done.before.items():
            self.lines[person].pop()
            if not self.lines[person]:
                del self.lines[person]
            known: tuple[dict[str, Any], ...] = (self.standings, self.last, self.earlier)
            for values, value in zip(known, before, strict=True):
                if value is None:
                    values.pop(person, None)
                else:
                    values[person] = value
        if not isinstance(done.step, SetRating):
            for event in done.step:
                self.refused.pop(event.id, None)
