"""The crosstable: each player's rounds or, in a round robin, everybody against everybody."""

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
    """The lines in order of place; a round is `12w1` (number, colour, result), or `-½` for a bye."""

    by: str  # rounds or opponents
    columns: tuple[int, ...]  # the numbers of the rounds, or of the opponents
    lines: tuple[ResultsLine, ...]


def crosstable_of(chosen: Chosen, order: Sequence[int]) -> ResultsTable:
    """The crosstable of an event whose players or teams are in this order."""
    # A match is shown with its game points, whichever score decides first.
    board = chosen.ranking.table.fields[GP if chosen.teams else ""]

    def result(played: TieRound) -> str:
        if played.kind == PENDING:
            return ""
        if chosen.teams or played.result is None:
            return figure(board.points(played.points)).replace("0.5", "½").replace(".5", "½")
        return (FORFEITS if played.kind == FORFEIT else GAMES)[played.result]

    if chosen.kind in FIXED_PAIRINGS:
        against = {no: _against(board.slots[no], order, no, result) for no in order}
        return ResultsTable(OPPONENTS, tuple(order), tuple(ResultsLine(no, tuple(against[no])) for no in order))
    lines = tuple(
        ResultsLine(no, tuple(_in_round(played, result(played)) for played in board.slots[no])) for no in order
    )
    return ResultsTable(ROUNDS, tuple(range(1, board.held + 1)), lines)


def _in_round(played: TieRound, result: str) -> str:
    """One round: the opponent's number, the colour if known, and the result; without a game `-½`."""
    if played.opponent is None:
        return f"-{result}"
    colour = "" if played.colour is None else played.colour[0]
    return f"{played.opponent}{colour or ':'}{result}"


def _against(
    slots: Sequence[TieRound], order: Sequence[int], own: int, result: Callable[[TieRound], str]
) -> Iterator[str]:
    """The results against everybody in this order; two games against the same opponent share a cell."""
    found: dict[int | None, list[str]] = {}
    for played in slots:
        found.setdefault(played.opponent, []).append(result(played))
    for no in order:
        yield ITSELF if no == own else " ".join(found.get(no, ()))
