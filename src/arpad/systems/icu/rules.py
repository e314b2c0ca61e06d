"""The typed rules of the ICU: what each value is, and how it is read."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.messages import say
from arpad.rulebooks import BadValue, Rule, one_of, positive, record, rounding_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class KLine(NamedTuple):
    """One line of the K rule and its conditions; the first line whose conditions are met applies."""

    k: int
    says: str
    rated_from: int | None = None
    under_age: int | None = None
    member_under: int | None = None  # years


class Bonus(NamedTuple):
    """Who gets a bonus, from which change on, how much more with a high K, and the rating a bonus cannot exceed."""

    k_over: int
    games_over: int
    change_over: int
    threshold: int
    each_game: int
    more_from_k: int
    more: Decimal
    limit: int


class Newcomer(NamedTuple):
    """The points for a win above the opponent's rating, and the games from which a rating is full."""

    spread: int
    provisional_under: int


class Iteration(NamedTuple):
    """How little ratings may change for the iteration to end, and after how many rounds it gives up."""

    within: Decimal
    rounds: int


class IcuRules(NamedTuple):
    """The rules of a day."""

    k: Rule[tuple[KLine, ...]]
    scale: Rule[int]
    bonus: Rule[Bonus]
    first_rating: Rule[Newcomer]
    iteration: Rule[Iteration]
    second_round: Rule[str]
    guests: Rule[str]
    rounding: Rule[str]
    unplayed: Rule[str]


def _k_lines(value: Any) -> tuple[KLine, ...]:
    lines = tuple(record(KLine, line) for line in value)
    if not lines or any(condition is not None for condition in lines[-1][2:]):
        raise BadValue(say("rulebooks.value.k_lines"))
    return lines


READERS: Mapping[str, Callable[[Any], Any]] = {
    "k": _k_lines,
    "scale": positive,
    "bonus": lambda value: record(Bonus, {**value, "more": Decimal(value["more"])}),
    "first_rating": lambda value: record(Newcomer, value),
    "iteration": lambda value: record(Iteration, {**value, "within": Decimal(value["within"])}),
    "second_round": one_of("once more"),
    "guests": one_of("FIDE rating"),
    "rounding": rounding_name,
    "unplayed": one_of("not rated"),
}
