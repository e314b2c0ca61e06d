"""A replay on Spark: each list is written when it is finished, and read again for the next period."""

from __future__ import annotations

import os
from functools import reduce
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.types import DateType, TimestampNTZType, TimestampType

from arpad.bulk._replay import GameFile, Rated
from arpad.bulk.engines.parcels import FILE
from arpad.bulk.engines.spark import rate, write
from arpad.bulk.engines.spark_session import refusing, session
from arpad.bulk.engines.spark_tables import LOCAL, laid_out, names_of
from arpad.errors import BadFile, BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.bulk._replay import Mark
    from arpad.bulk.engines.spark_tables import Frames
    from arpad.bulk.request import Request

DAYS = (DateType, TimestampType, TimestampNTZType)
NOBODY = "id bigint, rating double"


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
        """Take up the first list, and an empty pool."""
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
            raise BadInput(
                say("bulk.spark.replay_dates", kind=frame.schema["date"].dataType.simpleString()), at="games"
            )
        day = F.col("date").cast("date")
        rows = frame.groupBy(FILE).agg(F.min(day).alias("first"), F.max(day).alias("last")).collect()
        days = {files.numbers[row[FILE]]: (row["first"], row["last"]) for row in rows if row["first"] is not None}
        for number, name in enumerate(files.names):
            if number not in days:
                raise BadFile(say("bulk.error.file_without_dates"), at=name)
        return [GameFile(url, *days[number], marks[url]) for number, url in enumerate(files.urls)]

    def _marks(self, given: Frames, table: str) -> dict[str, Mark]:
        """What tells each file from another, and from itself after a change."""
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
            new = [one for one, number in numbers.items() if files and urls[number] not in self._reported]
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
        """Take up the tables of a period that is finished."""
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
