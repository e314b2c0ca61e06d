"""The layers around the application, from the outside in.

In the event loop `Envelope` gives every reply its security headers and a line in the log, `ApiCors` lets other sites
read the API, and `Gate` reads a request and hands it on, mostly to a worker. Around the application, wherever it
answers, `Finish` turns faults into replies and adds ETags.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from functools import cache
from secrets import token_hex
from string import punctuation
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect

from arpad.errors import ArpadError, BadInput, Busy
from arpad.messages import say
from arpad.questions import questions_at, spec_of
from arpad.questions.tournaments import LONGEST_FILE
from arpad.web import metrics
from arpad.web.api import LONG, NAMES, QUICK, ROOT
from arpad.web.log import log_request
from arpad.web.replies import (
    BROKEN,
    BUSY,
    GOOD,
    LARGEST_ANSWER,
    REFUSED,
    TOO_LARGE,
    TooLarge,
    WrongHost,
    answering,
    refusal,
    route_of,
)  # fmt: skip
from arpad.web.workers import PIECE, QueueFull, answered_here, pool_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from arpad.web.workers import HttpReply, LaneName

FAULTS = logging.getLogger("arpad.faults")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; "
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
CLOSE = [(b"connection", b"close")]  # with the rest of a large body
LONGEST_ID = 64  # characters of a request's ID
DATED = "public, max-age=3600"  # the address names the day, so the answer changes only if we correct a rule
REVALIDATE = "no-cache"  # the answer may change tomorrow: cached, but checked each time
NOT_MODIFIED = 304
LARGEST_BODY = 256 * 1024
LARGEST_FILE = 8 * 1024 * 1024  # for addresses that take a tournament file or a paste
MOST_HELD = 128 * 1024 * 1024  # bytes of all bodies together; a body takes several times its size to read
MOST_DIGITS = 20  # of a length; Python refuses to read very long numbers
HERE = ("/health", "/ready", "/version", "/metrics", "/static/", "/script/")  # files and figures, never calculations
SHORT = 64  # characters of a question that the event loop answers
WORD = re.compile(r"[/.]")
# What may name a player, who has to be looked up: a rating begins with a digit, and what is escaped may be a name.
LOOKS_UP = re.compile(rf"%|(?:^|&)(?:{'|'.join(NAMES)})=[^0-9&]".encode())
DAY = re.compile(rb"(?:^|&)on=")


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
    """Every reply gets the headers, is counted and gets a line in the log."""

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reply with the headers, and write a line in the log."""
        began, request, size = perf_counter(), _request_id(scope), 0
        status: int | None = None

        async def sent(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                own = FRAMED_HEADERS if route_of(scope) == FRAMED else HEADERS
                more = SOON if status == BUSY else CLOSE if status == TOO_LARGE else []
                more = [*more, *SECURE] if scope.get("scheme") == "https" else more
                headers = [*message.get("headers", ()), *own, *more, (b"x-request-id", request.encode())]
                message = {**message, "headers": headers}
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            seconds = perf_counter() - began
            metrics.count(scope, status, seconds)
            log_request(scope, request, status, size, seconds)


def _request_id(scope: Scope) -> str:
    """The ID that came with the request if it is a simple one, or a new one."""
    given: bytes = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    return str(given, "ascii") if len(given) <= LONGEST_ID and given.replace(b"-", b"").isalnum() else token_hex(16)


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
        is_api = route_of(scope).startswith(("/api/", "/openapi.json"))
        await (self.api if is_api else self.app)(scope, receive, send)


class Gate(Layer):
    """Reads a request, bounded by size, and hands it on: to a worker, or to the application here if that is quick."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str] = ("*",)) -> None:
        super().__init__(app)
        self.hosts = frozenset(hosts)
        self.held = 0  # bytes of all bodies that are being read or answered

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply, or an error instead."""
        if not scope["query_string"].isascii():  # not allowed in an address, and not every library copes
            scope["query_string"] = quote(scope["query_string"], safe=punctuation).encode()
        body: list[bytearray] = []
        try:
            _check_host(scope, self.hosts)
            await self._read(scope, receive, body)
            lane = lane_of(scope, sum(map(len, body)))
            if lane is None:
                await self.app(scope, _whole(body, receive), send)
            else:
                await _send(await self._answered(lane, scope, body, receive), send)
        except ClientDisconnect:
            return
        except ArpadError as error:
            with suppress(ClientDisconnect):
                await self._refuse(scope, error, receive, send)
        finally:
            self.held -= sum(map(len, body))

    async def _read(self, scope: Scope, receive: Receive, body: list[bytearray]) -> None:
        """Collect the body in pieces, up to its own limit and to the one that all bodies share."""
        most = _largest_body(scope)
        if _announced(scope) > most:
            raise TooLarge(most)
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            piece, more = message.get("body", b""), message.get("more_body", False)
            size += len(piece)
            self.held += len(piece)
            if body and len(body[-1]) + len(piece) <= PIECE:  # it may come byte by byte
                body[-1] += piece
            elif piece:
                body.append(bytearray(piece))
            if size > most:
                raise TooLarge(most)
            if piece and self.held > MOST_HELD:
                raise QueueFull

    async def _answered(self, lane: LaneName, scope: Scope, body: Sequence[bytearray], receive: Receive) -> HttpReply:
        """The reply of a worker, or of this process if it has none."""
        pool = pool_of(scope)
        if pool is None:
            return await answered_here(self.app, scope, body, scope["app"].state.settings.seconds)
        return await _unless_client_leaves(pool.answer(lane, scope, body), receive)

    async def _refuse(self, scope: Scope, error: ArpadError, receive: Receive, send: Send) -> None:
        """Reply with an error: a page made by a worker if somebody reads it and one is free, otherwise JSON."""
        if isinstance(error, Busy | TooLarge) and not _for_programs(route_of(scope)):
            with suppress(Busy):
                await _send(await self._answered("light", {**scope, "refused": error}, (), receive), send)
                return
        await _refused(scope, error, receive, send)


async def _refused(scope: Scope, error: ArpadError, receive: Receive, send: Send, status: int = REFUSED) -> None:
    with answering(scope, "api"):
        await refusal(error, status)(scope, receive, send)


def lane_of(scope: Scope, size: int) -> LaneName | None:
    """Where a request with a body of this size is answered: by a worker, or here, in less than a millisecond (None)."""
    route, query = route_of(scope), scope["query_string"]
    if route.startswith(HERE):
        return None
    if size + len(query) > LONG or (size and "tournament" in route) or not _slow_words().isdisjoint(WORD.split(route)):
        return "heavy"
    is_quick = scope["method"] == "GET" and route.startswith(f"{ROOT}/") and route.rpartition("/")[2] in QUICK
    return None if is_quick and len(query) <= SHORT and not LOOKS_UP.search(query) else "light"


@cache
def _slow_words() -> frozenset[str]:
    """What the address of slow work has in it: the name of a slow question, or the ending of a picture."""
    return frozenset({"svg", "png", "batch", *(name for name, spec in questions_at("api").items() if spec.slow)})


def _check_host(scope: Scope, hosts: frozenset[str]) -> None:
    """Refuse a host that is not ours: another site may have pointed its own name at this server."""
    if "*" in hosts:
        return
    host = next((str(value, "latin-1") for name, value in scope["headers"] if name == b"host"), "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name.lower() not in hosts:
        raise WrongHost(host)


def _largest_body(scope: Scope) -> int:
    """The largest body an address accepts."""
    path = route_of(scope)
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


def _for_programs(route: str) -> bool:
    """Whether an address is asked for by programs and scripts, not read by people."""
    return route.startswith("/api/") or route.endswith((".json", ".svg", ".png"))


def _whole(body: Sequence[bytearray], then: Receive) -> Receive:
    """A body that was read, to be received again, and then whatever comes from the client."""
    unread = True

    async def receive() -> Message:
        nonlocal unread
        if unread:
            unread = False
            return {"type": "http.request", "body": b"".join(body), "more_body": False}
        return await then()

    return receive


async def _send(reply: HttpReply, send: Send) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
    for piece in reply.body:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body"})


async def _unless_client_leaves(working: Awaitable[HttpReply], client: Receive) -> HttpReply:
    """The reply; if the client hangs up first, the work is cancelled, and its worker is free."""

    async def left() -> None:
        while (await client())["type"] != "http.disconnect":  # it has sent its whole request before
            pass

    doing, leaving = asyncio.ensure_future(working), asyncio.ensure_future(left())
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise ClientDisconnect
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()
        await asyncio.wait((doing, leaving))


class Finish(Layer):
    """Makes replies complete: no fault reaches a user but as a reply, and answers have ETags.

    A client that has an answer already gets 304.
    """

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply once its body is complete, or an error instead."""
        start: Message | None = None

        async def sent(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message  # held until its body is there
                return
            if start is not None:
                if not message.get("more_body"):
                    start, message = _finished(scope, start, message)
                await send(start)
                start = None
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except MemoryError:
            raise  # whoever runs the application says so
        except ArpadError as error:
            await _refused(scope, error, receive, send)
        except Exception as fault:  # noqa: BLE001  # whatever it is, it is logged and said
            FAULTS.error("A bug in Arpad at %r", scope["path"], exc_info=fault)
            said = ArpadError(say("web.bug", kind=type(fault).__name__))
            await _refused(scope, said, receive, send, BROKEN)


def _finished(scope: Scope, start: Message, body: Message) -> tuple[Message, Message]:
    """A complete reply, as it is sent."""
    headers = MutableHeaders(raw=list(start["headers"]))
    content = body.get("body", b"")
    if len(content) > LARGEST_ANSWER:
        raise BadInput(say("web.answer_too_large", size=len(content), most=LARGEST_ANSWER))
    status = start["status"]
    if status == GOOD and scope["method"] in ("GET", "HEAD") and "no-store" not in headers.get("cache-control", ""):
        headers.setdefault("etag", f'W/"{hashlib.sha256(content).hexdigest()[:24]}"')  # a file has one
        headers.setdefault("cache-control", _cache_control(scope))
        # Weak and strong tags compare as equal, as in RFC 9110.
        known = [tag.strip().removeprefix("W/") for tag in Headers(scope=scope).get("if-none-match", "").split(",")]
        if "*" in known or headers["etag"].removeprefix("W/") in known:
            del headers["content-length"]
            status, content = NOT_MODIFIED, b""
    if status == NOT_MODIFIED:
        headers.add_vary_header("Accept-Encoding")  # like the reply it stands for
    return {**start, "status": status, "headers": headers.raw}, {**body, "body": content}


def _cache_control(scope: Scope) -> str:
    """How long an answer may be cached: longer if its address names a day and no player of a rating list."""
    path, query = route_of(scope), scope.get("query_string", b"")
    if not path.startswith(f"{ROOT}/") or path.startswith(f"{ROOT}/lists/"):
        return REVALIDATE
    return DATED if DAY.search(query) and not LOOKS_UP.search(query) else REVALIDATE
