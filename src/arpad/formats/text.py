"""The lines of a text file, whatever its encoding and line endings, and the rows of a table in CSV."""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arpad.errors import ArpadError, BadFile, BadInput, cause
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.core.tournaments import Oddity


EXCEL, OLD_EXCEL, DBASE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x03"  # how files that are no text begin
LINE_END = re.compile(r"\r\n|\n|\r")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LONGEST_LINE = 100_000
MOST_LINES = 2_000_000
MOST_ODDITIES = 300_000  # more than any tournament could have, and too many to keep
BEYOND_TEXT = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))  # control characters that no text has


def read_text(path: str) -> str:
    """The text of a file in UTF-8."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadFile(say("formats.file.unreadable", why=cause(error)), at=path) from None
    except UnicodeDecodeError:
        raise BadFile(say("formats.file.utf8"), at=path) from None


def lines_of(data: bytes, name: str) -> list[str]:
    """The lines without their line endings; a BadFile if this is not text."""
    if data.count(b"\n") + data.count(b"\r") > 2 * MOST_LINES:
        raise BadFile(say("formats.file.many_lines", most=MOST_LINES), at=name)
    lines = LINE_END.split(_decoded(data, name))
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            said = say("formats.file.long_line", length=len(line), most=LONGEST_LINE)
            raise BadFile(said, at=place(name, number))
    return lines[:-1] if lines and not lines[-1] else lines


def _decoded(data: bytes, name: str) -> str:
    """The text, from UTF-8, UTF-16 with its mark, or else Windows-1252 or Latin-1."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise BadFile(say("formats.file.utf16"), at=name) from None
    odd = len(data) - len(data.translate(None, BEYOND_TEXT))
    if odd:
        before = next(index for index, byte in enumerate(data) if byte in BEYOND_TEXT)
        line = data.count(b"\n", 0, before) + 1
        column = before - data.rfind(b"\n", 0, before)
        if odd > len(data) // 1000 or b"\0" in data:
            raise BadFile(say("formats.file.not_text"), at=place(name, line, column))
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # Bytes that are control codes in Latin-1 are letters and quotes in Windows-1252.
        is_windows = len(data) != len(data.translate(None, bytes(range(0x80, 0xA0))))
        return data.decode("cp1252", "replace") if is_windows else data.decode("latin-1")


def one_line(text: str) -> str:
    """A text on one line: line breaks and control characters that were pasted into it become blanks."""
    return CONTROL.sub(" ", text).strip()


def check_oddities(odd: list[Oddity], name: str, line: int | None = None) -> None:
    """Give up on a file in which almost nothing is right."""
    if len(odd) > MOST_ODDITIES:
        raise BadFile(say("formats.file.many_oddities", most=MOST_ODDITIES), at=place(name, line))


def place(name: str, line: int | None = None, column: int | None = None) -> str:
    """A place in a file, for messages: the name, and line and column if known."""
    at_line = [] if line is None else [f"line {line}"]
    at_column = [] if column is None else [f"column {column}"]
    return ", ".join([name, *at_line, *at_column])


class CsvTable:
    """A table in CSV: the names of its columns, which its reader may replace, and its rows.

    `marks` are what may stand between cells. A `loose` table may have blanks before quotation marks, and rows that are
    longer than its head.
    """

    def __init__(self, text: str, name: str, marks: Sequence[str] = ",", *, loose: bool = False) -> None:
        lines = text.splitlines()
        head = lines[0] if lines else ""
        mark = max(marks, key=head.count) if any(mark in head for mark in marks) else ","
        self.name, self.loose = name, loose
        self._rows = csv.DictReader(lines, delimiter=mark, skipinitialspace=loose)
        with self._refused():
            self.columns = list(self._rows.fieldnames or ())

    def rows(self, *, complete: bool = False) -> Iterator[tuple[str, dict[str, str]]]:
        """Each row with its place: the cells that have something in them; `complete` rows have them all."""
        self._rows.fieldnames = self.columns
        key = "formats.section.fields" if complete else "formats.players.fields"
        with self._refused():
            for row in self._rows:
                at = place(self.name, self._rows.line_num)
                beyond = row.pop(None, None)  # where a DictReader puts them
                if (beyond and not self.loose) or (complete and None in row.values()):
                    raise BadFile(say(key), at=at)
                yield at, {name: value.strip() for name, value in row.items() if value and value.strip()}

    @contextmanager
    def _refused(self) -> Iterator[None]:
        try:
            yield
        except csv.Error as error:
            raise BadFile(say("formats.file.not_csv", why=error), at=place(self.name, self._rows.line_num)) from None


@contextmanager
def in_row(at: str) -> Iterator[None]:
    """Refuse what is wrong in a row with the place of the row and the column."""
    try:
        yield
    except ArpadError as error:
        raise BadFile(error.said, at=", ".join(filter(None, (at, error.at)))) from None


def whole_in(row: Mapping[str, str], column: str) -> int | None:
    """The whole number in a column of a row; None if it has none."""
    text = row.get(column)
    if text is not None and not (text.isascii() and text.isdigit()):
        raise BadInput(say("formats.players.number", column=column), at=column)
    return None if text is None else int(text)
