"""JSON over HTTP: by `orjson` where it is installed, otherwise by the standard library, with the same outcome."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from arpad.calculation.explain import as_json

if TYPE_CHECKING:
    from types import ModuleType

orjson: ModuleType | None
try:
    import orjson
except ImportError:  # only speed is lost
    orjson = None


def dumps(content: Any) -> bytes:
    """A value as JSON; exact decimals become strings."""
    if orjson is not None:
        # Half of a surrogate pair, which JSON may carry and UTF-8 may not, is left to the standard library's escapes.
        with suppress(TypeError):
            return cast("bytes", orjson.dumps(content, default=as_json))
    return json.dumps(content, default=as_json, separators=(",", ":")).encode()


def loads(sent: bytes) -> Any:
    """The value that some JSON holds; anything else is a ValueError that says where."""
    if orjson is not None:
        return orjson.loads(sent)
    try:
        return json.loads(sent.decode(), parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _refuse(name: str) -> None:
    """NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(f"{name} is not JSON")
