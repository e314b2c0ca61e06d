"""What is answered about a player without a rating."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.calculation.answers import because, plain
from arpad.calculation.contract import Calculation, Figure
from arpad.calculation.explain import figure

if TYPE_CHECKING:
    from datetime import date

    from arpad.calculation.answers import GameChange
    from arpad.calculation.contract import Notes
    from arpad.calculation.step import Step


class FirstRating(Calculation):
    """An unrated player's first rating, or what is still missing."""

    def __init__(
        self,
        system: str,
        on: date,
        *,
        first: Step,
        missing: tuple[str, ...],
        so_far: Step | None,
        per_game: tuple[GameChange, ...],
        notes: Notes = tuple,
    ) -> None:
        super().__init__(system, on, (first,), notes)
        self._first = first
        self._so_far = so_far
        self.missing = missing
        self.per_game = per_game

    @property
    def rating(self) -> int | None:
        """The first rating; None if there is none yet."""
        rating: int | None = self._first.value
        return rating

    @property
    def so_far(self) -> int | None:
        """What the games so far would give; None before any counts."""
        return None if self._so_far is None else int(self._so_far.value)

    @property
    def why(self) -> str | None:
        """Why there is no rating yet; None if there is one."""
        return because(self._first) if self._first.value is None else None

    def figures(self) -> list[Figure]:
        counted = [game for game in self.per_game if game.rated]
        so_far = self.so_far if self.rating is None else None
        return [
            Figure("first", "none yet" if self.rating is None else self.rating, self.why or ""),
            *(Figure("missing", missing) for missing in self.missing),
            Figure("so_far", so_far, "by the games that count"),
            Figure(
                "score", f"{figure(sum(game.score for game in counted))} of {len(counted)}", "against rated opponents"
            ),
        ]

    def value(self) -> dict[str, Any]:
        counted = [game for game in self.per_game if game.rated]
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "rating": self.rating,
            "why": self.why,
            "missing": list(self.missing),
            "so_far": self.so_far,
            "games": len(counted),
            "score": plain(sum(game.score for game in counted)),
            "per_game": [game.value() for game in self.per_game],
        }
