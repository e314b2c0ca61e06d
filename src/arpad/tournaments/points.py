"""Points: what an event awards for each round, and each player's total."""

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
    """The points in the file, otherwise those from the rounds; None if the file has neither."""
    from_file = entrant.points is not None or not entrant.rounds
    return entrant.points if from_file else points_made(entrant, tournament)


def points_made(entrant: Entrant, tournament: Tournament) -> Decimal:
    """A player's points from the rounds, under the event's scoring and its adjustments."""
    return sum(points_by_round(entrant, tournament), bonus_of(entrant, tournament))


def points_by_round(entrant: Entrant, tournament: Tournament) -> list[Decimal]:
    """A player's points in each round; an open game has none yet."""
    points = [paid(played, tournament.scoring) or Decimal(0) for played in entrant.rounds]
    if tournament.teams:  # the pairing-allocated bye is the team's, and so are its points
        points = [
            Decimal(0) if played.kind == ALLOCATED_BYE else made
            for played, made in zip(entrant.rounds, points, strict=True)
        ]
    for adjustment in tournament.adjustments:
        if adjustment.pays is not None and (not adjustment.numbers or entrant.no in adjustment.numbers):
            for number, played in enumerate(entrant.rounds):
                if adjustment.round in (None, number + 1) and scoring_key(played) == adjustment.pays:
                    points[number] = adjustment.points
    return points


def bonus_of(entrant: Entrant, tournament: Tournament, until: int | None = None) -> Decimal:
    """Points besides those of the rounds, a bonus or a penalty; `until` is the last round that counts."""
    return sum(
        (
            adjustment.points
            for adjustment in tournament.adjustments
            if adjustment.pays is None
            and (not adjustment.numbers or entrant.no in adjustment.numbers)
            and (until is None or adjustment.round is None or adjustment.round <= until)
        ),
        Decimal(0),
    )


def paid(played: Round, scoring: Mapping[str, Decimal] | None = None) -> Decimal | None:
    """The points that the event awards for a round; None for an open game."""
    key = scoring_key(played)
    return None if key is None else (scoring or USUAL).get(key, USUAL[key])


def scoring_key(played: Round) -> str | None:
    """The key of a round in the event's scoring; a game without a colour counts as one with White."""
    if played.kind == PENDING or (played.kind in GAMES and played.score is None):
        return None
    if played.kind in (PLAYED, SHORT):
        outcome = "win" if played.score == WIN else "draw" if played.score == DRAW else "loss"
        return f"{played.colour or 'white'}-{outcome}"
    if played.kind == FORFEIT:
        return "forfeit-win" if played.score == WIN else "forfeit-loss"
    return played.kind
