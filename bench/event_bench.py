"""Reading and rating whole events: players per second, how the time per player grows, and norms beside ratings."""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import arpad

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from made import opened  # noqa: E402  # the events that the tests make too

REAL = ROOT.parent / "shared" / "data" / "tournaments"
ROUNDS = 11
SIZES = (100, 1000, 2000, 10_000)
MOST = 1.5  # times the time per player of the smallest event
TIMES, ENOUGH = 3, 0.5  # runs at least, and seconds of them


def usual(what: Callable[[], object]) -> float:
    """The middle one of a few runs, in seconds of the processor: what else the machine does is not counted.

    Not the shortest: of a short task there are many runs, and a quiet moment would meet the small events alone.
    """
    runs: list[float] = []
    while len(runs) < TIMES or sum(runs) < ENOUGH:
        start = time.process_time()
        what()
        runs.append(time.process_time() - start)
    return median(runs)


def main() -> int:
    """Print a line for each size; exit with 1 if the time per player grows too much."""
    gc.disable()  # as the command does for itself
    arpad.rate_event(opened(50, rounds=ROUNDS))  # the rule files are read once
    print(f"{'players':>8}{'rating':>12}{'report':>12}{'players/s':>12}{'ratio':>8}")
    first = worst = 0.0
    for size in SIZES:
        made = opened(size, rounds=ROUNDS)
        rated = arpad.rate_event(made)
        rating, report = usual(lambda made=made: arpad.rate_event(made)), usual(rated.value)
        each = (rating + report) / size
        first = first or each
        worst = max(worst, each / first)
        print(f"{size:>8}{rating:>11.3f}s{report:>11.3f}s{1 / each:>12.0f}{each / first:>8.2f}")
    made = opened(SIZES[0], rounds=ROUNDS)
    norms = usual(lambda: arpad.find_norms(made)) / usual(lambda: arpad.rate_event(made))
    print(f"\nThe norms of {SIZES[0]} players take {norms:.1f} times as long as their ratings.")
    files = sorted(REAL.glob("*.trf"), key=lambda file: file.stat().st_size) if REAL.exists() else []
    if files:
        largest = files[-1]
        event = arpad.read(largest)
        reading = usual(lambda: arpad.read(largest))
        rating = usual(lambda: arpad.rate_event(event).value())
        players = len(event.entrants)
        print(f"\n{largest.name}, {players} players: read in {reading:.3f} s, rated in {rating:.3f} s,", end=" ")
        print(f"{players / (reading + rating):.0f} players/s")
    print(f"\nThe time per player grows {worst:.2f} times from {SIZES[0]} to {SIZES[-1]}; allowed are {MOST}.")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
