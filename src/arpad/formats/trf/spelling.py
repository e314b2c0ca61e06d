"""Writing a record strictly: every field in its columns, and an oddity for whatever does not fit."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.core.tournaments import Oddity
from arpad.errors import BadInput
from arpad.formats.text import one_line
from arpad.formats.trf.columns import END
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.formats.trf.columns import Column, Columns

NUMBERS = ("number", "seat", "points")
SHORT_DAY, LONG_DAY = "%y/%m/%d", "%Y/%m/%d"


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


def _cut(column: Column, text: str, lost: list[Oddity]) -> str:
    if column.right or column.form in NUMBERS:
        said = say("formats.trf.does_not_fit", column=column.name, text=text, width=column.width)
        raise BadInput(said, at=column.name)
    lost.append(Oddity(say("formats.trf.cut", text=text, width=column.width, column=column.name), lost=True))
    return text[: column.width]


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


def points_text(points: Decimal) -> str:
    """Points with one decimal, or with more if they have more."""
    short = points.normalize()
    return f"{points:.1f}" if short.as_tuple().exponent >= -1 else f"{short:f}"  # type: ignore[operator]
