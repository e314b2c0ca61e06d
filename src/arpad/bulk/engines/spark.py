"""Rating on Spark: a period, a replay and an evaluation.

One shuffle brings every player's games together; each shard is rated as a small period.

Games are joined with what the list says of both players: by the workers, which all get it, or by Spark where it is too
large for that. Each game then goes to the shard of White and to that of Black, in packets of Arrow's bytes. Beside a
list that fits, only the summaries of the shards and the sums of busy players are collected.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import DateType, IntegralType, TimestampNTZType, TimestampType

from arpad.bulk._replay import GameFile, Rated
from arpad.bulk.engines.shards import (
    FILE,
    LISTED,
    PACKET,
    PLACE,
    SIDES,
    SUMMARY,
    SUMS,
    Homes,
    ListedOpponents,
    Shards,
    check_in_parts,
    packed,
    summary_of,
    table_of,
    tally_of,
)
from arpad.bulk.engines.spark_tables import FAILURES, LOCAL, SparkTable, key, laid_out, names_of, refusing, session
from arpad.bulk.methods import Method
from arpad.bulk.results import Reasons, SparkRating
from arpad.bulk.tables.columns import days_of
from arpad.bulk.tables.files import Input, no_rows
from arpad.bulk.tables.history import Calendar, months, read_played
from arpad.bulk.tables.paths import check_writable, format_of
from arpad.bulk.tables.rejects import Rejects
from arpad.errors import BadFile, BadInput, Unsupported
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.bulk._replay import Mark
    from arpad.bulk.engines.spark_tables import Frames
    from arpad.bulk.request import Request
    from arpad.bulk.results import PeriodSummary
    from arpad.bulk.tally import ForecastTally
    from arpad.systems.base import System


__all__ = ["rate", "session", "write"]
GAMES_A_SHARD = 500_000  # a shard of them takes a worker up to 400 MB
LEAST_SHARDS = 4  # so that a small period, too, keeps more than one core busy
SAMPLED = 200_000  # games in which busy players are looked for: of a billion, a player with 500,000 has a hundred here
SENT = 100 << 20  # the most bytes of a list that every worker gets; a Connect server takes no message above 128 MB
SHORT_TEXT = 40  # bytes of a text, which is taken for an id: a UUID fits
WRITERS = {"parquet": "parquet", "csv": "csv", "jsonl": "json"}  # by Spark's names
DAYS = (DateType, TimestampType, TimestampNTZType)
NOBODY = "id bigint, rating double"
DECIDE = ("white", "black", "result", "date", "how")  # whether a game is taken by a system for columns
TAKEN = pa.schema([("first", pa.int64()), ("last", pa.int64()), ("reasons", pa.string())])


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
    others = {name: _packets(table, name, plan.homes) for name, table in given.items()}
    others["players"] = listed = others["players"].persist()  # the opponents and the shards read it
    # Cached, it has a size, by which it is decided how to join it.
    known = listed.repartitionById(plan.homes.count, "home").mapInArrow(plan.known, kinds).persist()
    try:
        met, columns = _with_opponents(games, known, plan.homes)
        plan = plan.with_games(columns)
        rows = reduce(DataFrame.unionAll, others.values(), met)
        # The one shuffle of the games; cached, because several tables are made from it.
        sorted_rows = rows.where(F.col("home") < shards).repartitionById(shards, "home")
        kept = sorted_rows.mapInArrow(plan.rate, from_arrow_schema(PACKET)).persist()
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


def _packets(table: SparkTable, part: str, homes: Homes, listed: pa.Table | None = None) -> DataFrame:
    """The rows of a table in packets for their shards; games with what a list says of both players, if there is one."""
    files = table.files

    def pack(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = map(files.numbered, batches)
        return packed(rows if listed is None else map(ListedOpponents(listed).joined, rows), part, homes)

    return table.frame.mapInArrow(pack, from_arrow_schema(PACKET))


def _with_opponents(games: SparkTable, known: DataFrame, homes: Homes) -> tuple[DataFrame, pa.Schema]:
    """The games in packets, with what the list says of both players, and their columns.

    A list of up to a hundred megabytes is sent to every worker; a larger one is joined by Spark, which sorts both.
    """
    kinds = to_arrow_schema(known.schema).types
    row_size = sum(SHORT_TEXT if kind == pa.string() else kind.byte_width for kind in kinds)
    if known.count() * row_size <= SENT:
        listed = known.toArrow()
        return _packets(games, "games", homes, listed), ListedOpponents(listed).joined(no_rows(games.schema)).schema
    joined = games._replace(frame=_joined(games.frame, known))
    return _packets(joined, "games", homes), joined.schema


def _joined(games: DataFrame, known: DataFrame) -> DataFrame:
    """Games with what the list says of both players, joined by Spark."""
    columns, whole = games.columns, isinstance(known.schema["id"].dataType, IntegralType)
    facts = [name for name in known.columns if name != "id"]
    about = known.select(key(known, "id", whole=whole).alias("key"), *facts)
    for side in SIDES:
        games = games.withColumn("key", key(games, side, whole=whole)).join(about, "key", "left")
        games = games.withColumnsRenamed({name: f"{side}_{LISTED}_{name}" for name in facts}).drop("key")
    return games.select(*columns, *(f"{side}_{LISTED}_{name}" for side in SIDES for name in facts))


def _with_busy(plan: Shards, shards: DataFrame, others: DataFrame) -> DataFrame:
    """The answer with the parts of busy players, who are rated here from the sums of all shards."""
    if plan.homes.busy is None:
        return shards
    sums = _collected(shards, SUMS)
    rows = others.where(F.col("home") == plan.homes.shards).toArrow().to_batches()
    parts = pa.Table.from_batches([plan.rate_busy(rows, sums)])
    return shards.unionAll(shards.sparkSession.createDataFrame(parts, from_arrow_schema(PACKET)))


def _summary(answer: DataFrame) -> tuple[PeriodSummary, ForecastTally | None]:
    """The summary of a period, and the tally of its predictions."""
    shards = _collected(answer, SUMMARY)
    summary, tally = summary_of(shards), tally_of(shards)
    if not summary.players:
        raise BadInput(say("bulk.error.no_players"), at="players")
    return summary, tally


def _collected(answer: DataFrame, part: str) -> list[pa.Table]:
    """A part of the answer from every shard, brought to this machine."""
    return [table_of(packet) for packet in answer.where(F.col("part") == part).select("rows").toArrow().column("rows")]


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


def _free(kept: DataFrame) -> None:
    """Free a frame on the workers; if Spark has stopped, they have done so already."""
    with suppress(*FAILURES):
        kept.unpersist()


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


class SparkReplay:
    """The files of a replay, and the names of the tables of the period that was rated last."""

    def __init__(
        self, games: Frames, players: Frames | None, columns: dict[str, str], spark: SparkSession | str | None
    ) -> None:
        with refusing():
            self._spark = session(spark) if spark is None or isinstance(spark, str) else spark
            self.games = self._played(games, columns)
            self.players = [] if players is None else list(self._marks(players, "players").values())
            self._first: Frames = self._spark.createDataFrame([], NOBODY) if players is None else players
        self.begin()

    def begin(self) -> None:
        """Start from the first list and an empty pool."""
        self._list: Frames = self._first
        self._pool: str | None = None
        self._reported: set[str] = set()  # files whose rows without a date were reported

    def _played(self, games: Frames, columns: dict[str, str]) -> Sequence[GameFile]:
        """The files of games and their days."""
        marks = self._marks(games, "games")
        frame, files = laid_out(self._spark, games, "games", columns)
        if "date" not in frame.columns:
            raise BadInput(say("bulk.error.replay_dates"), at="games")
        if not isinstance(frame.schema["date"].dataType, DAYS):
            kind = frame.schema["date"].dataType.simpleString()
            raise BadInput(say("bulk.spark.replay_dates", kind=kind), at="games")
        day = F.col("date").cast("date")
        rows = frame.groupBy(FILE).agg(F.min(day).alias("first"), F.max(day).alias("last")).collect()
        days = {files.numbers[row[FILE]]: (row["first"], row["last"]) for row in rows if row["first"] is not None}
        for number, name in enumerate(files.names):
            if number not in days:
                raise BadFile(say("bulk.error.file_without_dates"), at=name)
        return [GameFile(url, *days[number], marks[url]) for number, url in enumerate(files.urls)]

    def _marks(self, given: Frames, table: str) -> dict[str, Mark]:
        """What identifies each file and its version."""
        if isinstance(given, DataFrame):
            raise BadInput(say("bulk.error.replay_files", table=say(f"bulk.table.{table}")), at=table)
        parts = [self._spark.read.format("binaryFile").load(name) for name in names_of(given)]
        changed = F.unix_micros("_metadata.file_modification_time").alias("changed")
        known = [part.select("_metadata.file_path", "_metadata.file_size", changed) for part in parts]
        rows = reduce(DataFrame.unionAll, known).orderBy("file_path").collect()
        return {
            LOCAL.sub("file:/", row["file_path"]): (
                os.path.basename(row["file_path"]),
                row["file_size"],
                row["changed"],
            )
            for row in rows
        }

    def rate(self, asked: Request, files: Sequence[GameFile], names: dict[str, str]) -> Rated:
        """Rate a period from the list before it, and write its tables."""
        with refusing():
            read = files or self.games[:1]  # a month without games has a list too
            paths = [unquote(file.name) for file in read]  # Spark tells a name as a URL and takes a path
            games = laid_out(self._spark, paths, "games", asked.columns["games"])
            urls, numbers = games.files.urls, games.files.numbers
            new = [hashed for hashed, number in numbers.items() if files and urls[number] not in self._reported]
            day = F.col("date").cast("date")
            inside = day.between(F.lit(asked.since), F.lit(asked.on)) | (day.isNull() & F.col(FILE).isin(new))
            chosen = games._replace(frame=games.frame.where(inside))
            rated = rate(asked, chosen, self._list, self._pool, self._spark)
            made = {names["list"]: rated.players, names["pool"]: rated.pool, names["rejected"]: rated.rejected}
            try:
                write(made, force=True)
            finally:
                rated.release()
        self.resume(files, names)
        return Rated(rated.summary, rated.tally)

    def resume(self, files: Sequence[GameFile], names: dict[str, str]) -> None:
        """Continue from the tables of a finished period."""
        self._list, self._pool = names["list"], names["pool"]
        self._reported |= {file.name for file in files}

    def read_note(self, name: str) -> str | None:
        """A note; None if it is not there."""
        with refusing(name):
            try:
                return "".join(row["value"] for row in self._spark.read.text(name).collect())
            except AnalysisException:
                return None

    def write_note(self, name: str, text: str) -> None:
        """Write a note; a folder like the others."""
        with refusing(name):
            self._spark.createDataFrame([(text,)], "value string").write.mode("overwrite").text(name)


class SparkEvaluation(SparkReplay):
    """The files of an evaluation, and the names of the tables of the period that was rated last."""

    def __init__(
        self,
        games: Frames,
        players: Frames | None,
        columns: dict[str, str],
        system: System | Method,
        spark: SparkSession | str | None,
    ) -> None:
        super().__init__(games, players, columns, spark)
        with refusing():
            self._all = laid_out(self._spark, games, "games", columns).frame
        self._by_column = isinstance(system, Method)
        if self._by_column and "period" in self._all.columns:
            raise Unsupported(say("bulk.spark.periods"), at="games")
        if players is None and not self._by_column:
            self._first = _unrated(self._all)
            self.players = [file.mark for file in self.games]
            self.begin()

    def calendar(self) -> Calendar:
        """The months with games: for FIDE's lists of any with a day, for the other systems of those that are taken."""
        if not self._by_column:
            ends = [days_of(day) for file in self.games for day in (file.first, file.last)]
            first, last = months(np.array([min(ends), max(ends)])).tolist()
            return Calendar(first, last, dated=True)
        frame = self._all.withColumn("date", F.col("date").cast("date"))
        frame = frame.select(*(name for name in DECIDE if name in frame.columns))
        with refusing():
            found = frame.mapInArrow(taken_months, from_arrow_schema(TAKEN)).collect()
        some = [row for row in found if row["first"] is not None]
        if not some:
            reasons: Counter[str] = sum((Counter(json.loads(row["reasons"])) for row in found), Counter())
            raise BadInput(say("bulk.error.no_games", reasons=Reasons(reasons, before=": ")), at="games")
        return Calendar(min(row["first"] for row in some), max(row["last"] for row in some), dated=True)


def taken_months(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The first and the last month of the games that are taken, and why the others are not; a row a batch."""
    for batch in batches:
        rejects = Rejects()
        when = read_played([Input(None, pa.Table.from_batches([batch]))], {}, rejects).when
        ends = months(np.array([when.min(), when.max()])).tolist() if len(when) else [None, None]
        yield pa.RecordBatch.from_pylist(
            [dict(zip(TAKEN.names, (*ends, json.dumps(rejects.counts())), strict=True))], schema=TAKEN
        )


def _unrated(games: DataFrame) -> DataFrame:
    """Everybody in games with a day, without a rating."""
    whole = all(isinstance(games.schema[side].dataType, IntegralType) for side in SIDES)
    dated = games.where(F.col("date").isNotNull())
    white, black = (dated.select(key(dated, side, whole=whole).alias("id")) for side in SIDES)
    everybody = white.unionAll(black).where(F.col("id").isNotNull()).distinct()
    return everybody.withColumn("rating", F.lit(None).cast("smallint"))
