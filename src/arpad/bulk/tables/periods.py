"""The periods of a file of games: months, counted from the year 0, or whole numbers from the file."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arpad.bulk.tables.columns import days_of
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading import parse_date

if TYPE_CHECKING:
    from arpad.bulk.arrays import Int64s, Ints

YEAR = 12  # months


class Calendar(NamedTuple):
    """The first and the last period with games, and whether they are months."""

    first: int
    last: int
    dated: bool

    def name(self, period: int) -> str:
        """A period as people write it: 2019-10, or 96."""
        return f"{first_day(period):%Y-%m}" if self.dated else str(period)

    def end(self, period: int) -> int:
        """The last day of a period as Arrow counts days; where periods are whole numbers, the period itself."""
        return days_of(month_end(period)) if self.dated else period

    def number(self, text: str | int, *, at: str) -> int:
        """The number of a period as people write it."""
        if self.dated:
            day = parse_date(str(text), at=at)
            return YEAR * day.year + day.month - 1
        try:
            return int(str(text))
        except ValueError:
            said = say("bulk.error.not_a_period", text=text, first=self.first, last=self.last)
            raise BadInput(said, at=at) from None

    def span(self, first: str | int | None, last: str | int | None) -> tuple[int, int]:
        """The first and the last period of a span, both included; by default the first and the last of all."""
        low = self.first if first is None else self.number(first, at="from")
        high = self.last if last is None else self.number(last, at="to")
        if low > high or high < self.first or low > self.last:
            span = {"low": low, "high": high, "first": self.first, "last": self.last}
            named = {end: self.name(period) for end, period in span.items()}
            raise BadInput(say("bulk.error.no_games_there", **named), at="from")
        return max(low, self.first), min(high, self.last)


def first_day(month: int) -> date:
    """The first day of a month."""
    return date(month // YEAR, month % YEAR + 1, 1)


def month_end(month: int) -> date:
    """The last day of a month."""
    return first_day(month + 1) - timedelta(days=1)


def months(days: Ints) -> Int64s:
    """The months of days, which are counted as in Arrow and NumPy."""
    epoch = int(np.datetime64(0, "Y").item().year)
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) + YEAR * epoch
