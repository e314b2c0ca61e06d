"""One player's US Chess rating: an estimate, or as part of a section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Figure, Text, hidden
from arpad.calculation.explain import Reason
from arpad.calculation.step import Step, found, ruled
from arpad.core import Event, Rating
from arpad.core.numbers import decimal
from arpad.messages import say
from arpad.systems.rating_change import EventChange, GameChange, RatingChange, score_figure
from arpad.systems.uschess.rating import Before, bonus_of, game_steps
from arpad.systems.uschess.section import official
from arpad.systems.uschess.section_answer import Passes
from arpad.systems.uschess.standard import Meeting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date
    from typing import Self

    from arpad.messages import Message
    from arpad.systems.uschess.rules import UsChessRules


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
    formula: str  # standard or special
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
