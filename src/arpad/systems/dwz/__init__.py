"""DWZ, Germany's rating: new ratings, the first DWZ since June 2026, and that month's raise of the whole list."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

from arpad.calculation.step import Step, ruled
from arpad.core import DwzStanding
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.rulebooks import Rulebook
from arpad.systems import by_k
from arpad.systems.base import System
from arpad.systems.draw_models import normal
from arpad.systems.dwz.coefficient import assumed_of, change_constant
from arpad.systems.dwz.conversion import conversion
from arpad.systems.dwz.event import deciding_day, national
from arpad.systems.dwz.first import first_rating
from arpad.systems.dwz.rules import READERS, DwzRules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from arpad.core import Period, Player
    from arpad.rulebooks import Rule
    from arpad.systems.rating_change import RatingChange

SETTINGS = ("readings",)


def build(name: str, *, readings: Mapping[str, str] | None = None, rules: str | None = None) -> System:
    """The German system, with the chosen readings."""
    method = by_k.ByK(
        name,
        Rulebook("dwz", DwzRules, READERS, path=rules, readings=readings),
        curve=_curve,
        k=change_constant,
        notes=_notes,
        fractions=False,
        performance=None,
        minimum=_minimum,
    )
    return System.of(
        name,
        "DWZ",
        method.book,
        rate_period=partial(_rate_period, method),
        expect=partial(by_k.expect, method),
        standing=DwzStanding,
        expected_score=partial(by_k.expected_score, method),
        first_rating=partial(first_rating, method),
        conversion=partial(conversion, method),
        national=national(method),
    )


def _minimum(rules: DwzRules) -> Rule[int] | None:
    return rules.minimum


def _rate_period(method: by_k.ByK, player: Player, period: Period, *, on: date) -> RatingChange:
    """Tournaments are rated one by one, in the order of their last days (2.2.3); there is no rating period."""
    if len(period.events) > 1:
        raise BadInput(say("systems.dwz.one_event", events=len(period.events)), at="event")
    ended = next((event.ended for event in period.events if event.ended is not None), None)
    if ended is None:
        return by_k.rate_period(method, player, period, on=on)
    day = deciding_day(method, on, ended)
    change = by_k.rate_period(method, player, period, on=day)
    return replace(change, trail=(ruled("decides", method.book.at(ended).decides, day), *change.trail))


def _curve(rules: DwzRules) -> by_k.Curve:
    """The normal curve for a difference between two players whose results vary by the same deviation (3.3.1)."""

    def expected(difference: Step) -> Step:
        # Computed for the stronger side, so that both expected scores add up to exactly one.
        share = Decimal(repr(normal(abs(int(difference.value)) / (rules.expected.value * sqrt(2)))))
        return ruled(
            "expected.normal", rules.expected, share if difference.value >= 0 else 1 - share, difference=difference
        )

    return expected


def _notes(player: Player, rules: DwzRules, _: date) -> Iterator[Message]:
    """What was assumed about the player."""
    if DwzStanding.of(player).k is None:
        yield from (say(f"notes.dwz.{what}", over=over) for what, over in assumed_of(player, rules).items())
