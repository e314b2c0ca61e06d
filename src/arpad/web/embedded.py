"""The application inside a browser: a request comes in as plain values, and its reply goes out as plain values.

There is no server there: a service worker hands the page's requests to a web worker, which asks here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from starlette.formparsers import MultiPartParser

from arpad.web import pages
from arpad.web.app import create_app
from arpad.web.envelope import POLICY
from arpad.web.limits import LARGEST_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.applications import Starlette
    from starlette.types import Message

# A page may start workers of its own origin and name its manifest; WebAssembly is compiled in the worker alone.
SITE_POLICY = f"{POLICY}; manifest-src 'self'; worker-src 'self'"


class PlainReply(NamedTuple):
    """What goes back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


def create_site(build: str, language: str = "en") -> Starlette:
    """The application for the static site of a build; its pages carry what makes them installable."""
    MultiPartParser.spool_max_size = LARGEST_FILE  # larger parts would go to a file by a thread, and there is none
    shown = {"build": build, "policy": _in_a_page(SITE_POLICY), "can_draw": lambda: False}  # the page's script draws
    pages.templates().globals.update(shown)
    return create_app(language=language)


def _in_a_page(policy: str) -> str:
    """A policy as a page itself may state it: who may frame it is for a host to say."""
    return "; ".join(part for part in policy.split("; ") if not part.startswith("frame-ancestors"))


async def respond(
    app: Starlette,
    method: str,
    path: str,
    query: str = "",
    *,
    root: str = "",
    scheme: str = "https",
    headers: Iterable[tuple[str, str]] = (),
    body: bytes = b"",
) -> PlainReply:
    """The reply to a request, whose path includes the root that the site is under."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": scheme,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": root,
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
        "client": None,
        "server": None,
    }
    await app(scope, receive, send)
    start, *parts = sent
    found = [(str(name, "latin-1"), str(value, "latin-1")) for name, value in start["headers"]]
    policy = [("content-security-policy", SITE_POLICY)]
    return PlainReply(
        start["status"],
        [(name, value) for name, value in found if name != "content-security-policy"] + policy,
        b"".join(part.get("body", b"") for part in parts),
    )
