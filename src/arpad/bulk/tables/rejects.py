"""Rejected rows, each with its reason; nothing is lost silently."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.results import ELSEWHERE, REASONS, NothingToRate, Reasons, reason_text
from arpad.messages import say

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.bulk.tables.columns import Bools, Ints

BAD_FILE = "bad_file"
CODES = {name: code for code, name in enumerate(REASONS)}
SCHEMA = pa.schema(
    [
        ("table", pa.string()),
        ("file", pa.string()),
        ("row", pa.int64()),
        ("reason", pa.string()),
        ("says", pa.string()),
        ("given", pa.string()),
    ]
)


class Verdicts:
    """The verdict on each row of a block; the first reason stays."""

    def __init__(self, rows: int) -> None:
        self.codes = np.zeros(rows, dtype=np.uint8)
        self.left = 0

    def reject(self, which: Bools, reason: str) -> None:
        """Reject some rows, unless they already have a reason."""
        if which.any():
            self.codes[which & (self.codes == 0)] = CODES[reason]

    def leave(self, which: Bools) -> None:
        """Leave rows out without rejecting them."""
        self.codes[which] = CODES[ELSEWHERE]
        self.left += int(which.sum())


class Origins:
    """Where the rows that were taken came from: for each block the file, the rows before it, and which were taken."""

    def __init__(self) -> None:
        self._blocks: list[tuple[str | None, int, Sequence[int]]] = []

    def add(self, file: str | None, first: int, taken: Bools) -> None:
        """Add a block, and which of its rows were taken."""
        rows = range(len(taken)) if taken.all() else np.flatnonzero(taken).tolist()
        self._blocks.append((file, first, rows))

    def of(self, place: int) -> tuple[str | None, int]:
        """The file of the row at a place among those taken, and its row there, counted from 1."""
        for file, first, rows in self._blocks:
            if place < len(rows):
                return file, first + rows[place] + 1
            place -= len(rows)
        raise IndexError(place)


class _Rejected(NamedTuple):
    """A rejected row: the columns of the table, and its day or period, which the table does not have."""

    table: str
    file: str | None
    row: int | None
    reason: str
    says: str
    given: str
    when: int | None


class Rejects:
    """The rejected rows of a run."""

    def __init__(self) -> None:
        self._rows: list[_Rejected] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self,
        table: str,
        file: str | None,
        first: int,
        batch: pa.RecordBatch,
        codes: NDArray[np.uint8],
        when: Ints | None = None,
    ) -> None:
        """Add the rejected rows of a block, with the day or period of each if known; rows are counted from 1."""
        which = np.flatnonzero(codes > CODES[ELSEWHERE])
        if not len(which):
            return
        given = batch.take(pa.array(which)).to_pylist()
        for place, row in zip(which.tolist(), given, strict=True):
            at = None if when is None else int(when[place])
            self.add_row(table, file, first + place + 1, REASONS[codes[place]], row, at)

    def add_row(
        self,
        table: str,
        file: str | None,
        row: int | None,
        reason: str,
        given: Mapping[str, object],
        when: int | None = None,
    ) -> None:
        """Add one row, by its number."""
        text = json.dumps(given, ensure_ascii=False, default=str)
        self._rows.append(_Rejected(table, file, row, reason, reason_text(reason), text, when))

    def add_file(self, table: str, file: str | None, message: str) -> None:
        """Add a file that cannot be read, or not completely."""
        self.add_row(table, file, None, BAD_FILE, {"says": message})

    def leave_after(self, last: int) -> None:
        """Leave out rows after a day or a period; those of which it is not known stay."""
        self._rows = [row for row in self._rows if row.when is None or row.when <= last]

    def counts(self) -> dict[str, int]:
        """How many rows were rejected for each reason, in the order of the reasons."""
        counts = Counter(row.reason for row in self._rows)
        return {reason: counts[reason] for reason in REASONS if reason in counts}

    def rows(self, table: str) -> int:
        """How many rows of a table were rejected; a file that cannot be read is not a row."""
        return sum(row.table == table and row.reason != BAD_FILE for row in self._rows)

    def table(self) -> pa.Table:
        """The rejected rows."""
        return pa.Table.from_pylist([row._asdict() for row in self._rows], schema=SCHEMA)


def nothing_to_rate(why: str, rejected: pa.Table, *, at: str, **values: object) -> NothingToRate:
    """The error for games of which none could be used, with the reasons."""
    reasons = Reasons(Counter(rejected.column("reason").to_pylist()), before=": ")
    return NothingToRate(say(f"bulk.error.{why}", reasons=reasons, **values), rejected, at=at)
