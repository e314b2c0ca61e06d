"""Fixed-width text to blocks: whole columns at once, and by itself a line that is not as the others are."""

from __future__ import annotations

import re
from functools import cache, partial
from itertools import accumulate
from typing import Any

from arpad.lists.blocks import (
    KIND,
    LINES,
    LONGEST_BAD,
    NONE_REPEATED,
    OTHER_TITLES,
    PEOPLE,
    RATINGS,
    TITLES,
    Bad,
    Block,
    block_of,
    column,
    largest,
    schema,
    text_of,
    values,
    values_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from io import BufferedIOBase

    from arpad.lists.blocks import Chunk, Kind
    from arpad.lists.layouts import Layout, Slot

BLANK, NOUGHT, RETURN, FEED, ASCII = 32, 48, 13, 10, 128
ENDING = 2  # characters at the end of a line
WORD = 8  # characters that are worked on at once, as one number
ALL = (1 << 8 * WORD) - 1
ONES = ALL // 0xFF  # a bit for each of them
TWO_DIGITS = 0x1010  # the bits that digits have and blanks have not
YEAR = 4  # digits
SOME_TITLES = re.compile(r"[A-Z]{2,3}(,[A-Z]{2,3})*")  # SI,FI,LSI: without a blank, which would be room in the column
NOTHING = b" \r\x1a"  # what a line without a player may have


def chunks(
    file: BufferedIOBase, layout: Layout, repeated: Mapping[int, int] = NONE_REPEATED, *, first: int = 2
) -> Iterator[Chunk]:
    """The lines of a file behind its header, some thousands at a time, to be worked on in several threads."""
    import numpy as np

    size = LINES * (layout.width + ENDING)
    spare: list[bytearray] = []  # to be read into again, because new memory costs time
    buffer, kept, line, done = bytearray(size), 0, first, 0
    while True:
        read = file.readinto(memoryview(buffer)[kept:])
        done += read
        filled = kept + read
        end = buffer.rfind(b"\n", 0, filled) + 1 if read else filled
        if not end and filled == size:
            yield partial(list, [block_of([Bad(line, "", "the line never ends")], done)])
            return
        rest = buffer[end:filled]
        if end:
            letters = np.frombuffer(buffer, np.uint8, end)
            ends = _ends(letters, layout.width + ENDING)
            yield partial(_given_back, buffer, spare, partial(_blocks, letters, ends, layout, line, done, repeated))
            line += len(ends)
            buffer = spare.pop() if spare else bytearray(size)
        if not read:
            return
        kept = len(rest)
        buffer[:kept] = rest


def _given_back(buffer: bytearray, spare: list[bytearray], chunk: Chunk) -> Sequence[Block]:
    """The blocks of a chunk, which keep nothing of the buffer it was read into."""
    blocks = chunk()
    spare.append(buffer)
    return blocks


def _ends(letters: Any, width: int) -> Any:
    """Where the lines end, which is known at once if all are of one length."""
    import numpy as np

    feeds = letters == FEED
    if len(letters) == width * np.count_nonzero(feeds) and feeds[width - 1 :: width].all():
        return np.arange(width - 1, len(letters), width)
    ends = np.flatnonzero(feeds)
    return ends if feeds[-1] else np.append(ends, len(letters))


def _blocks(
    letters: Any, ends: Any, layout: Layout, first: int, done: int, repeated: Mapping[int, int]
) -> Sequence[Block]:
    """Some whole lines: those that are as they should be all together, then the others one by one."""
    import numpy as np

    starts = np.concatenate([[0], ends[:-1] + 1])
    ends = ends - (letters[ends - 1] == RETURN)
    regular = ends - starts == layout.width
    if letters.max() >= ASCII:
        regular[regular] = _matrix(letters, starts[regular], layout.width).max(axis=1, initial=0) < ASCII
    block, good = _columns(_matrix(letters, starts[regular], layout.width), layout, done)
    if repeated:
        good &= ~_stands_before(block, np.flatnonzero(regular) + first, repeated)
    if not good.all():
        regular[regular] = good
        block, _ = _columns(_matrix(letters, starts[regular], layout.width), layout, done)
    if regular.all():
        return [block._replace(lines=range(first, first + len(regular)))]
    block = block._replace(lines=np.flatnonzero(regular) + first)
    odd = [(place + first, bytes(letters[starts[place] : ends[place]])) for place in np.flatnonzero(~regular).tolist()]
    alone = [read_line(line, layout, number, repeated) for number, line in odd if line.strip(NOTHING)]
    return [block, block_of(alone, done)] if alone else [block]


def _stands_before(block: Block, lines: Any, repeated: Mapping[int, int]) -> Any:
    """Which players of a block have an ID that stands in an earlier line."""
    import numpy as np

    ids = values(block.people["id"])
    again = np.isin(ids, np.array(list(repeated), np.uint32))
    again[again] = [repeated[one] != line for one, line in zip(ids[again].tolist(), lines[again].tolist(), strict=True)]
    return again


def _matrix(letters: Any, starts: Any, width: int) -> Any:
    """The lines that begin at some places, a row each."""
    import numpy as np

    if not len(starts):
        return np.empty((0, width), np.uint8)
    if np.array_equal(starts, np.arange(0, len(letters), width + ENDING)) and not len(letters) % (width + ENDING):
        return letters.reshape(len(starts), -1)[:, :width]  # all of them: nothing need be copied
    return np.lib.stride_tricks.sliding_window_view(letters, width)[starts]


def read_line(
    raw: bytes, layout: Layout, number: int, repeated: Mapping[int, int] = NONE_REPEATED
) -> dict[str, Any] | Bad:
    """One line, or why it cannot be taken. What FIDE's other titles need beyond their column pushes the rest along."""
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError:
        line = raw.decode("latin-1")
    more = _overflow(line, layout)
    if more is None:
        return Bad(number, line[:LONGEST_BAD], f"the line has {len(line)} characters and the header {layout.width}")
    if _breaks_off(line, layout):
        return Bad(number, line[:LONGEST_BAD], f"the line breaks off behind {len(line)} of {layout.width} characters")
    texts: dict[str, str | None] = {}
    pushed = 0
    for field, start, end in layout.columns:
        longer = more if field == "o_title" else 0
        texts[field] = line[start + pushed : end + pushed + longer]
        pushed += longer
    return values_of(texts, number, line, repeated)


def _overflow(line: str, layout: Layout) -> int | None:
    """How many characters the other titles take beyond their column; None if something else makes the line too long."""
    more = len(line) - layout.width
    if more <= 0:
        return 0
    place = next((one for one in layout.columns if one.field == "o_title"), None)
    if place is not None and SOME_TITLES.fullmatch(line[place.start : place.end + more]):
        return more
    return None if line[layout.width :].strip() else 0


def _breaks_off(line: str, layout: Layout) -> bool:
    """Whether a line ends before what every line has; blanks at the end may be missing, and they alone.

    FIDE writes a year of 0 for a year that is not known. The layout up to 2012 leaves it blank, but not the games.
    """
    if len(line) >= layout.width:
        return False
    last = "games" if layout.name == "old" else "born"
    place = next(one for one in reversed(layout.columns) if one.field.endswith(last))
    rest = line[place.start :].strip()
    return not rest or (last == "born" and rest.isdigit() and rest != "0" and len(rest) < YEAR)


# --- whole columns ---------------------------------------------------------------------------------------------------


def _columns(matrix: Any, layout: Layout, done: int) -> tuple[Block, Any]:
    """Lines of one length as a block, and which of them could be read."""
    import numpy as np
    import pyarrow as pa

    lines = _Lines(matrix)
    places = {field: (start, end) for field, start, end in layout.columns}
    ids, good = _ids(lines, *places["id"])
    born, fine = _numbers(lines.words(*places["born"]), largest("born"))
    good &= fine
    best = np.zeros(len(matrix), np.uint16)
    ratings = {}
    for pace in layout.paces:
        fields = [field for field in (pace, f"{pace}_games", f"{pace}_k") if field in places]
        rows = lines.beyond(NOUGHT, places[fields[0]][0], places[fields[-1]][1])
        found = [_numbers(lines.words(*places[field], rows), largest(field)) for field in fields]
        good[rows] &= np.logical_and.reduce([fine for _, fine in found])
        best[rows] = np.maximum(best[rows], found[0][0])
        columns = [column(values.astype(np.uint16)) for values, _ in found]
        columns += [pa.nulls(len(rows), pa.uint16())] * (len(RATINGS) - 1 - len(columns))
        ratings[pace] = pa.record_batch([column(ids[rows]), *columns], schema=schema(RATINGS))
    has = [places[title] for title in TITLES if title in places]
    rows = lines.beyond(BLANK, has[0][0], has[-1][1]) if has else np.empty(0, int)
    titled = matrix[rows]
    texts = [_texts(titled[:, slice(*places.get(title, (0, 0)))]) for title in TITLES]
    titles = pa.record_batch([column(ids[rows]), *texts], schema=schema(OTHER_TITLES))
    numbered, kinds = _kinds(matrix, layout)
    names = _texts(matrix[:, slice(*places["name"])])
    people = [column(ids), names, numbered, column(born.astype(np.uint16)), column(best)]
    return Block(pa.record_batch(people, schema=schema(PEOPLE)), kinds, titles, ratings, [], done, ()), good


def _kinds(matrix: Any, layout: Layout) -> tuple[Any, list[Kind]]:
    """What stands in the columns of a kind together: a number for each line, and the texts for each number."""
    import numpy as np
    import pyarrow as pa

    columns = tuple(column for column in layout.columns if column.field in KIND)
    spans: list[tuple[int, int]] = []  # neighbours are taken together, which is quicker
    for _, start, end in columns:
        before, _ = spans.pop() if spans and spans[-1][1] == start else (start, start)
        spans.append((before, end))
    cells = np.concatenate([matrix[:, start:end] for start, end in spans], axis=1)
    buffers = [None, pa.py_buffer(cells)]
    coded = pa.FixedSizeBinaryArray.from_buffers(pa.binary(cells.shape[1]), len(cells), buffers).dictionary_encode()
    return coded.indices.cast(pa.uint32()), [_kind(one, columns) for one in coded.dictionary.to_pylist()]


@cache
def _kind(cells: bytes, columns: tuple[Slot, ...]) -> Kind:
    """The texts of one kind, whose columns stand one behind the other."""
    ends = accumulate(end - start for _, start, end in columns)
    texts = {
        field: text_of(field, cells[behind - end + start : behind].decode("ascii"))
        for (field, start, end), behind in zip(columns, ends, strict=True)
    }
    return tuple(texts.get(field) for field in KIND)


def _texts(part: Any) -> Any:
    """A column of text, without the blanks around it."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    lines, width = part.shape
    begins = np.arange(lines + 1, dtype=np.int32) * np.int32(width)
    cells = pa.py_buffer(np.ascontiguousarray(part))
    return pc.ascii_trim_whitespace(pa.StringArray.from_buffers(lines, pa.py_buffer(begins), cells))


# --- eight characters at once ----------------------------------------------------------------------------------------


class _Lines:
    """Lines of one length, of which eight characters are one number, the last character lowest."""

    def __init__(self, matrix: Any) -> None:
        self._matrix = matrix
        self._taken: dict[int, Any] = {}  # by the place of the first character

    def words(self, start: int, end: int, rows: Any = slice(None)) -> Any:
        """Up to eight characters of some lines, with blanks before the first."""
        new = min(start, self._matrix.shape[1] - WORD)
        place = next((place for place in self._taken if place <= start and end <= place + WORD), new)
        words = self._eight(place)[rows] >> 8 * (place + WORD - end)
        if end - start < WORD:
            inside = (1 << 8 * (end - start)) - 1
            words &= inside
            words |= BLANK * ONES & ~inside
        return words

    def beyond(self, sign: int, start: int, end: int) -> Any:
        """The lines that have more in some columns than blanks, or than blanks and noughts: a bit that neither has."""
        import numpy as np

        found = np.zeros(len(self._matrix), np.uint64)
        for place in (*range(start, end - WORD, WORD), end - WORD):
            found |= self._eight(place)
        return np.flatnonzero(found & (ALL ^ sign * ONES))

    def _eight(self, place: int) -> Any:
        import numpy as np

        if place not in self._taken:
            self._taken[place] = self._matrix[:, place : place + WORD].view(">u8")[:, 0].astype(np.uint64)
        return self._taken[place]


def _ids(lines: _Lines, start: int, end: int) -> tuple[Any, Any]:
    """The IDs and which of them can be read; some have nine digits, which is one more than a word has."""
    import numpy as np

    middle, end = min(start + WORD, end), min(start + 2 * WORD, end)
    ids, good = _numbers(lines.words(start, middle))
    if middle < end:
        behind = lines.words(middle, end)
        long = np.flatnonzero(behind != BLANK * ONES)
        ninth, fine = _numbers(behind[long], 9)
        ids[long] = ids[long] * 10 + ninth
        good[long] &= fine & (lines.words(middle - 1, middle + 1, long) & TWO_DIGITS == TWO_DIGITS)
    return ids.astype(np.uint32), good & (ids > 0)


def _numbers(words: Any, most: int = 10**WORD) -> tuple[Any, Any]:
    """Words as numbers, blanks before and behind the digits, and which of them can be read and are not too large."""
    import numpy as np

    signs = words ^ NOUGHT * ONES  # a digit is now itself, a blank 16
    blank = signs >> 4 & ONES
    digits = signs ^ blank << 4
    wrong = (digits + blank * 9 + 0x76 * ONES) & 0x80 * ONES  # over 9, or of a blank over 0
    number = blank ^ ONES
    last = number & -number
    digits //= np.maximum(last, 1)  # no blanks behind the last digit any more
    number = number * 0xFF + last
    wrong |= number & number - 1  # digits that stand apart
    for bits, tens in ((8, 10), (16, 100), (32, 10_000)):  # neighbours first, then pairs, then halves
        lower = ALL // ((1 << bits) + 1)
        digits = (digits & lower) + (digits >> bits & lower) * tens
    return digits, (wrong == 0) & (digits <= most)
