"""Ratings that a player wants to reach, each with its chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.calculation.answer import Figure
from arpad.forecast.chances import percent
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetChance:
    """A rating to reach, and the chance to have it or more."""

    target: int
    reach: float


def target_chances(targets: Sequence[int], shares: Iterable[tuple[int | None, float]]) -> tuple[TargetChance, ...]:
    """The chance to have each target or more, from the shares of the new ratings."""
    known = list(shares)
    return tuple(
        TargetChance(target=target, reach=sum(share for rating, share in known if (rating or 0) >= target))
        for target in targets
    )


def reach_figures(chances: Sequence[TargetChance], on: str) -> list[Figure]:
    """A line for each target; `on` is `next` or `last`, for the next list or the last one."""
    return [
        Figure("reach", percent(chance.reach), say(f"forecast.reach.{on}", target=chance.target)) for chance in chances
    ]
