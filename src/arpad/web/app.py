"""The application: routes, what is said when there is none, and the guard around all of it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from arpad import __version__
from arpad.systems import rulebook_of, system_names
from arpad.web import api, lists, pages, pictures, tournament
from arpad.web.api import Api
from arpad.web.forms import read_form
from arpad.web.guard import Guard, InTime
from arpad.web.openapi import COMPONENTS, paths
from arpad.web.replies import NOT_FOUND, WRONG_METHOD, Json, refused, wrong_method
from arpad.web.wording import NOWHERE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from typing import Any

    from starlette.types import ASGIApp


def create_app(*, warm: bool = False) -> ASGIApp:
    """The whole server, guard outermost; with `warm` it makes the drawing script while it starts."""
    return Guard(Api(InTime(_pages(warm=warm))), {"/tournament": tournament.too_large})


def _pages(*, warm: bool) -> FastAPI:
    """What people look at, and the description of what programs ask."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if warm:
            import asyncio

            making = asyncio.create_task(run_in_threadpool(pictures.warm))
            yield
            making.cancel()
        else:
            yield

    app = FastAPI(
        title="Arpad",
        version=__version__,
        summary="Chess ratings by the book, for the date of the event, with the working shown.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.add_exception_handler(HTTPException, _nothing_there)
    app.router.routes += [*lists.ROUTES, *pages.ROUTES, *pictures.ROUTES, *tournament.ROUTES]
    app.router.routes += [Route("/health", _health), Route("/version", _which_version)]
    app.mount("/static", _Kept(directory=pages.STATIC), name="static")
    made = app.openapi

    def described() -> dict[str, Any]:
        document = made()
        document["paths"] = paths()
        document["components"] = {"schemas": COMPONENTS}
        return document

    app.openapi = described  # type: ignore[method-assign]  # FastAPI's own way to extend the document
    return app


class _Kept(StaticFiles):
    """Files of our own; their addresses carry a fingerprint, so that browsers may keep them."""

    async def get_response(self, path: str, scope: Any) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = pictures.KEPT
        return response


async def _health(_: Request) -> Json:
    return Json({"ok": True})


async def _which_version(_: Request) -> Json:
    checked = {name: str(rulebook_of(name).checked) for name in system_names()}
    return Json({"ok": True, "value": {"version": __version__, "rules_checked": checked}})


async def _nothing_there(request: Request, error: Exception) -> Response:
    """No such place, or not with that method: JSON for programs, a page for people."""
    status = getattr(error, "status_code", NOT_FOUND)
    headers: Mapping[str, str] = getattr(error, "headers", None) or {}
    says = "There is nothing at this address."
    if status == WRONG_METHOD:
        says = wrong_method(request.method, headers.get("Allow", ""))
    if status not in (NOT_FOUND, WRONG_METHOD):
        says = str(getattr(error, "detail", says))
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return refused(says, "path", status, dict(headers))
    empty = pages.View(NOWHERE, read_form([], today=api.today()))
    return pages.shown("nothing.html", empty, status=status, says=says)
