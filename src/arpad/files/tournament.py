"""One door for tournament files: the format is recognised by what is in them."""

from __future__ import annotations

import os

from arpad.errors import BadFile
from arpad.files.trf import read_trf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arpad.tournament import Tournament

    Progress = Callable[[int, int], object]  # called with how much is done, and of how much

MOST_BYTES = 50_000_000
HEAD = 4096


def read(
    path: str | os.PathLike[str], columns: Mapping[str, str] | None = None, progress: Progress | None = None
) -> Tournament:
    """The tournament in a file: TRF06, TRF16, TRF26, a CSV or Excel table, or the headers of PGN games."""
    name = os.fspath(path)
    try:
        size = os.stat(name).st_size
        if size > MOST_BYTES:
            raise _too_large(size, name)
        with open(name, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadFile(f"The file cannot be read: {error.strerror}.", at=name) from None
    return read_bytes(data, name, columns, progress)


def read_bytes(
    data: bytes,
    name: str,
    columns: Mapping[str, str] | None = None,  # noqa: ARG001  # for tables
    progress: Progress | None = None,
) -> Tournament:
    """The same from bytes, without a disk; the name is for messages and for the format's sake."""
    if len(data) > MOST_BYTES:
        raise _too_large(len(data), name)
    if not data.strip():
        raise BadFile("The file is empty.", at=name)
    return read_trf(data, name, progress)


def _too_large(size: int, name: str) -> BadFile:
    most = MOST_BYTES // 1_000_000
    return BadFile(f"The file has {size / 1_000_000:.0f} MB; one of at most {most} MB can be read.", at=name)
