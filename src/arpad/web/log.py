"""The log of a server and its workers on standard error: a line for each request, as text or JSON, and warnings."""

from __future__ import annotations

import json
import logging
from time import localtime, strftime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import Scope

    from arpad.web.settings import ServerSettings

ACCESS = logging.getLogger("arpad.access")


def logging_of(settings: ServerSettings, *filters: type[logging.Filter]) -> dict[str, Any]:
    """Logging to standard error: warnings from libraries, and a line for each request."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {"format": "%(message)s"},
            "json": {"()": JsonLine},
        },
        "filters": {kind.__name__: {"()": kind} for kind in filters},
        "handlers": {
            "all": {
                "class": "logging.StreamHandler",
                "formatter": settings.log,
                "filters": [kind.__name__ for kind in filters],
            },
        },
        "root": {"handlers": ["all"], "level": "WARNING"},
        "loggers": {"arpad": {"level": "INFO"}},
    }


class JsonLine(logging.Formatter):
    """A line of the log as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: the parts of a request, or the text of anything else."""
        line = {"time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname.lower()}
        about = getattr(record, "about", None)
        return json.dumps({**line, **(about or {"message": super().format(record)})})


def log_request(scope: Scope, request: str, status: int | None, size: int, seconds: float) -> None:
    """Write a line about a reply: as text in the common log format, or as JSON."""
    if not ACCESS.isEnabledFor(logging.INFO):
        return
    query: bytes = scope.get("query_string", b"")
    about = {
        "request": request,
        "seconds": round(seconds, 4),
        "client": _escaped((scope.get("client") or ("-",))[0].encode()),
        "method": scope["method"],
        "path": _escaped((scope.get("raw_path") or scope["path"].encode()) + (b"?" + query if query else b"")),
        "status": status,
        "bytes": size,
    }
    when, version = strftime("%d/%b/%Y:%H:%M:%S %z", localtime()), scope.get("http_version", "1.1")
    asked = f"{about['method']} {about['path']} HTTP/{version}"
    ACCESS.info(
        '%s - - [%s] "%s" %s %d %s', about["client"], when, asked, status or "-", size, request, extra={"about": about}
    )


def _escaped(sent: bytes) -> str:
    """What came over the wire, with everything unprintable escaped, so that no client can forge a line."""
    text = sent.decode("ascii", "backslashreplace").encode("unicode_escape").decode("ascii")
    return text.replace('"', "%22").replace(" ", "%20")
