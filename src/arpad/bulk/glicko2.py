"""Glicko-2 for columns, a period at a time, by the formulas of the scalar system."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from arpad.bulk.glicko import sums_by_player
from arpad.bulk.methods import BySums, GlickoColumns, Method, Pairs, Standings, at_start
from arpad.systems.glicko import curve
from arpad.systems.glicko.curve import Evidence, Maths, new_volatility
from arpad.systems.glicko.glicko2 import Constants, Glicko2, constants_of
from arpad.systems.glicko.rating import start_standing

if TYPE_CHECKING:
    from datetime import date

    from arpad.bulk.tables.columns import Bools, Floats

SETTINGS = Glicko2.settings()
COLUMNS = Maths(np.log, np.where, np.any)
SEARCHED = 1 << 12  # players at a time


def build(on: date | None, **settings: Any) -> Method:
    """Glicko-2 with a pool's own τ and start values."""
    given = Glicko2("glicko-2", **settings)
    day = given.rulebook.checked if on is None else on
    rules = given.rulebook.at(day)
    start = [step for step in start_standing(rules.start, given.start) if step is not None]
    constants = constants_of(rules, given.tau, given.tolerance)
    by_sums = BySums(partial(add_up, constants), partial(update, constants))
    return Method(
        "glicko-2",
        day,
        (*start, constants.tau, constants.growth),
        partial(at_start, start),
        partial(expected, constants),
        by_sums.rate,
        by_sums=by_sums,
    )


def expected(constants: Constants, standings: Standings, games: Pairs) -> Floats:
    """White's expected scores, with the deviations of both players taken into account."""
    centre, points = (step.value for step in constants.scale)
    both = curve.both(standings.deviation[games.white], standings.deviation[games.black])
    mu = curve.mu(standings.rating, centre, points)
    score: Floats = curve.expected(curve.g(curve.phi(both, points)), mu[games.white], mu[games.black])
    return score


def add_up(constants: Constants, before: Standings, games: Pairs) -> GlickoColumns:
    """The sums of steps 3 and 4."""
    centre, points = (step.value for step in constants.scale)
    mu, phi = curve.mu(before.rating, centre, points), curve.phi(before.deviation, points)
    return sums_by_player(games, curve.g(phi), mu, curve.expected)


def update(constants: Constants, before: Standings, sums: GlickoColumns, playing: Bools) -> Standings:
    """Steps 2 to 8 for those who play; the deviation of those who played before, but not now, grows by a period."""
    centre, points = (step.value for step in constants.scale)
    mu, phi = curve.mu(before.rating, centre, points), curve.phi(before.deviation, points)
    who, idle = np.flatnonzero(playing), np.flatnonzero(before.played & ~playing)
    surprise, information = (column[who] for column in sums)
    rating, deviation, volatility = before.rating.copy(), before.deviation.copy(), before.volatility.copy()
    deviation[idle] = curve.deviation(points, curve.grown(phi[idle], 1, volatility[idle]))
    v = curve.v(information)
    delta = curve.delta(v, surprise)
    volatility[who] = _volatilities(Evidence(volatility[who], phi[who], v, delta), constants)
    star = curve.grown(phi[who], constants.growth.value, volatility[who])
    new_phi = curve.new_deviation(star, v)
    rating[who] = curve.rating(points, curve.new_mu(mu[who], new_phi, surprise), centre)
    deviation[who] = curve.deviation(points, new_phi)
    return Standings(rating, before.played | playing, deviation, volatility)


def _volatilities(seen: Evidence, constants: Constants) -> Floats:
    """Step 5, some players at a time: intermediate arrays stay in the cache, and few wait for the slowest."""
    found = np.empty(len(seen.v))
    for first in range(0, len(found), SEARCHED):
        chunk = slice(first, first + SEARCHED)
        found[chunk] = new_volatility(
            Evidence(*(column[chunk] for column in seen)),
            tau=constants.tau.value,
            tolerance=constants.tolerance,
            maths=COLUMNS,
        )
    return found
