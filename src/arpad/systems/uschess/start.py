"""The starting rating of an unrated player (step 1): by age, from a FIDE rating, or given."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answer import Answer, Figure, Text
from arpad.calculation.explain import Reason
from arpad.calculation.step import Formula, N, Step, formula, found, known, ruled
from arpad.core import Rating, number, rating_of, refused
from arpad.core.numbers import decimal
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.uschess.rules import rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from arpad.core import Number
    from arpad.messages import Message
    from arpad.rulebooks import Rule
    from arpad.systems.uschess.rules import UsChessRules

OLDEST = 120  # years; catches typing errors, not a rule
YEAR = 365.25


def start_rating(
    *,
    on: date,
    system: str = "uschess-regular",
    age: Number | None = None,
    born: date | None = None,
    fide: Number | None = None,
    adult: bool = False,
    readings: Mapping[str, str] | None = None,
) -> StartRating:
    """The starting rating: from a FIDE rating if there is one, otherwise by age, otherwise by `adult`."""
    rules = rules_of(system, on, readings)
    start = start_of(rules, on, age=age, born=born, fide=fide, adult=adult)
    return StartRating(
        system=system,
        on=on,
        trail=(start.rating,),
        remarks=_remarks,
        rating=decimal(start.rating.value),
        games=start.games or 0,
        why=Reason(start.rating),
    )


@dataclass(frozen=True, kw_only=True)
class StartRating(Answer):
    """The starting rating of a newcomer; it is not published."""

    rating: Rating
    games: int  # the number of games it counts for
    why: Text

    def summary(self) -> Sequence[Figure]:
        return (
            Figure("start", self.rating, self.why),
            Figure("games_before", self.games, say("uschess.start.worth")),
        )


def _remarks() -> Iterable[Message]:
    yield say("notes.start.blend")


def start_of(
    rules: UsChessRules,
    on: date,
    *,
    age: Number | None = None,
    born: date | None = None,
    fide: Number | None = None,
    adult: bool = False,
) -> Initial:
    """The starting rating, from what is known about a newcomer."""
    if age is not None and born is not None:
        raise BadInput(say("uschess.start.age_and_born"), at="age")
    years = age_on(born, on) if born is not None else None if age is None else age_of(age)
    if fide is not None:
        return start_by_fide(rating_of(fide, at="fide"), rules)
    return start_by_age(years, rules, adult=adult)


class Initial(NamedTuple):
    """The rating before an event, and the number of games it counts for; None for an established rating."""

    rating: Step
    games: int | None


def start_by_fide(fide: Rating, rules: UsChessRules) -> Initial:
    """A FIDE rating on the US Chess scale, and the number of games it counts for (2)."""
    rule, worth = rules.start_fide, rules.start_fide_games
    base, slope = rule.value.lower if fide <= rule.value.up_to else rule.value.upper
    line: dict[str, Any] = {"base": ruled("constant.base", rule, base), "slope": ruled("constant.slope", rule, slope)}
    games = ruled("start.games", worth, worth.value.lower if fide <= worth.value.up_to else worth.value.upper)
    rating = _exact("start.fide", by_line, rule, fide=known("fide", fide), games=games, **line)
    if rating.value < rules.start_age.value.least:
        raise BadInput(say("uschess.start.fide", fide=fide), at="fide")
    return Initial(rating, games.value)


def start_by_age(age: float | None, rules: UsChessRules, *, adult: bool = False) -> Initial:
    """50 points per year of age, from 100 to 1300; without an age, 1300 for an adult and otherwise 750 (2)."""
    rule = rules.start_age
    if age is None or age < rule.value.believed_from:
        key, value = ("start.adult", rule.value.adult) if adult else ("start.unknown", rule.value.unknown)
        return Initial(ruled(key, rule, value), 0)
    years = ruled("age", rules.age, decimal(age) if rules.age.value == "fractional" else int(age))
    a_year = ruled("constant.a_year", rule, rule.value.a_year)
    start = _exact("start.age", by_years, rule, a_year=a_year, age=years)
    bounded = min(max(start.value, rule.value.least), rule.value.most)
    return Initial(start if bounded == start.value else ruled("start.bound", rule, bounded, exact=start), 0)


@formula("{a_year} × {age}")
def by_years(a_year: N, age: N) -> N:
    """Points for each year of age."""
    return a_year * age


@formula("{base} + {slope} × {fide}")
def by_line(base: N, slope: N, fide: N) -> N:
    """A FIDE rating on the US Chess scale."""
    return base + slope * fide


def age_of(value: object, *, at: str = "age") -> float:
    """An age in years."""
    age = number(value, "age", low=0, high=OLDEST, at=at)
    if not 0 <= age <= OLDEST:
        raise refused(value, "age", low=0, high=OLDEST, at=at)
    return float(age)


def age_on(born: date, day: date) -> float:
    """The age on a day, with the fraction of the year."""
    if born > day:
        raise BadInput(say("uschess.start.unborn", born=born, day=day), at="born")
    return age_of((day - born).days / YEAR, at="born")


def _exact(key: str, by: Formula, rule: Rule[object], **given: Any) -> Step:
    """The value of a formula, calculated in decimals and stored as a float for the rating formulas."""
    exact = found(key, by, **given)
    return exact._replace(value=float(exact.value), rule=rule)
