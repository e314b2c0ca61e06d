"""Around all routes: limits on what is asked, and no traceback to anybody."""

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

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 256 * 1024
LARGEST_FILE = 8 * 1024 * 1024  # for the addresses that take a tournament's file or a paste
FAULTS = logging.getLogger("arpad.faults")


class _WrongHost(Exception):
    """The request names a host that this server is not."""


class _TooLarge(Exception):
    """The body passed the limit while it was read."""


class RequestLimits(Layer):
    """An application with limits around another; `too_large` has the pages that say it themselves, by their address."""

    def __init__(
        self,
        app: ASGIApp,
        too_large: Mapping[str, Callable[[Scope], Response]] | None = None,
        hosts: Sequence[str] = ("*",),
    ) -> None:
        super().__init__(app)
        self.too_large = too_large or {}
        self.hosts = frozenset(hosts)

    async def request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The reply, or what is said instead."""
        if not scope["query_string"].isascii():  # what no address may have, and not every library reads
            scope["query_string"] = quote(scope["query_string"], safe=punctuation).encode()
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            _check_host(scope, self.hosts)
            most = _most(scope)
            _check(_announced(scope), most)
            with listening_to(receive):
                await self.app(scope, _limited(receive, most), sent)
        except ClientDisconnect:
            return  # nobody is there to be answered
        except Exception as problem:  # no traceback reaches a user
            if begun:
                raise
            await self._refused(scope, problem)(scope, receive, send)

    def _refused(self, scope: Scope, problem: Exception) -> Response:
        """What is said instead of a reply."""
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
                    FAULTS.error("A bug in Arpad at %s", scope["path"], exc_info=problem)
                    return refusal(ArpadError(say("web.bug", kind=type(problem).__name__)), BROKEN)


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
    takes_file = not path.startswith("/api/") or path.endswith(_with_file())  # a page takes a tournament or a paste
    return LARGEST_FILE if takes_file else LARGEST_BODY


@cache
def _with_file() -> tuple[str, ...]:
    """How the addresses of the questions end that take a tournament's file or a paste."""
    specs = questions_at("api").values()
    files = [spec for spec in specs if any(one.longest >= LONGEST_FILE for one in spec.fields_at("api").values())]
    return tuple(f"/{spec.name}" for spec in (*files, spec_of("paste")))


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
