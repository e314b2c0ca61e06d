"""Plain Elo for columns: all games of a period at once, or game by game in their order."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arpad.bulk.methods import Method, Pairs, Standings, SumByPlayer, at_start, those_who_play
from arpad.calculation import formulas
from arpad.calculation.step import known, ruled
from arpad.core import Number, Rating, number, rating_of
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.elo import Elo

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from arpad.bulk.tables.columns import Bools, Floats
    from arpad.systems.base import Setting

SETTINGS = ("k", "scale", "white", "rating", "by")
WAYS = ("period", "game")
FORMULAS = (formulas.logistic.function, formulas.change.function)
START = 1500  # only differences matter, so this is a convention


class EloPool(NamedTuple):
    """The settings of a pool; `white` is the advantage of the first move, in points."""

    k: float
    scale: float
    white: float

    def expected(self, rating: Floats, opponent: Floats) -> Floats:
        """White's expected score."""
        score: Floats = formulas.logistic(formulas.difference(rating + self.white, opponent), self.scale)
        return score


def build(
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
        known("advantage", _white_of(white)),
        known("rating.newcomers", START if rating is None else rating_of(rating, at="rating")),
        known("by", by),
    )
    elo = EloPool(*(float(step.value) for step in steps[:3]))
    in_order = by == "game"
    rate = partial(rate_in_order if in_order else rate_period, elo)
    return Method("elo", day, steps, partial(at_start, steps[3:4]), partial(expected, elo), rate, in_order)


def _white_of(value: Setting) -> Rating:
    if value is None:
        return 0
    return number(value, at="white")


def expected(elo: EloPool, standings: Standings, games: Pairs) -> Floats:
    """White's expected scores."""
    return elo.expected(standings.rating[games.white], standings.rating[games.black])


def rate_period(elo: EloPool, before: Standings, games: Pairs, _own: Bools | None = None) -> Standings:
    """Rate all games of a period from the ratings before it."""
    changes = SumByPlayer(len(before.rating))
    for block in games.blocks():
        change = formulas.change(elo.k, block.score, expected(elo, before, block))
        changes.add(block, change, -change)
    return _after(before, games, before.rating + changes.total())


def rate_in_order(elo: EloPool, before: Standings, games: Pairs, _own: Bools | None = None) -> Standings:
    """Rate each game from the ratings after the one before it, with compiled code if numba is installed."""
    loop = compiled()
    if loop is None:
        return in_plain_order(elo, before, games)
    return _after(before, games, loop(before.rating.copy(), games, elo))


def in_plain_order(elo: EloPool, before: Standings, games: Pairs) -> Standings:
    """The same without a compiler, with lists: single numbers are read three times as fast from them as from arrays."""
    plain = Pairs(*(column.tolist() for column in games))
    return _after(before, games, np.array(_in_order(before.rating.tolist(), plain, elo, *FORMULAS)))


def _after(before: Standings, games: Pairs, rating: Floats) -> Standings:
    return before._replace(rating=rating, played=before.played | those_who_play(games, len(rating)))


def _in_order(
    rating: Any, games: Pairs, elo: EloPool, logistic: Callable[..., Any], change_of: Callable[..., Any]
) -> Any:
    """The loop itself, for Python and for the compiler; the formulas are passed in, plain or compiled."""
    for game in range(len(games.score)):
        white, black = games.white[game], games.black[game]
        difference = rating[white] + elo.white - rating[black]
        change = change_of(elo.k, games.score[game], logistic(difference, elo.scale))
        rating[white] += change
        rating[black] -= change
    return rating


@cache
def compiled() -> Callable[..., Any] | None:
    """The loop compiled together with the formulas; None without numba."""
    try:
        from numba import njit
    except ImportError:
        return None
    loop, arithmetic = njit(_in_order), [njit(formula) for formula in FORMULAS]
    return lambda rating, games, elo: loop(rating, games, elo, *arithmetic)
