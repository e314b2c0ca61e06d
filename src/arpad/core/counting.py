"""How many of what, as people write it: `1 player`, `1,500 games`; `3, 5, 8 and 12 more`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LISTED = 8  # numbers or names that a sentence names


def counted(number: int, noun: str, many: str | None = None) -> str:
    """`1 game`, `1,500 games`; the plural is given where it takes more than an s."""
    return f"{number:,} {noun if number == 1 else many or f'{noun}s'}"


def if_any(number: int) -> str | None:
    """`1,500`; nothing for none, which need not be said."""
    return f"{number:,}" if number else None


def the_first(some: Sequence[object], *, between: str = ", ") -> str:
    """The first few numbers or names, and how many more there are."""
    more = f" and {len(some) - LISTED} more" if len(some) > LISTED else ""
    return f"{between.join(map(str, some[:LISTED]))}{more}"
