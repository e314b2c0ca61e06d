"""Ids of players: read by one rule everywhere, and the place of every id in a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.tables.columns import as_array, texts

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Int32s, Int64s

NOWHERE = -1
EXACT = 1 << 53  # up to here a double has every whole number
NUMBER = r"^-?[0-9]{1,18}$"  # a plain text that is a number
ZEROS = r"^(-?)0*([0-9]+)(?:\.0*)?$"  # a number that may be written otherwise: 0015, 15.0
SPARSE = 4  # a table by id is used while it has at most so many places for each id
MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio spreads neighbouring ids


class Index:
    """The place of an id in a list; −1 for an id that is not in it."""

    def __init__(self, ids: pa.Array) -> None:
        self.type = ids.type
        self._texts: pa.Array | None = None
        self._find: Callable[[Int64s], Int32s]
        if not pa.types.is_integer(ids.type):
            self._texts = ids
            return
        numbers = np.ascontiguousarray(ids.to_numpy(zero_copy_only=False), dtype=np.int64)
        lowest, highest = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
        if highest - lowest < SPARSE * len(numbers):
            self._find = _Direct(numbers, highest - lowest + 1).find
        elif _Hashed.holds(lowest, highest, len(numbers)):
            self._find = _Hashed(numbers).find
        else:
            self._texts = ids

    def places(self, ids: pa.Array) -> Int32s:
        """The places of ids; null is nowhere."""
        ids = as_type(ids, self.type)
        if self._texts is not None:
            return as_array(pc.index_in(ids, value_set=self._texts, skip_nulls=True).fill_null(NOWHERE))
        numbers = ids.fill_null(0) if ids.null_count else ids
        found = self._find(np.asarray(numbers.to_numpy(zero_copy_only=False), dtype=np.int64))
        if ids.null_count:
            found[np.asarray(ids.is_null())] = NOWHERE
        return found

    def places_there(self, ids: pa.Array) -> Int32s:
        """The places of those ids that are in the list."""
        found = self.places(ids)
        there: Int32s = found[found != NOWHERE]
        return there


def plain_ids(ids: pa.Array) -> pa.Array:
    """Ids as a file has them, in a plain form: whole numbers or texts, and null where there is none.

    Blanks around a text do not count. A text of digits is a number, so that 0015 and 15.0 are 15; names stay as they
    are. Numbers with decimals are whole numbers or cannot be read. On Spark `spark_tables.plain_id` is the same rule.
    """
    if pa.types.is_integer(ids.type):
        return ids.cast(pa.int64())
    if pa.types.is_floating(ids.type):
        numbers = ids.cast(pa.float64())
        whole = pc.and_(pc.equal(pc.floor(numbers), numbers), pc.less(pc.abs(numbers), EXACT))
        return pc.if_else(whole, numbers, None).cast(pa.int64())
    plain = pc.utf8_trim_whitespace(texts(ids))
    if pc.any(pc.or_(pc.match_substring(plain, "."), pc.match_substring_regex(plain, "^-?0"))).as_py():
        plain = pc.replace_substring_regex(plain, ZEROS, r"\1\2")
    return pc.if_else(pc.equal(plain, ""), None, plain)


def as_type(ids: pa.Array, kind: pa.DataType) -> pa.Array:
    """Plain ids as others have them: numbers for numbers; what cannot be one is null."""
    if not pa.types.is_integer(kind):
        return ids.cast(pa.string())
    if pa.types.is_integer(ids.type):
        return ids
    return pc.if_else(pc.match_substring_regex(ids, NUMBER), ids, None).cast(pa.int64())


def same_type(parts: list[pa.Array]) -> list[pa.Array]:
    """Plain ids of several tables: numbers where all are numbers, else texts."""
    whole = all(pa.types.is_integer(part.type) for part in parts if len(part))
    return [as_type(part, pa.int64() if whole else pa.string()) for part in parts]


def as_numbers(ids: pa.Array) -> pa.Array:
    """Plain ids as numbers if all are numbers, because these are found faster; otherwise as they are."""
    numbers = as_type(ids, pa.int64())
    return numbers if numbers.null_count == ids.null_count else ids


class _Direct:
    """A table with a place for every id between the lowest and the highest."""

    def __init__(self, ids: Int64s, span: int) -> None:
        self._lowest = int(ids.min()) if len(ids) else 0
        self._places = np.full(span + 1, NOWHERE, dtype=np.int32)  # the last is for ids outside
        # Backwards, so that of two equal ids the first one is found.
        self._places[ids[::-1] - self._lowest] = np.arange(len(ids), dtype=np.int32)[::-1]

    def find(self, ids: Int64s) -> Int32s:
        at = ids - self._lowest
        last = len(self._places) - 1
        # As an unsigned number what is below the lowest is above the highest too.
        return self._places[np.minimum(at.view(np.uint64), np.uint64(last)).view(np.int64)]


class _Hashed:
    """An open-addressed hash table, filled and searched for many ids at a time; a slot holds an id and its place."""

    def __init__(self, ids: Int64s) -> None:
        self._bits = len(ids).bit_length()  # of a place
        slots = self._bits + 2  # one in four to one in eight is taken, so that few ids meet
        self._shift, self._last = np.uint64(64 - slots), (1 << slots) - 1
        self._slots = np.full(1 << slots, NOWHERE, dtype=np.int64)
        packed = ids << self._bits | np.arange(len(ids))
        left, at = packed, self._home(ids)
        while len(left):
            free = self._slots[at] == NOWHERE
            self._slots[at[free][::-1]] = left[free][::-1]  # of two equal ids the first one is found first
            without = self._slots[at] != left
            left, at = left[without], (at[without] + 1) & self._last

    @staticmethod
    def holds(lowest: int, highest: int, count: int) -> bool:
        """Whether ids leave room for their places beside them."""
        return lowest >= 0 and highest.bit_length() + count.bit_length() < 63

    def _home(self, ids: Int64s) -> Int64s:
        return ((ids.view(np.uint64) * MIX) >> self._shift).view(np.int64)

    def find(self, ids: Int64s) -> Int32s:
        at = self._home(ids)
        slots = self._slots[at]
        missed = np.flatnonzero((slots >> self._bits != ids) & (slots != NOWHERE))
        at = at[missed]
        while len(missed):
            at = (at + 1) & self._last
            slot = self._slots[at]
            slots[missed] = slot
            again = (slot >> self._bits != ids[missed]) & (slot != NOWHERE)
            missed, at = missed[again], at[again]
        places = (slots & ((1 << self._bits) - 1)).astype(np.int32)
        places[slots == NOWHERE] = NOWHERE
        return places
