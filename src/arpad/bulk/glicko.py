"""Glicko and Glicko-2 for columns, a period at a time, by the formulas of the scalar systems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arpad.bulk.methods import BySums, GlickoColumns, Method, Pairs, Standings, SumByPlayer, at_start
from arpad.calculation import formulas
from arpad.calculation.step import known
from arpad.systems.glicko import curve
from arpad.systems.glicko.curve import Evidence, Maths, new_volatility
from arpad.systems.glicko.glicko1 import Glicko, elo_curve
from arpad.systems.glicko.glicko2 import Glicko2, constants_of
from arpad.systems.glicko.rating import start_standing

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Bools, Floats
    from arpad.calculation.step import Formula

COLUMNS = Maths(np.log, np.where, np.any)
SEARCHED = 1 << 12  # players whose volatility is searched for at a time


def glicko(on: date | None, **settings: Any) -> Method:
    """Glicko with a pool's own c, floor and start values."""
    given = Glicko("glicko", **settings)
    day = given.rulebook.checked if on is None else on
    rules = given.rulebook.at(day)
    first = start_standing(rules.start, given.start)
    start, elo, c = (first.rating, first.deviation), elo_curve(rules.scale), known("c", given.growth())
    pool = GlickoPool(elo.scale.value, elo.q.value, c.value, rules.most_deviation.value, given.floor)
    floor = () if given.floor is None else (known("floor", given.floor),)
    by_sums = BySums(pool.add_up, pool.update)
    newcomers = partial(at_start, start)
    return Method("glicko", day, (*start, elo.q, c, *floor), newcomers, pool.expected, by_sums.rate, by_sums=by_sums)


class GlickoPool(NamedTuple):
    """The settings of a pool: the curve, the growth of a deviation per period, its ceiling, and its floor if any."""

    scale: float
    q: float
    c: float
    most: float
    floor: float | None

    def expected(self, standings: Standings, games: Pairs) -> Floats:
        """White's expected scores, with the deviations of both players taken into account."""
        deviation = self.onset(standings)
        both = curve.both(deviation[games.white], deviation[games.black])
        g = curve.g(curve.times_q(self.q, both))
        return self.expected_of(g, standings.rating[games.white], standings.rating[games.black])

    def expected_of(self, g: Floats, rating: Floats, opponent: Floats) -> Floats:
        """The expected scores of some players against opponents whose results weigh as much as `g` says."""
        score: Floats = formulas.logistic(curve.weighted_difference(g, rating, opponent), self.scale)
        return score

    def onset(self, standings: Standings) -> Floats:
        """Step 1: every deviation grows by a period, up to an unrated player's; a newcomer's does not grow yet."""
        grown = np.minimum(curve.grown(standings.deviation, 1, self.c), self.most)
        # A given deviation above the ceiling is lowered to it, as in the scalar system.
        deviation: Floats = np.where(standings.played, grown, standings.deviation)
        return deviation

    def add_up(self, before: Standings, games: Pairs) -> GlickoColumns:
        """The sums of step 2, from the deviations of step 1."""
        g = curve.g(curve.times_q(self.q, self.onset(before)))
        return sums_by_player(games, g, before.rating, self.expected_of)

    def update(self, before: Standings, sums: GlickoColumns, playing: Bools) -> Standings:
        """Step 1 for every player, step 2 for those who play."""
        rating, deviation = before.rating.copy(), self.onset(before)
        who = np.flatnonzero(playing)
        surprise, information = (column[who] for column in sums)
        deviation[who] = curve.new_deviation(deviation[who], curve.d_squared(self.q, information))
        rating[who] = curve.new_rating(rating[who], self.q, deviation[who], surprise)
        if self.floor is not None:
            deviation = np.maximum(deviation, self.floor)
        return Standings(rating, before.played | playing, deviation)


def glicko2(on: date | None, **settings: Any) -> Method:
    """Glicko-2 with a pool's own τ and start values."""
    given = Glicko2("glicko-2", **settings)
    day = given.rulebook.checked if on is None else on
    rules = given.rulebook.at(day)
    start = [step for step in start_standing(rules.start, given.start) if step is not None]
    constants = constants_of(rules, given.tau, given.tolerance)
    centre, points = (step.value for step in constants.scale)
    pool = Glicko2Pool(centre, points, constants.tau.value, constants.tolerance, constants.growth.value)
    by_sums = BySums(pool.add_up, pool.update)
    newcomers, shown = partial(at_start, start), (*start, constants.tau, constants.growth)
    return Method("glicko-2", day, shown, newcomers, pool.expected, by_sums.rate, by_sums=by_sums)


class Glicko2Pool(NamedTuple):
    """The constants of a pool: of its inner scale, of the search for a volatility, and of a deviation's growth."""

    centre: float
    points: float
    tau: float
    tolerance: float
    growth: float

    def expected(self, standings: Standings, games: Pairs) -> Floats:
        """White's expected scores, with the deviations of both players taken into account."""
        both = curve.both(standings.deviation[games.white], standings.deviation[games.black])
        mu = curve.mu(standings.rating, self.centre, self.points)
        score: Floats = curve.expected(curve.g(curve.phi(both, self.points)), mu[games.white], mu[games.black])
        return score

    def add_up(self, before: Standings, games: Pairs) -> GlickoColumns:
        """The sums of steps 3 and 4."""
        mu, phi = self.inner(before)
        return sums_by_player(games, curve.g(phi), mu, curve.expected)

    def inner(self, standings: Standings) -> tuple[Floats, Floats]:
        """Step 2: ratings and deviations on the inner scale."""
        return (
            curve.mu(standings.rating, self.centre, self.points),
            curve.phi(standings.deviation, self.points),
        )

    def update(self, before: Standings, sums: GlickoColumns, playing: Bools) -> Standings:
        """Steps 2 to 8 for those who play; the deviation of those who played before, but not now, grows by a period."""
        mu, phi = self.inner(before)
        who, idle = np.flatnonzero(playing), np.flatnonzero(before.played & ~playing)
        surprise, information = (column[who] for column in sums)
        rating, deviation, volatility = before.rating.copy(), before.deviation.copy(), before.volatility.copy()
        deviation[idle] = curve.deviation(self.points, curve.grown(phi[idle], 1, volatility[idle]))
        v = curve.v(information)
        delta = curve.delta(v, surprise)
        volatility[who] = self.volatilities(Evidence(volatility[who], phi[who], v, delta))
        star = curve.grown(phi[who], self.growth, volatility[who])
        new_phi = curve.new_deviation(star, v)
        rating[who] = curve.rating(self.points, curve.new_mu(mu[who], new_phi, surprise), self.centre)
        deviation[who] = curve.deviation(self.points, new_phi)
        return Standings(rating, before.played | playing, deviation, volatility)

    def volatilities(self, seen: Evidence) -> Floats:
        """Step 5, some players at a time: intermediate arrays stay in the cache, and few wait for the slowest."""
        found = np.empty(len(seen.v))
        for first in range(0, len(found), SEARCHED):
            chunk = slice(first, first + SEARCHED)
            found[chunk] = new_volatility(
                Evidence(*(column[chunk] for column in seen)), tau=self.tau, tolerance=self.tolerance, maths=COLUMNS
            )
        return found


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
