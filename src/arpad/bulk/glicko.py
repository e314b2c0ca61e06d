"""Glicko for columns, a period at a time, by the formulas of the scalar system."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arpad.bulk.methods import BySums, GlickoColumns, Method, Pairs, Standings, SumByPlayer, at_start
from arpad.calculation import formulas
from arpad.calculation.step import known
from arpad.systems.glicko import curve
from arpad.systems.glicko.glicko1 import Glicko, elo_curve
from arpad.systems.glicko.rating import start_standing

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from arpad.bulk.tables.columns import Bools, Floats
    from arpad.calculation.step import Formula


SETTINGS = Glicko.settings()


class GlickoPool(NamedTuple):
    """The settings of a pool: the curve, the growth of a deviation per period, its ceiling, and its floor if any."""

    scale: float
    q: float
    c: float
    most: float
    floor: float | None


def build(on: date | None, **settings: Any) -> Method:
    """Glicko with a pool's own c, floor and start values."""
    given = Glicko("glicko", **settings)
    day = given.rulebook.checked if on is None else on
    rules = given.rulebook.at(day)
    first = start_standing(rules.start, given.start)
    start, elo, c = (first.rating, first.deviation), elo_curve(rules.scale), known("c", given.growth())
    pool = GlickoPool(elo.scale.value, elo.q.value, c.value, rules.most_deviation.value, given.floor)
    floor = () if given.floor is None else (known("floor", given.floor),)
    by_sums = BySums(partial(add_up, pool), partial(update, pool))
    return Method(
        "glicko",
        day,
        (*start, elo.q, c, *floor),
        partial(at_start, start),
        partial(expected, pool),
        by_sums.rate,
        by_sums=by_sums,
    )


def onset(pool: GlickoPool, standings: Standings) -> Floats:
    """Step 1: every deviation grows by a period, up to that of an unrated player; a newcomer's does not grow yet."""
    grown = np.minimum(curve.grown(standings.deviation, 1, pool.c), pool.most)
    # A given deviation above the ceiling is lowered to it, as in the scalar system.
    deviation: Floats = np.where(standings.played, grown, standings.deviation)
    return deviation


def expected(pool: GlickoPool, standings: Standings, games: Pairs) -> Floats:
    """White's expected scores, with the deviations of both players taken into account."""
    deviation = onset(pool, standings)
    both = curve.both(deviation[games.white], deviation[games.black])
    g = curve.g(curve.times_q(pool.q, both))
    return _expected(pool, g, standings.rating[games.white], standings.rating[games.black])


def _expected(pool: GlickoPool, g: Floats, rating: Floats, opponent: Floats) -> Floats:
    score: Floats = formulas.logistic(curve.weighted_difference(g, rating, opponent), pool.scale)
    return score


def sums_by_player(
    games: Pairs, g: Floats, strength: Floats, expected: Formula | Callable[[Floats, Floats, Floats], Floats]
) -> GlickoColumns:
    """The sums by player; `g` and `strength` are columns by player, `expected` is a curve of g, own and opponent's."""
    surprise, information = SumByPlayer(len(g)), SumByPlayer(len(g))
    for block in games.blocks():
        g_white, g_black = g[block.white], g[block.black]
        white, black = strength[block.white], strength[block.black]
        of_white, of_black = expected(g_black, white, black), expected(g_white, black, white)
        surprise.add(
            block,
            curve.surprise(g_black, block.score, of_white),
            curve.surprise(g_white, 1 - block.score, of_black),
        )
        information.add(block, curve.information(g_black, of_white), curve.information(g_white, of_black))
    return GlickoColumns(surprise.total(), information.total())


def add_up(pool: GlickoPool, before: Standings, games: Pairs) -> GlickoColumns:
    """The sums of step 2, from the deviations of step 1."""
    g = curve.g(curve.times_q(pool.q, onset(pool, before)))
    return sums_by_player(games, g, before.rating, partial(_expected, pool))


def update(pool: GlickoPool, before: Standings, sums: GlickoColumns, playing: Bools) -> Standings:
    """Step 1 for every player, step 2 for those who play."""
    rating, deviation = before.rating.copy(), onset(pool, before)
    who = np.flatnonzero(playing)
    surprise, information = (column[who] for column in sums)
    deviation[who] = curve.new_deviation(deviation[who], curve.d_squared(pool.q, information))
    rating[who] = curve.new_rating(rating[who], pool.q, deviation[who], surprise)
    if pool.floor is not None:
        deviation = np.maximum(deviation, pool.floor)
    return Standings(rating, before.played | playing, deviation)
