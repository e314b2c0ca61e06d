"""The one-off conversions of whole lists, for the list they were made on."""

from datetime import date
from typing import Any

import numpy as np

from arpad.bulk.whole import half_away_from_zero
from arpad.rulebooks.rulebook import Rulebook
from arpad.systems.fide.rules import FideRules, OneOff


def converted(book: Rulebook[FideRules], rating: Any, standard: Any, listed: date) -> Any:
    """Ratings as a list shows them that was converted on its day; on any other list as they are. −1 is no rating."""
    rule = next((rule for rule in book.rules["one_off"] if rule.since == listed), None)
    return rating if rule is None else _convert(rule.value, rating, standard)


def _convert(one_off: OneOff, rating: Any, standard: Any) -> Any:
    """A share of the way up to a level, or up to within so many points of the standard rating."""
    if one_off.share is not None and one_off.level is not None:
        part, whole = one_off.share.as_integer_ratio()
        lifted = half_away_from_zero(whole * rating + part * (one_off.level - rating), whole)
        return np.where((rating >= 0) & (rating < one_off.level), lifted, rating)
    least = standard - (one_off.within or 0)
    return np.where((rating >= 0) & (standard >= 0), np.maximum(rating, least), rating)
