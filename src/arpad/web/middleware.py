"""The gate in front of the application, and what completes its replies.

In the event loop `Gate` reads a request, hands it on, mostly to a worker, and sends the reply with the headers that
every reply has. Wherever the application runs, `completed` turns its faults into replies, adds ETags and compresses.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from secrets import token_hex
from string import punctuation
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.requests import ClientDisconnect
from starlette.responses import Response

from arpad.errors import ArpadError, BadInput, Busy
from arpad.messages import say
from arpad.questions import questions_at, spec_of
from arpad.questions.tournaments import LONGEST_FILE
from arpad.web.api import LONG, NAMES, QUICK, ROOT
from arpad.web.languages import in_language, led_elsewhere, varies
from arpad.web.monitoring import FAULTS, record
from arpad.web.replies import (
    BUSY,
    GOOD,
    LARGEST_ANSWER,
    NO_CONTENT,
    NOT_MODIFIED,
    TOO_LARGE,
    answering,
    header_of,
    refusal,
    route_of,
    status_of,
)
from arpad.web.workers import PIECE, THREADS, HttpReply, answered, limited, pool_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from arpad.web.settings import ServerSettings
    from arpad.web.workers import Headers, LaneName, Pieces

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
UNUSED = (  # features of browsers that our pages do not use
    b"accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), "
    b"midi=(), payment=(), usb=()"
)
FRAMED_HEADERS = {
    b"content-security-policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-embedder-policy": b"require-corp",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"x-permitted-cross-domain-policies": b"none",
    b"permissions-policy": UNUSED,
}
HEADERS = FRAMED_HEADERS | {b"content-security-policy": POLICY.encode(), b"x-frame-options": b"DENY"}
FRAMED = "/embed"  # the only page that other sites may show in a frame
SECURE = {b"strict-transport-security": b"max-age=31536000"}  # a browser ignores it over plain HTTP
# Seconds in which most imports and most questions are done; the rest of a large body goes with its connection.
BY_STATUS = {BUSY: {b"retry-after": b"2"}, TOO_LARGE: {b"connection": b"close"}}
OPEN = ("/api/", "/openapi.json")  # what pages of other sites may read, if they are among the allowed ones
EXPOSED = {b"access-control-expose-headers": b"etag, retry-after, x-request-id"}
ASKS_FIRST = b"access-control-request-method"  # a browser, before it sends such a request for another site
PREFLIGHT = {
    b"access-control-allow-methods": b"GET, POST",
    b"access-control-allow-headers": b"content-type, if-none-match, x-request-id",
    b"access-control-max-age": b"86400",
}
LONGEST_ID = 64  # characters of a request's ID
DATED = b"public, max-age=3600"  # the address names the day, so the answer changes only if we correct a rule
REVALIDATE = b"no-cache"  # the answer may change tomorrow: cached, but checked each time
SHORTEST_COMPRESSED = 1000  # bytes
COMPRESSED = (b"image/png", b"font/", b"application/zip")  # content types that do not get shorter
LARGEST_BODY = 256 * 1024
LARGEST_FILE = 8 * 1024 * 1024  # for addresses that take a tournament file or a paste
MOST_HELD = 128 * 1024 * 1024  # bytes of all bodies together; a body takes several times its size to read
MOST_DIGITS = 20  # of a length; Python refuses to read very long numbers
HERE = ("/health", "/ready", "/version", "/metrics", "/static/", "/script/")  # files and figures, never calculations
FOR_PROGRAMS = (".json", ".svg", ".png")  # endings of addresses that programs and scripts ask for
SHORT = 64  # characters of a question that the event loop answers
WORD, PORT = re.compile(r"[/.]"), re.compile(r":[0-9]+\Z")
# What may name a player, who has to be looked up: a rating begins with a digit, and what is escaped may be a name.
LOOKS_UP = re.compile(rf"%|(?:^|&)(?:{'|'.join(NAMES)})=[^0-9&]".encode())
DAY = re.compile(rb"(?:^|&)on=")


class Gate:
    """Reads a request, bounded by size, has it answered, and sends the reply with its headers and a line in the log."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.seconds = settings.seconds
        self.hosts = settings.allowed_hosts
        self.origins = frozenset(origin.encode() for origin in settings.origins)
        self.held = 0  # bytes of all bodies that are being read or answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # startup and shutdown
            await self.app(scope, receive, send)
            return
        scope, began, status, size = in_language(scope), perf_counter(), None, 0
        route, given = route_of(scope), header_of(scope, b"x-request-id")
        simple = len(given) <= LONGEST_ID and given.replace(b"-", b"").isalnum()
        request = given if simple else token_hex(16).encode()
        try:
            status, headers, body = await self._reply(scope, route, receive)
            size = sum(map(len, body))
            headers = self._with_ours(headers, scope, route, status)
            headers[b"x-request-id"] = request
            await send({"type": "http.response.start", "status": status, "headers": [*headers.items()]})
            *before, last = body or (b"",)
            for piece in before:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": last})
        except ClientDisconnect:
            pass
        finally:
            record(scope, request.decode(), status, size, perf_counter() - began)

    def _with_ours(self, headers: Headers, scope: Scope, route: str, status: int) -> Headers:
        """The headers of a reply with those that every reply to such a request has."""
        headers = {**headers, **(FRAMED_HEADERS if route == FRAMED else HEADERS), **BY_STATUS.get(status, {})}
        if route.startswith(OPEN):
            origin = b"*" if b"*" in self.origins else header_of(scope, b"origin")
            if origin in self.origins:
                headers |= {b"access-control-allow-origin": origin, **EXPOSED}
            if origin != b"*":
                _vary_by(headers, b"Origin")
        if varies(scope):
            _vary_by(headers, b"Accept-Language")
        if scope.get("scheme") == "https":
            headers |= SECURE
        return headers

    async def _reply(self, scope: Scope, route: str, receive: Receive) -> HttpReply:
        """The reply of the application, or an error instead."""
        if not scope["query_string"].isascii():  # not allowed in an address, and not every library copes
            scope["query_string"] = quote(scope["query_string"], safe=punctuation).encode()
        body: list[bytearray] = []
        try:
            if "*" not in self.hosts:  # another site may have pointed its own name at this server
                host = str(header_of(scope, b"host"), "latin-1")
                if PORT.sub("", host).lower() not in self.hosts:
                    raise BadInput(say("web.wrong_host", host=host[:100]), at="host")
            if scope["method"] == "OPTIONS" and route.startswith(OPEN) and header_of(scope, ASKS_FIRST):
                return HttpReply(NO_CONTENT, PREFLIGHT, ())
            elsewhere = led_elsewhere(scope)
            if elsewhere is not None:
                return _whole(elsewhere)
            await self._read(scope, route, receive, body)
            lane = lane_of(scope, sum(map(len, body)))
            if lane is None:
                return await completed(self.app, scope, b"".join(body))
            return await self._answered(lane, scope, body, receive)
        except ArpadError as error:
            for_people = not route.startswith("/api/") and not route.endswith(FOR_PROGRAMS)
            if for_people and status_of(error) in (BUSY, TOO_LARGE):
                with suppress(Busy):  # a page, if a worker is free to make one
                    return await self._answered("light", {**scope, "refused": error}, (), receive)
            return _refused(scope, error)
        finally:
            self.held -= sum(map(len, body))

    async def _read(self, scope: Scope, route: str, receive: Receive, body: list[bytearray]) -> None:
        """Collect the body in pieces, up to its own limit and to the one that all bodies share."""
        takes_file = not route.startswith("/api/") or route.endswith(_with_file())  # pages take tournaments or pastes
        most = LARGEST_FILE if takes_file else LARGEST_BODY
        announced = header_of(scope, b"content-length")
        if announced.isdigit() and (len(announced) > MOST_DIGITS or int(announced) > most):
            raise BadInput(say("web.too_large", most=most), at="body")
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
                raise BadInput(say("web.too_large", most=most), at="body")
            if piece and self.held > MOST_HELD:
                raise Busy(say("web.queue_full"))

    async def _answered(self, lane: LaneName, scope: Scope, body: Sequence[bytearray], receive: Receive) -> HttpReply:
        """The reply of a worker, which is stopped if the client hangs up first, or of this process if it has none."""
        pool = pool_of(scope)
        if pool is None:
            return await completed_here(self.app, scope, body, self.seconds)

        async def left() -> HttpReply:
            while (await receive())["type"] != "http.disconnect":  # it has sent its whole request before
                pass
            raise ClientDisconnect

        tasks = [asyncio.ensure_future(work) for work in (pool.answer(lane, scope, body), left())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return next(task for task in tasks if task.done()).result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


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


@cache
def _with_file() -> tuple[str, ...]:
    """The endings of the API's addresses that take a tournament file or a paste."""
    specs = questions_at("api").values()
    files = [spec for spec in specs if any(given.longest >= LONGEST_FILE for given in spec.fields_at("api").values())]
    return tuple(f"/{spec.name}" for spec in (*files, spec_of("paste")))


async def completed_here(app: ASGIApp, scope: Scope, body: Pieces, seconds: int) -> HttpReply:
    """The reply without workers: by a thread, which cannot be stopped, or in a browser at once."""
    working = completed(app, scope, b"".join(body))
    if not THREADS:
        return await working
    async with limited(seconds):
        return await asyncio.to_thread(asyncio.run, working)


async def completed(app: ASGIApp, scope: Scope, body: bytes) -> HttpReply:
    """The reply of the application as it is sent, wherever that runs; a fault reaches nobody but as a reply."""
    try:
        reply = await answered(app, scope, body)
    except MemoryError:
        raise  # whoever runs the application says so
    except ArpadError as error:
        return _refused(scope, error)
    except Exception as fault:  # noqa: BLE001  # whatever it is, it is logged and said
        FAULTS.error("A bug in Arpad at %r", scope["path"], exc_info=fault)
        return _refused(scope, ArpadError(say("web.bug", kind=type(fault).__name__)))
    size = sum(map(len, reply.body))
    if size > LARGEST_ANSWER:
        return _refused(scope, BadInput(say("web.answer_too_large", size=size, most=LARGEST_ANSWER)))
    return _compressed(scope, _tagged(scope, reply))


def _refused(scope: Scope, error: ArpadError) -> HttpReply:
    with answering(scope, "api"):
        return _whole(refusal(error))


def _whole(response: Response) -> HttpReply:
    return HttpReply(response.status_code, dict(response.raw_headers), (bytes(response.body),))


def _vary_by(headers: Headers, name: bytes) -> None:
    """Say that another request may get another reply because of a header."""
    headers[b"vary"] = headers[b"vary"] + b", " + name if b"vary" in headers else name


def _tagged(scope: Scope, reply: HttpReply) -> HttpReply:
    """An answer with its ETag and how long it may be kept; 304 for a client that has it already."""
    headers, kept = reply.headers, reply.headers.get(b"cache-control", b"")
    if reply.status != GOOD or scope["method"] not in ("GET", "HEAD") or b"no-store" in kept:
        return reply
    if not kept:  # longer if the address names a day, and no player of a rating list
        route, query = route_of(scope), scope["query_string"]
        is_dated = route.startswith(f"{ROOT}/") and DAY.search(query) and not LOOKS_UP.search(query)
        headers[b"cache-control"] = DATED if is_dated and not route.startswith(f"{ROOT}/lists/") else REVALIDATE
    if b"etag" not in headers:  # a file has one
        headers[b"etag"] = f'W/"{hashlib.sha256(b"".join(reply.body)).hexdigest()[:24]}"'.encode()
    # Weak and strong tags compare as equal, as in RFC 9110.
    known = [tag.strip().removeprefix(b"W/") for tag in header_of(scope, b"if-none-match").split(b",")]
    if b"*" not in known and headers[b"etag"].removeprefix(b"W/") not in known:
        return reply
    headers.pop(b"content-length", None)
    return HttpReply(NOT_MODIFIED, headers, ())


def _compressed(scope: Scope, reply: HttpReply) -> HttpReply:
    """A long reply in the form that takes fewer bytes, for a client that takes it."""
    headers, size = reply.headers, sum(map(len, reply.body))
    if reply.status == NOT_MODIFIED:
        _vary_by(headers, b"Accept-Encoding")  # like the reply it stands for
        return reply
    is_short = size < SHORTEST_COMPRESSED or headers.get(b"content-type", b"").startswith(COMPRESSED)
    if is_short or b"content-encoding" in headers or b"content-range" in headers:
        return reply
    _vary_by(headers, b"Accept-Encoding")
    if b"gzip" not in header_of(scope, b"accept-encoding"):
        return reply
    shorten = _shortened_once if "/static/" in scope["path"] else _shortened
    body = shorten(b"".join(reply.body))
    headers |= {b"content-length": b"%d" % len(body), b"content-encoding": b"gzip"}
    return HttpReply(reply.status, headers, (body,))


_shortened = partial(gzip.compress, compresslevel=5, mtime=0)
_shortened_once = lru_cache(maxsize=32)(_shortened)  # our own files, which the event loop sends
