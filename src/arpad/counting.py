"""Counts in a sentence: `1 player`, `2 players`; `3, 5, 8 and 12 more`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LISTED = 8  # numbers that a sentence names


def counted(number: int, what: str) -> str:
    """So many of something."""
    return f"{number} {what}{'s' * (number != 1)}"


def the_first(numbers: Sequence[int]) -> str:
    """The first few numbers, and how many more there are."""
    more = f" and {len(numbers) - LISTED} more" if len(numbers) > LISTED else ""
    return f"{', '.join(map(str, numbers[:LISTED]))}{more}"
