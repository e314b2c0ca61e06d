"""A rating period on Spark: one shuffle brings every player's games together; each shard is rated as a small period.

Games are joined with what is known of both players, which Spark does by broadcasting the list where it fits and by
shuffling where it does not. Each game then goes to the shard of White and to that of Black. Nothing is collected but
the counts of the summary.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import IntegralType

from arpad.bulk.answer import BulkRating, head_of
from arpad.bulk.layout import PLAYERS, recognise
from arpad.bulk.local import Task, rules_applied
from arpad.bulk.methods import Method
from arpad.bulk.places import format_of
from arpad.bulk.roster import NOBODY, all_columns
from arpad.bulk.shard import PLACE, SIDES, rate_shard, summary_of
from arpad.calculation.contract import System
from arpad.errors import ArpadError, BadFile, BadInput, Unsupported

FAILURES = (PySparkException, Py4JError)
GAMES_A_SHARD = 250_000
LEAST_SHARDS = 8
CONNECT = "sc://"
AN_ORDER = 1 << 62  # taken from a row's number where that is only an order and no place in a file
# No page of Spark's own beside the command, no more parts of a join than one machine can use, and no measuring of a
# batch for Python after each of its rows, which takes longer than all the rest.
ON_THIS_MACHINE = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "16",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
}


def session(url: str | None = None) -> SparkSession:
    """The session that is there, or one at a master's URL, or at a Spark Connect server's (`sc://`)."""
    url = url or os.environ.get("SPARK_REMOTE")
    if url is not None and url.startswith(CONNECT):
        return SparkSession.builder.remote(url).getOrCreate()
    builder = SparkSession.builder.appName("arpad")
    if SparkSession.getActiveSession() is not None:
        return builder.getOrCreate()
    if url is not None and not url.startswith("local"):
        return builder.master(url).getOrCreate()
    return _on_this_machine(url)


def _on_this_machine(url: str | None) -> SparkSession:
    """A session of our own: its workers are the interpreter that has Arpad, and it does not talk on the terminal."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf().setAppName("arpad").setAll(list(ON_THIS_MACHINE.items()))
    if url is not None:
        conf.setMaster(url)
    java = launch_gateway(conf, {"stderr": subprocess.DEVNULL})  # type: ignore[no-untyped-call]  # pyspark has no types there
    return SparkSession(SparkContext(gateway=java, conf=conf))


def rate_on_spark(
    asked: Task, games: Any, players: Any, pool: Any, spark: SparkSession | str | None = None
) -> BulkRating:
    """The period, rated on Spark; the tables of the answer are data frames."""
    if isinstance(asked.system, Method):
        raise Unsupported(f"Spark rates FIDE's lists; rate {asked.system.name} with the engine local.", at="engine")
    try:
        if spark is None or isinstance(spark, str):
            spark = session(spark)
        tables = {"games": games, "players": players, "pool": pool}
        frames = {name: _laid_out(spark, given, name, asked) for name, given in tables.items() if given is not None}
        return _rate(asked, asked.system, frames["games"], frames["players"], frames.get("pool"))
    except FAILURES as error:
        raise _refusal(error) from None


def _rate(asked: Task, system: System, games: DataFrame, players: DataFrame, pool: DataFrame | None) -> BulkRating:
    shards = max(LEAST_SHARDS, -(-games.count() // GAMES_A_SHARD))
    rows = _sharded(games, players, pool, shards)
    ids = pa.int64() if _whole(players, "id") else pa.string()

    def rate(shard: pa.Table) -> pa.Table:
        return rate_shard(shard, asked, system, ids)

    kinds = rate(_specimen(rows)).schema
    # The one shuffle by player; kept, because four tables are read off it.
    shuffled = rows.repartition(shards, "home")
    answer = shuffled.groupBy("home").applyInArrow(rate, from_arrow_schema(kinds)).persist()
    counts = answer.where("count IS NOT NULL").groupBy("count.name").agg(F.sum("count.number").alias("number"))
    summary = summary_of({row["name"]: row["number"] for row in counts.collect()})
    if not summary["players"]:
        raise BadInput(NOBODY, at="players")
    return BulkRating(
        _part(answer, "player"),
        _detail(answer) if asked.detail else None,
        _part(answer, "pool"),
        _part(answer, "rejected"),
        {**head_of(system.name, asked.since, asked.on), **summary},
        rules_applied(system.rulebook.at(asked.on), converted=bool(summary["converted"])),
        asked.on,
    )


def _frame(spark: SparkSession, given: Any, table: str) -> DataFrame:
    """A data frame as it is, or the files behind names or globs; with the file and the place of each row."""
    an_order = F.monotonically_increasing_id() - F.lit(AN_ORDER)
    if isinstance(given, DataFrame):
        return _placed(given, F.lit(None).cast("string"), an_order)
    names = [os.fspath(name) for name in ([given] if isinstance(given, str | os.PathLike) else given)]
    kinds = {format_of(name) for name in names}
    if len(kinds) > 1 or not kinds <= set(READERS):
        raise BadInput(f"Spark reads {', '.join(READERS)} of one kind at a time, not {', '.join(names)}.", at=table)
    kind = kinds.pop()
    # Parquet alone knows the place of a row in its file.
    row = F.col("_metadata.row_index") if kind == "parquet" else an_order
    return _placed(READERS[kind](spark.read, names), F.col("_metadata.file_path"), row)


def _placed(frame: DataFrame, file: Column, row: Column) -> DataFrame:
    """A frame with the place of each row."""
    return frame.withColumns(dict(zip(PLACE, (file, row), strict=True)))


READERS = {
    "parquet": lambda read, names: read.parquet(*names),
    "csv": lambda read, names: read.option("header", "true").csv(names),
    "jsonl": lambda read, names: read.json(names),
}


def _laid_out(spark: SparkSession, given: Any, table: str, asked: Task) -> DataFrame:
    """A table with the columns of the layout by their names; players keep their other columns too."""
    frame, columns = _frame(spark, given, table), asked.columns.get(table, {})
    there = [name for name in frame.columns if name not in PLACE]
    found = all_columns(there, columns) if table == "players" else recognise(table, there, columns)
    return frame.select(*(F.col(f"`{name}`").alias(column) for column, name in found.items()), *PLACE)


def _sharded(games: DataFrame, players: DataFrame, pool: DataFrame | None, shards: int) -> DataFrame:
    """Games, players and pool as rows of one frame, each with the shard it is at home in."""

    def home(frame: DataFrame, name: str) -> Column:
        return F.pmod(F.xxhash64(_key(frame, name)), F.lit(shards))

    # All rows with one id, the first one first: which of them counts is for the shard to say.
    rows = F.sort_array(F.collect_list(F.struct(*PLACE, *(name for name in players.columns if name in PLAYERS))))
    listed = players.groupBy(_key(players, "id").alias("key")).agg(rows.alias("rows"))
    met = games
    for side in SIDES:
        known_as = listed.select(F.col("key").alias(f"{side}_key"), F.col("rows").alias(f"{side}_rows"))
        met = met.withColumn(f"{side}_key", _key(games, side)).join(known_as, f"{side}_key", "left")
    homes = met.withColumn("home", F.explode(F.array_distinct(F.array(*(home(games, side) for side in SIDES)))))
    here = {f"{side}_here": F.col("home") == home(games, side) for side in SIDES}
    game = F.struct(*games.columns, *(f"{side}_rows" for side in SIDES), *here)
    whole = homes.withColumns(here).select("home", game.alias("games"))
    for name, table, player in (("players", players, "id"), ("pool", pool, "player")):
        if table is not None:
            part = table.select(home(table, player).alias("home"), F.struct(*table.columns).alias(name))
            whole = whole.unionByName(part, allowMissingColumns=True)
    return whole


def _key(frame: DataFrame, name: str) -> Column:
    """An id as a text, alike whether a file has whole numbers, others or texts."""
    text = F.col(name).cast("string")
    return text if _whole(frame, name) else F.regexp_replace(F.trim(text), r"^(\d+)\.0$", "$1")


def _whole(frame: DataFrame, name: str) -> bool:
    """Whether a column has whole numbers."""
    return isinstance(frame.schema[name].dataType, IntegralType)


def _specimen(rows: DataFrame) -> pa.Table:
    """Rows of the same kinds, and none of them."""
    return to_arrow_schema(rows.schema).empty_table()


def _part(answer: DataFrame, part: str) -> DataFrame:
    """One of the tables of the answer."""
    return answer.where(F.col(part).isNotNull()).select(f"{part}.*")


def _detail(answer: DataFrame) -> DataFrame:
    """What every game gave: White's side from where White is at home, joined with Black's."""
    file, row = (F.col(name) for name in PLACE)
    black = _part(answer, "black").withColumnsRenamed({name: f"black{name}" for name in PLACE})
    theirs = black.select(*(name for name in black.columns if name.startswith("black_")))
    same = file.eqNullSafe(F.col("black_file")) & (row == F.col("black_row"))
    both = _part(answer, "white").join(theirs, same).drop("black_file", "black_row")
    number = F.when(row >= 0, row + 1)  # as in `row_number`
    return both.select(file.alias("file"), number.alias("row"), *(name for name in both.columns if name not in PLACE))


def write(tables: Mapping[str, DataFrame], *, force: bool = False) -> None:
    """Write data frames where Spark writes, as folders; a folder is whole when it has the file _SUCCESS."""
    for name in tables:
        if format_of(name) not in WRITERS:
            raise BadInput(f"Spark writes {', '.join(WRITERS)}, not {format_of(name)}.", at=name)
    for name, frame in tables.items():
        try:
            frame.write.mode("overwrite" if force else "error").options(header="true").save(
                name, WRITERS[format_of(name)]
            )
        except FAILURES as error:
            raise _refusal(error, name) from None


WRITERS = {"parquet": "parquet", "csv": "csv", "jsonl": "json"}  # by Spark's names
NO_JAVA, IS_THERE = "JAVA_GATEWAY_EXITED", "PATH_ALREADY_EXISTS"  # Spark's conditions


# Where the reason stands, the best first: what Arpad or Python said on a worker, what a Connect server answered, what
# Java threw, and the first line.
REASONS = (
    r"^(?:arpad\.errors\.\w+|ModuleNotFoundError): (.*)$",
    r'^\s*details = "(.*)"$',
    r"^An error occurred while calling .*\n: (.*)$",
    r"^(.*)$",
)
AROUND = re.compile(r"^(?:[\w.$]+Exception: )?(?:\[[\w.]+\] )?(.*?)\.?(?: SQLSTATE: \w+)?$")


def _refusal(error: Exception, at: str = "engine spark") -> ArpadError:
    """What Spark says, in one sentence, without names of exceptions and codes around it."""
    condition = error.getCondition() if isinstance(error, PySparkException) else None
    if condition == NO_JAVA:
        return Unsupported("Spark did not start; it needs Java 17 or newer, on the path or in JAVA_HOME.", at=at)
    if condition == IS_THERE:
        return BadFile("This already exists and is not written over; give another name.", at=at)
    found = next(one for reason in REASONS if (one := re.search(reason, str(error).strip(), re.MULTILINE)))
    says = AROUND.sub(r"\1", found[1])
    return BadFile(f"Spark gave up: {says}.", at=at)
