"""A period of a million games on two cores: Spark in its own terms, the engine spark, and the engine local, in one run.

The first is the plain sum of gains: two joins with the list, one with the table of expected scores, one aggregation by
player. It rejects nothing, knows no event, no time control, no K, no floor and no first rating. The others do it all.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from bulk_games import simple

import arpad
from arpad import bulk
from arpad.bulk.fide.editions import REACH, compile_edition

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = 1_000_000
PERIOD, ON = "2026-12", date(2026, 11, 30)
TIMES = 2


def plain_sums(spark: Any, games: str, players: str, table: str) -> None:
    """Gains and games of every player, in Spark's own terms."""
    from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it

    listed = spark.read.parquet(players).select("id", "rating")
    met = spark.read.parquet(games).select("white", "black", "result")
    for side in ("white", "black"):
        known_as = listed.select(F.col("id").alias(side), F.col("rating").cast("int").alias(f"{side}_rating"))
        met = met.join(F.broadcast(known_as), side)
    gap = F.col("white_rating") - F.col("black_rating")
    met = met.withColumn("gap", gap).join(F.broadcast(spark.read.parquet(table)), "gap")
    gain = (100 * F.col("result")).cast("int") - F.col("expected")
    sides = F.array(*(F.struct(F.col(side).alias("id"), one.alias("gain")) for side, one in
                      (("white", gain), ("black", -gain))))  # fmt: skip
    each = met.select(F.explode(sides).alias("side")).select("side.*")
    sums = each.groupBy("id").agg(F.sum("gain").alias("gain"), F.count("*").alias("games"))
    sums.write.format("noop").mode("overwrite").save()


def on_spark(spark: Any, games: str, players: str) -> None:
    """The whole period on Spark, with every rule; the list is written to nowhere."""
    rated = bulk.rate(games, players, period=PERIOD, engine="spark", spark=spark)
    rated.players.write.format("noop").mode("overwrite").save()
    spark.catalog.clearCache()


def seconds(run: Callable[[], Any]) -> list[float]:
    """The first time, when Java and the workers are cold, and the second."""
    times = []
    for _ in range(TIMES):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return times


def main() -> None:
    """Print a line for each way."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        print("skipped: Java is missing; `make java` installs it where it may")
        return
    try:
        from arpad.bulk.engines.spark import session
    except ModuleNotFoundError:
        print("skipped: pyspark is missing; pip install 'arpad[spark]' brings it")
        return
    start = time.perf_counter()
    spark = session("local[2]")
    print(f"  {'a session on local[2]':<42} {time.perf_counter() - start:8.1f} s")
    with tempfile.TemporaryDirectory() as folder:
        games, players, table = (str(Path(folder) / f"{name}.parquet") for name in ("games", "players", "table"))
        listed, played = simple(GAMES, GAMES // 5)
        pq.write_table(listed, players)
        pq.write_table(played, games)
        rules = arpad.rules("fide-standard").at(ON)
        expected = compile_edition(rules, "standard", np.zeros(0, np.int64)).expected[0].astype(np.int32)
        pq.write_table(pa.table({"gap": np.arange(-REACH, REACH + 1, dtype=np.int32), "expected": expected}), table)
        for name, run in (
            ("Spark's own terms, the plain sums alone", lambda: plain_sums(spark, games, players, table)),
            ("the engine spark, every rule", lambda: on_spark(spark, games, players)),
            ("the engine local, every rule", lambda: bulk.rate(games, players, period=PERIOD)),
        ):
            cold, warm = seconds(run)
            each = f"{1e6 * warm / GAMES:6.1f} µs a game"
            print(f"  {name:<42} {warm:8.1f} s {each}   the first time {cold:.1f} s")
    spark.stop()


if __name__ == "__main__":
    print(f"A period of {GAMES:,} games on Spark")
    main()
