"""How long the chances of a whole event take: processor time, beside a plain NumPy loop that only draws the results.

    python bench/chances_bench.py

The event is invented: 120 players, nine rounds, six held, three tie-breaks, norms and ratings.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core

import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np

import arpad

sys.path.append(str(Path(__file__).parents[1] / "tests" / "helpers"))
from random_events import random_open

PLAYERS, ROUNDS, HELD = 120, 9, 6
RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
ON = date(2026, 11, 15)


def main() -> None:
    """Print both times and their ratio."""
    event = random_open(PLAYERS, rounds=ROUNDS)
    ours = _seconds(lambda: arpad.chances(event, after=HELD, by=("BH/C1", "BH", "SB"), runs=RUNS, on=ON))
    plain = _seconds(_draws)
    print(f"{PLAYERS} players, {ROUNDS - HELD} rounds left, {RUNS} runs: {ours:.1f} s of one core")
    print(f"{ours / plain:.0f} times the draws alone ({plain:.2f} s)")


def _draws() -> None:
    """One normal strength for everybody and one uniform number a game, sorted by run as a table of standings is."""
    random = np.random.default_rng(1)
    points = random.standard_normal((RUNS, PLAYERS))
    for _ in range(ROUNDS - HELD):
        points += random.random((RUNS, PLAYERS)) < 1 / (1 + np.exp(-points))
    np.argsort(points, axis=1)


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


if __name__ == "__main__":
    main()
