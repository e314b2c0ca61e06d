"""Writing tables to files, completely or not at all."""

import lzma
import os
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from arpad.bulk.tables.output import without_dictionaries
from arpad.bulk.tables.paths import WITHIN, check_writable, file_of, format_of
from arpad.errors import BadFile
from arpad.formats.saving import APOSTROPHE, FORMULA, beside
from arpad.messages import say

OUR_OWN = ("result",)  # a forfeit is +-, which is not a formula anywhere
NUMBER = r"^[-+]?[0-9.]+$"


def write(tables: Mapping[str, pa.Table], *, force: bool = False) -> None:
    """Write every table under a temporary name, and rename them when all are written."""
    for name in tables:
        check_writable(name)
    with beside(*map(file_of, tables), force=force) as parts:
        for part, (name, table) in zip(parts, tables.items(), strict=True):
            if format_of(name) == "duckdb":
                _duckdb(part, table, name)
            else:
                WRITERS[format_of(name)](part, table)


def _parquet(name: str, table: pa.Table) -> None:
    # Ids differ from row to row, so a dictionary of them would be wasted work.
    pq.write_table(
        table, name, use_dictionary=[column for column in table.schema.names if column not in ("id", "player")]
    )


def _csv(name: str, table: pa.Table) -> None:
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


def _jsonl(name: str, table: pa.Table) -> None:
    _copy(name, table, f"COPY rows TO '{_escaped(name)}' (FORMAT json)")


def _duckdb(part: str, table: pa.Table, name: str) -> None:
    """A new file with one table; a file that exists may hold other tables and is not replaced."""
    if os.path.exists(file_of(name)):
        raise BadFile(say("bulk.file.duckdb_exists"), at=part)
    quoted = (name.partition(WITHIN)[2] or "players").replace('"', '""')
    _copy(part, table, f"ATTACH '{_escaped(part)}' AS file; CREATE TABLE file.\"{quoted}\" AS FROM rows; DETACH file")


def _copy(name: str, table: pa.Table, command: str) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.register("rows", without_dictionaries(table))
        try:
            connection.execute(command)
        except duckdb.IOException:
            raise BadFile(say("bulk.file.unwritable"), at=name) from None


def _escaped(name: str) -> str:
    return name.replace("'", "''")


WRITERS = {"parquet": _parquet, "csv": _csv, "jsonl": _jsonl}
