"""What an import reads: a text, an XML, a CSV or a TSV file, plain or in a zip, recognised by what is in it."""

from __future__ import annotations

import zipfile
import zlib
from datetime import date
from functools import partial
from os.path import basename, getsize
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.errors import BadFile, BadInput, UnknownName
from arpad.lists.fixed import chunks as fixed_chunks
from arpad.lists.layouts import PACES, month_of, pace_of, recognise
from arpad.lists.store import FIDE
from arpad.reading.notation import parse_date

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from arpad.lists.blocks import Block, Chunk

LARGEST = 4 << 30  # bytes of a list; today's largest is under one gigabyte
PACKED_BEST = 200  # how much smaller a zip makes a list at most; a bomb does it a thousand times
ZIP, HTML = b"PK", (b"<!doctype html", b"<html", b"<head")
READABLE = (".txt", ".xml", ".csv", ".tsv")
TABLES, SHEETS = (".csv", ".tsv"), (".xlsx", ".xls", ".ods")
OFFICE = ("[Content_Types].xml", "mimetype")  # inside the files of office programs, which are zips
OLD_OFFICE = b"\xd0\xcf\x11\xe0"
TABLE, MARKUP = "csv", "xml"  # as layouts are called
SPREADSHEET = "This is a file of an office program; save the sheet as CSV there, and import that."


class ListFile(NamedTuple):
    """A file that was recognised: whose list it is, its month and paces, and how to read it, chunk by chunk."""

    file: str
    name: str
    month: date
    paces: tuple[str, ...]
    layout: str
    size: int
    chunks: Callable[[Mapping[int, int]], Iterator[Chunk]]  # with the first lines of IDs that stand in several
    notes: tuple[str, ...] = ()


class Told(NamedTuple):
    """What the user says of a file: whose list, which month and pace, and of a CSV which column is what."""

    name: str | None = None
    month: str | None = None
    pace: str | None = None
    columns: Mapping[str, str] | None = None


NOTHING_TOLD = Told()


class _File(NamedTuple):
    """The readable file itself: the one given, or the one inside a zip."""

    path: str
    name: str
    size: int
    open: Callable[[], Any]
    stamp: str | None = None  # the month a zip gives its member


def recognised(path: str, told: Told = NOTHING_TOLD) -> ListFile:
    """The source in a file, or a BadFile that says what is wrong with it."""
    told = told._replace(pace=checked_pace(told.pace))
    try:
        with open(path, "rb") as file:
            start = file.read(1024)
        size = getsize(path)
    except OSError as problem:
        raise BadFile(f"The file cannot be read: {problem.strerror}.", at=path) from None
    if start.lstrip().lower().startswith(HTML):
        raise BadFile(
            "This is a web page, not a rating list: the server answered with a message instead of the file. Open it in "
            "a browser to read it, and download the list again.",
            at=path,
        )
    if start.startswith(OLD_OFFICE) or path.lower().endswith(SHEETS):
        raise BadFile(SPREADSHEET, at=path)
    found = _inside(path) if start.startswith(ZIP) else _File(path, basename(path), size, lambda: open(path, "rb"))  # noqa: SIM115  # `reading` closes it
    if not found.size:
        raise BadFile("The file is empty.", at=path)
    with reading(found) as file:
        start = file.readline(4096)
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _agreed(_markup(found, told), told)
    if found.name.lower().endswith(TABLES) or told.columns:
        return _agreed(_table(found, told), told)
    return _agreed(_text(found, start, told), told)


def _agreed(source: ListFile, told: Told) -> ListFile:
    """The source, if it is what the user says of it: nothing that was told goes unheard."""
    has = f"This list has ratings for {', '.join(source.paces)}"
    if told.pace is not None and told.pace not in source.paces:
        raise BadInput(f"{has}, and none for {told.pace}; leave --pace out.", at="--pace")
    if told.pace is not None and len(source.paces) > 1 and source.layout != TABLE:
        raise BadInput(f"{has}; all are imported together; leave --pace out.", at="--pace")
    if told.columns and source.layout == MARKUP:
        raise BadInput(
            "--columns is for a CSV; this is FIDE's XML, whose columns are known. Leave it out.", at="--columns"
        )
    return source


# --- the three kinds -------------------------------------------------------------------------------------------------


def _text(found: _File, header: bytes, told: Told) -> ListFile:
    layout = recognise(header.decode("latin-1").removeprefix("ï»¿"), at=f"{found.path}, line 1")
    paces = layout.paces
    if not paces:
        pace = "standard" if layout.name == "old" else _pace(found, told)
        layout, paces = layout.of_pace(pace), (pace,)
    month, notes = _month(found, told, layout.month)

    def chunks(repeated: Mapping[int, int]) -> Iterator[Chunk]:
        with reading(found) as file:
            file.readline()
            yield from _guarded(fixed_chunks(file, layout, repeated), found)

    return ListFile(
        found.path, told.name or FIDE, month, paces, f"{layout.name} {layout.width}", found.size, chunks, notes
    )


def _markup(found: _File, told: Told) -> ListFile:
    from arpad.lists.markup import blocks as markup_blocks
    from arpad.lists.markup import has_rapid

    with reading(found) as file:
        combined = has_rapid(file, at=found.path)
    paces = PACES if combined else (_pace(found, told),)
    month, notes = _month(found, told, None)

    def chunks(repeated: Mapping[int, int]) -> Iterator[Chunk]:
        with reading(found) as file:
            yield from _guarded(_done(markup_blocks(file, paces, repeated, at=found.path)), found)

    return ListFile(found.path, told.name or FIDE, month, paces, MARKUP, found.size, chunks, notes)


def _table(found: _File, told: Told) -> ListFile:
    from arpad.lists.table import blocks as table_blocks
    from arpad.lists.table import columns_of

    with reading(found) as file:
        columns, unused = columns_of(file, told.columns or {}, told.pace or "standard", at=found.path)
    paces = tuple(pace for pace in PACES if pace in columns.values())
    month, notes = _month(found, told, None)

    def chunks(repeated: Mapping[int, int]) -> Iterator[Chunk]:
        with reading(found) as file:
            yield from _guarded(_done(table_blocks(file, columns, repeated, at=found.path)), found)

    if unused:
        notes += (f"Columns that were not taken: {', '.join(unused)}; --columns says what a column is.",)
    return ListFile(found.path, told.name or "own", month, paces, TABLE, found.size, chunks, notes)


# --- month and pace --------------------------------------------------------------------------------------------------


def _month(found: _File, told: Told, header: str | None) -> tuple[date, tuple[str, ...]]:
    """The list's month: as told, from the header, from the file's name, or from the date inside the zip."""
    if told.month is not None:
        return parse_date(told.month, at="--month").replace(day=1), ()
    sure = header or month_of(found.name) or month_of(basename(found.path))
    if sure is not None:
        return parse_date(sure), ()
    if found.stamp is not None:
        says = (
            f"The month {found.stamp} is that of the date inside the zip; give --month if the list is another month's."
        )
        return parse_date(found.stamp), (says,)
    raise BadInput(
        "The file does not say which month's list it is; give it, for example --month 2026-11.", at="--month"
    )


def checked_pace(given: str | None) -> str | None:
    """A pace as it is typed, in any case."""
    pace = None if given is None else given.strip().lower()
    if pace is not None and pace not in PACES:
        raise UnknownName("pace", pace, known=PACES, at="--pace")
    return pace


def _pace(found: _File, told: Told) -> str:
    """The pace of a list of one rating: as told, or from the file's name."""
    pace = told.pace or pace_of(found.name) or pace_of(basename(found.path))
    if pace is None:
        raise BadInput(
            f"The file does not say which rating it has; give --pace with one of {', '.join(PACES)}.", at="--pace"
        )
    return pace


# --- zip -------------------------------------------------------------------------------------------------------------


def _inside(path: str) -> _File:
    """The list inside a zip, which is not unpacked but read through."""
    try:
        with zipfile.ZipFile(path) as archive:
            office = set(OFFICE) & set(archive.namelist())
            members = [one for one in archive.infolist() if one.filename.lower().endswith(READABLE)]
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError):
        raise BadFile("The zip is damaged or was not downloaded to its end; download it again.", at=path) from None
    if office:
        raise BadFile(SPREADSHEET, at=path)
    if len(members) != 1:
        raise BadFile(f"A zip with one list is expected ({', '.join(READABLE)}); this one has {len(members)}.", at=path)
    (member,) = members
    if member.file_size > LARGEST or member.file_size > PACKED_BEST * max(member.compress_size, 1):
        raise BadFile(
            f"The zip says it unpacks {member.compress_size} bytes to {member.file_size}, which no rating list does; "
            "it is not read.",
            at=path,
        )

    def opened() -> Any:
        with zipfile.ZipFile(path) as archive:
            return archive.open(member)  # which keeps the file open until it is closed itself

    return _File(path, member.filename, member.file_size, opened, f"{member.date_time[0]:04}-{member.date_time[1]:02}")


class reading:  # noqa: N801  # used like a function
    """A readable file, closed again; a damaged zip is a BadFile wherever the damage is."""

    def __init__(self, found: _File) -> None:
        self._found = found

    def __enter__(self) -> Any:
        self._file = self._found.open()
        return self._file

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        self._file.close()
        if isinstance(problem, DAMAGED):
            raise _damaged(self._found.path) from None


DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError)


def _damaged(path: str) -> BadFile:
    return BadFile("The zip is damaged or was not downloaded to its end; download it again.", at=path)


def _done(blocks: Iterator[Block]) -> Iterator[Chunk]:
    """Blocks that are read one behind the other, as chunks with nothing left to do."""
    return (partial(list, [block]) for block in blocks)


def _guarded(chunks: Iterator[Chunk], found: _File) -> Iterator[Chunk]:
    try:
        yield from chunks
    except DAMAGED:
        raise _damaged(found.path) from None
    except OSError as problem:
        raise BadFile(f"The file cannot be read: {problem.strerror}.", at=found.path) from None
