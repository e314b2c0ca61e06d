"""Fixed-width text to blocks: whole columns at once, and line by line where a line is not as it should be."""

from __future__ import annotations

from functools import cache
from typing import Any

from arpad.lists.blocks import (
    LINES,
    OTHER_TITLES,
    PEOPLE,
    RATINGS,
    TITLES,
    Bad,
    Block,
    block_of,
    joined,
    record,
    schema,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from arpad.lists.layouts import Layout

BLANK, NOUGHT, RETURN, FEED = 32, 48, 13, 10
ENDING = 2  # characters at the end of a line
FOREIGN = 0  # the factor of two characters that are no part of a number


def blocks(file: BinaryIO, layout: Layout, *, first: int = 2) -> Iterator[Block]:
    """The lines of a file behind its header, block by block."""
    size = LINES * (layout.width + ENDING)
    rest, line, done = b"", first, 0
    while True:
        read = file.read(size - len(rest))
        done += len(read)
        data = rest + read if rest else read
        if not data:
            return
        end = data.rfind(b"\n") + 1 if read else len(data)
        if not end and len(data) >= size:
            yield block_of([], [Bad(line, "", "the line never ends")], done)
            return
        rest, whole = data[end:], data[:end]
        if whole:
            yield _block(whole, layout, line, done)
            line += (
                whole.count(b"\n") if len(whole) % (layout.width + ENDING) else len(whole) // (layout.width + ENDING)
            )
        if not read:
            return


def _block(data: bytes, layout: Layout, first: int, done: int) -> Block:
    import numpy as np

    width = layout.width + ENDING
    matrix = None if len(data) % width else np.frombuffer(data, np.uint8).reshape(-1, width)
    if matrix is None or not (matrix[:, -1] == FEED).all() or not (matrix[:, -2] == RETURN).all() or not data.isascii():
        return _by_line(data, layout, first, done)
    block, good = _columns(matrix, layout, done)
    if good.all():
        return block
    wrong = np.flatnonzero(~good).tolist()
    read = [_one(data[place * width : (place + 1) * width], layout, first + place) for place in wrong]
    rescued = block_of(
        [one for one in read if isinstance(one, dict)], [one for one in read if isinstance(one, Bad)], done
    )
    return joined(_columns(matrix[good], layout, done)[0], rescued)


def _by_line(data: bytes, layout: Layout, first: int, done: int) -> Block:
    """A block in which lines differ in length, or have letters beyond ASCII."""
    lines = enumerate(data.split(b"\n"), start=first)
    read = [_one(line, layout, number) for number, line in lines if line.strip(b" \r\x1a")]
    return block_of([one for one in read if isinstance(one, dict)], [one for one in read if isinstance(one, Bad)], done)


def _one(raw: bytes, layout: Layout, number: int) -> dict[str, Any] | Bad:
    """One line, or why it cannot be taken. What FIDE's other titles need beyond their column pushes the rest along."""
    try:
        line = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        line = raw.decode("latin-1").rstrip("\r\n")
    more = max(len(line) - layout.width, 0)
    texts: dict[str, str | None] = {}
    pushed = 0
    for field, start, end in layout.columns:
        longer = more if field == "o_title" else 0
        texts[field] = line[start + pushed : end + pushed + longer]
        pushed += longer
    return record(texts, number, line)


# --- whole columns ---------------------------------------------------------------------------------------------------


def _columns(matrix: Any, layout: Layout, done: int) -> tuple[Block, Any]:
    """A block of lines of one length, and which of them could be read."""
    import numpy as np
    import pyarrow as pa

    places = {field: (start, end) for field, start, end in layout.columns}
    good = np.ones(len(matrix), bool)

    def column(name: str, rows: Any, kind: Any) -> Any:
        """A column of the lines asked for; a line that cannot be read is no longer good."""
        if name not in places:
            return pa.nulls(len(matrix) if rows is None else len(rows), kind)
        start, end = places[name]
        part = matrix[:, start:end] if rows is None else matrix[:, start:end][rows]
        if kind == pa.string():
            return _texts(part)
        value, fine = _numbers(part)
        good[slice(None) if rows is None else rows] &= fine & (value > 0) if name == "id" else fine
        return pa.array(value.astype(kind.to_pandas_dtype()))

    def batch(names: tuple[str, ...], fields: tuple[str, ...], rows: Any) -> Any:
        kinds = schema(names).types
        return pa.record_batch(
            [column(*one) for one in zip(fields, [rows] * len(kinds), kinds, strict=True)], schema=schema(names)
        )

    titled = [places[title] for title in TITLES if title in places]
    titles = batch(OTHER_TITLES, OTHER_TITLES, _rows_above(matrix, BLANK, titled))
    ratings, best = {}, np.zeros(len(matrix), np.uint16)
    for pace in layout.paces:
        fields = (pace, f"{pace}_games", f"{pace}_k")
        rows = _rows_above(matrix, NOUGHT, [places[field] for field in fields if field in places])
        ratings[pace] = batch(RATINGS, ("id", *fields), rows)
        best[rows] = np.maximum(best[rows], np.asarray(ratings[pace]["rating"]))
    people = batch(PEOPLE[:-1], PEOPLE[:-1], None).append_column("best", pa.array(best))
    return Block(people, titles, ratings, [], done), good


def _rows_above(matrix: Any, sign: int, places: list[tuple[int, int]]) -> Any:
    """The lines that have a character above another in some columns: something else than blanks, or than noughts."""
    import numpy as np

    found = np.zeros(len(matrix), bool)
    for start, end in places:
        for place in range(start, end):
            found |= matrix[:, place] > sign
    return np.flatnonzero(found)


def _texts(part: Any) -> Any:
    """A column of text, without the blanks around it."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(part.shape[1]), len(part), [None, pa.py_buffer(np.ascontiguousarray(part))]
    )
    return pc.ascii_trim_whitespace(cells.cast(pa.binary()).cast(pa.string()))


def _numbers(part: Any) -> tuple[Any, Any]:
    """A column of numbers and which of them can be read; they stand at the left or at the right of their column."""
    import numpy as np

    worth, factor = _pairs()
    lines, width = part.shape
    even = np.full((lines, width + width % 2), BLANK, np.uint8)
    even[:, :width] = part
    pairs = even.view("<u2")
    value = np.zeros(lines, np.uint32)
    fine = np.ones(lines, bool)
    ended, begun = np.zeros(lines, bool), np.zeros(lines, bool)
    for place in range(pairs.shape[1]):
        pair = pairs[:, place]
        if place and (pair == (BLANK << 8 | BLANK)).all():
            continue
        times = factor[pair]
        digits = times > 1
        fine &= (times != FOREIGN) & ~(ended & digits)
        value = value * times + worth[pair]
        begun |= digits
        ended |= begun & (times < 100)
    return value, fine


@cache
def _pairs() -> tuple[Any, Any]:
    """What two characters are worth, and by how much they push what stands before them: 1 is blank, 0 is foreign."""
    import numpy as np

    worth, factor = np.zeros(1 << 16, np.uint32), np.zeros(1 << 16, np.uint32)
    factor[BLANK << 8 | BLANK] = 1
    for digit in range(10):
        lone_left, lone_right = BLANK << 8 | NOUGHT + digit, NOUGHT + digit << 8 | BLANK
        worth[[lone_left, lone_right]] = digit
        factor[lone_left], factor[lone_right] = 10, 100
        for right in range(10):
            worth[NOUGHT + right << 8 | NOUGHT + digit] = 10 * digit + right
            factor[NOUGHT + right << 8 | NOUGHT + digit] = 100
    return worth, factor
