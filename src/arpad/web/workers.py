"""Worker processes answer requests, so that the event loop only moves bytes.

A `WorkerPool` has two lanes: a light one for pages and short questions, and a heavy one for what may take seconds. In
each lane clients take turns. A request goes to a worker as it came, and the reply comes back as it is sent. A thread
for each worker waits at its pipes, and moves what is large in pieces, so that no step of the event loop grows with
either. A worker (`_worker.py` is what it runs) can be stopped at any moment.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio import Semaphore
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import IPv6Address, ip_address, ip_network
from subprocess import PIPE, Popen
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, cast
from weakref import WeakValueDictionary

from arpad.errors import Busy
from arpad.messages import say

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Scope

    from arpad.web.settings import ServerSettings

LaneName = Literal["light", "heavy"]
Headers = dict[bytes, bytes]  # each once
Pieces = Sequence[bytes | bytearray]
NICENESS: dict[LaneName, int] = {"light": 0, "heavy": 10}  # added to that of the server
QUEUE = 32  # requests that wait, for each worker: a page with its charts is a dozen
PIECE = 64 * 1024  # bytes that are moved at a time
THREADS = sys.platform != "emscripten"  # a browser has none
NEIGHBOURS = 64  # bits of an IPv6 address that one customer of a provider has in common
OUR_OWN = ("app", "state")  # what a worker is not told of a request


class HttpReply(NamedTuple):
    """A complete reply."""

    status: int
    headers: Headers
    body: Pieces


@asynccontextmanager
async def limited(seconds: float) -> AsyncIterator[None]:
    """Work that takes longer, or too much memory, is given up, and whoever asked is told so."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise Busy(say("web.too_slow", seconds=seconds)) from None
    except MemoryError:
        raise Busy(say("web.too_much_memory")) from None


class WorkerPool:
    """The workers of a server process, started when they are needed."""

    def __init__(self, settings: ServerSettings, language: str = "en") -> None:
        self.seconds = settings.seconds
        self.lanes: dict[LaneName, Lane] = {
            "light": Lane(max(settings.processes // 2, 1)),
            "heavy": Lane(settings.processes),
        }
        self._what = (settings, language)
        self._workers: set[Worker] = set()  # those that run, and some that have ended since the last one was started
        self._threads = ThreadPoolExecutor(sum(lane.size for lane in self.lanes.values()))

    async def answer(self, lane: LaneName, scope: Scope, body: Pieces) -> HttpReply:
        """The reply of a worker; Busy if none becomes free, or if it takes too long or too much memory.

        If the caller is cancelled, the worker is stopped.
        """
        told = {name: value for name, value in scope.items() if name not in OUR_OWN}
        async with self.lanes[lane].turn(client_of(scope), self.seconds):
            worker = await self._ready(lane)
            async with limited(self.seconds):
                reply: HttpReply = await self._asked(worker, told, body)
            self.lanes[lane].idle.append(worker)
            return reply

    async def _ready(self, lane: LaneName) -> Worker:
        """A worker that waits for work and that nobody has stopped meanwhile, or a new one."""
        idle = self.lanes[lane].idle
        while idle:
            if (worker := idle.pop()).runs:
                return worker
        ended = {other for other in self._workers if not other.runs}
        self._workers -= ended
        await asyncio.gather(*(other.gone() for other in ended))
        worker = Worker()
        self._workers.add(worker)
        await self._asked(worker, *self._what, NICENESS[lane])  # it replies when it has imported what it needs
        return worker

    async def _asked(self, worker: Worker, *what: object) -> Any:
        """What a worker replies; it is stopped if that fails, or if nobody waits for it any more."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, worker.ask, what)
        except BaseException:
            worker.process.kill()
            raise

    async def close(self) -> None:
        """Stop all workers, also those at work."""
        for worker in self._workers:
            worker.process.kill()
        await asyncio.gather(*(worker.gone() for worker in self._workers))


def pool_of(scope: Scope) -> WorkerPool | None:
    """The workers of the application that answers a request; None if it has none."""
    pool: WorkerPool | None = scope["app"].state.pool
    return pool


def client_of(scope: Scope) -> str:
    """Who takes turns: an address as the proxy forwards it, or the network of an IPv6 address.

    Nobody in particular (an empty text) on this machine, where a person may use all workers.
    """
    host = (scope.get("client") or ("",))[0]
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if address.is_loopback:
        return ""
    return str(ip_network((address, NEIGHBOURS), strict=False)) if isinstance(address, IPv6Address) else host


class Lane:
    """Places at workers of one kind. Clients take turns, and none has more than half of the places.

    A client that nobody knows (an empty text) may have all of them.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.idle: list[Worker] = []
        self.busy = 0
        self.waiting: Counter[str] = Counter()  # requests by client
        self._places = Semaphore(size)
        self._shares: WeakValueDictionary[str, Semaphore] = WeakValueDictionary()  # of the clients that are here

    @property
    def is_full(self) -> bool:
        """Whether as many requests wait as may wait."""
        return self.waiting.total() >= QUEUE * self.size

    @asynccontextmanager
    async def turn(self, client: str, seconds: float) -> AsyncIterator[None]:
        """Have a place meanwhile; Busy if none becomes free in so many seconds, or if too many wait.

        Whoever has as many places as one client may have waits for one of their own first, and so leaves the others
        alone.
        """
        waiting, places = (max(most // 2, 1) if client else most for most in (QUEUE * self.size, self.size))
        if self.is_full or self.waiting[client] >= waiting:
            raise Busy(say("web.queue_full"))
        share = self._shares.setdefault(client, Semaphore(places))
        async with AsyncExitStack() as held:
            self.waiting[client] += 1
            try:
                async with asyncio.timeout(seconds):
                    await held.enter_async_context(share)
                    await held.enter_async_context(self._places)
            except TimeoutError:
                raise Busy(say("web.queue_full")) from None
            finally:
                self.waiting[client] -= 1
                self.waiting += Counter()  # without those who do not wait
            self.busy += 1
            try:
                yield
            finally:
                self.busy -= 1


class Worker:
    """A process that answers one request after another over its standard input and output."""

    def __init__(self) -> None:
        try:
            self.process = Popen(
                [sys.executable, "-m", "arpad.web._worker"],
                stdin=PIPE,
                stdout=PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,  # Ctrl+C is the server's to handle
            )
        except OSError:  # no more files or processes
            raise Busy(say("web.worker_lost")) from None

    def ask(self, what: object) -> Any:
        """Wait for its reply; MemoryError if it has none left, Busy if it has ended in the middle."""
        requests, replies = cast("IO[bytes]", self.process.stdin), cast("IO[bytes]", self.process.stdout)
        try:
            pickle.dump(what, requests, pickle.HIGHEST_PROTOCOL)
            requests.flush()
            reply = pickle.load(replies)  # noqa: S301  # from our own process
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):  # it has ended, or its pipes are closed
            raise Busy(say("web.worker_lost")) from None
        if reply is None:
            raise MemoryError
        return reply

    @property
    def runs(self) -> bool:
        """Whether the process is there."""
        return self.process.poll() is None

    async def gone(self) -> None:
        """Wait until it has ended, after it was stopped, and close its pipes."""
        await asyncio.to_thread(self.process.communicate)


async def answered(app: ASGIApp, scope: Scope, body: bytes) -> HttpReply:
    """The reply of an application to one request."""
    coming: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        while not coming:
            await asyncio.Event().wait()  # the client stays
        return coming.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *parts = sent
    return HttpReply(start["status"], dict(start["headers"]), [part.get("body", b"") for part in parts])
