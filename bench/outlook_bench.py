"""Exact outlooks beside a simulation of the same event: time, as ratios taken side by side, and what each is worth."""

from __future__ import annotations

import time
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

import arpad
from arpad import Player
from arpad.ahead.outlook import planned_events
from arpad.ahead.schedule import Model, curve, look, with_half_points
from arpad.draws import LABELLE

if TYPE_CHECKING:
    from collections.abc import Callable

ON = date(2026, 11, 15)
FIDE = arpad.system("fide-standard")
PLAYER = Player(1780, birth_year=2010)
TARGET = 1800
SAMPLES = 100_000
TIMES = 5
WANTED = 0.0001  # the accuracy at which both are compared


def opponents(games: int) -> list[int]:
    """A field round 1820."""
    return [1700 + 240 * no // games for no in range(games)]


def exact(games: int) -> tuple[float, float]:
    """The chance to reach the target, by convolution; nothing of its time grows with an accuracy."""
    return arpad.look_ahead(FIDE, PLAYER, opponents(games), on=ON, reach=TARGET).reach or 0.0, 0.0


def simulated(games: int) -> tuple[float, float]:
    """The same by chance: results drawn all at once with numpy, then each score that occurred is rated once."""
    chance = np.random.default_rng(1)
    model = Model(1780.0, LABELLE, curve(FIDE, ON))
    ahead = look(FIDE, PLAYER, planned_events(opponents(games)), on=ON)
    start = time.perf_counter()
    half_points = np.zeros(SAMPLES, dtype=np.int64)
    for rating in opponents(games):
        win, drawn, _ = model.chances(rating, None)
        lots = chance.random(SAMPLES)
        half_points += (lots < win).astype(np.int64) + (lots < win + drawn)
    scores, counts = np.unique(half_points, return_counts=True)
    drawing = time.perf_counter() - start
    reached = [(ahead.rate(with_half_points(ahead, int(score))).new_rating or 0) >= TARGET for score in scores]
    return float(counts[reached].sum() / SAMPLES), drawing


def best(what: Callable[[int], tuple[float, float]], games: int) -> tuple[float, float, float]:
    """The shortest of a few runs, the answer, and the part of the time that grows with the samples."""
    runs = []
    for _ in range(TIMES):
        start = time.perf_counter()
        answer, drawing = what(games)
        runs.append((time.perf_counter() - start, answer, drawing))
    return min(runs)


def main() -> None:
    """Print a line for each number of games."""
    print(f"{'':>5}{'exact':>20}{f'{SAMPLES} samples':>29}{f'error {WANTED:g}':>16}")
    print(f"{'games':>5}{'ms':>9}{'chance':>11}{'ms':>9}{'error':>11}{'ratio':>9}{'ratio':>16}")
    for games in (9, 30, 100):
        (mine, chance, _), (other, _, drawing) = best(exact, games), best(simulated, games)
        error = (chance * (1 - chance) / SAMPLES) ** 0.5
        at_wanted = other - drawing + drawing * (error / WANTED) ** 2
        print(
            f"{games:>5}{1000 * mine:>9.1f}{chance:>11.5f}{1000 * other:>9.1f}{error:>11.5f}"
            f"{other / mine:>9.1f}{at_wanted / mine:>16.0f}"
        )
    print("\nA ratio is the time of the simulation over that of the exact answer. A simulation's error falls with the")
    print("root of its samples: the last column is what that accuracy would take, by the time that grows with them.")


if __name__ == "__main__":
    main()
