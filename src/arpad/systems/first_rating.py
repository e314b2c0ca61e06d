"""An unrated player's first rating, or what is still missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Figure, Text
from arpad.calculation.explain import Reason
from arpad.core import Event, Game, Period, check_size
from arpad.messages import say
from arpad.systems.rating_change import CountedGames, GameChange, not_rated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.core import Pace
    from arpad.messages import Message
    from arpad.rulebooks import Rule


def judged_games(
    games: Iterable[Game | Event] | Game | Event, unplayed: Rule[object], pace: Pace | None = None
) -> tuple[GameChange, ...]:
    """All games of all events: those against rated opponents, and why the others do not count."""
    given = [games] if isinstance(games, Game | Event) else list(games)
    events = tuple(item if isinstance(item, Event) else Event((item,), pace=pace) for item in given)
    check_size(Period(events))
    played = [game for event in events for game in event.games]
    return tuple(_judged(no, game, unplayed) for no, game in enumerate(played, start=1))


def _judged(no: int, game: Game, unplayed: Rule[object]) -> GameChange:
    rating = game.opponent.rating
    if game.how == "played" and rating is not None:
        return GameChange(opponent=rating, score=game.score)
    reason = "unrated" if game.how == "played" else game.how
    return GameChange.of(not_rated(no, game, reason, unplayed, rating))


@dataclass(frozen=True, kw_only=True)
class FirstRating(CountedGames, Answer):
    """An unrated player's first rating, or what is still missing."""

    rating: int | None  # None if there is none yet
    why: Text | None  # why there is none yet
    missing: tuple[Text, ...]
    so_far: int | None  # the rating from the games so far; None if none counts yet
    per_game: tuple[GameChange, ...]

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        *,
        first: Step,
        missing: tuple[Text, ...],
        so_far: Step | None,
        per_game: tuple[GameChange, ...],
        remarks: Callable[[], Iterable[Message]],
    ) -> FirstRating:
        """A first rating from its steps."""
        return cls(
            system=system,
            on=on,
            trail=(first,),
            remarks=remarks,
            rating=first.value,
            why=Reason(first) if first.value is None else None,
            missing=missing,
            so_far=None if so_far is None else int(so_far.value),
            per_game=per_game,
        )

    def summary(self) -> Sequence[Figure]:
        return (
            Figure("first", say("answers.none_yet") if self.rating is None else self.rating, self.why),
            *(Figure("missing", missing) for missing in self.missing),
            Figure("so_far", self.so_far if self.rating is None else None, say("answers.counted_games")),
            Figure("score", say("answers.score_of", score=self.score, games=self.games), say("answers.against_rated")),
        )
