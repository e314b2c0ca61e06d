"""Figures about the server in Prometheus' form; nothing is counted where its library is not installed."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.errors import MissingExtra
from arpad.messages import say
from arpad.web.replies import NOT_FOUND, refusal
from arpad.web.voices import answering
from arpad.web.workers import pool_here

METHODS = ("GET", "HEAD", "POST", "OPTIONS")
REFUSING = range(400, 500)


class _Counters(NamedTuple):
    requests: Any
    refusals: Any
    seconds: Any
    busy: Any
    waiting: Any


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
        Gauge("arpad_workers_busy", "Worker processes at work"),
        Gauge("arpad_queue", "Heavy questions that wait for a worker"),
    )


def count(method: str, status: int | None, seconds: float) -> None:
    """Count a reply."""
    counters = _counters()
    if counters is None:
        return
    counters.requests.labels(method if method in METHODS else "other", str(status)).inc()
    counters.seconds.observe(seconds)
    if status in REFUSING:
        counters.refusals.inc()


async def _metrics(request: Request) -> Response:
    counters = _counters()
    if counters is None:
        with answering(request.scope, "api"):
            return refusal(MissingExtra(say("web.no_metrics"), at="path"), NOT_FOUND)
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    pool = pool_here()
    if pool is not None:
        counters.busy.set(pool.busy)
        counters.waiting.set(pool.waiting)
    return Response(generate_latest(), headers={"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"})


ROUTES = [Route("/metrics", _metrics)]
