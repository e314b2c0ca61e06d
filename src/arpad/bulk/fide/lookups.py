"""FIDE's rules as small tables: about games, by edition; K by facts about a player; roundings and conversions.

No rule is written here: each table is filled by asking the system that rates one player at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from arpad.bulk.tables.columns import asked_once, days_of
from arpad.calculation.step import known
from arpad.core import DRAW, HIGHEST_RATING, LOWEST_RATING, UNRATED, EloStanding, Game, Pace, Player
from arpad.core.numbers import ROUNDINGS
from arpad.errors import BadRulebook
from arpad.messages import say
from arpad.systems.answers import one_off_on
from arpad.systems.fide.change import within_limit
from arpad.systems.fide.games import TimeTest, capped_difference, competing_gap, fast_classic, rating_turns, why_not
from arpad.systems.fide.k import ASSUMED, development_coefficient, k_turns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.bulk.tables.columns import Bools, Int8s, Int16s, Int32s, Int64s, Ints
    from arpad.rulebooks import Rulebook
    from arpad.systems.base import System
    from arpad.systems.fide.rules import FideRules


T = TypeVar("T", bound=np.generic)
REACH = HIGHEST_RATING  # index of difference 0 in a table by difference
HUNDRED = 100
DIFFERENCES = range(-REACH, REACH + 1)
PLAYED = Game(UNRATED, DRAW)  # the opponents' ratings are passed separately


@dataclass(frozen=True, slots=True)
class Editions:
    """The editions under which the events of a period began, and the days on which they took over."""

    editions: tuple[EditionTables, ...]
    began: Int32s  # the day on which each edition but the first took over

    def of(self, days: Ints) -> Ints | None:
        """The place of the edition of each day; None if there is only one."""
        return None if len(self.editions) == 1 else np.searchsorted(self.began, days, side="right").astype(np.uint8)


def editions(book: Rulebook[FideRules], chapter: str, first: date, last: date, paces: Sequence[Pace]) -> Editions:
    """The editions in force from one day to another."""
    turns = sorted({rule.since for rule in book if first < rule.since <= last})
    found, began = [compile_edition(book.at(first), chapter, paces)], []
    before = _about_games(book.at(first))
    for day in turns:
        now = _about_games(book.at(day))
        if now != before:
            found.append(compile_edition(book.at(day), chapter, paces))
            began.append(days_of(day))
            before = now
    return Editions(tuple(found), np.array(began, dtype=np.int32))


def _about_games(rules: FideRules) -> tuple[object, ...]:
    """The values of an edition that matter to games."""
    far = None if rules.too_far is None else rules.too_far.value
    fast = None if rules.fast_classic is None else rules.fast_classic.value
    return rules.expected.value, rules.cap.value, rules.time_control.value, fast, far


@dataclass(frozen=True, slots=True)
class EditionTables:
    """How games are rated whose event began under one edition; difference 0 is at index REACH."""

    times: TimeControls
    expected: Int16s  # hundredths, by level of the own rating and difference, with the 400-point rule if it is for all
    varies_from: int  # below this rating the expected scores of the lowest level apply to everybody
    one_cut: OneCut | None
    too_far: Bools | None  # by level of the higher rating and size of the difference


@dataclass(frozen=True, slots=True)
class TimeControls:
    """Which time controls fit a list; ratings are grouped into levels with the same rules."""

    begin: tuple[int, ...]  # the lowest rating of each level
    level: Int8s  # by rating
    fits: Bools  # by place of the time control and level of the higher rating; the last place is for an unknown one
    approved: Bools  # by place of the time control, whether it fits if the commission approved the event
    by_tournament: bool  # whether the highest rating of the whole tournament counts


@dataclass(frozen=True, slots=True)
class OneCut:
    """The 400-point rule in editions where it applies only to the largest gap of an event."""

    gap: Int16s  # the gap that competes, by difference; 0 where the rule would change nothing
    saves: Int16s  # by the rule, in hundredths, by level of the own rating and difference


def compile_edition(rules: FideRules, chapter: str, paces: Sequence[Pace]) -> EditionTables:
    """The rules of a day about games as tables, for the time controls that occur."""
    times = compile_time_controls(rules, chapter, paces)
    full = _expected(rules)
    # Beyond the cap and the end of the table, nothing changes.
    end = max(rules.cap.value.over, len(rules.expected.value.by_difference))
    gaps = range(-end, end + 1)
    capped = np.array([[capped_difference(gap, own, rules) for gap in gaps] for own in times.begin])
    cut = _extended(full[capped + REACH])
    one_cut = None
    if rules.cap.value.games == "largest":
        competing = np.array([competing_gap(gap, rules) for gap in DIFFERENCES], dtype=np.int16)
        one_cut = OneCut(competing * _extended(capped[:1] != gaps)[0], full - cut)
    expected = cut if one_cut is None else np.broadcast_to(full, cut.shape)
    varies = np.flatnonzero((expected != expected[0]).any(axis=1))
    return EditionTables(
        times,
        expected,
        times.begin[varies[0]] if len(varies) else HIGHEST_RATING + 1,
        one_cut,
        None if rules.too_far is None else _too_far(rules, chapter, times.begin, rules.too_far.value.gap),
    )


def compile_time_controls(rules: FideRules, chapter: str, paces: Sequence[Pace]) -> TimeControls:
    """The rules of a day about these time controls, as tables."""
    begin = sorted({LOWEST_RATING, *(turn for turn in rating_turns(rules, chapter) if turn > LOWEST_RATING)})
    level = np.maximum(np.searchsorted(begin, np.arange(HIGHEST_RATING + 1), side="right") - 1, 0)

    def rated(pace: Pace, higher: int) -> bool:
        return why_not(PLAYED, None, higher, rules, chapter, TimeTest(pace)) is None

    known = [[rated(pace, higher) for higher in begin] for pace in paces]
    return TimeControls(
        tuple(begin),
        level.astype(np.int8),
        np.array([*known, [True] * len(begin)]),
        np.array([*(fast_classic(pace, rules) is not None for pace in paces), True]),
        rules.time_by_tournament,
    )


def _expected(rules: FideRules) -> Int16s:
    """Expected scores in hundredths, by difference."""
    end = len(rules.expected.value.by_difference)
    exact = [HUNDRED * rules.expected.value.expected(gap) for gap in range(-end, end + 1)]
    scores = np.array([[int(score) for score in exact]], dtype=np.int16)
    if exact != scores[0].tolist() or (scores + scores[:, ::-1] != HUNDRED).any():
        raise BadRulebook(say("bulk.error.hundredths"))
    by_difference: Int16s = _extended(scores)[0]
    return by_difference


def _extended(rows: NDArray[T]) -> NDArray[T]:
    """Rows by difference, extended to all differences by repeating the values at both ends."""
    places = np.clip(np.array(DIFFERENCES), -(rows.shape[1] // 2), rows.shape[1] // 2) + rows.shape[1] // 2
    return rows[:, places]


def _too_far(rules: FideRules, chapter: str, begin: tuple[int, ...], end: int) -> Bools:
    """Whether a game is not rated because the ratings are too far apart; beyond `end` nothing changes."""

    def not_rated(higher: int, difference: int) -> bool:
        return why_not(PLAYED, higher, higher - difference, rules, chapter, None) is not None

    found = np.array([[not_rated(higher, difference) for difference in range(end + 1)] for higher in begin])
    return found[:, np.minimum(np.arange(REACH + 1), end)]


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
        by_peak, by_age, by_games = facts
        births = [None if age is None else day.year - age for age in by_age.lowest]
        steps = [
            development_coefficient(Player(EloStanding(None, games=games), birth_year=birth), peak or 0, rules, day)
            for peak in by_peak.lowest
            for birth in births
            for games in by_games.lowest
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
