"""A shard of a period: some players, all their games, and what is known of those they met.

A shard is a small period of its own. It is rated by the code that rates a whole one, and then only what belongs to its
own players is kept, so that shards rated anywhere add up to the period rated in one place, bit for bit.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.answer import BulkRating
from arpad.bulk.kernel import RATED, WHY_NOT
from arpad.bulk.layout import GAMES
from arpad.bulk.local import Task, rate_tables
from arpad.bulk.sink import without_dictionaries
from arpad.bulk.source import Input
from arpad.systems.base import System

SIDES = ("white", "black")
PLACE = ("_file", "_row")  # where a row of the games, players and pool came from
COUNTED = {"new": "first_ratings", "below_floor": "below_floor", "converted": "converted"}  # flags in the summary


def rate_shard(rows: pa.Table, asked: Task, system: System, ids: pa.DataType) -> pa.Table:
    """The games, players and pool of a shard to its part of the answer; a row is of one part, the others are null."""
    given = {table: rows_of(rows, table) for table in ("games", "players", "pool")}
    games, own, pool = given.values()
    answer = rate_tables(
        asked._replace(
            games=[Input(None, games.select([name for name in GAMES if name in games.schema.names]))],
            players=[Input(None, _with_guests(own, games))],
            pool=[Input(None, pool)] if pool.num_columns else [],
            columns={"games": {}, "players": {}},
            detail=True,
        ),
        system,
    )
    parts = _parts(answer, given, ids)
    if not asked.detail:  # the games were counted, and nobody asks for them
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


def _parts(answer: BulkRating, given: dict[str, pa.Table], ids: pa.DataType) -> dict[str, pa.Table]:
    """What of a shard's answer belongs to its own players, and what it adds to the summary."""
    games = given["games"]
    rejected = _rejected(answer.rejected, given)
    own = given["players"].num_rows - _count(pc.equal(rejected.column("table"), "players"))
    mine = answer.players.slice(0, own)  # guests come after them
    assert answer.games is not None  # noqa: S101  # it was asked for
    at = games.take(pc.subtract(answer.games.column("row"), 1))
    detail = answer.games.drop_columns(["row"])
    for name in PLACE:
        detail = detail.append_column(name, at.column(name))
    pool = answer.pool.filter(pc.is_in(answer.pool.column("player"), value_set=mine.column("id").combine_chunks()))
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
    """The rejected rows with their places: a game is told of where White is at home, a player where he is."""
    told = [rejected.slice(0, 0)]
    for name, table in given.items():
        rows = rejected.filter(pc.equal(rejected.column("table"), name))
        rows = rows.filter(pc.less_equal(rows.column("row"), table.num_rows))  # guests come after
        if rows.num_rows:
            at = table.take(pc.subtract(rows.column("row"), 1))
            file, row = (at.column(column) for column in PLACE)
            rows = rows.set_column(1, "file", file).set_column(2, "row", row_number(row))
            told.append(rows.filter(at.column("white_here")) if name == "games" else rows)
    return pa.concat_tables(told)


def row_number(row: pa.ChunkedArray) -> pa.ChunkedArray:
    """The number of a row, counted from 1; null where Spark knows only an order, which is below nought."""
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
        found |= {f"{kind} {one['values'].as_py()}": one["counts"].as_py() for one in pc.value_counts(column)}
    return pa.table({"name": pa.array(list(found), pa.string()), "number": pa.array(list(found.values()), pa.int64())})


def _count(which: pa.ChunkedArray) -> int:
    """How many hold."""
    return pc.sum(which).as_py() or 0


def _one_column_each(parts: dict[str, pa.Table]) -> pa.Table:
    """Tables as the columns of one, each row of which has one of them."""
    whole = []
    for part, table in parts.items():
        kinds = {name: pa.struct(one.schema) for name, one in parts.items()}
        whole.append(
            pa.table(
                {
                    name: table.to_struct_array().combine_chunks() if name == part else pa.nulls(table.num_rows, kind)
                    for name, kind in kinds.items()
                }
            )
        )
    return pa.concat_tables(whole)


def summary_of(counts: dict[str, int], rated: str = WHY_NOT[RATED]) -> dict[str, Any]:
    """The summary that the counts of all shards add up to."""
    by = {
        kind: {name.removeprefix(f"{kind} "): n for name, n in counts.items() if name.startswith(f"{kind} ")}
        for kind in ("why", "reason")
    }
    return {
        "games": counts.get("games", 0),
        "rated": by["why"].get(rated, 0),
        "not_rated": {name: by["why"][name] for name in WHY_NOT[1:] if name in by["why"]},
        **{
            name: counts.get(name, 0)
            for name in ("players", "changed", "first_ratings", "below_floor", "converted", "pool", "rejected")
        },
        "reasons": by["reason"],
    }
