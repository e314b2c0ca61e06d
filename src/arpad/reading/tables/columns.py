"""The line of headings of a pasted table: what separates its cells, and what each column means."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from arpad.reading.pasted import ColumnReading
from arpad.reading.text import bare
from arpad.reading.vocabulary import heading

Separator = Literal["\t", ";", "|", ",", "  ", " "]
SEPARATORS: tuple[Separator, ...] = ("\t", ";", "|", ",", "  ", " ")
GAPS = re.compile(r" {2,}|\t")
NUMBERED = re.compile(r"([0-9]{1,2})\.? ?([^\W\d_]{0,8})\.?|([^\W\d_]{1,8})\.? ?([0-9]{1,2})\.?")
CHANGES = ("+/-", "±", "+-")
LEAST_KNOWN = 3
LONGEST_HEADING = 600  # characters of a line of headings
SIGNS_OF_A_TABLE = {"name", "white", "black", "result", "rating"}
NAMES = ("name", "white", "black")


@dataclass(frozen=True)
class TableHeadings:
    """The columns of a table; `numbers` has the number of the round or opponent for columns that have one."""

    separator: Separator
    texts: tuple[str, ...]
    roles: tuple[str, ...]
    numbers: tuple[int | None, ...]

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The columns of each role."""
        return {role: [place for place, own in enumerate(self.roles) if own == role] for role in set(self.roles)}

    def place(self, role: str, nth: int = 0) -> int | None:
        """The place of the first column of a role, or of a later one."""
        places = self.places.get(role, [])
        return places[nth] if nth < len(places) else None

    def count(self, *roles: str) -> int:
        """How many columns have one of these roles."""
        return sum(role in roles for role in self.roles)

    @cached_property
    def rounds(self) -> list[tuple[int, int]]:
        """The place and the number of each column of a round or of an opponent."""
        return [(place, number) for place, number in enumerate(self.numbers) if number is not None]

    @property
    def readings(self) -> list[ColumnReading]:
        """What each column was taken to be."""
        named = zip(self.texts, self.roles, strict=True)
        return [ColumnReading(heading=text.strip(), meaning=role) for text, role in named if text.strip()]


def headings_of(line: str) -> TableHeadings | None:
    """The headings in a line; None if it is not a line of headings."""
    if len(line) > LONGEST_HEADING or not any(letter.isalpha() for letter in line):
        return None
    best: TableHeadings | None = None
    most = 0
    for separator in SEPARATORS:
        if separator not in line and separator != " ":
            continue
        found = _headings(split(line, separator), separator)
        known = 0 if found is None else sum(role not in ("blank", "unknown") for role in found.roles)
        if known > most:
            best, most = found, known
        if separator == "\t" and best is not None:
            break
    return best


def _headings(cells: Sequence[str], separator: Separator) -> TableHeadings | None:
    roles = [_role(cell) for cell in cells]
    numbers = _numbers(cells, roles)
    for place, number in enumerate(numbers):
        if number is not None:
            roles[place] = "round-column"
    for place, role in enumerate(roles[:-1]):
        if role == "blank" and roles[place + 1] in NAMES:
            roles[place] = "title"
    known = [role for role in roles if role not in ("blank", "unknown")]
    filled = [role for role in roles if role != "blank"]
    if len(known) < LEAST_KNOWN or 5 * len(known) < 3 * len(filled) or not SIGNS_OF_A_TABLE & set(known):
        return None
    if any(_is_a_value(cell) for cell, number in zip(cells, numbers, strict=True) if number is None):
        return None
    return TableHeadings(separator, tuple(cells), tuple(roles), tuple(numbers))


def _role(cell: str) -> str:
    text = cell.strip()
    if not text:
        return "blank"
    if any(sign in text for sign in CHANGES):
        return "other"
    return heading(text) or "unknown"


def _numbers(cells: Sequence[str], roles: Sequence[str]) -> list[int | None]:
    """The numbers of columns such as `1.Rd`, `R 2` or `3`; only if they count upwards without a gap."""
    found: list[int | None] = []
    for cell, role in zip(cells, roles, strict=True):
        numbered = NUMBERED.fullmatch(cell.strip()) if role == "unknown" else None
        word = bare(numbered[2] or numbered[3] or "") if numbered else ""
        is_round = numbered is not None and (not word or heading(word) == "round" or word in ("r", "rd"))
        found.append(int(numbered[1] or numbered[4]) if numbered is not None and is_round else None)
    counted = [number for number in found if number is not None]
    in_order = bool(counted) and counted == list(range(counted[0], counted[0] + len(counted)))
    return found if in_order else [None] * len(found)


def _is_a_value(cell: str) -> bool:
    """Whether a cell is a number, which no heading is."""
    text = cell.strip().replace(",", ".")
    return text[:1].isdecimal() and not any(letter.isalpha() for letter in text)


def split(line: str, separator: Separator) -> list[str]:
    """The cells of a line."""
    if separator == "\t":
        return line.split("\t")
    if separator == "|":
        return [cell.strip() for cell in line.strip().strip("|").split("|")]
    if separator == ",":
        return next(csv.reader([line]), [""])
    if separator == "  ":
        return GAPS.split(line.strip())
    return line.split() if separator == " " else [cell.strip() for cell in line.split(separator)]
