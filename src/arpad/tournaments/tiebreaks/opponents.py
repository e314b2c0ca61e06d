"""Criteria of the opponents' results (articles 8, 9 and 12): BH, FB, AOB, SB, KS and the team forms of SB."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from arpad.tournaments.tiebreaks.table import NOBODY, Worth, hundredths
from arpad.tournaments.tiebreaks.unplayed import without_cut

if TYPE_CHECKING:
    from arpad.tournaments.tiebreaks.criteria import Criterion
    from arpad.tournaments.tiebreaks.rounds import Scoreboard
    from arpad.tournaments.tiebreaks.table import TieTable
    from arpad.tournaments.tiebreaks.unplayed import Contribution

SCORES = {"M": "MP", "G": "GP"}


def _score(met: Contribution) -> int:
    return met.score


def _least_score(met: Contribution) -> tuple[int, ...]:
    return (met.score,)


def _product(met: Contribution) -> int:
    return met.score * met.points


def _least_opponent(met: Contribution) -> tuple[int, ...]:
    return met.score, met.score * met.points


def buchholz(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """BH and FB: the sum of the opponents' points, without those that are cut."""
    met = table.opposition(criterion, projected=criterion.name == "FB")
    stays, cut = without_cut(met.meetings(no), _score, _least_score, criterion.lowest, criterion.highest)
    total = sum(part.score for part in stays)
    return Worth(total, met.field.points(total), stays, cut)


def average_buchholz(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """AOB: the mean Buchholz of the opponents met over the board."""
    met = table.opposition(criterion)
    sums = [part._replace(score=met.sum(part.opponent)) for part in met.meetings(no) if part.opponent is not None]
    if not sums:
        return NOBODY
    mean = Fraction(sum(part.score for part in sums), len(sums) * met.field.unit)
    return Worth(mean, hundredths(mean), sums)


def sonneborn_berger(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """SB: each opponent's points times the points made against them."""
    met = table.opposition(criterion)
    return _weighted(met.meetings(no), criterion, met.field, met.field)


def extended_sonneborn_berger(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """EMMSB, EMGSB, EGMSB, EGGSB: the opponent's match or game points times one's own."""
    theirs, own = SCORES[criterion.name[1]], SCORES[criterion.name[2]]
    met, scored = table.opposition(criterion, theirs), table.fields[own]
    meetings = [part._replace(points=scored.slots[no][part.round - 1].points) for part in met.meetings(no)]
    return _weighted(meetings, criterion, met.field, scored)


def _weighted(meetings: list[Contribution], criterion: Criterion, theirs: Scoreboard, own: Scoreboard) -> Worth:
    stays, cut = without_cut(meetings, _product, _least_opponent, criterion.lowest, criterion.highest)
    total = sum(part.score * part.points for part in stays)
    return Worth(total, theirs.points(total) / own.unit, stays, cut)


def koya(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """KS: the points against opponents with at least half of the possible points, or another limit."""
    met = table.opposition(criterion)
    field = met.field
    games = field.rounds
    if field.fixed:  # a free round gives no points
        games = max(len(met.meetings(other)) for other in field.slots)
    most, limit = field.win * games, criterion.limit
    if limit[:1] in ("+", "-") or not limit:
        least = Fraction(most + int(limit or 0) * field.unit, 2)
    else:
        least = Fraction(most * int(limit), 100)
    strong = [
        part._replace(score=field.totals[part.opponent])
        for part in met.meetings(no)
        if part.opponent is not None and field.totals[part.opponent] >= least
    ]
    total = sum(part.points for part in strong)
    return Worth(total, field.points(total), strong)
