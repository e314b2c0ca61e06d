"""The engine spark on two cores of this machine: the same period as on one machine, for every player."""

import json
import os
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from bulk_games import draw, newcomers, simple

import arpad
from arpad import bulk
from arpad.bulk.engines import engine_named
from arpad.bulk.tables.columns import without_dictionaries
from arpad.cli import main
from arpad.errors import Unsupported

# A month under the once-per-event rule with every feature drawn; one after it, given as data frames, in which every
# fifth game is White's of one player; and the same month in the other systems. Each has a million games.
GAMES = 1_000_000
NOVEMBER = date(2026, 11, 1), date(2026, 11, 30)
PERIODS = [
    (arpad.system("fide-standard"), date(2023, 5, 1), date(2023, 5, 31)),
    (arpad.system("fide-rapid", readings={"rounding": "per-event"}), *NOVEMBER),
    (bulk.method("elo", k=20, white=35), *NOVEMBER),
    (bulk.method("glicko", c=34.6, floor=60), *NOVEMBER),
    (bulk.method("glicko-2"), *NOVEMBER),
]
FIDE = "fide-"


@pytest.fixture(scope="module", params=PERIODS, ids=lambda one: one[0].name)
def period(request, tmp_path_factory):
    """A drawn period as Parquet files, the games in two, and what one machine makes of it."""
    system, since, on = request.param
    fide = system.name.startswith(FIDE)
    chapter = system.name.removeprefix(FIDE) if fide else "standard"
    drawn = draw(chapter, since, on, games=GAMES, players=GAMES // 8, seed=since.year)
    drawn = drawn if fide else newcomers(drawn)
    folder = tmp_path_factory.mktemp("period")
    games = drawn.games if system.name == "fide-standard" else with_a_busy_player(drawn.games)
    games = with_wrong_rows(with_some_rounds(games))
    # In data frames the order is Spark's, which takes the largest file first; it decides between events of one day.
    first = 6 * games.num_rows // 10
    for name, table in (
        ("games-1", games.slice(0, first)),
        ("games-2", games.slice(first)),
        ("players", drawn.players),
        ("pool", drawn.pool),
    ):
        pq.write_table(table, folder / f"{name}.parquet")
    asked = {
        "games": str(folder / "games-*.parquet"),
        "players": str(folder / "players.parquet"),
        "pool": str(folder / "pool.parquet") if fide else None,
        "period": f"{on + timedelta(days=1):%Y-%m}",
        "system": system,
        "detail": fide,
    }
    return asked, bulk.rate(**asked)


def with_a_busy_player(games):
    """The games with one player as White in every fifth; Black stays, and where that is himself the row is rejected."""
    one = games["white"][0]
    white = pc.if_else(pa.array(np.arange(games.num_rows) % 5 == 0), one, games["white"].combine_chunks())
    return games.set_column(games.schema.get_field_index("white"), "white", white)


def with_some_rounds(games):
    """The games with every third round not known."""
    known = pa.array(np.arange(games.num_rows) % 3 > 0)
    column = pc.if_else(known, games["round"].combine_chunks(), None)
    return games.set_column(games.schema.get_field_index("round"), "round", column)


def same(local, frame, keys):
    """Whether a table of one machine and a data frame have the same rows, whatever their order."""
    ours, theirs = without_dictionaries(local), frame.toArrow()
    theirs = theirs.select(ours.schema.names).cast(ours.schema)
    by = [(key, "ascending") for key in keys]
    return ours.sort_by(by).equals(theirs.sort_by(by))


@pytest.fixture
def engine():
    """The engine's module, which needs pyspark."""
    return engine_named("spark")


def test_spark_is_one_machine_for_every_player(spark, period, engine, monkeypatch):
    """The list, the pool, the gain of every game and the summary are the same to the last digit, in every system."""
    asked, local = period
    if asked["system"].name == "fide-rapid":
        monkeypatch.setattr(engine, "SENT", 0)  # as if the list were too large to send to the workers
        frames = {name: spark.read.parquet(asked[name]) for name in ("games", "players", "pool")}
        asked = {**asked, **frames}
    rated = bulk.rate(**asked, engine="spark", spark=spark)
    assert rated.summary == local.summary
    assert {"duplicate", "bad_result", "bad_date"} <= set(local.summary.reasons)
    assert same(local.players, rated.players, ["id"])
    if local.games is None:
        return
    assert same(local.pool, rated.pool, local.pool.schema.names)
    detail = local.games.drop_columns(["row"])
    assert same(detail, rated.games, detail.schema.names)


def test_a_small_period_is_that_of_one_machine(spark, tmp_path):
    """The list and the summary of a few thousand games: what `make test` sees of Spark."""
    listed, games = simple(5_000, 1_000)
    for name, table in (("games", games), ("players", listed)):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    asked = [str(tmp_path / f"{name}.parquet") for name in ("games", "players")]
    local = bulk.rate(*asked, period="2026-12")
    rated = bulk.rate(*asked, period="2026-12", engine="spark", spark=spark)
    assert rated.summary == local.summary
    assert local.summary.changed > 0
    assert same(local.players, rated.players, ["id"])


@pytest.mark.parametrize("system", ["fide-standard", "glicko-2"])
def test_a_player_in_a_tenth_of_all_games_has_no_long_task(spark, engine, monkeypatch, tmp_path, system):
    """His games stay in the shards of his opponents, whose sums make the rating of one machine."""
    monkeypatch.setattr(engine, "GAMES_A_SHARD", 10_000)
    listed, games = simple(100_000, 20_000)
    one = listed["id"][0].as_py()
    white = pc.if_else(pa.array(np.arange(games.num_rows) % 8 == 0), one, games["white"].combine_chunks())
    games = games.set_column(games.schema.get_field_index("white"), "white", white)
    for name, table in (("games", games), ("players", listed)):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    asked = [str(tmp_path / f"{name}.parquet") for name in ("games", "players")]
    local = bulk.rate(*asked, period="2026-12", system=system)
    rated = bulk.rate(*asked, period="2026-12", system=system, engine="spark", spark=spark)
    assert rated.kept.where("part = 'sums'").count() == 10  # one from each shard
    assert rated.summary == local.summary
    ours, theirs = (table.sort_by("id") for table in (local.players, rated.to_arrow()))
    assert ours["rated"][ours["id"].to_pylist().index(one)].as_py() > 10_000
    assert theirs["rated"].equals(ours["rated"])
    for name in {"rating", "deviation", "volatility"} & set(ours.schema.names):
        np.testing.assert_allclose(theirs[name].to_numpy(), ours[name].to_numpy(), rtol=1e-9)
    rated.release()


BAD_GAMES = """white,black,result,date
1,2,1,2026-11-03
1,2,1,2026-11-03
1,1,0,2026-11-04
2,9,1,2026-11-04
3,1,5,2026-11-05
,2,1,2026-11-06
2,3,½,2026-10-06
2,3,½,2026-11-07
1,5,0,2026-11-08
"""
LISTED = """id,rating,born,name
1,1800,1990,One
2,1750,2010,Two
3,99999,1980,Three
4,,2001,Four
2,1600,2010,Two again
5,0.5,1999,Five
5,1700,1999,Five after a bad row
"""


@pytest.mark.usefixtures("spark")
def test_rejected_rows_are_the_same(tmp_path, capsys):
    """Every way to be wrong is told of once, with the same reason as on one machine, and the rest is rated."""
    (tmp_path / "games.csv").write_text(BAD_GAMES, encoding="utf-8")
    (tmp_path / "players.csv").write_text(LISTED, encoding="utf-8")
    given = [str(tmp_path / "games.csv"), str(tmp_path / "players.csv"), "--period", "2026-12"]
    out = [f"--{name}={tmp_path / name}.parquet" for name in ("out", "rejected")]
    assert main(["bulk", *given, *out, "--engine", "spark", "--spark", "local[2]"]) == 1  # rows were rejected
    capsys.readouterr()
    local = bulk.rate(*given[:2], period="2026-12")
    listed = pq.read_table(tmp_path / "out.parquet").sort_by("id")
    assert (
        listed.column("rating").to_pylist()
        == without_dictionaries(local.players).sort_by("id").column("rating").to_pylist()
    )
    told = pq.read_table(tmp_path / "rejected.parquet")
    wrong = [sorted(zip(*(table[name].to_pylist() for name in ("table", "reason", "given")), strict=True))
             for table in (told, local.rejected)]  # fmt: skip
    assert wrong[0] == wrong[1]
    assert set(told["file"].to_pylist()) == set(given[:2])  # as they were given, not as URLs
    # A list that is there already is not written over, unless that is asked for.
    assert main(["bulk", *given, *out, "--engine", "spark", "--spark", "local[2]"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["bulk", *given, *out, "--engine", "spark", "--spark", "local[2]", "--force"]) == 1
    assert pq.read_table(tmp_path / "out.parquet").sort_by("id").equals(listed)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("s3a://games/2026-11/first%20week.parquet", "s3a://games/2026-11/first week.parquet"),
        ("file:/data/first%20week.parquet", "first week.parquet"),
        ("file:///data/other.parquet", "/data/other.parquet"),
    ],
)
def test_names_of_an_object_store_and_of_this_machine(url, name):
    """Spark tells names as URLs; they are told as they were given, and a store's are not looked for on this machine."""
    from arpad.bulk.engines.spark_tables import as_given

    assert as_given(url, {"/data/first week.parquet": "first week.parquet"}) == name
    bulk.check_paths(["s3a://lists/2026-12.parquet"], ["s3a://games/2026-11/*.parquet"], force=False)


@pytest.mark.parametrize(
    ("games", "says"),
    [
        ("missing.parquet", "Path does not exist"),
        ("cut.parquet", "cut.parquet"),
        ("names.csv", "There is no column result in the games"),
        ("games.duckdb", "Spark reads parquet, csv, jsonl"),
    ],
)
@pytest.mark.usefixtures("spark")
def test_what_cannot_be_read_is_one_sentence(tmp_path, capsys, games, says):
    """A file that is missing, cut short, of another kind or without a column is refused without Java's long story."""
    pq.write_table(pa.table({"white": [1], "black": [2], "result": [1.0]}), tmp_path / "whole.parquet")
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "whole.parquet").read_bytes()[:-20])
    (tmp_path / "names.csv").write_text("white,black\n1,2\n", encoding="utf-8")
    (tmp_path / "players.csv").write_text(LISTED, encoding="utf-8")
    given = [str(tmp_path / games), str(tmp_path / "players.csv"), "--period", "2026-12"]
    assert main(["bulk", *given, "--engine", "spark", "--spark", "local[2]"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert says in said.err
    assert len(said.err.splitlines()) <= 4, said.err


@pytest.mark.parametrize("system", ["fide-standard", "glicko-2"])
def test_a_replay_is_that_of_one_machine_and_resumes(spark, tmp_path, system):
    """Three lists in a row are the same on Spark; what is finished is kept, and a changed file is noticed.

    Rows without a day are rejected by the list that reads their file first, here the second.
    """
    tmp_path /= "two words"
    tmp_path.mkdir()
    drawn = draw("standard", date(2024, 1, 1), date(2024, 3, 31), games=3_000, players=600, seed=5)
    drawn = drawn if system == "fide-standard" else newcomers(drawn)
    early = pc.less_equal(drawn.games["date"], pa.scalar(date(2024, 2, 10)))
    day = drawn.games.schema.get_field_index("date")
    played = drawn.games.filter(pc.equal(drawn.games["result"], "1/2-1/2")).slice(0, 3)
    undated = played.set_column(day, "date", pa.nulls(3, drawn.games.schema.field("date").type))
    files = {
        "games-1": drawn.games.filter(early),
        "games-2": pa.concat_tables([drawn.games.filter(pc.invert(early)), undated]),
        "list": drawn.players,
    }
    for name, table in files.items():
        pq.write_table(table, tmp_path / f"{name}.parquet")
    given = {"games": str(tmp_path / "games-*.parquet"), "players": str(tmp_path / "list.parquet"), "system": system}
    local = list(bulk.replay(**given, first="2024-02", last="2024-04", out=str(tmp_path / "local")))
    there = {**given, "engine": "spark", "spark": spark, "out": str(tmp_path / "spark")}
    first = list(bulk.replay(**there, first="2024-02", last="2024-03"))
    assert [one.before for one in first] == [False, False]
    finished = list(bulk.replay(**there, first="2024-02", last="2024-04"))
    assert [one.before for one in finished] == [True, True, False]
    assert [one.summary for one in finished] == [one.summary for one in local]
    assert local[1].summary.reasons["bad_date"] == 3
    ours, theirs = (
        without_dictionaries(pq.read_table(tmp_path / engine / "list-2024-04.parquet")).sort_by("id")
        for engine in ("local", "spark")
    )
    assert theirs.select(ours.schema.names).cast(ours.schema).equals(ours)
    told = [
        sorted(zip(*(rejected[name].to_pylist() for name in ("row", "file", "reason")), strict=True))
        for rejected in (pq.read_table(tmp_path / engine / "rejected-2024-03.parquet") for engine in ("local", "spark"))
    ]
    assert told[0] == told[1]
    assert len(told[0]) >= 3
    os.utime(tmp_path / "games-2.parquet")
    assert [one.before for one in bulk.replay(**there, first="2024-02", last="2024-04")] == [True, False, False]


def with_wrong_rows(games):
    """The games, five of them twice, five with a result that is none, and five without a day."""
    again, wrong, undated = (games.filter(pc.equal(games["result"], "1/2-1/2")).slice(first, 5) for first in (0, 5, 10))
    wrong = wrong.set_column(games.schema.get_field_index("result"), "result", pa.array(["9"] * 5))
    undated = undated.set_column(games.schema.get_field_index("date"), "date", pa.nulls(5, pa.date32()))
    return pa.concat_tables([games, again, wrong, undated])


def with_ratings(games, players):
    """The games with the ratings of a list in them."""
    for side in ("white", "black"):
        rating = players["rating"].take(pc.index_in(games[side], value_set=players["id"].combine_chunks()))
        games = games.set_column(games.schema.get_field_index(f"{side}_rating"), f"{side}_rating", rating)
    return games


def evaluated(folder, system, *, listed):
    """Three drawn months as a file of games, and the list before them; FIDE's games have ratings where it has none."""
    drawn = draw("standard", date(2024, 1, 1), date(2024, 3, 31), games=6_000, players=600, seed=7)
    if not system.startswith(FIDE):
        drawn = newcomers(drawn)
    elif not listed:
        drawn = drawn._replace(games=with_ratings(drawn.games, drawn.players))
    pq.write_table(with_wrong_rows(drawn.games), folder / "games.parquet")
    pq.write_table(drawn.players, folder / "list.parquet")
    return {
        "games": str(folder / "games.parquet"),
        "players": str(folder / "list.parquet") if listed else None,
        "system": system,
    }


def leaves(value, path=""):
    """The figures of an answer, by where they are in it."""
    if not isinstance(value, dict | list):
        return {path: value}
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    return {where: leaf for name, one in inside for where, leaf in leaves(one, f"{path}/{name}").items()}


@pytest.mark.parametrize(
    ("system", "listed", "settings"),
    [
        ("fide-standard", True, {"first": "2024-02"}),
        ("fide-standard", False, {"first": "2024-02", "draws": arpad.draw_model()}),
        ("elo", True, {"k": 20, "white": 35, "draws": arpad.draw_model("labelle")}),
        ("glicko", True, {"c": 34.6, "floor": 60}),
        ("glicko-2", False, {"first": "2024-02"}),
    ],
)
def test_an_evaluation_is_that_of_one_machine(spark, tmp_path, system, listed, settings):
    """Every count is the same and every figure to 1e-9, with newcomers, rejected rows, a list or none."""
    asked = evaluated(tmp_path, system, listed=listed) | settings
    found = bulk.evaluate(**asked, engine="spark", spark=spark, out=str(tmp_path / "new"))
    ours, theirs = (leaves(one.value()) for one in (bulk.evaluate(**asked), found))
    figures = {where for where, value in ours.items() if isinstance(value, float)}
    assert {where: value for where, value in theirs.items() if where not in figures} == {
        where: value for where, value in ours.items() if where not in figures
    }
    assert {where: theirs[where] for where in figures} == pytest.approx(
        {where: ours[where] for where in figures}, rel=1e-9, abs=1e-12
    )
    assert found.games > 1_000
    assert {"duplicate", "bad_result", "bad_date"} <= set(found.rejected)
    assert found.not_predicted if system.startswith(FIDE) else found.newcomers
    with pytest.raises(Unsupported, match="not kept one by one"):
        found.to_arrow()


def test_an_evaluation_resumes(spark, tmp_path, capsys):
    """What is finished is kept; another model of chances counts again what it predicts, and not the months before."""
    asked = evaluated(tmp_path, "glicko-2", listed=False)
    line = ["bulk", "evaluate", asked["games"], "--system", "glicko-2", "--engine", "spark", "--spark", "local[2]"]
    line += ["--from", "2024-02", "--to", "2024-02", "--out", str(tmp_path / "new")]

    def notes():
        return {note.parent.name: note.stat().st_mtime_ns for note in tmp_path.glob("new/done-*/_SUCCESS")}

    assert main([*line, "--json"]) == 1  # rows were rejected
    first, once = json.loads(capsys.readouterr().out)["value"], notes()
    assert set(once) == {"done-2024-02.json", "done-2024-03.json"}
    assert main(line) == 1
    assert (
        f"The lists and the rejected rows are in {tmp_path / 'new'}" in capsys.readouterr().out.replace("\n", " "),
        notes(),
    ) == (
        True,
        once,
    )
    again = bulk.evaluate(
        **asked, first="2024-02", last="2024-02", draws=arpad.draw_model("none"), engine="spark", spark=spark,
        out=str(tmp_path / "new"),
    )  # fmt: skip
    assert {name for name, when in notes().items() if when == once[name]} == {"done-2024-02.json"}
    assert again.games == first["games"]
    assert again.log_loss == pytest.approx(first["log_loss"], rel=1e-9)  # `none` keeps the system's expected score


@pytest.mark.usefixtures("spark")
def test_what_spark_does_not_evaluate(tmp_path, capsys):
    """Game by game, periods that are not months, no folder, and a file of rejected rows are refused in a sentence."""
    games = str(tmp_path / "games.parquet")
    line = ["bulk", "evaluate", games, "--engine", "spark", "--spark", "local[2]"]
    out = ["--out", str(tmp_path / "new")]
    pq.write_table(
        pa.table({"month": [1], "date": [date(2024, 1, 1)], "white": [1], "black": [2], "result": [1]}), games
    )
    for more, says in (
        ([], "name a folder that all workers can write with --out"),
        ([*out, "--set", "by=game"], "Rated game by game"),
        ([*out, "--rejected", "rejected.csv"], "leave out --rejected"),
        (out, "have periods of their own"),
    ):
        assert main([*line, *more]) == 2
        assert says in " ".join(capsys.readouterr().err.split())
    assert main(["bulk", "evaluate", games, *out]) == 2
    assert "leave out --out, or use the engine spark" in " ".join(capsys.readouterr().err.split())
