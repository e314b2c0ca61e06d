"""Take a list out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.errors import BadInput
from arpad.lists.load import delete
from arpad.lists.store import RatingList, lists_in, reading, writing

if TYPE_CHECKING:
    from datetime import date


def remove(month: date, *, name: str | None = None, pace: str | None = None, data: str | None = None) -> RatingList:
    """Remove the one list of a month, and give what it was; of several, name and pace must say which."""
    with reading(data) as connection:
        there = lists_in(connection)
    found = [
        one
        for one in there
        if one.month == month.replace(day=1) and name in (None, one.name) and pace in (None, *one.paces)
    ]
    if len(found) != 1:
        raise BadInput(_complaint(found or there, several=bool(found)), at="month")
    with writing(data) as connection:
        delete(connection, found[0].list)
    return found[0]


def _complaint(lists: list[RatingList], *, several: bool) -> str:
    named = "; ".join(f"{one.name} {one.month:%Y-%m} ({', '.join(one.paces)})" for one in lists)
    if several:
        return f"Several lists are meant: {named}. Say which with --name and --pace; nothing was removed."
    return f"There is no such list, and nothing was removed. There are: {named or 'none'}."
