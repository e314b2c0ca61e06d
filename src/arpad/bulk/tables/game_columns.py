"""The games of a period in columns, as the array kernel uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.bulk.arrays import Bools, Int8s, Int16s, Int32s, Ints

BLOCK = 1 << 16  # games at a time: intermediate arrays stay in the processor's cache


class GameColumns(NamedTuple):
    """Games by column; players are places in the list, and a column without information is None."""

    white: Int32s
    black: Int32s
    half_points: Int8s  # White's
    edition: Ints | None = None  # the place of the edition
    pace: Int16s | None = None  # the place of the time control; −1 is unknown
    unplayed: Bools | None = None
    approved: Bools | None = None  # whether FIDE's qualification commission approved the event
    highest: Int16s | None = None  # the highest rating in the tournament; 0 is unknown
    white_rating: Int16s | None = None  # the list rating on the day the event began; 0 means as listed now
    black_rating: Int16s | None = None
    event: Ints | None = None
    start: Int32s | None = None
    row: Ints | None = None  # the place of the game among all that were given

    @property
    def size(self) -> int:
        """How many games there are."""
        return len(self.white)

    def part(self, which: slice | Ints | Bools) -> GameColumns:
        """Some of the games."""
        columns: list[Any] = [None if column is None else column[which] for column in self]
        return GameColumns(*columns)

    def blocks(self) -> Iterator[GameColumns]:
        """All games, a block at a time."""
        for first in range(0, self.size, BLOCK):
            yield self.part(slice(first, first + BLOCK))

    def events(self) -> Ints:
        """The event of each game; without events all games belong to one."""
        return np.zeros(self.size, dtype=np.int32) if self.event is None else self.event
