"""One-off conversions of whole lists."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.core import Rating
from arpad.questions import readers
from arpad.questions.declare import NO_PAGE, optional, question, required
from arpad.questions.fields import RuleFields
from arpad.systems.answers import Conversion


@question(
    "conversion",
    needs=("rating",),
    examples=(
        {"rating": 1500},
        {"rating": 2283, "standard": 2732, "system": "fide-rapid", "on": "2022-10-01"},
        {"rating": 1366, "dwz_index": 21, "system": "dwz"},
    ),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class ConversionOf(RuleFields):
    """What a rating became in a one-off conversion of a whole list."""

    rating: Rating = required(readers.rating, example="1500", word=True)
    standard: Rating | None = optional(readers.rating, example="2732", group="player")
    dwz_index: int | None = optional(readers.dwz_index, example="21", group="player")

    def answer(self) -> Conversion:
        """The conversion."""
        system = self.rating_system()
        return system.conversion(self.rating, on=self.on, standard=self.standard, dwz_index=self.dwz_index)
