"""A player's first rating."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.questions.declare import question
from arpad.questions.fields import ListFields
from arpad.questions.rating import GameFields
from arpad.systems.answers import FirstRating


@question(
    "first",
    tool=True,
    needs=("game|event|paste|paste_file",),
    examples=(
        {"game": ["1902:1", "1877:1", "1884:½", "2012:0", "1832:½"]},
        {"event": [{"game": ["1902:0"], "on": "2025-01-10"}, {"game": ["1884:½"], "on": "2025-06-01"}]},
    ),
)
@dataclass(frozen=True, kw_only=True)
class First(GameFields, ListFields):
    """An unrated player's first rating, or what is still missing."""

    def answer(self) -> FirstRating:
        """The first rating."""
        events = self.events()
        return self.rating_system().first_rating(events, on=self.day_of(events))
