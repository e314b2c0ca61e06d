"""Which language a request is answered in: by its path (`/de/…`), by what the browser asks for, or the server's own.

Below `/de` everything is as at the top, and every address that a page names stays there. A page that is asked for
without a language leads to the one that the browser prefers, if it ships and is not the server's; so this happens on a
first visit only. The API's sentences follow `Accept-Language`; its codes and figures are the same in all languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Route

from arpad.errors import BadInput
from arpad.messages import as_written, languages, locale_of, preferred, say, shipped, voice
from arpad.web.replies import NOT_FOUND, answering, refusal, route_of
from arpad.web.site import DOORS, MOVED

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

ASKED_FOR = frozenset({"/", *(door.path for door in DOORS.values()), *MOVED})  # pages that lead to a language


class Languages:
    """Takes the language off the path of a request, or leads a first visit to the browser's, before an application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # startup and shutdown
            await self.app(scope, receive, send)
            return
        scope = in_language(scope)
        await (led_elsewhere(scope) or self.app)(scope, receive, send)


def in_language(scope: Scope) -> Scope:
    """A request below its language, if its path names one."""
    first = route_of(scope)[1:].partition("/")[0]
    if first not in languages():
        return scope
    return {**scope, "root_path": f"{scope.get('root_path', '')}/{first}", "language": first}


def led_elsewhere(scope: Scope) -> Response | None:
    """Where a request is led: from `/de` to `/de/`, and from a page on a first visit to the browser's language."""
    root, route, query = scope.get("root_path", ""), route_of(scope), scope["query_string"].decode("latin-1")
    behind = f"?{query}" if query else ""
    if "language" in scope:
        return None if route else RedirectResponse(f"{root}/{behind}", status_code=308)
    is_page = route in ASKED_FOR or route.startswith("/learn/")
    if not is_page or not varies(scope) or scope["method"] not in ("GET", "HEAD"):
        return None
    asked = Headers(scope=scope)
    liked = preferred(asked.get("accept-language", "")) if "text/html" in asked.get("accept", "") else None
    if liked in (None, scope["app"].state.language):
        return None
    return RedirectResponse(f"{root}/{liked}{route}{behind}", status_code=302, headers={"vary": "Accept"})


def varies(scope: Scope) -> bool:
    """Whether another browser may get another reply."""
    return "language" not in scope and len(shipped()) > 1


@dataclass(frozen=True, slots=True)
class Offered:
    """A language as a page offers it."""

    tag: str
    path: str  # before the paths of its pages
    name: str
    current: bool


def offered(at_top: str = "") -> list[Offered]:
    """The languages that a page leads to: those that ship, and its own; none if there is no choice.

    A server has none at the top, because there a browser is led to its own.
    """
    current = voice().language
    tags = [*shipped(), *([current] if current not in shipped() else [])]
    if len(tags) == 1:
        return []
    return [Offered(tag, "" if tag == at_top else f"/{tag}", locale_of(tag).name, tag == current) for tag in tags]


async def _words(request: Request) -> Response:
    """All words of a language as its files have them, for whoever wants to mend a sentence."""
    language = request.path_params["language"]
    if language not in languages():
        with answering(request.scope, "api"):
            return refusal(BadInput(say("web.nothing"), at="path"), NOT_FOUND)
    return PlainTextResponse(as_written(language))


ROUTES = [Route("/words/{language}", _words)]
