"""Around all routes: limits, security headers, the access log, and no traceback to anybody."""

from __future__ import annotations

import logging
from ipaddress import ip_address
from string import punctuation
from time import localtime, perf_counter, strftime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import uuid4

from starlette._utils import get_route_path
from starlette.requests import ClientDisconnect

from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.web import metrics
from arpad.web.replies import BROKEN, BUSY, MISDIRECTED, TOO_LARGE, refusal
from arpad.web.runner import listening_to
from arpad.web.voices import answering
from arpad.web.workers import longest_here

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_ID = 64  # characters of a request's ID
LARGEST_BODY = 256 * 1024
LARGEST_FILE = 8 * 1024 * 1024  # for the addresses that take a tournament's file or a paste
WITH_FILE = ("/event", "/norms", "/standings", "/ties", "/paste")
ACCESS = logging.getLogger("arpad.access")
FAULTS = logging.getLogger("arpad.faults")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
UNUSED = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone", "midi",
    "payment", "usb",
)  # fmt: skip  # what a browser offers to pages, and these do not want
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
FRAMED = "/embed"  # the one page that other sites may show in a frame
FRAMED_HEADERS = [
    (b"content-security-policy", POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").encode()),
    *(header for header in HEADERS if header[0] not in (b"content-security-policy", b"x-frame-options")),
]
SECURE = [(b"strict-transport-security", b"max-age=31536000")]  # a browser ignores it over plain HTTP
SOON = [(b"retry-after", b"2")]  # seconds, in which most lists are imported and most questions answered


class _WrongHost(Exception):
    """The request names a host that this server is not."""


class _TooLarge(Exception):
    """The body passed the limit while it was read."""


class RequestLimits:
    """An application with limits around another; `too_large` has the pages that say it themselves, by their address."""

    def __init__(
        self,
        app: ASGIApp,
        too_large: Mapping[str, Callable[[Scope], Response]] | None = None,
        hosts: Sequence[str] = ("*",),
    ) -> None:
        self.app = app
        self.too_large = too_large or {}
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if not scope["query_string"].isascii():  # what no address may have, and not every library reads
            scope["query_string"] = quote(scope["query_string"], safe=punctuation).encode()
        reply = _Reply(scope, send)
        try:
            _check_host(scope, self.hosts)
            most = _most(scope)
            _check(_announced(scope), most)
            with listening_to(receive):
                await self.app(scope, _limited(receive, most), reply.send)
        except ClientDisconnect:
            pass  # nobody is there to be answered
        except _WrongHost as host:
            wrong = BadInput(say("web.wrong_host", host=str(host)[:100]), at="host")
            await reply.instead(_refused(scope, wrong, MISDIRECTED), receive)
        except _TooLarge as limit:
            page = self.too_large.get(get_route_path(scope))
            large = BadInput(say("web.too_large", most=str(limit)), at="body")
            response = page(scope) if page else _refused(scope, large, TOO_LARGE)
            response.headers["connection"] = "close"
            await reply.instead(response, receive)
        except TimeoutError:
            slow = ArpadError(say("web.too_slow", seconds=int(longest_here())))
            await reply.instead(_refused(scope, slow, BUSY), receive)
        except MemoryError:
            much = ArpadError(say("web.too_much_memory"))
            await reply.instead(_refused(scope, much, BUSY), receive)
        except Exception as fault:  # noqa: BLE001  # no traceback reaches a user
            FAULTS.exception("A bug in Arpad at %s", scope["path"])
            bug = ArpadError(say("web.bug", kind=type(fault).__name__))
            await reply.instead(_refused(scope, bug, BROKEN), receive)
        finally:
            reply.log()


def _refused(scope: Scope, error: ArpadError, status: int) -> Response:
    with answering(scope, "api"):
        return refusal(error, status)


class _Reply:
    """The reply on its way: every one gets the headers, and is counted for the log."""

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

    async def instead(self, response: Any, receive: Receive) -> None:
        """Another reply, unless one has begun."""
        if self.status is None:
            await response(self.scope, receive, self.send)

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
        # Written as it came over the wire, with everything unprintable escaped, so that no line can be forged.
        path = raw.decode("ascii", "backslashreplace").encode("unicode_escape").decode("ascii").replace('"', "%22")
        when = strftime("%d/%b/%Y:%H:%M:%S %z", localtime())
        about = {"request": self.id, "seconds": round(seconds, 4), "client": host, "method": scope["method"]}
        about |= {"path": path, "status": self.status, "bytes": self.size}
        ACCESS.info(
            '%s - - [%s] "%s %s HTTP/%s" %s %d %s',
            host, when, scope["method"], path, scope.get("http_version", "1.1"), self.status or "-", self.size, self.id,
            extra={"about": about},
        )  # fmt: skip


def _client(scope: Scope) -> str:
    """Who asks; a proxy may say it, and what is no address is not written."""
    try:
        return str(ip_address((scope.get("client") or ("",))[0]))
    except ValueError:
        return "-"


def _request_id(scope: Scope) -> str:
    """The ID that the request came with, if it is a plain one; else a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and len(value) <= LONGEST_ID and value.replace(b"-", b"").isalnum():
            return str(value, "ascii")
    return uuid4().hex


def _check_host(scope: Scope, hosts: frozenset[str]) -> None:
    """Refuse a host that is not ours: a page of another site may have sent its reader here under its own name."""
    if "*" in hosts:
        return
    host = next((str(value, "latin-1") for name, value in scope["headers"] if name == b"host"), "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name.lower() not in hosts:
        raise _WrongHost(host)


def _most(scope: Scope) -> int:
    """The largest body that an address takes."""
    path = get_route_path(scope)
    takes_file = not path.startswith("/api/") or path.endswith(WITH_FILE)  # a page takes a tournament or a paste
    return LARGEST_FILE if takes_file else LARGEST_BODY


def _check(size: int, most: int) -> None:
    if size > most:
        raise _TooLarge(most)


def _announced(scope: Scope) -> int:
    """The body's length as the sender announces it; 0 if it does not."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


def _limited(receive: Receive, most: int) -> Receive:
    """What is received, up to the limit."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        _check(size, most)
        return message

    return limited
