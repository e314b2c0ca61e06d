"""A tournament as a crosstable in CSV or Excel, in the form that the table reader understands."""

from __future__ import annotations

import csv
import re
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

from arpad.errors import MissingExtra
from arpad.formats.saving import FORMULA, safe_cell
from arpad.formats.spreadsheets.cells import cell_of
from arpad.formats.text import one_line
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.core.tournaments import Entrant, Tournament

HEADINGS = ("no", "name", "title", "rating", "federation", "id", "born", "sex", "points", "rank")


def csv_table(tournament: Tournament) -> bytes:
    """The crosstable as CSV in UTF-8 with commas; only the columns before the rounds may look like formulas."""
    text = StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        [*map(safe_cell, row[: len(HEADINGS)]), *row[len(HEADINGS) :]] for row in _rows(tournament)
    )
    return text.getvalue().encode()


def excel_table(tournament: Tournament) -> bytes:
    """The crosstable as the only sheet of an Excel file."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise MissingExtra(say("formats.table.extra"), at="format") from None
    book = Workbook()
    sheet: Any = book.active
    sheet.title = "crosstable"
    for row in _rows(tournament):
        sheet.append(row)
    for cells in sheet.iter_rows():
        for cell in cells:
            if isinstance(cell.value, str) and re.match(FORMULA, cell.value):
                cell.data_type = "s"  # a name that begins like a formula stays a text
    sheet.freeze_panes = "C2"
    sheet.column_dimensions["B"].width = (
        max([len(entrant.player.name or "") for entrant in tournament.entrants] + [8]) + 2
    )
    data = BytesIO()
    book.save(data)
    return data.getvalue()


def _rows(tournament: Tournament) -> Iterator[list[Any]]:
    rounds = max((len(entrant.rounds) for entrant in tournament.entrants), default=0)
    columns = max(rounds, tournament.rounds, 1)  # a table without a round would be a list of players
    yield [*HEADINGS, *(f"r{number}" for number in range(1, columns + 1))]
    for entrant in tournament.entrants:
        facts = (one_line(fact) if isinstance(fact, str) else fact for fact in _facts(entrant))
        yield [*facts, *(cell_of(played) for played in entrant.rounds)]


def _facts(entrant: Entrant) -> list[Any]:
    player = entrant.player
    born = player.birth_year if entrant.born is None else entrant.born.isoformat()
    points = None if entrant.points is None else float(entrant.points)
    known = (player.name, player.title, player.rating, player.federation, player.fide_id, born, player.sex)
    return [entrant.no, *known, int(points) if points is not None and points.is_integer() else points, entrant.rank]
