"""Replies over HTTP: the same JSON shape for answers and errors, the right status, the request's language."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import URL
from starlette.responses import Response

from arpad.calculation.serialise import failure
from arpad.errors import ArpadError, BadInput, Busy
from arpad.messages import languages, preferred, say, section, speaking, voice

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
NOT_FOUND, WRONG_METHOD, TOO_LARGE, WRONG_TYPE = 404, 405, 413, 415
MISDIRECTED, REFUSED, BROKEN, BUSY = 421, 422, 500, 503
_SCOPE: ContextVar[Scope | None] = ContextVar("scope", default=None)  # the request that is being answered


def dumps(content: object) -> bytes:
    """JSON as bytes; half a surrogate pair, which JSON allows but UTF-8 does not, is escaped."""
    if _fast_dumps is not None:
        try:
            return _fast_dumps(content)
        except TypeError:
            pass
    try:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(content).encode()


class Json(Response):
    """A JSON object."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """The content as JSON."""
        return dumps(content)


class TooLarge(BadInput):
    """The body of a request is larger than its address accepts."""

    def __init__(self, most: int) -> None:
        super().__init__(say("web.too_large", most=most), at="body")


class WrongContentType(BadInput):
    """A body of a content type that the address does not take."""


class WrongHost(BadInput):
    """A host that is not ours: another site may have pointed its own name at this server."""

    def __init__(self, host: str) -> None:
        super().__init__(say("web.wrong_host", host=host[:100]), at="host")


STATUSES = {Busy: BUSY, TooLarge: TOO_LARGE, WrongContentType: WRONG_TYPE, WrongHost: MISDIRECTED}


def status_of(error: ArpadError, status: int = REFUSED) -> int:
    """The status of an error: that of its kind, otherwise as given."""
    return next((found for kind, found in STATUSES.items() if isinstance(error, kind)), status)


class ProblemReply(Json):
    """An error."""

    media_type = "application/problem+json"


def refusal(
    error: ArpadError, status: int = REFUSED, headers: Mapping[str, str] | None = None, *, pointer: str | None = None
) -> ProblemReply:
    """An error as a reply."""
    found = status_of(error, status)
    return ProblemReply(problem(error, found, pointer=pointer), found, dict(headers or {}))


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


def wrong_method(method: str, allowed: Iterable[str]) -> ArpadError:
    """The error that an address does not take this method, naming those it takes."""
    return BadInput(say("web.wrong_method", method=method[:20], allowed=list(allowed)), at="path")


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
    if scope is None:
        return ""
    url = URL(scope=scope)
    return f"{url.scheme}://{url.netloc}"


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
