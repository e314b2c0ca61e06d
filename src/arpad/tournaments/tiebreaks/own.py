"""Criteria of the player's own results (article 7): WIN, WON, BPG, BWG, PS, REP, STD, TPN; and the points."""

from __future__ import annotations

from decimal import Decimal
from itertools import accumulate
from typing import TYPE_CHECKING

from arpad.core.tournaments import FORFEIT, PENDING
from arpad.tournaments.tiebreaks.table import NOBODY, Worth
from arpad.tournaments.tiebreaks.unplayed import Contribution, is_voluntary

if TYPE_CHECKING:
    from collections.abc import Callable

    from arpad.tournaments.tiebreaks.criteria import Criterion
    from arpad.tournaments.tiebreaks.rounds import Scoreboard, TieRound
    from arpad.tournaments.tiebreaks.table import TieTable


def points(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """PTS: the points."""
    field = table.field(criterion)
    return NOBODY if no in field.unknown else Worth(field.totals[no], field.points(field.totals[no]))


def wins(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """WIN: rounds worth as many points as a win."""
    field = table.field(criterion)
    return _counted(field, no, lambda slot: slot.points >= field.win and slot.kind != PENDING)


def games_won(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """WON: games won over the board."""
    return _counted(table.field(criterion), no, lambda slot: slot.result == "win" and _is_game(table, slot))


def games_with_black(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """BPG: games played with Black."""
    return _counted(table.field(criterion), no, lambda slot: slot.colour == "black" and _is_game(table, slot))


def wins_with_black(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """BWG: games won with Black."""
    return _counted(
        table.field(criterion),
        no,
        lambda slot: slot.colour == "black" and slot.result == "win" and _is_game(table, slot),
    )


def rounds_elected(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """REP: rounds that were not deliberately left unplayed."""
    field = table.field(criterion)
    if field.fixed:
        return _counted(field, no, lambda slot: _is_game(table, slot) or _won_by_forfeit(slot))
    return _counted(field, no, lambda slot: not is_voluntary(slot))


def _won_by_forfeit(slot: TieRound) -> bool:
    return slot.kind == FORFEIT and slot.result == "win"


def _is_game(table: TieTable, slot: TieRound) -> bool:
    """Whether a round counts as a game here; with fixed pairings a forfeit may."""
    rules = table.rules
    if slot.kind == FORFEIT:
        counts = rules.own_forfeits.value
        return table.fields[table.primary].fixed and (counts == "all" or (counts == "won" and _won_by_forfeit(slot)))
    return slot.kind in rules.played.value or slot.kind in rules.short_games.value


def _counted(field: Scoreboard, no: int, counts: Callable[[TieRound], bool]) -> Worth:
    rounds = [number for number, slot in enumerate(field.slots[no], start=1) if counts(slot)]
    return Worth(len(rounds), len(rounds), rounds=rounds)


def progressive(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """PS: the sum of the points after each round; a cut leaves out the first rounds."""
    field = table.field(criterion)
    slots = field.slots[no]
    after = list(accumulate(slot.points for slot in slots))
    terms = [
        Contribution(number, None, score, slot.points)
        for number, (score, slot) in enumerate(zip(after, slots, strict=True), start=1)
    ]
    stays, cut = terms[criterion.lowest :], terms[: criterion.lowest]
    total = sum(term.score for term in stays)
    return Worth(total, field.points(total), stays, cut)


def standard_points(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """STD: 1 for more points than the opponent, ½ for the same; an unplayed round is compared with a draw."""
    field = table.field(criterion)
    halves = 0
    for number, slot in enumerate(field.slots[no]):
        if slot.kind == PENDING or (field.fixed and slot.opponent is None):
            continue
        against = field.draw
        other = () if slot.opponent is None or slot.kind == FORFEIT else field.slots.get(slot.opponent, ())
        if number < len(other) and other[number].opponent == no:
            against = other[number].points
        halves += 2 if slot.points > against else slot.points == against
    return Worth(halves, Decimal(halves) / 2)


def pairing_number(table: TieTable, criterion: Criterion, no: int) -> Worth:  # noqa: ARG001
    """TPN: the lower number first; reversed, the higher."""
    return Worth(no if criterion.reversed else -no, no)
