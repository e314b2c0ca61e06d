"""Final places in every run, by points and then by the event's own tie-breaks; what is still equal is drawn by lot.

The same rules as in `arpad.tournaments.tiebreaks`, in arrays: tests compare the two on finished events. Criteria that
need a performance are not simulated; the answer names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from arpad.simulation.position import BLACK, BY_FORFEIT, GAME, NOBODY, OPEN, VOLUNTARY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.simulation.playing import PlayedRuns
    from arpad.simulation.position import Position
    from arpad.tournaments.tiebreaks.criteria import Criterion, TieRules

    Ints = NDArray[np.integer]
    Bools = NDArray[np.bool_]
    Keys = NDArray[Any]  # whole numbers or floats

LARGE = 1 << 15  # more than any sum of points
AGAIN = 4  # how often a direct encounter is applied to those it leaves equal


def places(
    position: Position, played: PlayedRuns, order: Sequence[Criterion], rules: TieRules, random: np.random.Generator
) -> Ints:
    """The final place of everybody in every run, from 1."""
    table = Finals(position, played, rules)
    level = refined(np.zeros(played.totals.shape, dtype=np.int64), played.totals)
    for criterion in order:
        if criterion.name == "DE":
            for _ in range(AGAIN):
                level = refined(level, table.encounter(level))
        else:
            level = refined(level, VALUES[criterion.name](table, criterion))
    return refined(level, random.random(level.shape)) + 1


def simulated(criterion: Criterion) -> bool:
    """Whether a criterion can be simulated."""
    plain = not (criterion.projected or criterion.forfeits_played or criterion.limit)
    return (criterion.name == "DE" or criterion.name in VALUES) and plain


def refined(level: Ints, key: Keys) -> Ints:
    """Places that are equal, divided by a key of which more is better; a place is how many are ahead."""
    top = key.max(initial=0)
    behind = level + (top - key) / (2 * (top - key.min(initial=0)) + 1)  # less than a place
    order = np.argsort(behind, axis=1)
    now = np.take_along_axis(behind, order, axis=1)
    new = np.ones(now.shape, dtype=bool)
    new[:, 1:] = now[:, 1:] != now[:, :-1]
    start = np.maximum.accumulate(np.where(new, np.arange(now.shape[1]), 0), axis=1)
    found = np.empty_like(level)
    np.put_along_axis(found, order, start, axis=1)
    return found


class Finals:
    """Runs of an event that are finished, ready for tie-breaks; arrays by run, player and round."""

    def __init__(self, position: Position, played: PlayedRuns, rules: TieRules) -> None:
        self.position, self.played = position, played
        self.totals = played.totals.astype(np.int32)
        self.limited = rules.dummy.value == "own points, limited"
        self.koya_forfeits = rules.koya_forfeits.value == "counted"
        self.nobody = played.opponents == NOBODY
        self.is_game = played.kinds == GAME
        if position.fixed:
            self.is_game = ~self.nobody & (played.kinds != OPEN)
        self.is_game &= ~self.nobody
        self.voluntary = (played.kinds == VOLUNTARY) & ~self.is_game

    @cached_property
    def opponents(self) -> Ints:
        """Whom everybody met, with player 0 in the place of nobody."""
        return np.where(self.nobody, 0, self.played.opponents)

    def of_opponents(self, values: Ints) -> Ints:
        """A value of each opponent, by run, player and round."""
        runs = np.arange(len(values))[:, None, None]
        found: Ints = values[runs, self.opponents]
        return found

    @cached_property
    def adjusted(self) -> Ints:
        """Points as an opponent: byes asked for in the last rounds count as draws (16.3)."""
        total = self.totals.copy()
        if self.position.fixed:
            return total
        going = np.ones(total.shape, dtype=bool)
        for number in reversed(range(self.played.kinds.shape[2])):
            going &= self.voluntary[:, :, number]
            asked = going & self.nobody[:, :, number]
            total += np.where(asked, self.position.half - self.played.points[:, :, number], 0)
        return total

    @cached_property
    def parts(self) -> tuple[Ints, Bools]:
        """What each round adds to a Buchholz, and whether it counts at all."""
        against = self.of_opponents(self.adjusted)
        if self.position.fixed:
            return np.where(self.is_game, against, 0), self.is_game
        own = self.totals[:, :, None]
        dummy = np.broadcast_to(own, against.shape)
        if self.limited:
            most = self.position.half * self.position.rounds
            dummy = np.minimum(own, np.where(self.nobody, most, against))
        return np.where(self.is_game, against, dummy), self.played.kinds != OPEN

    def encounter(self, level: Ints) -> Ints:
        """Points against those who are level, if all of them met; otherwise who is ahead in any case."""
        among = self.is_game & (self.of_opponents(level) == level[:, :, None])
        points = np.where(among, self.played.points, 0).sum(axis=2, dtype=np.int64)
        met = among.sum(axis=2)
        runs, players = level.shape
        flat = (level + players * np.arange(runs)[:, None]).ravel()
        size = np.bincount(flat, minlength=runs * players)[flat].reshape(level.shape)
        missing = np.maximum(size - 1 - met, 0)
        complete = np.bincount(flat, missing.ravel(), runs * players)[flat].reshape(level.shape) == 0
        reach = points + missing * int(self.position.pays[0, 2])
        # The furthest that anybody else of the group can reach: the highest, or for the highest the second.
        highest = np.full(runs * players, -1, dtype=np.int64)
        np.maximum.at(highest, flat, reach.ravel())
        is_top = reach.ravel() == highest[flat]
        tops = np.bincount(flat, is_top, runs * players)
        second = np.full(runs * players, -1, dtype=np.int64)
        np.maximum.at(second, flat, np.where(is_top, -1, reach.ravel()))
        others = np.where(is_top & (tops[flat] == 1), second[flat], highest[flat]).reshape(level.shape)
        found: Ints = np.where(complete, points, (points > others).astype(np.int64) * (size > 1))
        return found


def _over_rounds(parts: Keys) -> Keys:
    """The sum over all rounds."""
    total: Keys = parts.sum(axis=2)
    return total


def _cut(table: Finals, criterion: Criterion, weight: Ints | None) -> Ints:
    """The sum of what each round adds, without the lowest and highest; a round left unplayed by choice goes first."""
    score, counts = table.parts
    amount = score if weight is None else score * weight
    if not criterion.lowest and not criterion.highest:
        return _over_rounds(np.where(counts, amount, 0))
    stays = counts.copy()
    most = LARGE * LARGE  # of the products of two sums
    chosen_first = score if weight is None else score.astype(np.int64) * LARGE + amount
    for _ in range(criterion.lowest):
        lowest = np.where(stays, chosen_first, most * LARGE if weight is not None else LARGE).argmin(axis=2)[:, :, None]
        if table.voluntary.any():
            by_choice = np.where(stays & table.voluntary, amount, most)
            other = by_choice.argmin(axis=2)[:, :, None]
            found = np.take_along_axis(by_choice, other, axis=2)
            first = (found >= np.take_along_axis(amount, lowest, axis=2)) & (found < most)
            lowest = np.where(first, other, lowest)
        np.put_along_axis(stays, lowest, values=False, axis=2)
    for _ in range(criterion.highest):
        highest = np.where(stays, amount, -1).argmax(axis=2)[:, :, None]
        np.put_along_axis(stays, highest, values=False, axis=2)
    return _over_rounds(np.where(stays, amount, 0))


def _buchholz(table: Finals, criterion: Criterion) -> Keys:
    return _cut(table, criterion, None)


def _sonneborn_berger(table: Finals, criterion: Criterion) -> Keys:
    return _cut(table, criterion, table.played.points.astype(np.int32))


def _average_buchholz(table: Finals, criterion: Criterion) -> Keys:
    sums = table.of_opponents(_cut(table, criterion, None))
    games = table.is_game.sum(axis=2)
    return np.where(games > 0, np.where(table.is_game, sums, 0).sum(axis=2) / np.maximum(games, 1), -1)


def _won(table: Finals) -> Bools:
    """Whether a round was a game won; by forfeit only where pairings are fixed, as in `games_won`."""
    played = table.played
    won: Bools = (played.halves == 2) | (table.position.fixed & (played.kinds == BY_FORFEIT))
    return won


def _wins(table: Finals, _: Criterion) -> Keys:
    counts = (table.played.kinds != OPEN) & (table.played.points >= table.position.pays[0, 2])
    return _over_rounds(counts)


def _progressive(table: Finals, criterion: Criterion) -> Keys:
    return _over_rounds(table.played.points.cumsum(axis=2)[:, :, criterion.lowest :])


def _rounds_elected(table: Finals, _: Criterion) -> Keys:
    if table.position.fixed:
        return _over_rounds(table.is_game | (table.played.kinds == BY_FORFEIT))
    return _over_rounds(~table.voluntary & (table.played.kinds != OPEN))


def _koya(table: Finals, _: Criterion) -> Keys:
    rounds = int(table.is_game.sum(axis=2).max()) if table.position.fixed else table.position.rounds
    met = table.is_game
    if table.koya_forfeits:
        met = met | (~table.nobody & (table.played.kinds == BY_FORFEIT))
    strong = met & (2 * table.of_opponents(table.totals) >= int(table.position.pays[0, 2]) * rounds)
    return _over_rounds(np.where(strong, table.played.points, 0))


def _average_rating(table: Finals, criterion: Criterion) -> Keys:
    """ARO in whole points, rounded half up."""
    ratings = table.position.ratings
    known = table.is_game & ~np.isnan(ratings)[table.opponents]
    values = np.where(known, np.nan_to_num(ratings)[table.opponents], np.inf)
    values.sort(axis=2)
    games = known.sum(axis=2)
    number = np.arange(values.shape[2])
    kept = (number >= criterion.lowest) & (number < (games - criterion.highest)[:, :, None])
    count = np.maximum(games - criterion.lowest - criterion.highest, 0)
    average = np.where(kept, values, 0).sum(axis=2) / np.maximum(count, 1)
    return np.where(count > 0, np.floor(average + 0.5), -1)


def _rating(table: Finals, criterion: Criterion) -> Keys:
    sign = -1 if criterion.reversed else 1
    return np.broadcast_to(sign * np.nan_to_num(table.position.ratings), table.totals.shape)


def _number(table: Finals, criterion: Criterion) -> Keys:
    sign = 1 if criterion.reversed else -1
    return np.broadcast_to(sign * np.array(table.position.numbers), table.totals.shape)


VALUES: Mapping[str, Callable[[Finals, Criterion], Keys]] = {
    "BH": _buchholz,
    "SB": _sonneborn_berger,
    "AOB": _average_buchholz,
    "WIN": _wins,
    "WON": lambda table, _: _over_rounds(_won(table)),
    "BPG": lambda table, _: _over_rounds(table.is_game & (table.played.colours == BLACK)),
    "BWG": lambda table, _: _over_rounds(_won(table) & (table.played.colours == BLACK)),
    "PS": _progressive,
    "REP": _rounds_elected,
    "GE": _rounds_elected,
    "KS": _koya,
    "ARO": _average_rating,
    "RTNG": _rating,
    "TPN": _number,
}
