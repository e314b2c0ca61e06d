"""Where a fit on 2014-15 misses the games of 2019: by the players' ages, by round, and between adults by band.

python bench/chances_drift.py

The later file has FIDE IDs, so the years of birth come from FIDE's list. Needs the bulk extra (NumPy).
"""

from __future__ import annotations

import csv
import lzma
import re
from collections import Counter
from typing import TYPE_CHECKING

import fit_chances
import numpy as np
from fit_typical import LISTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Rows = NDArray[np.bool_]

ADULT = 20
AGES = ((0, 12), (13, 15), (16, 18), (19, 29), (30, 39), (40, 59), (60, 120))
ROUNDS = ((1, 1), (2, 3), (4, 6), (7, 11))
WIDE = (0, 150, 300)  # the rating difference at which each column starts; the last ends at 600
FARTHEST = 600


def born() -> dict[str, int]:
    """The year of birth by FIDE ID."""
    with lzma.open(LISTS, "rt", encoding="utf-8") as file:
        return {row["fide_id"]: int(row["born"]) for row in csv.DictReader(file) if row["born"]}


def ages(games: fit_chances.Games, rows: list[dict[str, str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ages of favourite and underdog; −1 if the player is not on the list."""
    years = born()
    sides = [
        np.array([int(row["date"][:4]) - years[row[side]] if years.get(row[side]) else -1 for row in rows])
        for side in ("white_id", "black_id")
    ]
    white_first = games.white >= games.black
    return np.where(white_first, *sides), np.where(white_first, *sides[::-1])


def round_of(row: dict[str, str]) -> int:
    """The round of a game; 0 if it has none."""
    number = re.match(r"\d+", row["round"])
    return int(number.group()) if number else 0


def crowded(rows: list[dict[str, str]]) -> Rows:
    """The games of players with three or more in one event on one day: rapid chess, whatever the event is called."""
    days = [[(row["event"], row["date"], row[side]) for side in ("white_id", "black_id")] for row in rows]
    played = Counter(player_day for both in days for player_day in both)
    return np.array([max(played[player_day] for player_day in both) >= 3 for both in days])


def groups(games: fit_chances.Games) -> Iterator[tuple[str, Rows]]:
    """The games by ages and by round."""
    rows = fit_chances.late_rows()
    favourite, underdog = ages(games, rows)
    rounds = np.array([round_of(row) for row in rows])
    yield "all", np.ones(len(rows), dtype=bool)
    for low, high in AGES:
        yield f"underdog {low} to {high}", (underdog >= low) & (underdog <= high)
    for low, high in AGES:
        yield f"favourite {low} to {high}", (favourite >= low) & (favourite <= high)
    yield f"both {ADULT} or older", (favourite >= ADULT) & (underdog >= ADULT)
    for low, high in ROUNDS:
        yield f"rounds {low} to {high}", (rounds >= low) & (rounds <= high)
    yield "up to 2 games a day", ~crowded(rows)


def main() -> None:
    """Print how far off the earlier fit is, by group and rating difference."""
    early, late = fit_chances.read_early(), fit_chances.read_late()
    p, _ = fit_chances.fit([(early.lifted, False)])
    found = fit_chances.chances(p, late.lifted)
    near = ~late.fast & (np.abs(late.white - late.black) < FARTHEST)
    print("2019, standard, by a fit on 2014-15: predicted minus happened, with standard errors")
    print(f"{'':<20}{'games':>7}" + "".join(f"{f'{low} and more':>24}" for low in WIDE))
    for name, members in groups(late):
        rows = members & near
        cells = fit_chances.bands(found[rows], late.only(rows), WIDE)
        print(f"{name:<20}{rows.sum():>7}" + "".join(f"{_cell(band):>24}" for band in cells))
        if name.startswith("both"):
            adults = members & ~late.fast
    fit_chances.show(f"the same, both players {ADULT} or older", found[adults], late.only(adults))


def _cell(band: fit_chances.Band) -> str:
    score, draws = band.says - band.scored, band.draws - band.drawn
    return f"{score:+.3f} ± {band.error:.3f} {draws:+.3f}"


if __name__ == "__main__":
    main()
