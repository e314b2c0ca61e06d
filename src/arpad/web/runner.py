"""Where work is done: in the event loop, in a thread beside it, or in a worker process that can be stopped."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from arpad.errors import BadInput, Busy
from arpad.messages import say
from arpad.web.workers import longest_here, pool_here

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from starlette.types import Receive

R = TypeVar("R")
Kind = Literal["quick", "waiting", "heavy"]
LARGEST_ANSWER = 32 * 1024 * 1024  # bytes
THREADS = sys.platform != "emscripten"  # a browser has none


_CLIENT: ContextVar[Receive | None] = ContextVar("client", default=None)


@contextmanager
def listening_to(client: Receive) -> Iterator[None]:
    """Work is done for this client: heavy work ends when it hangs up."""
    before = _CLIENT.set(client)
    try:
        yield
    finally:
        _CLIENT.reset(before)


async def run(work: Callable[[], R], kind: Kind = "heavy") -> R:
    """The result of some work, which does not hold up the others; Busy if it takes too long or too much memory.

    What waits for a disk is done by a thread. What is heavy is done by a worker process, so it can be sent there: a
    function of a module, with arguments. Where the application has no workers, a thread does it.
    """
    try:
        return bounded(await _done(work, kind))
    except TimeoutError:
        raise Busy(say("web.too_slow", seconds=int(longest_here()))) from None
    except MemoryError:
        raise Busy(say("web.too_much_memory")) from None


async def _done(work: Callable[[], R], kind: Kind) -> R:
    if kind == "quick" or not THREADS:
        return work()
    pool = pool_here()
    if kind == "heavy" and pool is not None:
        return await _while_wanted(pool.run(work))
    async with asyncio.timeout(longest_here()):
        return await run_in_threadpool(work)


async def _while_wanted(working: Awaitable[R]) -> R:
    """What comes of some work, unless the client hangs up first: then it is cancelled, and its worker is free."""
    client = _CLIENT.get()
    if client is None:
        return await working
    doing, leaving = asyncio.ensure_future(working), asyncio.ensure_future(_left(client))
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise ClientDisconnect
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()
        await asyncio.wait((doing, leaving))


async def _left(client: Receive) -> None:
    """Wait until a client that has sent its whole request hangs up."""
    while (await client())["type"] != "http.disconnect":
        pass


def bounded(result: R) -> R:
    """A reply of a size that can be sent."""
    if isinstance(result, Response) and len(result.body) > LARGEST_ANSWER:
        raise BadInput(say("web.answer_too_large", size=len(result.body), most=LARGEST_ANSWER))
    return result
