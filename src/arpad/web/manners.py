"""What replies get on the way out: an ETag, so that a repeat is 304; problem+json if asked for; CORS."""

from __future__ import annotations

import hashlib
import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette._utils import get_route_path
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware

from arpad.reading import names_somebody
from arpad.web.api import NAMES, ROOT, pairs_of
from arpad.web.layer import Layer
from arpad.web.replies import GOOD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PROBLEM = "application/problem+json"
DATED = "public, max-age=3600"  # the address names the day, so the answer changes only if we correct a rule
REVALIDATE = "no-cache"  # the answer may change tomorrow: cached, but checked each time
NOT_MODIFIED = 304
BAD = 400


class Manners(Layer):
    """Wraps an application: replies get ETags, and errors come in the form asked for."""

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply once its body is complete."""
        start: Message = {}

        async def sent(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message  # held until its body is there
                return
            if start:
                if not message.get("more_body"):
                    start, message = _finished(scope, start, message)
                await send(start)
                start = {}
            await send(message)

        await self.app(scope, receive, sent)


def _finished(scope: Scope, start: Message, body: Message) -> tuple[Message, Message]:
    """A complete reply, as it is sent."""
    asked = Headers(scope=scope)
    headers = MutableHeaders(raw=list(start["headers"]))
    content = body.get("body", b"")
    status = start["status"]
    if status >= BAD and headers.get("content-type") == "application/json":
        headers.add_vary_header("Accept")
        if PROBLEM in asked.get("accept", ""):
            content = _as_problem(content, status)
            headers["content-type"] = PROBLEM
            headers["content-length"] = str(len(content))
    if status == GOOD and scope["method"] in ("GET", "HEAD") and "no-store" not in headers.get("cache-control", ""):
        if "etag" not in headers:  # a file has one
            headers["etag"] = f'W/"{hashlib.sha256(content).hexdigest()[:24]}"'
        if "cache-control" not in headers:
            headers["cache-control"] = _cache_control(scope)
        if _is_known(headers["etag"], asked.get("if-none-match", "")):
            del headers["content-length"]
            status, content = NOT_MODIFIED, b""
    if status == NOT_MODIFIED:
        headers.add_vary_header("Accept-Encoding")  # like the reply it stands for
    return {**start, "status": status, "headers": headers.raw}, {**body, "body": content}


def _is_known(etag: str, known: str) -> bool:
    """Whether the client has this version; weak and strong tags compare as equal, as in RFC 9110."""
    tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
    return "*" in tags or etag.removeprefix("W/") in tags


def _cache_control(scope: Scope) -> str:
    """How long an answer may be cached: longer if its address names a day and nobody from a rating list."""
    path, query = get_route_path(scope), scope.get("query_string", b"")
    if not path.startswith(f"{ROOT}/") or path.startswith(f"{ROOT}/lists/"):
        return REVALIDATE
    given = pairs_of(query)
    somebody = any(name in NAMES and names_somebody(text) for name, text in given)
    return DATED if "on" in dict(given) and not somebody else REVALIDATE


def _as_problem(content: bytes, status: int) -> bytes:
    """An error as in RFC 9457, with our own members next to the standard ones."""
    refused = json.loads(content)
    problem = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": refused.get("error"),
        **refused,
    }
    return json.dumps(problem, ensure_ascii=True).encode()


class ApiCors(Layer):
    """Lets pages of other sites, or of the allowed ones, read the API, but not our pages."""

    def __init__(self, app: ASGIApp, origins: Sequence[str] = ("*",)) -> None:
        super().__init__(app)
        self.api = CORSMiddleware(
            app,
            allow_origins=origins,
            allow_methods=["GET", "POST"],
            allow_headers=["content-type", "if-none-match", "x-request-id"],
            expose_headers=["etag", "retry-after", "x-request-id"],
            max_age=86400,
        )

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The reply, with CORS if it is the API's."""
        is_api = get_route_path(scope).startswith(("/api/", "/openapi.json"))
        await (self.api if is_api else self.app)(scope, receive, send)
