"""A period in shards, without Spark: packed into parcels, rated one by one, and added up, it is the whole period."""

from datetime import date
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from bulk_games import draw, newcomers

import arpad
from arpad import bulk
from arpad.bulk.engines import spill
from arpad.bulk.engines.parcels import PLACE, packed, table_of
from arpad.bulk.engines.shard import LISTED, SIDES, SUMMARY, Shards, summary_of
from arpad.bulk.request import request
from arpad.bulk.tables.output import without_dictionaries
from arpad.errors import BadFile, BadInput, Unsupported

SHARDS = 7
NOVEMBER = date(2026, 11, 1), date(2026, 11, 30)
PERIODS = [
    (arpad.system("fide-standard"), date(2013, 5, 1), date(2013, 5, 31)),  # the 400-point rule for one game of an event
    (arpad.system("fide-standard"), date(2024, 2, 1), date(2024, 2, 29)),  # the one-off conversion
    (arpad.system("fide-rapid", readings={"rounding": "per-event"}), *NOVEMBER),
    (bulk.method("elo", k=20, white=35), *NOVEMBER),
    (bulk.method("glicko", c=34.6, floor=60), *NOVEMBER),
    (bulk.method("glicko-2"), *NOVEMBER),
]


def with_places(table):
    """A table with the places of its rows, as an engine gives it to be packed."""
    table = table.append_column(PLACE[0], pa.array(np.zeros(table.num_rows, np.int32)))
    return table.append_column(PLACE[1], pa.array(np.arange(table.num_rows)))


def in_shards(asked, drawn):
    """The parts of the answer of every shard."""
    given = {"players": with_places(drawn.players), "pool": with_places(drawn.pool)}
    files = {name: ["a file"] for name in ("games", "players", "pool")}
    plan = Shards(asked, SHARDS, {name: table.schema for name, table in given.items()}, files)
    known = pa.Table.from_batches(plan.known(packed(given["players"].to_batches(), "players", SHARDS)))
    games = drawn.games
    places = {one: place for place, one in enumerate(known["id"].to_pylist())}
    for side in SIDES:
        at = pa.array([places.get(one) for one in games[side].to_pylist()], pa.int64())
        for name in plan.of_opponents:
            games = games.append_column(f"{side}_{LISTED}_{name}", known[name].combine_chunks().take(at))
    given["games"] = with_places(games)
    plan = plan.with_games(given["games"].schema)
    parcels = [
        batch for part, table in given.items() for batch in packed(table.to_batches(max_chunksize=999), part, SHARDS)
    ]
    answers = pa.Table.from_batches(plan.rate(reversed(parcels)))
    names = answers["part"].to_pylist()
    tables = [table_of(rows) for chunk in answers["rows"].chunks for rows in chunk]
    return {part: pa.concat_tables([one for name, one in zip(names, tables, strict=True) if name == part])
            for part in names}  # fmt: skip


@pytest.mark.parametrize("period", PERIODS, ids=lambda one: f"{one[0].name} {one[1]:%Y-%m}")
def test_the_shards_of_a_period_add_up_to_it(period):
    """The list, the pool, the rejected rows and the summary are the same to the last digit, in any order of parcels."""
    system, since, on = period
    chapter = system.name.removeprefix("fide-") if system.name.startswith("fide-") else None
    drawn = draw(chapter or "standard", since, on, games=6_000, players=900, seed=since.year)
    if chapter is None:
        drawn = newcomers(drawn)
    drawn = drawn._replace(games=pa.concat_tables([drawn.games, drawn.games.slice(0, 40)]))  # duplicates
    detail = {"detail": chapter is not None}
    asked = request(system, f"{on:%Y-%m}", since, on, {}, **detail)
    pool = drawn.pool if chapter else None
    local = bulk.rate(
        drawn.games, drawn.players, pool=pool, period="2000-01", since=since, on=on, system=system, **detail
    )
    parts = in_shards(asked, drawn)
    assert summary_of([parts[SUMMARY]]) == local.summary
    assert local.summary.rejected >= 40
    ours = without_dictionaries(local.players).sort_by("id")
    assert parts["players"].select(ours.schema.names).cast(ours.schema).sort_by("id").equals(ours)
    if chapter:
        by = [(name, "ascending") for name in local.pool.schema.names]
        assert parts["pool"].sort_by(by).equals(local.pool.sort_by(by))
        white = parts["white"].sort_by("_row")
        assert white["white_change"].to_pylist() == local.games["white_change"].to_pylist()
    rows = [sorted(table["row"].to_pylist()) for table in (parts["rejected"], local.rejected)]
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("period", "ending"),
    [*product(PERIODS[2:], ["parquet", "csv"]), (PERIODS[-1], "duckdb")],
    ids=lambda one: one if isinstance(one, str) else one[0].name,
)
def test_a_period_larger_than_memory_waits_on_the_disk(monkeypatch, tmp_path, period, ending):
    """Rated in shards that fit, from any kind of file, it is the same list in the same order."""
    monkeypatch.setattr(spill, "A_SIDE", 1_000_000)  # so that 6,000 games are too many for a gigabyte
    monkeypatch.setattr(spill, "A_PACKED_ROW", 200)  # a small DuckDB file is mostly empty
    system, since, on = period
    chapter = system.name.removeprefix("fide-") if system.name.startswith("fide-") else None
    drawn = draw(chapter or "standard", since, on, games=6_000, players=900, seed=9)
    drawn = drawn if chapter else newcomers(drawn)
    within = "::{}" if ending == "duckdb" else ""
    names = {name: f"{tmp_path / name}.{ending}{within.format(name)}" for name in ("games", "players", "pool")}
    bulk.write(
        {names[name]: table for name, table in zip(names, (drawn.games, drawn.players, drawn.pool), strict=True)}
    )
    given = {**names, "pool": names["pool"] if chapter else None, "period": "2026-12", "system": system}
    whole, parts = bulk.rate(**given), bulk.rate(**given, memory="1GB")
    assert parts.summary == whole.summary
    ours = without_dictionaries(whole.players)
    listed = drawn.players.num_rows  # newcomers come after them, in another order
    theirs = parts.players.select(ours.schema.names).cast(ours.schema)
    assert theirs.slice(0, listed).equals(ours.slice(0, listed))
    assert theirs.sort_by("id").equals(ours.sort_by("id"))


def test_a_stream_of_unknown_length_is_rated_in_shards(monkeypatch):
    """Whoever does not say how many games there are gets as many shards as there may be, and the same list."""
    homes = []
    monkeypatch.setattr(spill, "SHARDS_OF_A_STREAM", 9)
    monkeypatch.setattr(spill, "packed", lambda *asked: map(seen(homes), packed(*asked)))
    drawn = newcomers(draw("standard", *NOVEMBER, games=2_000, players=300, seed=4))
    given = {"players": drawn.players, "period": "2026-12", "system": bulk.method("glicko-2")}
    stream = pa.RecordBatchReader.from_batches(drawn.games.schema, drawn.games.to_batches())
    parts, whole = bulk.rate(stream, **given, memory="1GB"), bulk.rate(drawn.games, **given)
    assert set(homes) == set(range(9))
    assert parts.summary == whole.summary
    assert parts.players.sort_by("id").equals(whole.players.sort_by("id"))


def seen(homes):
    """What notes the homes of parcels on their way."""

    def note(parcel):
        homes.append(parcel["home"][0].as_py())
        return parcel

    return note


def test_game_by_game_is_not_rated_in_parts():
    """A rating that goes by the game before it would differ in a part, so a bound on memory is refused."""
    games = pa.table({"white": [1], "black": [2], "result": [1.0]})
    listed = pa.table({"id": [1, 2], "rating": [1500, 1600]})
    with pytest.raises(Unsupported, match="by=period"):
        bulk.rate(games, listed, period="2026-12", system=bulk.method("elo", by="game"), memory="1GB")


def test_a_full_disk_is_one_sentence(monkeypatch):
    """Where the games cannot wait, the folder is named."""
    monkeypatch.setattr(spill, "_file", lambda *_: "/dev/full")
    drawn = draw("standard", *NOVEMBER, games=500, players=100, seed=4)
    with pytest.raises(BadFile, match="check its folder and the space on the disk"):
        bulk.rate(drawn.games, drawn.players, period="2026-12", memory="1GB")


@pytest.mark.parametrize("memory", ["much", "4", "10MB"])
def test_memory_is_an_amount(memory):
    """What is not an amount, or too little to read a block, is refused."""
    nothing = pa.table({"white": [1], "black": [2], "result": [1.0]})
    with pytest.raises(BadInput, match="1GB or more"):
        bulk.rate(nothing, pa.table({"id": [1], "rating": [1500]}), period="2026-12", memory=memory)
