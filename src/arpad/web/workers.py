"""Where work is done: in the event loop, in a thread, or, if it is heavy, in a worker process.

`run` does some work; `workers` has a pool of processes meanwhile. A process can be stopped at any moment, and has a
limit of time and memory (see `_worker.py`, which is what it runs).
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from arpad.errors import BadInput, Busy
from arpad.messages import say, voice

if TYPE_CHECKING:
    from starlette.types import Receive

R = TypeVar("R")
Kind = Literal["quick", "waiting", "heavy"]
LONGEST_REQUEST = 10.0  # seconds
LARGEST_ANSWER = 32 * 1024 * 1024  # bytes
QUEUE = 32  # questions that wait, for each worker: a page with its charts is a dozen
LENGTH = 8  # bytes in which a message says how long it is
THREADS = sys.platform != "emscripten"  # a browser has none
_POOLS: dict[asyncio.AbstractEventLoop, WorkerPool] = {}
_CLIENT: ContextVar[Receive | None] = ContextVar("client", default=None)


class QueueFull(Busy):
    """As many questions wait for a worker as may wait."""

    def __init__(self) -> None:
        super().__init__(say("web.queue_full"))


class WorkerLost(Busy):
    """A worker ended in the middle of its work: the system stopped it, or it crashed."""

    def __init__(self) -> None:
        super().__init__(say("web.worker_lost"))


async def run(work: Callable[[], R], kind: Kind = "heavy") -> R:
    """The result of some work, which does not hold up other requests; Busy if it takes too long or too much memory.

    What waits for a disk is done by a thread. What is heavy is done by a worker process, so it must be something that
    can be sent there: a function of a module, with arguments. Where the application has no workers, a thread does it.
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
        return await _unless_client_leaves(pool.run(work))
    async with asyncio.timeout(longest_here()):
        return await run_in_threadpool(work)


async def _unless_client_leaves(working: Awaitable[R]) -> R:
    """What comes of some work; if the client hangs up first, it is cancelled, and its worker is free."""
    client = _CLIENT.get()
    if client is None:
        return await working

    async def left() -> None:
        while (await client())["type"] != "http.disconnect":  # it has sent its whole request before
            pass

    doing, leaving = asyncio.ensure_future(working), asyncio.ensure_future(left())
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise ClientDisconnect
        return doing.result()
    finally:
        doing.cancel()
        leaving.cancel()
        await asyncio.wait((doing, leaving))


def bounded(result: R) -> R:
    """A result that can be sent; BadInput if it is a reply that is too large."""
    if isinstance(result, Response) and len(result.body) > LARGEST_ANSWER:
        raise BadInput(say("web.answer_too_large", size=len(result.body), most=LARGEST_ANSWER))
    return result


@contextmanager
def listening_to(client: Receive) -> Iterator[None]:
    """Work meanwhile is done for this client: heavy work ends when it hangs up."""
    before = _CLIENT.set(client)
    try:
        yield
    finally:
        _CLIENT.reset(before)


@asynccontextmanager
async def workers(size: int, seconds: float = LONGEST_REQUEST) -> AsyncIterator[None]:
    """Have so many workers in this event loop meanwhile; with 0, none."""
    if not size:
        yield
        return
    loop = asyncio.get_running_loop()
    _POOLS[loop] = WorkerPool(size, seconds)
    try:
        yield
    finally:
        await _POOLS.pop(loop).close()


def pool_here() -> WorkerPool | None:
    """The workers of the application that runs in this event loop; None if it has none."""
    return _POOLS.get(asyncio.get_running_loop())


def longest_here() -> float:
    """The seconds that a question may take in this event loop."""
    pool = pool_here()
    return LONGEST_REQUEST if pool is None else pool.seconds


class WorkerPool:
    """At most so many workers, started when they are needed; QueueFull if too many questions wait for one."""

    def __init__(self, size: int, seconds: float) -> None:
        self.size = size
        self.seconds = seconds
        self.waiting = 0
        self.busy = 0
        self._idle: list[Worker] = []
        self._ending: set[asyncio.Task[None]] = set()
        self._free = asyncio.Semaphore(size)

    async def run(self, work: Callable[[], R]) -> R:
        """What the work gives or raises; if it takes too long or is cancelled, its worker is stopped."""
        job = pickle.dumps((voice(), work))
        await self._wait()
        self.busy += 1
        try:
            worker = self._idle_worker() or await Worker.start(self.seconds)
            ending = ""
            try:
                async with asyncio.timeout(self.seconds):
                    ending, result = await worker.ask(job)
            finally:
                if ending == "done":
                    self._idle.append(worker)
                else:
                    self._end(worker)
        finally:
            self.busy -= 1
            self._free.release()
        if isinstance(result, Exception):
            raise result
        return cast("R", result)

    @property
    def is_full(self) -> bool:
        """Whether all workers are busy, and as many questions wait as may wait."""
        return self._free.locked() and self.waiting >= QUEUE * self.size

    def _idle_worker(self) -> Worker | None:
        """A worker that waits for work; those that the system has stopped meanwhile are dropped."""
        while self._idle:
            worker = self._idle.pop()
            if worker.runs:
                return worker
            self._end(worker)
        return None

    async def _wait(self) -> None:
        """Wait for a free worker, no longer than an answer may take; QueueFull if none becomes free."""
        if self.is_full:
            raise QueueFull
        self.waiting += 1
        try:
            async with asyncio.timeout(self.seconds):
                await self._free.acquire()
        except TimeoutError:
            raise QueueFull from None
        finally:
            self.waiting -= 1

    def _end(self, worker: Worker) -> None:
        worker.kill()  # at once: a server that is stopping may not come to the task
        ending = asyncio.create_task(worker.gone())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """Stop all workers; those at work ended when their questions were cancelled."""
        for worker in self._idle:
            self._end(worker)
        await asyncio.gather(*self._ending)


class Worker:
    """A process that is asked one thing after another over its standard input and output."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, seconds: float) -> Worker:
        """A new process, once it has imported what it needs; a job that the server leaves behind ends after a while."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "arpad.web._worker", str(2 * seconds),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=environment,
        )  # fmt: skip
        worker = cls(process)
        try:
            await worker.reply()
        except BaseException:
            worker.kill()
            await worker.gone()
            raise
        return worker

    async def ask(self, job: bytes) -> tuple[str, Any]:
        """What came of a job: `done` and its result, `last` and its result, or `failed` and the exception."""
        questions = cast("asyncio.StreamWriter", self._process.stdin)
        with suppress(ConnectionError, RuntimeError):  # it is gone, as its missing reply says; uvloop raises the latter
            questions.write(len(job).to_bytes(LENGTH, "big") + job)
            await questions.drain()
        return await self.reply()

    async def reply(self) -> tuple[str, Any]:
        """The next thing it sends."""
        replies = cast("asyncio.StreamReader", self._process.stdout)
        try:
            length = int.from_bytes(await replies.readexactly(LENGTH), "big")
            return cast("tuple[str, Any]", pickle.loads(await replies.readexactly(length)))  # noqa: S301  # our own process
        except (asyncio.IncompleteReadError, ConnectionError):
            raise WorkerLost from None

    @property
    def runs(self) -> bool:
        """Whether the process is there, as far as the event loop has heard."""
        return self._process.returncode is None

    def kill(self) -> None:
        """Stop it, whatever it is doing."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def gone(self) -> None:
        """Wait until it has ended, after it was stopped."""
        cast("asyncio.StreamWriter", self._process.stdin).close()
        await self._process.wait()
