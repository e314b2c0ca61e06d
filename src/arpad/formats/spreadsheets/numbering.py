"""Whether the opponents of a crosstable are given by starting number or by rank, where a table has both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.core import WIN
from arpad.core.tournaments import FORFEIT
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.core.tournaments import Entrant, Round


def by_starting_number(entrants: Sequence[Entrant]) -> tuple[Entrant, ...] | None:
    """The entrants with opponents by starting number, where the table has them by rank; None where it has not.

    The table proves one of the two if both sides of every game agree under it. If the numbers do not and more games
    agree by rank, or if all agree under both, nobody knows: then it is a BadInput that asks.
    """
    ranks = {one.rank: one for one in entrants if one.rank is not None}
    if len(ranks) < len(entrants) or all(one.rank == one.no for one in entrants):
        return None
    games = sum(played.opponent is not None for one in entrants for played in one.rounds)
    by_rank = _mirrored(entrants, ranks, by_rank=True)
    by_number = _mirrored(entrants, {one.no: one for one in entrants}, by_rank=False)
    if by_rank < by_number or not by_rank:
        return None
    if by_rank < games or by_number == games:
        raise BadInput(say("formats.table.rank_or_number", games=games, by_number=by_number, by_rank=by_rank), at="no")
    return tuple(_renumbered(one, ranks) for one in entrants)


def _mirrored(entrants: Sequence[Entrant], known: Mapping[int, Entrant], *, by_rank: bool) -> int:
    """In how many rounds a player and the opponent say the same of their game."""
    alike = 0
    for one in entrants:
        own = one.rank if by_rank else one.no
        for place, played in enumerate(one.rounds):
            other = None if played.opponent is None else known.get(played.opponent)
            if other is not None and other is not one and place < len(other.rounds):
                theirs = other.rounds[place]
                alike += theirs.opponent == own and _add_up(played, theirs)
    return alike


def _add_up(one: Round, other: Round) -> bool:
    """Whether two sides of a game fit: not the same colour, and scores that make a point, if there are any."""
    if one.colour is not None and one.colour == other.colour:
        return False
    if one.score is None or other.score is None:
        return one.score == other.score
    return one.kind == FORFEIT or one.score + other.score == WIN


def _renumbered(entrant: Entrant, ranks: Mapping[int, Entrant]) -> Entrant:
    rounds = tuple(
        replace(one, opponent=ranks[one.opponent].no) if one.opponent is not None and one.opponent in ranks else one
        for one in entrant.rounds
    )
    return replace(entrant, rounds=rounds)
