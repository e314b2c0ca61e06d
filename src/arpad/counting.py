"""How many of what, as people write it."""

from __future__ import annotations


def counted(number: int, noun: str, many: str | None = None) -> str:
    """`1 game`, `1,500 games`; the plural is given where it takes more than an s."""
    return f"{number:,} {noun if number == 1 else many or f'{noun}s'}"


def if_any(number: int) -> str | None:
    """`1,500`; nothing for none, which need not be said."""
    return f"{number:,}" if number else None
