"""The page for a whole tournament: a file is uploaded, its report comes back, and nothing is stored.

The report's page contains the file, so that a download, or another setting, can post the same file again. All tabs come
in one reply; `?tab=` in the address says which of them is open. What they show is in `event_report.py`.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.errors import ArpadError, BadFile, BadInput
from arpad.messages import say, section, voice
from arpad.questions import read_question, spec_of
from arpad.questions.chances import ChancesOf
from arpad.questions.declare import field_help
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.questions.tournaments import EventOf, file_check
from arpad.reports import printed_sheets, report
from arpad.reports.chances import ChancesPart, chances_part, is_running, runs_for, simulated
from arpad.reports.page import norms_of, order_of
from arpad.systems import system_names, systems_using
from arpad.systems.fide import LISTS
from arpad.tournaments.certificates import certificates
from arpad.tournaments.norms.answer import MADE
from arpad.tournaments.norms.report import find_norms
from arpad.web import pages
from arpad.web.api import today
from arpad.web.event_report import TABS, TournamentView
from arpad.web.forms import read_form
from arpad.web.hero_parts import points
from arpad.web.replies import GOOD, TOO_LARGE, answering, sent_by, status_of
from arpad.web.site import PAGES, named
from arpad.web.view import View

if TYPE_CHECKING:
    from arpad.tournaments.event.report import EventReport

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
EXAMPLE = Path(__file__).parent / "harbour-open.trf"  # an invented event, to try the page with
CERTIFICATES = "certificates"  # the download of norm certificates, if a player made a norm
# The settings of a report by what they are about.
PANELS = (
    ("rules", ("system", "on", "qc_approved")),
    ("players", ("table",)),
    ("standings", ("by", "unrated")),
    ("file", ("section", "columns")),
    ("experts", ("k", "reading", "set")),
)
HINTED = ("on", "by", "unrated", "section", "columns", "table")
TIE_BREAKS = "DE,BH/C1,BH,SB"
AHEAD = ("player", "withdrawn", "prizes")  # what can be said about the rounds to come
WORDS = re.compile(r"[^\s,;]+")
FIELDS = tuple(name for name in EventOf.spec.fields_at("page") if name != "data")  # those that the form has


async def _empty(request: Request) -> Response:
    """The page without a file, or with the example: a file of ours, which has an address."""
    with answering(request.scope, "page"):
        root, asked = pages.root_of(request), request.query_params
        if asked.get("example") != EXAMPLE.stem:
            return _page(root, Sent(), tab=asked.get("tab", ""))
        given = _given(FormData([(name, text) for name, text in asked.items() if name in FIELDS]))
        held = b64encode(EXAMPLE.read_bytes()).decode("ascii")
        sent = Sent(name=EXAMPLE.name, held=held, given=given, chances="chances" in asked)
        return _answered(root, sent, asked.get("tab", ""))


async def _posted(request: Request) -> Response:
    with answering(request.scope, "page"):
        sent = Sent()
        try:
            await sent_by(request)
            async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=2 * LARGEST) as form:
                sent = await _sent(form)
        except ArpadError as error:
            said = _too_large() if status_of(error) == TOO_LARGE else error  # of a file, not of a request
            return _page(pages.root_of(request), sent, error=said)
        except HTTPException:  # raised by Starlette for a form it cannot read
            return _page(pages.root_of(request), sent, error=BadInput(say("pages.bad_form"), at="file"))
        return _answered(pages.root_of(request), sent, request.query_params.get("tab", ""))


def _answered(root: str, sent: Sent, tab: str) -> Response:
    """The report as a page or as the download asked for, or the page with an error."""
    try:
        found = _rated(sent)
        return _download(sent, found) if sent.to else _page(root, sent, found, tab=tab)
    except ArpadError as error:
        return _page(root, sent, tab=tab, error=error)


def _too_large() -> BadFile:
    return BadFile(say("pages.file_too_large", most=LARGEST // MEGABYTE), at="file")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What was posted: a file with its name, and the fields of the question about the event."""

    name: str = ""
    held: str = ""  # the file in base64, as the report's page contains it
    given: Mapping[str, str] = field(default_factory=lambda: _given(FormData()))
    to: str = ""
    chances: bool = False  # whether the chances in the rounds to come are asked for
    ahead: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(AHEAD, ""))  # what is said about these

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
    return Sent(
        name=name,
        held=held,
        given=_given(form),
        to=_text(form, "to"),
        chances=bool(_text(form, "chances")),
        ahead={field: _text(form, field) for field in AHEAD},
    )


def _given(form: FormData) -> dict[str, str]:
    """The fields of the question, as the form has them."""
    found = {name: _text(form, name) for name in FIELDS if name != "file"}
    return {**found, "system": found["system"] or DEFAULT_SYSTEM}


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""


def _rated(sent: Sent) -> TournamentView:
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
    order = order_of(rated, asked.names, unrated=asked.unrated)
    chances = _chances(sent, rated, asked.names) if sent.chances and is_running(rated, order) else None
    return TournamentView(rated, order, norms_of(rated), check, sent.given, chances)


def _chances(sent: Sent, rated: EventReport, by: Sequence[str]) -> ChancesPart:
    """The chances in the rounds to come, or what is wrong with what was said about them."""
    player, withdrawn, prizes = (sent.ahead[name] for name in AHEAD)
    said: dict[str, str | list[str]] = {"data": sent.held, "withdrawn": WORDS.findall(withdrawn)}
    said |= {name: text for name, text in (("player", player), ("table", prizes)) if text}
    try:
        asked = read_question(spec_of("chances"), said, today=today(), door="api").question
        if not isinstance(asked, ChancesOf):
            raise TypeError("the question about chances is declared otherwise")
        found = simulated(rated, by, withdrawn=asked.withdrawn, prizes=asked.prize_table())
        return chances_part(found if asked.player is None else found.for_player(asked.player))
    except ArpadError as error:
        return ChancesPart(why=str(error))


def _page(
    root: str,
    sent: Sent,
    found: TournamentView | None = None,
    *,
    tab: str = "",
    error: ArpadError | None = None,
) -> Response:
    labels = section(voice().language, "pages.tournament_field")
    place = "" if error is None or error.at is None else error.at.partition("[")[0].removeprefix("the ")
    made = found is not None and found.norms is not None and any(row.stands == MADE for row in found.norms.rows)
    shown = pages.shown(
        "tournament.html" if found is None else "tournament_report.html",
        View(PAGES["tournament"], read_form([], today=today()), error=error),
        root,
        status=GOOD if error is None else status_of(error),
        sent=sent,
        event=found,
        tab=tab if tab in TABS else TABS[0],
        tabs=TABS,
        suited=[(name, named("system", name)) for name in system_names() if name not in systems_using("deviation")],
        downloads=[*DOWNLOADS, *([CERTIFICATES] if made else [])],
        largest=LARGEST,
        megabytes=LARGEST // MEGABYTE,
        field={name: labels[name] for name in FIELDS},
        hints=hints(),
        panels=PANELS,
        given_names=[name for name, text in sent.given.items() if text],
        at=place if sent.data and place in FIELDS and place != "file" else "",  # the setting that was refused
        points=points,
        runs=None if found is None else runs_for(found.rated.event),
    )
    shown.headers["cache-control"] = "no-store"
    return shown


def hints() -> dict[str, str]:
    """What is said below each setting."""
    named_here = {name: str(say(f"report_page.hint.{name}", example=TIE_BREAKS)) for name in HINTED}
    return named_here | {name: field_help(name, "event") for name in ("k", "reading", "set")}


def _download(sent: Sent, event: TournamentView) -> Response:
    rated = event.rated
    if sent.to == CERTIFICATES:
        found = certificates(find_norms(rated.event, on=rated.on, qc_approved=rated.qc_approved), rated.event)
        return _attached(sent, "certificates.html", printed_sheets(found, "html"), DOWNLOADS["html"])
    if sent.to not in DOWNLOADS:
        raise BadInput(say("pages.no_download", asked=sent.to[:20], known=list(DOWNLOADS)), at="to")
    written = report(rated, sent.to, norms=event.norms, order=event.order)
    return _attached(sent, f"rating-report.{sent.to}", written, DOWNLOADS[sent.to])


def _attached(sent: Sent, ending: str, content: bytes, kind: str) -> Response:
    """A file to save, named after the one that was sent."""
    name = f"{sent.name.rpartition('/')[2].partition('.')[0][:LONGEST_NAME] or 'report'}-{ending}"
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "cache-control": "no-store",
    }
    return Response(content, media_type=kind, headers=headers)


ROUTES = [
    Route("/tournament", _empty, methods=["GET"]),
    Route("/tournament", _posted, methods=["POST"]),
]
