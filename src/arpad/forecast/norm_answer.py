"""The chance of a norm, as part of an outlook."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from arpad.calculation.answer import Figure, hidden
from arpad.calculation.step import Step
from arpad.forecast.chances import percent
from arpad.messages import Message, say


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
        """The score that the norm takes, or the conditions in its way."""
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
