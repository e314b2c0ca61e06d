"""A period larger than memory: `arpad bulk --memory` on generated games, with its peak memory.

    bench/memory_bench.py 200000000 4GB

Games are generated in blocks, forty per player. The command is one process; the system counts the files it maps into
memory as well.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from bulk_games import simple

GAMES, MEMORY = 200_000_000, "4GB"
GAMES_A_PLAYER = 40
BLOCK = 1_000_000
KILO = 1 << 10


def write_games(name: Path, ids: np.ndarray, games: int) -> None:
    """Games between listed players, block by block."""
    writer = None
    for first in range(0, games, BLOCK):
        rows = min(BLOCK, games - first)
        _, played = simple(rows, 1_000, seed=first + 1)  # its results and days
        chance = np.random.default_rng(first)
        white = chance.integers(0, len(ids), rows)
        black = (white + chance.integers(1, len(ids), rows)) % len(ids)
        event = pa.array((np.arange(first, first + rows) // 90).astype(np.int32))
        block = pa.table({"white": ids[white], "black": ids[black], "event": event,
                          "result": played["result"], "date": played["date"]})  # fmt: skip
        writer = writer or pq.ParquetWriter(name, block.schema)
        writer.write_table(block)
    if writer is not None:
        writer.close()


def main(games: int, memory: str) -> None:
    """Generate, rate and report."""
    with tempfile.TemporaryDirectory() as folder:
        played, listed, out = (Path(folder) / f"{name}.parquet" for name in ("games", "players", "list"))
        players, _ = simple(1, games // GAMES_A_PLAYER)
        pq.write_table(players, listed)
        write_games(played, players["id"].to_numpy(), games)
        line = [sys.executable, "-m", "arpad", "bulk", str(played), str(listed), "--period", "2026-12"]
        began = time.perf_counter()
        subprocess.run([*line, "--memory", memory, "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
        clock, used = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"{games:,} games within {memory}: {used.ru_maxrss / KILO**2:.2f} GB at the most, {clock:,.0f} s, "
          f"{1e6 * seconds / games:.2f} µs of the processors a game")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES, sys.argv[2] if len(sys.argv) > 2 else MEMORY)
