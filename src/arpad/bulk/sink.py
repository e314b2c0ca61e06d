"""Where tables go: files that appear whole or not at all."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from arpad.bulk.source import WITHIN, format_of
from arpad.errors import BadFile


def write(tables: Mapping[str, pa.Table]) -> None:
    """Write every table beside its place, and put them there when all are written."""
    with _beside(tables) as parts:
        for name, table in tables.items():
            if format_of(name) == "duckdb":
                _duckdb(parts[name], table, name)
            else:
                WRITERS[format_of(name)](parts[name], table)


@contextmanager
def _beside(names: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Temporary names in the same folders; renamed at the end, removed if there is none."""
    parts = {name: f"{name.partition(WITHIN)[0]}.{os.getpid()}.part" for name in names}
    try:
        yield parts
        for name, part in parts.items():
            os.replace(part, name.partition(WITHIN)[0])
    except OSError as error:
        raise BadFile(f"The file cannot be written: {error.strerror or error}.", at=", ".join(names)) from None
    finally:
        for part in parts.values():
            if os.path.exists(part):
                os.remove(part)


def _parquet(name: str, table: pa.Table) -> None:
    # Ids differ from row to row: a dictionary of them would be work for nothing.
    pq.write_table(table, name, use_dictionary=[one for one in table.schema.names if one not in ("id", "player")])


def _csv(name: str, table: pa.Table) -> None:
    pa.csv.write_csv(plain(table), name)


def plain(table: pa.Table) -> pa.Table:
    """Without dictionaries, which only Parquet has."""
    kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema([field.with_type(kind) for field, kind in zip(table.schema, kinds, strict=True)]))


def _jsonl(name: str, table: pa.Table) -> None:
    _copy(table, f"COPY rows TO '{_escaped(name)}' (FORMAT json)")


def _duckdb(part: str, table: pa.Table, name: str) -> None:
    """A new file with one table; a file that is there may hold other tables and is not replaced."""
    place, _, within = name.partition(WITHIN)
    if os.path.exists(place):
        raise BadFile("A DuckDB file is written anew, and this one is there already; give another name.", at=place)
    quoted = (within or "players").replace('"', '""')
    _copy(table, f"ATTACH '{_escaped(part)}' AS file; CREATE TABLE file.\"{quoted}\" AS FROM rows; DETACH file")


def _copy(table: pa.Table, command: str) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.register("rows", plain(table))
        connection.execute(command)


def _escaped(name: str) -> str:
    return name.replace("'", "''")


WRITERS = {"parquet": _parquet, "csv": _csv, "jsonl": _jsonl}
