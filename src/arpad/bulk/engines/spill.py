"""A period larger than memory on this machine: its shards wait on the disk and are rated one by one."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Sized
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from arpad.bulk.engines.parcels import HOMES, PARCEL, PLACE, packed, table_of
from arpad.bulk.engines.shard import LISTED, SIDES, SUMMARY, Shards, check_in_parts, summary_of
from arpad.bulk.results import BulkRating
from arpad.bulk.tables.columns import coded
from arpad.bulk.tables.ids import MIX, NOWHERE, Index, as_type
from arpad.bulk.tables.layout import recognise
from arpad.bulk.tables.paths import file_of, format_of
from arpad.bulk.tables.players import all_columns
from arpad.errors import BadFile, BadInput, Unsupported
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arpad.bulk.arrays import Int32s
    from arpad.bulk.request import Inputs, Request
    from arpad.bulk.tables.reader import Input

UNITS = {"MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}
LEAST = UNITS["GB"]  # the blocks on their way to the disk alone may take almost as much
A_SIDE = 400  # bytes that a side of a game takes at most while its shard is rated
A_ROW, A_PACKED_ROW = 16, 4  # bytes that a row takes at least in a text file, and in one that is compressed
TEXTS = ("csv", "jsonl")
MOST_SHARDS = 500  # files that are open at the same time
PLAYERS = {"games": SIDES, "players": ("id",), "pool": ("player",)}  # whose row it is


def memory_of(text: str) -> int:
    """The bytes that a text such as 4GB stands for."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([MGT]B)", text.strip().upper())
    size = int(float(found[1]) * UNITS[found[2]]) if found else 0
    if size < LEAST:
        raise BadInput(say("bulk.error.memory", text=text), at="memory")
    return size


def rate_within(asked: Request, given: Inputs, memory: int) -> BulkRating:
    """The period, rated in as many shards as the memory asks for; the list itself is held in memory."""
    check_in_parts(asked, "memory")
    if asked.detail:
        raise Unsupported(say("bulk.error.memory_detail"), at="detail")
    shards = _shards(given.games, memory)
    with TemporaryDirectory(prefix="arpad-") as folder:
        try:
            plan, ids = _spilled(asked, given, shards, folder)
        except OSError:  # from writing: what cannot be read is refused by the one who reads it
            raise BadFile(say("bulk.file.unwritable"), at=folder) from None
        parts = [tables for home in range(shards) for tables in _rated(plan, folder, home)]
    summary = summary_of(tables[SUMMARY] for tables in parts)
    if not summary.players:
        raise BadInput(say("bulk.error.no_players"), at="players")
    tables = {part: pa.concat_tables([one[part] for one in parts]) for part in ("players", "pool", "rejected")}
    return BulkRating(
        players=_as_listed(tables["players"], ids),
        games=None,
        pool=tables["pool"],
        rejected=tables["rejected"],
        summary=summary,
        rules=plan.rules(summary),
        on=asked.on,
    )


def _shards(games: list[Input], memory: int) -> int:
    """As many shards as the games need to fit; as many as there may be where nobody knows how many games there are."""
    rows = [_rows(source) for source in games]
    known = [count for count in rows if count is not None]
    return MOST_SHARDS if len(known) < len(rows) else min(MOST_SHARDS, 1 + 2 * A_SIDE * sum(known) // (memory // 2))


def _rows(source: Input) -> int | None:
    """About how many rows a table has, and not fewer; None for a stream, which does not say."""
    if source.name is None:
        return len(source.given) if isinstance(source.given, Sized) else None
    known, file = source.rows(), file_of(source.name)
    plain = format_of(file) in TEXTS and not file.lower().endswith((".gz", ".xz"))
    return known or os.path.getsize(file) // (A_ROW if plain else A_PACKED_ROW)


def _spilled(asked: Request, given: Inputs, shards: int, folder: str) -> tuple[Shards, pa.Array]:
    """Every row in a file of its shard; and what the shards share, and the ids of the list."""
    players = _table(given.players, lambda names: all_columns(names, asked.columns["players"]), "players", shards)
    pool = _table(given.pool, lambda names: recognise("pool", names, {}), "pool", shards) if given.pool else None
    tables = {name: table for name, table in (("players", players), ("pool", pool)) if table is not None}
    plan = Shards(asked, {name: table.schema for name, table in tables.items()})
    known = plan.opponents(players)
    index = Index(known.column("id").combine_chunks())
    with ExitStack() as stack:
        files = [stack.enter_context(pa.OSFile(_file(folder, home), "wb")) for home in range(shards)]
        writers = [stack.enter_context(pa.ipc.new_stream(file, PARCEL)) for file in files]

        def spill(batches: Iterator[pa.RecordBatch], part: str) -> None:
            for parcel in packed(batches, part):
                writers[parcel.column("home")[0].as_py()].write_batch(parcel)

        for name, table in tables.items():
            spill(iter(table.to_batches()), name)
        columns = None

        def games() -> Iterator[pa.RecordBatch]:
            nonlocal columns
            for batch in _blocks(
                given.games, lambda names: recognise("games", names, asked.columns["games"]), "games", shards
            ):
                met = _with_opponents(batch, known, index)
                columns = met.schema
                yield met

        spill(games(), "games")
    if columns is None:
        raise BadInput(say("bulk.error.no_games", reasons=""), at="games")
    return plan.with_games(columns), players.column("id").combine_chunks()


def _file(folder: str, home: int) -> str:
    return os.path.join(folder, f"{home}.arrow")


def _table(given: list[Input], pick: Callable[[list[str]], dict[str, str]], part: str, shards: int) -> pa.Table:
    """A whole table with the places and shards of its rows."""
    return pa.concat_tables(
        [pa.Table.from_batches([batch]) for batch in _blocks(given, pick, part, shards)], promote_options="permissive"
    )


def _blocks(
    given: list[Input], pick: Callable[[list[str]], dict[str, str]], part: str, shards: int
) -> Iterator[pa.RecordBatch]:
    """The rows of a table with their places and shards, in blocks."""
    for source in given:
        for first, batch in source.blocks(pick):
            columns = {name: batch.column(name) for name in batch.schema.names}
            columns |= dict(zip(PLACE, _places(source.name, first, batch.num_rows), strict=True))
            for home, player in zip(HOMES[part], PLAYERS[part], strict=True):
                columns[home] = pa.array(_homes(batch.column(player), shards))
            yield pa.RecordBatch.from_pydict(columns)


def _places(file: str | None, first: int, rows: int) -> tuple[pa.Array, pa.Array]:
    return pa.repeat(pa.scalar(file, pa.string()), rows), pa.array(np.arange(first, first + rows))


def _homes(ids: pa.Array, shards: int) -> Int32s:
    """The shard of each id: alike for a number and for a text that is one."""
    numbers = as_type(ids, pa.int64())
    mixed = numbers.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64) * MIX
    homes: Int32s = ((mixed >> np.uint64(32)) % np.uint64(shards)).astype(np.int32)
    if numbers.null_count:
        words = coded(ids.cast(pa.string()), lambda word: zlib.crc32(word.encode()) % shards, np.int32, 0)
        homes = np.where(np.asarray(numbers.is_null()), words, homes)
    return homes


def _with_opponents(games: pa.RecordBatch, known: pa.Table, index: Index) -> pa.RecordBatch:
    """Games with what the list says of both players."""
    for side in SIDES:
        places = index.places(games.column(side))
        at = pa.array(places, mask=places == NOWHERE)
        for name in known.schema.names[1:]:
            games = games.append_column(f"{side}_{LISTED}_{name}", known.column(name).combine_chunks().take(at))
    return games


def _rated(plan: Shards, folder: str, home: int) -> Iterator[dict[str, pa.Table]]:
    """The parts of a shard's answer; its file is not needed any more."""
    with pa.memory_map(_file(folder, home)) as file, pa.ipc.open_stream(file) as parcels:
        for answer in plan.rate(parcels):
            _, parts, rows = answer.columns
            tables: dict[str, list[pa.Table]] = {}
            for part, one in zip(parts.to_pylist(), rows, strict=True):
                tables.setdefault(part, []).append(table_of(one))
            yield {part: pa.concat_tables(pieces) for part, pieces in tables.items()}
    os.remove(_file(folder, home))
    pa.default_memory_pool().release_unused()


def _as_listed(players: pa.Table, ids: pa.Array) -> pa.Table:
    """The players in the order of the list before; those who were not on it come after them."""
    found = players.column("id").combine_chunks()
    places = Index(found).places(ids)
    listed = places[places != NOWHERE]
    rank = np.full(len(found), len(ids))
    rank[listed[::-1]] = np.arange(len(listed))[::-1]  # backwards: who is on the list twice has the first place
    return players.take(pa.array(np.argsort(rank, kind="stable")))
