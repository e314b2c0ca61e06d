"""What rating a section answers: every player's calculation, and the section's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answers import because, plain
from arpad.calculation.contract import Calculation, Figure
from arpad.core.roundings import decimal
from arpad.errors import BadInput
from arpad.messages import Message, figure
from arpad.systems.uschess.rating import expected_sum, the_formula

if TYPE_CHECKING:
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.systems.uschess.entrant import Entrant
    from arpad.systems.uschess.rating import Before


class Passes(NamedTuple):
    """What the steps made of one player."""

    entrant: Entrant
    before: Before
    first_look: Step | None
    first: Step | None
    second: Step | None
    floor: Step | None
    final: Step
    new: Step


class PlayerRating(Calculation):
    """One player of a rated section."""

    def __init__(self, system: str, on: date, passes: Passes) -> None:
        super().__init__(system, on, (passes.new,))
        self.passes = passes
        self.id = passes.entrant.id
        self.name = passes.entrant.name

    @property
    def rating(self) -> float | None:
        """The rating before; None for a newcomer."""
        return None if self.passes.entrant.rating is None else float(self.passes.entrant.rating)

    @property
    def new_rating(self) -> int | None:
        """The official rating after, a whole number; None for an unrated player without a game."""
        new: int | None = self.passes.new.value
        return new

    @property
    def exact(self) -> float | None:
        """The rating that is kept, unrounded."""
        return None if self.passes.final.value is None else float(self.passes.final.value)

    @property
    def intermediate(self) -> float | None:
        """The rating after the first pass (step 4)."""
        return None if self.passes.first is None else float(self.passes.first.value)

    @property
    def first_look(self) -> float | None:
        """A newcomer's rating for the opponents' first pass (step 3)."""
        return None if self.passes.first_look is None else float(self.passes.first_look.value)

    @property
    def games(self) -> int:
        """The rated games of the event."""
        return len(self.passes.entrant.played)

    @property
    def why(self) -> str | None:
        """Why a floor or a limit, not the formula, gave the rating; None if the formula did."""
        final = self.passes.final
        return because(final) if final is not self.passes.second and self.passes.second is not None else None

    def figures(self) -> list[Figure]:
        value = self.value()
        expected = "" if value["expected"] is None else f"expected {figure(value['expected'])}"
        return [
            Figure("new_rating", value["new_rating"] or "unrated", self.why or ""),
            Figure("exact", value["exact"]),
            Figure("formula", value["formula"]),
            Figure("effective_games", value["effective_games"]),
            Figure("k", value["k"]),
            Figure("score", f"{figure(value['score'])} of {self.games}", expected),
            Figure("bonus", value["bonus"]),
        ]

    def value(self) -> dict[str, Any]:
        entrant, steps = self.passes.entrant, self.passes
        bonus: Any = None if steps.second is None else the_formula(steps.second).given.get("bonus")
        return {
            "id": self.id,
            "name": self.name,
            "rating": plain(entrant.rating),
            "start": None if entrant.rating is not None else plain(decimal(steps.before.rating.value)),
            "games_before": steps.before.games,
            "effective_games": steps.before.effective.value,
            "formula": steps.before.formula.value,
            "k": None if steps.before.k is None or steps.second is None else steps.before.k.value,
            "games": self.games,
            "score": plain(sum(result.score for result in entrant.played)),
            "expected": None if steps.second is None else expected_sum(steps.second),
            "bonus": None if bonus is None else bonus.value,
            "first_look": self.first_look,
            "first_pass": self.intermediate,
            "second_pass": None if steps.second is None else float(steps.second.value),
            "floor": None if steps.floor is None else steps.floor.value,
            "exact": self.exact,
            "new_rating": self.new_rating,
            "why": self.why,
        }


class SectionRating(Calculation):
    """A rated section: every player's calculation, in the order they were given."""

    def __init__(self, system: str, on: date, players: tuple[PlayerRating, ...], notes: tuple[Message, ...]) -> None:
        super().__init__(system, on, tuple(root for player in players for root in player.roots), lambda: notes)
        self.players = players

    def player(self, id: Any) -> PlayerRating:
        """One player by id."""
        for player in self.players:
            if player.id == str(id):
                return player
        raise BadInput(f"No player of the section has the id {id}; ids are the first column of the file.", at="player")

    def figures(self) -> list[Figure]:
        return [Figure("players", len(self.players))]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "new_ratings": {player.id: player.new_rating for player in self.players},
            "players": [player.value() for player in self.players],
        }
