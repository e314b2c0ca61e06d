"""What Lichess answers: a rating, and what the site shows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.contract import Figure
from arpad.calculation.step import Step, found, ruled
from arpad.messages import figure
from arpad.systems.glicko.answer import GlickoChange, GlickoGame

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.calculation.contract import Notes
    from arpad.systems.glicko.lichess.rules import LichessRules
    from arpad.systems.glicko.standing import Standing


class LichessChange(GlickoChange):
    """What games, or days without any, do to a Lichess rating."""

    def __init__(
        self,
        on: date,
        rules: LichessRules,
        *,
        before: Standing,
        after: Standing,
        games: Sequence[GlickoGame],
        earlier: tuple[Step, ...],
        notes: Notes,
    ) -> None:
        shown = ruled("shown", rules.shown, int(after.rating.value), exact=after.rating)
        was = ruled("shown.before", rules.shown, int(before.rating.value), exact=before.rating)
        self._shown = found("shown_change", formulas.difference, rating=shown, opponent=was)
        self.shown_rating: int = shown.value
        provisional = after.deviation.value >= rules.provisional.value
        self._provisional = ruled("provisional", rules.provisional, provisional, deviation=after.deviation)
        super().__init__(
            "lichess",
            on,
            before=before,
            after=after,
            interval=rules.interval,
            games=games,
            earlier=earlier,
            later=(self._shown, self._provisional),
            notes=notes,
        )

    @property
    def shown_change(self) -> int:
        """The change that the site shows."""
        return int(self._shown.value)

    @property
    def provisional(self) -> bool:
        """Whether the site puts a question mark behind the rating."""
        return bool(self._provisional.value)

    def figures(self) -> list[Figure]:
        mark = "?" if self.provisional else ""
        change = figure(self.shown_change, signed=True)
        shown = Figure("shown", f"{self.shown_rating}{mark}", f"{change}, as the site shows it")
        return [shown, *super().figures()]

    def value(self) -> dict[str, Any]:
        return {
            **super().value(),
            "shown_rating": self.shown_rating,
            "shown_change": self.shown_change,
            "provisional": self.provisional,
        }
