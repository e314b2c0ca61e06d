"""What is needed: the score that takes a rating to a target, and the rating for an expected score."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Exact, Figure, derived, hidden
from arpad.calculation.step import Step, known
from arpad.core import (
    DRAW,
    LOSS,
    LOWEST_RATING,
    WIN,
    Game,
    GlickoStanding,
    Player,
    Rating,
    as_day,
    as_opponents,
    as_player,
    number,
    rating_of,
    refused,
)
from arpad.errors import BadInput, Unsupported
from arpad.forecast.schedule import NotRatedGame, not_rated_games
from arpad.messages import Message, say
from arpad.systems.performance import lowest_rating
from arpad.systems.rating_change import GameChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from arpad.core import Number, Pace
    from arpad.systems.base import System
    from arpad.systems.rating_change import RatingChange

MOST_OPPONENTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChange:
    """What one score against all of the opponents gives."""

    score: Decimal
    change: Exact
    new_rating: Rating | None


@dataclass(frozen=True, kw_only=True)
class NeededScore(Answer):
    """The score that takes a rating to a target, and what every other score gives."""

    reach: Rating
    score: Decimal | None  # the least that reaches the target; None if even the full score does not
    why: Message | None  # why no score is enough
    games: int  # those that would be rated
    table: tuple[ScoreChange, ...]
    per_game: tuple[GameChange, ...] = hidden()  # the games as if they were drawn

    @derived
    def not_rated(self) -> tuple[NotRatedGame, ...]:
        """The games that would not be rated."""
        return not_rated_games(self.per_game)

    def summary(self) -> Sequence[Figure]:
        if self.score is None:
            return (Figure("score", say("forecast.need.out_of_reach"), self.why),)
        score = say("answers.score_of", score=self.score, games=self.games)
        return (Figure("score", score, say("forecast.need.to_reach", target=self.reach)),)


@dataclass(frozen=True, kw_only=True)
class NeededRating(Answer):
    """The lowest rating with a given expected score."""

    expected: Decimal
    rating: int

    def summary(self) -> Sequence[Figure]:
        return (Figure("rating", self.rating, say("forecast.need.for_expected", expected=self.expected)),)


def score_needed(
    system: System,
    player: Player | Number,
    against: Iterable[Player | Number],
    *,
    reach: Number,
    on: date,
    pace: Pace | None = None,
) -> NeededScore:
    """The least score against these opponents that takes the rating to `reach`, and what every score gives."""
    if issubclass(system.standing, GlickoStanding):
        raise Unsupported(say("forecast.refused.who_is_beaten", system=system.name), at="system")
    target, day, me = rating_of(reach, at="reach"), as_day(on), as_player(player)
    opponents, drawn = _rated_ones(system, me, _opponents(against), day, pace)
    scores = range(2 * len(opponents) + 1)
    rated = [system.rate(me, _with_score(opponents, half_points), on=day, pace=pace) for half_points in scores]
    reached = [one for one in rated if one.new_rating is not None and one.new_rating >= target]
    least = min(reached, key=lambda one: one.score, default=None)
    shown = least or rated[-1]
    return NeededScore(
        system=system.name,
        on=day,
        trail=shown.trail,
        remarks=lambda: shown.notes,
        reach=target,
        score=None if least is None else least.score,
        why=None if least is not None else _why_out_of_reach(rated[-1]),
        games=len(opponents),
        per_game=drawn,
        table=tuple(ScoreChange(score=one.score, change=one.change, new_rating=one.new_rating) for one in rated),
    )


def _why_out_of_reach(best: RatingChange) -> Message:
    """What even the full score gives."""
    if best.new_rating is None:
        return say("forecast.need.even_unrated", score=best.score, games=best.games)
    return say("forecast.need.even", score=best.score, games=best.games, rating=best.new_rating)


def _rated_ones(
    system: System, player: Player, opponents: list[Player], on: date, pace: Pace | None
) -> tuple[list[Player], tuple[GameChange, ...]]:
    """The opponents against whom a game would be rated, and every game as if it were drawn."""
    lines = system.rate(player, [Game(opponent, DRAW) for opponent in opponents], on=on, pace=pace).per_game
    rated = [opponent for opponent, line in zip(opponents, lines, strict=True) if line.rated]
    if not rated:
        raise BadInput(say("forecast.refused.none_rated", why=lines[0].why), at="against")
    return rated, lines


def rating_needed(system: System, against: Iterable[Player | Number], *, expected: Number, on: date) -> NeededRating:
    """The lowest rating that is expected to score so much against these opponents."""
    on = as_day(on)
    ratings = [one.rating_used for one in _opponents(against)]
    known_ratings: list[Rating] = [rating for rating in ratings if rating is not None]
    if len(known_ratings) < len(ratings):
        raise BadInput(say("forecast.refused.unrated_expected"), at="against")
    wanted = Decimal(_expected_score(expected, len(ratings)))
    for opponent in known_ratings:
        system.expected_score(opponent, on=on)  # a rating that the system cannot take is refused as it was given
    rating = lowest_rating(lambda gap: system.expected_score(gap, on=on), known_ratings, wanted)
    if rating is None:
        raise BadInput(say("forecast.refused.expected_high", expected=wanted, games=len(ratings)), at="expected")
    if rating < LOWEST_RATING:
        raise BadInput(say("forecast.refused.expected_low", expected=wanted, lowest=LOWEST_RATING), at="expected")
    rules = system.rulebook.at(on)
    met = {"opponents": tuple(known("opponent", opponent) for opponent in known_ratings)}
    expects = sum(system.expected_score(rating - opponent, on=on) for opponent in known_ratings)
    reached = Step("reached", expects, met, getattr(rules, "expected", None))
    step = Step("needed_rating", rating, {"wanted": known("wanted", wanted), "reached": reached})
    widest = max(rating - min(known_ratings), max(known_ratings) - rating)
    cap = getattr(rules, "cap", None)
    notes = [say("notes.cap.ignored", over=cap.value.over, cite=cap.cite)] if cap and widest > cap.value.over else []
    return NeededRating(system=system.name, on=on, trail=(step,), remarks=lambda: notes, expected=wanted, rating=rating)


def _expected_score(expected: Number, games: int) -> Rating:
    """An expected score that so many games can have."""
    score = number(expected, at="expected")
    if not 0 < score <= games:
        raise refused(expected, "expected", games=games, at="expected")
    return score


def _opponents(against: Iterable[Player | Number]) -> list[Player]:
    opponents = as_opponents(against)
    if not opponents:
        raise BadInput(say("forecast.refused.no_opponents"), at="against")
    if len(opponents) > MOST_OPPONENTS:
        raise BadInput(say("forecast.refused.opponents", opponents=len(opponents), most=MOST_OPPONENTS), at="against")
    return opponents


def _with_score(opponents: Sequence[Player], half_points: int) -> list[Game]:
    """Games with so many half points in all; who lost them does not matter to the sum."""
    wins, draws = divmod(half_points, 2)
    scores = [WIN] * wins + [DRAW] * draws + [LOSS] * (len(opponents) - wins - draws)
    return [Game(opponent, score) for opponent, score in zip(opponents, scores, strict=True)]
