"""The page for a whole tournament: a file is uploaded, its report comes back, and nothing is stored.

The report's page contains the file, so that a download can post the same file again.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.errors import ArpadError, BadFile, BadInput
from arpad.messages import say, section, voice
from arpad.questions import read_question, spec_of
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.questions.tournaments import EventOf, FileCheck, file_check
from arpad.reports import printed_sheets, report
from arpad.reports.page import Order, body, norms_of, order_of, stylesheet
from arpad.systems import system_names, systems_using
from arpad.systems.fide import LISTS
from arpad.tournaments.certificates import certificates
from arpad.tournaments.event.report import EventReport
from arpad.tournaments.norms.answer import MADE
from arpad.tournaments.norms.report import find_norms
from arpad.tournaments.submission import to_do
from arpad.web import pages
from arpad.web.api import today
from arpad.web.charts import FOREVER
from arpad.web.forms import read_form
from arpad.web.pages import fingerprint
from arpad.web.replies import GOOD, REFUSED, TOO_LARGE, answering, status_of
from arpad.web.site import PAGES, named
from arpad.web.view import View
from arpad.web.workers import run

if TYPE_CHECKING:
    from starlette.types import Scope

LARGEST = 5 * 1024 * 1024  # of a file; as base64 in the page it stays within the limit of a request
MEGABYTE = 1024 * 1024
MOST_FIELDS, LONGEST_NAME = 20, 80
# No PDF: readers print with their own browser; printing on the server would start a browser for every download.
DOWNLOADS = {
    "html": "text/html",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv",
    "json": "application/json",
}
CERTIFICATES = "certificates"  # the download of norm certificates, if a player made a norm
FIELDS = tuple(name for name in EventOf.spec.fields_at("page") if name != "data")  # those that the form has


async def _empty(request: Request) -> Response:
    with answering(request.scope, "page"):
        return _page(pages.root_of(request), Sent())


async def _posted(request: Request) -> Response:
    with answering(request.scope, "page"):
        sent = Sent()
        try:
            async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=2 * LARGEST) as form:
                sent = await _sent(form)
        except BadFile as error:
            return _page(pages.root_of(request), sent, error=error, status=TOO_LARGE)
        except HTTPException:  # raised by Starlette for a form it cannot read
            return _page(pages.root_of(request), sent, error=BadInput(say("pages.bad_form"), at="file"), status=REFUSED)
        try:
            return await run(partial(_answered, pages.root_of(request), sent))
        except ArpadError as error:
            return _page(pages.root_of(request), sent, error=error, status=status_of(error))


def _answered(root: str, sent: Sent) -> Response:
    """The report as a page or as the download asked for, or the page with an error."""
    try:
        found = _rated(sent)
        return _download(sent, found.rated, found.order) if sent.to else _page(root, sent, found)
    except ArpadError as error:
        return _page(root, sent, error=error, status=REFUSED)


def too_large(scope: Scope) -> Response:
    """The page for a request that was too large to read at all."""
    with answering(scope, "page"):
        return _page(scope.get("root_path", ""), Sent(), error=_too_large(), status=TOO_LARGE)


def _too_large() -> BadFile:
    return BadFile(say("pages.file_too_large", most=LARGEST // MEGABYTE), at="file")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What was posted: a file with its name, and the fields of the question about the event."""

    name: str = ""
    held: str = ""  # the file in base64, as the report's page contains it
    given: Mapping[str, str] = field(default_factory=lambda: _given(FormData()))
    to: str = ""

    @property
    def data(self) -> bool:
        """Whether there is a file."""
        return bool(self.held)


async def _sent(form: FormData) -> Sent:
    """The fields of a posted form, with a newly chosen file or the one in the page."""
    chosen = form.get("file")
    name, held = _text(form, "name"), _text(form, "held")
    if isinstance(chosen, UploadFile) and chosen.size:
        name, held = chosen.filename or "", b64encode(await chosen.read()).decode("ascii")
    if len(held) * 3 // 4 > LARGEST:
        raise _too_large()
    return Sent(name=name, held=held, given=_given(form), to=_text(form, "to"))


def _given(form: FormData) -> dict[str, str]:
    """The fields of the question, as the form has them; the page of a report contains the table."""
    found = {name: _text(form, name) for name in FIELDS if name != "file"}
    return {
        **found,
        "system": found["system"] or DEFAULT_SYSTEM,
        "table": found["table"] or _text(form, "held_table"),
    }


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""


class Answered(NamedTuple):
    """The report on what was sent, the order of its standings, and whether FIDE's rating office would accept it."""

    rated: EventReport
    order: Order
    check: FileCheck | None  # None if FIDE does not rate the event


def _rated(sent: Sent) -> Answered:
    """The report on what was sent."""
    if not sent.data:
        raise BadInput(say("pages.choose_file"), at="file")
    declared = EventOf.spec.fields
    given: dict[str, str | list[str]] = {
        "data": sent.held,
        "file": sent.name[-LONGEST_NAME:],
    }  # its end says what kind it is
    given |= {name: text.split() if declared[name].many else text for name, text in sent.given.items()}
    asked = read_question(spec_of("event"), given, today=today(), door="page").question
    if not isinstance(asked, EventOf):
        raise TypeError("the question about an event is declared otherwise")
    rated = asked.report()
    office = rated.system in LISTS.values()
    check = file_check(asked.tournament(), asked.today, "fide") if office else None
    return Answered(rated, order_of(rated, asked.names, unrated=asked.unrated), check)


def _page(
    root: str,
    sent: Sent,
    found: Answered | None = None,
    *,
    error: ArpadError | None = None,
    status: int = GOOD,
) -> Response:
    view = View(PAGES["tournament"], read_form([], today=today()), error=error)
    words = section(voice().language, "pages.download")
    labels = section(voice().language, "pages.tournament_field")
    norms = None if found is None else norms_of(found.rated)
    offered = [
        *DOWNLOADS,
        *([CERTIFICATES] if norms is not None and any(row.stands == MADE for row in norms.rows) else []),
    ]
    shown = pages.shown(
        "tournament.html",
        view,
        root,
        status=status,
        sent=sent,
        rated=None if found is None else found.rated,
        report="" if found is None else body(found.rated, norms, found.order),
        check=None if found is None else found.check,
        to_do=[] if found is None or found.check is None else list(to_do(found.check.items)),
        style=f"/tournament.css?v={fingerprint(stylesheet().encode())}",
        suited=[(name, named("system", name)) for name in system_names() if name not in systems_using("deviation")],
        downloads={form: words[form] for form in offered},
        largest=LARGEST,
        field={name: labels[name] for name in FIELDS},
    )
    shown.headers["cache-control"] = "no-store"
    return shown


def _download(sent: Sent, rated: EventReport, order: Order) -> Response:
    if sent.to == CERTIFICATES:
        found = certificates(find_norms(rated.event, on=rated.on, qc_approved=rated.qc_approved), rated.event)
        return _attached(sent, "certificates.html", printed_sheets(found, "html"), DOWNLOADS["html"])
    if sent.to not in DOWNLOADS:
        raise BadInput(say("pages.no_download", asked=sent.to[:20], known=list(DOWNLOADS)), at="to")
    written = report(rated, sent.to, norms=norms_of(rated), order=order)
    return _attached(sent, f"rating-report.{sent.to}", written, DOWNLOADS[sent.to])


def _attached(sent: Sent, ending: str, content: bytes, kind: str) -> Response:
    """A file to save, named after the one that was sent."""
    name = f"{sent.name.rpartition('/')[2].partition('.')[0][:LONGEST_NAME] or 'report'}-{ending}"
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "cache-control": "no-store",
    }
    return Response(content, media_type=kind, headers=headers)


async def _style(_: Request) -> Response:
    return Response(stylesheet(), media_type="text/css", headers={"cache-control": FOREVER})


ROUTES = [
    Route("/tournament", _empty, methods=["GET"]),
    Route("/tournament", _posted, methods=["POST"]),
    Route("/tournament.css", _style),
]
