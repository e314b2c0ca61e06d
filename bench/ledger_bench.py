"""Ten years of a small federation in a ledger: 5,000 players and 270,000 games, replayed by each kind of system.

The log is made up and read in memory: what is measured is what the ledger does with it, not the disk. The times are
processor seconds, so that other programs on the machine do not count.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, TypeVar

from arpad.ledger.book import book_after, book_of
from arpad.ledger.rating import replay

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from federation import decision, log_of  # the same federation as in the tests

PLAYERS, EVENTS, GAMES = 5_000, 3_600, 75
SYSTEMS = ("elo", "glicko", "glicko-2", "fide-standard", "ecf", "dwz", "icu", "uschess-regular", "lichess")
QUICK = ("elo", "glicko", "glicko-2")
MOST, MOST_QUICK = 30.0, 5.0  # seconds: with the working for the last list, and without it
T = TypeVar("T")


def main() -> int:
    """Print the times; exit with 1 if one of them is too long."""
    print(f"{PLAYERS:,} players, {EVENTS * GAMES:,} games; processor seconds")
    print(f"{'':16}{'read':>8}{'replay':>8}{'+working':>10}{'last event':>12}{'a year ago':>12}")
    slow = False
    for system in sys.argv[1:] or SYSTEMS:
        log = log_of(system, events=EVENTS, players=PLAYERS)
        book, reading = _timed(book_of, log)
        history, plain = _timed(replay, book, "main")
        last_day = max(event.end for event in book.events.values())
        _, kept = _timed(replay, book, "main", keep=lambda _: True, since=last_day.replace(day=1))
        late = []
        for number in (log[-1].number, log[-EVENTS // 10].number):
            left_out = decision(len(log) + 1, "event", {"event": number, "facts": {"excluded": True}})
            late.append(_timed(replay, book_after(book, left_out, log), "main", base=history)[1])
        print(f"{system:16}{reading:8.2f}{plain:8.2f}{kept:10.2f}{late[0]:12.3f}{late[1]:12.3f}", flush=True)
        slow |= kept > MOST or (system in QUICK and plain > MOST_QUICK)
    return 1 if slow else 0


def _timed(work: Callable[..., T], *given: Any, **named: Any) -> tuple[T, float]:
    begin = process_time()
    return work(*given, **named), process_time() - begin


if __name__ == "__main__":
    sys.exit(main())
