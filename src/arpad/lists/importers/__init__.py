"""The list files Arpad can read: FIDE's text and XML, CSV and TSV, plain or zipped, recognised by their content."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os.path import basename, getsize
from typing import IO, TYPE_CHECKING

from arpad.errors import BadFile, BadInput, UnknownName, extra_needed
from arpad.lists.store import FIDE, PACES
from arpad.messages import Message, say
from arpad.reading import parse_date

with extra_needed("lists.store.needs", at="list"):
    from arpad.lists.importers import fide_text, fide_xml, own_table
    from arpad.lists.importers._layouts import layout_of, month_of, pace_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import date

    from arpad.lists.importers._rows import Rows

LARGEST = 4 << 30  # bytes of a list; today's largest is below one gigabyte
BEST_COMPRESSION = 200  # a zip makes a list at most 200 times smaller; a zip bomb reaches a thousand
ZIP, OLD_OFFICE, HTML = b"PK", b"\xd0\xcf\x11\xe0", (b"<!doctype html", b"<html", b"<head")
READABLE = (".txt", ".xml", ".csv", ".tsv")
TABLES, SHEETS = (".csv", ".tsv"), (".xlsx", ".xls", ".ods")
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError)
OFFICE = {"[Content_Types].xml", "mimetype"}  # members of office files, which are zips
CSV, XML = "csv", "xml"  # names of layouts
SPREADSHEET, INCOMPLETE = say("lists.import.spreadsheet"), say("lists.import.damaged_zip")


@dataclass(frozen=True, slots=True)
class Hints:
    """What the user says about a file: whose list, which month and pace, and which column of a CSV is what."""

    name: str | None = None
    month: str | None = None
    pace: str | None = None
    columns: Mapping[str, str] | None = None


NO_HINTS = Hints()


@dataclass(frozen=True, slots=True)
class ListFile:
    """A recognised file: whose list it is, its month, paces and layout, and how to read its rows."""

    file: str
    name: str
    month: date
    paces: tuple[str, ...]
    layout: str
    size: int
    rows: Callable[[], Iterator[Rows]]
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    """The file with the list: the file itself, or a member of a zip, whose date may tell the month."""

    path: str
    name: str
    size: int
    member: zipfile.ZipInfo | None = None

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The open file; any error while it is read becomes a BadFile."""
        try:
            if self.member is None:
                with open(self.path, "rb") as file:
                    yield file
            else:
                with zipfile.ZipFile(self.path) as archive, _opened(archive, self.member) as file:
                    yield file
        except DAMAGED:
            raise BadFile(INCOMPLETE, at=self.path) from None
        except OSError as problem:
            raise BadFile(say("lists.import.no_file", why=problem.strerror), at=self.path) from None


def _opened(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    """A member of a zip; one that needs a password counts as damaged."""
    try:
        return archive.open(member)
    except (RuntimeError, UnicodeDecodeError):
        raise zipfile.BadZipFile from None


def recognise(path: str, hints: Hints = NO_HINTS) -> ListFile:
    """The list in a file; a BadFile says why it is not one."""
    hints = replace(hints, pace=checked_pace(hints.pace))
    source = _source(path)
    if not source.size:
        raise BadFile(say("lists.import.empty"), at=path)
    with source.opened() as file:
        first_line = file.readline(4096)
    if first_line.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        found = _xml(source, hints)
    elif source.name.lower().endswith(TABLES) or hints.columns:
        found = _own_table(source, hints)
    else:
        found = _text(source, first_line, hints)
    _check_hints(found, hints)
    return found


def checked_pace(given: str | None) -> str | None:
    """A pace in lower case, checked; None stays None."""
    pace = None if given is None else given.strip().lower()
    if pace is not None and pace not in PACES:
        raise UnknownName("pace", pace, known=PACES, at="pace")
    return pace


def _check_hints(found: ListFile, hints: Hints) -> None:
    """Refuse hints that the file contradicts or cannot use, instead of ignoring them."""
    if hints.pace is not None and hints.pace not in found.paces:
        raise BadInput(say("lists.import.other_pace", paces=list(found.paces), pace=hints.pace), at="pace")
    if hints.pace is not None and len(found.paces) > 1 and found.layout != CSV:
        raise BadInput(say("lists.import.all_paces", paces=list(found.paces)), at="pace")
    if hints.columns and found.layout == XML:
        raise BadInput(say("lists.import.xml_columns"), at="columns")


# --- the three formats -----------------------------------------------------------------------------------------------


def _text(source: _Source, header: bytes, hints: Hints) -> ListFile:
    layout = layout_of(header.decode("latin-1").removeprefix("ï»¿"), at=f"{source.path}, line 1")
    paces = layout.paces
    if not paces:
        pace = "standard" if layout.name == "old" else _pace(source, hints)
        layout, paces = layout.of_pace(pace), (pace,)
    month, notes = _month(source, hints, layout.month)

    def rows() -> Iterator[Rows]:
        with source.opened() as file:
            file.readline()
            yield from fide_text.read_rows(file, layout, at=source.path)

    name = f"{layout.name} {layout.width}"
    return ListFile(source.path, hints.name or FIDE, month, paces, name, source.size, rows, notes)


def _xml(source: _Source, hints: Hints) -> ListFile:
    with source.opened() as file:
        all_paces = fide_xml.has_all_paces(file, at=source.path)
    paces = PACES if all_paces else (_pace(source, hints),)
    month, notes = _month(source, hints, None)

    def rows() -> Iterator[Rows]:
        with source.opened() as file:
            yield from fide_xml.read_rows(file, paces, at=source.path)

    return ListFile(source.path, hints.name or FIDE, month, paces, XML, source.size, rows, notes)


def _own_table(source: _Source, hints: Hints) -> ListFile:
    with source.opened() as file:
        columns, unused = own_table.columns_of(file, hints.columns or {}, hints.pace or "standard", at=source.path)
    paces = tuple(pace for pace in PACES if pace in columns.values())
    month, notes = _month(source, hints, None)
    if unused:
        notes += (say("lists.import.unused", columns=unused),)

    def rows() -> Iterator[Rows]:
        with source.opened() as file:
            yield from own_table.read_rows(file, columns, at=source.path)

    return ListFile(source.path, hints.name or "own", month, paces, CSV, source.size, rows, notes)


# --- month and pace --------------------------------------------------------------------------------------------------


def _month(source: _Source, hints: Hints, header: str | None) -> tuple[date, tuple[Message, ...]]:
    """The list's month: as the user says, from the header, from the file's name, or from the date inside the zip."""
    if hints.month is not None:
        return parse_date(hints.month, at="month").replace(day=1), ()
    found = header or month_of(source.name) or month_of(basename(source.path))
    if found is not None:
        return parse_date(found), ()
    if source.member is not None:
        year, month, *_ = source.member.date_time
        zipped = f"{year:04}-{month:02}"
        note = say("lists.import.month_of_zip", month=zipped)
        return parse_date(zipped), (note,)
    raise BadInput(say("lists.import.no_month"), at="month")


def _pace(source: _Source, hints: Hints) -> str:
    """The pace of a list with one rating: as the user says, or from the file's name."""
    pace = hints.pace or pace_of(source.name) or pace_of(basename(source.path))
    if pace is None:
        raise BadInput(say("lists.import.no_pace", paces=list(PACES)), at="pace")
    return pace


# --- the file itself -------------------------------------------------------------------------------------------------


def _source(path: str) -> _Source:
    """The file with the list; web pages and spreadsheets are refused."""
    try:
        with open(path, "rb") as file:
            start = file.read(1024)
        size = getsize(path)
    except OSError as problem:
        raise BadFile(say("lists.import.no_file", why=problem.strerror), at=path) from None
    if start.lstrip().lower().startswith(HTML):
        raise BadFile(say("lists.import.web_page"), at=path)
    if start.startswith(OLD_OFFICE) or path.lower().endswith(SHEETS):
        raise BadFile(SPREADSHEET, at=path)
    return _zipped(path) if start.startswith(ZIP) else _Source(path, basename(path), size)


def _zipped(path: str) -> _Source:
    """The list inside a zip, which is read without unpacking it."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (*DAMAGED, OSError, NotImplementedError, UnicodeDecodeError):
        raise BadFile(INCOMPLETE, at=path) from None
    if OFFICE & {member.filename for member in members}:
        raise BadFile(SPREADSHEET, at=path)
    lists = [member for member in members if member.filename.lower().endswith(READABLE)]
    if len(lists) != 1:
        raise BadFile(say("lists.import.members", endings=list(READABLE), found=len(lists)), at=path)
    (member,) = lists
    if member.file_size > min(LARGEST, BEST_COMPRESSION * max(member.compress_size, 1)):
        about = {"packed": member.compress_size, "unpacked": member.file_size}
        raise BadFile(say("lists.import.bomb", **about), at=path)
    return _Source(path, member.filename, member.file_size, member)
