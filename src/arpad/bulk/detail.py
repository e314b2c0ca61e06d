"""What every game gave to both sides, or why it gave nothing."""

from typing import Any

import numpy as np
import pyarrow as pa

from arpad.bulk.answer import hundredths, numbers, words_of
from arpad.bulk.kernel import BLACK, HALF_POINT, RATED, WHITE, WHY_NOT, Basis, Cut, Games, blocks, ratings
from arpad.bulk.per_event import gains


def detail_of(basis: Basis, games: Games, k: Any, cut: Cut | None, ids: pa.Array) -> pa.Table:
    """A row a game, in the order they were given: ratings, expected scores and changes of both sides."""
    both, why = gains(basis, games, cut)
    sides = [ratings(basis, part) for part in blocks(games)]
    rated, unrated = why == RATED, why != RATED
    score = games.half_points.astype(np.int64) * HALF_POINT
    row = np.arange(games.size) if games.row is None else games.row
    columns = {
        "row": pa.array(row + 1),
        "white": ids.take(pa.array(games.white)),
        "black": ids.take(pa.array(games.black)),
    }
    for side, name, points in ((WHITE, "white", score), (BLACK, "black", 2 * HALF_POINT - score)):
        rating = np.concatenate([pair[side] for pair in sides]) if sides else np.zeros(0, np.int64)
        player = games.white if side == WHITE else games.black
        columns |= {
            f"{name}_rating": numbers(rating, pa.int16(), rating <= 0),
            f"{name}_score": hundredths(points, np.zeros(games.size, dtype=bool)),
            f"{name}_expected": hundredths(points - both[side], unrated),
            f"{name}_change": hundredths(k[player] * both[side], unrated),
        }
    return pa.table(columns | {"rated": pa.array(rated), "why": words_of(why, WHY_NOT)})
