"""FIDE's XML: players in the usual layout are matched by a regular expression, everything else is parsed as XML.

The file has one element per line, always in the same order. A regular expression made from the first player cuts such
players out; blank lines take their place, so that the parser sees a well-formed rest with the right line numbers.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING
from xml.parsers import expat

import pyarrow as pa
import pyarrow.compute as pc

from arpad.errors import BadFile
from arpad.lists.importers._rows import Rows, rows_of
from arpad.lists.store import PACES
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import IO

BLOCK = 1 << 22  # bytes
START = 1 << 16  # bytes that contain the first players
END = b"</player>"
ELEMENT = re.compile(r"<(\w+)>[^<&]*</\1>")
ENCODING = re.compile(rb"""encoding\s*=\s*["']([\w-]+)""")
TAGS = {
    "fideid": "id", "name": "name", "country": "federation", "sex": "sex", "title": "title", "w_title": "w_title",
    "o_title": "o_title", "foa_title": "foa_title", "birthday": "born", "flag": "flag",
}  # fmt: skip
RATING_TAGS = {"rating": "", "games": "_games", "k": "_k"}


def has_all_paces(file: IO[bytes], *, at: str) -> bool:
    """Whether the players have all three ratings."""
    start = file.read(START)
    if b"<player>" not in start and b"<player " not in start:
        raise BadFile(say("lists.import.other_xml"), at=at)
    return b"<rapid_rating" in start or b"<blitz_rating" in start


def read_rows(file: IO[bytes], paces: Sequence[str], *, at: str) -> Iterator[Rows]:
    """The players, some thousands at a time."""
    fields = _fields(paces)
    parser = _Parser(fields, at)
    start = file.read(START)
    usual = _UsualPlayers.in_file(start, fields)
    line, done, rest = 1, len(start), start
    while True:
        data = file.read(BLOCK)
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
        between, *columns = _strided(self._pattern.split(text), len(self._fields) + 1)
        if not columns or not columns[0]:
            return None, block
        breaks = [part.count("\n") for part in between[:-1]]
        lines = accumulate(breaks, lambda line, before: line + self._breaks + before, initial=first_line)
        texts = {
            field: pc.utf8_trim_whitespace(pa.array(column, pa.string()))
            for field, column in zip(self._fields, columns, strict=True)
            if field is not None
        }
        return Rows(texts, pa.array(list(lines)[1:], pa.uint32()), (), done), ("\n" * self._breaks).join(
            between
        ).encode()


def _strided(parts: list[str], step: int) -> list[list[str]]:
    """The result of `re.split`, separated: the texts between the matches, then each group of all matches."""
    return [parts[place::step] for place in range(step)]


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
