"""The tables of an Access database of 2000 to 2003 (Jet 4), which is what Papi writes; only what is asked for is read.

A file is a row of pages of 4096 bytes. Page 2 defines the catalogue, which names the page that defines each table. That
page lists the columns and points to a map of the pages with its rows. A row has its fixed columns first, then the
variable ones, then where each of those begins, and last a bit for each column that is not null. Every place is checked
against its page, and the number of rows against the table's own count, so a damaged file is refused and not half read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

MAGIC = b"\x00\x01\x00\x00Standard Jet DB\x00"
JET_4 = b"\x01"
PAGE = 4096
CATALOGUE = 2  # the page that defines it
ROWS_PAGE, TABLE_PAGE, MAP_PAGE = 1, 2, 5  # the first byte of a page
IS_TABLE = 1  # in the catalogue
DELETED, ELSEWHERE, PLACE = 0x8000, 0x4000, 0x1FFF  # the flags of a row's place, and the place itself
FIXED = 0x01  # a column of fixed length
BOOLEAN, TEXT = 1, 10
NUMBERS = {2: "<B", 3: "<h", 4: "<i", 6: "<f", 7: "<d"}
MOMENT = 8  # days since day zero
DAY_ZERO = datetime.fromordinal(693_594)  # as in spreadsheets, two days before a new century
COMPRESSED = b"\xff\xfe"  # before a text of single bytes
MOST_COLUMNS, MOST_ROWS = 255, 100_000

Value = str | int | float | bool | datetime | None


class Damaged(ValueError):
    """A place in the file does not hold what it must."""


def is_jet(data: bytes) -> bool:
    """Whether a file begins like an Access database of any version before 2007."""
    return data.startswith(MAGIC)


def is_jet_4(data: bytes) -> bool:
    """Whether it is one of 2000 to 2003."""
    return is_jet(data) and data[len(MAGIC) : len(MAGIC) + 1] == JET_4


class JetFile:
    """An Access database, of which tables are read by name."""

    def __init__(self, data: bytes) -> None:
        if not is_jet_4(data):
            raise Damaged("not Jet 4")
        self._data = data

    def rows(self, table: str) -> Iterator[JetRow]:
        """The rows of a table; the values of a row are read when they are asked for."""
        for row in self._rows(CATALOGUE):
            if row["Type"] == IS_TABLE and row["Name"] == table:
                return self._rows(row.number("Id") or 0)
        raise Damaged(table)

    def _rows(self, number: int) -> Iterator[JetRow]:
        definition = self._definition(number)
        count = struct.unpack_from("<I", definition, 16)[0]
        columns = _columns(definition)
        map_row, map_page = definition[55], int.from_bytes(definition[56:59], "little")
        if count > MOST_ROWS:
            raise Damaged("count")
        found = 0
        for place in self._pages(self._record(map_page, map_row)):
            page = self._page(place, ROWS_PAGE)
            if int.from_bytes(page[4:8], "little") != number:
                raise Damaged("owner")
            for record in self._records(page):
                found += 1
                if found > count:
                    raise Damaged("count")
                yield JetRow(columns, record)
        if found != count:
            raise Damaged("count")

    def _page(self, number: int, kind: int) -> bytes:
        page = self._data[number * PAGE : (number + 1) * PAGE]
        if len(page) < PAGE or page[0] != kind:
            raise Damaged("page")
        return page

    def _definition(self, number: int) -> bytes:
        """The definition of a table, which may go on on further pages."""
        first = self._page(number, TABLE_PAGE)
        parts, seen = [first], {number}
        while following := int.from_bytes(parts[-1][4:8], "little"):
            if following in seen:
                raise Damaged("loop")
            seen.add(following)
            parts.append(self._page(following, TABLE_PAGE))
        return first + b"".join(part[8:] for part in parts[1:])

    def _pages(self, usage: bytes) -> Iterator[int]:
        """The pages in a map of pages: its own bits, or those of the pages it points to."""
        if usage[0] == 0:
            start = int.from_bytes(usage[1:5], "little")
            yield from (start + bit for bit in _bits(usage[5:]))
            return
        bits_of_a_page = 8 * (PAGE - 4)
        for place in range((len(usage) - 1) // 4):
            if page := int.from_bytes(usage[1 + 4 * place : 5 + 4 * place], "little"):
                yield from (place * bits_of_a_page + bit for bit in _bits(self._page(page, MAP_PAGE)[4:]))

    def _records(self, page: bytes) -> Iterator[bytes]:
        """The rows of a page; one that outgrew its page has left its new place."""
        for number in range(_row_count(page)):
            flags = _place(page, number)
            if flags & DELETED:
                continue
            record = _cut(page, number)
            if flags & ELSEWHERE:
                record = self._record(int.from_bytes(record[1:4], "little"), record[0])
            yield record

    def _record(self, page: int, number: int) -> bytes:
        rows = self._page(page, ROWS_PAGE)
        if number >= _row_count(rows):
            raise Damaged("row")
        return _cut(rows, number)


def _bits(data: bytes) -> Iterator[int]:
    return (8 * at + bit for at, byte in enumerate(data) if byte for bit in range(8) if byte >> bit & 1)


def _row_count(page: bytes) -> int:
    count = int.from_bytes(page[12:14], "little")
    if 14 + 2 * count > PAGE:
        raise Damaged("rows")
    return count


def _place(page: bytes, number: int) -> int:
    return int.from_bytes(page[14 + 2 * number : 16 + 2 * number], "little")


def _cut(page: bytes, number: int) -> bytes:
    """A row of a page; rows are stored from the end of the page forwards."""
    start = _place(page, number) & PLACE
    end = _place(page, number - 1) & PLACE if number else PAGE
    if not 14 + 2 * _row_count(page) <= start < end <= PAGE:
        raise Damaged("place")
    return page[start:end]


class JetColumn(NamedTuple):
    """Where a column is in a row."""

    kind: int
    number: int  # in the bits of the columns that are not null
    variable: int  # among the columns of variable length
    fixed: bool
    offset: int  # of a fixed column
    length: int


def _columns(definition: bytes) -> dict[str, JetColumn]:
    columns, indexes = struct.unpack_from("<H4xI", definition, 45)
    if not 0 < columns <= MOST_COLUMNS:
        raise Damaged("columns")
    at = 63 + 12 * indexes
    layouts = [struct.unpack_from("<B4xHH6xB5xHH", definition, at + 25 * place) for place in range(columns)]
    at += 25 * columns
    found = {}
    for kind, number, variable, flags, offset, length in layouts:
        size = struct.unpack_from("<H", definition, at)[0]
        name = definition[at + 2 : at + 2 + size].decode("utf-16-le")
        at += 2 + size
        found[name] = JetColumn(kind, number, variable, bool(flags & FIXED), offset, length)
    return found


class JetRow:
    """A row of a table; `row["Nom"]` reads one value and no other."""

    def __init__(self, columns: dict[str, JetColumn], record: bytes) -> None:
        self._columns, self._record = columns, record
        self._count = struct.unpack_from("<H", record)[0]  # columns when the row was written
        self._mask = len(record) - (self._count + 7) // 8
        if self._mask < 2:
            raise Damaged("mask")

    def __getitem__(self, name: str) -> Value:
        """The value of a column; a Damaged if there is no such column."""
        if name not in self._columns:
            raise Damaged(name)
        column = self._columns[name]
        is_set = column.number < self._count and bool(
            self._record[self._mask + column.number // 8] >> column.number % 8 & 1
        )
        if column.kind == BOOLEAN:
            return is_set
        if not is_set:
            return None
        data = self._fixed(column) if column.fixed else self._variable(column.variable)
        return _value(column.kind, data)

    def number(self, name: str) -> int | None:
        """The whole number in a column; a Damaged if it holds anything else."""
        value = self[name]
        if value is not None and not isinstance(value, int):
            raise Damaged(name)
        return value

    def text(self, name: str) -> str | None:
        """The text in a column, without the blanks around it; None for an empty one."""
        value = self[name]
        if value is not None and not isinstance(value, str):
            raise Damaged(name)
        return (value or "").strip() or None

    def _fixed(self, column: JetColumn) -> bytes:
        data = self._record[2 + column.offset : min(2 + column.offset + column.length, self._mask)]
        if len(data) < column.length:
            raise Damaged("fixed")
        return data

    def _variable(self, number: int) -> bytes:
        """A column of variable length, from where it begins to where the next one does."""
        count = int.from_bytes(self._record[self._mask - 2 : self._mask], "little")
        at = self._mask - 4 - 2 * number  # the first place is stored last
        if number >= count or at < 4:
            raise Damaged("variable")
        end, start = struct.unpack_from("<HH", self._record, at - 2)
        if not 2 <= start <= end <= self._mask:
            raise Damaged("variable")
        return self._record[start:end]


def _value(kind: int, data: bytes) -> Value:
    if kind == TEXT:
        return _text(data)
    if kind == MOMENT:
        return DAY_ZERO + timedelta(days=struct.unpack("<d", data)[0])
    if kind not in NUMBERS:
        raise Damaged("kind")  # memos, pictures, money: no column that is asked for
    number: int | float = struct.unpack(NUMBERS[kind], data)[0]
    return number


def _text(data: bytes) -> str:
    """A text, in UTF-16 or compressed: a zero byte changes between single bytes and UTF-16."""
    if not data.startswith(COMPRESSED):
        return data.decode("utf-16-le")
    encodings = "latin-1", "utf-16-le"
    return "".join(part.decode(encodings[place % 2]) for place, part in enumerate(data[2:].split(b"\x00")))
