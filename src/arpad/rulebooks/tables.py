"""FIDE's two conversion tables: difference into scoring probability (8.1.2), score into difference (8.1.1)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.messages import say
from arpad.rulebooks.rulebook import BadValue, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class PdRow(NamedTuple):
    """A row of table 8.1.2: differences from and to, and PD of the higher and the lower rated player."""

    first: int
    last: int
    higher: Decimal
    lower: Decimal

    def __str__(self) -> str:
        return f"{self.first}–{self.last}" if self.last > self.first else f"> {self.first - 1}"


class ExpectedTable(tuple[PdRow, ...]):  # noqa: SLOT001  # it has an attribute
    """Table 8.1.2, with one row for every difference, for fast lookup."""

    by_difference: tuple[PdRow, ...]

    def __new__(cls, rows: Iterable[PdRow]) -> ExpectedTable:
        table = super().__new__(cls, rows)
        if [row.first for row in table] != [0, *(row.last + 1 for row in table[:-1])]:
            raise BadValue(say("rulebooks.value.gap"))
        table.by_difference = tuple(row for row in table for _ in range(row.first, row.last + 1))
        return table

    def row(self, difference: int) -> PdRow:
        """The row for a difference of either sign; the last row is open-ended."""
        return self.by_difference[min(abs(difference), len(self.by_difference) - 1)]

    def expected(self, difference: int) -> Decimal:
        """PD for a difference, player minus opponent."""
        row = self.row(difference)
        return row.higher if difference >= 0 else row.lower


def _expected(value: Any) -> ExpectedTable:
    """The handbook's columns D, H and L, sorted by D; `> 735` starts the last row."""
    words = text(value).replace("> ", ">").split()
    rows = [
        PdRow(*_span(words[place]), _hundredths(words[place + 1]), _hundredths(words[place + 2]))
        for place in range(0, len(words), 3)
    ]
    return ExpectedTable(sorted(rows))


def _hundredths(word: str) -> Decimal:
    return Decimal(word).quantize(Decimal("0.01"))


def _span(word: str) -> tuple[int, int]:
    if word[0] == ">":
        return int(word[1:]) + 1, int(word[1:]) + 1
    first, _, last = word.partition("-")
    return int(first), int(last)


def _dp(value: Any) -> Mapping[int, int]:
    """The handbook's columns of p and dp, by percentage."""
    words = text(value).split()
    table = {int(100 * Decimal(p)): int(dp) for p, dp in zip(words[::2], words[1::2], strict=True)}
    if sorted(table) != list(range(101)):
        raise BadValue(say("rulebooks.value.percentages"))
    return table


TABLES: Mapping[str, Callable[[Any], Any]] = {"expected": _expected, "dp": _dp}
