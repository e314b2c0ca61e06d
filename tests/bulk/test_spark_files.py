"""Untidy files on Spark: rated as on one machine, or refused in a sentence."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arpad import bulk
from arpad.bulk.engines import engine_named
from arpad.bulk.tables.ids import plain_ids
from arpad.errors import BadFile, BadInput

PLAYED = date(2026, 11, 3)


def written(folder, name, table):
    """The name of a file with a table, or with a text."""
    path = folder / name
    if isinstance(table, str):
        path.write_text(table, encoding="utf-8")
    else:
        pq.write_table(table, path)
    return str(path)


@pytest.fixture
def listed(tmp_path):
    """A list of eight players as a file."""
    return written(tmp_path, "list.parquet", pa.table({"id": range(1, 9), "rating": range(1500, 1900, 50)}))


def ratings(table):
    """The rating of each player by id."""
    return {str(row["id"]): row["rating"] for row in table.to_pylist()}


def check_alike(spark, games, players, **asked):
    """Spark and one machine give the same list, summary and reasons; the answer of one machine."""
    here = bulk.rate(games, players, period="2026-12", **asked)
    there = bulk.rate(games, players, period="2026-12", **asked, engine="spark", spark=spark)
    assert there.summary == here.summary
    assert ratings(there.to_arrow()) == pytest.approx(ratings(here.players), rel=1e-9)
    reasons = [sorted(table["reason"].to_pylist()) for table in (here.rejected, there.rejected.toArrow())]
    assert reasons[0] == reasons[1]
    there.release()
    return here


def test_parquet_files_with_different_columns(spark, tmp_path, listed):
    """What only a later file says counts: here a blitz game and a forfeit are not rated."""
    plain = pa.table({"white": [1], "black": [2], "result": [1.0], "date": [PLAYED]})
    more = {"time": ["3+2", "90+30"], "how": ["played", "forfeit"]}
    other = pa.table({"white": [3, 5], "black": [4, 6], "result": [1.0, 1.0], "date": [PLAYED] * 2, **more})
    games = [written(tmp_path, "a.parquet", plain), written(tmp_path, "b.parquet", other)]
    assert check_alike(spark, games, listed).summary.rated == 1


LINES = "white,black,result,date\n1,2,1,2026-11-03\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("black,white,result,date\n3,4,1,2026-11-04\n", "CSV header does not conform"),
        (f"{LINES}3,4\n", "Malformed CSV record: 3,4"),
        (f"{LINES}5,6,1,2026-11-04,more\n", "Malformed CSV record: 5,6,1,2026-11-04,more"),
    ],
)
def test_csv_that_would_be_misread_is_refused(spark, tmp_path, listed, text, says):
    """Columns in another order than in the first file, and lines with more or fewer fields, are named with the file."""
    games = [written(tmp_path, "a.csv", LINES), written(tmp_path, "b.csv", text)]
    with pytest.raises(BadFile, match=says) as refused:
        bulk.rate(games, listed, period="2026-12", engine="spark", spark=spark)
    assert refused.value.at.endswith("b.csv")


def test_csv_is_read_as_on_one_machine(spark, tmp_path):
    """Doubled quotes are one, `NA` is no player, and the mark of a text that looks like a formula is not part of it."""
    players = 'id,name,rating\n1,"Foo ""Bar"", Jr",1500\nNA,Nobody,1600\n\'-x,Dash,1700\n'
    games = "white,black,result,date\n1,-x,1,2026-11-03\nNA,1,1,2026-11-03\n"
    here = check_alike(spark, written(tmp_path, "g.csv", games), written(tmp_path, "p.csv", players), system="elo")
    assert here.summary.rated == 1
    assert here.summary.reasons == {"no_white": 1, "no_id": 1}
    fide = check_alike(spark, written(tmp_path, "g.csv", games), written(tmp_path, "p.csv", players))
    assert fide.players["name"].to_pylist() == ['Foo "Bar", Jr', "Dash"]


def test_files_that_spark_does_not_unpack(spark, listed):
    """Spark would read the packed bytes as text."""
    with pytest.raises(BadInput, match=r"does not read \.xz files"):
        bulk.rate("games.csv.xz", listed, period="2026-12", engine="spark", spark=spark)


def test_columns_of_different_types_are_named(spark, tmp_path, listed):
    """Spark does not bring numbers and texts together."""
    games = [
        written(tmp_path, f"{kind}.parquet", pa.table({"white": pa.array([1], kind), "black": [2], "result": [1.0]}))
        for kind in (pa.int64(), pa.int32())
    ]
    with pytest.raises(BadFile, match=r"some have white: INT, .* others white: BIGINT"):
        bulk.rate(games, listed, period="2026-12", engine="spark", spark=spark)


AWAITED = """An error occurred while calling o1.count.
: org.apache.spark.SparkException: Exception thrown in awaitResult: .
\tat org.x(Y.java)
Caused by: java.io.IOException: No space left on device
\t... 3 more"""
OF_A_WORKER = """An exception was thrown from the Python worker:
Traceback (most recent call last):
  File x
pyarrow.lib.ArrowInvalid: Float value 1.5 was truncated"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (AWAITED, "No space left on device"),
        (OF_A_WORKER, "pyarrow.lib.ArrowInvalid: Float value 1.5 was truncated"),
    ],
)
def test_the_reason_is_found_in_what_spark_says(text, says):
    """Not the outermost sentence, which says only that something happened."""
    from py4j.protocol import Py4JError

    from arpad.bulk.engines.spark_tables import refusing

    with pytest.raises(BadFile) as refused, refusing():
        raise Py4JError(text)
    assert str(refused.value.message) == f"Spark stopped: {says}."


ODD = [
    " p1",
    "00000015",
    "15.0",
    "15.",
    "7.50",
    "-07",
    "1e3",
    "",
    " ",
    "0",
    "000",
    "0x1F",
    "12345678901234567890.0",
    None,
]


@pytest.mark.parametrize(
    "ids",
    [
        pa.array(ODD),
        pa.array([12345678.0, 7.5, -3.0, 1e300, float("nan"), float("inf"), None]),
        pa.array([1, None], pa.int32()),
        pa.array([Decimal("7.00"), None]),
    ],
    ids=lambda ids: str(ids.type),
)
def test_an_id_is_plain_by_the_same_rule(spark, ids):
    """Arrow's and Spark's wording of the rule give the same."""
    from arpad.bulk.engines.spark_tables import plain_id

    frame = spark.createDataFrame(pa.table({"id": ids}))
    found = frame.select(plain_id(frame, "id").alias("id")).toArrow()["id"]
    assert found.combine_chunks().equals(plain_ids(ids))


@pytest.mark.parametrize("system", ["fide-standard", "elo", "glicko-2"])
@pytest.mark.parametrize("sent", [True, False], ids=["sent", "joined"])
def test_an_id_is_one_player_however_it_is_written(spark, tmp_path, monkeypatch, system, sent):
    """Doubles of eight digits, texts with zeros and blanks, whichever way the list is joined with the games."""
    if not sent:
        monkeypatch.setattr(engine_named("spark"), "SENT", -1)
    number = range(10_000_001, 10_000_009)
    doubles, zeros = pa.array(map(float, number)), pa.array([f"00{one}" for one in number])
    blanks = pa.array([f" {one}.0" for one in number])
    for way, ids, players in (("doubles", doubles, doubles), ("texts", blanks, zeros)):
        table = pa.table({"id": players, "rating": range(1500, 1900, 50)})
        sides = {"white": ids, "black": ids.take(pa.array([1, 2, 3, 4, 5, 6, 7, 0]))}
        played = pa.table({**sides, "result": [1, 0] * 4, "date": [PLAYED] * 8})
        names = written(tmp_path, f"g-{way}.parquet", played), written(tmp_path, f"p-{way}.parquet", table)
        assert check_alike(spark, *names, system=system).summary.rated == 8


@pytest.fixture
def berlin(spark):
    """The session, in a time zone in which a day begins before UTC's."""
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    yield spark
    spark.conf.set("spark.sql.session.timeZone", before)


def test_instants_are_days_of_utc(berlin, tmp_path, listed):
    """An hour before midnight in UTC it is tomorrow in Berlin; a list may have instants in other columns."""
    played = [datetime(2026, month, day, 23, 30, tzinfo=UTC) for month, day in ((10, 31), (11, 30), (11, 3))]
    games = pa.table({"white": [1, 3, 5], "black": [2, 4, 6], "result": [1.0] * 3, "date": played})
    name = written(tmp_path, "games.parquet", games)
    seen = pq.read_table(listed).append_column("seen", pa.array([played[0]] * 8))
    whole = check_alike(berlin, name, written(tmp_path, "seen.parquet", seen))
    assert (whole.summary.rated, whole.summary.reasons) == (2, {"outside_period": 1})
    asked = {"first": "2026-11", "last": "2026-12", "system": "elo"}
    here = bulk.replay(name, **asked, out=str(tmp_path / "here"))
    there = bulk.replay(name, **asked, out=str(tmp_path / "there"), engine="spark", spark=berlin)
    assert [one.summary for one in there] == [one.summary for one in here]


def test_files_count_in_the_order_given(spark, tmp_path):
    """Of a player on two lists the first row is taken, whatever the names of the files and folders."""
    games = written(tmp_path, "g.csv", LINES)
    lists = [
        written(tmp_path, f"{name}.csv", f"id,rating\n1,{rating}\n{other},1600\n")
        for name, rating, other in (("b", 1500, 2), ("a", 1900, 3))
    ]
    whole = check_alike(spark, games, lists)
    assert ratings(whole.players)["1"] < 1600
    folders = [str(tmp_path / name) for name in ("b.parquet", "a.parquet")]
    for folder, name in zip(folders, lists, strict=True):
        spark.read.csv(name, header=True).write.parquet(folder)
    there = bulk.rate(games, folders, period="2026-12", engine="spark", spark=spark)
    assert ratings(there.to_arrow()) == ratings(whole.players)
    there.release()


@pytest.mark.usefixtures("spark")
def test_another_master_than_that_of_the_session_is_refused(listed):
    """The session that is there would rate the period, wherever the caller wanted it."""
    with pytest.raises(BadInput, match=r"a Spark session at local\[2\] already, so local\[1\] cannot be used"):
        bulk.rate("games.csv", listed, period="2026-12", engine="spark", spark="local[1]")
