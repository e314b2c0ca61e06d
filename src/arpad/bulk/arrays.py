"""The types of columns in memory: one-dimensional NumPy arrays unless a docstring says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

Ints = NDArray[np.integer[Any]]  # of any width
Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

DENSE = 1 << 24  # sets of facts: up to this many, a table with a cell for each is faster than sorting


def asked_once(rule: Callable[..., int], *facts: Ints) -> Int64s:
    """What a rule says about each row, asked once for each distinct set of facts; no fact may be below 0."""
    if not len(facts[0]):
        return np.zeros(0, dtype=np.int64)
    shape = tuple(int(fact.max()) + 1 for fact in facts)
    codes = facts[0].astype(np.int64)
    for fact, width in zip(facts[1:], shape[1:], strict=True):
        codes = codes * width + fact
    size = int(np.prod(shape, dtype=object))

    def said(distinct: Ints) -> list[int]:
        return [rule(*row) for row in zip(*(fact.tolist() for fact in np.unravel_index(distinct, shape)), strict=True)]

    if size > DENSE:
        distinct, places = np.unique(codes, return_inverse=True)
        return np.array(said(distinct), dtype=np.int64)[places]
    seen = np.zeros(size, dtype=bool)
    seen[codes] = True
    table = np.zeros(size, dtype=np.int64)
    table[seen] = said(np.flatnonzero(seen))
    return table[codes]


def begins(*columns: Ints) -> Int64s:
    """The places where a new set of values begins in sorted columns."""
    new = np.ones(len(columns[0]), dtype=bool)
    new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return np.flatnonzero(new)
