"""What goes back over HTTP: one JSON shape for answers and errors, with the right status."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.responses import Response

from arpad.errors import ArpadError
from arpad.render import as_json, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

GOOD, NOT_FOUND, WRONG_METHOD, TOO_LARGE, REFUSED, BROKEN, BUSY = 200, 404, 405, 413, 422, 500, 503


class Json(Response):
    """A JSON object, with nothing kept by caches: the default day is today."""

    media_type = "application/json"

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


def not_possible(method: str, allowed: Iterable[str] = ()) -> Json:
    """That a place is not asked in this way, and in which it is."""
    headers = {"allow": ", ".join(allowed)} if allowed else None
    return refused(f"{method[:20]} is not possible here.", "path", WRONG_METHOD, headers)


def refusal(error: ArpadError, status: int = REFUSED) -> Json:
    """What was refused, and where."""
    return refused(error.message, error.at, status)
