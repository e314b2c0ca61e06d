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
    """The entrants with opponents by starting number, if the table has them by rank; None if it has not.

    A numbering is proven if both sides of every game agree under it. If ranks fit at least as well as numbers but not
    every game, or if both fit every game, it is unclear: a BadInput then asks the user.
    """
    ranks = {entrant.rank: entrant for entrant in entrants if entrant.rank is not None}
    if len(ranks) < len(entrants) or all(entrant.rank == entrant.no for entrant in entrants):
        return None
    games = sum(played.opponent is not None for entrant in entrants for played in entrant.rounds)
    by_rank = _agreeing(entrants, ranks, by_rank=True)
    by_number = _agreeing(entrants, {entrant.no: entrant for entrant in entrants}, by_rank=False)
    if by_rank < by_number or not by_rank:
        return None
    if by_rank < games or by_number == games:
        raise BadInput(say("formats.table.rank_or_number", games=games, by_number=by_number, by_rank=by_rank), at="no")
    return tuple(_renumbered(entrant, ranks) for entrant in entrants)


def _agreeing(entrants: Sequence[Entrant], known: Mapping[int, Entrant], *, by_rank: bool) -> int:
    """In how many rounds a player and the opponent agree about their game."""
    alike = 0
    for entrant in entrants:
        own = entrant.rank if by_rank else entrant.no
        for place, played in enumerate(entrant.rounds):
            other = None if played.opponent is None else known.get(played.opponent)
            if other is not None and other is not entrant and place < len(other.rounds):
                theirs = other.rounds[place]
                alike += theirs.opponent == own and _sides_agree(played, theirs)
    return alike


def _sides_agree(own: Round, other: Round) -> bool:
    """Whether both sides of a game agree: different colours, and scores that add up to a point, if there are any."""
    if own.colour is not None and own.colour == other.colour:
        return False
    if own.score is None or other.score is None:
        return own.score == other.score
    return own.kind == FORFEIT or own.score + other.score == WIN


def _renumbered(entrant: Entrant, ranks: Mapping[int, Entrant]) -> Entrant:
    rounds = tuple(
        replace(played, opponent=ranks[played.opponent].no)
        if played.opponent is not None and played.opponent in ranks
        else played
        for played in entrant.rounds
    )
    return replace(entrant, rounds=rounds)
