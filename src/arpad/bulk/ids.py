"""Ids made dense: the place in the list of every id, by a table of places or by hashing."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

NOWHERE = -1
SPARSE = 4  # a table by id is used while it has at most so many places for each id
MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio spreads neighbouring ids


class Index:
    """Where an id stands in a list; −1 for an id that is not in it."""

    def __init__(self, ids: pa.Array) -> None:
        self.type = ids.type
        self._texts = None
        if not pa.types.is_integer(ids.type):
            self._texts = ids
            return
        numbers = np.ascontiguousarray(ids.to_numpy(zero_copy_only=False), dtype=np.int64)
        span = int(numbers.max()) - int(numbers.min()) + 1 if len(numbers) else 0
        self._find = _Direct(numbers, span).find if span <= SPARSE * len(numbers) else _Hashed(numbers).find

    def places(self, ids: pa.Array) -> Any:
        """The places of ids; null is nowhere."""
        ids = _as_type(ids, self.type)
        if self._texts is not None:
            found = pc.index_in(ids, value_set=self._texts, skip_nulls=True).fill_null(NOWHERE)
            return found.to_numpy(zero_copy_only=False)
        numbers = ids.fill_null(0) if ids.null_count else ids
        found = self._find(np.asarray(numbers.to_numpy(zero_copy_only=False), dtype=np.int64))
        if ids.null_count:
            found[np.asarray(ids.is_null())] = NOWHERE
        return found


def _as_type(ids: pa.Array, kind: pa.DataType) -> pa.Array:
    """Ids as the list has them: numbers for numbers; what cannot be one is null."""
    if pa.types.is_dictionary(ids.type):
        ids = ids.dictionary_decode()
    if not pa.types.is_integer(kind):
        return ids.cast(pa.string())
    if pa.types.is_integer(ids.type):
        return ids
    texts = pc.utf8_trim_whitespace(pc.cast(ids, pa.string()))
    numbers = pc.if_else(pc.match_substring_regex(texts, r"^-?\d{1,18}(\.0)?$"), texts, None)
    return pc.replace_substring(numbers, ".0", "").cast(pa.int64())


class _Direct:
    """A table with a place for every id between the lowest and the highest."""

    def __init__(self, ids: Any, span: int) -> None:
        self._lowest = int(ids.min()) if len(ids) else 0
        self._places = np.full(span + 1, NOWHERE, dtype=np.int32)  # the last is for ids outside
        # Backwards, so that of two equal ids the first one is found.
        self._places[ids[::-1] - self._lowest] = np.arange(len(ids), dtype=np.int32)[::-1]

    def find(self, ids: Any) -> Any:
        at = ids - self._lowest
        last = len(self._places) - 1
        # As an unsigned number what is below the lowest is above the highest too.
        return self._places[np.minimum(at.view(np.uint64), np.uint64(last)).view(np.int64)]


class _Hashed:
    """An open-addressed hash table, filled and searched for many ids at a time."""

    def __init__(self, ids: Any) -> None:
        bits = max(4, len(ids).bit_length() + 1)
        self._shift, self._mask = np.uint64(64 - bits), (1 << bits) - 1
        self._ids = np.append(ids, 0)
        self._places = np.full(1 << bits, NOWHERE, dtype=np.int32)
        left, at = np.arange(len(ids), dtype=np.int32), self._home(ids)
        while len(left):
            free = self._places[at] == NOWHERE
            self._places[at[free]] = left[free]
            without = self._places[at] != left
            left, at = left[without], (at[without] + 1) & self._mask

    def _home(self, ids: Any) -> Any:
        return ((ids.view(np.uint64) * MIX) >> self._shift).view(np.int64)

    def find(self, ids: Any) -> Any:
        at = self._home(ids)
        found = self._places[at]
        missed = np.flatnonzero((self._ids[found] != ids) & (found != NOWHERE))
        at = at[missed]
        while len(missed):
            at = (at + 1) & self._mask
            place = self._places[at]
            found[missed] = place
            again = (self._ids[place] != ids[missed]) & (place != NOWHERE)
            missed, at = missed[again], at[again]
        return found
