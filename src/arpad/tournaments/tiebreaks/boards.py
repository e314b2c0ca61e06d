"""Criteria for teams only (articles 11 and 13): MPvGP, SSSC, BC, TBR, BBE, and direct encounter by two scores."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from arpad.tournaments.tiebreaks.encounter import direct_encounter
from arpad.tournaments.tiebreaks.opponents import buchholz
from arpad.tournaments.tiebreaks.table import Worth, hundredths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.tournaments.tiebreaks.criteria import Criterion
    from arpad.tournaments.tiebreaks.encounter import Groups
    from arpad.tournaments.tiebreaks.table import TieTable

# What decides between the last two teams, in order.
STEPS = {
    "EDE": (), "EDEC": ("BC",), "EDET": ("TBR",), "EDEB": ("BBE",), "EDEBT": ("BC", "TBR"), "EDEBB": ("BC", "BBE"),
}  # fmt: skip
TWO = 2


def other_score(table: TieTable, criterion: Criterion, no: int) -> Worth:  # noqa: ARG001
    """MPvGP: game points if match points are the main score, and the other way round."""
    field = table.fields[table.secondary]
    return Worth(field.totals[no], field.points(field.totals[no]))


def strength_and_score(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """SSSC: the other score plus the Buchholz divided by K."""
    field, other = table.fields[table.primary], table.fields[table.secondary]
    divisor = criterion.divisor or max(
        1, int(Fraction(field.win * field.rounds, field.unit) / Fraction(other.win, other.unit))
    )
    strength = buchholz(table, criterion, no)
    total = Fraction(other.totals[no], other.unit) + Fraction(strength.shown or 0) / divisor
    return Worth(total, hundredths(total))


def board_count(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """BC, TBR or BBE over all matches."""
    boards = [points for _, points in _rounds(table, no)]
    return by_board(criterion.name, boards)


def _rounds(table: TieTable, no: int) -> Sequence[tuple[int | None, tuple[Decimal, ...]]]:
    if table.boards is None:
        raise TypeError("the table was made without boards")
    return table.boards.by_round[no]


def by_board(name: str, matches: Sequence[tuple[Decimal, ...]]) -> Worth:
    """BC, TBR or BBE over some matches."""
    sums = _sums(matches)
    if name == "BC":
        return Worth(_key(name, matches), _count(sums))
    shown = sums if name == "TBR" else _without_last(sums)
    return Worth(_key(name, matches), "-".join(f"{points.normalize():f}" for points in shown))


def _key(name: str, matches: Sequence[tuple[Decimal, ...]]) -> tuple[Decimal, ...]:
    """The values to compare; higher is better."""
    sums = _sums(matches)
    if name == "BC":
        return (-_count(sums),)
    return tuple(sums if name == "TBR" else _without_last(sums))


def _sums(matches: Sequence[tuple[Decimal, ...]]) -> list[Decimal]:
    """The points on each board."""
    number = max(map(len, matches), default=0)
    return [sum((match[board] for match in matches if board < len(match)), Decimal(0)) for board in range(number)]


def _count(sums: Sequence[Decimal]) -> Decimal:
    return sum((board * points for board, points in enumerate(sums, start=1)), Decimal(0))


def _without_last(sums: Sequence[Decimal]) -> list[Decimal]:
    return [sum(sums[:board], Decimal(0)) for board in range(len(sums) - 1, 0, -1)]


def extended_encounter(tied: Sequence[int], table: TieTable, criterion: Criterion) -> Groups:
    """EDE: the direct encounter by the main score, or by the other if it decides nothing; the last two by boards."""
    groups = direct_encounter(tied, table.opposition(criterion, table.primary))
    if len(groups) == 1:
        groups = direct_encounter(tied, table.opposition(criterion, table.secondary))
    return [
        part
        for group in groups
        for part in (_two(group, table, STEPS[criterion.name]) if len(group) == TWO else [group])
    ]


def _two(pair: Sequence[int], table: TieTable, steps: Sequence[str]) -> Groups:
    """Two teams, ordered by the boards of their match."""
    first, second = pair
    for name in steps:
        keys = {
            no: _key(name, [points for opponent, points in _rounds(table, no) if opponent == against])
            for no, against in ((first, second), (second, first))
        }
        if keys[first] != keys[second]:
            return [[first], [second]] if keys[first] > keys[second] else [[second], [first]]
    return [list(pair)]
