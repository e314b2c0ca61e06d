"""Where work is done: in the event loop, in a thread beside it, or in a worker process that can be stopped."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Literal, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from arpad.errors import BadInput
from arpad.messages import say
from arpad.web.workers import longest_here, pool_here

if TYPE_CHECKING:
    from collections.abc import Callable

R = TypeVar("R")
Kind = Literal["quick", "waiting", "heavy"]
LARGEST_ANSWER = 32 * 1024 * 1024  # bytes
THREADS = sys.platform != "emscripten"  # a browser has none


async def run(work: Callable[[], R], kind: Kind = "heavy") -> R:
    """The result of some work, which does not hold up the others and is given up after a while.

    What waits for a disk is done by a thread. What is heavy is done by a worker process, so it can be sent there: a
    function of a module, with arguments. Where the application has no workers, a thread does it.
    """
    if kind == "quick" or not THREADS:
        return _bounded(work())
    pool = pool_here()
    if kind == "heavy" and pool is not None:
        return _bounded(await pool.run(work))
    async with asyncio.timeout(longest_here()):
        return _bounded(await run_in_threadpool(work))


def _bounded(result: R) -> R:
    """A reply of a size that can be sent."""
    if isinstance(result, Response) and len(result.body) > LARGEST_ANSWER:
        raise BadInput(say("web.answer_too_large", size=len(result.body), most=LARGEST_ANSWER))
    return result
