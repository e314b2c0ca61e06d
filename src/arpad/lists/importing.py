"""Importing a list: its file is recognised by its content, and stored with the search index, all or nothing.

Files are FIDE's text and XML, CSV and TSV, plain or zipped.
"""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from os.path import basename, getsize
from typing import IO, TYPE_CHECKING

from arpad.errors import BadFile, BadInput, UnknownName, cause, extra_needed
from arpad.lists.search import add_words, folded_column
from arpad.lists.store import FIDE, PACES, RatingList, delete, lists_in, run, writing
from arpad.messages import Message, say, thousands
from arpad.reading import parse_date

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    Progress = Callable[[int], None]


with extra_needed("lists.store.needs", at="list"):
    import pyarrow as pa
    import pyarrow.compute as pc

    from arpad.lists.fide_files import (
        OLD_TITLES,
        has_all_paces,
        layout_of,
        month_of,
        pace_of,
        read_text_rows,
        read_xml_rows,
    )
    from arpad.lists.rows import NUMBERS, SCHEMA, TEXTS, BadLine, Rows, checked, columns_of, read_csv_rows

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
                with zipfile.ZipFile(self.path) as archive, self._unpacked(archive, self.member) as file:
                    yield file
        except DAMAGED:
            raise BadFile(INCOMPLETE, at=self.path) from None
        except OSError as problem:
            raise BadFile(say("lists.import.no_file", why=cause(problem)), at=self.path) from None

    @staticmethod
    def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
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
            yield from read_text_rows(file, layout, at=source.path)

    name = f"{layout.name} {layout.width}"
    return ListFile(source.path, hints.name or FIDE, month, paces, name, source.size, rows, notes)


def _xml(source: _Source, hints: Hints) -> ListFile:
    with source.opened() as file:
        all_paces = has_all_paces(file, at=source.path)
    paces = PACES if all_paces else (_pace(source, hints),)
    month, notes = _month(source, hints, None)

    def rows() -> Iterator[Rows]:
        with source.opened() as file:
            yield from read_xml_rows(file, paces, at=source.path)

    return ListFile(source.path, hints.name or FIDE, month, paces, XML, source.size, rows, notes)


def _own_table(source: _Source, hints: Hints) -> ListFile:
    with source.opened() as file:
        columns, unused = columns_of(file, hints.columns or {}, hints.pace or "standard", at=source.path)
    paces = tuple(pace for pace in PACES if pace in columns.values())
    month, notes = _month(source, hints, None)
    if unused:
        notes += (say("lists.import.unused", columns=unused),)

    def rows() -> Iterator[Rows]:
        with source.opened() as file:
            yield from read_csv_rows(file, columns, at=source.path)

    return ListFile(source.path, hints.name or "own", month, paces, CSV, source.size, rows, notes)


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


def _source(path: str) -> _Source:
    """The file with the list; web pages and spreadsheets are refused."""
    try:
        with open(path, "rb") as file:
            start = file.read(1024)
        size = getsize(path)
    except OSError as problem:
        raise BadFile(say("lists.import.no_file", why=cause(problem)), at=path) from None
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


INCOMING = SCHEMA.append(pa.field("folded", pa.string()))
_OLD_TITLES = " ".join(f"WHEN '{old}' THEN '{new}'" for old, new in OLD_TITLES.items())
# A blank or 0 is null, except for games, where 0 means that none were played.
_VALUES = {
    **{field: f"nullif({field}, '')" for field in TEXTS},
    **{field: field if field.endswith("_games") else f"nullif({field}, 0)" for field in NUMBERS},
    "title": f"CASE title {_OLD_TITLES} ELSE nullif(title, '') END",
    "line": "line",
    "folded": "folded",
    "best": f"nullif(greatest({', '.join(PACES)}), 0)",
}
INSERT = (
    "INSERT INTO player BY NAME SELECT {number} AS list, "
    + ", ".join(f"{sql} AS {column}" for column, sql in _VALUES.items())
    + " FROM incoming"
)
REPEATED = """
SELECT id, line, min(line) OVER (PARTITION BY id) AS first, concat_ws(' ', id, name, federation)
FROM player WHERE list = $list AND id IN (SELECT id FROM player WHERE list = $list GROUP BY id HAVING count(*) > 1)
ORDER BY line
"""
CHECKSUM = (
    "SELECT count(*), sum(hash(entry)::HUGEINT) "
    "FROM (SELECT * EXCLUDE (list, line) FROM {table} WHERE list = {list}) AS entry"
)


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import: the list, whether anything changed, the bad lines, and notes for the user."""

    list: RatingList
    changed: bool
    bad: tuple[BadLine, ...]
    notes: tuple[Message, ...] = ()
    replaced: int | None = None  # the number of players of the list it replaced


def import_list(
    file: ListFile, *, data: str | None = None, progress: Progress | None = None, force: bool = False
) -> Imported:
    """Import a list, replacing the one of the same month; if anything fails, everything stays as it was.

    A list with less than half of the players of the one it would replace is refused without `force`.
    """
    with writing(data) as connection:
        same_month = [
            found for found in lists_in(connection, file.name) if (found.month, found.paces) == (file.month, file.paces)
        ]
        old = same_month[0] if same_month else None
        ((number,),) = run(connection, "SELECT nextval('list_number')")
        bad = tuple(_store(connection, number, file, progress))
        if old is not None and _are_equal(connection, old.list, number):
            run(connection, "ROLLBACK")
            run(connection, "BEGIN")
            return Imported(old, changed=False, bad=bad, notes=file.notes)
        (new,) = [found for found in lists_in(connection, file.name) if found.list == number]
        if old is None:
            return Imported(new, changed=True, bad=bad, notes=file.notes)
        if not force and 2 * new.players < old.players:  # it is probably incomplete
            about = {"list": str(old), "old": thousands(old.players), "new": thousands(new.players)}
            raise BadFile(say("lists.import.shorter", **about), at=new.source)
        delete(connection, old.list)
        return Imported(new, changed=True, bad=bad, notes=file.notes, replaced=old.players)


def _store(connection: DuckDBPyConnection, number: int, file: ListFile, progress: Progress | None) -> list[BadLine]:
    """Fill the tables and return the bad lines; the list itself is added last, after all checks."""
    incoming = _Incoming(file, progress)
    incoming.insert(connection, number)
    _check_counts(connection, number, incoming.counts, file.file)
    bad = sorted(incoming.bad + _remove_repeated(connection, number, file.file))
    ((players,),) = run(connection, "SELECT count(*) FROM player WHERE list = ?", [number])
    _check_readable(players, bad, file.file)
    add_words(connection, number)
    if bad:
        columns = [[row.line for row in bad], [row.text for row in bad], [row.why for row in bad]]
        run(connection, f"INSERT INTO bad_line SELECT {number}, unnest(?), unnest(?), unnest(?)", columns)
    run(
        connection,
        "INSERT INTO list VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [number, file.name, file.month, list(file.paces), file.layout, file.file, players, len(bad)],
    )
    return bad


class _Incoming:
    """The rows of a file on their way into the database, counted along the way."""

    def __init__(self, file: ListFile, progress: Progress | None) -> None:
        self.bad: list[BadLine] = []
        self.counts = Counter(dict.fromkeys(("players", *PACES), 0))
        self._file, self._progress = file, progress
        self._problem: Exception | None = None

    def insert(self, connection: DuckDBPyConnection, number: int) -> None:
        """Store the rows; DuckDB stores some while the next ones are read."""
        connection.register("incoming", pa.RecordBatchReader.from_batches(INCOMING, self._batches()))
        try:
            run(connection, INSERT.format(number=number))
        except Exception:
            if self._problem is not None:
                raise self._problem from None  # the error of the reader, not the database's version of it
            raise
        connection.unregister("incoming")

    def _batches(self) -> Iterator[pa.RecordBatch]:
        try:
            for rows in self._file.rows():
                batch, bad = checked(rows)
                self.bad += bad
                self.counts["players"] += batch.num_rows
                for pace in PACES:
                    self.counts[pace] += pc.sum(pc.greater(batch[pace], 0)).as_py() or 0
                if self._progress is not None:
                    self._progress(rows.done)
                yield pa.record_batch([*batch.columns, folded_column(batch["name"])], schema=INCOMING)
        except Exception as problem:
            self._problem = problem
            raise


def _check_counts(connection: DuckDBPyConnection, number: int, read: Counter[str], at: str) -> None:
    """Check that as many players, and ratings of each pace, were stored as were read."""
    counted = ", ".join(f"count({pace})" for pace in PACES)
    (row,) = run(connection, f"SELECT count(*), {counted} FROM player WHERE list = ?", [number])
    stored = dict(zip(("players", *PACES), row, strict=True))
    if stored != dict(read):
        raise BadFile(say("lists.import.lost", read=str(dict(read)), stored=str(stored)), at=at)


def _remove_repeated(connection: DuckDBPyConnection, number: int, at: str) -> list[BadLine]:
    """Delete players whose ID is on an earlier line, and return them as bad lines."""
    ((players, ids),) = run(connection, "SELECT count(*), count(DISTINCT id) FROM player WHERE list = ?", [number])
    if players == ids:
        return []
    rows = run(connection, REPEATED, {"list": number})
    later = [row for row in rows if row[1] != row[2]]
    if 2 * (players - ids) >= players:
        about = {"repeated": players - ids, "lines": players, "id": str(rows[0][0])}
        raise BadFile(say("lists.import.repeated", **about), at=at)
    if len(later) != players - ids:  # as in an XML without line ends
        same = next(player for player, line in Counter(row[:2] for row in rows).items() if line > 1)
        raise BadFile(say("lists.import.twice", id=str(same[0]), line=str(same[1])), at=at)
    run(
        connection,
        "DELETE FROM player WHERE list = $list AND (id, line) IN (SELECT unnest($ids), unnest($lines))",
        {"list": number, "ids": [row[0] for row in later], "lines": [row[1] for row in later]},
    )
    return [
        BadLine.of(line, text, say("lists.bad.duplicate", id=str(player), line=str(first)))
        for player, line, first, text in later
    ]


def _check_readable(players: int, bad: list[BadLine], at: str) -> None:
    """Refuse a file of which most lines cannot be read."""
    if players > len(bad):
        return
    if not bad:
        raise BadFile(say("lists.import.no_players"), at=at)
    about = {"good": players, "bad": len(bad), "line": str(bad[0].line), "why": bad[0].why}
    raise BadFile(say("lists.import.unreadable", **about), at=at)


def _are_equal(connection: DuckDBPyConnection, old: int, new: int) -> bool:
    """Whether two lists have the same rows in any order."""
    sums = [
        [run(connection, CHECKSUM.format(table=table, list=number)) for table in ("player", "bad_line")]
        for number in (old, new)
    ]
    return sums[0] == sums[1]
