"""A shard of a period: some players, all their games, and what is known of those they met.

A shard is a small period. It is rated by the code that rates a whole one, and then only what belongs to its own players
is kept, so that shards rated anywhere add up to the period rated in one place, bit for bit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.fide.kernel import RATED, WHY_NOT
from arpad.bulk.fide.period import rate_tables
from arpad.bulk.request import Inputs
from arpad.bulk.results import PeriodSummary
from arpad.bulk.tables.layout import GAMES
from arpad.bulk.tables.output import without_dictionaries
from arpad.bulk.tables.reader import Input

if TYPE_CHECKING:
    from arpad.bulk.request import Request
    from arpad.bulk.results import BulkRating
    from arpad.systems.base import System

SIDES = ("white", "black")
PLACE = ("_file", "_row")  # where a row of the games, players and pool came from
COUNTED = {"new": "first_ratings", "below_floor": "below_floor", "converted": "converted"}  # flags in the summary


def rate_shard(rows: pa.Table, asked: Request, system: System, ids: pa.DataType) -> pa.Table:
    """The games, players and pool of a shard to its part of the answer; a row is of one part, the others are null."""
    given = {table: rows_of(rows, table) for table in ("games", "players", "pool")}
    games, own, pool = given.values()
    rated = rate_tables(
        replace(asked, columns={"games": {}, "players": {}}, detail=True),
        system,
        Inputs(
            [Input(None, games.select([name for name in GAMES if name in games.schema.names]))],
            [Input(None, _with_guests(own, games))],
            [Input(None, pool)] if pool.num_columns else [],
        ),
    )
    parts = _parts(rated, given, ids)
    if not asked.detail:  # the games are counted, but not part of the answer
        parts |= {side: parts[side].slice(0, 0) for side in SIDES}
    return _one_column_each(parts)


def rows_of(rows: pa.Table, table: str) -> pa.Table:
    """The rows of one of the tables, in the order they were given; an empty table if there is no such."""
    if table not in rows.schema.names:
        return pa.table({})
    column = rows.column(table).combine_chunks()
    taken = pa.Table.from_struct_array(column.filter(column.is_valid()))
    return taken.sort_by([(name, "ascending") for name in PLACE])


def _with_guests(own: pa.Table, games: pa.Table) -> pa.Table:
    """The shard's own players, and after them everybody else they met, with all rows each has on the list."""
    met = []
    for side in SIDES:
        rows, here = (games.column(f"{side}_{what}").combine_chunks() for what in ("rows", "here"))
        met.append(rows.filter(pc.and_(rows.is_valid(), pc.invert(here))))
    each = pa.concat_arrays(met)
    ids = pc.struct_field(pc.list_element(each, 0), "id")
    _, once = np.unique(ids.dictionary_encode().indices, return_index=True)
    guests = pa.Table.from_struct_array(pc.list_flatten(each.take(pa.array(once))))
    return pa.concat_tables([own, guests], promote_options="default").drop_columns(PLACE)


def _parts(rated: BulkRating, given: dict[str, pa.Table], ids: pa.DataType) -> dict[str, pa.Table]:
    """What of a shard's answer belongs to its own players, and what it adds to the summary."""
    games = given["games"]
    rejected = _rejected(rated.rejected, given)
    own = given["players"].num_rows - _count(pc.equal(rejected.column("table"), "players"))
    mine = rated.players.slice(0, own)  # guests come after them
    assert rated.games is not None  # noqa: S101  # it was asked for
    at = games.take(pc.subtract(rated.games.column("row"), 1))
    detail = rated.games.drop_columns(["row"])
    for name in PLACE:
        detail = detail.append_column(name, at.column(name))
    pool = rated.pool.filter(pc.is_in(rated.pool.column("player"), value_set=mine.column("id").combine_chunks()))
    parts = {
        "player": _with_ids(mine, ("id",), ids),
        "pool": _with_ids(pool, ("player",), ids),
        "rejected": rejected,
        "white": _with_ids(_without("black_", detail).filter(at.column("white_here")), SIDES, ids),
        "black": _with_ids(_without("white_", detail).filter(at.column("black_here")), SIDES, ids),
    }
    return {**parts, "count": _counts(parts, games)}


def _without(beginning: str, table: pa.Table) -> pa.Table:
    """A table without the columns whose names begin like this."""
    return table.drop_columns([name for name in table.schema.names if name.startswith(beginning)])


def _with_ids(table: pa.Table, names: tuple[str, ...], kind: pa.DataType) -> pa.Table:
    """A table with its ids as the whole list has them: a shard may have numbers alone where the list has texts too."""
    for name in names:
        place = table.schema.get_field_index(name)
        table = table.set_column(place, name, table.column(name).cast(kind))
    return without_dictionaries(table)


def _rejected(rejected: pa.Table, given: dict[str, pa.Table]) -> pa.Table:
    """The rejected rows with their places: a game is reported by the shard of White, a player by the own shard."""
    reported = [rejected.slice(0, 0)]
    for name, table in given.items():
        rows = rejected.filter(pc.equal(rejected.column("table"), name))
        rows = rows.filter(pc.less_equal(rows.column("row"), table.num_rows))  # guests come after
        if rows.num_rows:
            at = table.take(pc.subtract(rows.column("row"), 1))
            file, row = (at.column(column) for column in PLACE)
            rows = rows.set_column(1, "file", file).set_column(2, "row", row_number(row))
            reported.append(rows.filter(at.column("white_here")) if name == "games" else rows)
    return pa.concat_tables(reported)


def row_number(row: pa.ChunkedArray) -> pa.ChunkedArray:
    """The number of a row, counted from 1; null where Spark knows only an order, which is below zero."""
    return pc.if_else(pc.less(row, 0), None, pc.add(row, 1))


def _counts(parts: dict[str, pa.Table], games: pa.Table) -> pa.Table:
    """What the shard adds to the figures of the summary."""
    flags = pc.list_flatten(pc.split_pattern(parts["player"].column("flags"), " "))
    found = {
        "games": _count(games.column("white_here")),
        "players": parts["player"].num_rows,
        "changed": _count(pc.greater(parts["player"].column("rated"), 0)),
        "pool": parts["pool"].num_rows,
        "rejected": parts["rejected"].num_rows,
        **{name: _count(pc.equal(flags, flag)) for flag, name in COUNTED.items()},
    }
    for kind, column in (("why", parts["white"].column("why")), ("reason", parts["rejected"].column("reason"))):
        found |= {f"{kind} {count['values'].as_py()}": count["counts"].as_py() for count in pc.value_counts(column)}
    return pa.table({"name": pa.array(list(found), pa.string()), "number": pa.array(list(found.values()), pa.int64())})


def _count(which: pa.ChunkedArray) -> int:
    """How many hold."""
    return pc.sum(which).as_py() or 0


def _one_column_each(parts: dict[str, pa.Table]) -> pa.Table:
    """Tables as the columns of one, each row of which has one of them."""
    rows = []
    for part, table in parts.items():
        kinds = {name: pa.struct(content.schema) for name, content in parts.items()}
        rows.append(
            pa.table(
                {
                    name: table.to_struct_array().combine_chunks() if name == part else pa.nulls(table.num_rows, kind)
                    for name, kind in kinds.items()
                }
            )
        )
    return pa.concat_tables(rows)


def summary_of(asked: Request, counts: dict[str, int]) -> PeriodSummary:
    """The summary that the counts of all shards add up to."""
    why, reasons = (
        {name.removeprefix(f"{kind} "): n for name, n in counts.items() if name.startswith(f"{kind} ")}
        for kind in ("why", "reason")
    )
    return PeriodSummary(
        system=asked.system.name,
        period=asked.period,
        since=asked.since.isoformat(),
        on=asked.on.isoformat(),
        games=counts.get("games", 0),
        players=counts.get("players", 0),
        changed=counts.get("changed", 0),
        first_ratings=counts.get("first_ratings", 0),
        below_floor=counts.get("below_floor", 0),
        converted=counts.get("converted", 0),
        pool=counts.get("pool", 0),
        rejected=counts.get("rejected", 0),
        rated=why.get(WHY_NOT[RATED], 0),
        not_rated={name: why[name] for name in WHY_NOT[1:] if name in why},
        reasons=reasons,
    )
