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
    """A condition of a norm that no result can help (`met` is False), or that cannot be judged (None)."""

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
            reasons = tuple(_told(one, self.title) for one in self.missing)
            return say("forecast.norm.missing", title=self.title, reasons=reasons)
        remark = say("forecast.norm.of", title=self.title)
        if self.least_score is not None:
            remark = say("forecast.norm.enough", title=self.title, score=self.least_score, games=self.games)
        return remark if self.exact else say("forecast.norm.at_least", remark=remark)


def _told(one: MissingCondition, title: str) -> Message:
    """A condition that is not met, or that cannot be judged."""
    if one.met is None:
        return say("forecast.norm.unknown", condition=say(f"steps.label.norm.{one.name}"))
    return say(f"tournaments.missed.{one.name}", found=one.found, needed=one.needed, title=title)


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
    """For each title the chance of one norm or more; with a given strength events do not depend on each other."""
    found = []
    for title in dict.fromkeys(one.title for one in norms):
        chances = [one.chance for one in norms if one.title == title]
        known = [chance for chance in chances if chance is not None]
        chance = None if len(known) < len(chances) else 1 - prod(1 - one for one in known)
        found.append(SomeNorm(title=title, chance=chance, exact=all(one.exact for one in norms if one.title == title)))
    return tuple(found)


def norm_figures(norms: Sequence[NormChance]) -> Iterator[Figure]:
    """Each chance for a summary; in several events first that of at least one norm."""
    if any(one.event is not None for one in norms):
        yield from (one.figure for one in some_norms(norms))
    yield from (one.figure for one in norms)
