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
    def of(cls, white: Any, black: Any, score: Any, when: Any, *, dated: bool) -> "Season":
        """From columns of one length, sorted by day or by period, and otherwise as they stand; ids are any."""
        ids, players = _numbered(white, black)
        days = np.asarray(when)
        order = np.argsort(days, kind="stable")
        games = Pairs(players[: len(white)], players[len(white) :], np.asarray(score, dtype=float)).where(order)
        return cls(ids, games, _months(days[order]) if dated else days[order].astype(np.int64), dated)

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


def _months(days: Any) -> Any:
    """The months of days, both counted from where Arrow and NumPy count, as whole numbers since the year 0."""
    epoch = int(np.datetime64(0, "Y").item().year)
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) + YEAR * epoch


def _numbered(white: Any, black: Any) -> tuple[Any, Any]:
    """The ids of all players, each once, and White's and Black's numbers behind each other."""
    import pyarrow as pa

    both = pa.chunked_array([*_chunks(white), *_chunks(black)]).combine_chunks().dictionary_encode()
    return both.dictionary, both.indices.to_numpy().astype(np.int64)


def _chunks(column: Any) -> list[Any]:
    import pyarrow as pa

    return list(column.chunks) if isinstance(column, pa.ChunkedArray) else [pa.array(column)]
