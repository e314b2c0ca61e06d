"""A rating period on Spark: one shuffle brings every player's games together; each shard is rated as a small period.

Games are joined with what is known of both players, which Spark does by broadcasting the list where it fits and by
shuffling where it does not. Each game then goes to the shard of White and to that of Black. Nothing is collected but
the counts of the summary.
"""

import os
import sys
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import IntegralType

from arpad.bulk.answer import BulkRating
from arpad.bulk.layout import PLAYERS, recognise
from arpad.bulk.local import Asked, head_of, rules_applied
from arpad.bulk.methods import Method
from arpad.bulk.roster import all_columns
from arpad.bulk.shard import SIDES, rate_shard, summary_of
from arpad.bulk.source import format_of
from arpad.contract import System
from arpad.errors import ArpadError, BadFile, BadInput, NotYet

GAMES_A_SHARD = 250_000
LEAST_SHARDS = 8
CONNECT = "sc://"
PLACE = ("file", "row")


def session(url: str | None = None) -> SparkSession:
    """The session that is there, or one at a master's URL, or at a Spark Connect server's (`sc://`)."""
    if url is not None and url.startswith(CONNECT):
        return SparkSession.builder.remote(url).getOrCreate()
    # Workers on this machine must be the interpreter that has Arpad; a cluster's are its own affair.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("arpad")
    return (builder if url is None else builder.master(url)).getOrCreate()


def rate_on_spark(
    asked: Asked, games: Any, players: Any, pool: Any, spark: SparkSession | str | None = None
) -> BulkRating:
    """The period, rated on Spark; the tables of the answer are data frames."""
    if isinstance(asked.system, Method):
        raise NotYet(f"Spark rates FIDE's lists; rate {asked.system.name} with the engine local.", at="engine")
    try:
        if spark is None or isinstance(spark, str):
            spark = session(spark)
        tables = {"games": games, "players": players, "pool": pool}
        frames = {name: _laid_out(spark, given, name, asked) for name, given in tables.items() if given is not None}
        return _rate(asked, asked.system, frames["games"], frames["players"], frames.get("pool"))
    except PySparkException as error:
        raise _refusal(error) from None


def _rate(asked: Asked, system: System, games: DataFrame, players: DataFrame, pool: DataFrame | None) -> BulkRating:
    shards = max(LEAST_SHARDS, -(-games.count() // GAMES_A_SHARD))
    rows = _sharded(games, players, pool, shards)
    ids = pa.int64() if isinstance(players.schema["id"].dataType, IntegralType) else pa.string()

    def rate(shard: pa.Table) -> pa.Table:
        return rate_shard(shard, asked, system, ids)

    kinds = rate(_specimen(rows)).schema
    # The one shuffle by player; kept, because four tables are read off it.
    shuffled = rows.repartition(shards, "home")
    answer = shuffled.groupBy("home").applyInArrow(rate, from_arrow_schema(kinds)).persist()
    counts = answer.where("count IS NOT NULL").groupBy("count.name").agg(F.sum("count.number").alias("number"))
    summary = summary_of({row["name"]: row["number"] for row in counts.collect()})
    return BulkRating(
        _part(answer, "player"),
        _detail(answer) if asked.detail else None,
        _part(answer, "pool"),
        _part(answer, "rejected"),
        {**head_of(asked), **summary},
        rules_applied(system.rulebook.at(asked.on), converted=bool(summary["converted"])),
        asked.on,
    )


def _frame(spark: SparkSession, given: Any, table: str) -> DataFrame:
    """A data frame as it is, or the files behind names or globs; with the file and the place of each row."""
    if isinstance(given, DataFrame):
        return given.withColumns({"file": F.lit(None).cast("string"), "row": F.monotonically_increasing_id()})
    names = [os.fspath(name) for name in ([given] if isinstance(given, str | os.PathLike) else given)]
    kinds = {format_of(name) for name in names}
    if len(kinds) > 1 or not kinds <= set(READERS):
        raise BadInput(f"Spark reads {', '.join(READERS)} of one kind at a time, not {', '.join(names)}.", at=table)
    frame: DataFrame = READERS[kinds.pop()](spark.read, names)
    # Parquet alone knows the place of a row in its file.
    known = format_of(names[0]) == "parquet"
    row = F.col("_metadata.row_index") if known else F.monotonically_increasing_id()
    return frame.withColumns({"file": F.col("_metadata.file_path"), "row": row})


READERS = {
    "parquet": lambda read, names: read.parquet(*names),
    "csv": lambda read, names: read.option("header", "true").csv(names),
    "jsonl": lambda read, names: read.json(names),
}


def _laid_out(spark: SparkSession, given: Any, table: str, asked: Asked) -> DataFrame:
    """A table with the columns of the layout by their names; players keep their other columns too."""
    frame, columns = _frame(spark, given, table), asked.columns.get(table, {})
    there = [name for name in frame.columns if name not in PLACE]
    found = all_columns(there, columns) if table == "players" else recognise(table, there, columns)
    return frame.select(*(F.col(f"`{name}`").alias(column) for column, name in found.items()), *PLACE)


def _sharded(games: DataFrame, players: DataFrame, pool: DataFrame | None, shards: int) -> DataFrame:
    """Games, players and pool as rows of one frame, each with the shard it is at home in."""

    def home(name: str) -> Column:
        return F.pmod(F.xxhash64(_key(name)), F.lit(shards))

    known = [name for name in players.columns if name in PLAYERS]
    # Of two rows with one id the first is the player's; the other is rejected where the player is at home.
    first = players.groupBy(_key("id").alias("key")).agg(F.min_by(F.struct(*known), F.struct(*PLACE)).alias("player"))
    met = games
    for side in SIDES:
        known_as = first.select(F.col("key").alias(f"{side}_key"), F.col("player").alias(f"{side}_player"))
        met = met.withColumn(f"{side}_key", _key(side)).join(known_as, f"{side}_key", "left")
    homes = met.withColumn("home", F.explode(F.array_distinct(F.array(home("white"), home("black")))))
    here = {f"{side}_here": F.col("home") == home(side) for side in SIDES}
    game = F.struct(*games.columns, *(f"{side}_player" for side in SIDES), *here)
    parts = {"game": homes.withColumns(here).select("home", game.alias("game"))}
    listed = [name for name in players.columns if name not in PLACE]
    parts["player"] = players.select(home("id").alias("home"), F.struct(*listed).alias("player"))
    if pool is not None:
        pooled = [name for name in pool.columns if name not in PLACE]
        parts["pooled"] = pool.select(home("player").alias("home"), F.struct(*pooled).alias("pooled"))
    whole = parts.pop("game")
    for part in parts.values():
        whole = whole.unionByName(part, allowMissingColumns=True)
    return whole


def _key(name: str) -> Column:
    """An id as a text, alike whether the file has numbers or texts."""
    return F.regexp_replace(F.trim(F.col(name).cast("string")), r"\.0$", "")


def _specimen(rows: DataFrame) -> pa.Table:
    """Rows of the same kinds, and none of them."""
    return to_arrow_schema(rows.schema).empty_table()


def _part(answer: DataFrame, part: str) -> DataFrame:
    """One of the tables of the answer."""
    return answer.where(F.col(part).isNotNull()).select(f"{part}.*")


def _detail(answer: DataFrame) -> DataFrame:
    """What every game gave: White's side from where White is at home, joined with Black's."""
    black = _part(answer, "black")
    own = [name for name in black.columns if name.startswith("black_")]
    return _part(answer, "white").join(black.select(*PLACE, *own), list(PLACE))


def write(tables: dict[str, DataFrame]) -> None:
    """Write data frames where Spark writes, as folders; a folder is whole when it has the file _SUCCESS."""
    for name, frame in tables.items():
        kind = format_of(name)
        if kind not in WRITERS:
            raise BadInput(f"Spark writes {', '.join(WRITERS)}, not {kind}.", at=name)
        try:
            frame.write.mode("errorifexists").options(header="true").save(name, WRITERS[kind])
        except PySparkException as error:
            raise _refusal(error, name) from None


WRITERS = {"parquet": "parquet", "csv": "csv", "jsonl": "json"}  # by Spark's names


def _refusal(error: PySparkException, at: str = "engine spark") -> ArpadError:
    """What Spark says, in one sentence: the reason is the last of the exceptions it wraps."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    ours = next((line for line in lines if line.startswith("arpad.errors.")), None)
    says = ours.partition(": ")[2] if ours else lines[0]
    return BadFile(f"Spark gave up: {says.rstrip('.')}.", at=at)
