"""Who is met in the last rounds of a Swiss: three ways to predict the average opponent, on real tournaments.

python bench/fit_opponents.py

For every player with a game in every round, three, two and one rounds before the end, the average rating of the
opponents to come is compared with that of the opponents so far, with the same plus 400 × (share of points − ½), and
with that of the players within half a point in the standings. Needs NumPy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import numpy as np

import arpad
from arpad import ArpadError, Entrant, Tournament
from arpad.forecast.opponents import LEAST_NEAR, expected_average

ROOT = Path(__file__).parents[1]
TOURNAMENTS = ROOT.parent / "shared/data/tournaments"
ROUNDS, PLAYERS = 6, 20  # at least
STRONG = 2200  # players for whom norms may matter


class Case(NamedTuple):
    """A player before the last rounds: predictions of the average opponent, and what came."""

    rating: int
    left: int
    so_far: float
    by_score: float
    standings: float
    opponents: tuple[int, ...]
    spread: float  # of the opponents so far


def main() -> None:
    """Print how far off each prediction is, for all players and for strong ones."""
    cases, events = [], 0
    for path in sorted(TOURNAMENTS.rglob("*.trf")):
        try:
            found = list(cases_of(arpad.read(path)))
        except ArpadError:
            continue
        events += bool(found)
        cases += found
    sys.stdout.write(f"{events} tournaments\n")
    for left in (3, 2, 1):
        for lowest in (0, STRONG):
            show(f"{lowest}+, {left} left", [case for case in cases if case.left == left and case.rating >= lowest])


def cases_of(tournament: Tournament) -> Iterator[Case]:
    """The players of an individual Swiss before each of its last three rounds."""
    entrants = {entrant.no: entrant for entrant in tournament.entrants}
    last = max((no for entrant in entrants.values() for no in rounds_played(entrant)), default=0)
    if last < ROUNDS or len(entrants) < PLAYERS or tournament.teams:
        return

    def opponents(entrant: Entrant, first: int, until: int) -> list[int]:
        met = [entrants.get(played.opponent or 0) for played in entrant.rounds[first:until] if played.kind == "played"]
        return [int(other.player.rating) for other in met if other is not None and other.player.rating is not None]

    for held in (last - 3, last - 2, last - 1):
        points = {no: sum(played.score or Decimal(0) for played in one.rounds[:held]) for no, one in entrants.items()}
        for no, entrant in entrants.items():
            before, after = opponents(entrant, 0, held), opponents(entrant, held, last)
            if entrant.player.rating is None or len(before) < held or len(after) < last - held:
                continue
            met = {played.opponent for played in entrant.rounds[:held]} | {no}
            others = [(abs(points[other] - points[no]), one) for other, one in entrants.items() if other not in met]
            rated = [(apart, int(one.player.rating)) for apart, one in others if one.player.rating is not None]
            widest = sorted(apart for apart, _ in rated)[: max(LEAST_NEAR, last - held)][-1]
            near = [rating for apart, rating in rated if apart <= max(widest, Decimal("0.5"))]
            yield Case(
                int(entrant.player.rating),
                last - held,
                float(np.mean(before)),
                expected_average(before, points[no], held),
                float(np.mean(near)),
                tuple(after),
                float(np.std(before)),
            )


def rounds_played(entrant: Entrant) -> list[int]:
    """The rounds in which somebody played."""
    return [no for no, played in enumerate(entrant.rounds, start=1) if played.kind == "played"]


def show(name: str, cases: list[Case]) -> None:
    """How far off each prediction is, and how opponents spread around it."""
    came = np.array([np.mean(case.opponents) for case in cases])
    sys.stdout.write(f"{name}: {len(cases)} cases\n")
    for way in ("so_far", "by_score", "standings"):
        said = np.array([getattr(case, way) for case in cases])
        each = [opponent - getattr(case, way) for case in cases for opponent in case.opponents]
        sys.stdout.write(
            f"  {way:10} off by {np.mean(came - said):+6.1f} ± {np.sqrt(np.mean((came - said) ** 2)):5.1f}, "
            f"each opponent ± {np.sqrt(np.mean(np.square(each))):5.1f}\n"
        )
    sys.stdout.write(f"  spread of the opponents so far {np.mean([case.spread for case in cases]):.0f}\n")


if __name__ == "__main__":
    main()
