"""Periods on two cores: plain Spark, our engine `spark`, and our engine `local`, in one run.

Plain Spark only adds up gains: two joins with the list, one with the table of expected scores, one aggregation by
player. It rejects nothing, and has no events, time controls, K, floors or first ratings. The engines do all of that.
The processor time of all processes is shown as well, because other work on the machine affects it less.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from datetime import date
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from bulk_games import simple

import arpad
from arpad import bulk
from arpad.bulk.fide.lookups import REACH, compile_edition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SIZES = (1_000_000, 10_000_000, 20_000_000)  # games
PERIOD, ON = "2026-12", date(2026, 11, 30)
SYSTEMS = ("fide-standard", "glicko-2")
TURNS = 2
PLAIN, LOCAL, SPARK = "Spark's own terms, plain sums alone", "the engine local", "the engine spark"
TICKS = os.sysconf("SC_CLK_TCK")


class Took(NamedTuple):
    """Elapsed seconds and processor seconds."""

    clock: float
    processors: float


def plain_sums(spark: Any, games: str, players: str, table: str) -> None:
    """The gains and games of every player, in plain Spark."""
    from pyspark.sql import functions as F  # noqa: N812  # the usual name

    listed = spark.read.parquet(players).select("id", "rating")
    met = spark.read.parquet(games).select("white", "black", "result")
    for side in ("white", "black"):
        known_as = listed.select(F.col("id").alias(side), F.col("rating").cast("int").alias(f"{side}_rating"))
        met = met.join(F.broadcast(known_as), side)
    gap = F.col("white_rating") - F.col("black_rating")
    met = met.withColumn("gap", gap).join(F.broadcast(spark.read.parquet(table)), "gap")
    gain = (100 * F.col("result")).cast("int") - F.col("expected")
    sides = F.array(*(F.struct(F.col(side).alias("id"), side_gain.alias("gain")) for side, side_gain in
                      (("white", gain), ("black", -gain))))  # fmt: skip
    each = met.select(F.explode(sides).alias("side")).select("side.*")
    sums = each.groupBy("id").agg(F.sum("gain").alias("gain"), F.count("*").alias("games"))
    sums.write.format("noop").mode("overwrite").save()


def on_spark(spark: Any, games: str, players: str, system: str = SYSTEMS[0]) -> None:
    """The whole period on Spark, with every rule; the list is not kept."""
    rated = bulk.rate(games, players, period=PERIOD, system=system, engine="spark", spark=spark)
    rated.players.write.format("noop").mode("overwrite").save()
    rated.release()


class Processors:
    """The processor seconds of this process and all its descendants.

    Spark's workers come and go, and the system forgets those that have ended, so a thread keeps checking.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[int, int], int] = {}  # by process and start time
        threading.Thread(target=self._watch, daemon=True).start()

    def seconds(self) -> float:
        """The seconds so far."""
        known = {}
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    parts = (folder / "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue  # it has just ended
                known[int(folder.name)] = int(parts[1]), int(parts[19]), sum(map(int, parts[11:13]))
        ours = {os.getpid()}
        while more := {process for process, (parent, _, _) in known.items() if parent in ours} - ours:
            ours |= more
        self._seen |= {(process, known[process][1]): known[process][2] for process in ours if process in known}
        return sum(self._seen.values()) / TICKS

    def _watch(self) -> None:
        while True:
            self.seconds()
            time.sleep(0.5)


PROCESSORS = Processors()


def took(run: Callable[[], Any]) -> Took:
    """The time a run takes."""
    clock, before = time.perf_counter(), PROCESSORS.seconds()
    run()
    return Took(time.perf_counter() - clock, PROCESSORS.seconds() - before)


def files(folder: str, games: int) -> tuple[str, str, str]:
    """The games, the players and the table of expected scores as files."""
    names = tuple(str(Path(folder) / f"{name}-{games}.parquet") for name in ("games", "players", "table"))
    listed, played = simple(games, games // 5)
    rules = arpad.rules("fide-standard").at(ON)
    expected = compile_edition(rules, "standard", ()).expected[0].astype(np.int32)
    table = pa.table({"gap": np.arange(-REACH, REACH + 1, dtype=np.int32), "expected": expected})
    for name, content in zip(names, (played, listed, table), strict=True):
        pq.write_table(content, name)
    return names


def in_turns(runs: Mapping[str, Callable[[], Any]]) -> dict[str, Took]:
    """The cheapest of each by the processors, taken in turns so that a busy moment affects them all."""
    turns = [{name: took(run) for name, run in runs.items()} for _ in range(TURNS)]
    return {name: min((turn[name] for turn in turns), key=lambda one: one.processors) for name in runs}


def show(what: str, games: int, took: Took) -> None:
    """Print a line."""
    clock, cores = (1e6 * seconds / games for seconds in took)
    print(f"  {what:<36} {took.clock:8.1f} s {clock:7.2f} µs a game {cores:7.2f} µs of the processors", flush=True)


def show_growth(what: str, sizes: tuple[int, ...], seconds: list[float]) -> None:
    """Print what a game costs in the largest period over the smallest, and what each further game costs between two.

    The first falls while the seconds that every period takes spread over more games; the second does not have them.
    """
    growth = seconds[-1] * sizes[0] / (seconds[0] * sizes[-1])
    steps = zip(pairwise(sizes), pairwise(seconds), strict=True)
    further = [1e6 * (more - less) / (big - small) for (small, big), (less, more) in steps]
    fixed = seconds[0] - further[0] * sizes[0] / 1e6 if further else seconds[0]
    said = ", ".join(f"{cost:.2f} µs up to {size:,}" for cost, size in zip(further, sizes[1:], strict=True))
    print(f"  {what:<36} growth {growth:.2f} (1.2); a further game {said}; about {fixed:.1f} s for any period")


def main(sizes: tuple[int, ...]) -> None:
    """Print a line for each engine, and the ratios."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        print("skipped: Java is missing; `make java` installs it where it may")
        return
    try:
        from arpad.bulk.engines.spark import session
    except ModuleNotFoundError:
        print("skipped: pyspark is missing; pip install 'arpad[spark]' brings it")
        return
    spark = session("local[2]")
    each: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        games, players, table = files(folder, sizes[0] // 10)
        plain_sums(spark, games, players, table)  # the first run starts Java and the workers
        on_spark(spark, games, players)
        for size in sizes:
            games, players, table = files(folder, size)
            print(f"A period of {size:,} games, {os.path.getsize(games) / size:.1f} bytes each as Parquet")
            runs: dict[str, Callable[[], Any]] = {PLAIN: partial(plain_sums, spark, games, players, table)}
            for system in SYSTEMS:
                runs[f"{system}, {LOCAL}"] = partial(bulk.rate, games, players, period=PERIOD, system=system)
                runs[f"{system}, {SPARK}"] = partial(on_spark, spark, games, players, system)
            best = in_turns(runs)
            for way, cost in best.items():
                show(way, size, cost)
                each.setdefault(way, []).append(cost.processors)
            for system in SYSTEMS:
                ours, here = (best[f"{system}, {way}"].processors for way in (SPARK, LOCAL))
                over = f"over the plain sums {ours / best[PLAIN].processors:.2f} (2), over local {ours / here:.1f} (10)"
                print(f"    {system}: {over}, by the processors")
            for name in (games, players, table):
                Path(name).unlink()
    for way, costs in each.items():
        show_growth(way, sizes, costs)
    spark.stop()


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
