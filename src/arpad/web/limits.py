"""Limits on every request; and no traceback ever reaches a user."""

from __future__ import annotations

import logging
from functools import cache
from string import punctuation
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette._utils import get_route_path
from starlette.requests import ClientDisconnect

from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.questions import questions_at, spec_of
from arpad.questions.tournaments import LONGEST_FILE
from arpad.web.layer import Layer
from arpad.web.replies import BROKEN, MISDIRECTED, TOO_LARGE, refusal
from arpad.web.runner import listening_to
from arpad.web.voices import answering
from arpad.web.workers import QueueFull

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 256 * 1024
MOST_HELD = 128 * 1024 * 1024  # bytes of all bodies together; a body takes several times its size to read
MOST_DIGITS = 20  # of a length; Python refuses to read very long numbers
LARGEST_FILE = 8 * 1024 * 1024  # for addresses that take a tournament file or a paste
FAULTS = logging.getLogger("arpad.faults")


class _WrongHost(Exception):
    """The request is addressed to a host that is not this server."""


class _TooLarge(Exception):
    """The body is larger than allowed."""


class RequestLimits(Layer):
    """Wraps an application with limits; `too_large` has the pages that report a large body themselves, by address."""

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
            return  # nobody is left to answer
        except Exception as problem:  # no traceback reaches a user
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
