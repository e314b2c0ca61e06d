"""Whether the opponents of a crosstable are given by starting number or by rank, where a table has both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.core.tournaments import Entrant


def by_starting_number(entrants: Sequence[Entrant]) -> tuple[Entrant, ...] | None:
    """The entrants with opponents by starting number, where the table has them by rank; None where it has not.

    Ranks are meant if more games are told alike by both players when opponents are looked up by rank.
    """
    ranks = {one.rank: one for one in entrants if one.rank is not None}
    if len(ranks) < len(entrants):
        return None
    numbers = {one.no: one for one in entrants}
    if _mirrored(entrants, ranks, by_rank=True) <= _mirrored(entrants, numbers, by_rank=False):
        return None
    return tuple(_renumbered(one, ranks) for one in entrants)


def _mirrored(entrants: Sequence[Entrant], known: Mapping[int, Entrant], *, by_rank: bool) -> int:
    """How many games both players tell alike."""
    alike = 0
    for one in entrants:
        own = one.rank if by_rank else one.no
        for place, played in enumerate(one.rounds):
            other = None if played.opponent is None else known.get(played.opponent)
            if other is not None and other is not one and place < len(other.rounds):
                alike += other.rounds[place].opponent == own
    return alike


def _renumbered(entrant: Entrant, ranks: Mapping[int, Entrant]) -> Entrant:
    rounds = tuple(
        replace(one, opponent=ranks[one.opponent].no) if one.opponent is not None and one.opponent in ranks else one
        for one in entrant.rounds
    )
    return replace(entrant, rounds=rounds)
