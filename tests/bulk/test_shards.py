"""A period in shards, without Spark: packed into packets, rated one by one, and added up, it is the whole period."""

from dataclasses import replace
from datetime import date
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from bulk_games import draw, newcomers, simple

import arpad
from arpad import bulk
from arpad.bulk.engines import spill
from arpad.bulk.engines.shards import PLACE, SUMMARY, SUMS, Homes, ListedOpponents, Shards, packed, summary_of, table_of
from arpad.bulk.request import request
from arpad.bulk.tables.columns import without_dictionaries
from arpad.bulk.tables.ids import plain_ids
from arpad.errors import BadFile, BadInput, Unsupported

SHARDS = 7
SHARED_BY_GAMES = ("start", "white_rating", "black_rating")  # columns by which games of an event belong together
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
    """A table with plain ids and the places of its rows, as an engine gives it to be packed."""
    for name in set(table.schema.names) & {"white", "black", "id", "player"}:
        ids = plain_ids(table[name].combine_chunks())
        table = table.set_column(table.schema.get_field_index(name), name, ids)
    table = table.append_column(PLACE[0], pa.array(np.zeros(table.num_rows, np.int32)))
    return table.append_column(PLACE[1], pa.array(np.arange(table.num_rows)))


def in_shards(asked, drawn, busy=()):
    """The parts of the answer of every shard; busy players are rated by what all shards add up for them."""
    given = {"players": with_places(drawn.players), "pool": with_places(drawn.pool)}
    columns = {"games": with_places(drawn.games).schema, **{name: table.schema for name, table in given.items()}}
    files = {name: ["a file"] for name in ("games", "players", "pool")}
    plan = Shards(asked, Homes(SHARDS), columns, files)
    if busy:
        rows = given["players"].filter(pc.is_in(given["players"]["id"], pa.array(busy)))
        assert plan.sums_suffice(drawn.games.schema.names)
        plan = replace(plan, homes=Homes(SHARDS, plan.rated_on(rows)))
    listed = plan.known(packed(given["players"].to_batches(), "players", plan.homes))
    known = pa.Table.from_batches(listed, plan.known_columns)
    games = with_places(drawn.games).combine_chunks().to_batches()
    given["games"] = pa.Table.from_batches(map(ListedOpponents(known).joined, games))
    plan = plan.with_games(given["games"].schema)
    packets = [
        batch
        for part, table in given.items()
        for batch in packed(table.to_batches(max_chunksize=999), part, plan.homes)
    ]
    of_busy = [batch for batch in packets if batch["home"][0].as_py() == SHARDS]
    found = parts_of(plan.rate(batch for batch in reversed(packets) if batch["home"][0].as_py() < SHARDS))
    if busy:
        for part, table in parts_of([plan.rate_busy(of_busy, [found[SUMS]])]).items():
            found[part] = pa.concat_tables([found[part], table])
    return found


def parts_of(batches):
    """The tables in packets, by part."""
    answers = pa.Table.from_batches(batches)
    names = answers["part"].to_pylist()
    tables = [table_of(rows) for chunk in answers["rows"].chunks for rows in chunk]
    return {part: pa.concat_tables([one for name, one in zip(names, tables, strict=True) if name == part])
            for part in names}  # fmt: skip


@pytest.mark.parametrize(
    "system", [arpad.system("fide-standard"), *(period[0] for period in PERIODS[-2:])], ids=lambda one: one.name
)
def test_busy_players_are_rated_by_sums(system):
    """Two players in a fifth and a seventh of all games, whose games stay with their opponents, get the same rating."""
    fide = system.name == "fide-standard"
    drawn = draw("standard", *NOVEMBER, games=6_000, players=900, seed=4)
    drawn = drawn if fide else newcomers(drawn)
    listed = drawn.players.filter(pc.greater(drawn.players["rating"].cast(pa.float64()), 1600))
    busy = listed["id"].to_pylist()[:2]
    games = drawn.games.drop_columns([name for name in SHARED_BY_GAMES if name in drawn.games.schema.names])
    for side, one, every in (("white", busy[0], 5), ("black", busy[1], 7)):
        chosen = pa.array(np.arange(games.num_rows) % every == 0)
        column = pc.if_else(chosen, pa.scalar(one, games[side].type), games[side].combine_chunks())
        games = games.set_column(games.schema.get_field_index(side), side, column)
    drawn = drawn._replace(games=pa.concat_tables([games, games.slice(0, 40)]))  # duplicates
    given = {"since": NOVEMBER[0], "on": NOVEMBER[1], "system": system}
    local = bulk.rate(drawn.games, drawn.players, pool=drawn.pool if fide else None, period="2026-12", **given)
    parts = in_shards(request(system, "2026-12", *NOVEMBER, {}, detail=False), drawn, busy)
    assert summary_of([parts[SUMMARY]]) == local.summary
    assert sorted(parts["rejected"]["row"].to_pylist()) == sorted(local.rejected["row"].to_pylist())
    ours, theirs = (without_dictionaries(table).sort_by("id") for table in (local.players, parts["players"]))
    theirs = theirs.select(ours.schema.names).cast(ours.schema)
    at = ours["id"].to_pylist().index(busy[0])
    assert ours["rated"][at].as_py() > 500
    if fide:
        assert theirs.equals(ours)
    else:
        assert theirs["id"].equals(ours["id"])
        for name in (*system.columns, "change"):
            np.testing.assert_allclose(theirs[name].to_numpy(), ours[name].to_numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("period", PERIODS, ids=lambda one: f"{one[0].name} {one[1]:%Y-%m}")
def test_the_shards_of_a_period_add_up_to_it(period):
    """The list, the pool, the rejected rows and the summary are the same to the last digit, in any order of packets."""
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


@pytest.mark.parametrize(("written", "text"), [("{}", "{}"), ("{}", " {}"), ("p{}", "p{}")], ids=repr)
@pytest.mark.parametrize("system", [arpad.system("fide-standard"), bulk.method("glicko-2")], ids=lambda one: one.name)
def test_ids_are_found_as_on_one_machine(system, written, text):
    """Numbers as texts, with a blank before them in the games, and names; in Glicko-2 also without a list."""
    listed, games = simple(400, 40)
    ids = {side: pa.array([text.format(one) for one in games[side].to_pylist()]) for side in ("white", "black")}
    for side, column in ids.items():
        games = games.set_column(games.schema.get_field_index(side), side, column)
    names = pa.array([written.format(one) for one in listed["id"].to_pylist()])
    players = listed.set_column(listed.schema.get_field_index("id"), "id", names)
    lists = [players] if system.name == "fide-standard" else [players, listed.slice(0, 0)]
    for before in lists:
        local = bulk.rate(games, before, period="2026-12", system=system)
        drawn = draw("standard", *NOVEMBER, games=1, players=5, seed=1)
        drawn = drawn._replace(games=games, players=before, pool=drawn.pool.slice(0, 0))
        parts = in_shards(request(system, "2026-12", *NOVEMBER, {}, detail=False), drawn)
        assert summary_of([parts[SUMMARY]]) == local.summary
        assert local.summary.rated > 300
        ratings = [
            sorted(zip(map(str, table["id"].to_pylist()), table["rating"].to_pylist(), strict=True))
            for table in (without_dictionaries(local.players), parts["players"])
        ]
        assert ratings[0] == ratings[1]


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
    """What notes the homes of packets on their way."""

    def note(packet):
        homes.append(packet["home"][0].as_py())
        return packet

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
