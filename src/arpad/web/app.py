"""The application: routes, the reply to unknown addresses, and limits around everything."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette._utils import get_route_path
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
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
from arpad.web import api, batch, charts, metrics, pages, sharing, tournament
from arpad.web.envelope import Envelope
from arpad.web.forms import read_form
from arpad.web.limits import RequestLimits
from arpad.web.manners import ApiCors, Manners
from arpad.web.openapi import document
from arpad.web.replies import NOT_FOUND, WRONG_METHOD, Json, refusal, wrong_method
from arpad.web.settings import EMBEDDED, ServerSettings
from arpad.web.site import NOWHERE
from arpad.web.view import View
from arpad.web.voices import answering
from arpad.web.workers import pool_here, workers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


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
            *batch.ROUTES,
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
            Middleware(Manners),
            Middleware(RequestLimits, too_large={"/tournament": tournament.too_large}, hosts=settings.allowed_hosts),
        ],
        exception_handlers={HTTPException: _nothing_there},
        lifespan=lifespan,
    )
    app.state.language = language
    return app


class _Static(StaticFiles):
    """Our own files; their addresses have a fingerprint, so browsers can cache them for good."""

    async def get_response(self, path: str, scope: Any) -> Response:
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
