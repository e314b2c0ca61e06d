"""Steps that are made on demand: an event has thousands of players, and few of them are looked at."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import hidden

if TYPE_CHECKING:
    from collections.abc import Callable

    from arpad.calculation.step import Step


def lazy_trail(work: Callable[[Any], tuple[Step, ...]]) -> Any:
    """The field `trail` of an answer whose steps are computed when they are first read."""
    # A field with a descriptor as its default keeps the descriptor on the class, and the constructor leaves it alone.
    return hidden(init=False, default=cached_property(work))
