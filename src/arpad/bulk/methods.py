"""A system for columns: where players start, the expected scores of games, and the standings after a period.

Players are numbers from 0, so that a column of ratings is looked up by a column of players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from arpad.bulk.tally import Forecast

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Bools, Floats, Int64s, Ints
    from arpad.calculation.step import Step
    from arpad.rulebooks import Rule


BLOCK = 1 << 16  # games at a time: the intermediate arrays, half a megabyte each, stay in the cache
NO_COLUMN: Floats = np.zeros(0)


@dataclass(frozen=True, slots=True)
class Method:
    """A system for columns, with its settings as steps; `rate` returns new standings and does not change the old."""

    name: str
    on: date
    settings: tuple[Step, ...]
    newcomers: Callable[[int], Standings]  # this many players without a rating
    expected: Callable[[Standings, Pairs], Floats]  # White's expected scores, with what is known before a period
    rate: PeriodRater
    in_order: bool = False  # whether each game depends on the one before, so that a period cannot be rated in parts
    by_sums: BySums | None = None  # the same in two steps, whose last digit may differ; None if it must not

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a list of the system has for each player."""
        newcomer = self.newcomers(1)
        return tuple(name for name in ("rating", "deviation", "volatility") if len(getattr(newcomer, name)))

    @property
    def rules(self) -> tuple[Rule[object], ...]:
        """The rules among the settings."""
        return tuple(step.rule for step in self.settings if step.rule is not None)

    @property
    def of_opponents(self) -> tuple[str, ...]:
        """The columns that must be known about an opponent."""
        return tuple(name for name in self.columns if name != "volatility")


class PeriodRater(Protocol):
    """A function for the standings after a period; in a part of it, only its own players are rated, not the guests."""

    def __call__(self, before: Standings, games: Pairs, own: Bools | None = None, /) -> Standings: ...


class BySums(NamedTuple):
    """A period in two steps: the sums of each player's games, and the standings that they give.

    The sums of different games can be added, so that a player's games need not be in one place.
    """

    add_up: Callable[[Standings, Pairs], GlickoColumns]
    update: Callable[[Standings, GlickoColumns, Bools], Standings]  # for the players in the mask

    def rate(self, before: Standings, games: Pairs, own: Bools | None = None) -> Standings:
        """Both steps."""
        return self.update(before, self.add_up(before, games), those_who_play(games, len(before.rating), own))


class GlickoColumns(NamedTuple):
    """The sums over each player's games, in columns: the surprise of the results, and their information."""

    surprise: Floats
    information: Floats


class Standings(NamedTuple):
    """Every player's standing, in columns by player; a column that a system does not have is empty."""

    rating: Floats
    played: Bools  # who has played a game so far, or started with a rating
    deviation: Floats = NO_COLUMN
    volatility: Floats = NO_COLUMN


class Pairs(NamedTuple):
    """Games as columns: the two players, and White's score."""

    white: Int64s
    black: Int64s
    score: Floats

    def where(self, chosen: slice | Ints | Bools) -> Pairs:
        """Some of the games: a slice, a mask or their places."""
        return Pairs(self.white[chosen], self.black[chosen], self.score[chosen])

    def blocks(self) -> Iterator[Pairs]:
        """All games, a block at a time."""
        for first in range(0, len(self.white), BLOCK):
            yield self.where(slice(first, first + BLOCK))


def predicted(method: Method, standings: Standings, games: Pairs) -> Forecast:
    """The forecast of a period's games, from what is known before it."""
    new = ~(standings.played[games.white] & standings.played[games.black])
    white, black = (standings.rating[side] for side in (games.white, games.black))
    return Forecast.of_system(method.expected(standings, games), games.score, new, white, black)


def at_start(start: Sequence[Step], players: int) -> Standings:
    """This many players, all with the same start values."""
    rating, *others = (np.full(players, float(step.value)) for step in start)
    return Standings(rating, np.zeros(players, bool), *others)


def those_who_play(games: Pairs, players: int, own: Bools | None = None) -> Bools:
    """A mask of the players who have a game and are rated here."""
    playing = np.zeros(players, bool)
    playing[games.white] = True
    playing[games.black] = True
    return playing if own is None else playing & own


class SumByPlayer:
    """A sum by player, shared by all systems.

    Games with White and with Black are added separately, in their order, so that a player's sum is the same to the last
    digit, whatever games of other players come in between.
    """

    def __init__(self, players: int) -> None:
        self._white, self._black = np.zeros(players), np.zeros(players)

    def add(self, games: Pairs, to_white: Floats, to_black: Floats) -> None:
        """Add what each game gives to its two players."""
        np.add.at(self._white, games.white, to_white)
        np.add.at(self._black, games.black, to_black)

    def total(self) -> Floats:
        """The sum of each player."""
        total: Floats = self._white + self._black
        return total
