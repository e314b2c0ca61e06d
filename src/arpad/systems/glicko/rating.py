"""What the Glicko systems share: a standing with its reasons, the games of a period, and the answer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Figure, hidden, no_notes
from arpad.calculation.step import Step, found, known, ruled, summed, walk
from arpad.core import (
    DRAW,
    LOSS,
    MOST_GAMES,
    WIN,
    Game,
    GlickoStanding,
    Rating,
    Standing,
    as_day,
    as_period,
    as_player,
    between,
    deviation_of,
    one_game,
    rating_of,
    volatility_of,
)
from arpad.core.numbers import decimal
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.systems.answers import (
    Chances,
    EventChange,
    Expectation,
    GameChange,
    RatingChange,
    new_rating_figure,
    not_rated,
    score_figure,
)
from arpad.systems.base import System, one_event, opponents_in
from arpad.systems.glicko import curve
from arpad.systems.league import rate_both

if TYPE_CHECKING:
    from typing import Self

    from arpad.core import Event, Number, Pace, Period, Player, Result, Score
    from arpad.rulebooks import Rule
    from arpad.systems.base import Someone
    from arpad.systems.league import BothChanges

    Remarks = Callable[[], Iterable[Message]]


class GlickoSystem(System):
    """A system whose players have a rating and a deviation."""

    standing = GlickoStanding
    takes_pace: ClassVar[bool] = True  # whether events may have a time control
    one_by_one: ClassVar[bool] = False  # whether each game starts from the result of the last one

    def expected(self, player: Someone, opponent: Someone, *, on: date) -> Step:
        """The expected score between two players who are both uncertain, as a step."""
        return self._expected(self._own(player), as_player(opponent), as_day(on))

    def rate(
        self,
        player: Someone,
        games: Iterable[Game] | Game,
        *,
        on: date,
        base: Rating | None = None,
        pace: Pace | None = None,
    ) -> GlickoChange:
        return self.rate_period(player, one_event(games, base, pace), on=on)

    def rate_period(self, player: Someone, period: Period | Event | Iterable[Event], *, on: date) -> GlickoChange:
        taken = as_period(period)
        return self._noting_opponents(self._change(self._own(player), taken, as_day(on)), opponents_in(taken))

    def game(
        self, white: Someone, black: Someone, result: Result | Score, *, on: date, pace: Pace | None = None
    ) -> BothChanges[GlickoChange]:
        return rate_both(self.rate, white, black, result, on=on, pace=pace)

    @abstractmethod
    def _change(self, player: Player, period: Period, on: date) -> GlickoChange: ...

    def _standing_after(self, standing: Standing, change: RatingChange) -> Standing:
        """The rating with its new deviation and volatility; the player is not idle any more."""
        if not isinstance(change, GlickoChange):
            raise BadInput(say("glicko.not_a_change", system=self.base, kind=change.kind), at="change")
        new_volatility = change.new_volatility
        return GlickoStanding(change.new_rating, deviation=change.new_deviation, volatility=new_volatility)

    @abstractmethod
    def _expected(self, player: Player, opponent: Player, on: date) -> Step:
        """The expected score between two players who are both uncertain."""

    def _notes(self, games: Sequence[Game], on: date) -> Iterable[Message]:
        """Notes on the system, besides those on assumed values."""
        return ()

    def _expectation(self, player: Player, opponent: Player, on: date, pace: Pace | None) -> Expectation:
        """One game before it is played; the chances come from the ratings alone, without the deviations."""
        expected = self._expected(player, opponent, on)
        rated = {
            name: self._change(player, one_game(opponent, score, pace), on)
            for name, score in (("win", WIN), ("draw", DRAW), ("loss", LOSS))
        }
        changes = {name: change.change_step._replace(key=f"if.{name}") for name, change in rated.items()}
        own, other = rated["win"].rating, rated["win"].per_game[0].opponent
        return Expectation.of(
            self.name,
            on,
            expected=expected,
            changes=changes,
            chances=Chances() if own is None or other is None else Chances.of(own, other, system=self.base),
            remarks=lambda: (
                *assumed(walk(expected, *changes.values())),
                *self._notes([Game(opponent, WIN)], on),
            ),
        )

    def _games(self, period: Period) -> list[Game]:
        """The games of a period; in these systems one rating applies to all of them."""
        if period.base is not None or any(event.rating is not None for event in period.events):
            raise BadInput(say("glicko.one_rating", system=self.base), at="rating")
        if not self.takes_pace and any(event.pace is not None for event in period.events):
            raise BadInput(say("glicko.no_pace", system=self.base), at="time")
        games = [game for event in period.events for game in event.games]
        if len(games) > MOST_GAMES:
            raise BadInput(say("values.too.many_games", games=len(games), most=MOST_GAMES), at="games")
        return games


class StartValues(NamedTuple):
    """The start values of an unrated player; None if not set."""

    rating: float | None = None
    deviation: float | None = None
    volatility: float | None = None


class StandingSteps(NamedTuple):
    """A player's standing as steps: rating, deviation and, if the system has one, volatility."""

    rating: Step
    deviation: Step
    volatility: Step | None = None


def real(value: Any) -> float:
    """A number from TOML."""
    if type(value) not in (int, float):
        raise TypeError("it must be a number")
    return float(value)


def start(value: Mapping[str, Any]) -> StartValues:
    """Start values from TOML."""
    return StartValues(**{name: real(number) for name, number in value.items()})


def start_given(
    rating: Number | None = None, deviation: Number | None = None, volatility: Number | None = None
) -> StartValues:
    """Start values set by the user."""
    return StartValues(
        None if rating is None else float(rating_of(rating, at="rating")),
        None if deviation is None else float(deviation_of(deviation, at="deviation")),
        None if volatility is None else float(volatility_of(volatility, at="volatility")),
    )


def setting(value: Number | None, kind: str, above: Rating, at_most: Rating, *, at: str) -> float | None:
    """A setting within its bounds; None if it is not set."""
    return None if value is None else float(between(value, kind, above, at_most, at=at))


def given_or_ruled(key: str, given: float | None, rule: Rule[object], value: Any) -> Step:
    """The value that was set, or else the rule's."""
    return ruled(key, rule, value) if given is None else known(f"{key}.given", given)


def start_standing(rule: Rule[StartValues], given: StartValues) -> StandingSteps:
    """The standing of an unrated player."""
    rating, deviation, volatility = (
        None if value is None else given_or_ruled(f"{name}.start", own, rule, value)
        for name, own, value in zip(StartValues._fields, given, rule.value, strict=True)
    )
    if rating is None or deviation is None:
        raise TypeError("start values need a rating and a deviation")
    return StandingSteps(rating, deviation, volatility)


def standing_of(player: Player, start: StandingSteps, usual: Rule[float], *, opponent: bool = False) -> StandingSteps:
    """A player's standing; missing values are start values without a rating, and assumed ones with a rating."""
    own = GlickoStanding.of(player)
    prefix = "opponent." if opponent else ""
    missing = "start" if player.rating is None else "assumed"
    deviation = start.deviation if player.rating is None else ruled("deviation", usual, usual.value)

    def part(key: str, value: Any, otherwise: Step) -> Step:
        return otherwise._replace(key=f"{key}.{missing}") if value is None else known(key, float(value))

    return StandingSteps(
        part("opponent" if opponent else "rating", player.rating, start.rating),
        part(f"{prefix}deviation", own.deviation, deviation),
        None if start.volatility is None else part(f"{prefix}volatility", own.volatility, start.volatility),
    )


def idle_of(player: Player) -> Rating | None:
    """The rating periods without a game; None if there were none, or if it is not known."""
    return GlickoStanding.of(player).idle


def assumed(steps: Iterable[Step]) -> Iterator[Message]:
    """A note for each kind of value that was assumed."""
    values = {step.key.split(".")[-2]: step.value for step in steps if step.key.endswith(".assumed")}
    for name, value in values.items():
        yield say(f"notes.{name}.assumed", value=value)


def rated_game(no: int, game: Game, opponent: StandingSteps, g: Step, expected: Step) -> Step:
    """How surprising a game's result was, with everything that led to it."""
    return found(
        "surprise",
        curve.surprise,
        words={
            "no": no,
            "opponent": game.opponent.rating,
            "score": game.score,
            "deviation": opponent.deviation.value,
        },
        g=g,
        score=known("score", float(game.score)),
        expected=expected,
        information=found("information", curve.information, g=g, expected=expected),
    )


class GlickoSums(NamedTuple):
    """The sums over all games: how surprising the results were, and how much they tell about the rating."""

    surprise: Step
    information: Step


def sums(games: Iterable[Step]) -> GlickoSums | None:
    """The sums over the rated games; None if no game is rated."""
    games = tuple(games)
    rated = tuple(game for game in games if game.rule is None)
    left_out = tuple(game for game in games if game.rule is not None)
    if not rated:
        return None
    parts: tuple[Any, ...] = tuple(game.given["information"] for game in rated)
    return GlickoSums(
        summed("surprises", formulas.total, rated, left_out=left_out), summed("informations", formulas.total, parts)
    )


def resumed(after: StandingSteps, no: int) -> StandingSteps:
    """The standing before the next game, on a site that rates game by game: each game is a separate calculation."""

    def part(key: str, step: Step) -> Step:
        return Step(f"{key}.resumed", step.value, words={"no": no})

    return StandingSteps(
        part("rating", after.rating),
        part("deviation", after.deviation),
        None if after.volatility is None else part("volatility", after.volatility),
    )


@dataclass(frozen=True, kw_only=True)
class GlickoChange(RatingChange):
    """How games, or time without games, change a rating, its deviation and its volatility; nothing is rounded."""

    deviation: Rating  # before the games and before any idle time
    new_deviation: Rating
    volatility: Rating | None  # None in a system without volatility
    new_volatility: Rating | None
    interval: tuple[Rating, Rating]  # contains the true strength with 95 % confidence
    change_step: Step = hidden()

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        *,
        before: StandingSteps,
        after: StandingSteps,
        interval: Rule[float],
        events: tuple[EventChange, ...],
        earlier: tuple[Step, ...] = (),
        later: tuple[Step, ...] = (),
        remarks: Remarks = no_notes,
        **more: Any,
    ) -> Self:
        """A change from its steps; `more` are the fields that a subclass adds."""
        change = found("change", formulas.difference, rating=after.rating, opponent=before.rating)
        ends = _interval(after, ruled("interval", interval, interval.value))
        trail = (*earlier, *(step for step in after if step is not None), change, *ends, *later)
        return cls(
            system=system,
            on=on,
            trail=trail,
            remarks=lambda: (*assumed(walk(*trail)), *remarks()),
            rating=decimal(before.rating.value),
            deviation=decimal(before.deviation.value),
            volatility=_value(before.volatility),
            change=decimal(change.value),
            rounded=decimal(change.value),
            new_rating=decimal(after.rating.value),
            new_deviation=decimal(after.deviation.value),
            new_volatility=_value(after.volatility),
            interval=(decimal(ends[0].value), decimal(ends[1].value)),
            events=events,
            change_step=change,
            **more,
        )

    def summary(self) -> Sequence[Figure]:
        low, high = self.interval
        return (
            self._with_assumption(new_rating_figure(self)),
            _figure("deviation", self.new_deviation, self.deviation),
            _figure("volatility", self.new_volatility, self.volatility),
            Figure("interval", say("glicko.interval", low=low, high=high), say("glicko.confidence")),
            *([score_figure(self)] if self.per_game else []),
        )

    def _with_assumption(self, first: Figure) -> Figure:
        """The first figure, with the deviation it rests on, if that was assumed."""
        value = next((step.value for step in walk(*self.trail) if step.key.endswith("deviation.assumed")), None)
        if value is None:
            return first
        key = "glicko.assuming" if first.remark is None else "glicko.assuming_too"
        return first._replace(remark=say(key, value=value, remark=first.remark))


def _figure(key: str, new: Rating | None, old: Rating | None) -> Figure:
    """A figure with its previous value, as floats, so that small values keep their leading digits."""
    if new is None or old is None:
        return Figure(key, None)
    return Figure(key, float(new), say("glicko.before", value=float(old)))


def _interval(after: StandingSteps, width: Step) -> tuple[Step, Step]:
    rating, deviation = after.rating, after.deviation
    return (
        found("interval.low", curve.interval_low, rating=rating, width=width, deviation=deviation),
        found("interval.high", curve.interval_high, rating=rating, width=width, deviation=deviation),
    )


def _value(step: Step | None) -> Decimal | None:
    return None if step is None else decimal(step.value)


def finished(game: Step, rating: Step, change: float | None) -> Step:
    """A game's step with more for its line: the rating it was played with, and its change.

    All games of a period count together; `change` is the share of this game.
    """
    return game._replace(words={**game.words, "rating": rating.value, "change": change})


def events_of(period: Period, games: Iterable[Step], before: Step, after: Step) -> tuple[EventChange, ...]:
    """The events of a period, each with its finished games and their total change."""
    left = iter(games)
    own_games = [tuple(islice(left, len(event.games))) for event in period.events]
    if len(own_games) == 1:  # not the sum of its games, which would differ slightly in floats
        return (_event(period.events[0], own_games[0], before.value, after.value - before.value),)
    return tuple(
        _event(
            event,
            played,
            played[0].words["rating"] if played else before.value,
            sum(game.words["change"] for game in played if game.rule is None),
        )
        for event, played in zip(period.events, own_games, strict=True)
    )


def _event(event: Event, games: tuple[Step, ...], rating: float, change: float) -> EventChange:
    return EventChange.of(event, known("rating", decimal(rating)), games, known("change", change), read=read_game)


def read_game(step: Step) -> GameChange:
    """A finished game from its step; the whole difference counts, as these systems have no cap."""
    if step.rule is not None:
        return GameChange.of(step)
    words = step.words
    expected: Any = step.given["expected"]
    opponent = words["opponent"]
    difference = None if opponent is None else decimal(words["rating"] - float(opponent))
    return GameChange(
        opponent=opponent,
        score=words["score"],
        difference=difference,
        counted=difference,
        expected=decimal(expected.value),
        change=decimal(words["change"]),
        deviation=decimal(words["deviation"]),
    )


def idle_before(player: Player, games: Iterable[Game]) -> Rating | None:
    """The rating periods without a game; at least one, if nothing was played in this period."""
    idle = idle_of(player)
    return idle if any(game.how == "played" for game in games) else idle or 1


def game_steps(games: Iterable[Game], unplayed: Rule[str], meet: Callable[[int, Game], Step]) -> Sequence[Step]:
    """All games of a period, each with its result or why it is not rated."""
    return [
        meet(no, game) if game.how == "played" else not_rated(no, game, game.how, unplayed, game.opponent.rating)
        for no, game in enumerate(games, start=1)
    ]
