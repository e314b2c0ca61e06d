"""What every reply gets: security headers, the ID of the request, and a line in the log."""

from __future__ import annotations

import logging
from ipaddress import ip_address
from time import localtime, perf_counter, strftime
from typing import TYPE_CHECKING
from uuid import uuid4

from starlette._utils import get_route_path

from arpad.web import metrics
from arpad.web.layer import Layer
from arpad.web.replies import BUSY

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

LONGEST_ID = 64  # characters of a request's ID
ACCESS = logging.getLogger("arpad.access")
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


class Envelope(Layer):
    """Wraps an application: every reply gets the headers and a line in the log."""

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
        # As it came over the wire, with everything unprintable escaped, so that nobody can forge a line.
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
    """The client's address, which a proxy may have set; `-` if it is not an address."""
    try:
        return str(ip_address((scope.get("client") or ("",))[0]))
    except ValueError:
        return "-"


def _request_id(scope: Scope) -> str:
    """The ID that came with the request if it is a simple one, or a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and len(value) <= LONGEST_ID and value.replace(b"-", b"").isalnum():
            return str(value, "ascii")
    return uuid4().hex
