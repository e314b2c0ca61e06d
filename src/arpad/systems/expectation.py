"""Expectation and Chances: one game before it is played."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Exact, Figure, Text
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step
from arpad.core import Rating
from arpad.core.numbers import decimal
from arpad.messages import Message, say
from arpad.systems.calibrated import calibrated
from arpad.systems.next_list import ListAhead
from arpad.systems.rating_change import why_k

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """The probabilities of win, draw and loss, the model, and how well it holds; None if the model cannot say."""

    win: float | None = None
    draw: float | None = None
    loss: float | None = None
    model: str = "none"
    holds: Message | None = None

    @property
    def says(self) -> Message:
        """Which model gave them, and how well it holds."""
        return say("answers.chances", model=self.model, holds=self.holds)

    @classmethod
    def of(cls, rating: Rating, opponent: Rating, *, system: str, scale: Callable[[float], float] = float) -> Chances:
        """Chances by the calibrated model, for unknown colours; `scale` converts ratings to today's scale."""
        model = calibrated()
        mine, other = scale(float(rating)), scale(float(opponent))
        win, draw, loss = model.chances(mine, other, None)
        holds = model.how_well(mine - other, system)
        return cls(win=win, draw=draw, loss=loss, model="calibrated", holds=holds)


@dataclass(frozen=True, kw_only=True)
class Expectation(Answer):
    """One game before it is played: the expected score, and the change for win, draw and loss."""

    k: Rating | None = None
    k_why: Text | None = None
    expected: Decimal | None  # None if the game would not be rated
    table: Decimal | None = None  # the table's expected score, where a rule caps the difference
    win: Exact | None = None
    draw: Exact | None = None
    loss: Exact | None = None
    chances: Chances
    why: Text | None = None  # why the game would not be rated
    cap: int | None = None  # the largest difference that counts, if there is a limit
    next_list: ListAhead | None = None  # the list that the game enters, and K on it; None without lists

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        *,
        expected: Step,
        changes: Mapping[str, Step],
        chances: Chances,
        table: Decimal | None = None,
        cap: int | None = None,
        k: Step | None = None,
        next_list: ListAhead | None = None,
        remarks: Callable[[], Iterable[Message]],
    ) -> Expectation:
        """An expectation from its steps; without changes, the game would not be rated."""
        return cls(
            system=system,
            on=on,
            trail=(expected, *changes.values()),
            remarks=remarks,
            k=None if k is None else k.value,
            k_why=None if k is None else why_k(k),
            expected=None if expected.value is None else decimal(expected.value),
            table=table,
            chances=chances,
            why=None if changes else Reason(expected),
            cap=cap,
            next_list=next_list,
            **{result: decimal(step.value) for result, step in changes.items()},
        )

    @property
    def capped(self) -> bool:
        """Whether a rule reduced the difference that counts."""
        return self.expected is not None and self.table is not None and self.table != self.expected

    def summary(self) -> Sequence[Figure]:
        if self.expected is None:
            return (Figure("expected", say("answers.not_rated"), self.why),)
        beside = say("answers.without_cap", table=self.table, cap=self.cap) if self.capped else None
        return (
            Figure("expected", self.expected, beside),
            Figure("k", self.k, self.k_why or say("answers.k.given")),
            *([] if self.next_list is None else [self.next_list.figure]),
        )
