"""The fields of one record of a report: read by their columns, with an oddity for what cannot be read, and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from arpad.core import DRAW, LOSS, WIN
from arpad.core.tournaments import (
    ALLOCATED_BYE,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PLAYED,
    SHORT,
    ZERO_BYE,
    Oddity,
    Tournament,
)
from arpad.errors import BadInput
from arpad.formats.text import one_line
from arpad.formats.trf.columns import CODE, END, TEXT_FROM, Column, Columns, round_column
from arpad.messages import Message, say
from arpad.reading.days import Day, DayOrder, read_day

if TYPE_CHECKING:
    from arpad.tournaments.checks import Finding


MOST_REPEATED = 10_000  # values in one record; a line cannot hold more

# Results of a game, and of a round without an opponent.
GAMES = {
    "1": (PLAYED, WIN), "=": (PLAYED, DRAW), "0": (PLAYED, LOSS),
    "w": (SHORT, WIN), "d": (SHORT, DRAW), "l": (SHORT, LOSS),
    "+": (FORFEIT, WIN), "-": (FORFEIT, LOSS),
}  # fmt: skip
BYE_LETTERS = {"h": HALF_BYE, "f": FULL_BYE, "z": ZERO_BYE, "u": ALLOCATED_BYE}
RESULT_LETTERS = {kind: letter.upper() for letter, kind in BYE_LETTERS.items()}
GAME_LETTERS = {game: letter.upper() for letter, game in GAMES.items()}
WHOLE = re.compile(r"\d{1,9}")
NUMBER = re.compile(r"-?\d{0,6}[.,]?\d{0,4}")
NUMBERS = ("number", "seat", "points")
SHORT_DAY, LONG_DAY = "%y/%m/%d", "%Y/%m/%d"


@dataclass(slots=True)
class ReportLine:
    """A line of a report; what cannot be read in it is noted."""

    text: str
    number: int
    path: str
    order: DayOrder | None  # of year, month and day, as far as the file settles it
    odd: list[Oddity]

    @property
    def code(self) -> str:
        """Which kind of record it is."""
        return self.text[CODE]

    @property
    def rest(self) -> str:
        """The text behind the code."""
        return self.text[TEXT_FROM - 1 :].strip()

    @property
    def end(self) -> int:
        """The last column that is not blank."""
        return len(self.text.rstrip())

    def note(self, says: Message, column: int = TEXT_FROM, *, lost: bool = False) -> None:
        """Add an oddity of this line."""
        self.odd.append(Oddity(says, self.number, column, lost))

    def changed(self, text: str) -> ReportLine:
        """The same line with another text, and without an oddity so far."""
        return ReportLine(text, self.number, self.path, self.order, [])

    def settled(self, day: Day) -> Day:
        """A day in the file's own order, if it needs one."""
        return day.by(self.order and self.order.order)

    def fields(self, layout: Columns) -> dict[str, Any]:
        """Each field by its name; a field that repeats is a tuple."""
        for at in self.between(layout, len(self.text))[:1]:
            self.note(say("formats.trf.between"), at, lost=True)
        return {column.name: self._repeated(column) if column.every else self.field(column) for column in layout}

    def between(self, layout: Columns, until: int) -> list[int]:
        """The columns that have something in them and belong to no field."""
        return [at for at in _gaps(layout, min(until, len(self.text))) if self.text[at - 1] not in " \t"]

    def field(self, column: Column, time: int = 0) -> Any:
        """A field by its form; None if it cannot be read."""
        read, refused = FORMS[column.form]
        text = column.cut(self.text, time)
        try:
            return read(text)
        except ValueError:
            self.note(say(refused, text=text, column=column.name), column.first + time * column.every, lost=True)
            return None

    def _repeated(self, column: Column) -> tuple[Any, ...]:
        """All values up to the end of the line; an empty seat counts, any other blank does not."""
        times = min(max(0, -(-(self.end - column.first + 1) // column.every)), MOST_REPEATED)
        values = [self.field(column, time) for time in range(times)]
        if column.form == "seat":
            return tuple(value or 0 for value in values)
        return tuple(value for value in values if value is not None)


@lru_cache(maxsize=512)  # records of one kind have only a few different lengths
def _gaps(layout: Columns, length: int) -> tuple[int, ...]:
    """The columns that belong to no field, up to the end of a line."""
    return tuple(at for at in range(CODE.stop + 1, length + 1) if not any(_covers(column, at) for column in layout))


def _covers(column: Column, at: int) -> bool:
    """Whether a column of the line belongs to a field."""
    behind = at - column.first
    return 0 <= behind < column.width or (column.every > 0 and behind >= 0 and behind % column.every < column.width)


def as_number(text: str) -> int | None:
    """A whole number; None for a blank."""
    if not text:
        return None
    if not WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def as_points(text: str) -> Decimal | None:
    """Points such as `11.5` or `11,5`; None for a blank."""
    if not text:
        return None
    if not NUMBER.fullmatch(text) or not any(map(str.isdigit, text)):
        raise ValueError(text)
    return Decimal(text.replace(",", "."))


def as_list(text: str) -> tuple[int, ...]:
    """Numbers separated by blanks or commas."""
    return tuple(number for word in text.replace(",", " ").split() if (number := as_number(word)) is not None)


def as_day(text: str) -> Day | None:
    """A day in any usual form; None for a blank."""
    return read_day(text) if text else None


# How each form is read, and what is said of a text that does not have it; any text is one.
FORMS: dict[str, tuple[Callable[[str], Any], str]] = {
    "text": (str, ""),
    "number": (as_number, "formats.trf.number"),
    "seat": (as_number, "formats.trf.number"),  # 0 or a blank means that nobody sits there
    "points": (as_points, "formats.trf.points"),
    "list": (as_list, "formats.trf.list"),
    "day": (as_day, "formats.trf.day"),
    "short day": (as_day, "formats.trf.day"),
}


def spelt(code: str, layout: Columns, fields: Mapping[str, Any], lost: list[Oddity]) -> str:
    """A record as a line; a text that is too long is cut and named in `lost`, a number that is too long is refused."""
    line = code
    for column in layout:
        value = fields.get(column.name)
        values = (value or ()) if column.every else (value,)
        for time, item in enumerate(values):
            text = _text(column, item)
            if len(text) > column.width:
                text = _cut(column, text, lost)
            start = column.first - 1 + time * column.every
            right = column.right or column.form in NUMBERS
            placed = text if column.last >= END else text.rjust(column.width) if right else text.ljust(column.width)
            line = f"{line.ljust(start)}{placed}" if len(line) <= start else line[:start] + placed
    return line.rstrip()


def _text(column: Column, value: Any) -> str:
    """A field as the format writes it; an unknown value is blank."""
    if value is None:
        return ""
    if column.form == "points":
        return points_text(value)
    if column.form == "seat":
        return f"{value:0{column.width}d}" if not value else str(value)
    if column.form == "list":
        return " ".join(map(str, value))
    if isinstance(value, date):
        return value.strftime(SHORT_DAY if column.form == "short day" else LONG_DAY)
    return one_line(str(value))


def _cut(column: Column, text: str, lost: list[Oddity]) -> str:
    if column.right or column.form in NUMBERS:
        said = say("formats.trf.does_not_fit", column=column.name, text=text, width=column.width)
        raise BadInput(said, at=column.name)
    lost.append(Oddity(say("formats.trf.cut", text=text, width=column.width, column=column.name), lost=True))
    return text[: column.width]


def points_text(points: Decimal) -> str:
    """Points with one decimal, or with more if they have more."""
    short = points.normalize()
    return f"{points:.1f}" if short.as_tuple().exponent >= -1 else f"{short:f}"  # type: ignore[operator]


def column_of(tournament: Tournament, finding: Finding) -> int | None:
    """The column of a finding's round in a tournament report; None in other files."""
    report = tournament.source is not None and tournament.source.format.startswith("trf")
    return round_column(finding.round) if report and finding.round is not None and finding.line is not None else None
