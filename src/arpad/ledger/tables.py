"""What a club's tables say besides games: a title, the day and the event of each row, members among other columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from arpad.errors import ArpadError
from arpad.formats.sheets import excel_sheets
from arpad.formats.tables import OF_A_PLAYER, is_html
from arpad.formats.text import EXCEL, lines_of
from arpad.reading.tables.columns import roles_of
from arpad.reading.text import fold
from arpad.reading.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

SEPARATORS = ",;\t"
BLANKS = re.compile(r"\s{2,}")  # between the columns of a text without separators
LONGEST_TITLE = 120  # characters


class TableOfDays(NamedTuple):
    """The headings of a table, the column with the day, the one with the event if there is one, and the rows."""

    headings: Sequence[str]
    day: int
    event: int | None
    rows: Sequence[Sequence[str]]

    def cell(self, row: Sequence[str], column: int | None) -> str:
        """A cell of a row; empty if the row is shorter."""
        return "" if column is None or column >= len(row) else row[column]


def is_day_column(heading: str) -> bool:
    """Whether a column of a table of games has the day of each game."""
    return _means(heading) == "days"


def is_used_column(heading: str) -> bool:
    """Whether a column says what only an event has: its day or its name."""
    return _means(heading) in ("days", "event")


def _means(heading: str) -> str | None:
    return words("events").phrase(fold(heading.strip()))


def table_of_days(data: bytes, name: str) -> TableOfDays | None:
    """The table with one column for the day, below its title if it has one; sheets with the same headings are one."""
    found: TableOfDays | None = None
    for rows in _sheets(data, name):
        place = next((place for place, row in enumerate(rows[:2]) if sum(map(is_day_column, row)) == 1), None)
        if place is None:
            continue
        headings, rest = rows[place], rows[place + 1 :]
        if found is not None and headings != found.headings:
            return None
        days = [column for column, cell in enumerate(headings) if is_day_column(cell)]
        events = [column for column, cell in enumerate(headings) if _means(cell) == "event"]
        before = [] if found is None else found.rows
        found = TableOfDays(headings, days[0], events[0] if len(events) == 1 else None, [*before, *rest])
    return found


def member_columns(data: bytes, name: str) -> dict[str, str]:
    """The columns of a table of members by their headings, whatever else it has; empty if none of them has names."""
    for rows in _sheets(data, name):
        for row in rows[:2]:
            roles = dict(zip(reversed(roles_of(row).roles), reversed(row), strict=True))  # of two alike the first
            if {"name", "surname"} & roles.keys():
                return {role: text for role, text in roles.items() if role in OF_A_PLAYER}
    return {}


def title_of(data: bytes, name: str) -> str | None:
    """The title of a table: the only cell in its first row, above the headings; of several sheets if all have it."""
    titles = {_title_above(rows) for rows in _sheets(data, name) if rows}
    return titles.pop() if len(titles) == 1 else None


def _title_above(rows: Sequence[Sequence[str]]) -> str | None:
    cells = [cell.strip() for cell in rows[0] if cell.strip()] if len(rows) > 2 else []
    wide = len([cell for text in rows[1] for cell in BLANKS.split(text) if cell]) if cells else 0
    return cells[0] if len(cells) == 1 and wide > 1 and len(cells[0]) <= LONGEST_TITLE else None


def _sheets(data: bytes, name: str) -> Iterator[list[list[str]]]:
    """The rows of a text, or of each sheet of an Excel file; none of what is no table, as its reader will say."""
    try:
        if data.startswith(EXCEL):
            for sheet in excel_sheets(data, name):
                yield [list(row.cells) for row in sheet]
        elif not is_html(data):
            lines = [line for line in lines_of(data, name) if line.strip()]
            separator = max(SEPARATORS, key=lambda one: max((line.count(one) for line in lines[:2]), default=0))
            yield list(csv.reader(lines, delimiter=separator))
    except (ArpadError, csv.Error):
        return
