"""The columns of each record in a tournament report, as FIDE's TRF16 and TRF26 define them.

Columns count from 1. One table serves the reader and the writer, so that they cannot differ.
"""

# No `from __future__ import annotations` here: named tuples would compile each annotation.

from collections.abc import Mapping
from typing import NamedTuple

from arpad.core.tournaments import COMMENT

CODE = slice(0, 3)
TEXT_FROM = 5  # where the text of an event's line begins
END = 10_000  # of a text that runs to the end of the line
MOST_ROUNDS = 200


class Column(NamedTuple):
    """A field with its first and last column; if it repeats, `every` is the distance from one to the next."""

    name: str
    first: int
    last: int
    form: str = "text"
    every: int = 0
    right: bool = False  # a text aligned to the right, like a number

    @property
    def width(self) -> int:
        """How many characters fit."""
        return self.last - self.first + 1

    def cut(self, line: str, time: int = 0) -> str:
        """The text in these columns, at the first occurrence or a later one."""
        start = self.first - 1 + time * self.every
        return line[start : start + self.width].strip()


Columns = tuple[Column, ...]

# 001, and the same up to the birth date in a record of a national rating
PERSON: Columns = (
    Column("no", 5, 8, "number"),
    Column("sex", 10, 10),
    Column("title", 11, 13, right=True),
    Column("name", 15, 47),
    Column("rating", 49, 52, "number"),
    Column("federation", 54, 56),
    Column("id", 58, 68, right=True),
    Column("born", 70, 79, "day"),
)
PLAYER: Columns = (*PERSON, Column("points", 81, 84, "points"), Column("rank", 86, 89, "number"))
OPPONENT = Column("opponent", 92, 95, "number", every=10)
COLOUR = Column("colour", 97, 97, every=10)
RESULT = Column("result", 99, 99, every=10)
ROUND_DAY = Column("day", 92, 99, "short day", every=10)

TEAM: Columns = (
    Column("no", 5, 7, "number"),
    Column("name", 9, 40),
    Column("nickname", 42, 46),
    Column("strength", 48, 53, "number"),
    Column("match_points", 55, 60, "points"),
    Column("game_points", 62, 67, "points"),
    Column("rank", 69, 71, "number"),
    Column("members", 74, 77, "number", every=5),
)
OLD_TEAM: Columns = (Column("name", 5, 36), Column("members", 37, 40, "number", every=5))
ADJUSTMENT: Columns = (
    Column("kind", 5, 5),
    Column("match_points", 8, 11, "points"),
    Column("points", 14, 17, "points"),
    Column("round", 20, 22, "number"),
    Column("numbers", 24, 27, "number", every=5),
)
BYES: Columns = (
    Column("kind", 5, 5),
    Column("round", 7, 9, "number"),
    Column("numbers", 11, 14, "number", every=5),
)
FORFEITED_MATCH: Columns = (
    Column("kind", 5, 6),
    Column("round", 8, 10, "number"),
    Column("white", 12, 14, "number"),
    Column("black", 16, 18, "number"),
)
LIST: Columns = (Column("numbers", 5, END, "list"),)
PLAIN: Columns = (Column("text", 5, END),)

# Records without a class of their own; they are kept by the names of their fields.
RECORDS: Mapping[str, Columns] = {
    "152": (Column("colour", 5, 5),),
    # In 172 stand a federation and a method; some write the method alone.
    **dict.fromkeys(("172", "182", "192", "202", "212", "222", "352", "XXC", "XRS", COMMENT), PLAIN),
    **dict.fromkeys(("XXZ", "XXP"), LIST),
    "240": BYES,
    "250": (
        Column("match_points", 5, 8, "points"),
        Column("points", 10, 13, "points"),
        Column("first_round", 15, 17, "number"),
        Column("last_round", 19, 21, "number"),
        Column("first_no", 23, 26, "number"),
        Column("last_no", 28, 31, "number"),
    ),
    "260": (
        Column("first_round", 5, 7, "number"),
        Column("last_round", 9, 11, "number"),
        Column("numbers", 13, 16, "number", every=5),
    ),
    "300": (
        Column("round", 5, 7, "number"),
        Column("team", 9, 11, "number"),
        Column("opponent", 13, 15, "number"),
        Column("numbers", 17, 20, "seat", every=5),
    ),
    "320": (
        Column("match_points", 5, 8, "points"),
        Column("game_points", 10, 13, "points"),
        Column("teams", 15, 17, "seat", every=4),
    ),
    "330": FORFEITED_MATCH,
    "XXA": (Column("no", 5, 8, "number"), Column("points", 10, 13, "points", every=5)),
    "DAT": (Column("no", 5, 8, "number"), Column("kind", 10, 19), Column("value", 21, END)),
}
IGNORED = ("801", "802")  # a summary of the teams for people
NATIONAL_PERSON: Columns = tuple(
    column._replace(name="origin") if column.name == "federation" else column for column in PERSON
)
NATIONAL_FIELDS: Columns = (Column("federation", 1, 3), *NATIONAL_PERSON)

# The codes that TRF26 added, by which such a file is recognised.
ONLY_TRF26 = frozenset({"142", "162", "299", "310", "340", "362", *(code for code in RECORDS if code.isdigit())})


def round_column(number: int) -> int:
    """The column in which a round begins."""
    return OPPONENT.first + OPPONENT.every * (number - 1)
