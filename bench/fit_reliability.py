"""How far strength is from rating, by how much is known about the player, from two FIDE lists.

python bench/fit_reliability.py            print the deviations and their errors
python bench/fit_reliability.py --write    and write src/arpad/forecast/reliability.toml

If everybody were as strong as rating and age suggest, the square of a month's surplus score would grow in proportion to
the number of games. Strength that differs adds a part that grows with the square of that number: the variance of
strength. Needs the bulk extra (NumPy).
"""

from __future__ import annotations

import sys
from datetime import date
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from fit_typical import ROOT, SAMPLES, Lists, per_point, read, surplus

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

DATA = ROOT / "src/arpad/forecast/reliability.toml"
FEW_GAMES, FEW_K, ADULT = 30, 40, 19  # an adult with K 40 has fewer than 30 games
STEP = 50  # points between the ratings at which the value of a point is calculated
KINDS = ("established", "few", "junior")


def off_by(players: Lists) -> Numbers:
    """A month's score above what rating and age suggest, in points of strength times games."""
    score = (players.change / players.weight - surplus(players)[players.cell]) * players.games
    ratings = np.arange(1000, 3001, STEP)
    worth = np.array([per_point(rating) for rating in ratings.tolist()])
    return np.asarray(score / np.interp(players.rating, ratings, worth))


def deviation(off: Numbers, games: Numbers) -> float:
    """The standard deviation of strength: off² = a × games + variance × games², by weighted least squares."""
    columns = np.stack([np.ones_like(games), games], axis=1)
    _, variance = np.linalg.lstsq(columns, off**2 / games, rcond=None)[0]
    return float(np.sqrt(max(variance, 0.0)))


def groups(players: Lists) -> dict[tuple[str, bool], NDArray[np.bool_]]:
    """The players by kind, and by whether they were inactive on the first list."""
    junior = players.age < ADULT
    few = ~junior & (players.k == FEW_K)
    kinds = dict(zip(KINDS, (~junior & ~few, few, junior), strict=True))
    return {(kind, idle): kinds[kind] & (players.inactive == idle) for kind, idle in product(KINDS, (False, True))}


def main() -> None:
    """Estimate, print, and write the data file if asked."""
    players = read()
    off, chance = off_by(players), np.random.default_rng(3)
    cells = []
    for (kind, inactive), rows in groups(players).items():
        mine, games = off[rows], players.games[rows]
        samples = (chance.integers(0, len(mine), len(mine)) for _ in range(SAMPLES))
        error = float(np.std([deviation(mine[sample], games[sample]) for sample in samples]))
        found = deviation(mine, games)
        cells.append((kind, inactive, found, error, len(mine)))
        print(f"{kind:<12}{'inactive' if inactive else '':<10}{found:6.1f} ± {error:4.1f} ({len(mine)} players)")
    if "--write" in sys.argv[1:]:
        write(cells)


def write(cells: list[tuple[str, bool, float, float, int]]) -> None:
    """Write the data file."""
    lines = [
        "# How far strength lies from a rating. Written by bench/fit_reliability.py --write; see docs/chances.md.",
        "",
        f"fitted = {date.today().isoformat()}",  # noqa: DTZ011  # the day the script is run
        'source = "FIDE\'s standard lists of August and September 2025"',
        'method = "the part of the squared surplus that grows with the square of the games; errors by bootstrap"',
        "",
        "# Who has few games: fewer than so many, or so high a K without being a junior.",
        f"few_games = {FEW_GAMES}",
        f"few_k     = {FEW_K}",
        f"adult     = {ADULT}",
        "",
        "# The standard deviation of strength around the rating in points, its standard error, and how many players.",
        "cells = [",
        *(
            f'    {{kind = "{kind}", inactive = {str(inactive).lower()}, deviation = {found:.1f}, error = {error:.1f}, '
            f"players = {players}}},"
            for kind, inactive, found, error, players in cells
        ),
        "]",
    ]
    DATA.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
