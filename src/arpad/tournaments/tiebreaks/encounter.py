"""Direct encounter (article 6): only the games among the tied players."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.tournaments.tiebreaks.unplayed import Opposition

Groups = list[list[int]]


def direct_encounter(tied: Sequence[int], met: Opposition) -> Groups:
    """The tied players in order of the games among them; those still equal stay together."""
    sums, missing = _table(tied, met)
    if not any(missing.values()):
        groups = _by_sum(tied, sums)
    else:
        groups = _certain(tied, sums, {no: sums[no] + missing[no] * met.field.win for no in tied})
    if len(groups) == 1:
        return groups
    return [part for group in groups for part in (direct_encounter(group, met) if len(group) > 1 else [group])]


def _table(tied: Sequence[int], met: Opposition) -> tuple[Mapping[int, Fraction], Mapping[int, int]]:
    """Each player's sum against the others, a mean if they met more than once; and how many they did not meet."""
    among = set(tied)
    sums, missing = {}, {}
    for no in tied:
        games: dict[int, list[int]] = defaultdict(list)
        for slot in met.field.slots[no]:
            if slot.opponent in among and met.is_game(slot):
                games[slot.opponent].append(slot.points)
        sums[no] = sum((Fraction(sum(points), len(points)) for points in games.values()), Fraction(0))
        missing[no] = len(tied) - 1 - len(games)
    return sums, missing


def _by_sum(tied: Sequence[int], sums: Mapping[int, Fraction]) -> Groups:
    groups: dict[Fraction, list[int]] = defaultdict(list)
    for no in tied:
        groups[sums[no]].append(no)
    return [groups[total] for total in sorted(groups, reverse=True)]


def _certain(tied: Sequence[int], sums: Mapping[int, Fraction], reachable: Mapping[int, Fraction]) -> Groups:
    """Places from the top, as long as one player has more than any other can reach; the rest stay together."""
    placed: Groups = []
    left = sorted(tied, key=lambda no: sums[no], reverse=True)
    while len(left) > 1 and all(sums[left[0]] > reachable[no] for no in left[1:]):
        placed.append([left.pop(0)])
    rest = sorted(left, key=list(tied).index)
    return [*placed, rest] if left else placed
