"""Games of many periods in a row, as columns: players by number, and a period each, a month or a whole number."""

from typing import Any, NamedTuple

import numpy as np

from arpad.bulk.method import Pairs
from arpad.errors import BadInput
from arpad.notation import parse_date

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

YEAR = 12  # months


class Season(NamedTuple):
    """Games in the order they were played; `period` rises, and counts months where there are dates."""

    ids: Any  # of the players, by their numbers
    games: Pairs
    period: Any
    dated: bool

    @classmethod
    def of(cls, white: Any, black: Any, score: Any, *, period: Any = None, date: Any = None) -> "Season":
        """From columns of one length (Arrow's, of ids as they came): by date, or else by period, then as they stand."""
        ids, players = _numbered(white, black)
        when = np.asarray(date if period is None else period)
        order = np.argsort(when, kind="stable")
        games = Pairs(players[: len(white)], players[len(white) :], np.asarray(score, dtype=float)).where(order)
        if period is not None:
            return cls(ids, games, when[order].astype(np.int64), dated=False)
        months = when[order].astype("datetime64[M]")
        return cls(ids, games, months.astype(np.int64) + YEAR * _epoch(), dated=True)

    @property
    def first(self) -> int:
        """The first period."""
        return int(self.period[0])

    @property
    def last(self) -> int:
        """The last period."""
        return int(self.period[-1])

    def name(self, period: int) -> str:
        """A period as people write it: 2019-10, or 96."""
        return f"{period // YEAR:04}-{period % YEAR + 1:02}" if self.dated else str(period)

    def number(self, text: Any, *, at: str) -> int:
        """A period as people write it, as a number."""
        if self.dated:
            day = parse_date(str(text), at=at)
            return YEAR * day.year + day.month - 1
        try:
            return int(str(text))
        except ValueError:
            here = f"from {self.first} to {self.last}"
            raise BadInput(f"'{text}' is not a period; here they are whole numbers {here}.", at=at) from None

    def span(self, first: Any, last: Any) -> tuple[int, int]:
        """The periods asked for, both included; what is not given is the first or the last of all."""
        low = self.first if first is None else self.number(first, at="from")
        high = self.last if last is None else self.number(last, at="to")
        if low > high or high < self.first or low > self.last:
            here = f"{self.name(self.first)} to {self.name(self.last)}"
            raise BadInput(
                f"There are no games from {self.name(low)} to {self.name(high)}; the file has {here}.", at="from"
            )
        return low, min(high, self.last)

    def periods(self, last: int) -> "Iterator[tuple[int, Pairs]]":
        """Every period up to the last asked for, those without games too: idle players notice them."""
        ends = np.searchsorted(self.period, np.arange(self.first, last + 2))
        for number in range(last - self.first + 1):
            yield self.first + number, self.games.where(slice(ends[number], ends[number + 1]))


def _epoch() -> int:
    """The year that NumPy counts months from."""
    return int(str(np.datetime64(0, "M"))[:4])


def _numbered(white: Any, black: Any) -> tuple[Any, Any]:
    """The ids of all players, each once, and White's and Black's numbers behind each other."""
    import pyarrow as pa

    both = pa.chunked_array([*_chunks(white), *_chunks(black)]).combine_chunks().dictionary_encode()
    return both.dictionary, both.indices.to_numpy().astype(np.int64)


def _chunks(column: Any) -> list[Any]:
    import pyarrow as pa

    return list(column.chunks) if isinstance(column, pa.ChunkedArray) else [pa.array(column)]
