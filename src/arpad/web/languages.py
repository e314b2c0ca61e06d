"""Which language a request is answered in: by its path (`/de/…`), by what the browser asks for, or the server's own.

Below `/de` everything is as at the top, and every address that a page names stays there. A page that is asked for
without a language leads to the one that the browser prefers, if it ships and is not the server's; so this happens on a
first visit only. The API's sentences follow `Accept-Language`; its codes and figures are the same in all languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Route

from arpad.errors import BadInput
from arpad.messages import as_written, languages, locale_of, preferred, say, shipped, voice
from arpad.web.replies import NOT_FOUND, answering, refusal, route_of
from arpad.web.site import DOORS, MOVED

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ASKED_FOR = frozenset({"/", *(door.path for door in DOORS.values()), *MOVED})  # pages that lead to a language


class Languages:
    """Takes the language off the path of a request, or leads a first visit to the browser's language."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        first = route_of(scope)[1:].partition("/")[0]
        if first in languages():
            root = scope.get("root_path", "")
            address = f"{root}/{first}"
            if route_of(scope) == f"/{first}":
                query = scope["query_string"].decode("latin-1")
                response = RedirectResponse(f"{address}/{f'?{query}' if query else ''}", status_code=308)
                await response(scope, receive, send)
                return
            scope = {**scope, "root_path": address, "language": first}
        elif len(shipped()) > 1:
            found = self._leads_to(scope)
            if found is not None:
                query = scope["query_string"].decode("latin-1")
                to = f"{scope.get('root_path', '')}/{found}{route_of(scope)}{f'?{query}' if query else ''}"
                response = RedirectResponse(to, status_code=302, headers={"vary": "Accept, Accept-Language"})
                await response(scope, receive, send)
                return
            send = _varying(send)
        await self.app(scope, receive, send)

    @staticmethod
    def _leads_to(scope: Scope) -> str | None:
        """The language that a first visit leads to; None if the page is shown as it is."""
        asked = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD") or "text/html" not in asked.get("accept", ""):
            return None
        if route_of(scope) not in ASKED_FOR and not route_of(scope).startswith("/learn/"):
            return None
        liked = preferred(asked.get("accept-language", ""))
        return None if liked in (None, scope["app"].state.language if "app" in scope else "en") else liked


def _varying(send: Send) -> Send:
    """Say that another browser may get another reply."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            headers.add_vary_header("Accept-Language")
            message = {**message, "headers": headers.raw}
        await send(message)

    return sent


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
