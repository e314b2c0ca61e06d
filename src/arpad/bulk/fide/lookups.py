"""What FIDE's rules say about players, as small tables.

No rule is written here. Each table is filled by asking the system that rates one player at a time, once for each
distinct set of facts; a period then looks its players up.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from arpad.bulk.arrays import asked_once
from arpad.calculation.step import known
from arpad.core import EloStanding, Player
from arpad.core.numbers import ROUNDINGS
from arpad.systems.answers import one_off_on
from arpad.systems.fide.change import within_limit
from arpad.systems.fide.k import ASSUMED, development_coefficient, k_turns

if TYPE_CHECKING:
    from datetime import date

    from arpad.bulk.arrays import Bools, Int8s, Int16s, Int64s, Ints
    from arpad.systems.fide.rules import FideRules
    from arpad.systems.system import System

HUNDRED = 100


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a rule depends on, in classes: the rule says the same for all values of a class."""

    lowest: tuple[int | None, ...]  # value of each class; None is the class for unknown
    classes: Int8s  # by value; the last is for −1, unknown
    top: int  # all values from here on are in one class

    @classmethod
    def between(cls, turns: list[int]) -> Fact:
        """Classes that begin at 0 and at each turn."""
        begin = sorted({0, *turns})
        values = np.arange(begin[-1] + 1)
        classes = np.searchsorted(begin, values, side="right") - 1
        return cls((*begin, None), np.append(classes, len(begin)).astype(np.int8), begin[-1])

    def of(self, values: Ints) -> Int8s:
        """The class of each value; −1 is unknown."""
        return self.classes[np.minimum(values, self.top)]


@dataclass(frozen=True, slots=True)
class KTable:
    """K, and whether it rests on an assumption, by classes of peak, age and games completed."""

    day: date
    facts: tuple[Fact, Fact, Fact]
    k: Int16s
    assumed: Bools

    @classmethod
    def of(cls, rules: FideRules, day: date) -> KTable:
        """K on a day."""
        turns = k_turns(rules)
        facts = Fact.between(turns.peak), Fact.between(turns.age), Fact.between(turns.games)
        steps = [
            development_coefficient(_player(age, games, day), peak or 0, rules, day)
            for peak in facts[0].lowest
            for age in facts[1].lowest
            for games in facts[2].lowest
        ]
        k, assumed = [step.value for step in steps], [step.key.startswith(ASSUMED) for step in steps]
        return cls(day, facts, np.array(k, dtype=np.int16), np.array(assumed))

    def look_up(self, peak: Ints, born: Ints, games: Ints) -> tuple[Int16s, Bools]:
        """Every player's K, and whether it was assumed; −1 is unknown, and a peak of 0 means none."""
        age = np.where(born < 0, -1, np.maximum(self.day.year - born, 0))
        by_peak, by_age, by_games = self.facts
        place = by_peak.of(peak).astype(np.int16)
        place = place * len(by_age.lowest) + by_age.of(age)
        place = place * len(by_games.lowest) + by_games.of(games)
        return self.k[place], self.assumed[place]


def _player(age: int | None, games: int | None, day: date) -> Player:
    return Player(EloStanding(None, games=games), birth_year=None if age is None else day.year - age)


def limited_k(k: Ints, games: Ints, rules: FideRules) -> Int64s:
    """K, reduced where K times the rated games of a period would exceed the limit (8.3.3)."""
    return asked_once(lambda k, games: int(within_limit(known("k", k), games, rules).value), k, games)


@dataclass(frozen=True, slots=True)
class RoundingTable:
    """A named rounding of hundredths to whole points, as a table."""

    added: Int8s  # to the points rounded down, by the hundredths left, 0 to 99; then the same for numbers below zero

    @classmethod
    def of(cls, name: str) -> RoundingTable:
        """The rounding with this name."""
        above, below = range(HUNDRED), range(-HUNDRED, 0)
        added = [ROUNDINGS[name](Decimal(number) / HUNDRED) + (number < 0) for number in (*above, *below)]
        return cls(np.array(added, dtype=np.int8))

    def round(self, hundredths: Int64s) -> Int64s:
        """Hundredths rounded to whole points."""
        points = hundredths // HUNDRED
        left = hundredths - points * HUNDRED + HUNDRED * (hundredths < 0)
        return points + self.added[left]


def converted(system: System, rating: Ints, standard: Ints, listed: date) -> Ints:
    """Ratings after the one-off conversion of a list, if there was one on that day; −1 is no rating."""
    rule = one_off_on(system.rulebook, listed)
    if rule is None:
        return rating
    by_standard = rule.value.within is not None
    rows = np.flatnonzero((rating >= 0) & (standard >= 0) if by_standard else rating >= 0)

    def convert(rating: int, standard: int | None = None) -> int:
        return system.conversion(rating, on=listed, standard=standard).rating

    new = rating.copy()
    new[rows] = asked_once(convert, *(column[rows] for column in ((rating, standard) if by_standard else (rating,))))
    return new
