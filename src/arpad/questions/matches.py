"""Engine matches: match."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.errors import BadInput
from arpad.matches import MatchResult, match
from arpad.matches.rules import Sprt
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import defaulting, optional, question, several
from arpad.questions.fields import Asking


@question(
    "match",
    needs=("wins|losses|draws|pairs",),
    examples=(
        {"wins": 120, "losses": 95, "draws": 300},
        {"pairs": [10, 40, 100, 45, 12], "sprt": [0, 5]},
        {"wins": 136, "losses": 96, "draws": 111, "sprt": [0, 10], "program": "cutechess"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class MatchOf(Asking):
    """An engine match: Elo difference, error bars, LOS, SPRT."""

    wins: str | None = optional(readers.text, example="120")
    losses: str | None = optional(readers.text, example="95")
    draws: str | None = optional(readers.text, example="300")
    pairs: tuple[str, ...] = several(readers.text, example="10", greedy=True)
    program: str = defaulting(readers.text, "fastchess", example="fastchess")
    sprt: tuple[str, ...] = several(readers.text, example="0", greedy=True, group="test")
    alpha: str | None = optional(readers.text, example="0.05", group="test")
    beta: str | None = optional(readers.text, example="0.05", group="test")
    model: str | None = optional(readers.text, example="normalized", group="test")

    def answer(self) -> MatchResult:
        """The figures of the match."""
        return match(
            wins=self.wins,
            losses=self.losses,
            draws=self.draws,
            pairs=self.pairs or None,
            sprt=self._sprt(),
            program=self.program,
        )

    def _sprt(self) -> Sprt | None:
        """The test, if one was asked for."""
        given = {name: getattr(self, name) for name in ("alpha", "beta", "model") if getattr(self, name) is not None}
        if not self.sprt and not given:
            return None
        if len(self.sprt) != 2:
            raise BadInput(say("questions.sprt_two"), at="sprt")
        return Sprt(*self.sprt, **given)
