"""Where slow work is done: in a thread beside the event loop, or in the loop itself where there are no threads."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, TypeVar

from starlette.concurrency import run_in_threadpool

if TYPE_CHECKING:
    from collections.abc import Callable

R = TypeVar("R")
LONGEST_REQUEST = 10.0  # seconds
THREADS = sys.platform != "emscripten"  # a browser has none


async def run(work: Callable[[], R], *, slow: bool = True) -> R:
    """The result of some work; what is slow does not hold up the others, and is given up after a while."""
    if not slow or not THREADS:
        return work()
    async with asyncio.timeout(LONGEST_REQUEST):
        return await run_in_threadpool(work)
