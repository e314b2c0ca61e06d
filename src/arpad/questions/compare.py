"""The same games under several systems."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arpad.core import Game
from arpad.questions import readers
from arpad.questions.declare import optional, question, several
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH, ListFields, PasteFields, PersonFields, TimeField
from arpad.reading import apart
from arpad.systems import system_from, system_names
from arpad.systems.comparison import Comparison, compare
from arpad.systems.system import System


@question(
    "compare",
    tool=True,
    needs=("rating", "game|paste|paste_file"),
    slow=True,
    most_values=200,  # each is rated under a dozen systems
    examples=({"rating": 1750, "game": ["1950:win", "1800:draw"], "born": 2010},),
)
@dataclass(frozen=True, kw_only=True)
class Compare(PersonFields, TimeField, PasteFields, ListFields):
    """The same games under several systems, side by side."""

    game: tuple[Game, ...] = several(readers.game, split=apart, example="1950:win", word=True)
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
        games = (*self.game, *self.pasted_games())
        return compare(player, games, on=self.day, systems=chosen, pace=self.time, standings=self.standings())
