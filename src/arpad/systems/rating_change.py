"""RatingChange: how games change a rating, with its events and games; the answer of every system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import Answer, Exact, Figure, Text, derived, hidden, same
from arpad.calculation.explain import Clause, Reason, words
from arpad.calculation.step import Step, known, ruled
from arpad.core import Event, ListedK, Rating
from arpad.core.numbers import decimal
from arpad.messages import figure, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.core import Game
    from arpad.rulebooks import Rule

Enter = Callable[[Step], tuple[Step, Step]]  # a change to what the list gets: rounded change, new rating


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChange:
    """The change from one game, or why it is not rated. `counted` is the difference after any cap."""

    opponent: Rating | None
    score: Decimal
    difference: Rating | None = None
    counted: Rating | None = None
    expected: Decimal | None = None
    change: Exact | None = None
    rated: bool = True
    why: Text | None = None
    how: str = "played"
    deviation: Rating | None = None  # the opponent's, in the systems that have one

    @classmethod
    def of(cls, step: Step) -> GameChange:
        """A game from its step."""
        opponent, score = step.words["opponent"], step.words["score"]
        if step.rule is not None:
            how = step.words.get("how", "played")
            return cls(opponent=opponent, score=score, rated=False, why=Reason(step), how=how)
        expected: Any = step.given["expected"]
        counted = expected.given["difference"]
        true = counted.given.get("difference", counted)
        return cls(
            opponent=opponent,
            score=score,
            difference=true.value,
            counted=counted.value,
            expected=expected.value,
            change=step.value,
            why=Reason(counted) if counted is not true else None,
        )


class CountedGames:
    """Games of which only the rated ones count."""

    per_game: tuple[GameChange, ...]

    @derived
    def games(self) -> int:
        """How many games were rated."""
        return sum(game.rated for game in self.per_game)

    @derived
    def score(self) -> Decimal:
        """The score in the rated games."""
        return score_of(self.per_game)


class GamesOfSteps:
    """Games read from their steps on demand; in JSON they come before their totals."""

    @derived
    def per_game(self) -> tuple[GameChange, ...]:
        """Every game, rated or not, in the order they were given."""
        return tuple(self.read_games())

    games = CountedGames.games
    score = CountedGames.score

    @derived
    def expected(self) -> Decimal:
        """The expected score in the rated games."""
        return sum((game.expected for game in self.per_game if game.expected is not None), Decimal(0))

    def read_games(self) -> Iterable[GameChange]:
        """Read the games from their steps."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class EventChange(GamesOfSteps):
    """One event of a period: the rating it was played with, its games, and the change they add up to."""

    name: str | None
    on: date | None
    rating: Rating | None
    change: Exact
    event: Event = hidden()
    change_step: Step = hidden()
    game_steps: tuple[Step, ...] = hidden()
    read: Callable[[Step], GameChange] = hidden(default=GameChange.of)

    @classmethod
    def of(
        cls,
        event: Event,
        rating: Step,
        games: tuple[Step, ...],
        change: Step,
        *,
        read: Callable[[Step], GameChange] = GameChange.of,
    ) -> EventChange:
        """An event from its steps."""
        return cls(
            name=event.name,
            on=event.on,
            rating=rating.value,
            change=decimal(change.value),
            event=event,
            change_step=change,
            game_steps=games,
            read=read,
        )

    def read_games(self) -> Iterable[GameChange]:
        return map(self.read, self.game_steps)


def score_of(games: Iterable[GameChange]) -> Decimal:
    """The score in the rated games."""
    return sum((game.score for game in games if game.rated), Decimal(0))


def no_performance() -> int | None:
    """No performance rating."""
    return None


@dataclass(frozen=True, kw_only=True)
class RatingChange(GamesOfSteps, Answer):
    """How the games of an event or a period change a rating; K is None in a system without one."""

    rating: Rating | None
    k: Rating | None = None
    k_used: Rating | None = None
    k_why: Text | None = None
    k_until: date | None = None
    change: Exact
    rounded: Rating
    new_rating: Rating | None
    why: Text | None = None
    events: tuple[EventChange, ...] = ()
    plain_elo: RatingChange | None = None  # the same games by plain Elo, if asked for
    k_step: Step | None = hidden(default=None)  # K after any limit, with its reasons
    enter: Enter | None = hidden(default=None)  # how another change of these games would enter the list
    find_performance: Callable[[], int | None] = hidden(default=no_performance)

    def read_games(self) -> Iterable[GameChange]:
        return (game for event in self.events for game in event.per_game)

    @derived
    def performance(self) -> int | None:
        """The performance rating of the rated games; None without any."""
        return self.find_performance()

    def entered(self, change: Decimal) -> tuple[Rating, Rating | None] | None:
        """How another change of these games would enter the list: rounded change and new rating.

        None if the new rating depends on more than the sum of the changes.
        """
        if self.enter is None:
            return None
        rounded, new = self.enter(known("change", change))
        return rounded.value, new.value

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "find_performance": partial(same, self.performance)}

    def summary(self) -> Sequence[Figure]:
        return (
            new_rating_figure(self),
            Figure("change", self.change),
            Figure("k", self.k_used, self._k_remark()),
            score_figure(self),
            Figure("performance", self.performance),
        )

    def _k_remark(self) -> Text:
        why = self.k_why or say("answers.k.given")
        return why if self.k_used == self.k else say("answers.k.limited", k=self.k, why=why)


def new_rating_figure(change: RatingChange) -> Figure:
    """The new rating, with the old rating and the change."""
    if change.new_rating is None:
        return Figure("new_rating", say("answers.unrated"), change.why)
    came = say("answers.from" if change.rounded else "answers.unchanged", rating=change.rating, change=change.rounded)
    return Figure("new_rating", change.new_rating, came)


def score_figure(change: RatingChange) -> Figure:
    """The score of the rated games beside the expected one."""
    score = say("answers.score_of", score=change.score, games=change.games)
    return Figure("score", score, say("answers.expected", expected=change.expected))


def given_k(k: Rating, listed: ListedK | None = None) -> Step:
    """K as the user gave it, or from a rating list."""
    return known("k.given", k) if listed is None else Step("k.listed", k, words={"list": listed.list})


def why_k(k: Step) -> Text | None:
    """The reason for K; None if it was given."""
    return None if k.key == "k.given" else Clause(k)


def not_rated(number: int, game: Game, reason: str, rule: Rule[object], rating: Rating | None, **facts: Any) -> Step:
    """The step of a game that does not count, with the facts that its sentence needs."""
    words = {"no": number, "opponent": rating, "score": game.score, "how": game.how, **facts}
    return ruled(f"not_rated.{reason}", rule, None, words=words)


def opponent_of(game: GameChange) -> str:
    """The opponent's rating as text; empty for a bye."""
    if game.opponent is None:
        return "" if game.how == "bye" else words("value")["opponent.unrated"]
    return figure(game.opponent)


def ending(game: GameChange) -> str:
    """How a game ended, in words; forfeits and byes have their own."""
    texts, score = words("score"), figure(game.score)
    return texts.get(game.how) or texts.get(f"{score}.{game.how}") or texts.get(score, score)
