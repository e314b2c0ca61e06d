"""Figures about the server in Prometheus' form: what is counted with every reply, and `/metrics`.

Nothing is counted where Prometheus' library is not installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from struct import error as StructError  # noqa: N812  # its module has no better name
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

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

METHODS = ("GET", "HEAD", "POST", "OPTIONS")
TOGETHER = "PROMETHEUS_MULTIPROC_DIR"  # the library's name for the folder in which several processes count together
PROCESSES = Path("/proc")  # where the system lists them there


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


def count(scope: Scope, status: int | None, seconds: float) -> None:
    """Count a reply, and how busy this process is, because another one may answer `/metrics`."""
    counters = _counters()
    if counters is None:
        return
    method = scope["method"] if scope["method"] in METHODS else "other"
    counters.requests.labels(method, str(status or "none")).inc()  # a client that hung up got none
    counters.seconds.observe(seconds)
    pool = pool_of(scope)
    if pool is not None:
        counters.busy.set(sum(lane.busy for lane in pool.lanes.values()))
        counters.waiting.set(sum(lane.waiting.total() for lane in pool.lanes.values()))


class _Counters(NamedTuple):
    requests: Counter
    seconds: Histogram
    busy: Gauge
    waiting: Gauge


@cache
def _counters() -> _Counters | None:
    try:
        from prometheus_client import Counter, Gauge, Histogram
    except ImportError:
        return None
    return _Counters(
        Counter("arpad_requests", "Requests answered", ["method", "status"]),
        Histogram("arpad_request_seconds", "Time to answer a request"),
        Gauge("arpad_workers_busy", "Worker processes at work", multiprocess_mode="livesum"),
        Gauge("arpad_queue", "Heavy questions that wait for a worker", multiprocess_mode="livesum"),
    )


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
