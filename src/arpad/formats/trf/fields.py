"""The fields of one record, read by its columns; a field that cannot be read becomes an oddity."""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

from arpad.core.tournaments import Oddity
from arpad.formats.trf.columns import CODE
from arpad.formats.trf.values import FORMS, REFUSED
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.formats.trf.columns import Column, Columns

MOST_REPEATED = 10_000  # values in one record; a line cannot hold more


def fields_of(layout: Columns, line: str, number: int, odd: list[Oddity]) -> dict[str, Any]:
    """Each field by its name; a field that repeats is a tuple."""
    for at in _gaps(layout, len(line)):
        if line[at - 1] not in " \t":
            odd.append(Oddity(say("formats.trf.between"), number, at, True))
            break
    return {
        column.name: _repeated(column, line, number, odd) if column.every else _field(column, line, number, odd)
        for column in layout
    }


@lru_cache(maxsize=512)  # records of one kind have only a few different lengths
def _gaps(layout: Columns, length: int) -> tuple[int, ...]:
    """The columns that belong to no field, up to the end of a line."""
    return tuple(at for at in range(CODE.stop + 1, length + 1) if not any(_covers(column, at) for column in layout))


def _covers(column: Column, at: int) -> bool:
    """Whether a column of the line belongs to a field."""
    behind = at - column.first
    return 0 <= behind < column.width or (column.every > 0 and behind >= 0 and behind % column.every < column.width)


def _field(column: Column, line: str, number: int, odd: list[Oddity], time: int = 0) -> Any:
    text = column.cut(line, time)
    try:
        return FORMS[column.form](text)
    except ValueError:
        at = column.first + time * column.every
        odd.append(Oddity(say(REFUSED[column.form], text=text, column=column.name), number, at, True))
        return None


def _repeated(column: Column, line: str, number: int, odd: list[Oddity]) -> tuple[Any, ...]:
    """All values up to the end of the line; an empty seat counts, any other blank does not."""
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
