"""Blocks of games collected in narrow columns, without duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from arpad.bulk.tables.columns import UNKNOWN
from arpad.bulk.tables.game_columns import BLOCK, GameColumns
from arpad.bulk.tables.ids import MIX
from arpad.bulk.tables.rejects import Rejects
from arpad.errors import BadFile
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from arpad.bulk.arrays import Bools, Int64s, Ints

    Column = NDArray[Any]  # of any type

NAMES = [*(name for name in GameColumns._fields if name not in ("edition", "row")), "date", "round", "pair"]
# What fills a column for a file that lacks it while others have it.
FILLED = {"unplayed": False, "white_rating": 0, "black_rating": 0, "pace": UNKNOWN, "event": UNKNOWN, "round": UNKNOWN}
FILLED |= {"approved": False, "highest": 0}
EMPTY = {"white": np.int32, "black": np.int32, "half_points": np.int8, "pair": np.uint32}


class _Column:
    """A column that grows block by block; rows before its first block are filled in."""

    def __init__(self, name: str, kind: np.dtype[Any], room: int, before: int) -> None:
        if before and name not in FILLED:
            raise BadFile(say("bulk.file.some_columns"), at=name)
        self._name, self._size = name, before
        self._values = np.empty(max(room, before), dtype=kind)
        self._values[:before] = FILLED.get(name, 0)

    def add(self, part: Column | None, rows: int) -> None:
        """Add the next rows; None fills them in."""
        if part is None and self._name not in FILLED:
            raise BadFile(say("bulk.file.some_columns"), at=self._name)
        end = self._size + rows
        if end > len(self._values):
            self._values = np.append(self._values, np.empty(max(end, len(self._values)), dtype=self._values.dtype))
        if part is not None and not np.can_cast(part.dtype, self._values.dtype):
            self._values = self._values.astype(np.promote_types(part.dtype, self._values.dtype))
        self._values[self._size : end] = FILLED[self._name] if part is None else part
        self._size = end

    def values(self) -> Column:
        """The column so far."""
        return self._values[: self._size]


class GameCollector:
    """The games taken so far, and where each came from; `room` is how many are expected."""

    def __init__(self, room: int) -> None:
        self.given = self._kept = 0
        self._room = room
        self._columns: dict[str, _Column] = {}
        self._taken: list[tuple[int, int, Ints | None]] = []  # first row, rows, and which of them; None for all
        self._origins: list[tuple[str | None, int]] = []  # of each block the file, and the rows before it there

    def add(self, file: str | None, first: int, block: dict[str, Column | None], taken: Bools) -> None:
        """Add a block of columns, with its origin and which of its rows are taken."""
        block["pair"] = _pair(block["white"], block["black"])
        which = None if taken.all() else np.flatnonzero(taken)
        rows = len(taken) if which is None else len(which)
        for name in NAMES:
            part = block[name]
            if part is not None and name not in self._columns:
                self._columns[name] = _Column(name, part.dtype, self._room, self._kept)
            if name in self._columns:
                self._columns[name].add(part if part is None or which is None else part[which], rows)
        self._taken.append((self.given, len(taken), which))
        self._origins.append((file, first))
        self.given += len(taken)
        self._kept += rows

    def games(self, ids: pa.Array, rejects: Rejects) -> GameColumns:
        """All games that were taken; duplicates are rejected."""
        columns: dict[str, Any] = {name: np.zeros(0, dtype=EMPTY[name]) if name in EMPTY else None for name in NAMES}
        columns |= {name: column.values() for name, column in self._columns.items()}
        if columns["start"] is None:
            columns["start"] = columns["date"]
        for name, other in (("white_rating", "black_rating"), ("black_rating", "white_rating")):
            if columns[name] is None and columns[other] is not None:
                columns[name] = np.zeros_like(columns[other])
        columns["row"] = self._rows()
        duplicates = _duplicates(columns, _suspects(columns.pop("pair")))
        if len(duplicates):
            self._reject(columns, duplicates, ids, rejects)
            keep = np.ones(len(columns["white"]), dtype=bool)
            keep[duplicates] = False
            columns["row"] = np.arange(len(keep)) if columns["row"] is None else columns["row"]
            columns = {name: None if column is None else column[keep] for name, column in columns.items()}
        return GameColumns(**{name: column for name, column in columns.items() if name in GameColumns._fields})

    def _rows(self) -> Ints | None:
        """The row of each game among all that were given; None if all were taken."""
        if all(which is None for _, _, which in self._taken):
            return None
        return np.concatenate(
            [first + (np.arange(rows) if which is None else which) for first, rows, which in self._taken]
        )

    def _reject(self, columns: dict[str, Any], duplicates: Ints, ids: pa.Array, rejects: Rejects) -> None:
        """Reject duplicates, by the file and row they came from."""
        starts = [given for given, _, _ in self._taken]
        places = duplicates if columns["row"] is None else columns["row"][duplicates]
        players = [ids.take(pa.array(columns[side][duplicates])).to_pylist() for side in ("white", "black")]
        for place, white, black in zip(places.tolist(), *players, strict=True):
            block = int(np.searchsorted(starts, place, side="right")) - 1
            file, first = self._origins[block]
            row = first + place - starts[block] + 1
            rejects.add_row("games", file, row, "duplicate", {"white": white, "black": black})


def duplicates_of(columns: Mapping[str, Column | None]) -> Int64s:
    """The places of duplicate games, searched among the pairs that met more than once."""
    return _duplicates(columns, _suspects(_pair(columns["white"], columns["black"])))


def _pair(white: Any, black: Any) -> NDArray[np.uint32]:
    """A short hash of two players and their colours."""
    both = white.astype(np.uint64)
    both <<= np.uint64(32)
    both |= black.astype(np.uint32)
    both *= MIX
    both >>= np.uint64(32)
    short: NDArray[np.uint32] = both.astype(np.uint32)
    return short


def _suspects(pair: NDArray[np.uint32]) -> Int64s:
    """The games of pairs that met more than once with these colours, and a few false alarms."""
    ordered = np.sort(pair)
    twice = ordered[np.flatnonzero(ordered[1:] == ordered[:-1])]
    if not len(twice):
        return np.zeros(0, dtype=np.int64)
    bits = min(len(pair).bit_length() + 1, 24)
    short = np.uint32(32 - bits)
    seen = np.zeros(1 << bits, dtype=bool)
    seen[twice >> short] = True
    firsts = range(0, len(pair), BLOCK)
    found = [first + np.flatnonzero(seen[pair[first : first + BLOCK] >> short]) for first in firsts]
    return np.concatenate(found)


def _duplicates(columns: Mapping[str, Column | None], rows: Int64s) -> Int64s:
    """The places of repeated games: the same two players, event, day and round.

    Where the round is not known the result must be the same too, because two games of a match are not duplicates.
    """
    names = ("white", "black", "event", "date", "round", "half_points")
    keys = {name: column[rows].astype(np.int64) for name in names if (column := columns[name]) is not None}
    if "round" in keys:
        keys["half_points"] = np.where(keys["round"] == UNKNOWN, keys["half_points"], 0)
    values = np.stack(list(keys.values()))
    order = np.lexsort((rows, *values))
    values = values[:, order]
    return np.sort(rows[order[1:][(values[:, 1:] == values[:, :-1]).all(axis=0)]])
