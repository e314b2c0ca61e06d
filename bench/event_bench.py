"""Reading and rating whole events: players per second, growth of the time per player, norms and standings."""

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

from random_events import random_open  # noqa: E402  # the same events as in the tests

REAL = ROOT.parent / "shared" / "data" / "tournaments"
ROUNDS = 11
SIZES = (100, 1000, 2000, 10_000)
MOST = 1.5  # times the time per player in the smallest event
STANDINGS = 1000  # players; their standings are timed against their ratings
MOST_STANDINGS = 2.0  # times the time of rating them
EIGHT = ["WIN", "PS", "BH/C1", "BH", "AOB", "FB", "SB/C1", "SB"]
ALL = [*EIGHT, "WON", "BPG", "BWG", "REP", "STD", "TPN", "KS", "ARO", "TPR", "APRO", "RTNG"]
TIMES, ENOUGH = 3, 0.5  # at least so many runs, and so many seconds in all


def usual(what: Callable[[], object]) -> float:
    """The median of a few runs in processor seconds, so that other work on the machine does not count.

    Not the shortest: a short task has many runs, and a quiet moment would favour only the small events.
    """
    runs: list[float] = []
    while len(runs) < TIMES or sum(runs) < ENOUGH:
        start = time.process_time()
        what()
        runs.append(time.process_time() - start)
    return median(runs)


def main() -> int:
    """Print a line for each size; exit with 1 if the time per player grows too much."""
    gc.disable()  # as the command does
    arpad.rate_event(random_open(50, rounds=ROUNDS))  # the rule files are read once
    print(f"{'players':>8}{'rating':>12}{'report':>12}{'players/s':>12}{'ratio':>8}")
    first = worst = 0.0
    for size in SIZES:
        made = random_open(size, rounds=ROUNDS)
        rated = arpad.rate_event(made)
        rating, report = usual(lambda made=made: arpad.rate_event(made)), usual(rated.value)
        each = (rating + report) / size
        first = first or each
        worst = max(worst, each / first)
        print(f"{size:>8}{rating:>11.3f}s{report:>11.3f}s{1 / each:>12.0f}{each / first:>8.2f}")
    made = random_open(SIZES[0], rounds=ROUNDS)
    norms = usual(lambda: arpad.find_norms(made)) / usual(lambda: arpad.rate_event(made))
    print(f"\nThe norms of {SIZES[0]} players take {norms:.1f} times as long as their ratings.")
    ordered, grown = _standings()
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
    return int(worst > MOST or grown > MOST or ordered > MOST_STANDINGS)


def _standings() -> tuple[float, float]:
    """The time for standings compared with ratings, and the growth of the time per player; all criteria but DE."""
    made = random_open(STANDINGS, rounds=ROUNDS)
    ordered = usual(lambda: arpad.standings(made, EIGHT)) / usual(lambda: arpad.rate_event(made))
    print(
        f"The standings of {STANDINGS} players by {len(EIGHT)} criteria take {ordered:.2f} times as long as their",
        end=" ",
    )
    print(f"ratings; allowed are {MOST_STANDINGS:.0f}.")
    each = []
    for size in (SIZES[0], SIZES[-1]):
        event = random_open(size, rounds=ROUNDS)
        each.append(usual(lambda event=event: arpad.standings(event, ALL, unrated=1400)) / size)
    grown = each[1] / each[0]
    print(f"By {len(ALL)} criteria their time per player grows {grown:.2f} times; allowed are {MOST}.")
    return ordered, grown


if __name__ == "__main__":
    sys.exit(main())
