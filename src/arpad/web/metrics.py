"""Figures about the server in Prometheus' form: what is counted with every reply, and `/metrics`.

Nothing is counted where Prometheus' library is not installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.errors import MissingExtra
from arpad.messages import say
from arpad.web.replies import NOT_FOUND, answering, refusal
from arpad.web.workers import pool_here

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram

METHODS = ("GET", "HEAD", "POST", "OPTIONS")
REFUSING = {*range(400, 500), 503}
TOGETHER = "PROMETHEUS_MULTIPROC_DIR"  # the library's name for the folder in which several processes count together
RESIDENT = Path("/proc/self/statm")  # the pages of this process, where there is such a file


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


def count(method: str, status: int | None, seconds: float) -> None:
    """Count a reply; a client that hung up got none."""
    counters = _counters()
    if counters is None:
        return
    counters.requests.labels(method if method in METHODS else "other", str(status or "none")).inc()
    counters.seconds.observe(seconds)
    if status in REFUSING:
        counters.refusals.inc()
    _measure(counters)


class _Counters(NamedTuple):
    requests: Counter
    refusals: Counter
    seconds: Histogram
    busy: Gauge
    waiting: Gauge
    memory: Gauge


@cache
def _counters() -> _Counters | None:
    try:
        from prometheus_client import Counter, Gauge, Histogram
    except ImportError:
        return None
    return _Counters(
        Counter("arpad_requests", "Requests answered", ["method", "status"]),
        Counter("arpad_refusals", "Requests refused"),
        Histogram("arpad_request_seconds", "Time to answer a request"),
        Gauge("arpad_workers_busy", "Worker processes at work", multiprocess_mode="livesum"),
        Gauge("arpad_queue", "Heavy questions that wait for a worker", multiprocess_mode="livesum"),
        Gauge("arpad_memory_bytes", "Memory of the server processes", multiprocess_mode="livesum"),
    )


def _measure(counters: _Counters) -> None:
    """Measure this process with every reply, because another one may answer `/metrics`."""
    pool = pool_here()
    if pool is not None:
        counters.busy.set(pool.busy)
        counters.waiting.set(pool.waiting)
    counters.memory.set(_memory(int(monotonic())))


@lru_cache(maxsize=1)
def _memory(second: int) -> int:  # noqa: ARG001  # once a second is enough
    """The memory of this process in bytes; 0 where the system does not say."""
    with suppress(OSError, ImportError):
        import resource

        return int(RESIDENT.read_text().split()[1]) * resource.getpagesize()
    return 0


async def _metrics(request: Request) -> Response:
    counters = _counters()
    if counters is None:
        with answering(request.scope, "api"):
            return refusal(MissingExtra(say("web.no_metrics"), at="path"), NOT_FOUND)
    from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest

    _measure(counters)
    registry = REGISTRY  # what this process has counted
    if TOGETHER in os.environ:
        registry = CollectorRegistry()
        registry.register(_AllProcesses(Path(os.environ[TOGETHER])))
    text = generate_latest(registry)
    return Response(text, headers={"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"})


class _AllProcesses:
    """The figures of all server processes, from the files in which each of them counts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library: Any = import_module("prometheus_client.multiprocess")  # without types

    def collect(self) -> Any:
        """All figures added up; the memory and the workers of a process that has ended no longer count."""
        for file in self.folder.glob("gauge_live*.db"):
            process = int(file.stem.rpartition("_")[2])
            if not Path(f"/proc/{process}").exists() and RESIDENT.exists():
                with suppress(FileNotFoundError):  # another process has just done it
                    self.library.mark_process_dead(process)
        # The library cannot read a file that another process has only just opened: it is still empty.
        files = [str(file) for file in self.folder.glob("*.db") if _size(file)]
        return self.library.MultiProcessCollector.merge(files)


def _size(file: Path) -> int:
    """The size of a file; 0 if another process has just removed it."""
    with suppress(FileNotFoundError):
        return file.stat().st_size
    return 0


ROUTES = [Route("/metrics", _metrics)]
