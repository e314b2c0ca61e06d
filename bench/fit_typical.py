"""How much stronger than their rating players of an age and a rating were, from two FIDE lists.

python bench/fit_typical.py            print the table, its errors and the test on players held out
python bench/fit_typical.py --write    and write src/arpad/forecast/typical.toml

A player's change from August to September 2025, divided by K times games, is the score per game above expectation.
Needs the bulk extra (NumPy).
"""

from __future__ import annotations

import csv
import lzma
import sys
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import arpad
from arpad.systems.chances import calibrated

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

ROOT = Path(__file__).parents[1]
LISTS = ROOT.parent / "shared/data/lists/fide_standard_2025-08_2025-09.csv.xz"
DATA = ROOT / "src/arpad/forecast/typical.toml"
YEAR = 2025
LIMIT = arpad.system("fide-standard").rulebook.at(date(YEAR, 8, 1)).k_limit.value  # of K times games
AGES = (0, 13, 16, 19, 30, 40, 60)  # the lowest age of each group
RATINGS = (1400, 1600, 1800, 2000, 2200)  # the lowest rating of each band
SAMPLES = 500


@dataclass(frozen=True)
class Lists:
    """Players on both lists who played in between, by column."""

    age: Numbers
    rating: Numbers
    games: Numbers
    k: Numbers
    change: Numbers
    inactive: NDArray[np.bool_]  # on the first list

    def only(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Lists:
        """Some of the players."""
        return Lists(*(getattr(self, column.name)[rows] for column in fields(self)))

    @property
    def weight(self) -> Numbers:
        """K times games: the change for one more point per game. K is lowered if that exceeds the limit."""
        return np.where(self.k * self.games > LIMIT, np.floor(LIMIT / self.games), self.k) * self.games

    @property
    def cell(self) -> NDArray[np.int64]:
        """The index of each player's age group and rating band."""
        group = np.searchsorted(AGES, self.age, side="right") - 1
        return np.asarray(group * len(RATINGS) + np.searchsorted(RATINGS, self.rating, side="right") - 1)


def read() -> Lists:
    """Everybody with a year of birth, a rating on both lists, K, and games on the second."""
    names = ("born", "rating_08", "rating_09", "k_08", "games_09")
    with lzma.open(LISTS, "rt", encoding="utf-8") as file:
        rows = [([float(row[name] or 0) for name in names], "i" in row["flag_08"]) for row in csv.DictReader(file)]
    born, before, after, k, games = np.array([figures for figures, _ in rows if all(figures)]).T
    inactive = np.array([flag for figures, flag in rows if all(figures)])
    return Lists(YEAR - born, before, games, k, after - before, inactive)


def surplus(players: Lists) -> Numbers:
    """The score per game above expectation in each cell, weighted by K times games."""
    size = len(AGES) * len(RATINGS)
    weights = np.bincount(players.cell, players.weight, size)
    return np.asarray(np.bincount(players.cell, players.change, size) / np.maximum(weights, 1))


def worth(score: Numbers) -> Numbers:
    """A surplus in rating points, by the calibrated model for equal players in the middle of the band."""
    middles = np.tile([low + 100 for low in RATINGS], len(AGES))
    return np.array([points / per_point(middle) for points, middle in zip(score, middles, strict=True)])


def per_point(rating: float) -> float:
    """What one rating point is worth in score between equal players."""
    ends = (calibrated().chances(rating + side, rating, None) for side in (25, -25))
    high, low = (win + drawn / 2 for win, drawn, _ in ends)
    return (high - low) / 50


def errors(players: Lists) -> Numbers:
    """The standard error of each cell's worth, by bootstrap."""
    chance = np.random.default_rng(1)
    size = len(players.age)
    return np.std([worth(surplus(players.only(chance.integers(0, size, size)))) for _ in range(SAMPLES)], axis=0)


def held_out(players: Lists) -> tuple[float, float]:
    """The mean square error of September's ratings predicted by August's, alone or with the other half's surplus."""
    half = np.random.default_rng(2).random(len(players.age)) < 0.5
    plain, typical = [], []
    for known, tested in ((half, ~half), (~half, half)):
        test = players.only(tested)
        predicted = surplus(players.only(known))[test.cell] * test.weight
        plain.append(test.change**2)
        typical.append((test.change - predicted) ** 2)
    return float(np.concatenate(plain).mean()), float(np.concatenate(typical).mean())


def main() -> None:
    """Estimate, test, and write the data file if asked."""
    players = read()
    score, points, error = surplus(players), worth(surplus(players)), errors(players)
    counts = np.bincount(players.cell, minlength=len(score))
    print(f"{len(players.age)} players\n{'age':<6}" + "".join(f"{low:>22}" for low in RATINGS))
    for row, age in enumerate(AGES):
        cells = range(row * len(RATINGS), (row + 1) * len(RATINGS))
        print(f"{age:<6}" + "".join(f"{points[at]:+8.1f} ± {error[at]:4.1f} ({counts[at]:5d})" for at in cells))
    plain, typical = held_out(players)
    print(f"\nmean square error on players held out: {plain:.2f} as it is, {typical:.2f} with the table")
    if "--write" in sys.argv[1:]:
        write(score, points, error, counts, plain, typical)


def write(
    score: Numbers, points: Numbers, error: Numbers, counts: NDArray[np.int64], plain: float, typical: float
) -> None:
    """Write the data file."""
    lines = [
        "# What players of an age and a rating were worth beside it. Written by bench/fit_typical.py --write.",
        "",
        f"fitted  = {date.today().isoformat()}",  # noqa: DTZ011  # the day the script is run
        f"players = {counts.sum()}",
        'source  = "FIDE\'s standard lists of August and September 2025"',
        'method  = "change / (K × games), K within its limit, in points by the calibrated model; errors by bootstrap"',
        f"mean_square_error = {{plain = {plain:.2f}, typical = {typical:.2f}}}  # held out",
        "",
        "# From this age and this rating on: score a game above expectation, the same in points, its standard error.",
        "cells = [",
    ]
    for at, count in enumerate(counts):
        age, rating = AGES[at // len(RATINGS)], RATINGS[at % len(RATINGS)]
        figures = f"score = {score[at]:.4f}, points = {points[at]:.1f}, error = {error[at]:.1f}, players = {count}"
        lines.append(f"    {{age = {age}, rating = {rating}, {figures}}},")
    DATA.write_text("\n".join([*lines, "]"]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
