"""K by the rating order in force since June 2026: by index, age and rating, corrected by success or failure."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.step import Step, ruled
from arpad.core.numbers import ROUNDINGS

if TYPE_CHECKING:
    from arpad.systems.dwz.rules import IndexRules, KColumn, Success


def k_by_index(
    key: str, age: Step | None, index: Step | None, rating: Step, score: Step, expected: Step, rules: IndexRules
) -> Step:
    """K from the table, corrected, rounded and limited; an unknown age or index counts as above the table."""
    table = _from_table(age, index, rating, rules)
    given = {"table": table, "rating": rating, "score": score, "expected": expected}
    exact = table
    if score.value < expected.value:
        under, add, divisor = rules.brake.value
        if rating.value < under:
            # Multiplied first, because a rounded quotient could miss an exact half.
            exact = Step("k.braked", table.value * (rating.value + add) / divisor, given, rules.brake)
    else:
        correction = next((line for line in rules.success.value if _applies(line, age, rating)), None)
        if correction is not None:
            exact = Step("k.raised", table.value + _added(correction, rating), given, rules.success)
    by, decimals = rules.k_rounding.value
    rounded = ROUNDINGS[by](exact.value.scaleb(decimals)) * Decimal(1).scaleb(-decimals)
    k = ruled(key, rules.k_rounding, rounded, exact=exact)
    return k if rounded <= rules.k_limit.value else ruled(key, rules.k_limit, Decimal(rules.k_limit.value), exact=exact)


def _from_table(age: Step | None, index: Step | None, rating: Step, rules: IndexRules) -> Step:
    """K from the table, before any correction."""
    column = next(each for each in rules.k.value if _applies(each, age, rating))
    place = len(column.by_index) if index is None else min(max(index.value, 1), len(column.by_index))
    facts = {"rating": rating, "age": age, "index": index}
    given = {name: step for name, step in facts.items() if step is not None}
    return Step("k.table", Decimal(column.by_index[place - 1]), given, rules.k)


def _applies(line: KColumn | Success, age: Step | None, rating: Step) -> bool:
    """Whether a line is for this age and rating; an unknown age is above every limit."""
    young = line.until_age is None or (age is not None and age.value <= line.until_age)
    return young and (line.rated_under is None or rating.value < line.rated_under)


def _added(correction: Success, rating: Step) -> Decimal:
    """What success adds to K: fixed points, or part of the distance to a level."""
    if correction.divisor is None:
        return Decimal(correction.add or 0)
    return Decimal(correction.rated_under - rating.value) / correction.divisor


def highest_listed(rules: IndexRules) -> tuple[int, int]:
    """The age and the index above which K no longer depends on them."""
    ages = [column.until_age for column in rules.k.value if column.until_age is not None]
    return max(ages, default=0), max(len(column.by_index) for column in rules.k.value) - 1
