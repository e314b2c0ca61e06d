"""SectionRating and PlayerRating: a rated section, and each player's new rating."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.answer import Answer, Figure, Text, derived
from arpad.calculation.explain import Reason
from arpad.core import Rating
from arpad.core.numbers import decimal
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.uschess.rating import bonus_of, expected_sum

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.systems.uschess.entrant import Entrant
    from arpad.systems.uschess.rating import Before


class Passes(NamedTuple):
    """The results of the steps for one player; without a game there is no pass and no floor."""

    entrant: Entrant
    before: Before
    first_look: Step | None
    first: Step | None
    second: Step | None
    floor: Step | None
    final: Step
    new: Step


@dataclass(frozen=True, kw_only=True)
class PlayerRating(Answer):
    """One player of a rated section; a figure that the player does not have is None."""

    id: str
    name: str | None
    rating: Rating | None  # before the event
    start: Rating | None  # the start of an unrated player
    games_before: int | None
    effective_games: Rating
    formula: str  # standard or special
    k: Rating | None
    games: int
    score: Decimal
    expected: Decimal | None
    bonus: Rating | None
    first_look: Rating | None  # a newcomer's rating for the opponents' first pass (step 3)
    first_pass: Rating | None  # after step 4
    second_pass: Rating | None  # after step 5
    floor: Rating | None
    exact: Rating | None  # the rating before rounding
    new_rating: int | None  # the official rating; None for an unrated player without a game
    why: Text | None  # why a floor or a limit decided the rating instead of the formula

    @classmethod
    def of(cls, system: str, on: date, passes: Passes) -> PlayerRating:
        """A player's answer from the steps."""
        entrant, before, second = passes.entrant, passes.before, passes.second
        played = second is not None
        return cls(
            system=system,
            on=on,
            trail=(passes.new,),
            id=entrant.id,
            name=entrant.name,
            rating=entrant.rating,
            start=_value(before.rating) if entrant.rating is None else None,
            games_before=before.games,
            effective_games=decimal(before.effective.value),
            formula=before.formula.value,
            k=_value(before.k) if played else None,
            games=len(entrant.played),
            score=sum((result.score for result in entrant.played), Decimal(0)),
            expected=None if second is None else decimal(expected_sum(second)),
            bonus=None if second is None else _decimal(bonus_of(second)),
            first_look=_value(passes.first_look),
            first_pass=_value(passes.first),
            second_pass=_value(second),
            floor=_value(passes.floor),
            exact=_value(passes.final),
            new_rating=passes.new.value,
            why=Reason(passes.final) if played and passes.final is not second else None,
        )

    def summary(self) -> Sequence[Figure]:
        expected = None if self.expected is None else say("answers.expected", expected=self.expected)
        return (
            Figure("new_rating", say("answers.unrated") if self.new_rating is None else self.new_rating, self.why),
            Figure("exact", self.exact),
            Figure("formula", self.formula),
            Figure("effective_games", self.effective_games),
            Figure("k", self.k),
            Figure("score", say("answers.score_of", score=self.score, games=self.games), expected),
            Figure("bonus", self.bonus),
        )


def _value(step: Step | None) -> Decimal | None:
    return None if step is None else _decimal(step.value)


def _decimal(number: float | None) -> Decimal | None:
    return None if number is None else decimal(number)


@dataclass(frozen=True, kw_only=True)
class SectionRating(Answer):
    """A rated section: every player's new rating, in the order the players were given."""

    players: tuple[PlayerRating, ...]

    @derived
    def new_ratings(self) -> Mapping[str, int | None]:
        """The new ratings by ID."""
        return {player.id: player.new_rating for player in self.players}

    def player(self, id: str | int) -> PlayerRating:
        """One player by ID."""
        for player in self.players:
            if player.id == str(id):
                return player
        raise BadInput(say("uschess.section.no_player", id=id, ids=list(self.new_ratings)), at="player")

    def summary(self) -> Sequence[Figure]:
        return (Figure("players", len(self.players)),)
