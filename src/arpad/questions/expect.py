"""One game before it is played."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.core import Player
from arpad.questions import readers
from arpad.questions.declare import question, required
from arpad.questions.fields import ListFields, OpponentFields, PlayerFields
from arpad.questions.rating import PacedFields
from arpad.systems.answers import Expectation


@question(
    "expect",
    tool=True,
    needs=("rating", "opponent"),
    examples=({"rating": 1500, "opponent": 1700}, {"rating": 2650, "opponent": 2000, "system": "fide-rapid"}),
)
@dataclass(frozen=True, kw_only=True)
class Expect(PlayerFields, OpponentFields, PacedFields, ListFields):
    """One game before it is played: expected score, and the change for win, draw and loss."""

    opponent: Player = required(readers.opponent, example="1700", word=True)

    def answer(self) -> Expectation:
        """The expectation."""
        chosen = self.rating_system()
        opponent = self.opponent_known(self.opponent, chosen)
        return chosen.expect(self.player(chosen), opponent, on=self.day, pace=self.time)
