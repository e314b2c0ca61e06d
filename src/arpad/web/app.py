"""The application: its routes and layers, and the same application inside a browser.

`create_app` is what a server runs. `create_site` is the application of the static site, which a browser runs itself:
`respond` answers one request there, with plain values in and out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from arpad import __version__
from arpad.errors import ArpadError, BadInput, Busy
from arpad.messages import ORIGINAL, say
from arpad.systems import rulebook_of, system_names
from arpad.web import api, charts, languages, learn, monitoring, pages, paste, pupils, sharing, tournament
from arpad.web.forms import read_form
from arpad.web.middleware import LARGEST_FILE, POLICY, Gate
from arpad.web.openapi import document
from arpad.web.replies import NOT_FOUND, WRONG_METHOD, Json, answering, refusal, route_of
from arpad.web.settings import EMBEDDED, ServerSettings
from arpad.web.site import NOWHERE
from arpad.web.view import View
from arpad.web.workers import WorkerPool, answered, pool_of

if TYPE_CHECKING:
    from starlette.types import Lifespan, Scope

# A page may start workers from its own origin and name its manifest; only the worker compiles WebAssembly.
SITE_POLICY = f"{POLICY}; manifest-src 'self'; worker-src 'self'"


def create_app(*, warm: bool = False, language: str = "en", settings: ServerSettings = EMBEDDED) -> Starlette:
    """The whole server, in a language, and in the others by path; with `warm` it prepares the charts while it starts.

    Without settings it has no worker processes, and threads answer what takes more than a moment.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.pool = pool = WorkerPool(settings, language) if settings.processes else None
        making = asyncio.create_task(charts.warm(pool)) if warm else None
        yield
        if making is not None:
            making.cancel()
        if pool is not None:
            await pool.close()

    return _application(settings, language, [Middleware(Gate, settings)], lifespan)


def inner_app(settings: ServerSettings, language: str) -> Starlette:
    """The application in a worker, which gets requests through the gate of the server."""
    return _application(settings, language, [], None)


def _application(
    settings: ServerSettings, language: str, outer: list[Middleware], lifespan: Lifespan[Starlette] | None
) -> Starlette:
    app = Starlette(
        routes=[  # in the order in which they are looked for: the most frequent first
            Route("/health", _health),
            *api.routes(),
            *pages.ROUTES,
            *learn.ROUTES,
            *charts.ROUTES,
            *paste.ROUTES,
            *pupils.ROUTES,
            *sharing.ROUTES,
            *tournament.ROUTES,
            *monitoring.ROUTES,
            *languages.ROUTES,
            Route("/openapi.json", _document),
            Route("/ready", _ready),
            Route("/version", _version),
            Mount("/static", _Static(directory=pages.STATIC), name="static"),
        ],
        middleware=outer,
        exception_handlers={HTTPException: _nothing_there},
        lifespan=lifespan,
    )
    app.state.language = language
    app.state.settings = settings
    app.state.pool = None
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
    pool = pool_of(request.scope)
    if pool is not None and pool.lanes["heavy"].is_full:
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
        allowed = sorted(headers.get("Allow", "").split(", "))  # in the same order in every process
        headers["Allow"] = ", ".join(allowed)
        error = BadInput(say("web.wrong_method", method=request.method[:20], allowed=allowed), at="path")
    elif status != NOT_FOUND:
        error = BadInput(say("answers.as_said", text=getattr(raised, "detail", "")), at="path")
    if route_of(request.scope).startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        with answering(request.scope, "api"):
            return refusal(error, status, headers)
    with answering(request.scope, "page"):
        empty = View(NOWHERE, read_form([], today=api.today()))
        return pages.shown("nothing.html", empty, pages.root_of(request), status=status, says=error.message)


def create_site(build: str) -> Starlette:
    """The application for a build of the static site, whose pages can be installed."""
    MultiPartParser.spool_max_size = LARGEST_FILE  # a larger part would need a file and a thread
    # A page can state its policy, but only a host can say who may frame the page.
    policy = "; ".join(part for part in SITE_POLICY.split("; ") if not part.startswith("frame-ancestors"))
    pages.templates().globals.update(build=build, policy=policy, can_draw=lambda: False)  # the page's script draws
    # English is at the top, and nobody knows yet at which host.
    pages.templates().globals.update(offered=lambda: languages.offered(at_top=ORIGINAL), origin=str)
    return create_app()


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
    reply = await answered(app, scope, bytes(body))
    found = [(str(name, "latin-1"), str(value, "latin-1")) for name, value in reply.headers.items()]
    policy = [("content-security-policy", SITE_POLICY)]
    return PlainReply(
        reply.status,
        [(name, value) for name, value in found if name != "content-security-policy"] + policy,
        b"".join(reply.body),
    )
