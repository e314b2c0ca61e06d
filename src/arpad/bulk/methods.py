"""A system as bulk takes it: where everybody starts, what to expect of games, and what a period makes of them.

Players are numbers from 0, so that a column of ratings is looked up by a column of players.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arpad.calculation.step import Step
from arpad.errors import UnknownName
from arpad.systems.fide import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from arpad.rulebooks.rulebook import Rulebook

METHODS = {
    "elo": "arpad.bulk.elo",
    "glicko": "arpad.bulk.glicko",
    "glicko-2": "arpad.bulk.glicko2",
}
BLOCK = 1 << 16  # games at a time: what comes between is a few times half a megabyte, and stays in the cache


class Pairs(NamedTuple):
    """Games as columns: the two players, and White's score."""

    white: Any
    black: Any
    score: Any

    def where(self, chosen: Any) -> "Pairs":
        """Some of the games: a slice, a mask or their places."""
        return Pairs(*(column[chosen] for column in self))

    def blocks(self) -> "Iterator[Pairs]":
        """All games, a block at a time."""
        for first in range(0, len(self.white), BLOCK):
            yield self.where(slice(first, first + BLOCK))


class Standings(NamedTuple):
    """Everybody's standing: columns by player, of which a system has those it needs."""

    rating: Any
    played: Any  # who has played a game so far, or came with a rating
    deviation: Any = None
    volatility: Any = None


class Method(NamedTuple):
    """A system for columns, with its settings as steps; `rate` gives new standings and leaves the old as they were."""

    name: str
    rulebook: "Rulebook[Any]"
    on: "date"
    settings: tuple[Step, ...]
    newcomers: Callable[[int], Standings]  # so many players without a rating
    expected: Callable[[Standings, Pairs], Any]  # White's expected scores, with what is known before a period
    rate: Callable[[Standings, Pairs], Standings]  # all games of one period

    @property
    def columns(self) -> tuple[str, ...]:
        """What a list of the system has of each player."""
        start = self.newcomers(0)
        return tuple(name for name in ("rating", "deviation", "volatility") if getattr(start, name) is not None)


def method_of(system: str, on: "date | None" = None, **settings: Any) -> Method:
    """A system for columns by name, with the rules of a day: by default the day they were last checked."""
    from importlib import import_module

    if system not in METHODS:
        raise UnknownName("system for bulk", system, known=(*METHODS, *FILES), at="system")
    module = import_module(METHODS[system])
    for setting in settings:
        if setting not in module.SETTINGS:
            raise UnknownName(f"setting of {system}", setting, known=module.SETTINGS, at="settings")
    method: Method = module.build(on, **settings)
    return method


def at_start(start: "Sequence[Step]", players: int) -> Standings:
    """So many players who all begin alike."""
    rating, *others = (np.full(players, float(step.value)) for step in start)
    return Standings(rating, np.zeros(players, bool), *others)


def add_by_player(total: Any, games: Pairs, to_white: Any, to_black: Any) -> None:
    """Add what each game gives to its two players: the one sum by player that all systems share."""
    np.add.at(total, games.white, to_white)
    np.add.at(total, games.black, to_black)


def those_who_play(games: Pairs, players: int) -> Any:
    """A mask of the players who have a game."""
    playing = np.zeros(players, bool)
    playing[games.white] = True
    playing[games.black] = True
    return playing
