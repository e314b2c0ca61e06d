"""A period rated by the packages `riix` and `glicko2`, run by `bulk_systems_bench.py` in a separate environment.

python glicko2_rivals.py games.npz tiny|small|period: a JSON line with seconds and new ratings for each method.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter

import numpy as np
from glicko2 import Player
from riix.models.glicko2 import Glicko2


def by_riix(games: np.ndarray, score: np.ndarray, players: int, way: str) -> tuple[float, list[float]]:
    """Riix: `iterative`, its default, rates the games of a period one by one; `batched` is the paper's period."""
    system = Glicko2(list(range(players)), update_method=way)
    system.update(games, score, time_step=0)
    start = perf_counter()
    system.update(games, score, time_step=1)
    return perf_counter() - start, (173.7178 * system.mus + 1500).tolist()


def by_glicko2(games: np.ndarray, score: np.ndarray, players: int) -> tuple[float, list[float]]:
    """glicko2: an object per player, with lists of opponents; building the lists is not counted."""
    everybody = [Player() for _ in range(players)]
    lists: list[tuple[list[int], list[float]]] = [([], []) for _ in range(players)]
    for (white, black), result in zip(games.tolist(), score.tolist(), strict=True):
        lists[white][0].append(black)
        lists[white][1].append(result)
        lists[black][0].append(white)
        lists[black][1].append(1 - result)
    for _ in range(2):
        ratings, deviations = [player.rating for player in everybody], [player.rd for player in everybody]
        start = perf_counter()
        for player, (opponents, results) in zip(everybody, lists, strict=True):
            if opponents:
                player.update_player(
                    [ratings[other] for other in opponents], [deviations[other] for other in opponents], results
                )
        took = perf_counter() - start
    return took, [player.rating for player in everybody]


def main(path: str, size: str) -> None:
    """Run what is possible at this size: riix's batched method has a row per game and a column per player."""
    with np.load(path) as file:
        games, score, players = np.column_stack([file["white"], file["black"]]), file["score"], int(file["players"])
    found = {"glicko2": by_glicko2(games, score, players)}
    if size != "period":
        found["riix, batched"] = by_riix(games, score, players, "batched")
    else:
        found["riix, iterative"] = by_riix(games, score, players, "iterative")
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
