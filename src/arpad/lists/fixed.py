"""Fixed-width text to blocks: whole columns at once, and by itself a line that is not as the others are."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import Any

from arpad.lists.blocks import (
    KIND,
    LINES,
    OTHER_TITLES,
    PEOPLE,
    RATINGS,
    TITLES,
    Bad,
    Block,
    block_of,
    column,
    largest,
    record,
    schema,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from arpad.lists.blocks import Kind
    from arpad.lists.layouts import Layout

BLANK, NOUGHT, RETURN, FEED, ASCII = 32, 48, 13, 10, 128
ENDING = 2  # characters at the end of a line
WORD, ONES = 8, 0x0101010101010101  # characters that are compared at once, and a bit for each
NINE_DIGITS = 999_999_999  # the largest number that is surely read whole; a larger one is looked at by itself
NOTHING = b" \r\x1a"  # what a line without a player may have


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
            yield block_of([Bad(line, "", "the line never ends")], done)
            return
        rest, whole = data[end:], data[:end]
        if whole:
            ends = _ends(whole, layout.width + ENDING)
            yield from _blocks(whole, ends, layout, line, done)
            line += len(ends)
        if not read:
            return


def _ends(data: bytes, width: int) -> Any:
    """Where the lines end, which is known at once if all are of one length."""
    import numpy as np

    feeds = np.frombuffer(data, np.uint8) == FEED
    if len(data) == width * np.count_nonzero(feeds) and feeds[width - 1 :: width].all():
        return np.arange(width - 1, len(data), width)
    ends = np.flatnonzero(feeds)
    return ends if data.endswith(b"\n") else np.append(ends, len(data))


def _blocks(data: bytes, ends: Any, layout: Layout, first: int, done: int) -> Iterator[Block]:
    """Some whole lines: those that are as they should be all together, then the others one by one."""
    import numpy as np

    letters = np.frombuffer(data, np.uint8)
    starts = np.concatenate([[0], ends[:-1] + 1])
    ends = ends - (letters[ends - 1] == RETURN)
    regular = ends - starts == layout.width
    if not data.isascii():
        regular[regular] = _matrix(letters, starts[regular], layout.width).max(axis=1, initial=0) < ASCII
    block, good = _columns(_matrix(letters, starts[regular], layout.width), layout, done)
    if not good.all():
        regular[regular] = good
        block, _ = _columns(_matrix(letters, starts[regular], layout.width), layout, done)
    yield block
    odd = [(place + first, data[starts[place] : ends[place]]) for place in np.flatnonzero(~regular).tolist()]
    if odd:
        yield block_of([read_line(line, layout, number) for number, line in odd if line.strip(NOTHING)], done)


def _matrix(letters: Any, starts: Any, width: int) -> Any:
    """The lines that begin at some places, a row each."""
    import numpy as np

    if not len(starts):
        return np.empty((0, width), np.uint8)
    if np.array_equal(starts, np.arange(0, len(letters), width + ENDING)) and not len(letters) % (width + ENDING):
        return letters.reshape(len(starts), -1)[:, :width]  # all of them: nothing need be copied
    return np.lib.stride_tricks.sliding_window_view(letters, width)[starts]


def read_line(raw: bytes, layout: Layout, number: int) -> dict[str, Any] | Bad:
    """One line, or why it cannot be taken. What FIDE's other titles need beyond their column pushes the rest along."""
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError:
        line = raw.decode("latin-1")
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
    """Lines of one length as a block, and which of them could be read."""
    import numpy as np
    import pyarrow as pa

    places = {field: (start, end) for field, start, end in layout.columns}

    def cells(field: str, lines: Any = matrix) -> Any:
        start, end = places.get(field, (0, 0))
        return lines[:, start:end]

    ids, good = _numbers(cells("id"))
    good &= ids > 0
    born, fine = _numbers(cells("born"), largest("born"))
    good &= fine
    best = np.zeros(len(matrix), np.uint16)
    ratings = {}
    for pace in layout.paces:
        fields = [field for field in (pace, f"{pace}_games", f"{pace}_k") if field in places]
        rows = _beyond(matrix, NOUGHT, places[fields[0]][0], places[fields[-1]][1])
        found = [_numbers(cells(field)[rows], largest(field)) for field in fields]
        good[rows] &= np.logical_and.reduce([fine for _, fine in found])
        best[rows] = np.maximum(best[rows], found[0][0])
        columns = [column(values.astype(np.uint16)) for values, _ in found]
        columns += [pa.nulls(len(rows), pa.uint16())] * (len(RATINGS) - 1 - len(columns))
        ratings[pace] = pa.record_batch([column(ids[rows]), *columns], schema=schema(RATINGS))
    has = [places[title] for title in TITLES if title in places]
    rows = _beyond(matrix, BLANK, has[0][0], has[-1][1]) if has else np.empty(0, int)
    texts = [_texts(cells(title, matrix[rows])) for title in TITLES]
    titles = pa.record_batch([column(ids[rows]), *texts], schema=schema(OTHER_TITLES))
    numbered, kinds = _kinds([cells(field) for field in KIND])
    people = [column(ids), _texts(cells("name")), numbered, column(born.astype(np.uint16)), column(best)]
    return Block(pa.record_batch(people, schema=schema(PEOPLE)), kinds, titles, ratings, [], done), good


def _beyond(matrix: Any, sign: int, start: int, end: int) -> Any:
    """The lines that have more in some columns than blanks, or than blanks and noughts: a bit that neither has."""
    import numpy as np

    found = np.zeros(len(matrix), bool)
    eights = np.lib.stride_tricks.sliding_window_view(matrix, WORD, axis=1)
    for place in (*range(start, end - WORD, WORD), end - WORD):
        found |= eights[:, place].view("<u8")[:, 0] & ~np.uint64(sign * ONES) > 0
    return np.flatnonzero(found)


def _kinds(parts: list[Any]) -> tuple[Any, list[Any]]:
    """What stands in some columns together: a number for each line, and the texts for each number."""
    import numpy as np
    import pyarrow as pa

    coded = _cells(np.concatenate(parts, axis=1)).dictionary_encode()
    widths = tuple(part.shape[1] for part in parts)
    return coded.indices.cast(pa.uint32()), [_kind(one, widths) for one in coded.dictionary.to_pylist()]


@cache
def _kind(cells: bytes, widths: tuple[int, ...]) -> Kind:
    """The texts of one kind, which stand one behind the other."""
    text, ends = cells.decode("ascii"), accumulate(widths)
    return tuple(text_of(field, text[end - width : end]) for field, end, width in zip(KIND, ends, widths, strict=True))


def _texts(part: Any) -> Any:
    """A column of text, without the blanks around it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.ascii_trim_whitespace(_cells(part).cast(pa.binary()).cast(pa.string()))


def _cells(part: Any) -> Any:
    """The rows of a matrix as an Arrow array."""
    import numpy as np
    import pyarrow as pa

    buffers = [None, pa.py_buffer(np.ascontiguousarray(part))]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(part.shape[1]), len(part), buffers)


def _numbers(part: Any, most: int = NINE_DIGITS) -> tuple[Any, Any]:
    """A column of numbers and which of them can be read; they stand at the left or at the right of their column."""
    import numpy as np

    lines, _ = part.shape
    values = np.zeros(lines, np.uint32)
    fine, begun, ended = np.ones(lines, bool), np.zeros(lines, bool), np.zeros(lines, bool)
    for signs in np.ascontiguousarray(part.T):
        blank = signs == BLANK
        ended |= begun & blank
        if blank.all():
            continue
        digits = signs - np.uint8(NOUGHT)
        number = digits < 10
        fine &= (number | blank) & ~(number & ended) & (values <= NINE_DIGITS // 10)
        begun |= number
        values = np.where(number, values * np.uint32(10) + digits, values)
    return values, fine & (values <= most)
