"""A rating period on Spark: one shuffle brings every player's games together; each shard is rated as a small period.

Games are joined with what the list says of both players, which Spark does by broadcasting the list where it fits and
by shuffling where it does not. Each game then goes to the shard of White and to that of Black, in parcels of Arrow's
bytes. Nothing is collected but the summaries of the shards.
"""

from __future__ import annotations

from contextlib import suppress
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import IntegralType

from arpad.bulk.engines.parcels import PARCEL, PLACE, packed, table_of
from arpad.bulk.engines.shard import LISTED, SIDES, SUMMARY, Shards, check_in_parts, summary_of
from arpad.bulk.engines.spark_session import FAILURES, refusing, session
from arpad.bulk.engines.spark_tables import SparkTable, key, laid_out
from arpad.bulk.results import SparkRating
from arpad.bulk.tables.paths import check_writable, format_of
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

    from arpad.bulk.engines.spark_tables import Frames
    from arpad.bulk.request import Request
    from arpad.bulk.results import PeriodSummary

__all__ = ["rate", "session", "write"]

GAMES_A_SHARD = 500_000
LEAST_SHARDS = 4


def rate(
    asked: Request,
    games: Frames | SparkTable,
    players: Frames,
    pool: Frames | None,
    spark: SparkSession | str | None = None,
) -> SparkRating:
    """The period, rated on Spark; the tables of the answer are data frames."""
    check_in_parts(asked, "engine")
    with refusing():
        if spark is None or isinstance(spark, str):
            spark = session(spark)
        tables = {"games": games, "players": players, "pool": pool}
        return _rate(
            asked,
            {
                name: laid_out(spark, given, name, asked.columns.get(name, {}))
                for name, given in tables.items()
                if given is not None
            },
        )


def _rate(asked: Request, given: dict[str, SparkTable]) -> SparkRating:
    games = given.pop("games")
    shards = max(LEAST_SHARDS, -(-games.frame.count() // GAMES_A_SHARD))
    files = {name: table.files.names for name, table in {"games": games, **given}.items()}
    plan = Shards(asked, shards, {name: table.schema for name, table in given.items()}, files)
    others = {name: _parcels(table, name, shards) for name, table in given.items()}
    kinds = from_arrow_schema(plan.known_columns)
    # It is joined twice; and kept it has a size, by which Spark decides how.
    known = others["players"].repartitionById(shards, "home").mapInArrow(plan.known, kinds).persist()
    try:
        known.count()
        met = games._replace(frame=_with_opponents(games.frame, known))
        plan = plan.with_games(met.schema)
        rows = reduce(DataFrame.unionAll, others.values(), _parcels(met, "games", shards))
        # The one shuffle of the games; kept, because several tables are read off it.
        answer = rows.repartitionById(shards, "home").mapInArrow(plan.rate, from_arrow_schema(PARCEL)).persist()
        summary = _summary(answer)
    finally:
        _free(known)
    columns = plan.answers()
    parts = {part: _part(answer, part, kinds) for part, kinds in columns.items()}
    return SparkRating(
        players=parts["players"],
        games=_detail(parts["white"], parts["black"]) if asked.detail else None,
        pool=parts["pool"],
        rejected=parts["rejected"],
        summary=summary,
        rules=plan.rules(summary),
        on=asked.on,
        kept=answer,
    )


def _summary(answer: DataFrame) -> PeriodSummary:
    """The summary of a period; where there is none, nothing is kept on the workers."""
    try:
        summaries = answer.where(F.col("part") == SUMMARY).select("rows").toArrow().column("rows")
        summary = summary_of(table_of(one) for one in summaries)
    except BaseException:
        _free(answer)
        raise
    if not summary.players:
        _free(answer)
        raise BadInput(say("bulk.error.no_players"), at="players")
    return summary


def _free(kept: DataFrame) -> None:
    """Let the workers forget a frame; where Spark has stopped they have."""
    with suppress(*FAILURES):
        kept.unpersist()


def _with_opponents(games: DataFrame, known: DataFrame) -> DataFrame:
    """Games with what the list says of both players."""
    columns, whole = games.columns, isinstance(known.schema["id"].dataType, IntegralType)
    for side in SIDES:
        by, names = f"{side}_key", {name: f"{side}_{LISTED}_{name}" for name in known.columns if name != "id"}
        about = known.select(
            key(known, "id", whole=whole).alias(by), *(F.col(name).alias(new) for name, new in names.items())
        )
        games = games.withColumn(by, key(games, side, whole=whole)).join(about, by, "left")
        columns = [*columns, *names.values()]
    return games.select(*columns)


def _parcels(table: SparkTable, part: str, shards: int) -> DataFrame:
    """The rows of a table in parcels for their shards."""
    files = table.files

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return packed(map(files.numbered, batches), part, shards)

    return table.frame.mapInArrow(pack, from_arrow_schema(PARCEL))


def _part(answer: DataFrame, part: str, kinds: pa.Schema) -> DataFrame:
    """One of the tables of the answer."""

    def unpack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for rows in batch.column("rows"):
                yield from table_of(rows).to_batches()

    return answer.where(F.col("part") == part).select("rows").mapInArrow(unpack, from_arrow_schema(kinds))


def _detail(white: DataFrame, black: DataFrame) -> DataFrame:
    """What every game gave: White's side from where White is at home, joined with Black's."""
    file, row = (F.col(name) for name in PLACE)
    black = black.withColumnsRenamed({name: f"black{name}" for name in PLACE})
    theirs = black.select(*(name for name in black.columns if name.startswith("black_")))
    same = file.eqNullSafe(F.col("black_file")) & (row == F.col("black_row"))
    both = white.join(theirs, same).drop("black_file", "black_row")
    number = F.when(row >= 0, row + 1)  # as in `row_number`
    return both.select(file.alias("file"), number.alias("row"), *(name for name in both.columns if name not in PLACE))


def write(tables: Mapping[str, DataFrame], *, force: bool = False) -> None:
    """Write data frames where Spark writes, as folders; a folder is complete when it has the file _SUCCESS."""
    for name in tables:
        check_writable(name)
        if format_of(name) not in WRITERS:
            raise BadInput(say("bulk.spark.writes", formats=list(WRITERS), format=format_of(name)), at=name)
        if name.lower().endswith(".xz"):
            raise BadInput(say("bulk.spark.writes", formats=".gz", format=".xz"), at=name)
    for name, frame in tables.items():
        with refusing(name):
            writer = frame.write.mode("overwrite" if force else "error").option("header", "true")
            if name.lower().endswith(".gz"):
                writer = writer.option("compression", "gzip")
            writer.save(name, WRITERS[format_of(name)])


WRITERS = {"parquet": "parquet", "csv": "csv", "jsonl": "json"}  # by Spark's names
