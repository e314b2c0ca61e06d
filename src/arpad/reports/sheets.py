"""A report as a spreadsheet and as CSV: numbers stay numbers, and text never becomes a formula."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.errors import MissingExtra
from arpad.formats.saving import safe_cell
from arpad.messages import say
from arpad.reports.tables import changes, tables

if TYPE_CHECKING:
    from arpad.reports.norms import Norms
    from arpad.reports.order import Order
    from arpad.reports.tables import ReportColumn, Table
    from arpad.tournaments.event.report import EventReport

FORMATS = {"change": "+0.00;-0.00;0.00"}
UNPRINTABLE = {
    number: None for number in range(32) if chr(number) not in "\t\n\r"
}  # characters a spreadsheet cannot hold


def comma_separated(rated: EventReport) -> bytes:
    """The rating changes, a row per player; a text that looks like a formula gets an apostrophe in front."""
    table = changes(rated)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([column.key for column in table.columns])  # for programs: the same in every language
    writer.writerows(map(safe_cell, row) for row in table.rows)
    # The byte order mark tells spreadsheet programs that names are in UTF-8.
    return out.getvalue().encode("utf-8-sig", "replace")


def workbook(rated: EventReport, norms: Norms | None = None, order: Order | None = None) -> bytes:
    """A workbook with a sheet for each table; headings stay in view, and columns suit their contents."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise MissingExtra(say("reports.needs_openpyxl"), at="to") from None
    book = Workbook()
    book.remove(book.active)  # type: ignore[arg-type]  # a new book has a sheet
    for table in tables(rated, norms, order):
        _fill(book.create_sheet(table.name), table)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fill(sheet: Any, table: Table) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet.append([column.head for column in table.columns])
    for place, column in enumerate(table.columns, start=1):
        sheet.cell(1, place).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(place)].width = column.width
    for number, row in enumerate(table.rows, start=2):
        for place, (column, value) in enumerate(zip(table.columns, row, strict=True), start=1):
            if value not in (None, ""):
                _cell(sheet.cell(number, place), column, value)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = "landscape", 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = "1:1"


def _cell(cell: Any, column: ReportColumn, value: Any) -> None:
    if column.holds == "prose":
        from openpyxl.styles import Alignment

        cell.alignment = Alignment(wrap_text=True, vertical="top")
    if isinstance(value, str):
        cell.value = value.translate(UNPRINTABLE)
        cell.data_type = "s"  # a name that begins with = is a name
        return
    cell.value = value if isinstance(value, int | Decimal) else float(value)
    if column.holds in FORMATS:
        cell.number_format = FORMATS[column.holds]
