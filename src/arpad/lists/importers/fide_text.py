"""FIDE's fixed-width text: lines as wide as the header are cut into columns all at once, other lines one by one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.errors import BadFile
from arpad.lists.importers._rows import BadLine, Rows, rows_of
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from numpy.typing import NDArray

    from arpad.lists.importers._layouts import Layout

BLOCK = 1 << 23  # bytes cut at a time
FIRST_LINE = 2  # after the header
RETURN, FEED, ASCII = 13, 10, 128
NOTHING = b" \r\n\x1a"  # all that a line without a player may contain
YEAR = 4  # digits
TITLES = re.compile(r"[A-Z]{2,3}(,[A-Z]{2,3})*")  # SI,FI,LSI: a blank would mean that the column has room


def read_rows(file: IO[bytes], layout: Layout, *, at: str) -> Iterator[Rows]:
    """The players after the header of a file, some thousands at a time."""
    line, done = FIRST_LINE, 0
    for text in _whole_lines(file, at):
        done += len(text)
        yield from _rows(text, layout, line, done)
        line += text.count(b"\n")


def _whole_lines(file: IO[bytes], at: str) -> Iterator[bytes]:
    """The file in blocks of whole lines."""
    rest = b""
    while data := file.read(BLOCK):
        end = data.rfind(b"\n") + 1
        if end:
            yield rest + data[:end]
            rest = data[end:]
        elif rest:
            raise BadFile(say("lists.import.endless_line"), at=at)
        else:
            rest = data
    if rest:
        yield rest + b"\n"


def _rows(text: bytes, layout: Layout, first_line: int, done: int) -> Iterator[Rows]:
    """The rows of the lines as wide as the header, cut together, then of the other lines, one by one."""
    letters = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(letters == FEED)
    starts = np.concatenate([[0], ends[:-1] + 1])
    regular = ends - (letters[ends - 1] == RETURN) - starts == layout.width
    if not text.isascii():
        regular[np.searchsorted(ends, np.flatnonzero(letters >= ASCII))] = False
    if regular.any():
        lines = np.lib.stride_tricks.sliding_window_view(letters, layout.width)[starts[regular]]
        records = lines.view(_record(layout))[:, 0]
        yield Rows(
            {slot.field: _column(records[slot.field]) for slot in layout.columns},
            pa.array(first_line + np.flatnonzero(regular), pa.uint32()),
            (),
            done,
        )
    others = [
        (first_line + place, text[starts[place] : ends[place]].rstrip(b"\r"))
        for place in np.flatnonzero(~regular).tolist()
    ]
    alone = [read_line(raw, layout, number) for number, raw in others if raw.strip(NOTHING)]
    if alone:
        yield rows_of(
            [found for found in alone if not isinstance(found, BadLine)],
            [found for found in alone if isinstance(found, BadLine)],
            done,
        )


def _record(layout: Layout) -> np.dtype[np.void]:
    """A numpy record for a line, with a fixed-width text for each column."""
    return np.dtype(
        {
            "names": [slot.field for slot in layout.columns],
            "formats": [f"S{slot.end - slot.start}" for slot in layout.columns],
            "offsets": [slot.start for slot in layout.columns],
            "itemsize": layout.width,
        }
    )


def _column(cells: NDArray[np.bytes_]) -> pa.StringArray:
    """The cells of a column as trimmed Arrow strings; they are copied together and share one stride."""
    offsets = np.arange(len(cells) + 1, dtype=np.int32) * np.int32(cells.itemsize)
    text = pa.py_buffer(np.ascontiguousarray(cells))
    return pc.ascii_trim_whitespace(pa.StringArray.from_buffers(len(cells), pa.py_buffer(offsets), text))


def read_line(raw: bytes, layout: Layout, number: int) -> tuple[int, dict[str, str]] | BadLine:
    """The texts of one line, or why it cannot be read; arbiters' titles that are too long shift the rest."""
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError:
        line = raw.decode("latin-1")
    extra = _overflow(line, layout)
    if extra is None:
        return BadLine.of(number, line, say("lists.bad.too_long", length=len(line), width=layout.width))
    if _is_cut_off(line, layout):
        return BadLine.of(number, line, say("lists.bad.cut_off", length=len(line), width=layout.width))
    texts: dict[str, str] = {}
    moved = 0
    for slot in layout.columns:
        more = extra if slot.field == "o_title" else 0
        texts[slot.field] = line[slot.start + moved : slot.end + moved + more]
        moved += more
    return number, texts


def _overflow(line: str, layout: Layout) -> int | None:
    """By how many characters the arbiters' titles are too long; None if the line is too long for another reason."""
    extra = len(line) - layout.width
    if extra <= 0:
        return 0
    column = next((slot for slot in layout.columns if slot.field == "o_title"), None)
    if column is not None and TITLES.fullmatch(line[column.start : column.end + extra]):
        return extra
    return None if line[layout.width :].strip() else 0


def _is_cut_off(line: str, layout: Layout) -> bool:
    """Whether a line ends too early; only blanks at its end may be missing.

    FIDE writes 0 for an unknown year of birth. The layout up to 2012 leaves it blank, but not the games.
    """
    if len(line) >= layout.width:
        return False
    last = "games" if layout.name == "old" else "born"
    column = next((slot for slot in reversed(layout.columns) if slot.field.endswith(last)), None)
    if column is None:  # nothing shows that only blanks are missing
        return True
    rest = line[column.start :].strip()
    return not rest or (last == "born" and rest.isdecimal() and rest != "0" and len(rest) < YEAR)
