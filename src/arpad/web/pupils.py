"""A coach's table as a page: the pupils typed or pasted, a line for each, and the same as a CSV file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.errors import ArpadError
from arpad.formats.pupils import as_csv
from arpad.messages import Message, figure, halves, section, voice
from arpad.web.answers import ask, own_lists
from arpad.web.api import pairs_of, today
from arpad.web.forms import read_form
from arpad.web.hero_parts import day
from arpad.web.pages import root_of, shown
from arpad.web.replies import answering, sent_by
from arpad.web.site import Page
from arpad.web.view import View

if TYPE_CHECKING:
    from arpad.calculation.answer import TableColumn
    from arpad.forecast.pupils import PupilsAhead

PAGE = Page("pupils", "ahead", at="/ahead/pupils")
EXAMPLE = """name,rating,born,reach,against,average,rounds
Anna Berg,1780,2010,1800,1700 1750 1800@b 1820 1850@b,,
Ben Castro,2085,1999,2100,,2050,9
Cleo Dahl,1540,2014,1600,,1600,7"""

FIELDS = ("text", "on", "system")
WIDE = ("rating", "games", "gain", "change", "k")  # columns that a phone leaves out


class PupilsColumn(NamedTuple):
    """A column as the page shows it."""

    heading: str
    figures: bool
    wide: bool


class PupilsTable(NamedTuple):
    """The coach's table as the page shows it, with the reasons for lines without an answer."""

    columns: Sequence[PupilsColumn]
    rows: Sequence[Sequence[str]]
    remarks: Sequence[Message]


async def _pupils(request: Request) -> Response:
    root = root_of(request)
    with answering(request.scope, "page"):
        given: dict[str, str] = {}
        found: PupilsAhead | None = None
        error: ArpadError | None = None
        try:
            given = {name: text for name, text in pairs_of(await sent_by(request)) if text.strip()}
            asked = {"text": EXAMPLE} | {name: text for name, text in given.items() if name in FIELDS}
            with own_lists():
                _, answer = ask("pupils", asked, today=today(), door="api")
            found = cast("PupilsAhead", answer)
        except ArpadError as problem:
            error = problem
        if found is not None and given.get("as") == "csv":
            headers = {"content-disposition": 'attachment; filename="pupils.csv"'}
            return Response(as_csv(found), media_type="text/csv", headers=headers)
        return shown(
            "pupils.html",
            View(PAGE, read_form([], today=today()), error=error),
            root,
            given={"text": EXAMPLE, **given},
            found=found,
            table=None if found is None else _table(found),
        )


def _table(found: PupilsAhead) -> PupilsTable:
    """The answer's table, as a page writes points and days."""
    (table,) = found.tables()
    headings = section(voice().language, "pages.pupil_column")
    columns = table.for_door("screen").columns
    head = [PupilsColumn(headings[one.key], one.form != "text", one.key in WIDE) for one in columns]
    rows = [[_shown(one, one.value(line)) for one in columns] for line in table.rows]
    return PupilsTable(head, rows, table.remarks)


def _shown(column: TableColumn, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, date):
        return day(value)
    return (
        halves(value)
        if column.key == "needs" and isinstance(value, Decimal)
        else figure(value, signed=column.form == "signed")
    )


ROUTES = [Route(PAGE.at, _pupils, methods=["GET", "POST"])]
