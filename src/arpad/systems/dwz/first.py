"""The first DWZ of one newcomer who met rated players, by the rating order in force since June 2026."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, known, ruled
from arpad.core import DRAW
from arpad.core.numbers import ROUNDINGS
from arpad.errors import Unsupported
from arpad.messages import say
from arpad.systems import by_k
from arpad.systems.draw_models import normal
from arpad.systems.first_rating import FirstRating, judged_games

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from arpad.calculation.answer import Text
    from arpad.core import Event, Game, Pace, Rating
    from arpad.rulebooks import Rule
    from arpad.systems.dwz.rules import DwzRules, FirstDwz

HIGHEST = 8000.0  # limit of the search for a performance, up and down
DECIMALS = 6  # of a performance


def first_rating(method: by_k.ByK, games: Iterable[Game | Event], *, on: date, pace: Pace | None = None) -> FirstRating:
    """A first DWZ by the rules of the day, or what is still missing; games of several events count together."""
    rules: DwzRules = method.book.at(on)
    rule = rules.first_rating
    if rule is None:
        since = method.book.rules["first_rating"][0].since
        raise Unsupported(say("systems.dwz.no_first", since=since), at="on")
    lines = judged_games(games, rules.unplayed, pace)
    counted = [line for line in lines if line.rated]
    score = sum((line.score for line in counted), Decimal(0))
    so_far = _first([line.opponent for line in counted if line.opponent is not None], score, rule, rules)
    first, missing = _verdict(so_far, len(counted), rule)
    return FirstRating.of(
        method.name,
        on,
        first=first,
        missing=missing,
        so_far=so_far,
        per_game=lines,
        remarks=partial(date_notes, method.book, on),
    )


def _first(opponents: list[Rating], score: Decimal, rule: Rule[FirstDwz], rules: DwzRules) -> Step | None:
    """The DWZ from the games; None without a point."""
    if score == 0:
        return None
    performance = performance_of(opponents, score, rules)
    _, level, share, least = rule.value
    exact = performance.value
    if exact < least:
        exact = least + share * (level - least) * exact / least
    elif exact < level:
        exact += share * (level - exact)
    return ruled("first.dwz", rule, ROUNDINGS[rules.rounding.value](exact), performance=performance)


def performance_of(opponents: list[Rating], score: Decimal, rules: DwzRules) -> Step:
    """The performance in games with at least half a point: the rating for which the score was expected."""
    if score == len(opponents):
        # A perfect score has no performance: a draw against the opponents' average is added.
        average = sum(map(Decimal, opponents), Decimal(0)) / len(opponents)
        opponents, score = [*opponents, average], score + DRAW
    return ruled(
        "performance.dwz",
        rules.expected,
        _performance([float(rating) for rating in opponents], float(score), rules.expected.value * sqrt(2)),
        games=known("rated_games", len(opponents)),
        score=known("score_sum", score),
    )


def _performance(opponents: list[float], score: float, deviation: float) -> Decimal:
    """The rating whose expected scores add up to the score, by bisection; never below zero."""
    low, high = -HIGHEST, HIGHEST
    while high - low > 10 ** -(DECIMALS + 1):
        middle = (low + high) / 2
        expected = sum(normal((middle - opponent) / deviation) for opponent in opponents)
        low, high = (middle, high) if expected < score else (low, middle)
    return max(Decimal(0), Decimal(repr(round(high, DECIMALS))))


def _verdict(so_far: Step | None, games: int, rule: Rule[FirstDwz]) -> tuple[Step, tuple[Text, ...]]:
    """The first DWZ, or a step without a value and what is missing."""
    counted = known("games", games)
    if so_far is not None and games >= rule.value.games:
        return so_far, ()
    missing: list[Text] = []
    if games < rule.value.games:
        missing.append(say("systems.first.games", games=rule.value.games - games))
    if so_far is None:
        missing.append(say("systems.dwz.first_point"))
    given = {"games": counted} if so_far is None else {"games": counted, "rating": so_far}
    return Step("first.not_yet", None, given, rule), tuple(missing)
