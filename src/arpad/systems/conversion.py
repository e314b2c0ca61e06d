"""Conversion: what a one-off conversion of a whole list did to a rating."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import Answer, Figure
from arpad.core import Rating
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.rulebooks import Rule, Rulebook, Rules


@dataclass(frozen=True, kw_only=True)
class Conversion(Answer):
    """A rating after a one-off conversion; `dwz_index` is the index after it, if the index was given."""

    before: Rating
    rating: int
    dwz_index: int | None = None

    def summary(self) -> Sequence[Figure]:
        return (
            Figure("rating", self.rating, say("answers.converted", before=self.before, on=self.on)),
            Figure("dwz_index", self.dwz_index),
        )


def one_off(book: Rulebook[Rules], on: date | None) -> Rule[Any]:
    """The conversion of a day's list, or the latest one; an error if there was none."""
    dated = book.rules["one_off"]
    rule = dated[-1] if on is None else one_off_on(book, on)
    if rule is not None:
        return rule
    raise BadInput(say("systems.no_conversion", on=on, days=[str(rule.since) for rule in dated]), at="on")


def one_off_on(book: Rulebook[Rules], day: date) -> Rule[Any] | None:
    """The conversion of a day's list; None if there was none."""
    return next((rule for rule in book.rules["one_off"] if rule.since == day), None)
