"""What is needed: the score that takes a rating to a target, and the rating for an expected score."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation.answers import RatingChange, exact, plain
from arpad.calculation.contract import Calculation, Figure, Note
from arpad.calculation.explain import figure
from arpad.calculation.step import Step, known
from arpad.core.model import (
    DRAW,
    LOSS,
    LOWEST_RATING,
    WIN,
    Game,
    Player,
    Rating,
    as_day,
    as_opponents,
    as_player,
    number,
    rating_of,
)
from arpad.errors import BadInput, Unsupported
from arpad.systems.performance import lowest_rating

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from arpad.calculation.contract import GameLine, Notes, System
    from arpad.core.model import Pace

MOST_OPPONENTS = 100


class NeededScore(Calculation):
    """The score that takes a rating to a target, and what every other score gives."""

    def __init__(
        self, system: str, on: date, *, target: Rating, table: tuple[RatingChange, ...], per_game: Sequence[GameLine]
    ) -> None:
        self.target = target
        self.per_game = per_game
        self.table = table
        reached = [line for line in table if line.new_rating is not None and line.new_rating >= target]
        self.line = min(reached, key=lambda line: line.score, default=None)
        shown = self.line or table[-1]
        super().__init__(system, on, shown.roots, lambda: shown.notes)

    @property
    def score(self) -> Decimal | None:
        """The least score that reaches the target; None if even the full score does not."""
        return None if self.line is None else self.line.score

    @property
    def why(self) -> str | None:
        """Why no score is enough; None if one is."""
        best = self.table[-1]
        return (
            None if self.line else f"even {figure(best.score)} of {best.games} gives {best.new_rating or 'no rating'}"
        )

    def figures(self) -> list[Figure]:
        score = "out of reach" if self.score is None else f"{figure(self.score)} of {self.table[-1].games}"
        return [Figure("score", score, self.why or f"to reach {self.target}")]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "reach": plain(self.target),
            "score": plain(self.score),
            "why": self.why,
            "table": [
                {"score": plain(line.score), "change": exact(line.change), "new_rating": line.new_rating}
                for line in self.table
            ],
        }


class NeededRating(Calculation):
    """The lowest rating with a given expected score."""

    def __init__(self, system: str, on: date, *, rating: Step, wanted: Decimal, notes: Notes = tuple) -> None:
        super().__init__(system, on, (rating,), notes)
        self._rating = rating
        self.wanted = wanted

    @property
    def rating(self) -> int:
        """The lowest rating that is expected to score so much."""
        return int(self._rating.value)

    def figures(self) -> list[Figure]:
        return [Figure("rating", self.rating, f"for an expected score of {figure(self.wanted)}")]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "expected": plain(self.wanted),
            "rating": self.rating,
        }


def score_needed(
    system: System,
    player: Player | Rating,
    against: Iterable[Player | Rating],
    *,
    reach: Any,
    on: date,
    pace: Pace | None = None,
) -> NeededScore:
    """The least score against these opponents that takes the rating to `reach`, and what every score gives."""
    target, day, me = rating_of(reach, at="reach"), as_day(on), as_player(player)
    opponents, lines = _rated_ones(system, me, _opponents(against), day, pace)
    scores = range(2 * len(opponents) + 1)
    rated = [system.rate(me, _with_score(opponents, half_points), on=day, pace=pace) for half_points in scores]
    table = tuple(line for line in rated if isinstance(line, RatingChange))
    if len(table) < len(rated):
        raise Unsupported(
            f"In {system.name} it matters who is beaten, so no score alone reaches a target; "
            "`arpad rate` shows what given results do.",
            at="system",
        )
    return NeededScore(system.name, day, target=target, table=table, per_game=lines)


def _rated_ones(
    system: System, player: Player, opponents: list[Player], on: date, pace: Pace | None
) -> tuple[list[Player], Sequence[GameLine]]:
    """The opponents against whom a game would be rated, and every game with its verdict."""
    lines = system.rate(player, [Game(opponent, DRAW) for opponent in opponents], on=on, pace=pace).per_game
    rated = [opponent for opponent, line in zip(opponents, lines, strict=True) if line.rated]
    if not rated:
        raise BadInput(f"None of these games would be rated: {lines[0].why}.", at="against")
    return rated, lines


def rating_needed(
    system: System, against: Iterable[Player | Rating], *, expected: Decimal | float | str, on: date
) -> NeededRating:
    """The lowest rating that is expected to score so much against these opponents."""
    on = as_day(on)
    ratings = [one.rating if one.rating is not None else one.standard for one in _opponents(against)]
    known_ratings: list[Rating] = [rating for rating in ratings if rating is not None]
    if len(known_ratings) < len(ratings):
        raise BadInput("Against an unrated opponent no score is expected; give rated opponents.", at="against")
    wanted = Decimal(number(expected, "an expected score", _allowed(ratings), at="expected"))
    if not 0 < wanted <= len(ratings):
        raise BadInput(f"{expected} is not an expected score; {_allowed(ratings)}.", at="expected")
    for opponent in known_ratings:
        system.expected_score(opponent, on=on)  # a rating that the system cannot take is refused as it was given
    rating = lowest_rating(lambda gap: system.expected_score(gap, on=on), known_ratings, wanted)
    if rating is None:
        raise BadInput(f"No rating is expected to score {wanted} of {len(ratings)}; ask for less.", at="expected")
    if rating < LOWEST_RATING:
        raise BadInput(f"Even a rating of {LOWEST_RATING} is expected to score {wanted}; ask for more.", at="expected")
    rules = system.rulebook.at(on)
    met = {"opponents": tuple(known("opponent", opponent) for opponent in known_ratings)}
    expects = sum(system.expected_score(rating - opponent, on=on) for opponent in known_ratings)
    reached = Step("reached", expects, met, getattr(rules, "expected", None))
    step = Step("needed_rating", rating, {"wanted": known("wanted", wanted), "reached": reached})
    widest = max(rating - min(known_ratings), max(known_ratings) - rating)
    cap = getattr(rules, "cap", None)
    notes = [Note("cap.ignored", {"over": cap.value.over, "cite": cap.cite})] if cap and widest > cap.value.over else []
    return NeededRating(system.name, on, rating=step, wanted=wanted, notes=lambda: notes)


def _opponents(against: Iterable[Player | Rating]) -> list[Player]:
    opponents = [as_player(one) for one in as_opponents(against)]
    if not opponents:
        raise BadInput("No opponents were given; name at least one, for example 1700.", at="against")
    if len(opponents) > MOST_OPPONENTS:
        raise BadInput(f"{len(opponents)} opponents are too many; at most {MOST_OPPONENTS} are taken.", at="against")
    return opponents


def _with_score(opponents: Sequence[Player], half_points: int) -> list[Game]:
    """Games with so many half points in all; who lost them does not matter to the sum."""
    wins, draws = divmod(half_points, 2)
    scores = [WIN] * wins + [DRAW] * draws + [LOSS] * (len(opponents) - wins - draws)
    return [Game(opponent, score) for opponent, score in zip(opponents, scores, strict=True)]


def _allowed(opponents: Sequence[object]) -> str:
    return f"against {len(opponents)} it is above 0 and at most {len(opponents)}"
