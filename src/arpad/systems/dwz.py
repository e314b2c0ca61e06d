"""DWZ, Germany's rating: the follow-on rating of a player who has one (Wertungsordnung 3.3, 3.5, Anhang 1.2)."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

from arpad import formulas
from arpad.contract import Note, System, not_yet
from arpad.draws import normal
from arpad.errors import BadInput
from arpad.model import Player
from arpad.rounding import ROUNDINGS
from arpad.rulebook import Rule, Rulebook, positive, rounding_name, text, whole
from arpad.systems import by_k
from arpad.trail import Step, formula, found, known, ruled, summed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from arpad.answers import RatingChange
    from arpad.model import Period


class AgeGroup(NamedTuple):
    """J, the share of E that grows with age; the last group has no upper end."""

    add: int
    until_age: int | None = None


class Base(NamedTuple):
    """How E grows with the rating: (rating / divisor) to a power, plus J."""

    divisor: int
    power: int
    ages: tuple[AgeGroup, ...]


class Acceleration(NamedTuple):
    """The factor that makes E smaller, and the change larger, for a young player who did well."""

    until_age: int
    divisor: int
    at_least: Decimal
    at_most: Decimal


class Braking(NamedTuple):
    """The addition that makes E larger, and the change smaller, for a low-rated player who did badly."""

    under: int
    divisor: int


class Bounds(NamedTuple):
    """Between what E must lie: by the index while it is low, and otherwise where it was braked."""

    at_least: int
    at_most: int
    per_index: int
    until_index: int
    at_most_braked: int


class DwzRules(NamedTuple):
    """The rules of a day."""

    expected: Rule[int]
    points: Rule[int]
    base: Rule[Base]
    acceleration: Rule[Acceleration]
    braking: Rule[Braking]
    whole_e: Rule[str]
    bounds: Rule[Bounds]
    rounding: Rule[str]
    unplayed: Rule[str]


def _base(value: Any) -> Base:
    ages = tuple(AgeGroup(**group) for group in value["ages"])
    if not ages or ages[-1].until_age is not None or any(group.until_age is None for group in ages[:-1]):
        raise ValueError("the last age group alone has no upper end")
    return Base(positive(value["divisor"]), positive(value["power"]), ages)


def _acceleration(value: Any) -> Acceleration:
    return Acceleration(
        whole(value["until_age"]), positive(value["divisor"]), Decimal(value["at_least"]), Decimal(value["at_most"])
    )


READERS = {
    "expected": positive,
    "points": positive,
    "base": _base,
    "acceleration": _acceleration,
    "braking": lambda value: Braking(**value),
    "whole_e": rounding_name,
    "bounds": lambda value: Bounds(**value),
    "rounding": rounding_name,
    "unplayed": text,
}
EULER = known("e", Decimal(1).exp())
SETTINGS = ()


@formula("({rating} / {divisor}) ^ {power} + {age}")
def base_of_e(rating: Any, divisor: Any, power: Any, age: Any) -> Any:
    """E₀: the rating's part and the age's."""
    return (rating / divisor) ** power + age


@formula("{e} ^ (({under} − {rating}) / {divisor}) − 1")
def braking(e: Any, under: Any, rating: Any, divisor: Any) -> Any:
    """S_Br: grows from nought as the rating falls."""
    return e ** ((under - rating) / divisor) - 1


@formula("{base} × {factor} + {braking}")
def development(base: Any, factor: Any, braking: Any) -> Any:
    """E before it is rounded and bounded."""
    return base * factor + braking


@formula("{points} / ({e} + {games})")
def k_of_e(points: Any, e: Any, games: Any) -> Any:
    """K: what a whole point more than expected is worth."""
    return points / (e + games)


def build(name: str, *, rules: Path | None = None) -> System:
    """The German system."""
    method = by_k.Method(
        name,
        Rulebook("dwz", DwzRules, READERS, path=rules),
        curve=_curve,
        k=_k,
        notes=_notes,
        fractions=False,
        performance=None,
    )
    return System(
        name=name,
        title="DWZ",
        rulebook=method.book,
        rate=partial(by_k.rate, method),
        rate_period=partial(_rate_period, method),
        expect=partial(by_k.expect, method),
        expected_score=partial(by_k.expected_score, method),
        first_rating=not_yet(name, "first rating"),
        conversion=not_yet(name, "conversion"),
    )


def _rate_period(method: by_k.Method, player: Player, period: Period, *, on: date) -> RatingChange:
    """Tournaments are rated one by one, in the order of their last days (2.2.3); there is no rating period."""
    if len(period.events) > 1:
        raise BadInput(
            f"DWZ has no rating period: {len(period.events)} events are rated one after the other, each from the "
            "rating the one before gave. Rate them so.",
            at="event",
        )
    return by_k.rate_period(method, player, period, on=on)


def _curve(rules: DwzRules) -> by_k.Curve:
    """The normal curve of a difference between two players, each of whom varies by the same deviation (3.3.1)."""

    def expected(difference: Step) -> Step:
        # Worked out for the stronger side, so that both sides' scores add up to one exactly.
        share = Decimal(repr(normal(abs(int(difference.value)) / (rules.expected.value * sqrt(2)))))
        return ruled(
            "expected.normal", rules.expected, share if difference.value >= 0 else 1 - share, difference=difference
        )

    return expected


def _k(player: Player, entries: list[by_k.Entry], rules: DwzRules, on: date) -> Step:
    """800 / (E + n), the change for a whole point (3.5.2)."""
    if player.k is not None:
        return known("k.given", player.k)
    (entry,) = entries
    games = known("rated_games", len(entry.rated))
    score = known("score_sum", sum((line.game.score for line in entry.rated), Decimal(0)))
    expected = summed("expected_sum", formulas.total, tuple(line.expected for line in entry.rated if line.expected))
    e = _e(player, entry.rating, score, expected, rules, on)
    points = ruled("points", rules.points, Decimal(rules.points.value))
    return found("k.dwz", k_of_e, e=e, games=games, points=points, words={"says": rules.points.says})


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


def _notes(player: Player, rules: DwzRules) -> Iterator[Note]:
    """What was assumed about the player."""
    if player.k is not None:
        return
    if player.birth_year is None:
        yield Note("dwz.age", {"over": rules.base.value.ages[-2].until_age})
    if player.dwz_index is None:
        yield Note("dwz.index", {"over": rules.bounds.value.until_index})
