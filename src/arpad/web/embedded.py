"""The application inside a browser: requests come in and replies go out as plain values.

There is no server: a service worker passes the page's requests to a web worker, which calls this module.
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

# A page may start workers from its own origin and name its manifest; only the worker compiles WebAssembly.
SITE_POLICY = f"{POLICY}; manifest-src 'self'; worker-src 'self'"


class PlainReply(NamedTuple):
    """A reply as plain values."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


def create_site(build: str, language: str = "en") -> Starlette:
    """The application for a build of the static site, whose pages can be installed."""
    MultiPartParser.spool_max_size = LARGEST_FILE  # a larger part would need a file and a thread
    shown = {"build": build, "policy": _in_a_page(SITE_POLICY), "can_draw": lambda: False}  # the page's script draws
    pages.templates().globals.update(shown)
    return create_app(language=language)


def _in_a_page(policy: str) -> str:
    """A policy as a page can state it; only a host can say who may frame the page."""
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
    """The reply to a request; the path includes the root of the site."""
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
