"""An estimate for one player, because the section is not known: one pass against the opponents' given ratings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Figure, Text, date_notes, hidden
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step, found, known, ruled
from arpad.core import (
    DRAW,
    LOSS,
    WIN,
    EloStanding,
    Event,
    Game,
    Period,
    Player,
    Rating,
    check_born,
    check_size,
    one_game,
)
from arpad.core.numbers import decimal
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.systems import performance as performances
from arpad.systems.answers import Chances, EventChange, Expectation, GameChange, RatingChange, not_rated, score_figure
from arpad.systems.base import each_event
from arpad.systems.uschess.floors import absolute_floor, highest, peak_floor
from arpad.systems.uschess.passes import FORMULAS, Before, Meeting, before, bonus_of, game_steps, one_pass
from arpad.systems.uschess.rules import OVER_THE_BOARD, REGULAR
from arpad.systems.uschess.section import Passes, number_of, official
from arpad.systems.uschess.start import Initial, start_by_age
from arpad.systems.uschess.time_controls import is_dual

if TYPE_CHECKING:
    from typing import Self

    from arpad.core import Pace
    from arpad.systems.uschess import UsChess
    from arpad.systems.uschess.rules import UsChessRules


def estimate(uschess: UsChess, player: Player, period: Period, on: date) -> Estimate:
    """One event after another, each from the rating after the last one."""
    _check(player, period)
    rated: list[RatedEvent] = []

    def rate(event: Event) -> None:
        rules = uschess.rules(event.on or on)
        start = _start(player, rules, on) if not rated else _after(rated[-1])
        if event.rating is not None:
            start = start._replace(rating=known("rating", number_of(event.rating)))
        rated.append(_rate(event, start, player, rules, uschess.base))

    each_event(period, rate)
    rules = uschess.rules(on)
    return Estimate.of(
        uschess.name,
        on,
        rated=rated,
        rules=rules,
        rating=player.rating,
        remarks=partial(_notes, rated, player, rules, uschess, on),
        find_performance=partial(linear_performance, rated, on),
    )


def _check(player: Player, period: Period) -> None:
    check_size(period)
    if EloStanding.of(player).k is not None:
        raise BadInput(say("uschess.k_given"), at="k")
    if period.base is not None:
        raise BadInput(say("uschess.base_given"), at="base")


def _start(player: Player, rules: UsChessRules, on: date) -> Initial:
    """The rating before the event, or a newcomer's starting rating by age."""
    if player.rating is not None:
        return Initial(known("rating", number_of(player.rating)), EloStanding.of(player).games)
    check_born(player, on)
    age = None if player.birth_year is None else float(on.year - player.birth_year)
    start = start_by_age(age, rules)
    games = EloStanding.of(player).games
    return start if games is None else start._replace(games=games)


def _after(rated: RatedEvent) -> Initial:
    """The start of the next event: the exact rating, and more games behind it."""
    games = rated.before.games
    counted = sum(isinstance(line, Meeting) for line in rated.lines)
    return Initial(rated.final, None if games is None else games + counted)


def _rate(event: Event, start: Initial, player: Player, rules: UsChessRules, system: str) -> RatedEvent:
    dual = is_dual(event.pace, system, rules)
    lines = tuple(_weigh(number, game, rules) for number, game in enumerate(event.games, start=1))
    meetings = [line for line in lines if isinstance(line, Meeting)]
    if not meetings:
        raise BadInput(say("uschess.nothing_rated"), at="games")
    own = before(start.rating, start.games, len(meetings), rules, dual=dual)
    passed = one_pass(own, meetings, rules)
    final = _floored(passed, meetings, player, rules, system)
    left_out = tuple(line for line in lines if isinstance(line, Step))
    if left_out:
        final = final._replace(given={**final.given, "left_out": left_out})
    return RatedEvent(event, own, lines, passed, final)


def _weigh(number: int, game: Game, rules: UsChessRules) -> Meeting | Step:
    """A game that counts, or why it does not."""
    if game.how != "played":
        return not_rated(number, game, game.how, rules.unplayed, game.opponent.rating)
    if game.opponent.rating is None:
        return not_rated(number, game, "unrated", rules.first_look, None)
    return Meeting(None, known("opponent", number_of(game.opponent.rating)), game.score)


def _floored(passed: Step, meetings: Sequence[Meeting], player: Player, rules: UsChessRules, system: str) -> Step:
    """The rating, but not below the floor, as far as it is known from this event and the peak."""
    wins = sum(meeting.score == WIN for meeting in meetings)
    draws = sum(meeting.score == DRAW for meeting in meetings)
    standing = EloStanding.of(player)
    three = len(meetings) >= rules.absolute_floor.value.event_games
    established = standing.games is None or standing.games > rules.established.value  # whether the peak can be so
    floor = highest(
        [
            absolute_floor(wins, draws, int(three), rules, system=system),
            None if standing.peak is None or not established else peak_floor(standing.peak, rules, system=system),
        ]
    )
    if passed.value >= floor.value:
        return passed
    return Step("floored", floor.value, {"rating": passed, "floor": floor}, floor.rule)


def linear_performance(rated: Sequence[RatedEvent], on: date) -> int | None:
    """The linear rule of thumb; US Chess publishes no performance rating of its own."""
    games = [
        Game(decimal(line.opponent.value), line.score)
        for event in rated
        for line in event.lines
        if isinstance(line, Meeting)
    ]
    return performances.performance(games, on=on, method="linear").performance


def _notes(
    rated: Sequence[RatedEvent], player: Player, rules: UsChessRules, uschess: UsChess, on: date
) -> Iterable[Message]:
    yield say("notes.estimate")
    yield from date_notes(uschess.rulebook, on)
    if player.rating is None:
        known_age = player.birth_year is not None
        start, a_year = rated[0].before.rating.value, rules.start_age.value.a_year
        yield say("notes.start.year" if known_age else "notes.start.none", start=start, a_year=a_year)
    elif EloStanding.of(player).games is None:
        yield say("notes.games.assumed", established=rules.established.value, special=rules.special_up_to.value)
    most = rules.absolute_floor.value.most
    if uschess.base in OVER_THE_BOARD and rated[-1].final.value < most and rated[0].before.games != 0:
        yield say("notes.floor.partial.own", most=most)
    above = rules.dual_k.value.above
    own = rated[-1].before
    if uschess.base == REGULAR and own.rating.value > above and rated[-1].event.pace is None:
        yield say("notes.dual.unknown.own", above=above)
    opponents = [line.opponent.value for line in rated[-1].lines if isinstance(line, Meeting)]
    if bonus_of(rated[-1].passed) and len(set(opponents)) < len(opponents):
        yield say("notes.bonus.assumed", meetings=rules.bonus_games.value.meetings)


def expect(uschess: UsChess, player: Player, opponent: Player, on: date, pace: Pace | None) -> Expectation:
    """One game before it is played, rated as a separate event."""
    if opponent.rating is None:
        raise BadInput(say("uschess.unrated_opponent"), at="opponent")
    results = {
        name: estimate(uschess, player, one_game(opponent, score, pace), on)
        for name, score in (("win", WIN), ("draw", DRAW), ("loss", LOSS))
    }
    drawn = results["draw"]
    other = number_of(opponent.rating)
    rules = uschess.rules(on)
    scale = ruled("scale", rules.expected, rules.expected.value)
    difference = found("difference", formulas.difference, rating=drawn.start_step, opponent=known("opponent", other))
    expected = found("expected.formula", formulas.logistic, difference=difference, scale=scale)
    return Expectation.of(
        uschess.name,
        on,
        expected=expected,
        changes={name: result.change_step._replace(key=f"if.{name}") for name, result in results.items()},
        chances=Chances.of(drawn.start_step.value, decimal(other), system=uschess.base),
        k=drawn.k_step,
        remarks=lambda: drawn.notes,
    )


class RatedEvent(NamedTuple):
    """One event: the player before it, the games that count, the pass, and the rating after it."""

    event: Event
    before: Before
    lines: tuple[Meeting | Step, ...]
    passed: Step
    final: Step


@dataclass(frozen=True, kw_only=True)
class UsChessChange(RatingChange):
    """How games change a US Chess rating."""

    words: ClassVar[str]  # the sentence that names the formula

    start: Rating | None  # the start of an unrated player; None for a rated one
    formula: Annotated[str, FORMULAS]
    effective_games: Rating
    bonus: Rating | None  # None under the special formula, which has none
    floor: Rating | None  # the floor, if it stopped the rating from falling
    floor_why: Text | None
    exact: Rating  # the new rating before rounding
    start_step: Step = hidden()
    change_step: Step = hidden()

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        *,
        rated: Sequence[RatedEvent],
        rules: UsChessRules,
        rating: Rating | None,
        remarks: Callable[[], Iterable[Message]],
        find_performance: Callable[[], int | None],
        new: Step | None = None,
        **more: Any,
    ) -> Self:
        """The answer from its events, each rated from the result of the one before; `new` is the official rating."""
        last, start = rated[-1], rated[0].before.rating
        if new is None:
            new = ruled("new_rating.rounded", rules.rounding, official(last.final, rules), exact=last.final)
        k = _k(last.before, rules)
        change = found("change", formulas.difference, rating=last.final, opponent=start)
        floored = last.final.key == "floored"
        bonus = bonus_of(last.passed)
        return cls(
            system=system,
            on=on,
            trail=(new,),
            remarks=remarks,
            rating=rating,
            start=decimal(start.value) if rating is None else None,
            k=k.value,
            k_used=k.value,
            k_why=Reason(k),
            change=decimal(change.value),
            rounded=new.value - official(start, rules),
            new_rating=new.value,
            events=tuple(_event(event) for event in rated),
            formula=last.before.formula.value,
            effective_games=decimal(last.before.effective.value),
            bonus=None if bonus is None else decimal(bonus),
            floor=decimal(last.final.value) if floored else None,
            floor_why=Reason(last.final) if floored else None,
            exact=decimal(last.final.value),
            k_step=k,
            start_step=start,
            change_step=change,
            find_performance=find_performance,
            **more,
        )

    def summary(self) -> Sequence[Figure]:
        unrated = self.rating is None
        before = say("answers.unrated") if unrated else say("answers.from", rating=self.rating, change=self.rounded)
        return (
            Figure("new_rating", self.new_rating, say(f"uschess.{self.words}.{self.formula}", before=before)),
            Figure("floor", self.floor, self.floor_why),
            Figure("change", self.change),
            Figure("k", self.k, self.k_why),
            Figure("effective_games", self.effective_games),
            Figure("bonus", self.bonus or None),
            score_figure(self),
            Figure("performance", self.performance),
        )


@dataclass(frozen=True, kw_only=True)
class Estimate(UsChessChange):
    """An estimate of a US Chess rating: exact arithmetic on one player's games, without the section around them."""

    words: ClassVar[str] = "estimated"

    estimate: bool = True


@dataclass(frozen=True, kw_only=True)
class SectionChange(UsChessChange):
    """A player's rating by the whole section: the games as the second pass counts them."""

    words: ClassVar[str] = "in_section"

    first_look: Rating | None  # a newcomer's rating for the opponents' first pass (step 3)
    first_pass: Rating | None  # after step 4
    passes: Passes = hidden()


def _k(own: Before, rules: UsChessRules) -> Step:
    """K, or None under the special formula; its key says if the rating is assumed to be established."""
    if own.k is None:
        return ruled("k.none", rules.special_up_to, None)
    key = "k.assumed.established" if own.games is None else own.k.key
    return own.k._replace(key=key, value=decimal(own.k.value))


def _event(rated: RatedEvent) -> EventChange:
    """An event with its games in the order given, each with its step."""
    counted = iter(game_steps(rated.passed))
    games = tuple(line if isinstance(line, Step) else next(counted) for line in rated.lines)
    rating = rated.before.rating
    change = found("change", formulas.difference, rating=rated.final, opponent=rating)
    return EventChange.of(rated.event, rating._replace(value=decimal(rating.value)), games, change, read=read_game)


def read_game(step: Step) -> GameChange:
    """A game from its step; only under the standard formula does it have its own change."""
    if step.key.startswith("not_rated"):
        return GameChange.of(step)
    expected: Any = step.given["expected"] if step.key == "game" else step
    difference = decimal(expected.given["difference"].value)
    return GameChange(
        opponent=decimal(expected.given["difference"].given["opponent"].value),
        score=step.words["score"],
        difference=difference,
        counted=difference,
        expected=decimal(expected.value),
        change=decimal(step.value) if step.key == "game" else None,
    )
