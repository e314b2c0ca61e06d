"""Tables as a caller names them: files, also many by a glob, or anything that speaks Arrow.

No optional library is needed here, so that names can be checked before one is missed.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from typing import Protocol

from arpad.errors import BadInput, UnknownName
from arpad.formats.saving import check_outputs
from arpad.messages import say

FORMATS = ("parquet", "csv", "jsonl", "duckdb")
SUFFIXES = {
    ".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "csv",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".duckdb": "duckdb", ".db": "duckdb",
}  # fmt: skip
COMPRESSED = ((".gz", ("csv", "jsonl")), (".xz", ("csv",)))  # by ending, the formats that can be written compressed
WITHIN = "::"  # a table within a DuckDB file


class ArrowStream(Protocol):
    """A table that speaks Arrow: of pyarrow, Polars, pandas, DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Tables = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | ArrowStream


def check_paths(outputs: Iterable[str | None], inputs: Iterable[str | None], *, force: bool) -> None:
    """Refuse, before any work, to write in an unknown format, over an existing file, or over an input.

    Accepts the names of files; None is passed over. Gives nothing. Raises UnknownName for the format, and BadInput for
    the file.
    """
    paths = [name for name in outputs if name is not None]
    for name in paths:
        check_writable(name)
    read = [name for path in inputs if path is not None for name in glob.glob(file_of(path), recursive=True)]
    check_outputs([file_of(name) for name in paths], read, force=force)


def check_writable(name: str) -> None:
    """Refuse a name whose format is unknown, or cannot be compressed as its ending says."""
    kind = format_of(name)
    for ending, kinds in COMPRESSED:
        if file_of(name).lower().endswith(ending) and kind not in kinds:
            raise BadInput(say("bulk.file.compressed", format=kind, ending=ending, known=kinds), at=name)


def file_of(name: str) -> str:
    """The file in a name such as `some.duckdb::table`."""
    return name.partition(WITHIN)[0]


def format_of(name: str) -> str:
    """The format that a file's name indicates."""
    path = file_of(name).lower().removesuffix(".gz").removesuffix(".xz")
    ending = os.path.splitext(path)[1]
    if ending not in SUFFIXES:
        raise UnknownName("bulk_format", ending.lstrip(".") or name, known=FORMATS, at=name)
    return SUFFIXES[ending]
