"""The rules of a day as small arrays: what the kernel looks up, made from the rulebook every other door reads."""

from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np

from arpad.core import HIGHEST_RATING
from arpad.errors import BadRulebook
from arpad.rulebooks.rulebook import Rulebook
from arpad.systems.fide.rules import Cap, FideRules, KBand, TimeBand

REACH = HIGHEST_RATING  # a table by difference has its nought here
EPOCH = date.fromisoformat("1970-01-01")  # Arrow counts days from here
HUNDRED = 100


class Ruling(NamedTuple):
    """How games are weighed whose event began under one edition.

    `expected` is in hundredths by difference plus REACH, with the 400-point rule where it is for every game; `other` is
    what the rule's exceptions get: the full difference, or, where one game of an event is cut, the cut one.
    """

    expected: Any
    other: Any
    cap: Cap
    own_under: int  # whoever is rated lower is under the 400-point rule
    gap: int  # from this gap on a game with somebody above `above` is not rated
    above: int
    bands: tuple[TimeBand, ...]
    band: Any  # the time band by the higher rating

    @property
    def one_of_an_event(self) -> bool:
        """Whether the 400-point rule is for one game of an event alone."""
        return self.cap.games == "largest"

    def slow_enough(self, hundredths: Any) -> Any:
        """Whether time controls, in hundredths of a minute for 60 moves, fit the list, by control and band."""
        fits = np.ones((len(hundredths), len(self.bands)), dtype=bool)
        for column, band in enumerate(self.bands):
            if band.at_least is not None:
                fits[:, column] &= hundredths >= HUNDRED * band.at_least
            if band.more_than is not None:
                fits[:, column] &= hundredths > HUNDRED * band.more_than
            if band.less_than is not None:
                fits[:, column] &= hundredths < HUNDRED * band.less_than
            if band.at_most is not None:
                fits[:, column] &= hundredths <= HUNDRED * band.at_most
        return fits


def ruling(rules: FideRules, chapter: str) -> Ruling:
    """The rules of a day, compiled."""
    full, cut = _expected(rules, capped=False), _expected(rules, capped=True)
    cap = rules.cap.value
    every = cap.games != "largest"
    far = rules.too_far.value if rules.too_far is not None else None
    bands = rules.time_control.value[chapter]
    return Ruling(
        cut if every else full,
        full if every else cut,
        cap,
        cap.own_under if cap.own_under is not None else HIGHEST_RATING + 1,
        far.gap if far is not None else 2 * HIGHEST_RATING,
        far.above if far is not None else HIGHEST_RATING,
        bands,
        _band(bands),
    )


def _expected(rules: FideRules, *, capped: bool) -> Any:
    """Expected scores in hundredths, by difference plus REACH."""
    rows = rules.expected.value.by_difference
    exact = [(HUNDRED * row.higher, HUNDRED * row.lower) for row in rows]
    scores = np.array([(int(higher), int(lower)) for higher, lower in exact], dtype=np.int16)
    if exact != [tuple(pair) for pair in scores.tolist()] or (scores.sum(axis=1) != HUNDRED).any():
        raise BadRulebook(
            "The table of expected scores is not in hundredths that add up to 1 for both players; bulk needs that. "
            "Rate with `arpad rate` instead."
        )
    difference = np.arange(-REACH, REACH + 1)
    if capped:
        difference = difference.clip(-rules.cap.value.over, rules.cap.value.over)
    return scores[np.abs(difference).clip(max=len(rows) - 1), (difference < 0).astype(np.int8)]


def _band(bands: tuple[TimeBand, ...]) -> Any:
    """The first band that a rating reaches, for every rating there can be."""
    reached = np.array([band.rated_from for band in bands])
    ratings = np.arange(HIGHEST_RATING + 1)
    return np.argmax(ratings[:, None] >= reached[None, :], axis=1).astype(np.int8)


class Editions(NamedTuple):
    """The editions under which the events of a period began, and how to find that of a day."""

    editions: tuple[Ruling, ...]
    began: Any  # the days, counted from EPOCH, on which each but the first took over

    def of(self, days: Any) -> Any:
        """The place of the edition of each day; None if there is one alone."""
        return None if len(self.editions) == 1 else np.searchsorted(self.began, days, side="right").astype(np.uint8)


def editions(book: Rulebook[FideRules], chapter: str, first: date, last: date) -> Editions:
    """The editions in force from one day to another."""
    turns = sorted({rule.since for rule in book if first < rule.since <= last})
    found, began = [ruling(book.at(first), chapter)], []
    before = _weighing(book.at(first))
    for day in turns:
        now = _weighing(book.at(day))
        if now != before:
            found.append(ruling(book.at(day), chapter))
            began.append(days_of(day))
            before = now
    return Editions(tuple(found), np.array(began, dtype=np.int32))


def _weighing(rules: FideRules) -> tuple[Any, ...]:
    """What of an edition a game's weight rests on."""
    far = None if rules.too_far is None else rules.too_far.value
    return rules.expected.value, rules.cap.value, rules.time_control.value, far


def days_of(day: date) -> int:
    """A day as Arrow counts them."""
    return (day - EPOCH).days


def day_of(days: int) -> date:
    """A day from Arrow's count."""
    return EPOCH + timedelta(days=int(days))


class KFacts(NamedTuple):
    """What K looks at, in columns; −1 is not known."""

    peak: Any
    born: Any
    games: Any


def development_coefficient(bands: tuple[KBand, ...], facts: KFacts, year: int) -> tuple[Any, Any]:
    """K of everybody by the first line that holds, and whether something unknown was passed over on the way."""
    k = np.zeros(len(facts.peak), dtype=np.int32)
    assumed = np.zeros(len(k), dtype=bool)
    open_ = np.ones(len(k), dtype=bool)
    for band in bands:
        holds = open_ if band.peak_from is None else open_ & (facts.peak >= band.peak_from)
        if band.peak_under is not None:
            holds = holds & (facts.peak < band.peak_under)
        if band.until_age is not None:
            assumed |= holds & (facts.born < 0)
            holds = holds & (facts.born >= 0) & (year - facts.born <= band.until_age)
        elif band.games_under is not None:
            assumed |= holds & (facts.games < 0)
            holds = holds & (facts.games >= 0) & (facts.games < band.games_under)
        k[holds] = band.k
        open_ = open_ & ~holds
    return k, assumed
