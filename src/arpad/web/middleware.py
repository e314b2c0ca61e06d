"""The layers around the application, from the outside in.

`Envelope` gives every reply its security headers and a line in the log, `ApiCors` lets other sites read the API,
`ConditionalReplies` adds ETags and sends errors in the form asked for, and `RequestLimits` refuses what is too large,
addressed to another host, or a bug of ours.
"""

from __future__ import annotations

import hashlib
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from ipaddress import ip_address
from string import punctuation
from time import localtime, perf_counter, strftime
from typing import TYPE_CHECKING
from urllib.parse import quote
from uuid import uuid4

from starlette._utils import get_route_path
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect

from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.questions import questions_at, spec_of
from arpad.questions.tournaments import LONGEST_FILE
from arpad.reading import names_a_player
from arpad.web import metrics
from arpad.web.api import NAMES, ROOT, pairs_of
from arpad.web.replies import BROKEN, BUSY, GOOD, MISDIRECTED, TOO_LARGE, answering, refusal
from arpad.web.workers import QueueFull, listening_to

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ACCESS = logging.getLogger("arpad.access")
FAULTS = logging.getLogger("arpad.faults")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
UNUSED = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone", "midi",
    "payment", "usb",
)  # fmt: skip  # features of browsers that our pages do not use
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-embedder-policy", b"require-corp"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-permitted-cross-domain-policies", b"none"),
    (b"permissions-policy", ", ".join(f"{feature}=()" for feature in UNUSED).encode()),
]
FRAMED = "/embed"  # the only page that other sites may show in a frame
FRAMED_HEADERS = [
    (b"content-security-policy", POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").encode()),
    *(header for header in HEADERS if header[0] not in (b"content-security-policy", b"x-frame-options")),
]
SECURE = [(b"strict-transport-security", b"max-age=31536000")]  # a browser ignores it over plain HTTP
SOON = [(b"retry-after", b"2")]  # seconds; most imports and most questions are done by then
LONGEST_ID = 64  # characters of a request's ID
PROBLEM = "application/problem+json"
DATED = "public, max-age=3600"  # the address names the day, so the answer changes only if we correct a rule
REVALIDATE = "no-cache"  # the answer may change tomorrow: cached, but checked each time
NOT_MODIFIED = 304
BAD = 400
LARGEST_BODY = 256 * 1024
LARGEST_FILE = 8 * 1024 * 1024  # for addresses that take a tournament file or a paste
MOST_HELD = 128 * 1024 * 1024  # bytes of all bodies together; a body takes several times its size to read
MOST_DIGITS = 20  # of a length; Python refuses to read very long numbers


class Layer(ABC):
    """Wraps an application and handles its requests; startup and shutdown pass through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self.request if scope["type"] == "http" else self.app)(scope, receive, send)

    @abstractmethod
    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, usually with the application inside."""


class Envelope(Layer):
    """Every reply gets the headers and a line in the log."""

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reply with the headers, and write a line in the log."""
        reply = _Reply(scope, send)
        try:
            await self.app(scope, receive, reply.send)
        finally:
            reply.log()


class _Reply:
    """A reply on its way out: it gets the headers and is measured for the log."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.scope = scope
        self._send = send
        self.status: int | None = None
        self.size = 0
        self.began = perf_counter()
        self.id = _request_id(scope)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = FRAMED_HEADERS if get_route_path(self.scope) == FRAMED else HEADERS
            own = [*headers, (b"x-request-id", self.id.encode())]
            own += SOON if self.status == BUSY else []
            own += SECURE if self.scope.get("scheme") == "https" else []
            message["headers"] = [*message.get("headers", ()), *own]
        else:
            self.size += len(message.get("body", b""))
        await self._send(message)

    def log(self) -> None:
        """Count the reply, and write a line about it: as text in the common log format, or as JSON."""
        seconds = perf_counter() - self.began
        metrics.count(self.scope["method"], self.status, seconds)
        if not ACCESS.isEnabledFor(logging.INFO):
            return
        scope = self.scope
        host = _client(scope)
        query = scope.get("query_string", b"")
        raw = (scope.get("raw_path") or scope["path"].encode()) + (b"?" + query if query else b"")
        # As it came over the wire, with everything unprintable escaped, so that no client can forge a line.
        path = raw.decode("ascii", "backslashreplace").encode("unicode_escape").decode("ascii").replace('"', "%22")
        when = strftime("%d/%b/%Y:%H:%M:%S %z", localtime())
        about = {"request": self.id, "seconds": round(seconds, 4), "client": host, "method": scope["method"]}
        about |= {"path": path, "status": self.status, "bytes": self.size}
        ACCESS.info(
            '%s - - [%s] "%s %s HTTP/%s" %s %d %s',
            host, when, scope["method"], path, scope.get("http_version", "1.1"), self.status or "-", self.size, self.id,
            extra={"about": about},
        )  # fmt: skip


def _request_id(scope: Scope) -> str:
    """The ID that came with the request if it is a simple one, or a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and len(value) <= LONGEST_ID and value.replace(b"-", b"").isalnum():
            return str(value, "ascii")
    return uuid4().hex


def _client(scope: Scope) -> str:
    """The client's address, which a proxy may have set; `-` if it is not an address."""
    try:
        return str(ip_address((scope.get("client") or ("",))[0]))
    except ValueError:
        return "-"


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


class ConditionalReplies(Layer):
    """Replies get ETags, so that a client that has one already gets 304; errors come in the form asked for."""

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


def _cache_control(scope: Scope) -> str:
    """How long an answer may be cached: longer if its address names a day and no player of a rating list."""
    path, query = get_route_path(scope), scope.get("query_string", b"")
    if not path.startswith(f"{ROOT}/") or path.startswith(f"{ROOT}/lists/"):
        return REVALIDATE
    given = pairs_of(query)
    looks_up = any(name in NAMES and names_a_player(text) for name, text in given)
    return DATED if "on" in dict(given) and not looks_up else REVALIDATE


def _is_known(etag: str, known: str) -> bool:
    """Whether the client has this version; weak and strong tags compare as equal, as in RFC 9110."""
    tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
    return "*" in tags or etag.removeprefix("W/") in tags


class RequestLimits(Layer):
    """Limits on requests, and no traceback ever reaches a user.

    `too_large` has the pages that report a large body themselves, by address.
    """

    def __init__(
        self,
        app: ASGIApp,
        too_large: Mapping[str, Callable[[Scope], Response]] | None = None,
        hosts: Sequence[str] = ("*",),
    ) -> None:
        super().__init__(app)
        self.too_large = too_large or {}
        self.hosts = frozenset(hosts)
        self.held = 0  # bytes of all bodies that are being read or answered

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply, or an error instead."""
        if not scope["query_string"].isascii():  # not allowed in an address, and not every library copes
            scope["query_string"] = quote(scope["query_string"], safe=punctuation).encode()
        begun = False
        body = _Body(self, receive)

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            _check_host(scope, self.hosts)
            body.most = _largest_body(scope)
            body.check(_announced(scope))
            with listening_to(receive):
                await self.app(scope, body.receive, sent)
        except ClientDisconnect:
            return  # the client has gone
        except Exception as problem:
            if begun:
                raise
            await self._refused(scope, problem)(scope, receive, send)
        finally:
            self.held -= body.size

    def _refused(self, scope: Scope, problem: Exception) -> Response:
        """The error to send instead of a reply."""
        with answering(scope, "api"):
            match problem:
                case ArpadError():
                    return refusal(problem)
                case _WrongHost():
                    return refusal(BadInput(say("web.wrong_host", host=str(problem)[:100]), at="host"), MISDIRECTED)
                case _TooLarge():
                    page = self.too_large.get(get_route_path(scope))
                    large = BadInput(say("web.too_large", most=str(problem)), at="body")
                    response = page(scope) if page else refusal(large, TOO_LARGE)
                    response.headers["connection"] = "close"
                    return response
                case _:
                    FAULTS.error("A bug in Arpad at %r", scope["path"], exc_info=problem)
                    return refusal(ArpadError(say("web.bug", kind=type(problem).__name__)), BROKEN)


class _WrongHost(Exception):
    """The request is addressed to a host that is not this server."""


class _TooLarge(Exception):
    """The body is larger than allowed."""


def _check_host(scope: Scope, hosts: frozenset[str]) -> None:
    """Refuse a host that is not ours: another site may have pointed its own name at this server."""
    if "*" in hosts:
        return
    host = next((str(value, "latin-1") for name, value in scope["headers"] if name == b"host"), "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name.lower() not in hosts:
        raise _WrongHost(host)


def _largest_body(scope: Scope) -> int:
    """The largest body an address accepts."""
    path = get_route_path(scope)
    takes_file = not path.startswith("/api/") or path.endswith(_with_file())  # pages take tournaments or pastes
    return LARGEST_FILE if takes_file else LARGEST_BODY


@cache
def _with_file() -> tuple[str, ...]:
    """The endings of addresses that take a tournament file or a paste."""
    specs = questions_at("api").values()
    files = [spec for spec in specs if any(given.longest >= LONGEST_FILE for given in spec.fields_at("api").values())]
    return tuple(f"/{spec.name}" for spec in (*files, spec_of("paste")))


def _announced(scope: Scope) -> int:
    """The length of the body that the sender announces; 0 if it announces none."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value.lstrip(b"0")[:MOST_DIGITS] or b"0")
    return 0


class _Body:
    """The body of a request as it arrives, up to its own limit and to the one that all bodies share."""

    def __init__(self, limits: RequestLimits, receive: Receive) -> None:
        self.limits = limits
        self.most = LARGEST_BODY
        self.size = 0
        self._receive = receive

    async def receive(self) -> Message:
        """The next part."""
        message = await self._receive()
        length = len(message.get("body", b""))
        self.size += length
        self.limits.held += length
        self.check(self.size)
        if length and self.limits.held > MOST_HELD:
            raise QueueFull
        return message

    def check(self, size: int) -> None:
        """Refuse a body of this size if it is too large."""
        if size > self.most:
            raise _TooLarge(self.most)
