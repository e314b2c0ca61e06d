"""Engine matches: match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import cast

from arpad.errors import BadInput
from arpad.matches import PROGRAMS, MatchResult, Program, Sprt, match
from arpad.messages import FieldName, say
from arpad.questions import readers
from arpad.questions.declare import NO_PAGE, defaulting, optional, question, several
from arpad.questions.fields import Asking

SIGNS = {"+": "wins", "=": "draws", "-": "losses", "−": "losses"}


@question(
    "match",
    needs=("score|wins|losses|draws|pairs",),
    examples=(
        {"wins": 120, "losses": 95, "draws": 300},
        {"score": ["+120", "=300", "-95"]},
        {"pairs": [10, 40, 100, 45, 12], "sprt": [0, 5]},
        {"wins": 136, "losses": 96, "draws": 111, "sprt": [0, 10], "program": "cutechess"},
    ),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class MatchOf(Asking):
    """An engine match: Elo difference, error bars, LOS, SPRT."""

    score: tuple[str, ...] = several(readers.text, example="+120 =300 -95", word=True)
    wins: str | None = optional(readers.text, example="120")
    losses: str | None = optional(readers.text, example="95")
    draws: str | None = optional(readers.text, example="300")
    pairs: tuple[str, ...] = several(readers.text, example="10", takes=5)
    program: str = defaulting(readers.text, "fastchess", example="fastchess", choices=tuple(PROGRAMS))
    sprt: tuple[str, ...] = several(readers.text, example="0", takes=2, group="test")
    alpha: str | None = optional(readers.text, example="0.05", group="test")
    beta: str | None = optional(readers.text, example="0.05", group="test")
    model: str | None = optional(readers.text, example="normalized", group="test")
    on: date | None = optional(readers.day, example="2026-11-15", group="rules")

    def answer(self) -> MatchResult:
        """The figures of the match."""
        return match(
            **self._counts(),
            pairs=self.pairs or None,
            sprt=self._sprt(),
            program=cast("Program", self.program),
            on=self.day,
        )

    def _counts(self) -> dict[str, str | None]:
        """Games won, lost and drawn; what a score such as +5 -1 leaves out is 0."""
        counts = {name: getattr(self, name) for name in ("wins", "losses", "draws")}
        if not self.score:
            return counts
        beside = [FieldName(name) for name, value in counts.items() if value is not None]
        if beside:
            raise BadInput(say("questions.counted_twice", fields=beside), at="score")
        score = " ".join(self.score)
        parts = re.findall(r"([+=−-])\s*([0-9]+)", score)
        found = {SIGNS[sign]: count for sign, count in parts}
        rest = re.sub(r"[+=−-]\s*[0-9]+|[\s,;]", "", score)
        if rest or not parts or len(found) < len(parts):
            raise BadInput(say("questions.not_a_score", score=score), at="score")
        return {name: found.get(name, "0") for name in counts}

    def _sprt(self) -> Sprt | None:
        """The test, if one was asked for."""
        given = {name: getattr(self, name) for name in ("alpha", "beta", "model") if getattr(self, name) is not None}
        if not self.sprt and not given:
            return None
        if len(self.sprt) != 2:
            raise BadInput(say("questions.sprt_two"), at="sprt")
        return Sprt(*self.sprt, **given)
