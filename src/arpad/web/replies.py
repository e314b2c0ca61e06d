"""What goes back over HTTP: one JSON shape for answers and errors, with the right status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from starlette.responses import Response

from arpad.calculation.explain import as_json, failure
from arpad.errors import ArpadError, Busy

if TYPE_CHECKING:
    from collections.abc import Iterable

GOOD, NOT_FOUND, WRONG_METHOD, TOO_LARGE, REFUSED, BROKEN, BUSY = 200, 404, 405, 413, 422, 500, 503
SOON = {"retry-after": "2"}  # seconds, in which most lists are imported
TYPE = (b"content-type", b"application/json")


class Json(Response):
    """A JSON object, with nothing kept by caches: the default day is today."""

    media_type = "application/json"

    def __init__(self, content: Any, status: int = GOOD, headers: dict[str, str] | None = None) -> None:
        # What every answer has is written down at once; the framework would work it out for each.
        self.body = self.render(content)
        self.status_code = status
        self.background = None
        more = [(name.encode(), text.encode()) for name, text in headers.items()] if headers else []
        self.raw_headers = [(b"content-length", b"%d" % len(self.body)), TYPE, *more]

    def render(self, content: Any) -> bytes:
        try:
            return orjson.dumps(content, default=as_json)
        except TypeError:
            # Half of a surrogate pair, which JSON may carry and UTF-8 may not.
            import json

            return json.dumps(content, default=as_json).encode()


def refused(message: str, at: str | None, status: int = REFUSED, headers: dict[str, str] | None = None) -> Json:
    """An error in its one shape."""
    return Json(failure(message, at), status, headers)


def not_possible(method: str, allowed: Iterable[str]) -> Json:
    """That a place is not asked in this way, and in which it is."""
    ways = ", ".join(allowed)
    return refused(wrong_method(method, ways), "path", WRONG_METHOD, {"allow": ways})


def wrong_method(method: str, allowed: str) -> str:
    """The sentence about a method that a place does not take."""
    return f"{method[:20]} is not possible here; {f'ask with {allowed}' if allowed else 'the API says what is'}."


def status_of(error: ArpadError) -> int:
    """The status of a refusal: the asker's doing, or something that the server cannot do just now."""
    return BUSY if isinstance(error, Busy) else REFUSED


def refusal(error: ArpadError, status: int | None = None) -> Json:
    """What was refused, and where; a file of the server's own has no place that the asker knows."""
    if isinstance(error, Busy):
        return refused(error.message, None, BUSY, SOON)
    return refused(error.message, error.at, status or REFUSED)
