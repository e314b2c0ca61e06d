"""The application: its routes and layers, and the same application inside a browser.

`create_app` is what a server runs. `create_site` is the application of the static site, which a browser runs itself:
`respond` answers one request there, with plain values in and out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from starlette._utils import get_route_path
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from arpad import __version__
from arpad.errors import ArpadError, BadInput, Busy
from arpad.messages import say
from arpad.systems import rulebook_of, system_names
from arpad.web import api, charts, metrics, pages, sharing, tournament
from arpad.web.forms import read_form
from arpad.web.middleware import LARGEST_FILE, POLICY, ApiCors, ConditionalReplies, Envelope, RequestLimits
from arpad.web.openapi import document
from arpad.web.replies import NOT_FOUND, WRONG_METHOD, Json, answering, refusal, wrong_method
from arpad.web.settings import EMBEDDED, ServerSettings
from arpad.web.site import NOWHERE
from arpad.web.view import View
from arpad.web.workers import pool_here, workers

if TYPE_CHECKING:
    from starlette.types import Message, Scope

# A page may start workers from its own origin and name its manifest; only the worker compiles WebAssembly.
SITE_POLICY = f"{POLICY}; manifest-src 'self'; worker-src 'self'"


def create_app(*, warm: bool = False, language: str = "en", settings: ServerSettings = EMBEDDED) -> Starlette:
    """The whole server, in a language; with `warm` it prepares the charts while it starts.

    Without settings it has no worker processes, and threads answer heavy questions.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with workers(settings.processes, settings.seconds):
            making = asyncio.create_task(charts.warm()) if warm else None
            yield
            if making is not None:
                making.cancel()

    app = Starlette(
        routes=[
            *api.routes(),
            *pages.ROUTES,
            *charts.ROUTES,
            *sharing.ROUTES,
            *tournament.ROUTES,
            *metrics.ROUTES,
            Route("/openapi.json", _document),
            Route("/health", _health),
            Route("/ready", _ready),
            Route("/version", _version),
            Mount("/static", _Static(directory=pages.STATIC), name="static"),
        ],
        middleware=[
            Middleware(Envelope),
            Middleware(ApiCors, origins=settings.origins),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
            Middleware(ConditionalReplies),
            Middleware(RequestLimits, too_large={"/tournament": tournament.too_large}, hosts=settings.allowed_hosts),
        ],
        exception_handlers={HTTPException: _nothing_there},
        lifespan=lifespan,
    )
    app.state.language = language
    return app


class _Static(StaticFiles):
    """Our own files; their addresses have a fingerprint, so browsers can cache them for good."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file to be cached; its ETag is weak, because some clients get it compressed."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = charts.FOREVER
        response.headers["etag"] = f"W/{response.headers['etag'].removeprefix('W/')}"
        return response


async def _document(request: Request) -> Json:
    """The OpenAPI document, with the prefix of the server's addresses."""
    root = request.scope.get("root_path", "")
    return Json({**document(), "servers": [{"url": root or "/"}]})


async def _health(_: Request) -> Json:
    return Json({"ok": True})


async def _ready(request: Request) -> Json:
    """Whether the server takes questions now: not while the queue is full."""
    pool = pool_here()
    if pool is not None and pool.is_full:
        with answering(request.scope, "api"):
            return refusal(Busy(say("web.not_ready")))
    return Json({"ok": True})


async def _version(_: Request) -> Json:
    checked = {name: str(rulebook_of(name).checked) for name in system_names()}
    return Json({"ok": True, "value": {"version": __version__, "rules_checked": checked}})


async def _nothing_there(request: Request, raised: Exception) -> Response:
    """The reply to an unknown address or a wrong method: JSON for programs, a page for people."""
    status = getattr(raised, "status_code", NOT_FOUND)
    headers = dict(getattr(raised, "headers", None) or {})
    error: ArpadError = BadInput(say("web.nothing"), at="path")
    if status == WRONG_METHOD:
        error = wrong_method(request.method, headers.get("Allow", "").split(", "))
    elif status != NOT_FOUND:
        error = BadInput(say("answers.as_said", text=getattr(raised, "detail", "")), at="path")
    if get_route_path(request.scope).startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        with answering(request.scope, "api"):
            return refusal(error, status, headers)
    with answering(request.scope, "page"):
        empty = View(NOWHERE, read_form([], today=api.today()))
        return pages.shown("nothing.html", empty, pages.root_of(request), status=status, says=error.message)


def create_site(build: str, language: str = "en") -> Starlette:
    """The application for a build of the static site, whose pages can be installed."""
    MultiPartParser.spool_max_size = LARGEST_FILE  # a larger part would need a file and a thread
    # A page can state its policy, but only a host can say who may frame the page.
    policy = "; ".join(part for part in SITE_POLICY.split("; ") if not part.startswith("frame-ancestors"))
    pages.templates().globals.update(build=build, policy=policy, can_draw=lambda: False)  # the page's script draws
    return create_app(language=language)


class PlainReply(NamedTuple):
    """A reply as plain values."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


async def respond(
    app: Starlette,
    method: str,
    path: str,
    query: str = "",
    *,
    root: str = "",
    scheme: str = "https",
    headers: Iterable[tuple[str, str]] = (),
    body: bytes = b"",
) -> PlainReply:
    """The reply to a request; the path includes the root of the site."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": scheme,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": root,
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
        "client": None,
        "server": None,
    }
    await app(scope, receive, send)
    start, *parts = sent
    found = [(str(name, "latin-1"), str(value, "latin-1")) for name, value in start["headers"]]
    policy = [("content-security-policy", SITE_POLICY)]
    return PlainReply(
        start["status"],
        [(name, value) for name, value in found if name != "content-security-policy"] + policy,
        b"".join(part.get("body", b"") for part in parts),
    )
