"""Fixed-width text to blocks: whole columns at once, and by itself a line that is not as the others are."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, Any

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
from arpad.lists.cells import BLANK, NOUGHT, ONES, WORD, Lines, numbers, used_of
from arpad.lists.layouts import Slot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from io import BufferedIOBase

    from arpad.lists.blocks import Chunk, Kind
    from arpad.lists.layouts import Layout

RETURN, FEED, ASCII = 13, 10, 128
ENDING = 2  # characters at the end of a line
READ = 1 << 18  # bytes
TWO_DIGITS = 0x1010 << 48  # the bits that digits have and blanks have not, of the first two characters
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
        read, ends = _read_into(file, memoryview(buffer)[kept:])
        done += read
        filled = kept + read
        end = buffer.rfind(b"\n", 0, filled) + 1 if read else filled
        if not end and filled == size:
            yield partial(list, [block_of([Bad(line, "", "the line never ends")], done)])
            return
        rest = buffer[end:filled]
        if end:
            letters = np.frombuffer(buffer, np.uint8, end)
            yield partial(_given_back, buffer, spare, partial(_blocks, letters, ends, layout, line, done, repeated))
            line += ends
            buffer = spare.pop() if spare else bytearray(size)
        if not read:
            return
        kept = len(rest)
        buffer[:kept] = rest


def _read_into(file: BufferedIOBase, room: memoryview) -> tuple[int, int]:
    """Fill some room from a file: how many bytes and line ends, counted while a processor's own memory has them."""
    import numpy as np

    feeds = np.empty(READ, bool)
    read = ends = 0
    while some := file.readinto(room[read : read + READ]):
        letters = np.frombuffer(room[read : read + some], np.uint8)
        ends += int(np.count_nonzero(np.equal(letters, FEED, out=feeds[:some])))
        read += some
    return read, ends


def _given_back(buffer: bytearray, spare: list[bytearray], chunk: Chunk) -> Sequence[Block]:
    """The blocks of a chunk, which keep nothing of the buffer it was read into."""
    blocks = chunk()
    spare.append(buffer)
    return blocks


def _ends(letters: Any, lines: int, width: int) -> Any:
    """Where the lines end, which is known at once if all are of one length."""
    import numpy as np

    if len(letters) == lines * width and (letters[width - 1 :: width] == FEED).all():
        return np.arange(width - 1, len(letters), width)
    ends = np.flatnonzero(letters == FEED)
    return ends if letters[-1] == FEED else np.append(ends, len(letters))


def _blocks(
    letters: Any, lines: int, layout: Layout, first: int, done: int, repeated: Mapping[int, int]
) -> Sequence[Block]:
    """Some whole lines: those that are as they should be all together, then the others one by one."""
    import numpy as np

    ends = _ends(letters, lines, layout.width + ENDING)
    starts = np.concatenate([[0], ends[:-1] + 1])
    ends = ends - (letters[ends - 1] == RETURN)
    regular = (ends - starts == layout.width) & _narrow(layout)
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


@cache
def _narrow(layout: Layout) -> bool:
    """Whether columns are as narrow as FIDE's, so that they can be read at once; titles and names may be wide."""
    widest = {"id": 2 * WORD, **dict.fromkeys(("name", *TITLES), layout.width)}
    return all(end - start <= widest.get(field, WORD) for field, start, end in layout.columns)


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

    places = {field: (start, end) for field, start, end in layout.columns}
    lines = Lines(matrix, places["name"])
    ids, good = _ids(lines, *places["id"])
    born, fine = numbers(lines.words(*places["born"]), largest("born"))
    good &= fine
    best = np.zeros(len(matrix), np.uint32)
    ratings = {}
    for pace in layout.paces:
        fields = [field for field in (pace, f"{pace}_games", f"{pace}_k") if field in places]
        rows = lines.beyond(NOUGHT, places[fields[0]][0], places[fields[-1]][1])
        words = np.stack([lines.words(*places[field], rows) for field in fields])
        found, fine = numbers(words, min(map(largest, fields)))  # together, because a thread waits before each step
        good[rows] &= fine.all(axis=0)
        best[rows] = np.maximum(best[rows], found[0])
        columns = [column(values) for values in found.astype(np.uint32, copy=False)]
        columns += [pa.nulls(len(rows), pa.uint32())] * (len(RATINGS) - 1 - len(columns))
        ratings[pace] = pa.record_batch([column(ids[rows]), *columns], schema=schema(RATINGS))
    has = [places[title] for title in TITLES if title in places]
    rows = lines.beyond(BLANK, has[0][0], has[-1][1]) if has else np.empty(0, int)
    titled = matrix[rows]
    texts = [_texts(titled[:, slice(*places.get(title, (0, 0)))]) for title in TITLES]
    titles = pa.record_batch([column(ids[rows]), *texts], schema=schema(OTHER_TITLES))
    numbered, kinds = _kinds(lines, layout)
    names = _texts(matrix[:, slice(*places["name"])])
    people = [column(ids), names, numbered, column(born.astype(np.uint32, copy=False)), column(best)]
    return Block(pa.record_batch(people, schema=schema(PEOPLE)), kinds, titles, ratings, [], done, ()), good


def _ids(lines: Lines, start: int, end: int) -> tuple[Any, Any]:
    """The IDs and which of them can be read; some have nine digits, which is one more than a word has."""
    import numpy as np

    middle, end = min(start + WORD, end), min(start + 2 * WORD, end)
    ids, good = numbers(lines.words(start, middle))
    if middle < end:
        behind = lines.words(middle, end)
        long = np.flatnonzero(behind != BLANK * ONES)
        ninth, fine = numbers(behind[long], 9)
        ids[long] = ids[long] * 10 + ninth
        good[long] &= fine & (lines.words(middle - 1, middle + 1, long) & TWO_DIGITS == TWO_DIGITS)
    return ids.astype(np.uint32), good & (ids > 0)


def _kinds(lines: Lines, layout: Layout) -> tuple[Any, list[Kind]]:
    """What stands in the columns of a kind together: a number for each line, and the texts for each number."""
    import numpy as np
    import pyarrow as pa

    keys, slots, place = [np.zeros(len(lines), np.uint64)], [], 0
    for field, start, end in layout.columns:
        if field in KIND:
            words = lines.words(start, end)
            behind, length = used_of(words)
            if place + length > WORD * len(keys):
                place = WORD * len(keys)
                keys.append(np.zeros_like(keys[0]))
            slots.append(Slot(field, place, place + length))
            place += length
            words >>= 8 * behind
            words &= (1 << 8 * length) - 1
            words <<= 8 * (WORD * len(keys) - place)
            keys[-1] |= words
    cells = np.stack(keys, axis=1).astype(">u8")
    buffers = [None, pa.py_buffer(cells)]
    coded = pa.FixedSizeBinaryArray.from_buffers(pa.binary(WORD * len(keys)), len(lines), buffers).dictionary_encode()
    return coded.indices.cast(pa.uint32()), [_kind(one, tuple(slots)) for one in coded.dictionary.to_pylist()]


@cache
def _kind(cells: bytes, slots: tuple[Slot, ...]) -> Kind:
    """The texts of one kind."""
    texts = {field: text_of(field, cells[start:end].decode("ascii")) for field, start, end in slots}
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
