"""The fields of one record, read by its columns: every field that cannot be read is an oddity at its place."""

from __future__ import annotations

from itertools import count
from typing import Any

from arpad.files.trf.values import FORMS, WHAT
from arpad.tournament import Oddity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arpad.files.trf.columns import Column, Layout

MOST_REPEATED = 10_000  # numbers in one record; a line cannot be longer than that


def fields_of(layout: Layout, line: str, number: int, odd: list[Oddity]) -> dict[str, Any]:
    """Every field by its name; one that repeats is a tuple."""
    return {
        column.name: _repeated(column, line, number, odd) if column.every else _field(column, line, number, odd)
        for column in layout
    }


def _field(column: Column, line: str, number: int, odd: list[Oddity], time: int = 0) -> Any:
    text = column.cut(line, time)
    try:
        return FORMS[column.form](text)
    except ValueError:
        at = column.first + time * column.every
        odd.append(Oddity(f"'{text}' is not {WHAT[column.form]} ({column.name}); it is left out.", number, at, True))
        return None


def _repeated(column: Column, line: str, number: int, odd: list[Oddity]) -> tuple[Any, ...]:
    """All there are up to the end of the line; a seat that is empty counts, a blank elsewhere does not."""
    found = []
    end = len(line.rstrip())
    for time in count():
        if column.first - 1 + time * column.every >= end or time >= MOST_REPEATED:
            break
        value = _field(column, line, number, odd, time)
        if column.form == "seat":
            found.append(value or 0)
        elif value is not None:
            found.append(value)
    return tuple(found)
