"""A rating period on Spark: one shuffle brings every player's games together; each shard is rated as a small period.

Games are joined with what the list says of both players: by the workers, which all get it, or by Spark where it is too
large for that. Each game then goes to the shard of White and to that of Black, in parcels of Arrow's bytes. Beside a
list that fits, only the summaries of the shards and the sums of busy players are collected.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import IntegralType

from arpad.bulk.engines.parcels import PARCEL, PLACE, Homes, packed, table_of
from arpad.bulk.engines.shard import (
    LISTED,
    SIDES,
    SUMMARY,
    SUMS,
    ListedOpponents,
    Shards,
    check_in_parts,
    summary_of,
    tally_of,
)
from arpad.bulk.engines.spark_session import FAILURES, refusing, session
from arpad.bulk.engines.spark_tables import SparkTable, key, laid_out
from arpad.bulk.results import SparkRating
from arpad.bulk.tables.paths import check_writable, format_of
from arpad.bulk.tables.reader import no_rows
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arpad.bulk.engines.spark_tables import Frames
    from arpad.bulk.request import Request
    from arpad.bulk.results import PeriodSummary
    from arpad.bulk.tally import ForecastTally

__all__ = ["rate", "session", "write"]

GAMES_A_SHARD = 500_000  # a shard of them takes a worker up to 400 MB
LEAST_SHARDS = 4  # so that a small period, too, keeps more than one core busy
SAMPLED = 200_000  # games in which busy players are looked for: of a billion, a player with 500,000 has a hundred here
SENT = 100 << 20  # the most bytes of a list that every worker gets; a Connect server takes no message above 128 MB
SHORT_TEXT = 40  # bytes, which hold a UUID


def rate(
    asked: Request,
    games: Frames | SparkTable,
    players: Frames,
    pool: Frames | None,
    spark: SparkSession | str | None = None,
) -> SparkRating:
    """The period, rated on Spark; the tables of the answer are data frames."""
    check_in_parts(asked.system, "engine")
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
    count = games.frame.count()
    tables = {"games": games, **given}
    plan = Shards(
        asked,
        Homes(shards := max(LEAST_SHARDS, -(-count // GAMES_A_SHARD))),
        {name: table.schema for name, table in tables.items()},
        {name: table.files.names for name, table in tables.items()},
    )
    plan = replace(plan, homes=Homes(shards, _busy(plan, games, given["players"], count)))
    kinds = from_arrow_schema(plan.known_columns)
    others = {name: _parcels(table, name, plan.homes) for name, table in given.items()}
    others["players"] = listed = others["players"].persist()  # the opponents and the shards read it
    # Kept it has a size, by which it is decided how to join it.
    known = listed.repartitionById(plan.homes.count, "home").mapInArrow(plan.known, kinds).persist()
    try:
        met, columns = _with_opponents(games, known, plan.homes)
        plan = plan.with_games(columns)
        rows = reduce(DataFrame.unionAll, others.values(), met)
        # The one shuffle of the games; kept, because several tables are read off it.
        sorted_rows = rows.where(F.col("home") < shards).repartitionById(shards, "home")
        kept = sorted_rows.mapInArrow(plan.rate, from_arrow_schema(PARCEL)).persist()
        try:
            answer = _with_busy(plan, kept, reduce(DataFrame.unionAll, others.values()))
            summary, tally = _summary(answer)
            parts = {part: _part(answer, part, kinds) for part, kinds in plan.answers().items()}
        except BaseException:
            _free(kept)
            raise
    finally:
        _free(known)
        _free(listed)
    return SparkRating(
        players=parts["players"],
        games=_detail(parts["white"], parts["black"]) if asked.detail else None,
        pool=parts["pool"],
        rejected=parts["rejected"],
        summary=summary,
        rules=plan.rules(summary),
        on=asked.on,
        kept=kept,
        tally=tally,
    )


def _busy(plan: Shards, games: SparkTable, players: SparkTable, count: int) -> pa.Array | None:
    """The ids of players with more games than a shard should have, as far as sums suffice to rate them."""
    if plan.homes.shards <= LEAST_SHARDS or not plan.sums_suffice(games.frame.columns):
        return None
    share, whole = min(1.0, SAMPLED / count), plan.ids == pa.int64()
    some = games.frame.sample(fraction=share, seed=0)
    sides = [some.select(key(some, side, whole=whole).alias("id")) for side in SIDES]
    often = sides[0].unionAll(sides[1]).groupBy("id").count().where(F.col("count") > share * GAMES_A_SHARD)
    ids = [row["id"] for row in often.collect()]
    rows = players.frame.where(key(players.frame, "id", whole=whole).isin(ids)).toArrow() if ids else None
    busy = plan.rated_on(rows) if rows is not None else ()
    return busy if len(busy) else None


def _with_busy(plan: Shards, shards: DataFrame, others: DataFrame) -> DataFrame:
    """The answer with the parts of busy players, who are rated here from the sums of all shards."""
    if plan.homes.busy is None:
        return shards
    sums = [table_of(one) for one in shards.where(F.col("part") == SUMS).select("rows").toArrow().column("rows")]
    rows = others.where(F.col("home") == plan.homes.shards).toArrow().to_batches()
    parts = pa.Table.from_batches([plan.rate_busy(rows, sums)])
    return shards.unionAll(shards.sparkSession.createDataFrame(parts, from_arrow_schema(PARCEL)))


def _summary(answer: DataFrame) -> tuple[PeriodSummary, ForecastTally | None]:
    """The summary of a period, and the tally of its predictions."""
    summaries = answer.where(F.col("part") == SUMMARY).select("rows").toArrow().column("rows")
    shards = [table_of(one) for one in summaries]
    summary, tally = summary_of(shards), tally_of(shards)
    if not summary.players:
        raise BadInput(say("bulk.error.no_players"), at="players")
    return summary, tally


def _free(kept: DataFrame) -> None:
    """Free a frame on the workers; if Spark has stopped, they have done so already."""
    with suppress(*FAILURES):
        kept.unpersist()


def _with_opponents(games: SparkTable, known: DataFrame, homes: Homes) -> tuple[DataFrame, pa.Schema]:
    """The games in parcels, with what the list says of both players, and their columns.

    A list of up to a hundred megabytes is sent to every worker; a larger one is joined by Spark, which sorts both.
    """
    if known.count() * _row_size(to_arrow_schema(known.schema)) <= SENT:
        listed = known.toArrow()
        return _parcels(games, "games", homes, listed), ListedOpponents(listed).joined(no_rows(games.schema)).schema
    joined = games._replace(frame=_joined(games.frame, known))
    return _parcels(joined, "games", homes), joined.schema


def _row_size(columns: pa.Schema) -> int:
    """The bytes of a row; a text is taken for an id."""
    return sum(SHORT_TEXT if kind == pa.string() else kind.byte_width for kind in columns.types)


def _joined(games: DataFrame, known: DataFrame) -> DataFrame:
    """Games with what the list says of both players, joined by Spark."""
    columns, whole = games.columns, isinstance(known.schema["id"].dataType, IntegralType)
    facts = [name for name in known.columns if name != "id"]
    about = known.select(key(known, "id", whole=whole).alias("key"), *facts)
    for side in SIDES:
        games = games.withColumn("key", key(games, side, whole=whole)).join(about, "key", "left")
        games = games.withColumnsRenamed({name: f"{side}_{LISTED}_{name}" for name in facts}).drop("key")
    return games.select(*columns, *(f"{side}_{LISTED}_{name}" for side in SIDES for name in facts))


def _parcels(table: SparkTable, part: str, homes: Homes, listed: pa.Table | None = None) -> DataFrame:
    """The rows of a table in parcels for their shards; games with what a list says of both players, if there is one."""
    files = table.files

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = map(files.numbered, batches)
        return packed(rows if listed is None else map(ListedOpponents(listed).joined, rows), part, homes)

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
