"""Parcels: the rows of a table that belong to one shard, as Arrow's bytes, so that they travel without being unpacked.

A period larger than one memory is rated in shards: some of the players each, with all their games. A shuffle moves a
parcel as one value, whatever columns are in it; a game goes into the parcels of White's shard and of Black's.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arpad.bulk.arrays import Int32s, Int64s

FILE, ROW = PLACE = ("_file", "_row")  # where a row came from; a shard has its rows in this order
HOMES = {"games": ("white_home", "black_home"), "players": ("home",), "pool": ("home",)}  # the shards of a row
PARCEL = pa.schema([("home", pa.int32()), ("part", pa.string()), ("rows", pa.binary())])
PACKED = 1 << 20  # rows that are sorted into parcels at a time
ROWS = 1 << 18  # the most rows of a parcel


class Parcel(NamedTuple):
    """Rows of one table for one shard."""

    home: int
    part: str
    rows: pa.Table


def packed(batches: Iterable[pa.RecordBatch], part: str) -> Iterator[pa.RecordBatch]:
    """A table in parcels, those of one shard in the order of their rows."""
    for table in _gathered(batches):
        homes, rows = _by_home(*(table.column(name).to_numpy() for name in HOMES[part]))
        ordered = table.take(pa.array(rows))
        ends = np.flatnonzero(np.append(homes[1:] != homes[:-1], True)) + 1  # the last row ends one
        begin = 0
        for end in ends.tolist():
            yield parcels([Parcel(int(homes[begin]), part, ordered.slice(begin, end - begin))])
            begin = end


def parcels(given: Iterable[Parcel]) -> pa.RecordBatch:
    """Parcels as Spark moves them; long ones in pieces."""
    homes, parts, rows = [], [], []
    for parcel in given:
        for begin in range(0, max(1, parcel.rows.num_rows), ROWS):
            homes.append(parcel.home)
            parts.append(parcel.part)
            rows.append(_as_bytes(parcel.rows.slice(begin, ROWS)))
    return pa.RecordBatch.from_arrays(
        [pa.array(column, kind) for column, kind in zip((homes, parts, rows), PARCEL.types, strict=True)],
        schema=PARCEL,
    )


def opened(batches: Iterable[pa.RecordBatch]) -> dict[int, dict[str, pa.Table]]:
    """The tables in parcels by shard, with their rows in order."""
    found: dict[int, dict[str, list[pa.Table]]] = defaultdict(lambda: defaultdict(list))
    for batch in batches:
        homes, parts, rows = batch.columns
        for home, part, one in zip(homes.to_pylist(), parts.to_pylist(), rows, strict=True):
            found[home][part].append(table_of(one))
    return {home: {part: _in_order(tables) for part, tables in here.items()} for home, here in found.items()}


def table_of(rows: pa.BinaryScalar) -> pa.Table:
    """The rows of one parcel."""
    with pa.ipc.open_stream(rows.as_buffer()) as stream:
        return stream.read_all()


def _as_bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    written: bytes = sink.getvalue().to_pybytes()
    return written


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches put together, so that parcels are not small; names of files, which repeat, as a dictionary."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        place = batch.schema.get_field_index(FILE)
        waiting.append(batch.set_column(place, FILE, batch.column(FILE).dictionary_encode()))
        rows += batch.num_rows
        if rows >= PACKED:
            yield pa.Table.from_batches(waiting).unify_dictionaries().combine_chunks()
            waiting, rows = [], 0
    if rows:
        yield pa.Table.from_batches(waiting).unify_dictionaries().combine_chunks()


def _by_home(first: Int32s, second: Int32s | None = None) -> tuple[Int32s, Int64s]:
    """The shards of rows, sorted, and the row each stands for; a row with two shards appears twice."""
    rows = np.arange(len(first))
    if second is None:
        homes = first
    else:
        once = np.stack([np.ones(len(first), bool), first != second], axis=1).ravel()
        homes, rows = np.stack([first, second], axis=1).ravel()[once], np.repeat(rows, 2)[once]
    order = np.argsort(homes, kind="stable")
    return homes[order], rows[order]


def _in_order(tables: list[pa.Table]) -> pa.Table:
    """The rows of parcels by their places; parcels mostly follow one another, so there is little to sort."""
    filled = [table for table in tables if table.num_rows]
    filled.sort(key=lambda table: (table.column(FILE)[0].as_py() or "", table.column(ROW)[0].as_py()))
    table = pa.concat_tables(filled or tables[:1]).unify_dictionaries().combine_chunks()
    file = table.column(FILE).combine_chunks()
    names = [name or "" for name in file.dictionary.to_pylist()]
    rank = np.argsort(np.argsort(names, kind="stable"), kind="stable") if names else np.zeros(1, np.int64)
    files, rows = rank[file.indices.fill_null(0).to_numpy()], table.column(ROW).to_numpy()
    later = (files[1:] > files[:-1]) | ((files[1:] == files[:-1]) & (rows[1:] >= rows[:-1]))
    return table if later.all() else table.take(pa.array(np.lexsort((rows, files))))
