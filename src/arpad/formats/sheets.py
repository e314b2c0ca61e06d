"""Excel files and saved web pages: their rows as texts; and a tournament's crosstable written.

Limits keep a hostile file from doing harm.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from html.parser import HTMLParser
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

from arpad.errors import BadFile, MissingExtra
from arpad.formats.saving import FORMULA, safe_cell
from arpad.formats.text import lines_of, one_line, place
from arpad.messages import say
from arpad.reading.pasted import PastedLine
from arpad.reading.tables.cells import cell_text
from arpad.reading.tables.rows import PastedRow
from arpad.reading.text import plain

if TYPE_CHECKING:
    import zipfile

    from arpad.core.tournaments import Entrant, Tournament


MOST_SPANNED = 100  # columns
CHARSET = re.compile(rb"""charset\s*=\s*["']?([A-Za-z0-9_-]{3,20})""")
MOST_CELLS = 2_000_000
MEGABYTE = 1_000_000
MOST_UNPACKED = 100 * MEGABYTE
MOST_PARTS = 1000
PROLOGUE = 4096  # bytes that would contain a document type
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
REFERENCE = re.compile(rb"""\br=["']([A-Z]{0,3})([0-9]{1,7})["']""", re.IGNORECASE)  # of a row or a cell
TEXTS = re.compile(r"xl/sharedstrings\.xml", re.IGNORECASE)
SHARED = re.compile(rb"""\bt=["']s["'][^>]{0,80}>\s{0,9}<v>([0-9]{1,7})</v>""")  # a cell with a shared text
LONGEST_CELL = 131_072  # bytes: Excel allows 32,767 characters, of up to four bytes
MOST_SHEETS = 100
HEADINGS = ("no", "name", "title", "rating", "federation", "id", "born", "sex", "points", "rank")


def html_tables(text: str, path: str) -> Iterator[list[PastedRow]]:
    """The rows of each table of a saved web page; a cell over several columns is followed by empty ones."""
    page = _Page()
    page.feed(text)
    page.close()
    for table in page.tables:
        yield _rows(table, path)


class _Page(HTMLParser):
    """The tables of a page, a table inside another apart from it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[str]]] = []
        self.open: list[list[list[str]]] = []  # the tables around this place, the innermost last
        self.cell: list[str] | None = None
        self.hidden = 0  # inside a script or a style

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row or a cell."""
        if tag == "table":
            self._end_cell()
            self.open.append([])
            self.tables.append(self.open[-1])
        elif tag == "tr" and self.open:
            self._end_cell()
            self.open[-1].append([])
        elif tag in ("td", "th") and self.open:
            self._end_cell()
            if not self.open[-1]:
                self.open[-1].append([])
            self.cell = []
            span = dict(attrs).get("colspan") or "1"
            self.span = min(int(span), MOST_SPANNED) if span.isascii() and span.isdigit() else 1
        elif tag in ("br", "p", "div") and self.cell:
            self.cell.append(" ")
        elif tag in ("script", "style"):
            self.hidden += 1

    def handle_endtag(self, tag: str) -> None:
        """End a cell or a table."""
        if tag in ("td", "th", "tr", "table"):
            self._end_cell()
        if tag == "table" and self.open:
            self.open.pop()
        elif tag in ("script", "style"):
            self.hidden = max(self.hidden - 1, 0)

    def handle_data(self, data: str) -> None:
        """Add to the text of a cell."""
        if self.cell is not None and not self.hidden:
            self.cell.append(data)

    def _end_cell(self) -> None:
        if self.cell is not None and self.open and self.open[-1]:
            self.open[-1][-1] += [" ".join("".join(self.cell).split()), *[""] * (self.span - 1)]
        self.cell = None


def html_text(data: bytes, path: str) -> str:
    """The text of a saved page, in the encoding that it names."""
    if named := CHARSET.search(data[:PROLOGUE]):
        with suppress(LookupError):
            return data.decode(named[1].decode("ascii"), "replace")
    return "\n".join(lines_of(data, path))


def excel_sheets(data: bytes, path: str) -> Iterator[list[PastedRow]]:
    """The rows of each sheet of an Excel file, read by calamine if it is installed, which is fast, else by openpyxl."""
    _check_archive(data, path)
    try:
        import python_calamine  # noqa: F401
    except ImportError:
        read = _by_openpyxl
    else:
        read = _by_calamine
    try:
        yield from read(data, path)
    except (BadFile, MissingExtra, GeneratorExit, KeyboardInterrupt):
        raise
    except BaseException:  # noqa: BLE001  # the libraries raise whatever their parsers raise, even a Rust panic
        raise BadFile(say("formats.table.damaged"), at=path) from None


def _check_archive(data: bytes, path: str) -> None:
    """Refuse, before unpacking, a file whose directory promises too much, or that declares entities."""
    import zipfile

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = archive.infolist()
            size = sum(part.file_size for part in parts)
            small = size <= MOST_UNPACKED and len(parts) <= MOST_PARTS
            has_document_type = small and any(_has_document_type(archive, part) for part in parts)
    except Exception:  # noqa: BLE001  # a damaged archive may raise anything
        raise BadFile(say("formats.table.not_excel"), at=path) from None
    if not small:
        most = MOST_UNPACKED // MEGABYTE
        said = say(
            "formats.table.unpacked", size=round(size / MEGABYTE), parts=len(parts), most=most, most_parts=MOST_PARTS
        )
        raise BadFile(said, at=path)
    if has_document_type:
        raise BadFile(say("formats.table.entities"), at=path)


def _has_document_type(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Whether a part has a document type, in which entities could be declared."""
    if not part.filename.endswith((".xml", ".rels")):
        return False
    with archive.open(part) as file:
        return b"<!" in file.read(PROLOGUE).replace(b"<!--", b"")


def _by_openpyxl(data: bytes, path: str) -> Iterator[list[PastedRow]]:
    try:
        import openpyxl
    except ImportError:
        raise MissingExtra(say("formats.table.extra"), at=path) from None
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and validations, which are not used here
        sheets = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True).worksheets
        _check_number(len(sheets), path)
        for sheet in sheets:
            sheet.reset_dimensions()  # a sheet's own claim about its size is not trusted
            yield _rows(sheet.iter_rows(values_only=True), path)


def _check_number(sheets: int, path: str) -> None:
    """Refuse a workbook with very many sheets: all of them may point to the same part of the file."""
    if sheets > MOST_SHEETS:
        raise BadFile(say("formats.table.many_sheets", sheets=sheets, most=MOST_SHEETS), at=path)


def _rows(lines: Iterable[Sequence[object]], path: str) -> list[PastedRow]:
    """The rows of a sheet that have something in them."""
    rows, cells = [], 0
    for number, values in enumerate(lines, start=1):
        cells += len(values) + 1
        if cells > MOST_CELLS:
            raise BadFile(say("formats.table.many_cells", most=MOST_CELLS), at=place(path, number))
        if any(value is not None and str(value).strip() for value in values):
            texts = [plain(_cell(value)) for value in values]
            while texts and not texts[-1]:
                texts.pop()
            whole = "\t".join(texts)
            rows.append(PastedRow([PastedLine(number, whole, whole)], texts))
    return rows


def _cell(value: object) -> str:
    """A cell as the text a person sees: a date without midnight, a whole number without decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip().removesuffix(" 00:00:00")


def _by_calamine(data: bytes, path: str) -> Iterator[list[PastedRow]]:
    from python_calamine import CalamineWorkbook, SheetTypeEnum

    _check_sheets(data, path)
    book = CalamineWorkbook.from_filelike(BytesIO(data))
    _check_number(len(book.sheets_metadata), path)
    for sheet in book.sheets_metadata:
        if sheet.typ == SheetTypeEnum.WorkSheet:
            yield _rows(book.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False), path)


def _check_sheets(data: bytes, path: str) -> None:
    """Refuse a sheet that needs far more memory than its size in the file.

    Its last cell may be too far away, as calamine holds every cell up to it; or one long text is in very many cells.
    """
    import zipfile

    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = archive.infolist()
        texts = [archive.read(part) for part in parts if TEXTS.fullmatch(part.filename)]
        shared = [len(text) for file in texts for text in file.split(b"</si>")]  # of the texts that cells share
        if max(shared, default=0) > LONGEST_CELL:
            raise BadFile(say("formats.table.long_cell", most=LONGEST_CELL), at=path)
        for part in parts:
            if SHEET.fullmatch(part.filename):
                sheet = archive.read(part)
                used = sum(shared[int(number)] for number in SHARED.findall(sheet) if int(number) < len(shared))
                if used > MOST_UNPACKED:
                    raise BadFile(say("formats.table.many_characters", most=MOST_UNPACKED), at=path)
                found = REFERENCE.findall(sheet)
                last_row = max((int(row) for _, row in found), default=0)
                last_column = max((_column(letters) for letters, _ in found), default=0)
                if last_row * (last_column + 1) > MOST_CELLS:
                    raise BadFile(say("formats.table.many_cells", most=MOST_CELLS), at=path)


@cache
def _column(letters: bytes) -> int:
    """The number of a column: A is 1, AA is 27."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - ord("A") + 1
    return number


def csv_table(tournament: Tournament) -> bytes:
    """The crosstable as CSV in UTF-8 with commas; only the columns before the rounds may look like formulas."""
    text = StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        [*map(safe_cell, row[: len(HEADINGS)]), *row[len(HEADINGS) :]] for row in _crosstable_rows(tournament)
    )
    return text.getvalue().encode()


def _crosstable_rows(tournament: Tournament) -> Iterator[list[object]]:
    """The headings and a row for each player, in the form that the table reader understands."""
    rounds = max((len(entrant.rounds) for entrant in tournament.entrants), default=0)
    columns = max(rounds, tournament.rounds, 1)  # a table without a round would be a list of players
    yield [*HEADINGS, *(f"r{number}" for number in range(1, columns + 1))]
    for entrant in tournament.entrants:
        facts = (one_line(fact) if isinstance(fact, str) else fact for fact in _facts(entrant))
        yield [*facts, *(cell_text(played) for played in entrant.rounds)]


def _facts(entrant: Entrant) -> list[object]:
    """What is known about a player, in the order of the headings."""
    player = entrant.player
    born = player.birth_year if entrant.born is None else entrant.born.isoformat()
    points = None if entrant.points is None else float(entrant.points)
    known = (player.name, player.title, player.rating, player.federation, player.fide_id, born, player.sex)
    return [entrant.no, *known, int(points) if points is not None and points.is_integer() else points, entrant.rank]


def excel_table(tournament: Tournament) -> bytes:
    """The crosstable as the only sheet of an Excel file."""
    try:
        from openpyxl import Workbook
    except ImportError:
        raise MissingExtra(say("formats.table.extra"), at="format") from None
    book = Workbook()
    sheet: Any = book.active
    sheet.title = "crosstable"
    for row in _crosstable_rows(tournament):
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
