"""LichessChange: a Lichess rating, and what the site shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.calculation import formulas
from arpad.calculation.answer import Figure
from arpad.calculation.step import Step, found, ruled
from arpad.messages import say
from arpad.systems.glicko.answer import GlickoChange

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.systems.glicko.answer import Remarks
    from arpad.systems.glicko.lichess.rules import LichessRules
    from arpad.systems.glicko.standing import StandingSteps
    from arpad.systems.rating_change import EventChange


@dataclass(frozen=True, kw_only=True)
class LichessChange(GlickoChange):
    """How games, or days without games, change a Lichess rating."""

    shown_rating: int
    shown_change: int
    provisional: bool  # whether the site puts a question mark after the rating

    def summary(self) -> Sequence[Figure]:
        shown = say(
            "glicko.lichess.provisional" if self.provisional else "glicko.lichess.shown", rating=self.shown_rating
        )
        first = Figure("shown", shown, say("glicko.lichess.by_the_site", change=self.shown_change))
        return (self._with_assumption(first), *super().summary())


def lichess_change(
    on: date,
    rules: LichessRules,
    *,
    before: StandingSteps,
    after: StandingSteps,
    events: tuple[EventChange, ...],
    earlier: tuple[Step, ...],
    remarks: Remarks,
) -> LichessChange:
    """A change from its steps, with what the site shows."""
    shown = ruled("shown", rules.shown, int(after.rating.value), exact=after.rating)
    was = ruled("shown.before", rules.shown, int(before.rating.value), exact=before.rating)
    change = found("shown_change", formulas.difference, rating=shown, opponent=was)
    uncertain = after.deviation.value >= rules.provisional.value
    provisional = ruled("provisional", rules.provisional, uncertain, deviation=after.deviation)
    return LichessChange.of(
        "lichess",
        on,
        before=before,
        after=after,
        interval=rules.interval,
        events=events,
        earlier=earlier,
        later=(change, provisional),
        remarks=remarks,
        shown_rating=shown.value,
        shown_change=change.value,
        provisional=provisional.value,
    )
