"""Rows of a list file: what every reader produces, the check that turns texts into values, and the reader of CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.errors import BadFile, UnknownName
from arpad.lists.store import PACES
from arpad.messages import Message, say
from arpad.reading.days import read_day
from arpad.reading.tables.columns import roles_of

TEXTS = ("name", "federation", "sex", "title", "w_title", "o_title", "foa_title", "flag")
NUMBERS = ("id", "born", *(f"{pace}{part}" for pace in PACES for part in ("", "_games", "_k")))
FIELDS = (*TEXTS, *NUMBERS)
SCHEMA = pa.schema(
    [("line", pa.uint32()), *((field, pa.string()) for field in TEXTS), *((field, pa.uint32()) for field in NUMBERS)]
)
LARGEST = dict.fromkeys(NUMBERS, 9999) | {"id": (1 << 32) - 1}
SURE_DIGITS, MOST_DIGITS = 9, 19  # that always fit into 32 or 64 bits
LONGEST_TEXT = 300  # characters stored of a bad line
AT_ONCE = 1 << 14  # rows of a CSV
ONE_PACE = {"rating": "", "games": "_games", "k": "_k"}  # headings of a list of one pace
NAME_PARTS = ("surname", "given")  # a name in two columns
# Headings recognised in the languages of tournament files; a starting number is not an ID.
RECOGNISED = ("id", "name", *NAME_PARTS, "rating", "born", "sex", "title", "federation")
USUAL = {
    "fide_id": "id", "fideid": "id", "fed": "federation", "country": "federation", "birth_year": "born",
    "birthday": "born", "year": "born",
}  # fmt: skip
SEPARATORS = ",;\t"
DECIMAL_ZERO = re.compile(r"^(\d+)[.,]0+$")  # 1500.0, as some programs write whole numbers


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a file: trimmed texts by field, their line numbers, bad lines, and the bytes read so far."""

    texts: Mapping[str, pa.StringArray]
    lines: pa.UInt32Array
    bad: Sequence[BadLine]
    done: int
    headings: Mapping[str, str] | None = None  # what the file calls a field


@dataclass(frozen=True, slots=True, order=True)
class BadLine:
    """A line that was not imported: its number, its text, and why."""

    line: int
    text: str
    why: str

    @classmethod
    def of(cls, line: int, text: str, why: Message) -> BadLine:
        """A bad line, with its text shortened for storage."""
        return cls(line, text[:LONGEST_TEXT], str(why))


def rows_of(
    records: Sequence[tuple[int, Mapping[str, str]]],
    bad: Sequence[BadLine],
    done: int,
    headings: Mapping[str, str] | None = None,
) -> Rows:
    """Rows from records with their line numbers; a field of any record becomes a column for all."""
    fields = {field for _, texts in records for field in texts}
    return Rows(
        {field: pa.array([texts.get(field, "").strip() for _, texts in records], pa.string()) for field in fields},
        pa.array([line for line, _ in records], pa.uint32()),
        bad,
        done,
        headings,
    )


def checked(rows: Rows) -> tuple[pa.RecordBatch, list[BadLine]]:
    """The rows as values with every column of SCHEMA, blank as null; and the bad lines, which have no valid values."""
    count = len(rows.lines)
    columns = {"line": rows.lines}
    headings = rows.headings or {}
    faults: dict[int, Message] = {}  # by row
    for field in FIELDS:
        texts = rows.texts.get(field)
        if texts is None:
            columns[field] = pa.nulls(count, SCHEMA.field(field).type)
        elif field in TEXTS:
            columns[field] = texts
        else:
            columns[field], wrong = _numbers(texts, LARGEST[field])
            for row in wrong:
                faults.setdefault(row, _why(headings.get(field, field), texts[row].as_py()))
    batch = pa.record_batch([columns[name] for name in SCHEMA.names], schema=SCHEMA)
    for row in _positions(pc.equal(pc.fill_null(batch["id"], 0), 0)):
        faults.setdefault(row, say("lists.bad.no_id"))
    if not faults:
        return batch, list(rows.bad)

    def text(row: int) -> str:
        return " ".join(filter(None, (texts[row].as_py() for texts in rows.texts.values())))

    bad = [BadLine.of(rows.lines[row].as_py(), text(row), why) for row, why in faults.items()]
    good = np.ones(count, bool)
    good[list(faults)] = False
    return batch.filter(pa.array(good)), sorted([*rows.bad, *bad])


def _numbers(texts: pa.StringArray, largest: int) -> tuple[pa.UInt32Array, list[int]]:
    """Texts as numbers, blank as null, and the rows whose text is neither blank nor an allowed number."""
    if pc.all(pc.ascii_is_decimal(texts)).as_py() and pc.max(pc.binary_length(texts)).as_py() <= SURE_DIGITS:
        numbers = texts.cast(pa.uint32())  # the usual case
        if pc.max(numbers).as_py() <= largest:
            return numbers, []
    length = pc.binary_length(texts)
    readable = pc.and_(pc.ascii_is_decimal(texts), pc.less_equal(length, MOST_DIGITS))
    numbers = pc.if_else(readable, texts, None).cast(pa.uint64())
    allowed = pc.fill_null(pc.less_equal(numbers, largest), False)
    wrong = _positions(pc.invert(pc.or_(allowed, pc.equal(length, 0))))
    return pc.if_else(allowed, numbers, None).cast(pa.uint32()), wrong


def _positions(flags: pa.BooleanArray) -> list[int]:
    """The positions of the flags that are set; usually none are."""
    return pc.indices_nonzero(flags).to_pylist() if pc.any(flags).as_py() else []


def _why(heading: str, text: str) -> Message:
    key = "out_of_range" if text.isascii() and text.isdecimal() else "not_a_number"
    return say(f"lists.bad.{key}", heading=heading, text=text[:20])


def columns_of(file: IO[bytes], mapping: Mapping[str, str], pace: str, *, at: str) -> tuple[dict[str, str], list[str]]:
    """The field of each column of the file, and the columns without one."""
    head = next(_table(file, at), [])
    known = {
        **{field: field for field in (*FIELDS, *NAME_PARTS)},
        **{heading: f"{pace}{part}" for heading, part in ONE_PACE.items()},
    }
    usual = known | {heading: known[field] for heading, field in USUAL.items()}
    columns = {name: usual.get(name.strip().lower()) for name in head}
    found = roles_of(head)
    for field in RECOGNISED:
        place = found.place(field)
        if place is not None and known[field] not in columns.values() and columns[head[place]] is None:
            columns[head[place]] = known[field]
    for field, name in mapping.items():
        if field not in known:
            raise UnknownName("list_column", field, known=known, at="columns")
        if name not in head:
            raise UnknownName("file_column", name, known=head, at="columns")
        columns = {other: None if filled == known[field] else filled for other, filled in columns.items()}
        columns[name] = known[field]
    filled = {name: field for name, field in columns.items() if field is not None}
    if "id" not in filled.values() or not set(PACES) & set(filled.values()):
        raise BadFile(say("lists.import.columns", head=head or say("lists.none")), at=at)
    return filled, [name for name in head if name not in filled]


def read_csv_rows(file: IO[bytes], columns: Mapping[str, str], *, at: str) -> Iterator[Rows]:
    """The rows below the headings, some thousands at a time."""
    table = _table(file, at)
    headings = {field: name for name, field in columns.items()}
    places = [(place, columns[name]) for place, name in enumerate(next(table)) if name in columns]
    needed = max(place for place, _ in places) + 1
    records: list[tuple[int, dict[str, str]]] = []
    bad: list[BadLine] = []
    done = 0
    for number, cells in enumerate(table, start=2):
        done += sum(map(len, cells)) + len(cells)
        if not any(cells):
            continue
        if len(cells) < needed:
            bad.append(BadLine.of(number, ",".join(cells), say("lists.bad.few_cells", cells=len(cells), needed=needed)))
        else:
            records.append((number, _tidied({field: cells[place] for place, field in places})))
        if len(records) >= AT_ONCE:
            yield rows_of(records, bad, done, headings)
            records, bad = [], []
    yield rows_of(records, bad, done, headings)


def _tidied(texts: dict[str, str]) -> dict[str, str]:
    """A row with the name in one text, only the year of a date of birth, and whole numbers without decimals."""
    parts = [texts.pop(field, "").strip() for field in NAME_PARTS]
    if any(parts):
        texts["name"] = ", ".join(filter(None, (parts[0] or texts.get("name", "").strip(), parts[1])))
    if not texts.get("born", "").strip().isdecimal():
        with suppress(ValueError):
            texts["born"] = str(read_day(texts.get("born", "")).year or "")
    for field, text in texts.items():
        if field in NUMBERS and not text.isdecimal():
            texts[field] = DECIMAL_ZERO.sub(r"\1", text.strip())
    return texts


def _table(file: IO[bytes], at: str) -> Iterator[list[str]]:
    """The cells of each row, in UTF-8 or Latin-1, split at the separator that is most frequent in the first line."""

    def decoded(line: bytes) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            return line.decode("latin-1")

    lines = map(decoded, iter(file.readline, b""))
    first = next(lines, "").removeprefix("\ufeff")
    try:
        yield from csv.reader(chain([first], lines), delimiter=max(SEPARATORS, key=first.count))
    except csv.Error as problem:
        raise BadFile(say("lists.import.not_csv", why=problem), at=at) from None
