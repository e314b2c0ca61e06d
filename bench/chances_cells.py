"""How far off the calibrated model is by level and difference, on games that no fit has seen.

    python bench/chances_cells.py

First the standard games of 2019, each by a fit without its event, on today's scale; then the games of real events that
no fit has seen, by the model. The level is the favourite's rating. Standard errors take the games of one event
together.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from chances_events import FIDE_EVENTS, finished
from fit_chances import crossed, read_early, read_late, standard_error

from arpad.simulation.games import shares
from arpad.simulation.position import GAME, position_of

LEVELS = ((1400, 1699), (1700, 1999), (2000, 2199), (2200, 2399), (2400, 2900))
GAPS = ((0, 49), (50, 149), (150, 249), (250, 349), (350, 499), (500, 799))
RAPID = {"tournaments/womens_world_rapid_2024_games.csv", "programs/papi/bre-jeunes-2024-blitz.papi"}
LIFTED = {  # ratings from before the conversion of March 2024, which is not undone here
    "tournaments/karl_mala_2005_fide_example1.trf",
    "tournaments/san_viator_2018_B.trf",
    "tournaments/more/sanichi__irish_junior_champs_2011.tab",
    "programs/tunx/2023_elllobregat_a_753347.TUNX",
}
TWO = 2  # events; fewer give no error
FEWEST = 20  # games of a cell


def main() -> None:
    """Print two tables: what favourites scored minus what the model says."""
    of_2019()
    of_events()


def of_2019() -> None:
    """The games that the fits were made on, predicted by fits without the same event."""
    early, late = read_early(), read_late()
    standard = late.only(~late.fast)
    found, games = crossed(early, late)[~late.fast], standard.lifted
    gap, favourite = games.white - games.black, np.maximum(games.white, games.black)
    says, scored = (np.where(gap >= 0, score, 1 - score) for score in (found[:, 0] + found[:, 1] / 2, games.score))
    print(f"2019: {len(gap)} games")
    _head()
    for low, high in LEVELS:
        shown = []
        for least, most in GAPS:
            rows = (favourite >= low) & (favourite < high + 1) & (np.abs(gap) >= least) & (np.abs(gap) < most + 1)
            off = (scored - says)[rows]
            error = standard_error(off, games.event[rows]) if rows.any() else 0
            shown.append(f"{off.mean():+.3f} ± {error:.3f} ({len(off)})" if len(off) >= FEWEST else f"({len(off)})")
        print(f"| {low} to {high} | " + " | ".join(shown) + " |")


def of_events() -> None:
    """The games of events that no fit has seen."""
    cells: dict[tuple[int, int], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    events = [path for path in FIDE_EVENTS if path not in RAPID | LIFTED]
    for path in events:
        event = finished(path, FIDE_EVENTS[path])
        position = position_of(event, after=0)
        whole = position_of(event, after=event.rounds - 1)
        for number in range(whole.held):
            for who in np.flatnonzero((whole.kinds[:, number] == GAME) & (whole.opponents[:, number] >= 0)):
                other = whole.opponents[who, number]
                own, theirs = position.ratings[who], position.ratings[other]
                if np.isnan(own) or np.isnan(theirs) or own < theirs or (own == theirs and who > other):
                    continue
                colour = np.array([whole.colours[who, number]])
                win, draw = shares(np.array([own]), np.array([theirs]), colour)
                scored = whole.halves[who, number] / 2
                place = _cell(own, LEVELS), _cell(own - theirs, GAPS)
                if None not in place:
                    cells[place][path].append(float(scored - (win + draw / 2)[0]))
    print(f"{len(events)} events, {sum(len(part) for cell in cells.values() for part in cell.values())} games")
    _head()
    for level, (low, high) in enumerate(LEVELS):
        shown = [_shown(cells[level, gap]) for gap in range(len(GAPS))]
        print(f"| {low} to {high} | " + " | ".join(shown) + " |")


def _head() -> None:
    print("| favourite's rating | " + " | ".join(f"{low} to {high}" for low, high in GAPS) + " |")
    print("|---" * (len(GAPS) + 1) + "|")


def _cell(value: float, bounds: tuple[tuple[int, int], ...]) -> int | None:
    return next((place for place, (low, high) in enumerate(bounds) if low <= value <= high), None)


def _shown(cell: dict[str, list[float]]) -> str:
    """The mean with its standard error, and the games."""
    parts = list(cell.values())
    games = sum(map(len, parts))
    if len(parts) < TWO:
        return f"({games})"
    mean = sum(map(sum, parts)) / games
    spread = sum((sum(part) - mean * len(part)) ** 2 for part in parts) * len(parts) / (len(parts) - 1)
    return f"{mean:+.3f} ± {spread**0.5 / games:.3f} ({games})"


if __name__ == "__main__":
    main()
