"""The usual table of a round robin: a column per opponent under 1, 2, 3 …, and cells such as `* 1 ½ 0`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.formats.spreadsheets.cells import BLANKS
from arpad.formats.trf.values import as_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.formats.spreadsheets.headings import Headings
    from arpad.formats.spreadsheets.rows import Row

ITSELF = ("", "*", "**", "***", "x", "xx", "■", "\\", "-")
ONE_RESULT = r"1/2|0[.,]5|\.5|1\.0|0\.0|[10+\-]k|[10½=+\-]"
RESULTS = re.compile(rf"({ONE_RESULT})({ONE_RESULT})?", re.IGNORECASE)  # two in a double round robin


def results_in(cell: str) -> list[str]:
    """The results in a cell, one or two; none for a blank, and a ValueError for anything else."""
    plain = cell.translate(BLANKS)
    if not plain:
        return []
    match = RESULTS.fullmatch(plain)
    if match is None:
        raise ValueError(cell)
    return [result for result in match.groups() if result]


def players_across(rows: Sequence[Row], headings: Headings) -> dict[int, int] | None:
    """The row index of each opponent by heading, in a table headed 1, 2, 3 …; None if it is not a round robin.

    A heading is a starting number, a rank or a place in the table: the first of these that leaves the diagonal free.
    """
    columns = headings.rounds
    if not headings.bare_rounds or len(columns) != len(rows) or len(rows) < 2:
        return None
    for numbers in _numberings(rows, headings):
        if numbers is not None and set(numbers) == set(columns) and _is_table(rows, numbers, columns):
            return {number: index for index, number in enumerate(numbers)}
    return None


def _numberings(rows: Sequence[Row], headings: Headings) -> list[list[int] | None]:
    by_field = [_numbers(rows, headings.fields[name]) for name in ("no", "rank") if name in headings.fields]
    return [*by_field, list(range(1, len(rows) + 1))]


def _numbers(rows: Sequence[Row], column: int) -> list[int] | None:
    """The numbers of a column; None if they are not all whole."""
    try:
        found = [as_number(row.cell(column).removesuffix(".0").rstrip(".")) for row in rows]
    except ValueError:
        return None
    return [number or 0 for number in found]


def _is_table(rows: Sequence[Row], numbers: Sequence[int], columns: Mapping[int, int]) -> bool:
    """Whether nobody has a result against themselves, and every other cell is a result or blank."""
    played = 0
    for row, own in zip(rows, numbers, strict=True):
        for number, column in columns.items():
            cell = row.cell(column)
            if number == own:
                if cell.lower() not in ITSELF:
                    return False
                continue
            try:
                played += len(results_in(cell))
            except ValueError:
                return False
    return played > 0
