"""Bytes of a text file to lines, whatever the encoding and line ends."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from typing import TYPE_CHECKING

from arpad.errors import BadFile

if TYPE_CHECKING:
    from arpad.core.tournament import Oddity

LINE_END = re.compile(r"\r\n|\n|\r")
LONGEST_LINE = 100_000
MOST_LINES = 2_000_000
MOST_ODDITIES = 300_000  # more than any tournament could have, and too many to keep
BEYOND_TEXT = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))  # control characters that no text has


def lines_of(data: bytes, name: str) -> list[str]:
    """The lines without their ends, or a BadFile if this is no text."""
    if data.count(b"\n") + data.count(b"\r") > 2 * MOST_LINES:
        raise BadFile(f"The file has more than {MOST_LINES} lines.", at=name)
    lines = LINE_END.split(_decoded(data, name))
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise BadFile(
                f"The line has {len(line)} characters; no tournament file has more than {LONGEST_LINE} in one.",
                at=place(name, number),
            )
    return lines[:-1] if lines and not lines[-1] else lines


def check_oddities(odd: list[Oddity], name: str, line: int) -> None:
    """Give up on a file in which next to nothing is as it should be."""
    if len(odd) > MOST_ODDITIES:
        raise BadFile(f"More than {MOST_ODDITIES} oddities; this is no tournament.", at=place(name, line))


def place(name: str, line: int | None = None, column: int | None = None) -> str:
    """Where it happened, as far as known."""
    line_of_it = [] if line is None else [f"line {line}"]
    return ", ".join([name, *line_of_it, *([] if column is None else [f"column {column}"])])


def _decoded(data: bytes, name: str) -> str:
    """UTF-8, UTF-16 with its mark, or else Latin-1, which has a character for every byte."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise BadFile("The file is not text: it begins as UTF-16 and does not go on so.", at=name) from None
    odd = len(data) - len(data.translate(None, BEYOND_TEXT))
    if odd:
        before = next(index for index, byte in enumerate(data) if byte in BEYOND_TEXT)
        line = data.count(b"\n", 0, before) + 1
        column = before - data.rfind(b"\n", 0, before)
        if odd > len(data) // 1000 or b"\0" in data:
            raise BadFile(
                "The file is not text; give a TRF, CSV, PGN or Excel (.xlsx) file.", at=place(name, line, column)
            )
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace") if _is_windows(data) else data.decode("latin-1")


def _is_windows(data: bytes) -> bool:
    """Whether bytes occur that Latin-1 leaves to control codes: Windows has letters and quotes there."""
    return len(data) != len(data.translate(None, bytes(range(0x80, 0xA0))))
