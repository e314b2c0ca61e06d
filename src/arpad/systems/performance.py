"""Performance ratings: FIDE's, TPR, PTP, the linear rule of thumb and the logistic approximation."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Answer, Figure, Text
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step, found, known, ruled
from arpad.core import MOST_GAMES, Game, Rating, as_day, as_games
from arpad.core.numbers import ROUNDINGS, WHOLE_ROUNDINGS, half_up
from arpad.errors import BadInput, UnknownName
from arpad.messages import say
from arpad.rulebooks import TABLES, ExpectedTable, Rule, Rulebook, one_of, rounding_name, whole
from arpad.systems.answers import CountedGames, GameChange, not_rated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

LOGISTIC_SCALE = known("scale", 400)
FARTHEST = 10_000  # points; far beyond the end of any table and any sensible result


class PerformanceRules(NamedTuple):
    """The rules of performance ratings on a day."""

    expected: Rule[ExpectedTable]
    dp: Rule[Mapping[int, int]]
    average: Rule[str]
    percentage: Rule[str]
    played: Rule[str]
    ptp: Rule[str]
    ptp_zero: Rule[int]
    ptp_perfect: Rule[int]


PerformanceMethod = Literal["fide", "tpr", "ptp", "linear", "logistic"]
READERS: Mapping[str, Callable[[object], object]] = {
    **TABLES,
    "average": rounding_name,
    "percentage": rounding_name,
    "played": one_of("rated and played"),
    "ptp": one_of("lowest rating"),
    "ptp_zero": whole,
    "ptp_perfect": whole,
}


@cache
def rulebook(readings: tuple[tuple[str, str], ...] = ()) -> Rulebook[PerformanceRules]:
    """The rulebook of performance ratings under the chosen readings."""
    return Rulebook("fide-performance", PerformanceRules, READERS, readings=dict(readings))


def performance(
    games: Iterable[Game] | Game,
    *,
    on: date,
    method: PerformanceMethod = "fide",
    readings: Mapping[str, str] | None = None,
) -> Performance:
    """The performance rating of some games: `performance([win(1950), draw(2010)], on=day).performance`.

    Accepts games or a single one; `method` is fide, tpr, ptp, linear or logistic, and `readings` choose how a disputed
    rule is read. Gives a Performance. Raises UnknownName for another method or reading, and BadInput without a game
    against a rated opponent.
    """
    chosen = method.lower()
    if chosen not in METHODS:
        raise UnknownName("performance_method", method, known=METHODS, at="method")
    rules = rulebook(tuple(sorted((readings or {}).items()))).at(as_day(on))
    lines: list[GameChange] = []
    left_out: list[Step] = []
    for number, game in enumerate(as_games(games), start=1):
        rating = game.opponent.rating
        if game.how == "played" and rating is not None:
            lines.append(GameChange(opponent=rating, score=game.score))
        else:
            reason = "unrated" if game.how == "played" else game.how
            left_out.append(not_rated(number, game, reason, rules.played, rating))
            lines.append(GameChange.of(left_out[-1]))
    step = METHODS[chosen](_result(lines), rules)
    if left_out:
        step = step._replace(given={**step.given, "left_out": tuple(left_out)})
    return Performance(
        system="fide-performance",
        on=on,
        trail=(step,),
        method=chosen,
        performance=step.value,
        why=Reason(step) if step.value is None else None,
        per_game=tuple(lines),
    )


@dataclass(frozen=True, kw_only=True)
class Performance(CountedGames, Answer):
    """A performance rating."""

    method: Annotated[str, tuple(METHODS)]
    performance: int | None  # None if the method has no value for this score
    why: Text | None
    per_game: tuple[GameChange, ...]

    def summary(self) -> Sequence[Figure]:
        found = say("answers.none") if self.performance is None else self.performance
        return (
            Figure("performance", found, self.why or say(f"answers.method.{self.method}")),
            Figure("score", say("answers.score_of", score=self.score, games=self.games)),
        )


class Scored(NamedTuple):
    """The rated games of a performance: each opponent's rating, and the score as a step."""

    ratings: tuple[Rating, ...]
    score: Step
    games: Step


def _result(lines: Sequence[GameChange]) -> Scored:
    """The rated games with their totals; an error if there are none."""
    counted = [line for line in lines if line.rated and line.opponent is not None]
    if not counted:
        raise BadInput(say("systems.no_performance"), at="games")
    if len(lines) > MOST_GAMES:
        raise BadInput(say("values.too.many_games", games=len(lines), most=MOST_GAMES), at="games")
    return Scored(
        tuple(line.opponent for line in counted if line.opponent is not None),
        known("score", sum(line.score for line in counted)),
        known("games", len(counted)),
    )


def of_ratings(ratings: Iterable[Rating], score: Decimal, *, on: date) -> int:
    """FIDE's performance rating of games that are known to count."""
    met = tuple(ratings)
    rules = rulebook().at(on)
    total = sum(met)
    if isinstance(total, int):
        return in_whole_numbers(total, int(2 * score), len(met), rules)[1]
    return int(by_table(Scored(met, known("score", score), known("games", len(met))), rules).value)


def in_whole_numbers(total: int, halves: int, games: int, rules: PerformanceRules) -> tuple[int, int]:
    """The rounded average and FIDE's performance, from a sum of ratings and the score in half points."""
    average = WHOLE_ROUNDINGS[rules.average.value](total, games)
    percent = WHOLE_ROUNDINGS[rules.percentage.value](100 * halves, 2 * games)
    return average, average + rules.dp.value[percent]


def average_rating(ratings: Iterable[Rating], *, on: date) -> int:
    """The average rating of opponents, rounded as for performance ratings."""
    met = tuple(ratings)
    return int(_rounded_average(Scored(met, known("score", None), known("games", len(met))), rulebook().at(on)).value)


def by_table(result: Scored, rules: PerformanceRules) -> Step:
    """Rounded average plus dp of the rounded percentage (Title Regulations 1.4.7 to 1.4.9; C.07 10.2)."""
    rounded = _rounded_average(result, rules)
    share = found("percentage", formulas.average, total=result.score, games=result.games)
    percent = ruled(
        "percentage.rounded", rules.percentage, ROUNDINGS[rules.percentage.value](100 * share.value), share=share
    )
    key = "dp.notional" if percent.value in (0, 100) else "dp"
    dp = ruled(key, rules.dp, rules.dp.value[percent.value], percentage=percent)
    return found("performance", formulas.performance, average=rounded, dp=dp)


def _rounded_average(result: Scored, rules: PerformanceRules) -> Step:
    average = average_of(result)
    return ruled("average.rounded", rules.average, ROUNDINGS[rules.average.value](average.value), average=average)


def average_of(result: Scored) -> Step:
    """The opponents' average, exactly."""
    return found("average", formulas.average, total=known("ratings", Decimal(sum(result.ratings))), games=result.games)


def by_sum(result: Scored, rules: PerformanceRules) -> Step:
    """PTP: the lowest rating expected to reach the score (C.07 10.3)."""
    if any(not isinstance(rating, int) for rating in result.ratings):
        raise BadInput(say("systems.ptp_whole"), at="games")
    if result.score.value == 0:
        return found(
            "performance.ptp",
            formulas.difference,
            rating=known("lowest", min(result.ratings)),
            opponent=ruled("ptp_zero", rules.ptp_zero, rules.ptp_zero.value),
        )
    if result.score.value == result.games.value:
        return found(
            "performance.ptp",
            formulas.performance,
            average=known("highest", max(result.ratings)),
            dp=ruled("ptp_perfect", rules.ptp_perfect, rules.ptp_perfect.value),
        )
    table = rules.expected.value
    rating = lowest_rating(table.expected, result.ratings, result.score.value)
    if rating is None:  # only with a custom table: a packaged one ends with 1
        return Step("performance.ptp", None, {"score": result.score}, rules.expected)
    reached, below = (
        ruled(key, rules.expected, sum(table.expected(tried - int(opponent)) for opponent in result.ratings))
        for key, tried in (("reached", rating), ("reached.below", rating - 1))
    )
    return ruled("performance.ptp", rules.ptp, rating, score=result.score, below=below, reached=reached)


def lowest_rating(expected: Callable[[Any], Decimal], opponents: Sequence[Rating], score: Decimal) -> int | None:
    """The lowest whole rating whose expected scores add up to at least a score; None if there is none."""

    def reached(rating: int) -> bool:
        return sum(expected(rating - opponent) for opponent in opponents) >= score

    low, high = int(min(opponents)) - FARTHEST, int(max(opponents)) + FARTHEST
    if not reached(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle + 1, high)
    return low


def _by_line(result: Scored, _: PerformanceRules) -> Step:
    """The linear rule of thumb: ±400 points for a win or a loss."""
    exact = found(
        "performance.linear",
        formulas.linear_performance,
        average=average_of(result),
        score=result.score,
        games=result.games,
    )
    return _shown(exact)


def _by_curve(result: Scored, rules: PerformanceRules) -> Step:
    """The logistic approximation, 400·log10(S/(N−S)); it has no value for a perfect or a zero score."""
    score, games = result.score.value, result.games.value
    if score in (0, games):
        return Step("performance.none", None, {"score": result.score}, words={"dp": rules.dp.value[100]})
    odds = found("odds", formulas.odds, score=result.score, games=result.games)
    log = Step("log", odds.value.log10(), {"odds": odds})
    exact = found(
        "performance.logistic", formulas.logistic_performance, average=average_of(result), scale=LOGISTIC_SCALE, log=log
    )
    return _shown(exact)


def _shown(exact: Step) -> Step:
    """The result of a rule of thumb: no article, shown as a whole number."""
    return Step("performance.rounded", half_up(exact.value), {"exact": exact})


METHODS: Mapping[str, Callable[[Scored, PerformanceRules], Step]] = {
    "fide": by_table,
    "tpr": by_table,
    "ptp": by_sum,
    "linear": _by_line,
    "logistic": _by_curve,
}
