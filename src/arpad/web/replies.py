"""Replies over HTTP: the same JSON shape for answers and errors, the right status, the request's language."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import URL
from starlette.responses import Response

from arpad.calculation.serialise import failure
from arpad.errors import ArpadError, Busy
from arpad.messages import languages, preferred, section, speaking, voice

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Scope

    from arpad.messages import Voice

try:
    from orjson import dumps as _fast_dumps
except ImportError:  # orjson is only faster
    _fast_dumps = None  # type: ignore[assignment]

LARGEST_ANSWER = 32 * 1024 * 1024  # bytes
GOOD, NO_CONTENT, NOT_MODIFIED = 200, 204, 304
NOT_FOUND, WRONG_METHOD, TOO_LARGE, REFUSED, BUSY = 404, 405, 413, 422, 503
STATUSES = {"too-large": TOO_LARGE, "wrong-content-type": 415, "wrong-host": 421, "internal-error": 500}  # by code
_SCOPE: ContextVar[Scope | None] = ContextVar("scope", default=None)  # the request that is being answered


def dumps(content: object) -> bytes:
    """JSON as bytes; half a surrogate pair, which JSON allows but UTF-8 does not, is escaped."""
    if _fast_dumps is not None:
        with suppress(TypeError):
            return _fast_dumps(content)
    return json.dumps(content, separators=(",", ":")).encode()


class Json(Response):
    """A JSON object."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """The content as JSON."""
        return dumps(content)


def status_of(error: ArpadError, status: int = REFUSED) -> int:
    """The status of an error: that of its code, otherwise as given."""
    return BUSY if isinstance(error, Busy) else STATUSES.get(error.code, status)


def refusal(
    error: ArpadError, status: int = REFUSED, headers: Mapping[str, str] | None = None, *, pointer: str | None = None
) -> Json:
    """An error as a reply."""
    found = status_of(error, status)
    return Json(problem(error, found, pointer=pointer), found, headers, "application/problem+json")


def problem(error: ArpadError, status: int, *, pointer: str | None = None) -> dict[str, object]:
    """An error as in RFC 9457, with our own members before the standard ones; its type leads to the page about the API.

    `pointer` leads to the part of the body that the error is about; None if that is not in the body.
    """
    said = failure(error)
    root = plain_root((_SCOPE.get() or {}).get("root_path", ""))  # the type is the same in all languages
    return {
        **said,
        "pointer": "" if error.at == "body" else pointer,  # the empty pointer is the whole body
        "type": f"{root}/api#{error.code}",
        "title": section(voice().language, "errors.code")[error.code],
        "status": status,
        "detail": said["error"],
    }


@contextmanager
def answering(scope: Scope, door: str) -> Iterator[Voice]:
    """Word everything in the language of the request meanwhile, as a door (`api` or `page`) says it."""
    before = _SCOPE.set(scope)
    try:
        with speaking(language_of(scope, door), door=door) as speaker:
            yield speaker
    finally:
        _SCOPE.reset(before)


def plain_root(root: str) -> str:
    """The prefix of the server's addresses without the language."""
    before, _, last = root.rpartition("/")
    return before if last in languages() else root


def here() -> str:
    """The path of the request that is being answered, below the prefix of the server's addresses."""
    scope = _SCOPE.get()
    return "/" if scope is None else quote(route_of(scope))


def origin() -> str:
    """The scheme and host of the request that is being answered."""
    scope = _SCOPE.get()
    return "" if scope is None else str(URL(scope=scope).replace(path="", query=""))


def language_of(scope: Scope, door: str) -> str:
    """The language of a request: as its path says, as an API's client prefers, or the server's."""
    asked: str | None = scope.get("language")
    if asked is None and door == "api":
        asked = preferred(str(header_of(scope, b"accept-language"), "latin-1"))
    own: str = scope["app"].state.language
    return asked or own


def route_of(scope: Scope) -> str:
    """The path of a request below the prefix of the server's addresses."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    below = path.removeprefix(root)
    return below if below[:1] in ("", "/") else path


def header_of(scope: Scope, name: bytes) -> bytes:
    """A header of a request; empty if it has none of that name."""
    return next((value for given, value in scope["headers"] if given == name), b"")


async def sent_by(request: Request) -> bytes:
    """What was sent: the body of a POST, otherwise the query. What the server refused before is raised here."""
    refused: ArpadError | None = request.scope.get("refused")
    if refused is not None:
        raise refused
    query: bytes = request.scope["query_string"]
    return await request.body() if request.method == "POST" else query
