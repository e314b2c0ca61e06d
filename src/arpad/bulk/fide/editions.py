"""What FIDE's editions say about games, as small tables.

As in `lookups`, no rule is written here: each table is filled by asking the system that rates one player at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from arpad.bulk.tables.columns import days_of
from arpad.core import DRAW, HIGHEST_RATING, LOWEST_RATING, UNRATED, Game, Pace
from arpad.errors import BadRulebook
from arpad.messages import say
from arpad.systems.fide.games import TimeTest, capped_difference, competing_gap, fast_classic, rating_turns, why_not

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from numpy.typing import NDArray

    from arpad.bulk.arrays import Bools, Int8s, Int16s, Int32s, Ints
    from arpad.rulebooks import Rulebook
    from arpad.systems.fide.rules import FideRules

T = TypeVar("T", bound=np.generic)
REACH = HIGHEST_RATING  # index of difference 0 in a table by difference
HUNDRED = 100
PLAYED = Game(UNRATED, DRAW)  # the opponents' ratings are passed separately


@dataclass(frozen=True, slots=True)
class OneCut:
    """The 400-point rule in editions where it applies only to the largest gap of an event."""

    gap: Int16s  # the gap that competes, by difference; 0 where the rule would change nothing
    saves: Int16s  # by the rule, in hundredths, by level of the own rating and difference


@dataclass(frozen=True, slots=True)
class TimeControls:
    """Which time controls fit a list; ratings are grouped into levels with the same rules."""

    begin: tuple[int, ...]  # the lowest rating of each level
    level: Int8s  # by rating
    fits: Bools  # by place of the time control and level of the higher rating; the last place is for an unknown one
    approved: Bools  # by place of the time control, whether it fits if the commission approved the event
    by_tournament: bool  # whether the highest rating of the whole tournament counts


@dataclass(frozen=True, slots=True)
class EditionTables:
    """How games are rated whose event began under one edition; difference 0 is at index REACH."""

    times: TimeControls
    expected: Int16s  # hundredths, by level of the own rating and difference, with the 400-point rule if it is for all
    varies_from: int  # below this rating the expected scores of the lowest level apply to everybody
    one_cut: OneCut | None
    too_far: Bools | None  # by level of the higher rating and size of the difference


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
        np.array([*(fast_classic(pace, rules) for pace in paces), True]),
        rules.time_by_tournament,
    )


DIFFERENCES = range(-REACH, REACH + 1)


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


def _about_games(rules: FideRules) -> tuple[Any, ...]:
    """The values of an edition that matter to games."""
    far = None if rules.too_far is None else rules.too_far.value
    fast = None if rules.fast_classic is None else rules.fast_classic.value
    return rules.expected.value, rules.cap.value, rules.time_control.value, fast, far
