"""A club's or federation's own list: a CSV with a column mapping."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from arpad.errors import BadFile, UnknownName
from arpad.formats.dates import read_day
from arpad.formats.spreadsheets.headings import Headings
from arpad.lists.blocks import LINES, NONE_REPEATED, TEXTS, Bad, Block, block_of, values_of
from arpad.lists.layouts import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

SHORT = {"rating": "", "games": "_games", "k": "_k"}  # of the list's one pace
IN_TWO = ("surname", "given")  # a name in two columns
# Headings that are known in the languages of tournament files; a starting number is nobody's ID.
RECOGNISED = ("id", "name", *IN_TWO, "rating", "born", "sex", "title", "federation")
# What a column is commonly called beside that, so that a mapping is needed only for other names.
USUAL = {
    "fide_id": "id", "fideid": "id", "fed": "federation", "country": "federation", "birth_year": "born",
    "birthday": "born", "year": "born",
}  # fmt: skip
SEPARATORS = ",;\t"
WITH_NOUGHT = re.compile(r"^(\d+)[.,]0+$")  # 1500.0, as tables are written by programs that know no whole numbers


def columns_of(file: BinaryIO, told: Mapping[str, str], pace: str, *, at: str) -> tuple[dict[str, str], list[str]]:
    """The file's columns by name, each with the column of ours it fills, and those that fill none."""
    head = next(_rows(file, at), [])
    known = {
        **{field: field for field in (*FIELDS, *IN_TWO)},
        **{name: f"{pace}{ending}" for name, ending in SHORT.items()},
    }
    columns = {
        name: {**known, **{usual: known[field] for usual, field in USUAL.items()}}.get(name.strip().lower())
        for name in head
    }
    for field, place in Headings(head).fields.items():
        if field in RECOGNISED and known[field] not in columns.values() and columns[head[place]] is None:
            columns[head[place]] = known[field]
    for field, name in told.items():
        if field not in known:
            raise UnknownName("column of a list", field, known=known, at="--columns")
        if name not in head:
            raise UnknownName("column of the file", name, known=head, at="--columns")
        columns = {other: None if filled == known[field] else filled for other, filled in columns.items()}
        columns[name] = known[field]
    filled = {name: field for name, field in columns.items() if field is not None}
    if "id" not in filled.values() or not any(pace in filled.values() for pace in ("standard", "rapid", "blitz")):
        raise BadFile(
            "A list of one's own needs a column for the ID and one for a rating; say which they are, for example "
            f"--columns id=Number,rating=Elo. The file has: {', '.join(head) or 'nothing'}.",
            at=at,
        )
    return filled, [name for name in head if name not in filled]


def blocks(
    file: BinaryIO, columns: Mapping[str, str], repeated: Mapping[int, int] = NONE_REPEATED, *, at: str
) -> Iterator[Block]:
    """The rows behind the head, block by block."""
    read: list[dict[str, Any] | Bad] = []
    lines = _rows(file, at)
    called = {field: name for name, field in columns.items()}
    places = [(place, columns[name]) for place, name in enumerate(next(lines)) if name in columns]
    done = 0
    for number, cells in enumerate(lines, start=2):
        done += sum(map(len, cells)) + len(cells)
        if not any(cells):
            continue
        if len(cells) <= max(place for place, _ in places):
            read.append(Bad(number, ",".join(cells), f"the row has {len(cells)} cells, which is too few"))
            continue
        texts = _in_one({field: cells[place] for place, field in places})
        read.append(_in_their_words(values_of(texts, number, ",".join(cells), repeated), called))
        if len(read) >= LINES:
            yield block_of(read, done)
            read = []
    yield block_of(read, done)


def _in_one(texts: dict[str, str]) -> dict[str, str | None]:
    """A row with the name in one text, of a day of birth the year alone, and whole numbers without a nought behind."""
    name, surname, given = (texts.pop(field, "").strip() for field in ("name", *IN_TWO))
    whole: dict[str, str | None] = {**texts, "name": ", ".join(filter(None, (surname or name, given)))}
    if not texts.get("born", "").strip().isdigit():
        with suppress(ValueError):
            whole["born"] = str(read_day(texts.get("born", "")).year or "")
    return {
        field: text if field in TEXTS else WITH_NOUGHT.sub(r"\1", (text or "").strip()) for field, text in whole.items()
    }


def _in_their_words(read: dict[str, Any] | Bad, called: Mapping[str, str]) -> dict[str, Any] | Bad:
    """A row, or why it was not taken, with the column called as the file calls it."""
    if not isinstance(read, Bad):
        return read
    field, _, why = read.why.partition(" ")
    return read._replace(why=f"{called.get(field, field)} {why}")


def _rows(file: BinaryIO, at: str) -> Iterator[list[str]]:
    """The cells of each row, in UTF-8 or Latin-1, with the separator the first line has most of."""
    lines = (_decoded(line) for line in iter(file.readline, b""))
    first = next(lines, "").removeprefix("\ufeff")
    separator = max(SEPARATORS, key=first.count)
    try:
        yield from csv.reader(_chain(first, lines), delimiter=separator)
    except csv.Error as problem:
        raise BadFile(f"The file is not CSV: {problem}.", at=at) from None


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest
