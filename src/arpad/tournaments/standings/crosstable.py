"""The crosstable: everybody's rounds one by one, or in a round robin everybody against everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.core.tournaments import FIXED_PAIRINGS, FORFEIT, PENDING
from arpad.messages import figure
from arpad.tournaments.tiebreaks.teams import GP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from arpad.tournaments.tiebreaks.choice import Chosen
    from arpad.tournaments.tiebreaks.rounds import TieRound

ROUNDS, OPPONENTS = "rounds", "opponents"
GAMES = {"win": "1", "draw": "½", "loss": "0"}
FORFEITS = {"win": "+", "draw": "=", "loss": "-"}
ITSELF = "×"


@dataclass(frozen=True, slots=True)
class ResultsLine:
    """One player or team: a cell for each round, or for each opponent."""

    no: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """The lines in the order of the places; a cell of a round is `12w1` (number, colour, result), or `-½` for a bye."""

    by: str  # rounds or opponents
    columns: tuple[int, ...]  # the numbers of the rounds, or of the opponents
    lines: tuple[ResultsLine, ...]


def crosstable_of(chosen: Chosen, order: Sequence[int]) -> ResultsTable:
    """The crosstable of an event whose players or teams are in this order."""
    # A match is shown by its game points, whichever score comes first.
    board = chosen.ranking.table.fields[GP if chosen.teams else ""]

    def result(one: TieRound) -> str:
        if one.kind == PENDING:
            return ""
        if chosen.teams or one.result is None:
            return figure(board.points(one.points)).replace("0.5", "½").replace(".5", "½")
        return (FORFEITS if one.kind == FORFEIT else GAMES)[one.result]

    if chosen.kind in FIXED_PAIRINGS:
        against = {no: _against(board.slots[no], order, no, result) for no in order}
        return ResultsTable(OPPONENTS, tuple(order), tuple(ResultsLine(no, tuple(against[no])) for no in order))
    lines = tuple(ResultsLine(no, tuple(_in_round(one, result(one)) for one in board.slots[no])) for no in order)
    return ResultsTable(ROUNDS, tuple(range(1, board.held + 1)), lines)


def _in_round(one: TieRound, result: str) -> str:
    """One round: the opponent's number, the colour where it is known, and the result; a round without a game as -½."""
    if one.opponent is None:
        return f"-{result}"
    colour = "" if one.colour is None else one.colour[0]
    return f"{one.opponent}{colour or ':'}{result}"


def _against(
    slots: Sequence[TieRound], order: Sequence[int], own: int, result: Callable[[TieRound], str]
) -> Iterator[str]:
    """The results against everybody in this order; two games against the same opponent share a cell."""
    found: dict[int | None, list[str]] = {}
    for one in slots:
        found.setdefault(one.opponent, []).append(result(one))
    for no in order:
        yield ITSELF if no == own else " ".join(found.get(no, ()))
