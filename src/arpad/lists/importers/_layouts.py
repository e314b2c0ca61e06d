"""FIDE's text layouts as data: the heading of each column and the field it fills.

A layout is recognised by the header line. A column reaches from its heading to the next one, so a column that FIDE
moves is still read from the right place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from arpad.errors import BadFile
from arpad.lists.store import PACES
from arpad.messages import Message, say

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


@dataclass(frozen=True, slots=True)
class Slot:
    """A column of a file: the field it fills and the characters it takes."""

    field: str
    start: int
    end: int


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
    groups = [(rf"({_heading(heading)})\s*", heading in OPTIONAL) for heading in headings]
    return "".join(f"(?:{group})?" if optional else group for group, optional in groups)


def _heading(heading: str) -> str:
    return rf"(?i:{MONTH_CODE.replace('(', '(?:')})" if heading == MONTH else re.escape(heading)


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


def month_of(text: str) -> str | None:
    """The month in a text such as `standard_sep25frl.txt` or `SEP25`, as `2025-09`."""
    found = CODE.search(text)
    return None if found is None else f"{CENTURY}{found[2]}-{MONTHS.index(found[1].lower()) + 1:02}"


def pace_of(text: str) -> str | None:
    """The pace in a file's name such as `rapid_rating_list.txt`; None if there is none."""
    return next((pace for pace in PACES if pace in text.lower()), None)
