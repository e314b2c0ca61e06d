"""FIDE's text layouts as data: what each column's head is called, and which of our columns it fills.

A layout is recognised from the header line, and a column reaches from where its head begins to where the next one does,
so that a column FIDE moves is still read from the right place.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from arpad.errors import BadFile

PACES = ("standard", "rapid", "blitz")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = "MONTH"  # stands for the head of a rating column that is the list's own month, SEP25
CENTURY = "20"  # the two digits FIDE leaves out of a month
MONTH_CODE = rf"({'|'.join(MONTHS)})(\d\d)"
CODE = re.compile(MONTH_CODE, re.IGNORECASE)

FIELDS = (
    "id", "name", "federation", "sex", "title", "w_title", "o_title", "foa_title",
    *(f"{pace}{part}" for pace in PACES for part in ("", "_games", "_k")), "born", "flag",
)  # fmt: skip

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
OPTIONAL = {"FOA"}  # the layouts before it are the same without it
# The titles of the old layout, one or two letters.
OLD_TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM"}


class Slot(NamedTuple):
    """A column of a file: which of ours it fills, and the characters it takes."""

    field: str
    start: int
    end: int


class Layout(NamedTuple):
    """The layout of one file: its name, its columns, the length of a line, and the month if the header has one."""

    name: str
    columns: tuple[Slot, ...]
    width: int
    month: str | None

    @property
    def paces(self) -> tuple[str, ...]:
        """The paces it has ratings for; none if the header does not say which one."""
        return tuple(pace for pace in PACES if any(column.field == pace for column in self.columns))

    def of_pace(self, pace: str) -> Layout:
        """A layout of one rating, with the pace it is of."""
        named = {"rating": pace, "games": f"{pace}_games", "k": f"{pace}_k"}
        return self._replace(columns=tuple(c._replace(field=named.get(c.field, c.field)) for c in self.columns))


def recognise(header: str, *, at: str) -> Layout:
    """The layout of a header line, or a BadFile that says what is wrong with it."""
    header = header.rstrip("\r\n")
    for name, heads in LAYOUTS.items():
        found = re.fullmatch(_pattern(heads), header)
        if found is not None:
            groups = [(field, found.start(n + 1)) for n, field in enumerate(heads.values()) if found.start(n + 1) >= 0]
            ends = [start for _, start in groups[1:]] + [len(header)]
            columns = tuple(Slot(field, start, end) for (field, start), end in zip(groups, ends, strict=True))
            return Layout(
                name, columns, len(header), month_of(found[list(heads).index(MONTH) + 1]) if MONTH in heads else None
            )
    raise BadFile(_complaint(header), at=at)


def _pattern(heads: dict[str, str]) -> str:
    """The heads in their order; in the old layout some stand without a blank between them."""
    parts = [f"({_head(head)})?" if head in OPTIONAL else f"({_head(head)})" for head in heads]
    return r"\s*".join(parts) + r"\s*"


def _head(head: str) -> str:
    return rf"(?i:{MONTH_CODE.replace('(', '(?:')})" if head == MONTH else re.escape(head)


def _complaint(header: str) -> str:
    """What a header has that no layout has, or lacks that all have."""
    known = {head for heads in LAYOUTS.values() for head in heads} - {MONTH}
    if not header.lower().startswith("id number"):
        return "The first line is not the header of a rating list (ID Number, Name, Fed, …); is this the right file?"
    strange = [
        word
        for word in header.split()
        if word not in known and word not in ("ID", "Number", "number") and not CODE.fullmatch(word)
    ]
    if strange:
        return (
            f"The header has a column this version of Arpad does not know: {', '.join(strange[:5])}. The list is newer "
            "than the program, or not FIDE's; a newer version may read it, and any table can be imported as CSV."
        )
    return (
        "The header has none of the layouts Arpad knows (combined, single, old); the columns are missing or in another "
        "order. Download the list again, or import it as CSV."
    )


def month_of(text: str) -> str | None:
    """The month in a text such as `standard_sep25frl.txt` or `SEP25`, as `2025-09`."""
    found = CODE.search(text)
    return None if found is None else f"{CENTURY}{found[2]}-{MONTHS.index(found[1].lower()) + 1:02}"


def pace_of(text: str) -> str | None:
    """The pace in a file's name, `rapid_rating_list.txt`."""
    return next((pace for pace in PACES if pace in text.lower()), None)
