"""FIDE's list files: the fixed-width text, whose header gives the layout, and the XML.

A text layout is recognised by its header line. A column reaches from its heading to the next one, so a column that FIDE
moves is still read from the right place. XML players in the usual layout are matched by a regular expression, which is
much faster; a parser reads the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import IO, TYPE_CHECKING
from xml.parsers import expat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.errors import BadFile
from arpad.lists.rows import BadLine, Rows, rows_of
from arpad.lists.store import PACES
from arpad.messages import Message, say

if TYPE_CHECKING:
    from numpy.typing import NDArray


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = "MONTH"  # stands for the heading of a rating column, which is the list's month: SEP25
CENTURY = "20"  # the two digits FIDE leaves out of a month
MONTH_CODE = rf"({'|'.join(MONTHS)})(\d\d)"
CODE = re.compile(MONTH_CODE, re.IGNORECASE)
PERSON = {"ID Number": "id", "Name": "name", "Fed": "federation", "Sex": "sex", "Tit": "title", "WTit": "w_title",
          "OTit": "o_title", "FOA": "foa_title"}  # fmt: skip
LAYOUTS: dict[str, dict[str, str]] = {
    "combined": {
        **PERSON,
        "SRtng": "standard", "SGm": "standard_games", "SK": "standard_k",
        "RRtng": "rapid", "RGm": "rapid_games", "Rk": "rapid_k",
        "BRtng": "blitz", "BGm": "blitz_games", "BK": "blitz_k",
        "B-day": "born", "Flag": "flag",
    },
    "single": {**PERSON, MONTH: "rating", "Gms": "games", "K": "k", "B-day": "born", "Flag": "flag"},
    "old": {
        "ID number": "id", "Name": "name", "Titl": "title", "Fed": "federation", MONTH: "rating", "Games": "games",
        "Born": "born", "Flag": "flag",
    },
}  # fmt: skip
OPTIONAL = {"FOA"}  # older files are the same without it
# Titles as the old layout writes them.
OLD_TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM"}
TEXT_BLOCK = 1 << 23  # bytes cut at a time
FIRST_LINE = 2  # after the header
RETURN, FEED, ASCII = 13, 10, 128
NOTHING = b" \r\n\x1a"  # all that a line without a player may contain
YEAR = 4  # digits
TITLES = re.compile(r"[A-Z]{2,3}(,[A-Z]{2,3})*")  # SI,FI,LSI: a blank would mean that the column has room
XML_BLOCK = 1 << 22  # bytes parsed at a time
START = 1 << 16  # bytes that contain the first players
END = b"</player>"
ELEMENT = re.compile(r"<(\w+)>[^<&]*</\1>")
ENCODING = re.compile(rb"""encoding\s*=\s*["']([\w-]+)""")
TAGS = {
    "fideid": "id", "name": "name", "country": "federation", "sex": "sex", "title": "title", "w_title": "w_title",
    "o_title": "o_title", "foa_title": "foa_title", "birthday": "born", "flag": "flag",
}  # fmt: skip
RATING_TAGS = {"rating": "", "games": "_games", "k": "_k"}


def layout_of(header: str, *, at: str) -> Layout:
    """The layout of a header line, or a BadFile that says what is wrong with it."""
    header = header.rstrip("\r\n")
    for name, headings in LAYOUTS.items():
        found = re.fullmatch(_pattern(headings), header)
        if found is not None:
            starts = {field: found.start(n) for n, field in enumerate(headings.values(), 1) if found[n] is not None}
            ends = [*list(starts.values())[1:], len(header)]
            columns = tuple(Slot(field, start, end) for (field, start), end in zip(starts.items(), ends, strict=True))
            month = month_of(found[list(headings).index(MONTH) + 1]) if MONTH in headings else None
            return Layout(name, columns, len(header), month)
    raise BadFile(_complaint(header), at=at)


def _pattern(headings: dict[str, str]) -> str:
    """A regular expression for the headings in order; in the old layout some have no blank between them.

    The blanks after an optional heading belong to it; otherwise they could be matched in many ways, which is slow.
    """
    month = rf"(?i:{MONTH_CODE.replace('(', '(?:')})"
    groups = {heading: rf"({month if heading == MONTH else re.escape(heading)})\s*" for heading in headings}
    return "".join(f"(?:{group})?" if heading in OPTIONAL else group for heading, group in groups.items())


def _complaint(header: str) -> Message:
    """Which heading is unknown, or that some are missing."""
    known = {heading for headings in LAYOUTS.values() for heading in headings} - {MONTH}
    if not header.lower().startswith("id number"):
        return say("lists.import.not_a_header")
    unknown = [
        word
        for word in header.split()
        if word not in known and word not in ("ID", "Number", "number") and not CODE.fullmatch(word)
    ]
    if unknown:
        return say("lists.import.unknown_columns", columns=unknown[:5])
    return say("lists.import.unknown_layout", layouts=list(LAYOUTS))


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of one file: its name, its columns, the length of a line, and the month if the header has one."""

    name: str
    columns: tuple[Slot, ...]
    width: int
    month: str | None

    @property
    def paces(self) -> tuple[str, ...]:
        """The paces it has ratings for; none if the header does not name a pace."""
        return tuple(pace for pace in PACES if any(slot.field == pace for slot in self.columns))

    def of_pace(self, pace: str) -> Layout:
        """A layout with one rating, assigned to this pace."""
        named = {"rating": pace, "games": f"{pace}_games", "k": f"{pace}_k"}
        return replace(
            self, columns=tuple(replace(slot, field=named.get(slot.field, slot.field)) for slot in self.columns)
        )


@dataclass(frozen=True, slots=True)
class Slot:
    """A column of a file: the field it fills and the characters it takes."""

    field: str
    start: int
    end: int


def month_of(text: str) -> str | None:
    """The month in a text such as `standard_sep25frl.txt` or `SEP25`, as `2025-09`."""
    found = CODE.search(text)
    return None if found is None else f"{CENTURY}{found[2]}-{MONTHS.index(found[1].lower()) + 1:02}"


def pace_of(text: str) -> str | None:
    """The pace in a file's name such as `rapid_rating_list.txt`; None if there is none."""
    return next((pace for pace in PACES if pace in text.lower()), None)


def read_text_rows(file: IO[bytes], layout: Layout, *, at: str) -> Iterator[Rows]:
    """The players after the header of a file, some thousands at a time."""
    line, done = FIRST_LINE, 0
    for text in _whole_lines(file, at):
        done += len(text)
        yield from _rows(text, layout, line, done)
        line += text.count(b"\n")


def _whole_lines(file: IO[bytes], at: str) -> Iterator[bytes]:
    """The file in blocks of whole lines."""
    rest = b""
    while data := file.read(TEXT_BLOCK):
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
        record = np.dtype(
            {
                "names": [slot.field for slot in layout.columns],
                "formats": [f"S{slot.end - slot.start}" for slot in layout.columns],
                "offsets": [slot.start for slot in layout.columns],
                "itemsize": layout.width,
            }
        )
        records = lines.view(record)[:, 0]
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


def has_all_paces(file: IO[bytes], *, at: str) -> bool:
    """Whether the players have all three ratings."""
    start = file.read(START)
    if b"<player>" not in start and b"<player " not in start:
        raise BadFile(say("lists.import.other_xml"), at=at)
    return b"<rapid_rating" in start or b"<blitz_rating" in start


def read_xml_rows(file: IO[bytes], paces: Sequence[str], *, at: str) -> Iterator[Rows]:
    """The players, some thousands at a time."""
    fields = _fields(paces)
    parser = _Parser(fields, at)
    start = file.read(START)
    usual = _UsualPlayers.in_file(start, fields)
    line, done, rest = 1, len(start), start
    while True:
        data = file.read(XML_BLOCK)
        done += len(data)
        players, end, rest = (rest + data).rpartition(END)
        block = players + end
        if not data or not end:  # the end of the file, or a block without the end of a player
            block, rest = block + rest, b""
        if usual is not None:
            rows, block = usual.cut_out(block, line, done)
            if rows is not None:
                yield rows
        line += block.count(b"\n")
        records = parser.records(block, is_last=not data)
        if records:
            yield rows_of(records, (), done)
        if not data:
            return


def _fields(paces: Sequence[str]) -> dict[str, str]:
    """The field of each element; a list with one rating calls it `rating`, whatever the pace."""
    fields = dict(TAGS)
    for pace in paces:
        prefix = f"{pace}_" if len(paces) > 1 and pace != "standard" else ""
        fields |= {f"{prefix}{tag}": f"{pace}{part}" for tag, part in RATING_TAGS.items()}
    return fields


class _UsualPlayers:
    """Players with the same elements, line by line, as the first one."""

    def __init__(self, player: str, fields: Mapping[str, str]) -> None:
        tags = ELEMENT.findall(player)
        lines = [rf"<{tag}>([^<&]*)</{tag}>" for tag in tags]
        self._pattern = re.compile("\r?\n".join(["<player>", *lines, "</player>"]))
        self._fields = [fields.get(tag) for tag in tags]
        self._breaks = len(lines) + 1  # line ends within a player

    @classmethod
    def in_file(cls, start: bytes, fields: Mapping[str, str]) -> _UsualPlayers | None:
        """The layout of the first player; None if it cannot be used for the file."""
        declared = ENCODING.search(start.partition(b"?>")[0])
        if declared is not None and declared[1].lower() not in (b"utf-8", b"ascii", b"us-ascii"):
            return None
        player, end, _ = start.decode("utf-8", "replace").partition("<player>")[2].partition("</player>")
        return cls(player, fields) if end else None

    def cut_out(self, block: bytes, first_line: int, done: int) -> tuple[Rows | None, bytes]:
        """The players of the usual layout, and the block with blank lines in their place."""
        try:
            text = block.decode("utf-8")
        except UnicodeDecodeError:
            return None, block  # the parser will report the line
        parts, step = self._pattern.split(text), len(self._fields) + 1
        # The texts between the matches, then each group of all matches.
        between, *columns = (parts[place::step] for place in range(step))
        if not columns or not columns[0]:
            return None, block
        breaks = [part.count("\n") for part in between[:-1]]
        lines = accumulate(breaks, lambda line, before: line + self._breaks + before, initial=first_line)
        texts = {
            field: pc.utf8_trim_whitespace(pa.array(column, pa.string()))
            for field, column in zip(self._fields, columns, strict=True)
            if field is not None
        }
        rest = ("\n" * self._breaks).join(between)
        return Rows(texts, pa.array(list(lines)[1:], pa.uint32()), (), done), rest.encode()


class _Parser:
    """Players read by an XML parser, which refuses declarations of entities."""

    def __init__(self, fields: Mapping[str, str], at: str) -> None:
        self._fields, self._at = fields, at
        self._records: list[tuple[int, dict[str, str]]] = []
        self._player: dict[str, str] = {}
        self._field: str | None = None
        self._text: list[str] = []
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.EntityDeclHandler = self._refuse_entity
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    def records(self, data: bytes, *, is_last: bool) -> list[tuple[int, dict[str, str]]]:
        """The players that end in the next part of the file, each with the line where it ends."""
        self._records = []
        try:
            self._parser.Parse(data, is_last)
        except expat.ExpatError as problem:
            said = say("lists.import.damaged_xml", why=expat.ErrorString(problem.code))
            raise BadFile(said, at=f"{self._at}, line {problem.lineno}") from None
        except (LookupError, ValueError) as problem:  # an encoding that does not exist, or is not for text
            raise BadFile(say("lists.import.damaged_xml", why=problem), at=f"{self._at}, line 1") from None
        return self._records

    def _refuse_entity(self, *_: object) -> None:
        raise BadFile(say("lists.import.entities"), at=self._at)

    def _start(self, tag: str, _: object) -> None:
        if tag == "player":
            self._player = {}
        self._field = self._fields.get(tag)
        if self._field is None and tag.endswith("_rating") and tag.removesuffix("_rating") in PACES:
            line = f"{self._at}, line {self._parser.CurrentLineNumber}"
            raise BadFile(say("lists.import.late_rating", tag=tag), at=line)
        self._text = []
        self._parser.CharacterDataHandler = None if self._field is None else self._text.append

    def _end(self, tag: str) -> None:
        self._parser.CharacterDataHandler = None
        if self._field is not None:
            self._player[self._field] = "".join(self._text)
            self._field = None
        elif tag == "player":
            self._records.append((self._parser.CurrentLineNumber, self._player))
