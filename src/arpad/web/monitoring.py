"""What is known of a running server: a line in the log for each request, and figures in Prometheus' form.

The log of a server and its workers goes to standard error, as text or JSON, with warnings. Nothing is counted where
Prometheus' library is not installed.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from struct import error as StructError  # noqa: N812  # its module has no better name
from tempfile import TemporaryDirectory
from time import localtime, strftime
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.errors import MissingExtra
from arpad.messages import say
from arpad.web.replies import NOT_FOUND, answering, refusal
from arpad.web.workers import pool_of

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram
    from starlette.types import Scope

    from arpad.web.settings import ServerSettings

ACCESS, FAULTS = logging.getLogger("arpad.access"), logging.getLogger("arpad.faults")
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
TOGETHER = "PROMETHEUS_MULTIPROC_DIR"  # the library's name for the folder in which several processes count together
PROCESSES = Path("/proc")  # where the system lists them there


def logging_of(settings: ServerSettings, *filters: type[logging.Filter]) -> dict[str, Any]:
    """Logging to standard error: warnings from libraries, and a line for each request."""
    names = [kind.__name__ for kind in filters]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"text": {"format": "%(message)s"}, "json": {"()": JsonLine}},
        "filters": {kind.__name__: {"()": kind} for kind in filters},
        "handlers": {"all": {"class": "logging.StreamHandler", "formatter": settings.log, "filters": names}},
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


def record(scope: Scope, request: str, status: int | None, size: int, seconds: float) -> None:
    """Write a line about a reply, and count it; a client that hung up got none."""
    if ACCESS.isEnabledFor(logging.INFO):
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
        asked = f"{about['method']} {about['path']} HTTP/{scope.get('http_version', '1.1')}"
        when = strftime("%d/%b/%Y:%H:%M:%S %z", localtime())
        text = f'{about["client"]} - - [{when}] "{asked}" {status or "-"} {size} {request}'
        ACCESS.info("%s", text, extra={"about": about})
    if (counters := _counters()) is not None:
        requests, durations, busy, waiting = counters
        method = scope["method"] if scope["method"] in METHODS else "other"
        requests.labels(method, str(status or "none")).inc()
        durations.observe(seconds)
        pool = pool_of(scope)
        if pool is not None:  # how busy this process is, because another one may answer `/metrics`
            busy.set(sum(lane.busy for lane in pool.lanes.values()))
            waiting.set(sum(lane.waiting.total() for lane in pool.lanes.values()))


def _escaped(sent: bytes) -> str:
    """What came over the wire, with everything unprintable escaped, so that no client can forge a line."""
    text = sent.decode("ascii", "backslashreplace").encode("unicode_escape").decode("ascii")
    return text.replace('"', "%22").replace(" ", "%20")


@cache
def _counters() -> tuple[Counter, Histogram, Gauge, Gauge] | None:
    try:
        from prometheus_client import Counter, Gauge, Histogram
    except ImportError:
        return None
    return (
        Counter("arpad_requests", "Requests answered", ["method", "status"]),
        Histogram("arpad_request_seconds", "Time to answer a request"),
        Gauge("arpad_workers_busy", "Worker processes at work", multiprocess_mode="livesum"),
        Gauge("arpad_queue", "Heavy questions that wait for a worker", multiprocess_mode="livesum"),
    )


@contextmanager
def counted_together() -> Iterator[None]:
    """Let the server processes that are started meanwhile count together, whichever of them answers `/metrics`.

    They need a folder for that; where none can be made, each counts for itself.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            os.environ[TOGETHER] = stack.enter_context(TemporaryDirectory(prefix="arpad-metrics-"))
            stack.callback(os.environ.pop, TOGETHER)
        yield


def _metrics(request: Request) -> Response:
    """The figures of all server processes; a thread adds them up."""
    if _counters() is None:
        with answering(request.scope, "api"):
            return refusal(MissingExtra(say("web.no_metrics"), at="path"), NOT_FOUND)
    from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest

    registry = REGISTRY  # what this process has counted
    if TOGETHER in os.environ:
        registry = CollectorRegistry()
        multiprocess: Any = import_module("prometheus_client.multiprocess")  # without types
        for file in Path(os.environ[TOGETHER]).glob("gauge_live*.db"):
            process = file.stem.rpartition("_")[2]
            if PROCESSES.exists() and not (PROCESSES / process).exists():
                with suppress(FileNotFoundError):  # another process has just done it
                    multiprocess.mark_process_dead(process)
        multiprocess.MultiProcessCollector(registry)
    try:
        text = generate_latest(registry)
    except StructError:  # the file of a process that is just starting was still empty
        text = generate_latest(registry)
    return Response(text, headers={"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"})


ROUTES = [Route("/metrics", _metrics)]
