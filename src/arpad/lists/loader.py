"""Importing a list into the database with its search index, completely or not at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from arpad.errors import BadFile
from arpad.lists._words import add_words, folded_column
from arpad.lists.importers._layouts import OLD_TITLES
from arpad.lists.importers._rows import NUMBERS, SCHEMA, TEXTS, BadLine, checked
from arpad.lists.store import PACES, RatingList, delete, lists_in, run, writing
from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from duckdb import DuckDBPyConnection

    from arpad.lists.importers import ListFile

    Progress = Callable[[int], None]

INCOMING = SCHEMA.append(pa.field("folded", pa.string()))
_OLD_TITLES = " ".join(f"WHEN '{old}' THEN '{new}'" for old, new in OLD_TITLES.items())
# A blank or 0 is null, except for games, where 0 means that none were played.
_VALUES = {
    **{field: f"nullif({field}, '')" for field in TEXTS},
    **{field: field if field.endswith("_games") else f"nullif({field}, 0)" for field in NUMBERS},
    "title": f"CASE title {_OLD_TITLES} ELSE nullif(title, '') END",
    "line": "line",
    "folded": "folded",
    "best": f"nullif(greatest({', '.join(PACES)}), 0)",
}
INSERT = (
    "INSERT INTO player BY NAME SELECT {number} AS list, "
    + ", ".join(f"{sql} AS {column}" for column, sql in _VALUES.items())
    + " FROM incoming"
)
REPEATED = """
SELECT id, line, min(line) OVER (PARTITION BY id) AS first, concat_ws(' ', id, name, federation)
FROM player WHERE list = $list AND id IN (SELECT id FROM player WHERE list = $list GROUP BY id HAVING count(*) > 1)
ORDER BY line
"""
CHECKSUM = (
    "SELECT count(*), sum(hash(entry)::HUGEINT) "
    "FROM (SELECT * EXCLUDE (list, line) FROM {table} WHERE list = {list}) AS entry"
)


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import: the list, whether anything changed, the bad lines, and notes for the user."""

    list: RatingList
    changed: bool
    bad: tuple[BadLine, ...]
    notes: tuple[Message, ...] = ()
    replaced: int | None = None  # the number of players of the list it replaced


def import_list(
    file: ListFile, *, data: str | None = None, progress: Progress | None = None, force: bool = False
) -> Imported:
    """Import a list, replacing the one of the same month; if anything fails, everything stays as it was.

    A list with less than half of the players of the one it would replace is refused without `force`.
    """
    with writing(data) as connection:
        same_month = [
            found for found in lists_in(connection, file.name) if (found.month, found.paces) == (file.month, file.paces)
        ]
        old = same_month[0] if same_month else None
        ((number,),) = run(connection, "SELECT nextval('list_number')")
        bad = tuple(_store(connection, number, file, progress))
        if old is not None and _are_equal(connection, old.list, number):
            run(connection, "ROLLBACK")
            run(connection, "BEGIN")
            return Imported(old, changed=False, bad=bad, notes=file.notes)
        (new,) = [found for found in lists_in(connection, file.name) if found.list == number]
        if old is None:
            return Imported(new, changed=True, bad=bad, notes=file.notes)
        if not force:
            _check_size(old, new)
        delete(connection, old.list)
        return Imported(new, changed=True, bad=bad, notes=file.notes, replaced=old.players)


def _store(connection: DuckDBPyConnection, number: int, file: ListFile, progress: Progress | None) -> list[BadLine]:
    """Fill the tables and return the bad lines; the list itself is added last, after all checks."""
    incoming = _Incoming(file, progress)
    incoming.insert(connection, number)
    _check_counts(connection, number, incoming.counts, file.file)
    bad = sorted(incoming.bad + _remove_repeated(connection, number, file.file))
    ((players,),) = run(connection, "SELECT count(*) FROM player WHERE list = ?", [number])
    _check_readable(players, bad, file.file)
    add_words(connection, number)
    if bad:
        columns = [[row.line for row in bad], [row.text for row in bad], [row.why for row in bad]]
        run(connection, f"INSERT INTO bad_line SELECT {number}, unnest(?), unnest(?), unnest(?)", columns)
    run(
        connection,
        "INSERT INTO list VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [number, file.name, file.month, list(file.paces), file.layout, file.file, players, len(bad)],
    )
    return bad


class _Incoming:
    """The rows of a file on their way into the database, counted along the way."""

    def __init__(self, file: ListFile, progress: Progress | None) -> None:
        self.bad: list[BadLine] = []
        self.counts = Counter(dict.fromkeys(("players", *PACES), 0))
        self._file, self._progress = file, progress
        self._problem: Exception | None = None

    def insert(self, connection: DuckDBPyConnection, number: int) -> None:
        """Store the rows; DuckDB stores some while the next ones are read."""
        connection.register("incoming", pa.RecordBatchReader.from_batches(INCOMING, self._batches()))
        try:
            run(connection, INSERT.format(number=number))
        except Exception:
            if self._problem is not None:
                raise self._problem from None  # the error of the reader, not the database's version of it
            raise
        connection.unregister("incoming")

    def _batches(self) -> Iterator[pa.RecordBatch]:
        try:
            for rows in self._file.rows():
                batch, bad = checked(rows)
                self.bad += bad
                self.counts["players"] += batch.num_rows
                for pace in PACES:
                    self.counts[pace] += pc.sum(pc.greater(batch[pace], 0)).as_py() or 0
                if self._progress is not None:
                    self._progress(rows.done)
                yield pa.record_batch([*batch.columns, folded_column(batch["name"])], schema=INCOMING)
        except Exception as problem:
            self._problem = problem
            raise


def _check_counts(connection: DuckDBPyConnection, number: int, read: Counter[str], at: str) -> None:
    """Check that as many players, and ratings of each pace, were stored as were read."""
    counted = ", ".join(f"count({pace})" for pace in PACES)
    (row,) = run(connection, f"SELECT count(*), {counted} FROM player WHERE list = ?", [number])
    stored = dict(zip(("players", *PACES), row, strict=True))
    if stored != dict(read):
        raise BadFile(say("lists.import.lost", read=str(dict(read)), stored=str(stored)), at=at)


def _remove_repeated(connection: DuckDBPyConnection, number: int, at: str) -> list[BadLine]:
    """Delete players whose ID is on an earlier line, and return them as bad lines."""
    ((players, ids),) = run(connection, "SELECT count(*), count(DISTINCT id) FROM player WHERE list = ?", [number])
    if players == ids:
        return []
    rows = run(connection, REPEATED, {"list": number})
    later = [row for row in rows if row[1] != row[2]]
    if 2 * (players - ids) >= players:
        about = {"repeated": players - ids, "lines": players, "id": str(rows[0][0])}
        raise BadFile(say("lists.import.repeated", **about), at=at)
    if len(later) != players - ids:  # as in an XML without line ends
        same = next(player for player, line in Counter(row[:2] for row in rows).items() if line > 1)
        raise BadFile(say("lists.import.twice", id=str(same[0]), line=str(same[1])), at=at)
    run(
        connection,
        "DELETE FROM player WHERE list = $list AND (id, line) IN (SELECT unnest($ids), unnest($lines))",
        {"list": number, "ids": [row[0] for row in later], "lines": [row[1] for row in later]},
    )
    return [
        BadLine.of(line, text, say("lists.bad.duplicate", id=str(player), line=str(first)))
        for player, line, first, text in later
    ]


def _check_readable(players: int, bad: list[BadLine], at: str) -> None:
    """Refuse a file of which most lines cannot be read."""
    if players > len(bad):
        return
    if not bad:
        raise BadFile(say("lists.import.no_players"), at=at)
    about = {"good": players, "bad": len(bad), "line": str(bad[0].line), "why": bad[0].why}
    raise BadFile(say("lists.import.unreadable", **about), at=at)


def _check_size(old: RatingList, new: RatingList) -> None:
    """Refuse a list that is much shorter than the old one: it is probably incomplete."""
    if 2 * new.players < old.players:
        about = {"list": str(old), "old": f"{old.players:,}", "new": f"{new.players:,}"}
        raise BadFile(say("lists.import.shorter", **about), at=new.source)


def _are_equal(connection: DuckDBPyConnection, old: int, new: int) -> bool:
    """Whether two lists have the same rows in any order."""
    sums = [
        [run(connection, CHECKSUM.format(table=table, list=number)) for table in ("player", "bad_line")]
        for number in (old, new)
    ]
    return sums[0] == sums[1]
