"""The one-off conversions of whole lists: October 2022 (rapid, blitz) and March 2024 (all three)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known, ruled
from arpad.core.roundings import half_away_from_zero
from arpad.errors import BadInput
from arpad.messages import FieldName, say
from arpad.systems.conversion import Conversion, one_off
from arpad.systems.fide.games import whole_rating
from arpad.systems.fide.rules import OneOff

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from arpad.core import Rating
    from arpad.rulebooks.rulebook import Rule, Rulebook, Rules
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
    """What the conversion of a list made of a rating; the latest one unless a list is named."""
    if dwz_index is not None:
        raise BadInput(say("systems.unused", system=system, what=FieldName("dwz_index")), at="dwz_index")
    rule: Rule[OneOff] = one_off(book, on)
    before = known("rating", whole_rating(rating))
    new = _lift(before, rule) if rule.value.share is not None else _raise_to_standard(before, standard, rule)
    return Conversion(system=system, on=rule.since, trail=(new,), before=rating, rating=int(new.value))


def has_todays_scale(book: Rulebook[Rules], on: date) -> bool:
    """Whether ratings of a day mean what they mean today, because no list was converted since."""
    return not _lifts_after(book, on)


def todays_scale(book: Rulebook[Rules], on: date) -> Callable[[float], float]:
    """What the conversions made after a day would have made of a rating of that day, not rounded."""
    later = _lifts_after(book, on)
    if not later:
        return float

    def lifted(rating: float) -> float:
        for one in later:
            rating = max(float(rating), float(formulas.lifted(Decimal(rating), one.share, one.level)))
        return rating

    return lifted


def _lifts_after(book: Rulebook[Rules], on: date) -> list[OneOff]:
    """The conversions after a day that raised ratings by a share of the way to a level."""
    dated = [rule.value for rule in book.rules.get("one_off", ()) if rule.since > on]
    return [one for one in dated if isinstance(one, OneOff) and one.share is not None]


def _lift(rating: Step, rule: Rule[OneOff]) -> Step:
    """A share of the way up to a level; at the level and above nothing changes."""
    level, share = rule.value.level, rule.value.share
    if level is None or rating.value >= level:
        return ruled("converted.unchanged", rule, rating.value, rating=rating)
    exact = found("converted", formulas.lifted, rating=rating, share=known("share", share), level=known("level", level))
    return ruled("converted.rounded", rule, half_away_from_zero(exact.value), exact=exact)


def _raise_to_standard(rating: Step, standard: Rating | None, rule: Rule[OneOff]) -> Step:
    """Up to so many points below the standard rating; whoever is nearer keeps the rating."""
    if standard is None:
        raise BadInput(say("systems.conversion_standard", since=rule.since), at="standard")
    given = known("standard", whole_rating(standard))
    least = found("converted", formulas.lowest_within, standard=given, within=known("within", rule.value.within))
    if rating.value >= least.value:
        return ruled("converted.unchanged", rule, rating.value, rating=rating, least=least)
    return ruled("converted.raised", rule, least.value, rating=rating, least=least)
