"""The next round of a Swiss in many simulated events at once, in the spirit of the Dutch system (C.04.3).

Players are taken from the top. Each meets, in the same score group, the one half of the group further down: the upper
half meets the lower half. Nobody meets an opponent twice; two players who must have the same colour do not meet; of the
others, those with different preferences do so first. Who finds nobody in the group floats to the next. The lowest
player without a bye has the bye of an odd number. It is not FIDE's algorithm, which compares all pairings of a group:
docs/chances.md says how close it comes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arpad.simulation.position import NOBODY, WHITE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.integer]
    Bools = NDArray[np.bool_]
    Floats = NDArray[np.floating]

FAR, POSSIBLE = np.int32(1 << 28), 1 << 26  # what is not possible costs far more than anything else
DOWN = 1 << 12  # what it costs to meet somebody with fewer points, by half a point
EXCHANGE = np.int32(1 << 8)  # to meet somebody of the same half
CLASH, BOTH_MUST = np.int32(1 << 9), np.int32(1 << 20)  # the same colour preferred, and the same colour needed
MUST, SHOULD, WOULD = 3, 2, 1  # how strong a preference is: absolute, strong, mild
# How far the opponent may be from the one in order: FIDE compares pairings in ways that are not followed here.
BLUR = 0.2
WINDOW = 10  # players beyond one's own group who are looked at first


@dataclass(frozen=True, slots=True)
class Situation:
    """Where everybody stands in every run; the first axis is the run, the second the player in pairing order."""

    points: Ints
    opponents: Ints  # in games that were played, with a third axis, the rounds
    preference: Ints  # for White above zero, for Black below; the size is how strong it is
    had_bye: Bools
    free: Bools  # who is to be paired


def preferences(colours: Ints) -> Ints:
    """Everybody's colour preference after rounds with colours, 0 where there was no game (C.04.3, A.6)."""
    last, before, balance = (np.zeros(colours.shape[:-1], dtype=np.int8) for _ in range(3))
    for number in range(colours.shape[-1]):
        now = colours[..., number]
        balance += now
        played = now != 0
        before = np.where(played, last, before)
        last = np.where(played, now, last)
    must = (np.abs(balance) > 1) | ((last == before) & (last != 0))
    towards = np.where(balance != 0, -np.sign(balance), -last)
    towards = np.where((last == before) & (last != 0) & (np.abs(balance) <= 1), -last, towards)
    strength = np.where(must, MUST, np.where(balance != 0, SHOULD, np.where(last != 0, WOULD, 0)))
    found: Ints = (towards * strength).astype(np.int8)
    return found


def pair(
    standing: Situation, random: np.random.Generator, expected: tuple[Ints, Ints] | None = None
) -> tuple[Ints, Ints, Ints]:
    """Everybody's opponent and colour in the next round, by run and player, and who has the bye; NOBODY is none.

    `expected` are opponents who meet if both are free, and who has the bye if there is one.
    """
    runs, players = standing.points.shape
    key = -standing.points.astype(np.int32) * players + np.arange(players, dtype=np.int32)
    key[~standing.free] = FAR
    counts = standing.free.sum(axis=1)
    # The last in the order without a bye so far; if everybody had one, the last of all.
    allowed = np.where(standing.had_bye | ~standing.free, -FAR, key)
    last = np.where((allowed > -FAR).any(axis=1), allowed.argmax(axis=1), np.where(key < FAR, key, -FAR).argmax(axis=1))
    if expected is not None:
        there = (expected[1] != NOBODY) & standing.free[np.arange(runs), expected[1]]
        last = np.where(there, expected[1], last)
    odd = counts % 2 == 1
    bye = np.where(odd, last, NOBODY)
    key[odd, last[odd]] = FAR
    counts -= odd
    count = int(counts.max(initial=0))
    order = np.argsort(key, axis=1, kind="stable")
    place = np.empty((runs, players + 1), dtype=np.int16)
    np.put_along_axis(place, order, np.arange(players, dtype=np.int16)[None, :], axis=1)
    place[:, players] = players  # nobody's place, outside
    order = order[:, :count]
    partner = _matched(
        np.take_along_axis(standing.points, order, axis=1).astype(np.int32),
        np.take_along_axis(standing.preference, order, axis=1).astype(np.int8),
        _places_met(standing.opponents, order, place),
        BLUR * random.standard_normal(order.shape).astype(np.float32),
        np.arange(count) < counts[:, None],
        None if expected is None else _places_met(expected[0][:, :, None], order, place)[:, :, 0],
    )
    opponents = np.full((runs, players), NOBODY, dtype=np.int16)
    colours = np.zeros((runs, players), dtype=np.int8)
    if count:
        without = partner == NOBODY
        met = np.where(without, NOBODY, np.take_along_axis(order, partner, axis=1))
        np.put_along_axis(opponents, order, met.astype(np.int16), axis=1)
        sides = np.where(without, 0, _colours(standing.preference, order, partner))
        np.put_along_axis(colours, order, sides.astype(np.int8), axis=1)
    return opponents, colours, bye


def _places_met(opponents: Ints, order: Ints, place: Ints) -> Ints:
    """The places in the order of everybody's opponents so far, by run and place; NOBODY is the last column."""
    runs = np.arange(len(order), dtype=np.int32)
    mine = opponents[runs[:, None], order]
    width = place.shape[1]
    found: Ints = place.ravel()[np.where(mine == NOBODY, width - 1, mine) + width * runs[:, None, None]]
    return found


def _matched(points: Ints, preference: Ints, met: Ints, blur: Floats, free: Bools, expected: Ints | None) -> Ints:
    """The partner's place for every place of the order that is free; in the order the points never rise."""
    runs, count = points.shape
    partner = np.full((runs, count), NOBODY, dtype=np.int64)
    hall = _Hall(points, preference, met, blur, free)
    for first in range(count - 1):
        rows = np.flatnonzero(hall.open[:, first])
        if expected is not None:
            second = expected[rows, first]
            meet = (second > first) & (second < count)
            meet[meet] = hall.open[rows[meet], second[meet]]
            taken, second = rows[meet], second[meet]
            partner[taken, first], partner[taken, second] = second, first
            hall.seat(taken, first)
            hall.seat(taken, second)
            rows = rows[~meet]
        for width in (WINDOW + int(hall.at_first[hall.group[rows, first]].max(initial=0)), count):
            if not len(rows):
                break
            chosen, cost = hall.best(first, min(count, first + 1 + width), rows)
            found = cost < POSSIBLE
            taken, second = rows[found], chosen[found]
            partner[taken, first], partner[taken, second] = second, first
            hall.seat(taken, first)
            hall.seat(taken, second)
            rows = rows[~found]
    while True:
        left = np.flatnonzero(hall.open.any(axis=1))
        if not len(left):
            return partner
        _exchange(left, points, met, partner, hall.open)


class _Hall:
    """Who is still without a partner in every run, and the counts of each score group that decide the next one."""

    def __init__(self, points: Ints, preference: Ints, met: Ints, blur: Floats, free: Bools) -> None:
        runs = len(points)
        self.points = points - points.min(initial=0)
        self.preference, self.met, self.blur = preference, met, blur
        self.open = free
        # What it costs to go down to a place, and FAR if it is taken.
        self.base = np.where(free, -self.points * DOWN, FAR).astype(np.int32)
        groups = int(self.points.max(initial=0)) + 1
        self.group = self.points + groups * np.arange(runs)[:, None]  # the number of everybody's score group
        wish = np.sign(preference)

        def counted(weights: Ints | Bools) -> Ints:
            return np.bincount(self.group.ravel(), (weights * free).ravel(), runs * groups).astype(np.int32)

        # Of each group: the players, how many more want White than Black, and how many want neither.
        self.size, self.towards, self.indifferent = counted(free), counted(wish), counted(wish == 0)
        self.at_first = self.size.copy()

    def best(self, first: int, end: int, rows: Ints) -> tuple[Ints, Ints]:
        """The best partner among the places after this one, and what it costs, in each of some runs."""
        places = slice(first + 1, end)
        free = self.open[rows, places]
        mine, group = self.preference[rows, first], self.group[rows, first]
        size = self.size[group]
        alone = size == 1
        # A floater looks at the group of the next player who is free.
        group = np.where(alone, self.group[rows, first + 1 + free.argmax(axis=1)], group)
        half = np.where(alone, 1, size // 2)
        aim = half + (np.abs(self.blur[rows, first]) * half).astype(np.int32)
        rank = free.cumsum(axis=1, dtype=np.int32)
        cost = np.abs(rank - aim[:, None])
        cost += (rank < half[:, None]) * EXCHANGE
        cost += self.base[rows, places]
        both = mine[:, None] * self.preference[rows, places]  # above zero if they want the same colour
        cost += (both > 0) * self._clash(group, mine, alone)[:, None]
        cost += (both == MUST * MUST) * BOTH_MUST
        again = self.met[rows, first] - (first + 1)
        here, which = np.nonzero((again >= 0) & (again < cost.shape[1]))
        cost[here, again[here, which]] = FAR
        best = cost.argmin(axis=1)
        return best + first + 1, cost[np.arange(len(rows)), best]

    def _clash(self, group: Ints, mine: Ints, alone: Bools) -> Ints:
        """What it costs to meet somebody who wants the same colour: nothing if a clash cannot be avoided in the group.

        The Dutch system takes the first pairing in order that has no more clashes than it must; so those that cannot be
        avoided, because too many want one colour, come first.
        """
        side = np.sign(mine)
        towards = self.towards[group] + alone * side
        unavoidable = (np.abs(towards) - self.indifferent[group] >= 2) & (np.sign(towards) == side)
        return np.where(unavoidable, np.int32(0), CLASH)

    def seat(self, runs: Ints, place: int | Ints) -> None:
        """Takes somebody out who has a partner."""
        group, wish = self.group[runs, place], np.sign(self.preference[runs, place])
        self.size[group] -= 1
        self.towards[group] -= wish
        self.indifferent[group] -= wish == 0
        self.open[runs, place] = False
        self.base[runs, place] = FAR


def _exchange(runs: Ints, points: Ints, met: Ints, partner: Ints, open_: Bools) -> None:
    """Pairs the last two left over in some runs: with each other, or by exchanging with the pair nearest in points.

    If no exchange is possible they meet again, which only happens in very small events.
    """
    count, every = points.shape[1], np.arange(len(runs))
    last = count - 1 - open_[runs][:, ::-1].argmax(axis=1)
    open_[runs, last] = False
    other = count - 1 - open_[runs][:, ::-1].argmax(axis=1)
    open_[runs, other] = False
    before = [_met_by(who, runs, met, count) for who in (last, other)]
    theirs = partner[runs]
    possible = (theirs != NOBODY) & ~before[0] & ~np.take_along_axis(before[1], theirs, axis=1)
    places = np.arange(count)
    mine, at_b = points[runs], np.take_along_axis(points[runs], theirs, axis=1)
    cost = np.abs(mine - points[runs, last][:, None]) + np.abs(at_b - points[runs, other][:, None])
    cost = cost * DOWN + np.abs(places - last[:, None]) + np.abs(theirs - other[:, None])
    cost[~possible] = FAR
    best = cost.argmin(axis=1)
    exchanged = before[0][every, other] & (cost[every, best] < FAR)
    partner[runs, last], partner[runs, other] = other, last
    run, a = runs[exchanged], best[exchanged]
    one, two, b = last[exchanged], other[exchanged], theirs[exchanged, best[exchanged]]
    partner[run, one], partner[run, a], partner[run, two], partner[run, b] = a, one, b, two


def _met_by(who: Ints, runs: Ints, met: Ints, count: int) -> Bools:
    """Whom one player of each run has met, by place."""
    found = np.zeros((len(runs), int(met.max(initial=0)) + count + 1), dtype=bool)
    np.put_along_axis(found, met[runs, who], values=True, axis=1)  # a place outside stands for nobody
    return found[:, :count]


def _colours(preference: Ints, order: Ints, partner: Ints) -> Ints:
    """Everybody's colour: the stronger preference first; between equal ones, that of the higher placed."""
    mine = np.take_along_axis(preference, order, axis=1)
    theirs = np.take_along_axis(mine, partner, axis=1)
    upper = np.arange(order.shape[1]) < partner
    # Without any preference the higher placed have White and Black in turn.
    turn = np.where(np.arange(order.shape[1]) % 2, -WHITE, WHITE)
    high, low = np.where(upper, mine, theirs), np.where(upper, theirs, mine)
    wish = np.where(np.abs(low) > np.abs(high), -np.sign(low), np.sign(high))
    of_upper = np.where(
        wish != 0, wish, np.where(upper, turn, np.take_along_axis(np.broadcast_to(turn, mine.shape), partner, axis=1))
    )
    return np.where(upper, of_upper, -of_upper).astype(np.int8)
