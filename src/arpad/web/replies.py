"""Replies over HTTP: the same JSON shape for answers and errors, with the right status, in the server's language."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from starlette.responses import Response

from arpad.calculation.serialise import failure
from arpad.errors import ArpadError, BadInput, Busy
from arpad.messages import say, speaking

if TYPE_CHECKING:
    from starlette.types import Scope

    from arpad.messages import Voice

try:
    from orjson import dumps as _fast_dumps
except ImportError:  # orjson is only faster
    _fast_dumps = None  # type: ignore[assignment]

GOOD, NOT_FOUND, WRONG_METHOD, TOO_LARGE, MISDIRECTED, REFUSED, BROKEN, BUSY = 200, 404, 405, 413, 421, 422, 500, 503


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


def status_of(error: ArpadError, status: int = REFUSED) -> int:
    """The status of an error: 503 if the server is busy, otherwise as given."""
    return BUSY if isinstance(error, Busy) else status


def refusal(error: ArpadError, status: int = REFUSED, headers: Mapping[str, str] | None = None) -> Json:
    """An error as a reply."""
    return Json(failure(error), status_of(error, status), dict(headers or {}))


def wrong_method(method: str, allowed: Iterable[str]) -> ArpadError:
    """The error that an address does not take this method, naming those it takes."""
    return BadInput(say("web.wrong_method", method=method[:20], allowed=list(allowed)), at="path")


def answering(scope: Scope, door: str) -> AbstractContextManager[Voice]:
    """Word everything in the server's language meanwhile, as a door (`api` or `page`) says it."""
    return speaking(scope["app"].state.language, door=door)
