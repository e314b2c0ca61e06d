"""K: 800 / (E + n), with the development coefficient E, until June 2026; by index since then."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.step import N, Step, formula, found, known, ruled, summed
from arpad.core import DwzStanding
from arpad.core.numbers import ROUNDINGS
from arpad.errors import BadRulebook
from arpad.messages import say
from arpad.systems.answers import given_k

if TYPE_CHECKING:
    from arpad.core import Player
    from arpad.systems.dwz.rules import DevelopmentRules, DwzRules, IndexRules, KColumn, Success
    from arpad.systems.elo import Entry


EULER = known("e", Decimal(1).exp())


@formula("({rating} / {divisor}) ^ {power} + {age}")
def base_of_e(rating: N, divisor: N, power: N, age: N) -> N:
    """E₀: a part from the rating and a part from the age."""
    return (rating / divisor) ** power + age


@formula("{e} ^ (({under} − {rating}) / {divisor}) − 1")
def braking(e: N, under: N, rating: N, divisor: N) -> N:
    """S_Br, which grows from zero as the rating falls."""
    return e ** ((under - rating) / divisor) - 1


@formula("{base} × {factor} + {braking}")
def development(base: N, factor: N, braking: N) -> N:
    """E before rounding and limits."""
    return base * factor + braking


@formula("{points} / ({e} + {games})")
def k_of_e(points: N, e: N, games: N) -> N:
    """K: the change for one point above the expected score."""
    return points / (e + games)


def change_constant(player: Player, entries: Sequence[Entry], rules: DwzRules, on: date) -> Step:
    """K by the rules of the day: the change for one point above the expected score."""
    standing = DwzStanding.of(player)
    if standing.k is not None:
        return given_k(standing.k)
    (entry,) = entries
    score = known("score_sum", sum((line.game.score for line in entry.rated), Decimal(0)))
    expected = summed("expected_sum", formulas.total, tuple(line.expected for line in entry.rated if line.expected))
    # The age counts in the year in which the event ends.
    year = (entry.event.ended or on).year
    age = None if player.birth_year is None else known("age", year - player.birth_year)
    unknown = assumed_of(player, rules)
    key = f"k.assumed.{'.'.join(unknown)}" if unknown else "k.dwz"
    by_index = rules.by_index
    if by_index is not None:
        index = None if standing.index is None else known("dwz_index", standing.index)
        return k_by_index(key, age, index, entry.rating, score, expected, by_index)._replace(words=unknown)
    old = _development(rules)
    games = known("rated_games", len(entry.rated))
    e = _e(standing.index, age, entry.rating, score, expected, old)
    points = ruled("points", old.points, Decimal(old.points.value))
    return found(key, k_of_e, e=e, games=games, points=points, words=unknown)


def assumed_of(player: Player, rules: DwzRules) -> dict[str, Any]:
    """What is not known about a player, and the age or index that the player is assumed to be above."""
    by_index = rules.by_index
    if by_index is not None:
        age, index = highest_listed(by_index)
    else:
        old = _development(rules)
        age, index = old.base.value.ages[-2].until_age or 0, old.bounds.value.until_index
    known_of = {"age": player.birth_year, "index": DwzStanding.of(player).index}
    return {what: over for what, over in (("age", age), ("index", index)) if known_of[what] is None}


def _development(rules: DwzRules) -> DevelopmentRules:
    """The rules of E, for a day without K by index."""
    old = rules.by_development
    if old is None:
        raise BadRulebook(say("systems.dwz.no_k"))
    return old


def _e(index: int | None, age: Step | None, rating: Step, score: Step, expected: Step, rules: DevelopmentRules) -> Step:
    """E, the development coefficient (Anhang 1.2): rounded, then bounded."""
    factor = _factor(age, rating, score, expected, rules)
    added = _braking(rating, score, expected, rules)
    exact = found("e.exact", development, base=_base_of_e(age, rating, rules), factor=factor, braking=added)
    rounded = ruled("e.rounded", rules.whole_e, ROUNDINGS[rules.whole_e.value](exact.value), exact=exact)
    bounds = rules.bounds.value
    index = None if index is None else max(index, 1)
    highest = bounds.at_most
    if added.value > 0:
        highest = bounds.at_most_braked
    elif index is not None and index <= bounds.until_index:
        highest = bounds.per_index * index
    given = {"rounded": rounded} if index is None else {"rounded": rounded, "index": known("dwz_index", index)}
    return Step("e.bounded", Decimal(max(bounds.at_least, min(rounded.value, highest))), given, rules.bounds)


def _base_of_e(age: Step | None, rating: Step, rules: DevelopmentRules) -> Step:
    divisor, power, ages = rules.base.value
    group = next(each for each in ages if each.until_age is None or (age is not None and age.value <= each.until_age))
    return found(
        "e.base",
        base_of_e,
        rating=rating,
        divisor=known("divisor", Decimal(divisor)),
        power=known("power", power),
        age=Step("e.age", Decimal(group.add), {} if age is None else {"age": age}, rules.base),
    )


def _factor(age: Step | None, rating: Step, score: Step, expected: Step, rules: DevelopmentRules) -> Step:
    """f_B, for a young player who scored at least what was expected."""
    until, divisor, at_least, at_most = rules.acceleration.value
    young = age is not None and age.value <= until
    value = Decimal(1)
    if young and score.value >= expected.value:
        value = max(at_least, min(at_most, Decimal(rating.value) / divisor))
    key = "e.accelerated" if value != 1 else "e.not_accelerated"
    return ruled(key, rules.acceleration, value, score=score, expected=expected)


def _braking(rating: Step, score: Step, expected: Step, rules: DevelopmentRules) -> Step:
    """S_Br, for a low-rated player who scored less than expected."""
    under, divisor = rules.braking.value
    if rating.value >= under or score.value >= expected.value:
        return ruled("e.not_braked", rules.braking, Decimal(0), score=score, expected=expected)
    return found(
        "e.braked",
        braking,
        e=EULER,
        under=ruled("e.braked_under", rules.braking, Decimal(under)),
        rating=rating,
        divisor=known("divisor", Decimal(divisor)),
    )


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
