"""An evaluation on Spark: a replay whose periods are predicted before they are rated."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import IntegralType

from arpad.bulk.engines.shard import SIDES
from arpad.bulk.engines.spark_replay import SparkReplay
from arpad.bulk.engines.spark_session import refusing
from arpad.bulk.engines.spark_tables import key, laid_out
from arpad.bulk.methods import Method
from arpad.bulk.reasons import Reasons
from arpad.bulk.tables.columns import days_of
from arpad.bulk.tables.history import read_played
from arpad.bulk.tables.periods import Calendar, months
from arpad.bulk.tables.reader import Input
from arpad.bulk.tables.rejects import Rejects
from arpad.errors import BadInput, Unsupported
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame, SparkSession

    from arpad.bulk.engines.spark_tables import Frames
    from arpad.systems.system import System

DECIDE = ("white", "black", "result", "date", "how")  # whether a game is taken by a system for columns
TAKEN = pa.schema([("first", pa.int64()), ("last", pa.int64()), ("reasons", pa.string())])


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
