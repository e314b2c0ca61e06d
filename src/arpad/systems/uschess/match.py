"""Matches of two players: who may play one, and how much it can move (the regulations of 2006)."""

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
    """Two players, both established, not too far apart; or a BadInput that says what is missing."""
    if len(field) != 2:
        raise BadInput(say("uschess.match.players", players=len(field)), at="match")
    for one in field:
        if one.rating is None or (one.games is not None and one.games <= rules.established.value):
            raise BadInput(say("uschess.match.established", games=rules.established.value, id=one.id), at="match")
    ratings = sorted(one.rating for one in field if one.rating is not None)
    apart = ratings[-1] - ratings[0]
    if apart > rules.match.value.apart:
        raise BadInput(say("uschess.match.apart", most=rules.match.value.apart, apart=apart), at="match")


def within_limits(rated: Step, rating: Step, one: Entrant, rules: UsChessRules) -> Step:
    """The rating after a match, held within what one match, half a year and three years may move."""
    limits = rules.match.value
    spans = [(limits.a_match, 0.0)]
    if one.gained_180_days is not None:
        spans.append((limits.half_a_year, float(one.gained_180_days)))
    if one.gained_3_years is not None:
        spans.append((limits.three_years, float(one.gained_3_years)))
    # Whoever is past a limit already can only move back towards it.
    lowest = rating.value + min(max(-points - gained for points, gained in spans), 0)
    highest = rating.value + max(min(points - gained for points, gained in spans), 0)
    held = min(max(rated.value, lowest), highest)
    if held == rated.value:
        return rated
    return ruled("match.held", rules.match, held, rating=rated)
