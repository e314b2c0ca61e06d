"""The rows of a CSV or Excel file as texts, with the bounds that keep a hostile file from harm."""

from __future__ import annotations

import csv
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.errors import BadFile, MissingExtra
from arpad.formats.saving import plain_cell
from arpad.formats.text import lines_of, place

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Iterator

DELIMITERS = (";", "\t", ",", "|")
MOST_CELLS = 2_000_000
MOST_UNPACKED = 100_000_000
MOST_PARTS = 1000
PROLOGUE = 4096  # where a document type would stand
EXCEL, OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


class Row(NamedTuple):
    """A row with its number in the file."""

    number: int
    cells: list[str]


def csv_sheets(data: bytes, path: str) -> Iterator[list[Row]]:
    """The rows of a CSV file once for each delimiter that occurs, the likeliest first."""
    lines = lines_of(data, path)
    head = "\n".join(lines[:20])
    for delimiter in sorted(DELIMITERS, key=head.count, reverse=True):
        if delimiter in head:
            yield _csv(lines, delimiter, path)


def _csv(lines: list[str], delimiter: str, path: str) -> list[Row]:
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    rows, cells = [], 0
    try:
        for row in reader:
            cells += len(row)
            if cells > MOST_CELLS:
                raise BadFile(f"The table has more than {MOST_CELLS} cells.", at=place(path, reader.line_num))
            rows.append(Row(reader.line_num, [plain_cell(cell.strip()) for cell in row]))
    except csv.Error as error:
        raise BadFile(f"The file is not CSV: {error}.", at=place(path, reader.line_num)) from None
    return rows


def excel_sheets(data: bytes, path: str) -> Iterator[list[Row]]:
    """The rows of each sheet of an Excel file."""
    try:
        import openpyxl
    except ImportError:
        raise MissingExtra("Excel files need openpyxl: pip install 'arpad[tables]'.", at=path) from None
    import warnings

    _check_archive(data, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and validations, which nobody here looks at
        try:
            book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
            yield from (_sheet(sheet, path) for sheet in book.worksheets)
        except BadFile:
            raise
        except Exception:  # noqa: BLE001  # the library raises whatever its parsers raise
            raise BadFile("The Excel file is damaged and cannot be read; save it as .xlsx again.", at=path) from None


def _check_archive(data: bytes, path: str) -> None:
    """What the file would unpack to, from its directory, before anything is unpacked."""
    import zipfile

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = archive.infolist()
            size = sum(part.file_size for part in parts)
            small = size <= MOST_UNPACKED and len(parts) <= MOST_PARTS
            declares = small and any(_declares(archive, part) for part in parts)
    except Exception:  # noqa: BLE001  # a damaged archive raises whatever its parser stumbles over
        raise BadFile("The file is no Excel file, or a damaged one; save it as .xlsx again.", at=path) from None
    if not small:
        raise BadFile(
            f"The Excel file would unpack to {size / 1_000_000:.0f} MB in {len(parts)} parts; "
            f"at most {MOST_UNPACKED // 1_000_000} MB in {MOST_PARTS} parts are read.",
            at=path,
        )
    if declares:
        raise BadFile("The Excel file declares entities, which no spreadsheet does.", at=path)


def _declares(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Whether a part has a document type, in which entities could be declared."""
    if not part.filename.endswith((".xml", ".rels")):
        return False
    with archive.open(part) as file:
        return b"<!" in file.read(PROLOGUE).replace(b"<!--", b"")


def _sheet(sheet: Any, path: str) -> list[Row]:
    """The rows of a sheet; what a sheet says of its own size is not believed."""
    sheet.reset_dimensions()
    rows, cells = [], 0
    for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells += len(values) + 1
        if cells > MOST_CELLS:
            raise BadFile(f"The sheet '{sheet.title}' has more than {MOST_CELLS} cells.", at=place(path, number))
        if any(value is not None for value in values):
            rows.append(Row(number, [_cell(value) for value in values]))
    return rows


def _cell(value: Any) -> str:
    """A cell as the text a person sees; a date without its midnight, a whole number without its point."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip().removesuffix(" 00:00:00")
