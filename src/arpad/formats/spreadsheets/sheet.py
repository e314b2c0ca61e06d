"""A table with known headings, read row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arpad.formats.text import check_oddities

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arpad.core.tournaments import Oddity
    from arpad.formats.spreadsheets.headings import Headings
    from arpad.formats.spreadsheets.rows import Row

EVERY = 500  # rows between two calls of a progress hook


class Sheet(NamedTuple):
    """The filled rows below the headings, and the oddities so far."""

    rows: list[Row]
    headings: Headings
    path: str
    odd: list[Oddity]
    progress: Callable[[int, int], object] | None = None

    def each_row(self) -> Iterator[Row]:
        """Each row in turn; too many oddities stop the reading."""
        for done, row in enumerate(self.rows, start=1):
            yield row
            check_oddities(self.odd, self.path, row.number)
            if self.progress is not None and (done % EVERY == 0 or done == len(self.rows)):
                self.progress(done, len(self.rows))
