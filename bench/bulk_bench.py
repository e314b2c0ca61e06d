"""Bulk ratings of 1 and 10 million games, as ratios measured side by side in one run."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from bulk_games import simple

import arpad
from arpad import bulk
from arpad.bulk.fide import kernel
from arpad.bulk.fide.lookups import REACH, editions
from arpad.bulk.tables.files import write
from arpad.bulk.tables.games import GameColumns

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (1_000_000, 10_000_000)
PERIOD, ON = "2026-12", date(2026, 11, 30)
LOOP = 200_000  # games for the plain loop, which is timed on a sample
TIMES = 5
RULES = arpad.rules("fide-standard")


class Period:
    """Games and players in files and in memory."""

    def __init__(self, folder: Path, games: int) -> None:
        self.size = games
        self.games, self.players, self.out = (str(folder / f"{name}-{games}.parquet") for name in ("g", "p", "o"))
        listed, played = simple(games, games // 5)
        write({self.games: played, self.players: listed})
        place = np.zeros(int(np.max(listed["id"].to_numpy())) + 1, dtype=np.int32)
        place[listed["id"].to_numpy()] = np.arange(listed.num_rows, dtype=np.int32)
        half_points = (2 * played["result"].to_numpy()).astype(np.int8)
        self.columns = GameColumns(place[played["white"].to_numpy()], place[played["black"].to_numpy()], half_points)
        self.rating = listed["rating"].to_numpy().astype(np.int32)
        no_paces = np.zeros(0, dtype=np.int64)
        self.basis = kernel.Basis(self.rating, editions(RULES, "standard", ON, ON, no_paces).editions)
        self.gains = np.ones(games, dtype=np.int64)
        self.connection = duckdb.connect()
        self.connection.register("expected", pa.table({"gap": np.arange(-REACH, REACH + 1), "e": self.hundredths()}))
        dense = {"white": self.columns.white, "black": self.columns.black, "half": half_points}
        self.connection.register("dense", pa.table(dense))
        self.connection.register("listed", pa.table({"id": np.arange(len(self.rating)), "rating": self.rating}))
        for name in ("dense", "listed", "expected"):
            self.connection.execute(f"CREATE TABLE {name}_ AS FROM {name}")

    def hundredths(self) -> Any:
        """The table of expected scores with the 400-point rule."""
        return self.basis.editions[0].expected[0].astype(np.int32)

    def gather_and_scatter(self) -> None:
        """Both ratings of every game, and one number added for both players: what any kernel must do."""
        _ = self.rating[self.columns.white], self.rating[self.columns.black]
        sums = np.zeros(len(self.rating), dtype=np.int64)
        np.add.at(sums, self.columns.white, self.gains)
        np.add.at(sums, self.columns.black, self.gains)

    def arrays(self) -> None:
        """Our kernel in NumPy."""
        kernel.add_up(self.basis, self.columns)

    def sql(self) -> None:
        """The same sums in DuckDB, on the same dense columns in its own tables."""
        self.connection.execute(SQL).fetchall()

    def plain_loop(self) -> None:
        """The same sums in plain Python, on a sample."""
        white, black, points = (column[:LOOP].tolist() for column in self.columns[:3])
        rating, table = self.rating.tolist(), self.hundredths().tolist()
        gain, games = [0] * len(rating), [0] * len(rating)
        for me, you, half in zip(white, black, points, strict=True):
            won = 50 * half - table[rating[me] - rating[you] + REACH]
            gain[me] += won
            gain[you] -= won
            games[me] += 1
            games[you] += 1

    def file_to_file(self) -> pa.Table:
        """Everything: read, look up IDs, apply the rules, write the list."""
        players = bulk.rate(self.games, self.players, period=PERIOD).players
        write({self.out: players}, force=True)
        return players

    def read_and_write(self, players: pa.Table) -> None:
        """Read the same columns and write the same list, with nothing in between."""
        pq.read_table(self.games)
        pq.read_table(self.players)
        pq.write_table(players, self.out)


SQL = """
WITH paired AS (
  SELECT white, black, 50 * half - e AS gain
  FROM dense_ JOIN listed_ w ON w.id = white JOIN listed_ b ON b.id = black
  JOIN expected_ ON gap = w.rating - b.rating),
sides AS (SELECT white AS id, gain FROM paired UNION ALL SELECT black, -gain FROM paired),
added AS (SELECT id, sum(gain) AS gain, count(*) AS games FROM sides GROUP BY id)
SELECT sum(gain), sum(games) FROM added
"""


def side_by_side(*runs: Callable[[], Any], times: int = TIMES) -> list[float]:
    """The shortest time of each, taken in turns so that a busy moment affects them all."""
    best = [float("inf")] * len(runs)
    for _ in range(times):
        for place, run in enumerate(runs):
            start = time.perf_counter()
            run()
            best[place] = min(best[place], time.perf_counter() - start)
    return best


def memory(games: str, players: str) -> int:
    """The peak memory, in bytes, of a process that rates a period."""
    line = [sys.executable, __file__, games, players]
    return int(subprocess.run(line, check=True, capture_output=True, text=True).stdout)


def peak() -> int:
    """The peak memory of this process in bytes; `ru_maxrss` would include the parent's before the child started."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


def measured(period: Period, idle: int) -> dict[str, float]:
    """The ratios of one size."""
    players = period.file_to_file()
    base, arrays = side_by_side(period.gather_and_scatter, period.arrays)
    sql, plain = side_by_side(period.sql, period.plain_loop, times=2)
    plain *= period.size / LOOP
    through, bare = side_by_side(period.file_to_file, lambda: period.read_and_write(players), times=3)
    used = memory(period.games, period.players) - idle
    return {
        "kernel over gather + scatter (at most 2)": arrays / base,
        "file to file over reading + writing (at most 3)": through / bare,
        "DuckDB SQL over kernel (at least 5)": sql / arrays,
        "plain loop over kernel (at least 20)": plain / arrays,
        "bytes a game (under 60)": used / period.size,
        "gather + scatter, ns a game": 1e9 * base / period.size,
        "kernel, ns a game": 1e9 * arrays / period.size,
        "file to file, ns a game": 1e9 * through / period.size,
    }


def growth(columns: list[dict[str, float]], name: str) -> float:
    """How much longer a game takes in the largest period than in the smallest."""
    return columns[-1][f"{name}, ns a game"] / columns[0][f"{name}, ns a game"]


def main() -> None:
    """Print a line for each ratio, a column for each size."""
    with tempfile.TemporaryDirectory() as folder:
        small = Period(Path(folder), 1000)
        idle = memory(small.games, small.players)
        columns = [measured(Period(Path(folder), size), idle) for size in SIZES]
    print(f"{'':<50}" + "".join(f"{size // 1_000_000:>8} million" for size in SIZES))
    for name in columns[0]:
        print(f"{name:<50}" + "".join(f"{column[name]:>16.2f}" for column in columns))
    # Ten times as many players no longer fit into the processor's cache; gather + scatter shows what that costs.
    bare = growth(columns, "gather + scatter")
    print(f"{'gather + scatter, growth a game':<50}{bare:>16.2f}")
    for name in ("kernel", "file to file"):
        print(f"{f'{name}, growth a game (at most {max(1.5, bare):.1f})':<50}{growth(columns, name):>16.2f}")
    # A small period has fixed costs for blocks and threads; the slope is the cost of one more game.
    first, last = (size * column["bytes a game (under 60)"] for size, column in zip(SIZES, columns, strict=True))
    print(f"{'bytes a further game (under 60)':<50}{(last - first) / (SIZES[-1] - SIZES[0]):>16.2f}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        bulk.rate(*sys.argv[1:], period=PERIOD)
        print(peak())
    else:
        main()
