"""Tables in files: read in blocks, also many by a glob or anything that speaks Arrow; and written all or none."""

from __future__ import annotations

import glob
import lzma
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from arpad.bulk.tables.columns import without_dictionaries
from arpad.bulk.tables.ids import plain_ids
from arpad.bulk.tables.paths import WITHIN, ArrowStream, Tables, check_writable, file_of, format_of
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.formats.saving import APOSTROPHE, FORMULA, beside
from arpad.messages import Message, say

ROWS = 1 << 17  # rows at a time
# Columns with repeated texts, which are read as dictionaries from Parquet.
REPEATED = ("result", "date", "start", "event", "round", "time", "how")
MARKED = r"^'('?[-=+@\t\r])"
OUR_OWN = ("result",)  # a forfeit is +-, which is not a formula anywhere
NUMBER = r"^[-+]?[0-9.]+$"


Pick = Callable[[list[str]], Mapping[str, str]]


class Window(NamedTuple):
    """The days whose games are read from a file that has others too; bad dates are reported once, not every time."""

    first: date
    last: date
    report_bad_dates: bool


class RowBlock(NamedTuple):
    """Consecutive rows, and how many rows of the table come before them."""

    first: int
    rows: pa.RecordBatch


class Input(NamedTuple):
    """One table to read: a file, or Arrow in memory."""

    name: str | None
    given: ArrowStream | None = None
    window: Window | None = None

    def rows(self) -> int:
        """How many rows there are, if that is known beforehand; otherwise 0."""
        if self.name is None:
            return int(getattr(self.given, "num_rows", 0))
        if self.window is not None or format_of(self.name) != "parquet":
            return 0
        try:
            return int(pq.read_metadata(self.name).num_rows)
        except (pa.ArrowException, OSError):
            return 0  # `blocks` will say what is wrong with the file

    def blocks(self, pick: Pick, ids: tuple[str, ...] = ()) -> Iterator[RowBlock]:
        """The picked columns in blocks, under the names of the layout; those with ids in their plain form."""
        for first, read in self._blocks(pick):
            rows = read
            for place, name in enumerate(rows.schema.names):
                if name in ids:
                    rows = rows.set_column(place, name, plain_ids(rows.column(place)))
            yield RowBlock(first, rows)

    def _blocks(self, pick: Pick) -> Iterator[RowBlock]:
        if self.name is None:
            if self.given is not None:
                yield from _numbered(_from_arrow(self.given, pick))
            return
        try:
            if format_of(self.name) == "parquet":
                yield from _parquet(self.name, pick, self.window)
            else:
                yield from _numbered(READERS[format_of(self.name)](self.name, pick))
        except ArpadError as error:
            error.at = f"{self.name}{f', {error.at}' if error.at else ''}"
            raise
        except (pa.ArrowException, OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
            raise BadFile(_sentence(error), at=self.name) from None


def sources(given: Tables, table: str) -> list[Input]:
    """The tables behind a name, a glob, a list of names, or an object that speaks Arrow."""
    if isinstance(given, str | os.PathLike):
        names = _files(os.fspath(given))
        # A DuckDB file without a table's name has one called `games`, `players` or `pool`.
        return [
            Input(f"{name}{WITHIN}{table}" if format_of(name) == "duckdb" and WITHIN not in name else name)
            for name in names
        ]
    if isinstance(given, list | tuple) and all(isinstance(name, str | os.PathLike) for name in given):
        return [source for name in given for source in sources(name, table)]
    if hasattr(given, "__arrow_c_stream__") or isinstance(given, pa.RecordBatchReader):
        return [Input(None, given)]
    raise BadInput(say("bulk.file.not_a_table", table=say(f"bulk.table.{table}"), kind=type(given).__name__), at=table)


def _files(name: str) -> list[str]:
    """The files that a name or a glob stands for."""
    if not glob.has_magic(name):
        if not os.path.exists(file_of(name)):
            raise BadFile(say("bulk.file.missing"), at=file_of(name))
        return [name]
    found = sorted(glob.glob(name, recursive=True))
    if not found:
        raise BadFile(say("bulk.file.no_match"), at=name)
    return found


def _numbered(batches: Iterator[pa.RecordBatch], first: int = 0) -> Iterator[RowBlock]:
    """Numbered blocks of a table that is read without gaps."""
    for batch in batches:
        yield RowBlock(first, batch)
        first += batch.num_rows


def _from_arrow(given: ArrowStream, pick: Pick) -> Iterator[pa.RecordBatch]:
    with pa.RecordBatchReader.from_stream(given) as reader:
        names = pick(reader.schema.names)
        rows = 0
        for batch in reader:
            rows += batch.num_rows
            for first in range(0, batch.num_rows, ROWS):
                block = _renamed(batch.slice(first, ROWS), names)
                yield pa.RecordBatch.from_arrays([_plain_text(column) for column in block], names=block.schema.names)
        if not rows:  # the columns must be known even without rows
            yield _renamed(no_rows(reader.schema), names)


def _plain_text(column: pa.Array) -> pa.Array:
    """Texts in a type that Arrow can work with: Polars gives string views, also in categories."""
    if pa.types.is_dictionary(column.type) and pa.types.is_string_view(column.type.value_type):
        column = pa.DictionaryArray.from_arrays(column.indices, column.dictionary.cast(pa.string()))
    return column.cast(pa.string()) if pa.types.is_string_view(column.type) else column


def no_rows(schema: pa.Schema) -> pa.RecordBatch:
    """A block without rows."""
    return pa.RecordBatch.from_pylist([], schema=schema)


def _renamed(batch: pa.RecordBatch, names: Mapping[str, str]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([batch.column(name) for name in names.values()], names=list(names))


def _parquet(name: str, pick: Pick, window: Window | None = None) -> Iterator[RowBlock]:
    with pq.ParquetFile(name) as file:
        schema = file.schema_arrow
        names = pick(schema.names)
        repeated = [names[column] for column in REPEATED if column in names]
        texts = [column for column in repeated if pa.types.is_string(schema.field(column).type)]
    with pq.ParquetFile(name, read_dictionary=texts) as file:
        columns = list(dict.fromkeys(names.values()))
        for first, groups in _runs(file.metadata, window, names):
            read = file.iter_batches(ROWS, row_groups=groups, columns=columns)
            yield from _numbered((_renamed(batch, names) for batch in read), first)


def _runs(known: pq.FileMetaData, window: Window | None, names: Mapping[str, str]) -> Iterator[tuple[int, list[int]]]:
    """The row groups to read, in consecutive runs, with the number of rows before each run."""
    run: list[int] = []
    first = row = 0
    for number in range(known.num_row_groups):
        group = known.row_group(number)
        if window is None or _touches(window, group, names["date"]):
            first = first if run else row
            run.append(number)
        elif run:
            yield first, run
            run = []
        row += group.num_rows
    if run:
        yield first, run


def _touches(window: Window, group: pq.RowGroupMetaData, name: str) -> bool:
    """Whether a part of a file may have days of the window, by the file's statistics."""
    columns = (group.column(place) for place in range(group.num_columns))
    known = next(column.statistics for column in columns if column.path_in_schema == name)
    if known is None or not known.has_min_max or type(known.min) is not date:
        return True
    reported = window.report_bad_dates and (not known.has_null_count or known.null_count > 0)
    return reported or (known.min <= window.last and known.max >= window.first)


def _csv(name: str, pick: Pick) -> Iterator[pa.RecordBatch]:
    """Read everything as text: the layout decides what a column means, not the first block."""
    parse = pa.csv.ParseOptions(delimiter=_delimiter(name), invalid_row_handler=lambda _: "skip")
    short: list[str] = []

    def skip(row: pa.csv.InvalidRow) -> str:
        short.append(row.text)
        return "skip"

    with _quietly():
        with _unpacked(name) as file, pa.csv.open_csv(file, parse_options=parse) as reader:
            names = pick(reader.schema.names)
        picked = list(dict.fromkeys(names.values()))
        convert = pa.csv.ConvertOptions(
            column_types=dict.fromkeys(picked, pa.string()), include_columns=picked, strings_can_be_null=True
        )
        parse.invalid_row_handler = skip
        with _unpacked(name) as file, pa.csv.open_csv(file, parse_options=parse, convert_options=convert) as reader:
            for batch in reader:
                yield _renamed(_unmarked(batch), names)
    if short:
        raise BadFile(say("bulk.file.fields", lines=len(short), line=repr(short[-1])))


@contextmanager
def _quietly() -> Iterator[None]:
    """Suppress Arrow's message on standard error about a line with too many fields that is not UTF-8."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda error: None if error.exc_type is UnicodeDecodeError else before(error)
    try:
        yield
    finally:
        sys.unraisablehook = before


def _delimiter(name: str) -> str:
    """The separator: the most frequent of three in the first line."""
    with _unpacked(name) as file:
        first = file.read(1 << 14).partition(b"\n")[0].decode("utf-8", "replace")
    return max(",;\t", key=first.count)


def _unpacked(name: str) -> pa.NativeFile | lzma.LZMAFile:
    """The unpacked bytes of a file; Arrow unpacks .gz and others by itself, but not .xz."""
    if not name.lower().endswith(".xz"):
        return pa.input_stream(name)
    return lzma.open(name)


def _unmarked(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Texts without the apostrophe that the writer puts before anything that looks like a formula."""
    for place, name in enumerate(batch.schema.names):
        texts = batch.column(place)
        if pc.any(pc.starts_with(texts, APOSTROPHE)).as_py():
            batch = batch.set_column(place, name, pc.replace_substring_regex(texts, MARKED, r"\1"))
    return batch


def _jsonl(name: str, pick: Pick) -> Iterator[pa.RecordBatch]:
    """Read JSON lines; a line that is not JSON becomes a row of nulls."""
    yield from _sql("FROM read_json($name, format='newline_delimited', ignore_errors=true)", {"name": name}, pick)


def _duckdb(name: str, pick: Pick) -> Iterator[pa.RecordBatch]:
    path, _, within = name.partition(WITHIN)
    yield from _sql(f"FROM {_quoted(within)}", {}, pick, path)


def _sql(relation: str, values: Mapping[str, object], pick: Pick, path: str = ":memory:") -> Iterator[pa.RecordBatch]:
    import duckdb

    try:
        with duckdb.connect(path, read_only=path != ":memory:") as opened:
            connection: Any = opened
            names = pick(connection.sql(f"{relation} LIMIT 0", params=values).to_arrow_reader(ROWS).schema.names)
            listed = ", ".join(map(_quoted, dict.fromkeys(names.values())))
            reader = connection.sql(f"SELECT {listed} {relation}", params=values).to_arrow_reader(ROWS)
            for batch in reader:
                yield _renamed(batch, names)
    except duckdb.Error as error:
        raise BadFile(say("bulk.file.unreadable", why=_first_line(error))) from None


def _quoted(name: str) -> str:
    """A name as SQL quotes it."""
    return '"{}"'.format(name.replace('"', '""'))


READERS = {"csv": _csv, "jsonl": _jsonl, "duckdb": _duckdb}


def _sentence(error: Exception) -> Message:
    """What is wrong with a file, and what to do in the most common case."""
    said = _first_line(error)
    if isinstance(error, UnicodeDecodeError) or "UTF8" in said or "\ufffd" in said:
        return say("bulk.file.not_utf8")
    return say("bulk.file.unreadable", why=said)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".") + "."


def write(tables: Mapping[str, pa.Table], *, force: bool = False) -> None:
    """Write every table under a temporary name, and rename them when all are written."""
    for name in tables:
        check_writable(name)
    with beside(*map(file_of, tables), force=force) as parts:
        for part, (name, table) in zip(parts, tables.items(), strict=True):
            if format_of(name) == "duckdb":
                _write_duckdb(part, table, name)
            else:
                WRITERS[format_of(name)](part, table)


def _write_parquet(name: str, table: pa.Table) -> None:
    # Ids differ from row to row, so a dictionary of them would be wasted work.
    pq.write_table(
        table, name, use_dictionary=[column for column in table.schema.names if column not in ("id", "player")]
    )


def _write_csv(name: str, table: pa.Table) -> None:
    """CSV, compressed if the name ends in .gz or .xz; Arrow supports only the first."""
    with lzma.open(name, "wb") if name.lower().endswith(".xz") else pa.output_stream(name) as file:
        pa.csv.write_csv(_safe(without_dictionaries(table)), file)


def _safe(table: pa.Table) -> pa.Table:
    """A table in which no spreadsheet program finds a formula; the reader removes the apostrophes again."""
    for place, column in enumerate(table.schema):
        if column.name not in OUR_OWN and pa.types.is_string(column.type):
            texts = table[column.name]
            unsafe = pc.and_not(pc.match_substring_regex(texts, FORMULA), pc.match_substring_regex(texts, NUMBER))
            marked = pc.binary_join_element_wise(APOSTROPHE, texts, "")
            table = table.set_column(place, column.name, pc.if_else(unsafe, marked, texts))
    return table


def _write_jsonl(name: str, table: pa.Table) -> None:
    _copy(name, table, f"COPY rows TO '{_escaped(name)}' (FORMAT json)")


def _write_duckdb(part: str, table: pa.Table, name: str) -> None:
    """A new file with one table; a file that exists may hold other tables and is not replaced."""
    if os.path.exists(file_of(name)):
        raise BadFile(say("bulk.file.duckdb_exists"), at=part)
    within = _quoted(name.partition(WITHIN)[2] or "players")
    _copy(part, table, f"ATTACH '{_escaped(part)}' AS file; CREATE TABLE file.{within} AS FROM rows; DETACH file")


def _copy(name: str, table: pa.Table, command: str) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.register("rows", without_dictionaries(table))
        try:
            connection.execute(command)
        except duckdb.IOException:
            raise BadFile(say("bulk.file.unwritable"), at=name) from None


def _escaped(name: str) -> str:
    """A name within an SQL text."""
    return name.replace("'", "''")


WRITERS = {"parquet": _write_parquet, "csv": _write_csv, "jsonl": _write_jsonl}
