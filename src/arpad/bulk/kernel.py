"""The array kernel: what the games of a period add up to for every player, in integer hundredths of a point.

Players are places in columns. A game's gain is a hundred times score minus expected score; K comes in when the sums are
there, for it is one for the whole period.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from arpad.bulk.rulings import REACH, Ruling
from arpad.core import HIGHEST_RATING

BLOCK = 1 << 16  # games at a time: the arrays in between stay in the processor's cache
HALF_POINT = 50
ONE = 1 << 32  # a game and its gain are added in one number: games above this bit, gains below

RATED, UNPLAYED, UNRATED, TIME_CONTROL, TOO_FAR = range(5)
WHY_NOT = ("rated", "unplayed", "unrated", "time_control", "too_far")
WHITE, BLACK = 0, 1


class Games(NamedTuple):
    """The games of a period in columns; a column that would say nothing is None."""

    white: Any
    black: Any
    half_points: Any  # White's
    edition: Any = None  # the place of the edition
    pace: Any = None  # the place of the time control; −1 is not known
    unplayed: Any = None
    white_rating: Any = None  # the list rating on the day the event began; 0 is as listed now
    black_rating: Any = None
    event: Any = None
    start: Any = None
    row: Any = None  # where the game stands among all that were given

    @property
    def size(self) -> int:
        """How many games there are."""
        return len(self.white)

    def part(self, which: Any) -> "Games":
        """Some of the games."""
        return Games(*(None if column is None else column[which] for column in self))


class Basis(NamedTuple):
    """Everybody's rating, 0 for unrated, and the rules the games are weighed by."""

    rating: Any
    editions: tuple[Ruling, ...]
    paces: Any  # hundredths of a minute for 60 moves

    def slow_enough(self, place: int) -> Any:
        """Which time controls fit which band of an edition; the last row is for a control that is not known."""
        fits = self.editions[place].slow_enough(self.paces)
        return np.vstack([fits, np.ones((1, fits.shape[1]), dtype=bool)])


class Gains(NamedTuple):
    """Games with the gain of each side, and why some are not rated."""

    white: Any
    black: Any
    why: Any


class Sums(NamedTuple):
    """What the games add up to: gains and rated games of every player, and how many games count or why not."""

    gain: Any
    games: Any
    why: Any


def sums(basis: Basis, games: Games) -> Sums:
    """Gains and rated games of every player."""
    both = np.zeros(len(basis.rating), dtype=np.int64)
    why = np.zeros(len(WHY_NOT), dtype=np.int64)
    for part in blocks(games):
        weighed = weigh(basis, part)
        rated = weighed.why == RATED
        all_rated = rated.all()
        why += [part.size, 0, 0, 0, 0] if all_rated else np.bincount(weighed.why, minlength=len(WHY_NOT))
        for player, gain in ((part.white, weighed.white), (part.black, weighed.black)):
            value = gain.astype(np.int64)
            value += ONE
            if not all_rated:
                value *= rated
            np.add.at(both, player, value)
    return Sums(*_apart(both), why)


def _apart(both: Any) -> tuple[Any, Any]:
    games = (both + ONE // 2) >> 32
    return both - games * ONE, games.astype(np.int32)


def blocks(games: Games) -> Iterator[Games]:
    """The games, so many at a time."""
    for first in range(0, games.size, BLOCK):
        yield games.part(slice(first, first + BLOCK))


def weigh(basis: Basis, games: Games) -> Gains:
    """The gain of each side of some games, by the edition of each."""
    white, black = ratings(basis, games)
    if games.edition is None:
        return _weigh(basis, 0, games, white, black)
    whole = Gains(*(np.zeros(games.size, dtype=kind) for kind in (np.int16, np.int16, np.int8)))
    for place in np.unique(games.edition):
        rows = np.flatnonzero(games.edition == place)
        part = _weigh(basis, int(place), games.part(rows), white[rows], black[rows])
        for column, filled in zip(whole, part, strict=True):
            column[rows] = filled
    return whole


def ratings(basis: Basis, games: Games) -> tuple[Any, Any]:
    """The ratings the two sides are rated with."""
    white, black = basis.rating[games.white], basis.rating[games.black]
    if games.white_rating is not None:
        white = np.where(games.white_rating > 0, games.white_rating, white)
        black = np.where(games.black_rating > 0, games.black_rating, black)
    return white, black


def _weigh(basis: Basis, place: int, games: Games, white: Any, black: Any) -> Gains:
    """Games under one edition (8.3.1, 8.1.2)."""
    edition = basis.editions[place]
    difference = white - black
    score = games.half_points * np.int16(HALF_POINT)
    gain = score - edition.expected[difference + REACH]
    loss = -gain
    higher = np.maximum(white, black)
    if edition.own_under <= HIGHEST_RATING and not edition.one_of_an_event:
        top = np.flatnonzero(higher >= edition.own_under)
        full = edition.other[difference[top] + REACH]
        gain[top] = np.where(white[top] >= edition.own_under, score[top] - full, gain[top])
        loss[top] = np.where(black[top] >= edition.own_under, full - score[top], loss[top])
    why = np.zeros(games.size, dtype=np.int8)
    if edition.gap <= HIGHEST_RATING:
        why[(np.abs(difference) >= edition.gap) & (higher > edition.above)] = TOO_FAR
    if games.pace is not None:
        fits = basis.slow_enough(place)[games.pace, edition.band[higher]]
        why[~fits] = TIME_CONTROL
    why[np.minimum(white, black) <= 0] = UNRATED
    if games.unplayed is not None:
        why[games.unplayed] = UNPLAYED
    return Gains(gain, loss, why)


class Cut(NamedTuple):
    """The sides of games that the 400-point rule is for where it is for one game of an event: what they gain by it."""

    game: Any
    side: Any
    player: Any
    gain: Any


def largest_gaps(basis: Basis, games: Games) -> Cut | None:
    """The largest gap of each player's event, if it is beyond the 400 points; None where the rule is another."""
    if not games.size or not any(edition.one_of_an_event for edition in basis.editions):
        return None
    parts, first = [], 0
    for part in blocks(games):
        parts.append(_beyond(basis, part, first))
        first += part.size
    game, side, gap, gain = (np.concatenate(column) for column in zip(*parts, strict=True))
    player = np.where(side == WHITE, games.white[game], games.black[game])
    event = np.zeros(len(game), dtype=np.int32) if games.event is None else games.event[game]
    order = np.lexsort((game, -gap, event, player))
    game, side, player, event, gain = (column[order] for column in (game, side, player, event, gain))
    first_of_event = np.ones(len(game), dtype=bool)
    first_of_event[1:] = (player[1:] != player[:-1]) | (event[1:] != event[:-1])
    return Cut(*(column[first_of_event] for column in (game, side, player, gain)))


def _beyond(basis: Basis, games: Games, first: int) -> tuple[Any, ...]:
    """The sides of rated games whose gap is beyond the 400 points, where one of an event counts."""
    white, black = ratings(basis, games)
    rated = weigh(basis, games).why == RATED
    found: list[tuple[Any, ...]] = []
    for place, edition in enumerate(basis.editions):
        if not edition.one_of_an_event:
            continue
        here = rated if games.edition is None else rated & (games.edition == place)
        for side, own, gap in ((WHITE, white, white - black), (BLACK, black, black - white)):
            size = np.abs(gap) if edition.cap.side == "both" else gap
            rows = np.flatnonzero(here & (size > edition.cap.over))
            at = gap[rows] + REACH
            saved = (edition.expected[at] - edition.other[at]) * (own[rows] < edition.own_under)
            found.append((rows + first, np.full(len(rows), side, dtype=np.int8), size[rows], saved.astype(np.int64)))
    return tuple(np.concatenate(column) for column in zip(*found, strict=True))
