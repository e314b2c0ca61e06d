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
from arpad.bulk.local import Asked, rate_tables
from arpad.bulk.sink import plain
from arpad.bulk.source import Source
from arpad.contract import System

GUEST = "_guest"  # marks, in a shard's list, who is only met there
SIDES = ("white", "black")
COUNTED = {"new": "first_ratings", "below_floor": "below_floor", "converted": "converted"}  # flags in the summary


def rate_shard(rows: pa.Table, asked: Asked, system: System, ids: pa.DataType) -> pa.Table:
    """The games, players and pool of a shard to its part of the answer; a row is of one part, the others are null."""
    games, own, pooled = (rows_of(rows, part) for part in ("game", "player", "pooled"))
    games = games.sort_by([("file", "ascending"), ("row", "ascending")])
    answer = rate_tables(
        asked._replace(
            games=[Source(None, games.select([name for name in GAMES if name in games.schema.names]))],
            players=[Source(None, _with_guests(own, games))],
            pool=[Source(None, pooled)] if pooled.num_columns else [],
            columns={"games": {}, "players": {}},
            detail=True,
        ),
        system,
    )
    return _one_column_each(_parts(answer, own.num_rows, games, ids))


def rows_of(rows: pa.Table, part: str) -> pa.Table:
    """The rows that have a part, as a table of it; an empty one if there is no such part."""
    if part not in rows.schema.names:
        return pa.table({})
    column = rows.column(part).combine_chunks()
    return pa.Table.from_struct_array(column.filter(column.is_valid()))


def _with_guests(own: pa.Table, games: pa.Table) -> pa.Table:
    """The shard's own players, and after them everybody else they met, each once."""
    met = []
    for side in SIDES:
        player, here = (games.column(f"{side}_{what}").combine_chunks() for what in ("player", "here"))
        met.append(pa.Table.from_struct_array(player.filter(pc.and_(player.is_valid(), pc.invert(here)))))
    guests = pa.concat_tables(met)
    _, first = np.unique(guests.column("id").cast(pa.string()).to_numpy(), return_index=True)
    guests = guests.take(pa.array(first))
    marked = [table.append_column(GUEST, _all(table, guest)) for table, guest in ((own, False), (guests, True))]
    return pa.concat_tables(marked, promote_options="default")


def _all(table: pa.Table, value: Any) -> pa.Array:
    """The same value for every row."""
    return pa.array(np.full(table.num_rows, value))


def _parts(answer: BulkRating, own: int, games: pa.Table, ids: pa.DataType) -> dict[str, pa.Table]:
    """What of a shard's answer belongs to its own players, and what it adds to the summary."""
    mine = answer.players.filter(pc.invert(answer.players.column(GUEST))).drop_columns([GUEST])
    assert answer.games is not None  # noqa: S101  # it was asked for
    place = answer.games.column("row").combine_chunks()
    detail = answer.games.set_column(0, "row", games.column("row").take(pc.subtract(place, 1)))
    detail = detail.add_column(0, "file", games.column("file").take(pc.subtract(place, 1)))
    at_home = {side: games.column(f"{side}_here").take(pc.subtract(place, 1)) for side in SIDES}
    others = {"white": "black", "black": "white"}
    sides = {
        side: detail.filter(at_home[side]).drop_columns(
            [name for name in detail.schema.names if name.startswith(f"{others[side]}_")]
        )
        for side in SIDES
    }
    pool = answer.pool.filter(pc.is_in(answer.pool.column("player"), value_set=mine.column("id").combine_chunks()))
    parts = {
        "player": _with_ids(mine, ("id",), ids),
        "pool": _with_ids(pool, ("player",), ids),
        "rejected": _rejected(answer.rejected, own, games),
        "white": _with_ids(sides["white"], SIDES, ids),
        "black": _with_ids(sides["black"], SIDES, ids),
    }
    return {**parts, "count": _counts(parts, games)}


def _with_ids(table: pa.Table, names: tuple[str, ...], kind: pa.DataType) -> pa.Table:
    """A table with its ids as the whole list has them: a shard may have numbers alone where the list has texts too."""
    for name in names:
        place = table.schema.get_field_index(name)
        table = table.set_column(place, name, table.column(name).cast(kind))
    return plain(table)


def _rejected(rejected: pa.Table, own: int, games: pa.Table) -> pa.Table:
    """The rejected rows: a game is told of where White is at home, a player where he is."""
    table, row = (rejected.column(name) for name in ("table", "row"))
    place = pc.subtract(row.combine_chunks(), 1)
    of_games = pc.equal(table, "games").combine_chunks()
    game = pc.if_else(of_games, place, None)
    here = pc.fill_null(games.column("white_here").combine_chunks().take(game), False)
    listed = pc.and_(pc.equal(table, "players").combine_chunks(), pc.fill_null(pc.less(place, own), False))
    told = pc.or_(pc.or_(here, listed), pc.equal(table, "pool").combine_chunks())
    at = pc.add(games.column("row").combine_chunks().take(game), 1)
    rejected = rejected.set_column(1, "file", games.column("file").combine_chunks().take(game))
    return rejected.set_column(2, "row", at).filter(told)


def _counts(parts: dict[str, pa.Table], games: pa.Table) -> pa.Table:
    """What the shard adds to the figures of the summary."""
    flags = pc.list_flatten(pc.split_pattern(parts["player"].column("flags"), " "))
    found = {
        "games": pc.sum(games.column("white_here")).as_py() or 0,
        "players": parts["player"].num_rows,
        "changed": pc.sum(pc.greater(parts["player"].column("rated"), 0)).as_py() or 0,
        "pool": parts["pool"].num_rows,
        "rejected": parts["rejected"].num_rows,
        **{name: pc.sum(pc.equal(flags, flag)).as_py() or 0 for flag, name in COUNTED.items()},
    }
    for kind, column in (("why", parts["white"].column("why")), ("reason", parts["rejected"].column("reason"))):
        found |= {f"{kind} {one['values'].as_py()}": one["counts"].as_py() for one in pc.value_counts(column)}
    return pa.table({"name": pa.array(list(found), pa.string()), "number": pa.array(list(found.values()), pa.int64())})


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
