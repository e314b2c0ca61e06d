"""Where a file's ranks differ from ours, and which criterion could explain them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from arpad.messages import say
from arpad.tournaments.tiebreaks.criteria import ENCOUNTERS, RATINGS, Criterion
from arpad.tournaments.tiebreaks.ranking import VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from arpad.messages import Message
    from arpad.tournaments.tiebreaks.choice import Chosen
    from arpad.tournaments.tiebreaks.report import PlayerTies, TeamTies
    from arpad.tournaments.tiebreaks.table import Key

SHOWN = 3  # how many criteria are named as an explanation


@dataclass(frozen=True, slots=True)
class RankDifference:
    """A rank in the file that differs from ours, and the criteria by which the file's order would be right."""

    no: int
    rank: int  # the file's
    first: int  # the possible places by the criteria
    last: int
    exchanged: tuple[int, int]  # two players in the opposite order in the file: upper, lower
    explained_by: tuple[str, ...]


def rank_differences(chosen: Chosen) -> tuple[RankDifference, ...]:
    """Players whose order in the file differs from the order here."""
    ranks = file_ranks(chosen)
    places: dict[int, tuple[int, int]] = {}
    first = 1
    for group in chosen.ranking.groups:
        places |= dict.fromkeys(group, (first, first + len(group) - 1))
        first += len(group)
    order = sorted(ranks, key=lambda no: ranks[no])
    best_below = list(accumulate((places[no][1] for no in reversed(order)), min))[::-1]
    worst_above = list(accumulate((places[no][0] for no in order), max))
    found = []
    for at, no in enumerate(order):
        low, high = places[no]
        if best_below[at] < low or worst_above[at] > high:
            pair = _exchanged(order, at, places, ranks)
            if pair is not None:
                found.append(RankDifference(no, ranks[no], low, high, pair, tuple(_explaining(chosen, *pair))))
    return tuple(found)


def difference_lines(
    differences: Sequence[RankDifference], lines: Sequence[PlayerTies | TeamTies]
) -> Iterator[Message]:
    """The differences in ranks and what could explain them, as messages."""
    names = {line.no: line.called for line in lines}
    for found in differences:
        place = str(found.first) if found.first == found.last else f"{found.first}–{found.last}"
        key = "explained" if found.explained_by else "open"
        criteria = list(found.explained_by[:SHOWN])
        values = {"name": names[found.no], "rank": found.rank, "place": place, "criteria": criteria}
        yield say(f"tournaments.standings.difference.{key}", **values)


def _exchanged(
    order: Sequence[int], at: int, places: Mapping[int, tuple[int, int]], ranks: Mapping[int, int]
) -> tuple[int, int] | None:
    """This player and the nearest one in the opposite order in the file: upper, then lower."""
    no = order[at]
    for other in order[at + 1 :]:
        if places[other][1] < places[no][0] and ranks[other] > ranks[no]:
            return no, other
    for other in reversed(order[:at]):
        if places[other][0] > places[no][1] and ranks[other] < ranks[no]:
            return other, no
    return None


def file_ranks(chosen: Chosen) -> Mapping[int, int]:
    """The ranks in the file, of players or of teams; empty if they are just the starting numbers."""
    lines = chosen.tournament.teams if chosen.teams else chosen.tournament.entrants
    ranks = {line.no: line.rank for line in lines if line.rank}
    return {} if all(no == rank for no, rank in ranks.items()) else ranks


def _explaining(chosen: Chosen, above: int, below: int) -> Iterator[str]:
    """The criteria by which one player is above the other; empty if their points differ."""
    points = chosen.ranking.stages[0].worth
    if points[above].key != points[below].key:
        return
    table = chosen.ranking.table
    for criterion in candidates(chosen):
        value = VALUES[criterion.name]
        own, other = value(table, criterion, above).key, value(table, criterion, below).key
        if _more(own, other):
            yield str(criterion)


def candidates(chosen: Chosen) -> list[Criterion]:
    """The criteria that can be calculated for any two players, plain and with one cut."""
    known = (chosen.rules.team_criteria if chosen.teams else chosen.rules.criteria).value
    skipped = {"PTS", "GE", *ENCOUNTERS, *(() if chosen.ranking.table.ratings else RATINGS)}
    plain = [Criterion(name) for name in known if name not in skipped]
    return plain + [Criterion(name, lowest=1) for name, takes in known.items() if "C" in takes and name not in skipped]


def _more(own: Key | None, other: Key | None) -> bool:
    if own is None or other is None:
        return own is not None and other is None
    return own > other  # type: ignore[operator]  # keys of one criterion are of one kind
