"""Games of many periods in a row, as columns: players by number, and the period of each game."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.calendar import Calendar, months
from arpad.bulk.methods import Pairs

if TYPE_CHECKING:
    from collections.abc import Iterator


class PlayedSeason(NamedTuple):
    """Games in the order they were played; `period` rises."""

    ids: pa.Array  # of the players, by their numbers
    games: Pairs
    period: Any
    calendar: Calendar

    @classmethod
    def of(cls, ids: pa.Array, games: Pairs, when: Any, *, dated: bool) -> "PlayedSeason":
        """From games with a day or a period each; they are sorted by it, and otherwise stay as they stand."""
        order = np.argsort(when, kind="stable")
        period = months(when[order]) if dated else when[order]
        return cls(ids, games.where(order), period, Calendar(int(period[0]), int(period[-1]), dated))

    def periods(self, last: int) -> "Iterator[tuple[int, Pairs]]":
        """Every period up to the last asked for, those without games too: idle players notice them."""
        first = self.calendar.first
        ends = np.searchsorted(self.period, np.arange(first, last + 2))
        for number in range(last - first + 1):
            yield first + number, self.games.where(slice(ends[number], ends[number + 1]))
