"""A period larger than memory on this machine: its rows go to a file per shard, and the shards are rated one by one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sized
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from arpad.bulk.engines.shards import (
    PACKET,
    PLACE,
    SUMMARY,
    Homes,
    ListedOpponents,
    Shards,
    check_in_parts,
    packed,
    summary_of,
    table_of,
)
from arpad.bulk.results import BulkRating
from arpad.bulk.tables.columns import IDS, common_schema, recognise, together
from arpad.bulk.tables.ids import NOWHERE, Index
from arpad.bulk.tables.paths import file_of, format_of
from arpad.bulk.tables.players import all_columns
from arpad.bulk.tables.rejects import Rejects
from arpad.errors import ArpadError, BadFile, BadInput, Unsupported
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.bulk.request import Inputs, Request
    from arpad.bulk.tables.files import Input, Pick


UNITS = {"MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}
LEAST = UNITS["GB"]  # the blocks on their way to the disk alone may take almost as much
A_SIDE = 400  # bytes that a side of a game takes at most while its shard is rated
A_ROW = len("1,2,1\n")  # bytes that a row takes at least in a text file
A_PACKED_ROW = 2  # bytes that a row seldom falls below in a compressed file, or in one of DuckDB
DAYS = ("date", "start")
TEXTS = ("csv", "jsonl")
SHARDS_OF_A_STREAM = 500  # which does not say how many games it has: with 4 GB this is enough for a billion


def rate_within(asked: Request, given: Inputs, memory: int) -> BulkRating:
    """The period, rated in as many shards as the memory requires; the list itself is held in memory.

    Raises Unsupported for a system that cannot be rated in parts and for the detail of each game, BadInput without
    players, BadFile if the temporary folder cannot be written.
    """
    check_in_parts(asked.system, "memory")
    if asked.detail:
        raise Unsupported(say("bulk.error.memory_detail"), at="detail")
    shards = _shards_needed(given.games, memory)
    with TemporaryDirectory(prefix="arpad-") as folder:
        try:
            plan, ids, unread = _spilled(asked, given, shards, folder)
        except OSError:  # from writing: a file that cannot be read has been refused as a BadFile
            raise BadFile(say("bulk.file.unwritable"), at=folder) from None
        parts = [tables for home in range(shards) for tables in _rated(plan, folder, home)]
    summary = summary_of(tables[SUMMARY] for tables in parts)
    # No shard knows of the files that could not be read.
    reasons = {**summary.reasons, **unread.counts()}
    summary = replace(summary, rejected=summary.rejected + len(unread), reasons=reasons)
    if not summary.players:
        raise BadInput(say("bulk.error.no_players"), at="players")
    tables = {part: pa.concat_tables([shard[part] for shard in parts]) for part in ("players", "pool", "rejected")}
    return BulkRating(
        players=_as_listed(tables["players"], ids),
        games=None,
        pool=tables["pool"],
        rejected=pa.concat_tables([tables["rejected"], unread.table()]),
        summary=summary,
        rules=plan.rules(summary),
        on=asked.on,
    )


def memory_of(text: str) -> int:
    """The bytes that a text such as 4GB stands for."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([MGT]B)", text.strip().upper())
    size = int(float(found[1]) * UNITS[found[2]]) if found else 0
    if size < LEAST:
        raise BadInput(say("bulk.error.memory", text=text), at="memory")
    return size


def _shards_needed(games: list[Input], memory: int) -> int:
    """How many shards the games need to fit into memory; many, if the number of games is unknown."""
    rows = [_rows(source) for source in games]
    known = [count for count in rows if count is not None]
    return SHARDS_OF_A_STREAM if len(known) < len(rows) else 1 + 2 * A_SIDE * sum(known) // (memory // 2)


def _rows(source: Input) -> int | None:
    """About how many rows a table has, and not fewer; None for a stream, which does not say."""
    if source.name is None:
        return len(source.given) if isinstance(source.given, Sized) else None
    known, file = source.rows(), file_of(source.name)
    plain = format_of(file) in TEXTS and not file.lower().endswith((".gz", ".xz"))
    return known or os.path.getsize(file) // (A_ROW if plain else A_PACKED_ROW)


def _spilled(asked: Request, given: Inputs, shards: int, folder: str) -> tuple[Shards, pa.Array, Rejects]:
    """Every row in a file of its shard; what the shards share, the ids of the list, and files of games not read."""
    players = _table(given.players, "players", lambda names: all_columns(names, asked.columns["players"]))
    pool = _table(given.pool, "pool", lambda names: recognise("pool", names, {})) if given.pool else None
    tables = {name: table for name, table in (("players", players), ("pool", pool)) if table is not None}
    inputs = {"games": given.games, "players": given.players, "pool": given.pool}
    files = {name: [source.name for source in read] for name, read in inputs.items()}
    plan = Shards(asked, Homes(shards), {name: table.schema for name, table in tables.items()}, files)
    opponents = ListedOpponents(plan.opponents(players))
    for name, table in tables.items():
        _spill(packed(table.to_batches(), name, plan.homes), folder)
    columns: list[pa.Schema] = []
    troubles: list[ArpadError] = [BadInput(say("bulk.error.no_games", reasons=""), at="games")]
    unread = Rejects()

    def games() -> Iterator[pa.RecordBatch]:
        for number, source in enumerate(given.games):
            try:
                for batch in _blocks(
                    source, number, "games", lambda names: recognise("games", names, asked.columns["games"])
                ):
                    met = opponents.joined(batch)
                    _check_days(met.schema, *columns)
                    columns[:] = [common_schema([*columns, met.schema])]
                    yield met
            except ArpadError as trouble:
                troubles.append(trouble)
                unread.add_file("games", source.name, trouble.message)

    _spill(packed(games(), "games", plan.homes), folder)
    if not columns:
        raise troubles[-1]
    return plan.with_games(columns[0]), players.column("id").combine_chunks(), unread


def _check_days(schema: pa.Schema, *before: pa.Schema) -> None:
    """Refuse a file that has days where those before it have none, or the other way round: nothing fills them in."""
    for other in before:
        for name in DAYS:
            if (name in schema.names) != (name in other.names):
                raise BadFile(say("bulk.file.some_columns"), at=name)


def _table(given: list[Input], name: str, pick: Pick) -> pa.Table:
    """A whole table with the places of its rows."""
    blocks = [batch for number, source in enumerate(given) for batch in _blocks(source, number, name, pick)]
    return together([pa.Table.from_batches([batch]) for batch in blocks])


def _blocks(source: Input, number: int, name: str, pick: Pick) -> Iterator[pa.RecordBatch]:
    """The rows of a file with their places, in blocks."""
    for first, batch in source.blocks(pick, IDS[name]):
        columns = {name: batch.column(name) for name in batch.schema.names}
        rows = np.arange(first, first + batch.num_rows)
        places = pa.array(np.full(len(rows), number, np.int32)), pa.array(rows)
        yield pa.RecordBatch.from_pydict(columns | dict(zip(PLACE, places, strict=True)))


def _spill(packets: Iterator[pa.RecordBatch], folder: str) -> None:
    """Add packets to the files of their shards; one is open at a time, so there may be any number of them."""
    for packet in packets:
        name = _file(folder, packet.column("home")[0].as_py())
        with open(name, "ab") as file, pa.ipc.new_stream(file, PACKET) as stream:
            stream.write_batch(packet)


def _rated(plan: Shards, folder: str, home: int) -> Iterator[dict[str, pa.Table]]:
    """The parts of a shard's answer; its file is not needed any more."""
    if not os.path.exists(_file(folder, home)):
        return
    with pa.memory_map(_file(folder, home)) as file:
        for answer in plan.rate(_packets(file)):
            _, parts, rows = answer.columns
            tables: dict[str, list[pa.Table]] = {}
            for part, packet in zip(parts.to_pylist(), rows, strict=True):
                tables.setdefault(part, []).append(table_of(packet))
            yield {part: pa.concat_tables(pieces) for part, pieces in tables.items()}
    os.remove(_file(folder, home))
    pa.default_memory_pool().release_unused()


def _packets(file: pa.MemoryMappedFile) -> Iterator[pa.RecordBatch]:
    """The packets of a shard's file, each a stream of its own."""
    while file.tell() < file.size():
        with pa.ipc.open_stream(file) as stream:
            yield from stream


def _file(folder: str, home: int) -> str:
    return os.path.join(folder, f"{home}.arrow")


def _as_listed(players: pa.Table, ids: pa.Array) -> pa.Table:
    """The players in the order of the list before; those who were not on it come after them."""
    found = players.column("id").combine_chunks()
    places = Index(found).places(ids)
    listed = places[places != NOWHERE]
    rank = np.full(len(found), len(ids))
    rank[listed[::-1]] = np.arange(len(listed))[::-1]  # backwards: who is on the list twice has the first place
    return players.take(pa.array(np.argsort(rank, kind="stable")))
