"""Arrays as columns of output tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.bulk.arrays import Bools, Ints

DECIMALS = pa.decimal128(9, 2)


def numbers(values: Ints, kind: pa.DataType, unknown: Bools | None = None) -> pa.Array:
    """Whole numbers, null where they are unknown: as `unknown` says, or else below zero."""
    return pa.array(values, mask=values < 0 if unknown is None else unknown).cast(kind)


def hundredths(values: Ints, unknown: Bools) -> pa.Array:
    """Hundredths as exact decimals; null where they are unknown."""
    wide = np.empty((len(values), 2), dtype=np.int64)  # a decimal is a number of 128 bits
    wide[:, 0], wide[:, 1] = values, values >> 63
    there = pa.array(~unknown)
    return pa.Array.from_buffers(DECIMALS, len(values), [there.buffers()[1], pa.py_buffer(wide)])


def flags(bits: Ints, names: Sequence[str]) -> pa.Array:
    """Flags as words separated by spaces; each combination is stored only once."""
    words = [" ".join(name for place, name in enumerate(names) if all_ >> place & 1) for all_ in range(1 << len(names))]
    return pa.DictionaryArray.from_arrays(pa.array(bits, pa.int8()), pa.array(words))


def words_of(codes: Ints, names: Sequence[str]) -> pa.Array:
    """Words by their codes."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(names))


def without_dictionaries(table: pa.Table) -> pa.Table:
    """A table with plain columns instead of dictionaries, which only Parquet supports."""
    kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema([field.with_type(kind) for field, kind in zip(table.schema, kinds, strict=True)]))
