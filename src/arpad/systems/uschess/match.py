"""Matches between two players: who may play one, and how far ratings can move (the regulations of 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.step import Step, ruled
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.systems.uschess.entrant import Entrant
    from arpad.systems.uschess.rules import UsChessRules


def check_match(field: Sequence[Entrant], rules: UsChessRules) -> None:
    """Refuse a match unless it is between two players with established ratings, not too far apart."""
    if len(field) != 2:
        raise BadInput(say("uschess.match.players", players=len(field)), at="match")
    for player in field:
        if player.rating is None or (player.games is not None and player.games <= rules.established.value):
            raise BadInput(say("uschess.match.established", games=rules.established.value, id=player.id), at="match")
    ratings = sorted(player.rating for player in field if player.rating is not None)
    apart = ratings[-1] - ratings[0]
    if apart > rules.match.value.apart:
        raise BadInput(say("uschess.match.apart", most=rules.match.value.apart, apart=apart), at="match")


def within_limits(rated: Step, rating: Step, player: Entrant, rules: UsChessRules) -> Step:
    """The rating after a match, within the limits for one match, half a year and three years."""
    limits = rules.match.value
    spans = [(limits.a_match, 0.0)]
    if player.gained_180_days is not None:
        spans.append((limits.half_a_year, float(player.gained_180_days)))
    if player.gained_3_years is not None:
        spans.append((limits.three_years, float(player.gained_3_years)))
    # A player who is already past a limit can only move back towards it.
    lowest = rating.value + min(max(-points - gained for points, gained in spans), 0)
    highest = rating.value + max(min(points - gained for points, gained in spans), 0)
    held = min(max(rated.value, lowest), highest)
    if held == rated.value:
        return rated
    return ruled("match.held", rules.match, held, rating=rated)
