"""Parcels: the rows of a table that belong to one shard, as Arrow's bytes, so that they travel without being unpacked.

A period larger than one memory is rated in shards: some of the players each, with all their games. A shuffle moves a
parcel as one value, whatever columns are in it; a game goes into the parcels of White's shard and of Black's.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.tables.columns import as_array, coded, together
from arpad.bulk.tables.ids import MIX, as_type
from arpad.bulk.tables.layout import IDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from arpad.bulk.arrays import Bools, Int64s, Ints

# Where a row came from, the number of its file and its place there; a shard has its rows in this order.
FILE, ROW = PLACE = ("_file", "_row")
PARCEL = pa.schema([("home", pa.int32()), ("part", pa.string()), ("rows", pa.binary())])
PACKED = 1 << 20  # the most rows that are sorted into parcels at a time, which take some 100 MB
FEW = 1 << 12  # rows of a parcel, about, while there are not too many shards: fewer would be mostly headers
ROWS = 1 << 18  # the most rows of a parcel: its bytes stay far below the 2 GB that a value may have
COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4")  # Java copies the bytes many times


class Parcel(NamedTuple):
    """Rows of one table for one shard."""

    home: int
    part: str
    rows: pa.Table


def homes_of(ids: pa.Array, shards: int) -> Ints:
    """The shard of each player: alike for a number and for a text that is one."""
    numbers = as_type(ids, pa.int64())
    mixed = numbers.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64) * MIX
    # By the remainder: a shard whose ids shared their first bits would crowd one corner of the hash table in `Index`.
    homes = (mixed >> np.uint64(32)) % np.uint64(shards)
    if numbers.null_count:
        words = coded(ids.cast(pa.string()), lambda word: zlib.crc32(word.encode()) % shards, np.uint64, 0)
        homes = np.where(np.asarray(numbers.is_null()), words, homes)
    narrow: Ints = homes.astype(np.min_scalar_type(shards))  # which is sorted in one pass
    return narrow


@dataclass(frozen=True, slots=True)
class Homes:
    """Where players are at home: in a shard; those with too many games for one share the number after the last.

    The games of such a busy player go only to the opponents' shards, which add up what they give the player.
    """

    shards: int
    busy: pa.Array | None = None  # ids

    @property
    def count(self) -> int:
        """How many homes there are."""
        return self.shards + (self.busy is not None)

    def is_busy(self, ids: pa.Array) -> Bools:
        """Which players are busy."""
        if self.busy is None:
            return np.zeros(len(ids), bool)
        return as_array(pc.is_in(as_type(ids, self.busy.type), value_set=self.busy, skip_nulls=True))

    def of(self, ids: pa.Array) -> Ints:
        """The home of each player."""
        homes = homes_of(ids, self.shards)
        return homes if self.busy is None else np.where(self.is_busy(ids), homes.dtype.type(self.shards), homes)

    def of_rows(self, table: pa.Table, part: str) -> list[Ints]:
        """Where the rows of a table go: to their player, or to both players of a game."""
        ids = [table.column(name).combine_chunks() for name in IDS[part]]
        homes = [self.of(column) for column in ids]
        if len(ids) == 1 or self.busy is None:
            return homes
        white, black = homes
        # If White is busy, to Black's home; if both are, to the shard that White would have had.
        first = np.where(
            white < self.shards, white, np.where(black < self.shards, black, homes_of(ids[0], self.shards))
        )
        return [first, np.where(black < self.shards, black, first)]


def packed(batches: Iterable[pa.RecordBatch], part: str, homes: Homes) -> Iterator[pa.RecordBatch]:
    """A table in parcels, those of one home in the order of their rows."""
    for table in _gathered(batches, min(PACKED, FEW * homes.count)):
        where, rows = _by_home(*homes.of_rows(table, part))
        ordered = table.take(pa.array(rows))
        ends = np.flatnonzero(np.append(where[1:] != where[:-1], True)) + 1  # the last row ends one
        begin = 0
        for end in ends.tolist():
            yield parcels([Parcel(int(where[begin]), part, ordered.slice(begin, end - begin))])
            begin = end


def parcels(given: Iterable[Parcel]) -> pa.RecordBatch:
    """Parcels as Spark moves them; long ones in pieces. Their bytes are written once, one after the other."""
    homes, parts, ends = [], [], [0]
    sink = pa.BufferOutputStream()
    for parcel in given:
        for begin in range(0, max(1, parcel.rows.num_rows), ROWS):
            homes.append(parcel.home)
            parts.append(parcel.part)
            with pa.ipc.new_stream(sink, parcel.rows.schema, options=COMPRESSED) as stream:
                stream.write_table(parcel.rows.slice(begin, ROWS))
            ends.append(sink.tell())
    rows = [None, pa.py_buffer(np.array(ends, np.int32)), sink.getvalue()]
    return pa.RecordBatch.from_arrays(
        [
            pa.array(homes, PARCEL.types[0]),
            pa.array(parts, PARCEL.types[1]),
            pa.Array.from_buffers(PARCEL.types[2], len(homes), rows),
        ],
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


def _gathered(batches: Iterable[pa.RecordBatch], enough: int) -> Iterator[pa.Table]:
    """Batches put together until they have enough rows."""
    waiting: list[pa.Table] = []
    rows = 0
    for batch in batches:
        waiting.append(pa.Table.from_batches([batch]))
        rows += batch.num_rows
        if rows >= enough:
            yield together(waiting).combine_chunks()
            waiting, rows = [], 0
    if rows:
        yield together(waiting).combine_chunks()


def _by_home(first: Ints, second: Ints | None = None) -> tuple[Ints, Int64s]:
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
    filled.sort(key=lambda table: [table.column(name)[0].as_py() for name in PLACE])
    table = together(filled or tables[:1]).combine_chunks()
    files, rows = (table.column(name).to_numpy() for name in PLACE)
    later = (files[1:] > files[:-1]) | ((files[1:] == files[:-1]) & (rows[1:] >= rows[:-1]))
    return table if later.all() else table.take(pa.array(np.lexsort((rows, files))))
