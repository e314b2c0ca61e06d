"""What is needed: the score that takes a rating to a target, and the rating for an expected score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

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
    deviation_of,
    number,
    rating_of,
    refused,
)
from arpad.errors import BadInput
from arpad.forecast.distribution import convolved
from arpad.forecast.glicko_needs import MOST_TRIED, is_exact, rating_with_deviation, score_ranges
from arpad.forecast.outlook import chance_steps
from arpad.forecast.schedule import Model, NotRatedGame, not_rated_games
from arpad.forecast.targets import percent
from arpad.forecast.typical import Typical, assume
from arpad.messages import FieldName, Message, say
from arpad.systems.answers import GameChange, ListAhead
from arpad.systems.chances import CALIBRATED, DrawModel
from arpad.systems.fide.k import list_ahead
from arpad.systems.glicko.rating import GlickoChange, GlickoSystem
from arpad.systems.performance import lowest_rating

if TYPE_CHECKING:
    from arpad.core import Number, Pace
    from arpad.forecast.glicko_needs import ScoreRange
    from arpad.systems.answers import RatingChange
    from arpad.systems.base import System


MOST_OPPONENTS = 100


def score_needed(
    system: System,
    player: Player | Number,
    against: Iterable[Player | Number],
    *,
    reach: Number | Sequence[Number],
    on: date,
    pace: Pace | None = None,
    strength: Number | None = None,
    draws: DrawModel = CALIBRATED,
    typical: bool = False,
) -> NeededScore:
    """The least score against these opponents that reaches each target, its chance, and what every other score gives.

    Accepts the opponents as ratings or players, and in `reach` one target or several.

    The chance is for a strength equal to the rating, unless `strength` is given or `typical` takes it from the age.
    In Glicko's family it matters who is beaten: the least score then reaches the target whoever that is, and another
    score may be enough. Gives a NeededScore. Raises BadInput if no game would be rated.
    """
    asked = reach if isinstance(reach, list | tuple) else (reach,)
    targets = list(dict.fromkeys(rating_of(target, at="reach") for target in asked))
    if not targets:
        raise BadInput(say("questions.reach_or_expected"), at="reach")
    day, me = as_day(on), as_player(player)
    opponents, drawn = _rated_opponents(system, me, _opponents(against), day, pace)
    best: list[ScoreRange] = []
    followed: tuple[Message, ...] = ()
    rated: Sequence[RatingChange]
    if isinstance(system, GlickoSystem):
        followed = () if is_exact(system, len(opponents)) else (say("notes.need.followed", most=MOST_TRIED),)
        best = score_ranges(system, me, opponents, day, pace)
        rated = [row.lowest for row in best]
    else:
        scores = range(2 * len(opponents) + 1)
        rated = [system.rate(me, _with_score(opponents, half_points), on=day, pace=pace) for half_points in scores]
    enough = [_least(rated, target) for target in targets]
    shown = enough[0] or rated[-1]
    likely = _likely(system, me, opponents, day, strength=strength, draws=draws, typical=typical)
    return NeededScore(
        system=system.name,
        on=day,
        trail=(*(likely.step(least.score) for least in enough if least is not None and likely.games), *shown.trail),
        remarks=lambda: (*shown.notes, *followed, *likely.notes),
        targets=tuple(
            _target(target, least, rated[-1], likely, _perhaps(best, target))
            for target, least in zip(targets, enough, strict=True)
        ),
        games=len(opponents),
        strength=likely.strength,
        typical=likely.typical,
        draws=draws,
        next_list=list_ahead(system.rulebook.at(day), me, [(shown.new_rating, 1)], games=shown.games, on=day),
        per_game=drawn,
        deviation=shown.deviation if isinstance(shown, GlickoChange) else None,
        deviation_assumed=isinstance(shown, GlickoChange) and GlickoStanding.of(me).deviation is None,
        table=tuple(
            ScoreChange(
                score=row.score,
                change=row.change,
                new_rating=row.new_rating,
                best_rating=best[place].highest.new_rating if best else None,
            )
            for place, row in enumerate(rated)
        ),
    )


@dataclass(frozen=True, kw_only=True)
class NeededScore(Answer):
    """The score that takes a rating to a target, or to each of several, and what every other score gives."""

    targets: tuple[TargetScore, ...]
    games: int  # those that would be rated
    strength: Rating | None  # that the chances are for
    typical: Typical | None  # what was assumed for the age, if that was asked
    draws: DrawModel
    next_list: ListAhead | None  # the list that the games enter, and K on it with the score that is needed
    deviation: Rating | None  # the player's own before the games, in Glicko's family
    deviation_assumed: bool
    table: tuple[ScoreChange, ...]
    per_game: tuple[GameChange, ...] = hidden()  # the games as if they were drawn

    @derived
    def reach(self) -> Rating:
        """The first target."""
        return self.targets[0].reach

    @derived
    def score(self) -> Decimal | None:
        """The least score that reaches the first target; None if even the full score does not."""
        return self.targets[0].score

    @derived
    def chance(self) -> float | None:
        """The chance of that score or more; None if a player has no rating."""
        return self.targets[0].chance

    @derived
    def why(self) -> Message | None:
        """Why no score is enough for the first target."""
        return self.targets[0].why

    @derived
    def not_rated(self) -> tuple[NotRatedGame, ...]:
        """The games that would not be rated."""
        return not_rated_games(self.per_game)

    def summary(self) -> Sequence[Figure]:
        return (
            *(figure for target in self.targets for figure in self._figures(target)),
            *([] if self.next_list is None else [self.next_list.figure]),
        )

    def _figures(self, target: TargetScore) -> Sequence[Figure]:
        """The score and its chance; the model is named once."""
        if target.score is None:
            return (Figure("score", say("forecast.need.out_of_reach"), target.why),)
        score = say("answers.score_of", score=target.score, games=self.games)
        by = say("forecast.need.or_more.by", strength=self.strength, model=self.draws.called)
        first = target is next(reachable for reachable in self.targets if reachable.score is not None)
        may = target.perhaps
        surely = "forecast.need.to_reach" if may is None or may == target.score else "forecast.need.to_reach.surely"
        figures = [
            Figure("score", score, say(surely, target=target.reach)),
            Figure("chance", percent(target.chance), by if first else say("forecast.need.or_more")),
        ]
        if may is not None and may != target.score:
            perhaps = say("answers.score_of", score=may, games=self.games)
            figures.append(Figure("score", perhaps, say("forecast.need.perhaps", target=target.reach)))
        if self.deviation is not None and first:
            figures.append(_deviation_figure(self.deviation, assumed=self.deviation_assumed))
        return figures


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetScore:
    """A rating to reach, and the score that it takes."""

    reach: Rating
    score: Decimal | None  # the least that reaches the target; None if even the full score does not
    chance: float | None  # of that score or more; None where a player has no rating
    why: Message | None  # why no score is enough
    perhaps: Decimal | None = None  # in Glicko's family: the least score that reaches it against the right opponents
    perhaps_results: tuple[Decimal, ...] = ()  # the results that do, in the order of the opponents
    perhaps_chance: float | None = None  # of that score or more, against anybody


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChange:
    """What one score against all of the opponents gives; in Glicko's family, at least and at best."""

    score: Decimal
    change: Exact
    new_rating: Rating | None
    best_rating: Rating | None = None  # None where only the score matters


def _rated_opponents(
    system: System, player: Player, opponents: list[Player], on: date, pace: Pace | None
) -> tuple[list[Player], tuple[GameChange, ...]]:
    """The opponents against whom a game would be rated, and every game as if it were drawn."""
    lines = system.rate(player, [Game(opponent, DRAW) for opponent in opponents], on=on, pace=pace).per_game
    rated = [opponent for opponent, line in zip(opponents, lines, strict=True) if line.rated]
    if not rated:
        raise BadInput(say("forecast.refused.none_rated", why=lines[0].why), at="against")
    return rated, lines


def _with_score(opponents: Sequence[Player], half_points: int) -> list[Game]:
    """Games with this many half points in total; which games they come from does not change the sum."""
    wins, draws = divmod(half_points, 2)
    scores = [WIN] * wins + [DRAW] * draws + [LOSS] * (len(opponents) - wins - draws)
    return [Game(opponent, score) for opponent, score in zip(opponents, scores, strict=True)]


def _least(rated: Sequence[RatingChange], target: Rating) -> RatingChange | None:
    """The calculation with the least score that reaches a target; None if there is none."""
    reached = [change for change in rated if change.new_rating is not None and change.new_rating >= target]
    return min(reached, key=lambda change: change.score, default=None)


def _perhaps(ranges: Sequence[ScoreRange], target: Rating) -> ScoreRange | None:
    """The range with the least score whose highest rating reaches a target; None if there is none."""
    return next(
        (row for row in ranges if row.highest.new_rating is not None and row.highest.new_rating >= target), None
    )


def _target(
    target: Rating, least: RatingChange | None, best: RatingChange, likely: _Likely, perhaps: ScoreRange | None
) -> TargetScore:
    """The score that a target takes or, if it is out of reach, what even the full score gives."""
    if least is None:
        values = {"target": target, "score": best.score, "games": best.games}
        why = say("forecast.need.even_unrated", **values)
        if best.new_rating is not None:
            why = say("forecast.need.even", **values, rating=best.new_rating)
        return TargetScore(reach=target, score=None, chance=likely.of(None), why=why)
    return TargetScore(
        reach=target,
        score=least.score,
        chance=likely.of(least.score),
        why=None,
        perhaps=None if perhaps is None else perhaps.highest.score,
        perhaps_results=() if perhaps is None else perhaps.highest_results,
        perhaps_chance=None if perhaps is None else likely.of(perhaps.highest.score),
    )


def _likely(
    system: System,
    me: Player,
    opponents: Sequence[Player],
    on: date,
    *,
    strength: Number | None,
    draws: DrawModel,
    typical: bool,
) -> _Likely:
    """How likely each score is; unknown if a player has no rating."""
    own, met = me.rating_used, [opponent.rating_used for opponent in opponents]
    ratings = [rating for rating in met if rating is not None]
    if own is None or len(ratings) < len(met):
        return _Likely()
    aim = assume(system, me, own, on=on, strength=strength, draws=draws, typical=typical)
    model = Model.on(on, system, aim.strength, draws)
    games = [model.chances(rating, None) for rating in ratings]
    against = chance_steps(aim, zip(ratings, games, strict=True))
    notes = (*aim.notes, *model.how_well(ratings, system.name))
    return _Likely(aim.strength, aim.typical, against, convolved(games), notes)


class _Likely(NamedTuple):
    """How likely each score is and for which strength, with steps and notes; empty where that is unknown."""

    strength: Rating | None = None
    typical: Typical | None = None
    games: tuple[Step, ...] = ()
    by_half_points: Sequence[float] = ()
    notes: tuple[Message, ...] = ()

    def of(self, score: Decimal | None) -> float | None:
        """The chance of a score or more; zero for None, which no score reaches."""
        if not self.games:
            return None
        return 0.0 if score is None else min(1.0, sum(self.by_half_points[int(2 * score) :]))

    def step(self, score: Decimal) -> Step:
        """That chance as a step, with the chances against each opponent."""
        return Step("chance", Decimal(self.of(score) or 0), {"chances": self.games}, words={"points": score})


def rating_needed(
    system: System,
    against: Iterable[Player | Number],
    *,
    expected: Number,
    on: date,
    deviation: Number | None = None,
) -> NeededRating:
    """The lowest rating whose expected score against these opponents is at least `expected`.

    Accepts the opponents as ratings or players. `deviation` is the player's own in Glicko's family; what is not given
    is assumed as in `expect`. Gives a NeededRating. Raises BadInput for an unrated opponent, and for an expected score
    that the games cannot give.
    """
    on = as_day(on)
    opponents = _opponents(against)
    ratings = [player.rating_used for player in opponents]
    known_ratings: list[Rating] = [rating for rating in ratings if rating is not None]
    if len(known_ratings) < len(ratings):
        raise BadInput(say("forecast.refused.unrated_expected"), at="against")
    score = number(expected, at="expected")
    if not 0 < score <= len(ratings):  # at most a point per game
        raise refused(expected, "expected", games=len(ratings), at="expected")
    wanted = Decimal(score)
    if isinstance(system, GlickoSystem):
        own = None if deviation is None else deviation_of(deviation, at="deviation")
        found = rating_with_deviation(system, opponents, wanted, own, on)
        return NeededRating(
            system=system.name,
            on=on,
            trail=(found.step,),
            remarks=lambda: found.notes,
            expected=wanted,
            rating=found.rating,
            deviation=found.deviation,
            deviation_assumed=own is None,
        )
    if deviation is not None:
        raise BadInput(say("systems.unused", system=system.base, what=FieldName("deviation")), at="deviation")
    for opponent in known_ratings:
        system.expected_score(opponent, on=on)  # refuses a rating that the system cannot handle, naming it
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


@dataclass(frozen=True, kw_only=True)
class NeededRating(Answer):
    """The lowest rating with a given expected score."""

    expected: Decimal
    rating: int
    deviation: float | None = None  # of that rating, in Glicko's family
    deviation_assumed: bool = False

    def summary(self) -> Sequence[Figure]:
        rating = Figure("rating", self.rating, say("forecast.need.for_expected", expected=self.expected))
        if self.deviation is None:
            return (rating,)
        return (rating, _deviation_figure(self.deviation, assumed=self.deviation_assumed))


def _deviation_figure(deviation: Rating | float, *, assumed: bool) -> Figure:
    """The deviation that an answer is for."""
    return Figure("deviation", float(deviation), say("forecast.need.assumed") if assumed else None)


def _opponents(against: Iterable[Player | Number]) -> list[Player]:
    opponents = as_opponents(against)
    if not opponents:
        raise BadInput(say("forecast.refused.no_opponents"), at="against")
    if len(opponents) > MOST_OPPONENTS:
        raise BadInput(say("forecast.refused.opponents", opponents=len(opponents), most=MOST_OPPONENTS), at="against")
    return opponents
