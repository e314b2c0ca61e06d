"""A tournament as a crosstable, CSV or Excel, that the reader of tables reads again."""

from __future__ import annotations

import csv
import re
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

from arpad.core.tournaments import Oddity
from arpad.errors import MissingExtra
from arpad.formats.saving import FORMULA, safe_cell
from arpad.formats.spreadsheets.cells import cell_of
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.core.tournaments import Entrant, Tournament

HEADINGS = ("no", "name", "title", "rating", "federation", "id", "born", "sex", "points", "rank")
FACTS = ("name", "city", "federation", "start", "end", "kind", "time_control", "arbiter", "deputies", "teams")


def csv_table(tournament: Tournament) -> tuple[bytes, tuple[Oddity, ...]]:
    """The crosstable as CSV in UTF-8 with commas; the rounds are ours, but the rest may look like formulas."""
    text = StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        [*map(safe_cell, row[: len(HEADINGS)]), *row[len(HEADINGS) :]] for row in _rows(tournament)
    )
    return text.getvalue().encode(), _lost(tournament)


def excel_table(tournament: Tournament) -> tuple[bytes, tuple[Oddity, ...]]:
    """The crosstable as the one sheet of an Excel file."""
    try:
        from openpyxl import Workbook
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    except ImportError:
        raise MissingExtra(say("formats.table.extra"), at="format") from None
    book = Workbook()
    sheet: Any = book.active
    sheet.title = "crosstable"
    for row in _rows(tournament):
        sheet.append([ILLEGAL_CHARACTERS_RE.sub("", cell) if isinstance(cell, str) else cell for cell in row])
    for cells in sheet.iter_rows():
        for cell in cells:
            if isinstance(cell.value, str) and re.match(FORMULA, cell.value):
                cell.data_type = "s"  # a name that begins like a formula stays a text
    sheet.freeze_panes = "C2"
    sheet.column_dimensions["B"].width = max([len(one.player.name or "") for one in tournament.entrants] + [8]) + 2
    data = BytesIO()
    book.save(data)
    return data.getvalue(), _lost(tournament)


def _rows(tournament: Tournament) -> Iterator[list[Any]]:
    rounds = max((len(one.rounds) for one in tournament.entrants), default=0)
    yield [*HEADINGS, *(f"r{number}" for number in range(1, max(rounds, tournament.rounds) + 1))]
    for entrant in tournament.entrants:
        yield [*_facts(entrant), *(cell_of(one) for one in entrant.rounds)]


def _facts(entrant: Entrant) -> list[Any]:
    player = entrant.player
    born = player.birth_year if entrant.born is None else entrant.born.isoformat()
    points = None if entrant.points is None else float(entrant.points)
    known = (player.name, player.title, player.rating, player.federation, player.fide_id, born, player.sex)
    return [entrant.no, *known, int(points) if points is not None and points.is_integer() else points, entrant.rank]


def _lost(tournament: Tournament) -> tuple[Oddity, ...]:
    """The facts of the event have no column."""
    names = [name for name in FACTS if getattr(tournament, name)]
    names += ["scoring"] if tournament.scoring or tournament.adjustments else []
    names += ["records"] if tournament.records else []
    facts = ", ".join(str(say(f"formats.fact.{name}")) for name in names)
    return (Oddity(say("formats.table.lost", facts=facts), lost=True),) if names else ()
