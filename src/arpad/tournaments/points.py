"""Points: what an event gives for each round, and what a player has."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.core import DRAW, WIN
from arpad.core.tournaments import ALLOCATED_BYE, FORFEIT, PENDING, PLAYED, SHORT, USUAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.core.tournaments import Entrant, Round, Tournament

GAMES = (PLAYED, SHORT, FORFEIT)


def points_of(entrant: Entrant, tournament: Tournament) -> Decimal | None:
    """The points the file claims, else those the rounds make; None where the file has neither."""
    claimed = entrant.points is not None or not entrant.rounds
    return entrant.points if claimed else points_made(entrant, tournament)


def points_made(entrant: Entrant, tournament: Tournament) -> Decimal:
    """A player's points from the rounds, under the event's scoring and its adjustments."""
    return sum(points_by_round(entrant, tournament), bonus_of(entrant, tournament))


def points_by_round(entrant: Entrant, tournament: Tournament) -> list[Decimal]:
    """What each round gave a player; a game to come gives nothing yet."""
    worth = [paid(one, tournament.scoring) or Decimal(0) for one in entrant.rounds]
    if tournament.teams:  # the pairing-allocated bye is the team's, and pays the team
        worth = [
            Decimal(0) if one.kind == ALLOCATED_BYE else points
            for one, points in zip(entrant.rounds, worth, strict=True)
        ]
    for one in tournament.adjustments:
        if one.pays is not None and (not one.numbers or entrant.no in one.numbers):
            for number, played in enumerate(entrant.rounds):
                if one.round in (None, number + 1) and scoring_key(played) == one.pays:
                    worth[number] = one.points
    return worth


def bonus_of(entrant: Entrant, tournament: Tournament, until: int | None = None) -> Decimal:
    """Points beside the rounds, a bonus or a penalty; `until` is the last round that counts."""
    return sum(
        (
            one.points
            for one in tournament.adjustments
            if one.pays is None
            and (not one.numbers or entrant.no in one.numbers)
            and (until is None or one.round is None or one.round <= until)
        ),
        Decimal(0),
    )


def paid(one: Round, scoring: Mapping[str, Decimal] | None = None) -> Decimal | None:
    """What the event pays for a round; None while the game is to come."""
    key = scoring_key(one)
    return None if key is None else (scoring or USUAL).get(key, USUAL[key])


def scoring_key(one: Round) -> str | None:
    """The key of a round in the event's scoring; a game without a colour counts as White's."""
    if one.kind == PENDING or (one.kind in GAMES and one.score is None):
        return None
    if one.kind in (PLAYED, SHORT):
        outcome = "win" if one.score == WIN else "draw" if one.score == DRAW else "loss"
        return f"{one.colour or 'white'}-{outcome}"
    if one.kind == FORFEIT:
        return "forfeit-win" if one.score == WIN else "forfeit-loss"
    return one.kind
