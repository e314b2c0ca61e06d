"""The arbiter's desk: how long after a save a browser shows it, what that costs, and whether memory stays flat.

The delay is for the eye, so it is in seconds; on a quiet machine it is to be at most two. The cost of a save is a
ratio: the desk's processor time for one save against that of reading, rating and ranking the same file once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import arpad
from arpad.formats import read_bytes

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

import chromium  # noqa: E402
from desk_day import after, saved  # noqa: E402  # the same open as in the tests

SAVES, WARM = 60, 20
MOST_SECONDS = 2.0  # the median delay
MOST_COST = 2.5  # times reading, rating and ranking
MOST_GROWTH = 1.1  # times the memory after the first saves
STATUS = "text => document.querySelector('[role=status]').textContent.includes(text)"


def main() -> int:
    """Print delay, cost and memory; exit with 1 if one of them is too large."""
    states = [(round, results) for round in range(1, 9) for results in range(5, 60, 5)][:SAVES]
    files = [saved(after(round, results)) for round, results in states]
    once = _once(files[-1])
    with TemporaryDirectory() as folder, chromium.browser() as opened:
        desk = subprocess.Popen(
            [sys.executable, "-m", "arpad", "desk", folder], stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        try:
            assert desk.stdout is not None  # noqa: S101  # for the type checker
            address = desk.stdout.readline().split(" is at ")[1].split(";")[0]
            page = opened.new_page()
            page.goto(address)
            delays, memory, spent = [], [], []
            for (number, _), data in zip(states, files, strict=True):
                made = read_bytes(data, "open.trf")
                held = [one.rounds[number].score is not None for one in made.entrants]
                start = time.monotonic()
                _save(Path(folder), data)
                page.wait_for_function(STATUS, arg=f"round {number + 1}: {sum(held) // 2} of", timeout=60_000)
                delays.append(time.monotonic() - start)
                memory.append(_memory(desk.pid))
                spent.append(_processor(desk.pid))
        finally:
            desk.terminate()
            desk.wait()
    cost = (spent[-1] - spent[WARM]) / (len(spent) - 1 - WARM) / once
    growth = memory[-1] / memory[WARM]
    print(f"{len(states)} saves of an open of {len(made.entrants)} players, each seen in a browser")
    longest = f"{max(delays):.2f} s at the longest"
    print(f"delay     {median(delays):.2f} s in the median (at most {MOST_SECONDS}), {longest}")
    print(f"cost      {cost:.1f} times reading, rating and ranking the file once (at most {MOST_COST})")
    print(f"memory    {memory[WARM] / 2**20:.0f} MB after {WARM} saves, {growth:.2f} times that at the end")
    return int(median(delays) > MOST_SECONDS or cost > MOST_COST or growth > MOST_GROWTH)


def _once(data: bytes) -> float:
    """The processor time of reading, rating and ranking a file, the median of a few runs."""
    runs = []
    for _ in range(5):
        start = time.process_time()
        event = read_bytes(data, "open.trf")
        arpad.rate_event(event)
        arpad.standings(event)
        runs.append(time.process_time() - start)
    return median(runs)


def _save(folder: Path, data: bytes) -> None:
    """Save as most programs do: under another name, then renamed."""
    written = folder / "open.tmp"
    written.write_bytes(data)
    os.replace(written, folder / "open.trf")


def _memory(process: int) -> int:
    """The memory of a process in bytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _processor(process: int) -> float:
    """The processor time of a process in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
