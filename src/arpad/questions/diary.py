"""A rating over several lists."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.questions.declare import question
from arpad.questions.fields import ListFields, PlayerFields
from arpad.questions.rating import GameFields
from arpad.systems.diary import Diary, keep_diary


@question(
    "diary",
    needs=("rating",),
    waits=("event|game",),
    examples=({"rating": 1750, "event": [{"on": "2026-04-03", "game": ["1800:win"]}, {"game": ["1850:loss"]}]},),
)
@dataclass(frozen=True, kw_only=True)
class DiaryOf(GameFields, PlayerFields, ListFields):
    """A rating over several lists: each event is rated by the rules of its day."""

    def answer(self) -> Diary:
        """The diary."""
        chosen = self.rating_system()
        return keep_diary(chosen, self.player(chosen), self.events(), on=self.day)
