"""What one player's estimate answers."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answers import EventChange, GameChange, RatingChange, because, exact, plain
from arpad.calculation.contract import Figure
from arpad.calculation.step import Step, found, ruled
from arpad.core import Event
from arpad.core.roundings import decimal
from arpad.messages import figure
from arpad.systems.uschess.rating import Before, game_steps, the_formula
from arpad.systems.uschess.section import official
from arpad.systems.uschess.standard import Meeting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.systems.uschess.rules import UsChessRules


class RatedEvent(NamedTuple):
    """One event: what the player brought, the games that count, the pass, and the rating after it."""

    event: Event
    before: Before
    lines: tuple[Meeting | Step, ...]
    passed: Step
    final: Step


class UsEvent(EventChange):
    """An event whose games have an expected score each, and a change of their own under the standard formula alone."""

    __slots__ = ()

    @property
    def per_game(self) -> list[GameChange]:
        return [_line(step) for step in self.games]


class Estimate(RatingChange):
    """An estimate of a US Chess rating: exact arithmetic on one player's games, without the section around them."""

    def __init__(
        self, system: str, on: date, *, rated: Sequence[RatedEvent], rules: UsChessRules, rating: Any, **rest: Any
    ) -> None:
        self.rated = rated
        self._was = rating
        last = rated[-1]
        new = ruled("new_rating.rounded", rules.rounding, official(last.final, rules), exact=last.final)
        base = rated[0].before.rating
        k = last.before.k or Step("k.none", None, {}, rules.special_up_to)
        if last.before.k is not None and last.before.games is None:
            k = k._replace(key="k.assumed.established")
        rounded = Step("rounded", new.value - official(base, rules), {"new": new})
        total = found("change", formulas.difference, rating=last.final, opponent=base)
        self.start, self.total = base, total
        events = tuple(_event(one) for one in rated)
        super().__init__(
            system, on, base=base, k=k, k_used=k, total=total, rounded=rounded, new=new, events=events, **rest
        )

    @property
    def change(self) -> Decimal:
        """The change before rounding, with a bonus and a floor in it."""
        return decimal(self._total.value)

    @property
    def expected(self) -> Decimal:
        """The expected score in the rated games."""
        expected = (decimal(game.expected) for game in self.per_game if game.expected is not None)
        return sum(expected, Decimal(0)).normalize()

    @property
    def k_why(self) -> str | None:
        """The sentence behind K, or why there is none, with its article."""
        return because(self._k)

    def figures(self) -> list[Figure]:
        last = self.rated[-1]
        formula = f"by the {last.before.formula.value} formula"
        was = "unrated" if self._was is None else f"{figure(self._was)} {figure(self.rounded, signed=True)}"
        return [
            Figure("new_rating", self.new_rating, f"{was}, an estimate {formula}"),
            Figure("floor", last.final.value if last.final.key == "floored" else None, because(last.final)),
            Figure("change", self.change),
            Figure("k", None if last.before.k is None else self.k, self.k_why or ""),
            Figure("effective_games", last.before.effective.value),
            Figure("bonus", bonus_of(last.passed) or None),
            Figure("score", f"{figure(self.score)} of {self.games}", f"expected {figure(self.expected)}"),
            Figure("performance", self.performance),
        ]

    def value(self) -> dict[str, Any]:
        last = self.rated[-1]
        return {
            **super().value(),
            "rating": plain(self._was),
            "start": plain(decimal(self._base.value)) if self._was is None else None,
            "expected": float(self.expected),
            "change": exact(self.change),
            "formula": last.before.formula.value,
            "effective_games": last.before.effective.value,
            "bonus": bonus_of(last.passed),
            "exact": float(last.final.value),
            "estimate": True,
        }


def _event(rated: RatedEvent) -> UsEvent:
    """The games in the order they were given, each by its step."""
    counted = iter(game_steps(rated.passed))
    games = tuple(line if isinstance(line, Step) else next(counted) for line in rated.lines)
    change = found("change", formulas.difference, rating=rated.final, opponent=rated.before.rating)
    return UsEvent(rated.event, rated.before.rating, games, change)


def _line(step: Step) -> GameChange:
    """A game as the public contract has it."""
    if step.key.startswith("not_rated"):
        return GameChange.of(step)
    opponent, score = step.words["opponent"], step.words["score"]
    expected: Any = step.given["expected"] if step.key == "game" else step
    difference = expected.given["difference"].value
    change = decimal(step.value) if step.key == "game" else None
    return GameChange(opponent, score, difference, difference, decimal(expected.value), change, rated=True, why=None)


def bonus_of(passed: Step) -> float | None:
    """The bonus of a pass; None under the special formula, which has none."""
    bonus: Any = the_formula(passed).given.get("bonus")
    return None if bonus is None else float(bonus.value)
