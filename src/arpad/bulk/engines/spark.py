"""A rating period on Spark: one shuffle brings every player's games together; each shard is rated as a small period.

Games are joined with what the list says of both players, which Spark does by broadcasting the list where it fits and
by shuffling where it does not. Each game then goes to the shard of White and to that of Black, in parcels of Arrow's
bytes. Nothing is collected but the summaries of the shards.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import IntegralType

from arpad.bulk.engines.parcels import HOMES, PARCEL, PLACE, packed, table_of
from arpad.bulk.engines.shard import LISTED, SIDES, SUMMARY, Shards, check_in_parts, summary_of
from arpad.bulk.engines.spark_session import FAILURES, refusing, session
from arpad.bulk.results import SparkRating
from arpad.bulk.tables.layout import recognise
from arpad.bulk.tables.paths import format_of
from arpad.bulk.tables.players import all_columns
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from arpad.bulk.request import Request
    from arpad.bulk.results import PeriodSummary

    Frames = DataFrame | str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

__all__ = ["rate", "session", "write"]

GAMES_A_SHARD = 500_000
LEAST_SHARDS = 4
AN_ORDER = 1 << 62  # taken from a row's number where that is only an order and no place in a file
PLAYER = {"players": "id", "pool": "player"}  # whose row it is


def rate(
    asked: Request, games: Frames, players: Frames, pool: Frames | None, spark: SparkSession | str | None = None
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


def _rate(asked: Request, given: dict[str, DataFrame]) -> SparkRating:
    shards = max(LEAST_SHARDS, -(-given["games"].count() // GAMES_A_SHARD))
    homes = {
        name: _with_home(given[name], shards, {"home": player}) for name, player in PLAYER.items() if name in given
    }
    plan = Shards(asked, {name: _arrow(frame) for name, frame in homes.items()})
    listed = _parcels(homes["players"], "players")
    kinds = from_arrow_schema(plan.known_columns)
    # It is joined twice; and kept it has a size, by which Spark decides how.
    known = listed.repartitionById(shards, "home").mapInArrow(plan.known, kinds).persist()
    try:
        known.count()
        met = _with_home(_with_opponents(given["games"], known), shards, dict(zip(HOMES["games"], SIDES, strict=True)))
        plan = plan.with_games(_arrow(met))
        rows = _parcels(met, "games")
        for name, frame in homes.items():
            rows = rows.unionAll(_parcels(frame, name))
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


def _frame(spark: SparkSession, given: Frames, table: str) -> DataFrame:
    """A data frame as it is, or the files behind names or globs; with the file and the place of each row."""
    an_order = F.monotonically_increasing_id() - F.lit(AN_ORDER)
    if isinstance(given, DataFrame):
        return _placed(given, F.lit(None).cast("string"), an_order)
    names = [os.fspath(name) for name in ([given] if isinstance(given, str | os.PathLike) else given)]
    kinds = {format_of(name) for name in names}
    if len(kinds) > 1 or not kinds <= set(READERS):
        raise BadInput(say("bulk.spark.reads", formats=list(READERS), names=names), at=table)
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


def laid_out(spark: SparkSession, given: Frames, table: str, columns: dict[str, str]) -> DataFrame:
    """A table with the columns of the layout by their names; players keep their other columns too."""
    if isinstance(given, DataFrame) and set(PLACE) <= set(given.columns):
        return given  # it was laid out before
    frame = _frame(spark, given, table)
    there = [name for name in frame.columns if name not in PLACE]
    found = all_columns(there, columns) if table == "players" else recognise(table, there, columns)
    return frame.select(*(F.col(f"`{name}`").alias(column) for column, name in found.items()), *PLACE)


def _with_home(frame: DataFrame, shards: int, players: dict[str, str]) -> DataFrame:
    """A frame with the shards its rows belong to, by the names of new columns and the players they go by."""
    homes = {
        home: F.pmod(F.xxhash64(_key(frame, player)), F.lit(shards)).cast("int") for home, player in players.items()
    }
    return frame.withColumns(homes)


def _with_opponents(games: DataFrame, known: DataFrame) -> DataFrame:
    """Games with what the list says of both players."""
    columns = games.columns
    for side in SIDES:
        names = {name: f"{side}_{LISTED}_{name}" for name in known.columns if name != "id"}
        about = known.select(
            _key(known, "id").alias(f"{side}_key"), *(F.col(name).alias(new) for name, new in names.items())
        )
        games = games.withColumn(f"{side}_key", _key(games, side)).join(about, f"{side}_key", "left")
        columns = [*columns, *names.values()]
    return games.select(*columns)


def _parcels(frame: DataFrame, part: str) -> DataFrame:
    """The rows of a table in parcels for their shards."""

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return packed(batches, part)

    return frame.mapInArrow(pack, from_arrow_schema(PARCEL))


def _key(frame: DataFrame, name: str) -> Column:
    """An id as a text, alike whether a file has whole numbers, others or texts."""
    text = F.col(name).cast("string")
    return text if _whole(frame, name) else F.regexp_replace(F.trim(text), r"^(\d+)\.0$", "$1")


def _whole(frame: DataFrame, name: str) -> bool:
    """Whether a column has whole numbers."""
    return isinstance(frame.schema[name].dataType, IntegralType)


def _arrow(frame: DataFrame) -> pa.Schema:
    """The columns of a frame as Python sees them; names of files come as a dictionary."""
    return to_arrow_schema(frame.schema)


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
        if format_of(name) not in WRITERS:
            raise BadInput(say("bulk.spark.writes", formats=list(WRITERS), format=format_of(name)), at=name)
    for name, frame in tables.items():
        with refusing(name):
            frame.write.mode("overwrite" if force else "error").options(header="true").save(
                name, WRITERS[format_of(name)]
            )


WRITERS = {"parquet": "parquet", "csv": "csv", "jsonl": "json"}  # by Spark's names
