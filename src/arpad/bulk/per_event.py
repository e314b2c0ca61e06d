"""Changes rounded once for each event, where a reading asks for it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from arpad.bulk.kernel import BLACK, RATED, Basis, Cut, Games, blocks, weigh
from arpad.bulk.rulings import HUNDRED


def gains(basis: Basis, games: Games, cut: Cut | None) -> tuple[Any, Any]:
    """The gain of both sides of every game, White's in the first row, and why some games are not rated."""
    parts = [weigh(basis, part) for part in blocks(games)]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.zeros(0, int)] * 3
    both = np.stack(columns[:2]).astype(np.int64)
    if cut is not None:
        both[cut.side, cut.game] += cut.gain
    return both, columns[2]


def rounded_per_event(basis: Basis, games: Games, cut: Cut | None, k: Any, rounding: Callable[[Any, Any], Any]) -> Any:
    """The changes of each player's events, rounded one by one and added up."""
    both, why = gains(basis, games, cut)
    both *= why == RATED
    player = np.concatenate([games.white, games.black])
    event = np.zeros(len(player), dtype=np.int64) if games.event is None else np.tile(games.event, BLACK + 1)
    order = np.lexsort((event, player))
    player, event, gain = player[order], event[order], both.ravel()[order]
    rounded = np.zeros(len(basis.rating), dtype=np.int64)
    if len(player):
        new = np.ones(len(player), dtype=bool)
        new[1:] = (player[1:] != player[:-1]) | (event[1:] != event[:-1])
        began = np.flatnonzero(new)
        player = player[began]
        np.add.at(rounded, player, rounding(k[player] * np.add.reduceat(gain, began), HUNDRED))
    return rounded
