"""FIDE's XML, streamed: a player at a time, and no entity is ever declared or expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from arpad.errors import BadFile
from arpad.lists.blocks import LINES, NONE_REPEATED, Bad, Block, block_of, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

CHUNK = 1 << 18
START = 1 << 16  # bytes in which the first players are found
TAGS = {
    "fideid": "id", "name": "name", "country": "federation", "sex": "sex", "title": "title", "w_title": "w_title",
    "o_title": "o_title", "foa_title": "foa_title", "birthday": "born", "flag": "flag",
}  # fmt: skip
ENDINGS = {"rating": "", "games": "_games", "k": "_k"}


def has_rapid(file: BinaryIO, *, at: str) -> bool:
    """Whether the players have all three ratings."""
    start = file.read(START)
    if b"<player>" not in start and b"<player " not in start:
        raise BadFile("This XML is not a rating list: it has no <player>.", at=at)
    return b"<rapid_rating" in start


def blocks(
    file: BinaryIO, paces: Sequence[str], repeated: Mapping[int, int] = NONE_REPEATED, *, at: str
) -> Iterator[Block]:
    """The players, block by block."""
    reader = _Reader(_names(paces), repeated)
    done = 0
    while True:
        data = file.read(CHUNK)
        done += len(data)
        try:
            reader.parse(data)
        except expat.ExpatError as problem:
            raise BadFile(
                f"The XML breaks off or is damaged: {expat.ErrorString(problem.code)}.",
                at=f"{at}, line {problem.lineno}",
            ) from None
        except _Declared:
            raise BadFile(
                "The XML declares entities, which FIDE's lists never do and which can fill a computer's memory; it is "
                "not read.",
                at=at,
            ) from None
        if len(reader.read) >= LINES or not data:
            yield block_of(reader.read, done)
            reader.read = []
        if not data:
            return


def _names(paces: Sequence[str]) -> dict[str, str]:
    """Which element fills which column; a list of one rating has it without the pace's name."""
    names = dict(TAGS)
    for pace in paces:
        before = f"{pace}_" if len(paces) > 1 and pace != "standard" else ""
        names |= {f"{before}{tag}": f"{pace}{ending}" for tag, ending in ENDINGS.items()}
    return names


class _Declared(Exception):
    """An entity was declared."""


class _Reader:
    """Players as they come out of the parser."""

    def __init__(self, names: dict[str, str], repeated: Mapping[int, int]) -> None:
        self.read: list[dict[str, Any] | Bad] = []
        self._names = names
        self._repeated = repeated
        self._texts: dict[str, str | None] = {}
        self._field: str | None = None
        self._text = ""
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.EntityDeclHandler = self._refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def parse(self, data: bytes) -> None:
        """Read on; nothing is the end."""
        self._parser.Parse(data, not data)

    def _refuse(self, *_: Any) -> None:
        raise _Declared

    def _start(self, tag: str, _: Any) -> None:
        if tag == "player":
            self._texts = {}
        self._field, self._text = self._names.get(tag), ""

    def _characters(self, text: str) -> None:
        if self._field is not None:
            self._text += text

    def _end(self, tag: str) -> None:
        if self._field is not None:
            self._texts[self._field] = self._text
            self._field = None
        elif tag == "player":
            line = self._parser.CurrentLineNumber
            text = " ".join(filter(None, self._texts.values()))
            self.read.append(values_of(self._texts, line, text, self._repeated))
