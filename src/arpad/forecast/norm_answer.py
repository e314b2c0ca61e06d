"""The chances of norms, as part of an outlook or of a season."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import prod
from typing import TYPE_CHECKING

from arpad.calculation.answer import Figure, hidden
from arpad.calculation.step import Step
from arpad.forecast.chances import percent
from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingCondition:
    """A condition of a norm that no result can fulfil (`met` is False), or that cannot be judged (None)."""

    name: str
    met: bool | None
    found: int | Decimal | str | Message | None
    needed: int | Decimal | str | Message | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NormChance:
    """How probable a norm is, the least score of all games that makes it, and the conditions in its way."""

    title: str
    event: str | Message | None = None  # its name or day; None where there is only one
    chance: float | None  # None where a condition cannot be judged
    least_score: Decimal | None  # None where no score makes it without leaving games out
    games: int
    exact: bool  # otherwise leaving games out was not tried, and the chance is at least this
    missing: tuple[MissingCondition, ...]
    step: Step = hidden()

    @property
    def figure(self) -> Figure:
        """The chance for a summary."""
        return Figure("norm.chance", percent(self.chance) or say("forecast.norm.not_known"), self.remark)

    @property
    def remark(self) -> Message:
        """The score that the norm takes, or the conditions in its way; with the event, where there are several."""
        said = self._remark
        return said if self.event is None else say("forecast.norm.in_event", remark=said, event=self.event)

    @property
    def _remark(self) -> Message:
        if self.missing and self.least_score is None and not self.chance:
            reasons = tuple(_reason(condition, self.title) for condition in self.missing)
            return say("forecast.norm.missing", title=self.title, reasons=reasons)
        remark = say("forecast.norm.of", title=self.title)
        if self.least_score is not None:
            remark = say("forecast.norm.enough", title=self.title, score=self.least_score, games=self.games)
        return remark if self.exact else say("forecast.norm.at_least", remark=remark)


def _reason(condition: MissingCondition, title: str) -> Message:
    """Why a norm is missed: a condition that is not met, or that cannot be judged."""
    if condition.met is None:
        return say("forecast.norm.unknown", condition=say(f"steps.label.norm.{condition.name}"))
    return say(f"tournaments.missed.{condition.name}", found=condition.found, needed=condition.needed, title=title)


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeNorm:
    """How probable it is to make at least one norm for a title in several events."""

    title: str
    chance: float | None  # None where that of an event is not known
    exact: bool  # otherwise the chance is at least this

    @property
    def figure(self) -> Figure:
        """The chance for a summary."""
        remark = say("forecast.norm.some", title=self.title)
        value = percent(self.chance) or say("forecast.norm.not_known")
        return Figure("norm.some", value, remark if self.exact else say("forecast.norm.at_least", remark=remark))


def some_norms(norms: Sequence[NormChance]) -> tuple[SomeNorm, ...]:
    """The chance of at least one norm for each title; for a given strength, events are independent."""
    found = []
    for title in dict.fromkeys(norm.title for norm in norms):
        chances = [norm.chance for norm in norms if norm.title == title]
        known = [chance for chance in chances if chance is not None]
        chance = None if len(known) < len(chances) else 1 - prod(1 - chance for chance in known)
        found.append(
            SomeNorm(title=title, chance=chance, exact=all(norm.exact for norm in norms if norm.title == title))
        )
    return tuple(found)


def norm_figures(norms: Sequence[NormChance]) -> Iterator[Figure]:
    """Each chance for a summary; with several events, the chance of at least one norm comes first."""
    if any(norm.event is not None for norm in norms):
        yield from (some.figure for some in some_norms(norms))
    yield from (norm.figure for norm in norms)
