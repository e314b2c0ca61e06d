"""The one-off conversions of whole lists: October 2022 (rapid, blitz) and March 2024 (all three)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known, ruled
from arpad.core.numbers import half_away_from_zero
from arpad.errors import BadInput
from arpad.messages import FieldName, say
from arpad.systems.conversion import Conversion, one_off
from arpad.systems.fide.games import whole_rating
from arpad.systems.fide.rules import OneOff

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from arpad.core import Rating
    from arpad.rulebooks import Rule, Rulebook, Rules
    from arpad.systems.fide.rules import FideRules


def conversion(
    book: Rulebook[FideRules],
    system: str,
    rating: Rating,
    *,
    on: date | None = None,
    standard: Rating | None = None,
    dwz_index: int | None = None,
) -> Conversion:
    """A rating after the conversion of a list; by default the latest conversion."""
    if dwz_index is not None:
        raise BadInput(say("systems.unused", system=system, what=FieldName("dwz_index")), at="dwz_index")
    rule: Rule[OneOff] = one_off(book, on)
    before = known("rating", whole_rating(rating))
    new = _lift(before, rule) if rule.value.share is not None else _raise_to_standard(before, standard, rule)
    return Conversion(system=system, on=rule.since, trail=(new,), before=rating, rating=int(new.value))


def has_todays_scale(book: Rulebook[Rules], on: date) -> bool:
    """Whether ratings of a day are on today's scale, because no later conversion raised them."""
    return not _lifts_after(book, on)


def todays_scale(book: Rulebook[Rules], on: date) -> Callable[[float], float]:
    """Converts a rating of a day to today's scale: all later raises, without rounding."""
    later = _lifts_after(book, on)
    if not later:
        return float

    def lifted(rating: float) -> float:
        for lift in later:
            rating = max(float(rating), float(formulas.lifted(Decimal(rating), lift.share, lift.level)))
        return rating

    return lifted


def _lifts_after(book: Rulebook[Rules], on: date) -> list[OneOff]:
    """The conversions after a day that raised ratings part of the way to a level."""
    dated = [rule.value for rule in book.rules.get("one_off", ()) if rule.since > on]
    return [value for value in dated if isinstance(value, OneOff) and value.share is not None]


def _lift(rating: Step, rule: Rule[OneOff]) -> Step:
    """A rating raised part of the way to a level; at the level and above it stays the same."""
    level, share = rule.value.level, rule.value.share
    if level is None or rating.value >= level:
        return ruled("converted.unchanged", rule, rating.value, rating=rating)
    exact = found("converted", formulas.lifted, rating=rating, share=known("share", share), level=known("level", level))
    return ruled("converted.rounded", rule, half_away_from_zero(exact.value), exact=exact)


def _raise_to_standard(rating: Step, standard: Rating | None, rule: Rule[OneOff]) -> Step:
    """A rating raised to a given distance below the standard rating, unless it is nearer already."""
    if standard is None:
        raise BadInput(say("systems.conversion_standard", since=rule.since), at="standard")
    given = known("standard", whole_rating(standard))
    least = found("converted", formulas.lowest_within, standard=given, within=known("within", rule.value.within))
    if rating.value >= least.value:
        return ruled("converted.unchanged", rule, rating.value, rating=rating, least=least)
    return ruled("converted.raised", rule, least.value, rating=rating, least=least)
