"""Publishing a club of 300 people and 5,000 games: the first time, again, and after one game more.

Seconds are for the eye; on a quiet machine the first is to take at most ten and the second at most two.
"""

from __future__ import annotations

import sys
import time
from datetime import date, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from arpad import ledger
from arpad.reports.ledger_site import publish_ledger

PEOPLE, EVENTS, PAIRS = 300, 50, 100
FIRST, SECOND = 10.0, 2.0  # seconds
START = date.fromisoformat("2025-01-01")


def main() -> int:
    """Print the three times; exit with 1 if one of the first two is too long."""
    chance = Random(36)  # noqa: S311  # an invented club, always the same
    with TemporaryDirectory() as folder:
        club = ledger.new(f"{folder}/club.arpad", system="elo", start=1500, who="bench")
        rows = "".join(f"{no},Member{no} First{no},1980,{1200 + 3 * no}\n" for no in range(1, PEOPLE + 1))
        members = club.preview_members(f"No,Name,Born,Rating\n{rows}".encode(), pool="main", day=START)
        club.accept_members(members, who="bench")
        for event in range(EVENTS):
            numbers = list(range(1, PEOPLE + 1))
            chance.shuffle(numbers)
            games = "".join(
                f"Member{white} First{white},Member{black} First{black},{chance.choice(('1-0', '0-1', '1/2-1/2'))}\n"
                for white, black in zip(numbers[:PAIRS], numbers[PAIRS : 2 * PAIRS], strict=True)
            )
            day = START + timedelta(days=7 * (event + 1))
            preview = club.preview(
                f"White,Black,Result\n{games}".encode(), name="games.csv", start=day, called=f"Evening {event + 1}"
            )
            club.accept(preview.settle(same_names=True), who="bench")
        site = str(Path(folder) / "site")
        first, files = _timed(club, site)
        second, _ = _timed(club, site)
        club.accept(club.preview_game("Member1 First1 1-0 Member2 First2, today"), who="bench")
        later, written = _timed(club, site)
    print(f"{PEOPLE} people, {EVENTS * PAIRS} games, {files} files")
    print(f"first     {first:.1f} s (at most {FIRST:.0f})")
    print(f"again     {second:.2f} s (at most {SECOND:.0f})")
    print(f"one more  {later:.1f} s, {written} files written")
    return int(first > FIRST or second > SECOND)


def _timed(club: ledger.Ledger, site: str) -> tuple[float, int]:
    """How long publishing takes, and how many files it writes."""
    start = time.monotonic()
    done = publish_ledger(ledger.open(club.store.place), site)
    return time.monotonic() - start, len(done.written)


if __name__ == "__main__":
    sys.exit(main())
