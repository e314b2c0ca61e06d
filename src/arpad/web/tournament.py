"""The page for a whole tournament: a file comes in, its report goes out, and nothing stays.

The report's page carries the file along, so that a download is a second post of the same file.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from email import message_from_string
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.core.tournament import day_of
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.formats.k_table import k_table_of
from arpad.formats.recognise import read_bytes
from arpad.formats.spreadsheets.headings import columns_of
from arpad.questions.asking import DEFAULT_SYSTEM
from arpad.reading.notation import parse_date
from arpad.reports import FORMS, report
from arpad.reports.norms import norms_of
from arpad.reports.page import body, stylesheet
from arpad.systems import system, system_names
from arpad.tournaments.event import UNSUITED, rate_event
from arpad.web import pages
from arpad.web.api import today
from arpad.web.forms import read_form
from arpad.web.pages import View, fingerprint
from arpad.web.pictures import KEPT
from arpad.web.replies import GOOD, REFUSED, TOO_LARGE
from arpad.web.wording import PAGES, named

if TYPE_CHECKING:
    from collections.abc import Mapping
    from email.message import Message

    from arpad.tournaments.event.report import EventRating

LARGEST = 5 * 1024 * 1024  # a file; carried along in base64 it stays within the guard's limit
TOO_MUCH = f"The file is too large; at most {LARGEST // 1024 // 1024} MB are taken here."
MOST_FIELDS, LONGEST_HEAD, LONGEST_NAME = 20, 4000, 80
# A PDF is the reader's own browser's business: printing on the server would start one for every download.
DOWNLOADS = {"html": "text/html", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
             "csv": "text/csv", "json": "application/json"}  # fmt: skip


FIELDS = {
    "file": "Tournament file",
    "system": "System",
    "on": "Event began",
    "columns": "Columns of a table",
    "table": "What is known of the players",
}


class Sent(NamedTuple):
    """What was posted: a file with its name, what is known of the players, and how to rate."""

    name: str = ""
    data: bytes = b""
    table: str = ""
    system: str = DEFAULT_SYSTEM
    on: str = ""
    columns: str = ""
    to: str = ""

    @property
    def held(self) -> str:
        """The file as the report's page carries it."""
        return b64encode(self.data).decode("ascii")


def sent_of(kind: str, posted: bytes) -> Sent:
    """The fields of a posted form, with the file that was chosen or the one the page carried."""
    fields = _fields(kind, posted)
    name, data = fields.get("file", ("", b""))
    if not data and "held" in fields:
        name, data = _text(fields, "name"), _unheld(fields["held"][1])
    if len(data) > LARGEST:
        raise BadFile(TOO_MUCH, at="file")
    table = _text(fields, "table") or _text(fields, "held_table")
    chosen = _text(fields, "system") or DEFAULT_SYSTEM
    texts = {field: _text(fields, field) for field in ("on", "columns", "to")}
    return Sent(name or "the file", data, table, chosen, **texts)


def _fields(kind: str, posted: bytes) -> Mapping[str, tuple[str, bytes]]:
    """A form's fields, each with the name of its file if it is one."""
    # The standard library's own parser goes line by line: seconds for a file that is cut apart here at once.
    header = _header(b"content-type: " + kind.encode("latin-1", "replace"))
    boundary = header.get_boundary()
    if header.get_content_type() != "multipart/form-data" or not boundary:
        raise BadInput("Send the file as a form does, as multipart/form-data.", at="file")
    edge = b"\r\n--" + boundary.encode("latin-1", "replace")
    _, *parts = (b"\r\n" + posted).split(edge, MOST_FIELDS + 1)
    if len(parts) > MOST_FIELDS:
        raise BadInput(f"The form has too many fields; fewer than {MOST_FIELDS} are taken.", at="file")
    fields: dict[str, tuple[str, bytes]] = {}
    for part in parts:
        head, _, data = part.partition(b"\r\n\r\n")
        described = _header(head[:LONGEST_HEAD].strip())
        name = described.get_param("name", header="content-disposition")
        if isinstance(name, str):
            fields[name] = (described.get_filename() or "", data)
    return fields


def _header(text: bytes) -> Message:
    """Header lines, as mail and forms write them."""
    return message_from_string(text.decode("utf-8", "replace") + "\r\n\r\n")


def _text(fields: Mapping[str, tuple[str, bytes]], name: str) -> str:
    return fields.get(name, ("", b""))[1].decode("utf-8-sig", "replace").strip()


def _unheld(held: bytes) -> bytes:
    try:
        return b64decode(held.strip(), validate=True)
    except (Error, ValueError):
        raise BadInput("What the page carried along is no file; choose the file again.", at="file") from None


def _rated(sent: Sent) -> EventRating:
    """The report of what was sent."""
    if not sent.data:
        raise BadInput("Choose a tournament's file first.", at="file")
    event = read_bytes(sent.data, sent.name, columns_of(sent.columns) if sent.columns else None)
    return rate_event(
        event,
        system(sent.system),
        on=day_of(event, parse_date(sent.on, at="on") if sent.on else None, give=f"fill in “{FIELDS['on']}”"),
        known=k_table_of(sent.table, "the table") if sent.table else None,
    )


async def _empty(_: Request) -> Response:
    return _page(Sent())


async def _posted(request: Request) -> Response:
    kind, posted = request.headers.get("content-type", ""), await request.body()
    return await run(partial(_answered, request, sent))


def _answered(kind: str, posted: bytes) -> Response:
    """The report as a page, or as the download that was asked for, or what was refused."""
    sent = Sent()
    try:
        sent = sent_of(kind, posted)
        rated = _rated(sent)
        return _download(sent, rated) if sent.to else _page(sent, rated=rated)
    except ArpadError as error:
        too_large = not sent.data and len(posted) > LARGEST
        return _page(sent, error=error, status=TOO_LARGE if too_large else REFUSED)


def too_large() -> Response:
    """The page about a file of which not even the form was read."""
    return _page(Sent(), error=BadFile(TOO_MUCH, at="file"), status=TOO_LARGE)


def _download(sent: Sent, rated: EventRating) -> Response:
    if sent.to not in DOWNLOADS:
        raise BadInput(f"'{sent.to}' is not a download; one is {', '.join(DOWNLOADS)}.", at="to")
    name = f"{sent.name.rpartition('/')[2].partition('.')[0][:LONGEST_NAME] or 'report'}-rating-report.{sent.to}"
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "cache-control": "no-store",
    }
    return Response(report(rated, sent.to, norms=norms_of(rated)), media_type=DOWNLOADS[sent.to], headers=headers)


def _page(
    sent: Sent, *, rated: EventRating | None = None, error: ArpadError | None = None, status: int = GOOD
) -> Response:
    view = View(PAGES["tournament"], read_form([], today=today()), error=error)
    shown = pages.shown(
        "tournament.html",
        view,
        status=status,
        sent=sent,
        rated=rated,
        report="" if rated is None else body(rated, norms_of(rated)),
        style=_style_address(),
        suited=[(name, named("system", name)) for name in system_names() if name.partition("-")[0] not in UNSUITED],
        downloads={form: WORDS[form] for form in DOWNLOADS if form in FORMS},
        largest=LARGEST,
        field=FIELDS,
    )
    shown.headers["cache-control"] = "no-store"
    return shown


WORDS = {"html": "Page to hand out", "xlsx": "Excel", "csv": "CSV", "json": "JSON"}


def _style_address() -> str:
    return f"/tournament.css?v={fingerprint(stylesheet().encode())}"


async def _style(_: Request) -> Response:
    return Response(stylesheet(), media_type="text/css", headers={"cache-control": KEPT})


ROUTES = [
    Route("/tournament", _empty, methods=["GET"]),
    Route("/tournament", _posted, methods=["POST"]),
    Route("/tournament.css", _style),
]
