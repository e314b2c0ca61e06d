"""Performance ratings."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.core import Game
from arpad.questions import readers
from arpad.questions.declare import defaulting, question, several
from arpad.questions.fields import DayField, ListFields, PasteFields
from arpad.reading import apart
from arpad.systems.performance import Performance, performance


@question(
    "performance",
    tool=True,
    needs=("game|paste|paste_file",),
    examples=(
        {"game": ["1950:win", "2010:draw", "1890:1"]},
        {"game": ["1830:1", "1914:1", "1867:1", "2255:0", "1818:1", "1990:1"], "method": "ptp"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class PerformanceOf(DayField, PasteFields, ListFields):
    """A performance rating."""

    system: str = defaulting(
        readers.text,
        "fide-standard",
        example="fide-standard",
        group="rules",
        doors=frozenset({"api", "page"}),
        why="no method depends on it, but an address names one",
    )
    reading: tuple[tuple[str, str], ...] = several(
        readers.named_value, example="ptp_perfect=eight-hundred", group="rules"
    )
    game: tuple[Game, ...] = several(readers.game, split=apart, example="1950:win", word=True)
    method: str = defaulting(readers.text, "fide", example="fide")

    def answer(self) -> Performance:
        """The performance rating."""
        games = (*self.game, *self.pasted_games())
        return performance(games, on=self.day, method=self.method, readings=dict(self.reading))
