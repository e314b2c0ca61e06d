"""Answers as Arrow tables, which pandas, Polars and DuckDB read; needs pyarrow."""

from __future__ import annotations

from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING

from arpad.errors import MissingExtra
from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyarrow import Table

Column = tuple[str, "Sequence[object]"]  # the Arrow type by name, and the values


def arrow_table(**columns: Column) -> Table:
    """A table of named columns; decimals become floats."""
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        raise MissingExtra(say("answers.arrow_missing")) from None
    arrays = {
        name: arrow.array([_plain(value) for value in values], type=kind) for name, (kind, values) in columns.items()
    }
    table: Table = arrow.table(arrays)
    return table


def _plain(value: object) -> object:
    """A value that Arrow accepts: decimals as floats, messages as text."""
    if isinstance(value, Decimal):
        return float(value)
    return str(value) if isinstance(value, Message) else value
