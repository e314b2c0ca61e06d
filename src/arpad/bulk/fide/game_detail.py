"""What every game gives to both sides, or why it gives nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from arpad.bulk.arrays import begins
from arpad.bulk.fide.editions import HUNDRED
from arpad.bulk.fide.kernel import BLACK, HALF_POINT, RATED, WHITE, WHY_NOT, ratings, weigh
from arpad.bulk.measures import Forecast
from arpad.bulk.tables.output import hundredths, numbers, words_of

if TYPE_CHECKING:
    from arpad.bulk.arrays import Bools, Int8s, Int64s, Ints
    from arpad.bulk.fide.kernel import Basis, CutGames
    from arpad.bulk.fide.lookups import RoundingTable
    from arpad.bulk.tables.game_columns import GameColumns


def gains(basis: Basis, games: GameColumns, cut: CutGames | None) -> tuple[Int64s, Int8s]:
    """The gain of both sides of every game, White's in the first row, and why some games are not rated."""
    parts = [weigh(basis, block) for block in games.blocks()]
    if not parts:
        return np.zeros((2, 0), dtype=np.int64), np.zeros(0, dtype=np.int8)
    white, black, why = (np.concatenate(column) for column in zip(*parts, strict=True))
    both = np.stack([white, black]).astype(np.int64)
    if cut is not None:
        both[cut.side, cut.game] += cut.gain
    return both, why


def k_of_sides(games: GameColumns, k: Ints) -> Ints:
    """The K of both sides of every game, White's in the first row."""
    return np.stack([k[games.white], k[games.black]])


def rounded_per_event(basis: Basis, games: GameColumns, cut: CutGames | None, k: Ints, by: RoundingTable) -> Int64s:
    """The changes of each player's events, rounded separately and added up, for a reading that requires it."""
    both, why = gains(basis, games, cut)
    both *= k * (why == RATED)
    player = np.concatenate([games.white, games.black])
    event = np.tile(games.events(), BLACK + 1)
    order = np.lexsort((event, player))
    rounded = np.zeros(len(basis.rating), dtype=np.int64)
    if len(order):
        began = begins(player[order], event[order])
        player = player[order][began]
        np.add.at(rounded, player, by.round(np.add.reduceat(both.ravel()[order], began)))
    return rounded


def changes_by_game(basis: Basis, games: GameColumns, cut: CutGames | None, k: Ints) -> Int64s:
    """Every player's change, where K differs from event to event."""
    both, why = gains(basis, games, cut)
    both *= k * (why == RATED)
    change = np.zeros(len(basis.rating), dtype=np.int64)
    np.add.at(change, games.white, both[WHITE])
    np.add.at(change, games.black, both[BLACK])
    return change


def forecast_of(basis: Basis, games: GameColumns, cut: CutGames | None, counted: Bools) -> Forecast:
    """The forecast of the counted games; one that is not rated has no expected score, and nobody on a list is new."""
    both, why = gains(basis, games, cut)
    score = games.half_points.astype(np.int64) * HALF_POINT
    white, black = (np.where(rating > 0, rating, np.nan) for rating in ratings(basis, games))
    expected = np.where(why == RATED, (score - both[WHITE]) / HUNDRED, np.nan)
    return Forecast.of_system(expected, score / HUNDRED, np.zeros(games.size, bool), white, black).where(counted)


def detail_of(basis: Basis, games: GameColumns, k: Ints, cut: CutGames | None, ids: pa.Array) -> pa.Table:
    """A row per game, in the order given: ratings, expected scores and changes of both sides."""
    both, why = gains(basis, games, cut)
    sides = [ratings(basis, block) for block in games.blocks()]
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
        columns |= {
            f"{name}_rating": numbers(rating, pa.int16(), rating <= 0),
            f"{name}_score": hundredths(points, np.zeros(games.size, dtype=bool)),
            f"{name}_expected": hundredths(points - both[side], unrated),
            f"{name}_change": hundredths(k[side] * both[side], unrated),
        }
    return pa.table(columns | {"rated": pa.array(rated), "why": words_of(why, WHY_NOT)})
