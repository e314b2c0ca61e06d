"""Exact outlooks compared with simulations of the same event: time, as ratios, and accuracy."""

from __future__ import annotations

import time
from datetime import date
from decimal import Decimal
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

import arpad
from arpad import Player
from arpad.calculation import formulas
from arpad.forecast.outlook import planned_events
from arpad.forecast.schedule import Model, curve, look
from arpad.systems.chances import LABELLE

if TYPE_CHECKING:
    from collections.abc import Callable

ON = date(2026, 11, 15)
FIDE = arpad.system("fide-standard")
PLAYER = Player(1780, birth_year=2010)
TARGET = 1800
SAMPLES = 100_000
AT_ONCE = 100_000  # samples held in memory together
TIMES = 3
WANTED = 0.0005  # a second simulation takes as many samples as this standard error needs


def opponents(games: int) -> list[int]:
    """A field with ratings around 1820."""
    return [1700 + 240 * no // games for no in range(games)]


def exact(games: int) -> float:
    """The chance of reaching the target, by convolution, with every outcome and the working."""
    return arpad.look_ahead(FIDE, PLAYER, opponents(games), on=ON, reach=TARGET).reach or 0.0


def simulated(games: int, samples: int) -> float:
    """The same by simulation: results are drawn at once with NumPy, and each score that occurred is rated once."""
    chance = np.random.default_rng(1)
    model = Model(1780.0, LABELLE, curve(FIDE, ON))
    ahead = look(FIDE, PLAYER, planned_events(opponents(games)), on=ON)
    counts = np.zeros(2 * games + 1, dtype=np.int64)
    chances = [model.chances(rating, None) for rating in opponents(games)]
    for first in range(0, samples, AT_ONCE):
        size = min(AT_ONCE, samples - first)
        half_points = np.zeros(size, dtype=np.int64)
        for win, draw, _ in chances:
            lots = chance.random(size)
            half_points += lots < win
            half_points += lots < win + draw
        counts += np.bincount(half_points, minlength=2 * games + 1)
    reached, k, expected = 0, ahead.k, ahead.drawn.expected
    for score in np.flatnonzero(counts):
        change = formulas.change(k, Decimal(int(score)) / 2, expected)
        reached += int(counts[score]) * ((ahead.entered(change)[1] or 0) >= TARGET)
    return reached / samples


def best(what: Callable[..., float], *given: int) -> tuple[float, float]:
    """The shortest of a few runs, in milliseconds, and the answer."""
    runs = []
    for _ in range(TIMES):
        start = time.perf_counter()
        answer = what(*given)
        runs.append((1000 * (time.perf_counter() - start), answer))
    return min(runs)


def main() -> None:
    """Print a line for each number of games."""
    print(f"{'':>5}{'exact':>17}{f'{SAMPLES} samples':>25}{f'a standard error of {WANTED:g}':>34}")
    print(
        f"{'games':>5}{'ms':>8}{'chance':>9}{'ms':>9}{'off by':>9}{'ratio':>7}"
        f"{'samples':>10}{'ms':>8}{'off by':>9}{'ratio':>7}"
    )
    for games in (9, 30, 100):
        mine, chance = best(exact, games)
        enough = ceil(chance * (1 - chance) / WANTED**2)
        line = f"{games:>5}{mine:>8.1f}{chance:>9.5f}"
        for samples in (SAMPLES, enough):
            other, answer = best(simulated, games, samples)
            shown = "" if samples == SAMPLES else f"{samples:>10}"
            places = 9 if samples == SAMPLES else 8
            line += f"{shown}{other:>{places}.1f}{abs(answer - chance):>9.5f}{other / mine:>7.0f}"
        print(line)
    print("\nEvery figure is a run. A ratio is the time of the simulation over that of the exact answer, whose own")
    print("error is below 1e-12 and which has the working as well; `off by` is how far the simulation was from it.")


if __name__ == "__main__":
    main()
