"""The gate in front of the application, and what completes its replies.

In the event loop `Gate` reads a request, hands it on, mostly to a worker, and sends the reply with the headers that
every reply has. Wherever the application runs, `completed` turns its faults into replies, adds ETags and compresses.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import logging
import re
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from secrets import token_hex
from string import punctuation
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.requests import ClientDisconnect

from arpad.errors import ArpadError, BadInput, Busy
from arpad.messages import say
from arpad.questions import questions_at, spec_of
from arpad.questions.tournaments import LONGEST_FILE
from arpad.web import metrics
from arpad.web.api import LONG, NAMES, QUICK, ROOT
from arpad.web.languages import in_language, led_elsewhere, varies
from arpad.web.log import log_request
from arpad.web.replies import (
    BROKEN,
    BUSY,
    GOOD,
    LARGEST_ANSWER,
    NO_CONTENT,
    NOT_MODIFIED,
    REFUSED,
    TOO_LARGE,
    TooLarge,
    WrongHost,
    answering,
    header_of,
    refusal,
    route_of,
)  # fmt: skip
from arpad.web.workers import PIECE, THREADS, HttpReply, QueueFull, answered, pool_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from arpad.web.settings import ServerSettings
    from arpad.web.workers import Headers, LaneName, Pieces

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
BY_ENCODING, BY_ORIGIN, BY_LANGUAGE = (b"vary", b"Accept-Encoding"), (b"vary", b"Origin"), (b"vary", b"Accept-Language")
OPEN = ("/api/", "/openapi.json")  # what pages of other sites may read, if they are among the allowed ones
EXPOSED = (b"access-control-expose-headers", b"etag, retry-after, x-request-id")
ANY_ORIGIN = [(b"access-control-allow-origin", b"*"), EXPOSED]
ASKS_FIRST = b"access-control-request-method"  # a browser, before it sends such a request for another site
PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"content-type, if-none-match, x-request-id"),
    (b"access-control-max-age", b"86400"),
]
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
SHORT = 64  # characters of a question that the event loop answers
WORD = re.compile(r"[/.]")
# What may name a player, who has to be looked up: a rating begins with a digit, and what is escaped may be a name.
LOOKS_UP = re.compile(rf"%|(?:^|&)(?:{'|'.join(NAMES)})=[^0-9&]".encode())
DAY = re.compile(rb"(?:^|&)on=")


class Gate:
    """Reads a request, bounded by size, has it answered, and sends the reply with its headers and a line in the log."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self.app = app
        self.settings = settings
        self.hosts = frozenset(settings.allowed_hosts)
        self.held = 0  # bytes of all bodies that are being read or answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # startup and shutdown
            await self.app(scope, receive, send)
            return
        scope, began, status, size = in_language(scope), perf_counter(), None, 0
        given = header_of(scope, b"x-request-id")
        simple = len(given) <= LONGEST_ID and given.replace(b"-", b"").isalnum()
        request = given if simple else token_hex(16).encode()
        try:
            status, headers, body = await self._reply(scope, receive)
            size = sum(map(len, body))
            headers = [*headers, *self._headers_for(scope, status), (b"x-request-id", request)]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            *before, last = body or (b"",)
            for piece in before:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": last})
        except ClientDisconnect:
            pass
        finally:
            seconds = perf_counter() - began
            metrics.count(scope, status, seconds)
            log_request(scope, request.decode(), status, size, seconds)

    def _headers_for(self, scope: Scope, status: int) -> Headers:
        """The headers that every reply to such a request has."""
        route = route_of(scope)
        headers = list(FRAMED_HEADERS if route == FRAMED else HEADERS)
        if route.startswith(OPEN):
            origin = header_of(scope, b"origin")
            if "*" in self.settings.origins:
                headers += ANY_ORIGIN
            elif str(origin, "latin-1") in self.settings.origins:
                headers += [(b"access-control-allow-origin", origin), EXPOSED, BY_ORIGIN]
            else:
                headers.append(BY_ORIGIN)
        if varies(scope):
            headers.append(BY_LANGUAGE)
        if scope.get("scheme") == "https":
            headers += SECURE
        return headers + (SOON if status == BUSY else CLOSE if status == TOO_LARGE else [])

    async def _reply(self, scope: Scope, receive: Receive) -> HttpReply:
        """The reply of the application, or an error instead."""
        if not scope["query_string"].isascii():  # not allowed in an address, and not every library copes
            scope["query_string"] = quote(scope["query_string"], safe=punctuation).encode()
        body: list[bytearray] = []
        try:
            _check_host(scope, self.hosts)
            if scope["method"] == "OPTIONS" and route_of(scope).startswith(OPEN) and header_of(scope, ASKS_FIRST):
                return HttpReply(NO_CONTENT, PREFLIGHT, ())
            elsewhere = led_elsewhere(scope)
            if elsewhere is not None:
                return HttpReply(elsewhere.status_code, elsewhere.raw_headers, ())
            await self._read(scope, receive, body)
            lane = lane_of(scope, sum(map(len, body)))
            if lane is None:
                return await completed(self.app, scope, b"".join(body))
            return await self._answered(lane, scope, body, receive)
        except ArpadError as error:
            if isinstance(error, Busy | TooLarge) and not _for_programs(route_of(scope)):
                with suppress(Busy):  # a page, if a worker is free to make one
                    return await self._answered("light", {**scope, "refused": error}, (), receive)
            return _refused(scope, error)
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
            return await completed_here(self.app, scope, body, self.settings.seconds)
        return await _unless_client_leaves(pool.answer(lane, scope, body), receive)


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
    host = str(header_of(scope, b"host"), "latin-1")
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
    length = header_of(scope, b"content-length")
    return int(length.lstrip(b"0")[:MOST_DIGITS] or b"0") if length.isdigit() else 0


def _for_programs(route: str) -> bool:
    """Whether an address is asked for by programs and scripts, not read by people."""
    return route.startswith("/api/") or route.endswith((".json", ".svg", ".png"))


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


async def completed_here(app: ASGIApp, scope: Scope, body: Pieces, seconds: int) -> HttpReply:
    """The reply without workers: by a thread, which cannot be stopped, or in a browser at once."""
    answering = completed(app, scope, b"".join(body))
    if not THREADS:
        return await answering
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.to_thread(asyncio.run, answering)
    except TimeoutError:
        raise Busy(say("web.too_slow", seconds=seconds)) from None
    except MemoryError:
        raise Busy(say("web.too_much_memory")) from None


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
        return _refused(scope, ArpadError(say("web.bug", kind=type(fault).__name__)), BROKEN)
    size = sum(map(len, reply.body))
    if size > LARGEST_ANSWER:
        return _refused(scope, BadInput(say("web.answer_too_large", size=size, most=LARGEST_ANSWER)))
    return _compressed(scope, _tagged(scope, reply))


def _refused(scope: Scope, error: ArpadError, status: int = REFUSED) -> HttpReply:
    with answering(scope, "api"):
        reply = refusal(error, status)
    return HttpReply(reply.status_code, reply.raw_headers, (bytes(reply.body),))


def _tagged(scope: Scope, reply: HttpReply) -> HttpReply:
    """An answer with its ETag and how long it may be kept; 304 for a client that has it already."""
    if reply.status == NOT_MODIFIED:  # of a file
        return reply._replace(headers=[*reply.headers, BY_ENCODING])
    has = dict(reply.headers)
    kept = has.get(b"cache-control", b"")
    if reply.status != GOOD or scope["method"] not in ("GET", "HEAD") or b"no-store" in kept:
        return reply
    tag = has.get(b"etag") or _tag(reply.body)  # a file has one
    headers = [pair for pair in reply.headers if pair[0] not in (b"etag", b"cache-control")]
    headers += [(b"etag", tag), (b"cache-control", kept or _cache_control(scope))]
    # Weak and strong tags compare as equal, as in RFC 9110.
    known = [other.strip().removeprefix(b"W/") for other in header_of(scope, b"if-none-match").split(b",")]
    if b"*" not in known and tag.removeprefix(b"W/") not in known:
        return HttpReply(GOOD, headers, reply.body)
    headers = [pair for pair in headers if pair[0] != b"content-length"]
    return HttpReply(NOT_MODIFIED, [*headers, BY_ENCODING], ())  # varies like the reply it stands for


def _tag(body: Pieces) -> bytes:
    return f'W/"{hashlib.sha256(b"".join(body)).hexdigest()[:24]}"'.encode()


def _compressed(scope: Scope, reply: HttpReply) -> HttpReply:
    """A long reply in the form that takes fewer bytes, for a client that takes it."""
    has = dict(reply.headers)
    is_short = sum(map(len, reply.body)) < SHORTEST_COMPRESSED or has.get(b"content-type", b"").startswith(COMPRESSED)
    if is_short or b"content-encoding" in has or b"content-range" in has:
        return reply
    if b"gzip" not in header_of(scope, b"accept-encoding"):
        return HttpReply(reply.status, [*reply.headers, BY_ENCODING], reply.body)
    whole = b"".join(reply.body)
    body = _file_shortened(whole) if "/static/" in scope["path"] else _shortened(whole)
    headers = [pair for pair in reply.headers if pair[0] != b"content-length"]
    more = [(b"content-length", b"%d" % len(body)), (b"content-encoding", b"gzip"), BY_ENCODING]
    return HttpReply(reply.status, headers + more, (body,))


def _shortened(body: bytes) -> bytes:
    return gzip.compress(body, 5, mtime=0)


@lru_cache(maxsize=32)
def _file_shortened(file: bytes) -> bytes:
    """One of our own files, which the event loop sends: compressed once, not for each visitor."""
    return _shortened(file)


def _cache_control(scope: Scope) -> bytes:
    """How long an answer may be cached: longer if its address names a day and no player of a rating list."""
    path, query = route_of(scope), scope.get("query_string", b"")
    if not path.startswith(f"{ROOT}/") or path.startswith(f"{ROOT}/lists/"):
        return REVALIDATE
    return DATED if DAY.search(query) and not LOOKS_UP.search(query) else REVALIDATE
