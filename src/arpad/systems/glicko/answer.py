"""The answers of the Glicko systems: a rating with its deviation, volatility and interval."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.answer import Figure, hidden, no_notes
from arpad.calculation.step import Step, found, known, ruled, walk
from arpad.core import DRAW, LOSS, WIN, Rating
from arpad.core.numbers import decimal
from arpad.messages import say
from arpad.systems.expectation import Chances, Expectation
from arpad.systems.glicko import curve
from arpad.systems.glicko.standing import assumed
from arpad.systems.rating_change import EventChange, GameChange, RatingChange, new_rating_figure, score_figure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date
    from decimal import Decimal
    from typing import Self

    from arpad.core import Event, Period
    from arpad.messages import Message
    from arpad.rulebooks import Rule
    from arpad.systems.glicko.standing import StandingSteps

    Remarks = Callable[[], Iterable[Message]]


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


def expectation(expected: Step, rate: Callable[[Decimal], GlickoChange], *, remarks: Remarks = no_notes) -> Expectation:
    """One game before it is played; the chances come from the ratings alone, without the deviations."""
    rated = {name: rate(score) for name, score in (("win", WIN), ("draw", DRAW), ("loss", LOSS))}
    changes = {name: change.change_step._replace(key=f"if.{name}") for name, change in rated.items()}
    won = rated["win"]
    own, other = won.rating, won.per_game[0].opponent
    return Expectation.of(
        won.system,
        won.on,
        expected=expected,
        changes=changes,
        chances=Chances() if own is None or other is None else Chances.of(own, other, system=won.system),
        remarks=lambda: (*assumed(walk(expected, *changes.values())), *remarks()),
    )
