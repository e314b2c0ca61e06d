"""Ratings side by side: the same games under several systems, list after list, and before and after a conversion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from arpad.core import Pace, Rating
from arpad.questions import readers
from arpad.questions.declare import NO_PAGE, optional, question, required
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH, GameFields, ListFields, PersonFields, RuleFields
from arpad.questions.ratings import PlayedFields
from arpad.systems import system_from, system_names
from arpad.systems.answers import Conversion
from arpad.systems.base import System
from arpad.systems.comparison import Comparison, compare
from arpad.systems.diary import Diary, keep_diary


@question(
    "compare",
    tool=True,
    needs=("rating", "game|paste|paste_file"),
    slow=True,
    most_values=200,  # each is rated under a dozen systems
    examples=({"rating": 1750, "game": ["1950:win", "1800:draw"], "born": 2010},),
)
@dataclass(frozen=True, kw_only=True)
class Compare(GameFields, PersonFields, ListFields):
    """The same games under several systems, side by side."""

    time: Pace | None = optional(readers.pace, example="90+30", group="event")
    on: date | None = optional(readers.day, example="2026-11-15", group="rules")
    systems: tuple[str, ...] | None = optional(readers.names, example="fide-standard,elo", group="rules")
    rules: str | None = optional(
        readers.path, example="club.toml", group="rules", longest=LONGEST_PATH, **COMMAND_ALONE
    )

    def answer(self) -> Comparison:
        """The comparison."""
        chosen: list[str | System] = list(system_names() if self.systems is None else self.systems)
        if self.rules is not None:
            chosen.append(system_from(self.rules))
        player = replace(self.rating, birth_year=self.birth_year or self.rating.birth_year)
        games = self.played()
        return compare(player, games, on=self.day, systems=chosen, pace=self.time, standings=self.standings())


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
        return system.conversion(self.rating, on=self.on, standard=self.standard, index=self.dwz_index)


@question(
    "diary",
    needs=("rating",),
    waits=("event|game",),
    examples=({"rating": 1750, "event": [{"on": "2026-04-03", "game": ["1800:win"]}, {"game": ["1850:loss"]}]},),
)
@dataclass(frozen=True, kw_only=True)
class DiaryOf(PlayedFields, PersonFields, ListFields):
    """A rating over several lists: each event is rated by the rules of its day."""

    def answer(self) -> Diary:
        """The diary."""
        chosen = self.rating_system()
        return keep_diary(chosen, self.player(chosen), self.events(), on=self.day)
