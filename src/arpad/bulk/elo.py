"""Plain Elo for columns: all games of a period at once, or game by game in their order."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import numpy as np

from arpad.bulk.methods import Method, Pairs, Standings, SumByPlayer, at_start, those_who_play
from arpad.calculation import formulas
from arpad.calculation.step import known, ruled
from arpad.core import Number, number, rating_of
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.elo import Elo

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Bools, Floats
    from arpad.systems.base import Setting

SETTINGS = ("k", "scale", "white", "rating", "by")
WAYS = ("period", "game")
FORMULAS = (formulas.logistic.function, formulas.change.function)
START = 1500  # only differences matter, so this is a convention


Ratings = TypeVar("Ratings", list[float], "Floats")


def elo(
    on: date | None,
    *,
    k: Number | None = None,
    scale: Number | None = None,
    white: Setting = None,
    rating: Setting = None,
    by: Setting = "period",
) -> Method:
    """Plain Elo with a club's own K and scale, White's advantage, and the newcomers' rating."""
    if by not in WAYS:
        raise BadInput(say("bulk.error.elo_by", ways=WAYS, by=by), at="by")
    club = Elo("elo", k=k, scale=scale)
    day = club.rulebook.checked if on is None else on
    clauses = club.rulebook.at(day)
    steps = (
        ruled("k.other", clauses.k, clauses.k.value) if club.k is None else known("k.given", club.k),
        ruled("scale", clauses.scale, clauses.scale.value) if club.scale is None else known("scale", club.scale),
        known("advantage", 0 if white is None else number(white, at="white")),
        known("rating.newcomers", START if rating is None else rating_of(rating, at="rating")),
        known("by", by),
    )
    pool = EloPool(*(float(step.value) for step in steps[:3]))
    in_order = by == "game"
    rate = pool.rate_in_order if in_order else pool.rate_period
    return Method("elo", day, steps, partial(at_start, steps[3:4]), pool.expected, rate, in_order)


class EloPool(NamedTuple):
    """The settings of a pool; `white` is the advantage of the first move, in points."""

    k: float
    scale: float
    white: float

    def expected(self, standings: Standings, games: Pairs) -> Floats:
        """White's expected scores."""
        white, black = standings.rating[games.white], standings.rating[games.black]
        score: Floats = formulas.logistic(formulas.difference(white + self.white, black), self.scale)
        return score

    def rate_period(self, before: Standings, games: Pairs, _own: Bools | None = None, /) -> Standings:
        """Rate all games of a period from the ratings before it."""
        changes = SumByPlayer(len(before.rating))
        for block in games.blocks():
            change = formulas.change(self.k, block.score, self.expected(before, block))
            changes.add(block, change, -change)
        return _after(before, games, before.rating + changes.total())

    def rate_in_order(self, before: Standings, games: Pairs, _own: Bools | None = None, /) -> Standings:
        """Rate each game from the ratings after the one before it, with compiled code if numba is installed."""
        loop = compiled()
        if loop is None:
            return self.in_plain_order(before, games)
        return _after(before, games, loop(before.rating.copy(), games, self))

    def in_plain_order(self, before: Standings, games: Pairs) -> Standings:
        """The same without a compiler, with lists: they give single numbers three times as fast as arrays."""
        plain = Pairs(*(column.tolist() for column in games))
        return _after(before, games, np.array(_in_order(before.rating.tolist(), plain, self, *FORMULAS)))


def _after(before: Standings, games: Pairs, rating: Floats) -> Standings:
    return before._replace(rating=rating, played=before.played | those_who_play(games, len(rating)))


def _in_order(
    rating: Ratings,
    games: Pairs,
    pool: EloPool,
    logistic: Callable[[float, float], float],
    change_of: Callable[[float, float, float], float],
) -> Ratings:
    """The loop itself, for Python and for the compiler; the formulas are passed in, plain or compiled."""
    for game in range(len(games.score)):
        white, black = games.white[game], games.black[game]
        difference = rating[white] + pool.white - rating[black]
        change = change_of(pool.k, games.score[game], logistic(difference, pool.scale))
        rating[white] += change
        rating[black] -= change
    return rating


@cache
def compiled() -> Callable[[Floats, Pairs, EloPool], Floats] | None:
    """The loop compiled together with the formulas; None without numba."""
    try:
        from numba import njit
    except ImportError:
        return None
    loop = cast("Callable[..., Floats]", njit(_in_order))  # numba's types do not say it
    arithmetic = [njit(formula) for formula in FORMULAS]
    return lambda rating, games, pool: loop(rating, games, pool, *arithmetic)
