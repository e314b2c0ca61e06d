"""The next list that games enter: its day, and K on it, as far as the results decide it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arpad.calculation.answer import Figure
from arpad.core import Rating
from arpad.messages import Message, say


@dataclass(frozen=True, slots=True, kw_only=True)
class KOnList:
    """A K, and how probable it is on the next list."""

    k: Rating
    chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAhead:
    """The list that games of a day enter, and the possible values of K on it, the likeliest first."""

    on: date
    k: tuple[KOnList, ...]  # empty if the user gave K, or no rating is left

    @property
    def figure(self) -> Figure:
        """The list for a summary."""
        return Figure("next_list", self.on, self._remark())

    def _remark(self) -> Message | None:
        if not self.k:
            return None
        first, *others = self.k
        if not others:
            return say("answers.next_k", k=first.k)
        shares = tuple(say("answers.next_k.perhaps", k=item.k, percent=f"{100 * item.chance:.1f}") for item in self.k)
        return say("answers.next_k.several", shares=shares)
