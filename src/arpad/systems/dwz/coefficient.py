"""E, the development coefficient (Anhang 1.2), and K, what a point is worth with it (3.5.2)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.answers import given_k
from arpad.calculation.step import Step, formula, found, known, ruled, summed
from arpad.core.roundings import ROUNDINGS

if TYPE_CHECKING:
    from datetime import date

    from arpad.core.model import Player
    from arpad.systems.by_k import Entry
    from arpad.systems.dwz.rules import DwzRules

EULER = known("e", Decimal(1).exp())


@formula("({rating} / {divisor}) ^ {power} + {age}")
def base_of_e(rating: Any, divisor: Any, power: Any, age: Any) -> Any:
    """E₀: the rating's part and the age's."""
    return (rating / divisor) ** power + age


@formula("{e} ^ (({under} − {rating}) / {divisor}) − 1")
def braking(e: Any, under: Any, rating: Any, divisor: Any) -> Any:
    """S_Br: grows from zero as the rating falls."""
    return e ** ((under - rating) / divisor) - 1


@formula("{base} × {factor} + {braking}")
def development(base: Any, factor: Any, braking: Any) -> Any:
    """E before it is rounded and bounded."""
    return base * factor + braking


@formula("{points} / ({e} + {games})")
def k_of_e(points: Any, e: Any, games: Any) -> Any:
    """K: what a whole point more than expected is worth."""
    return points / (e + games)


def change_constant(player: Player, entries: list[Entry], rules: DwzRules, on: date) -> Step:
    """800 / (E + n), the change for a whole point (3.5.2)."""
    if player.k is not None:
        return given_k(player)
    (entry,) = entries
    games = known("rated_games", len(entry.rated))
    score = known("score_sum", sum((line.game.score for line in entry.rated), Decimal(0)))
    expected = summed("expected_sum", formulas.total, tuple(line.expected for line in entry.rated if line.expected))
    e = _e(player, entry.rating, score, expected, rules, on)
    points = ruled("points", rules.points, Decimal(rules.points.value))
    unknown = assumed_of(player, rules)
    key, words = (f"k.assumed.{'.'.join(unknown)}", unknown) if unknown else ("k.dwz", {"says": rules.points.says})
    return found(key, k_of_e, e=e, games=games, points=points, words=words)


def assumed_of(player: Player, rules: DwzRules) -> dict[str, Any]:
    """What is not known of a player, and what is taken for it: an age, or an index, over so much."""
    assumed = {"age": rules.base.value.ages[-2].until_age, "index": rules.bounds.value.until_index}
    known_of = {"age": player.birth_year, "index": player.dwz_index}
    return {what: over for what, over in assumed.items() if known_of[what] is None}


def _e(player: Player, rating: Step, score: Step, expected: Step, rules: DwzRules, on: date) -> Step:
    """E, the development coefficient (Anhang 1.2): rounded, then bounded."""
    age = None if player.birth_year is None else known("age", on.year - player.birth_year)
    factor = _factor(age, rating, score, expected, rules)
    added = _braking(rating, score, expected, rules)
    exact = found("e.exact", development, base=_base_of_e(age, rating, rules), factor=factor, braking=added)
    rounded = ruled("e.rounded", rules.whole_e, ROUNDINGS[rules.whole_e.value](exact.value), exact=exact)
    bounds = rules.bounds.value
    index = None if player.dwz_index is None else max(player.dwz_index, 1)
    highest = bounds.at_most
    if added.value > 0:
        highest = bounds.at_most_braked
    elif index is not None and index <= bounds.until_index:
        highest = bounds.per_index * index
    given = {"rounded": rounded} if index is None else {"rounded": rounded, "index": known("dwz_index", index)}
    return Step("e.bounded", Decimal(max(bounds.at_least, min(rounded.value, highest))), given, rules.bounds)


def _base_of_e(age: Step | None, rating: Step, rules: DwzRules) -> Step:
    divisor, power, ages = rules.base.value
    group = next(one for one in ages if one.until_age is None or (age is not None and age.value <= one.until_age))
    return found(
        "e.base",
        base_of_e,
        rating=rating,
        divisor=known("divisor", Decimal(divisor)),
        power=known("power", power),
        age=Step("e.age", Decimal(group.add), {} if age is None else {"age": age}, rules.base),
    )


def _factor(age: Step | None, rating: Step, score: Step, expected: Step, rules: DwzRules) -> Step:
    """f_B, for the young who scored at least what was expected."""
    until, divisor, at_least, at_most = rules.acceleration.value
    young = age is not None and age.value <= until
    value = Decimal(1)
    if young and score.value >= expected.value:
        value = max(at_least, min(at_most, Decimal(rating.value) / divisor))
    key = "e.accelerated" if value != 1 else "e.not_accelerated"
    return ruled(key, rules.acceleration, value, score=score, expected=expected)


def _braking(rating: Step, score: Step, expected: Step, rules: DwzRules) -> Step:
    """S_Br, for the low-rated who scored less than was expected."""
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
