"""The performance on which first and provisional ratings are based, and a newcomer's rating against rated players."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, formula, found, known, ruled
from arpad.core.numbers import ROUNDINGS
from arpad.messages import Message, say
from arpad.systems.first_rating import FirstRating, judged_games

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from arpad.core import Event, Game, Pace, Rating
    from arpad.rulebooks import Rule
    from arpad.systems import by_k
    from arpad.systems.icu.rules import IcuRules
    from arpad.systems.rating_change import GameChange


@formula("({ratings} + {spread} × (2 × {score} − {games})) / {games}")
def linear(ratings: Any, spread: Any, score: Any, games: Any) -> Any:
    """The opponents' average, plus `spread` for each win and minus it for each loss, per game."""
    return (ratings + spread * (2 * score - games)) / games


def performance(results: Sequence[tuple[Rating | None, Decimal]], rules: IcuRules) -> Step:
    """The performance: the average of the opponents' ratings, more for wins and less for losses."""
    return found(
        "performance.linear",
        linear,
        ratings=known("ratings", sum((Decimal(rating or 0) for rating, _ in results), Decimal(0))),
        spread=known("spread", rules.first_rating.value.spread),
        score=known("score_sum", sum((score for _, score in results), Decimal(0))),
        games=known("rated_games", len(results)),
    )


def first_rating(method: by_k.ByK, games: Iterable[Game | Event], *, on: date, pace: Pace | None = None) -> FirstRating:
    """A newcomer's rating from all games so far, which is provisional at first; games of all events count together."""
    rules: IcuRules = method.book.at(on)
    lines = judged_games(games, rules.unplayed, pace)
    results = [(line.opponent, line.score) for line in lines if line.rated]
    exact = performance(results, rules) if results else None
    return first_answer(method, on, lines, exact, "first.linear", rules.first_rating)


def first_answer(
    method: by_k.ByK,
    on: date,
    lines: tuple[GameChange, ...],
    exact: Step | None,
    key: str,
    rule: Rule[object],
    *,
    games_before: int = 0,
) -> FirstRating:
    """The first rating from a performance and its rule; without a counted game, what is missing."""
    rules: IcuRules = method.book.at(on)
    if exact is None:
        first = Step("first.not_yet", None, {"games": known("games", 0)}, rules.first_rating)
        missing: tuple[Message, ...] = (say("systems.first.games", games=1),)
    else:
        first, missing = ruled(key, rule, ROUNDINGS[rules.rounding.value](Decimal(exact.value)), exact=exact), ()
    counted = games_before + sum(line.rated for line in lines)
    under = rules.first_rating.value.provisional_under

    def notes() -> Iterator[Message]:
        yield from date_notes(method.book, on)
        if first.value is not None and counted < under:
            yield say("notes.icu.provisional", games=counted, under=under)

    return FirstRating.of(
        method.name,
        on,
        first=first,
        missing=missing,
        so_far=None if first.value is None else first,
        per_game=lines,
        remarks=notes,
    )
