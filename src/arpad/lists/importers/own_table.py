"""The list of a club or federation: a CSV whose columns are recognised by their headings or named by the user."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from arpad.errors import BadFile, UnknownName
from arpad.formats.columns import Headings
from arpad.formats.dates import read_day
from arpad.lists.importers._rows import FIELDS, NUMBERS, BadLine, Rows, rows_of
from arpad.lists.store import PACES
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO

AT_ONCE = 1 << 14  # rows
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


def columns_of(file: IO[bytes], mapping: Mapping[str, str], pace: str, *, at: str) -> tuple[dict[str, str], list[str]]:
    """The field of each column of the file, and the columns without one."""
    head = next(_table(file, at), [])
    known = {
        **{field: field for field in (*FIELDS, *NAME_PARTS)},
        **{heading: f"{pace}{part}" for heading, part in ONE_PACE.items()},
    }
    usual = known | {heading: known[field] for heading, field in USUAL.items()}
    columns = {name: usual.get(name.strip().lower()) for name in head}
    for field, place in Headings(head).fields.items():
        if field in RECOGNISED and known[field] not in columns.values() and columns[head[place]] is None:
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


def read_rows(file: IO[bytes], columns: Mapping[str, str], *, at: str) -> Iterator[Rows]:
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
    lines = (_decoded(line) for line in iter(file.readline, b""))
    first = next(lines, "").removeprefix("\ufeff")
    try:
        yield from csv.reader(chain([first], lines), delimiter=max(SEPARATORS, key=first.count))
    except csv.Error as problem:
        raise BadFile(say("lists.import.not_csv", why=problem), at=at) from None


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")
