"""Worker processes answer requests, so that the event loop only moves bytes.

A `WorkerPool` has two lanes: a light one for pages and short questions, and a heavy one for what may take seconds. In
each lane clients take turns. A request goes to a worker as it came, and the reply comes back as it is sent, in pieces,
so that no step of the event loop grows with either. A worker (`_worker.py` is what it runs) can be stopped at any
moment.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio import Semaphore
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Literal, NamedTuple, cast
from weakref import WeakValueDictionary

from arpad.errors import Busy
from arpad.messages import say

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Scope

    from arpad.web.settings import ServerSettings

LaneName = Literal["light", "heavy"]
Headers = list[tuple[bytes, bytes]]
Pieces = Sequence[bytes | bytearray]
NICENESS: dict[LaneName, int] = {"light": 0, "heavy": 10}  # added to that of the server
QUEUE = 32  # requests that wait, for each worker: a page with its charts is a dozen
PIECE = 64 * 1024  # bytes that are moved at a time
LENGTH = 8  # bytes in which a message says how long it is
THREADS = sys.platform != "emscripten"  # a browser has none
NEIGHBOURS = 64  # bits of an IPv6 address that one customer of a provider has in common
SENT = (
    "type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path",
    "app_root_path", "headers", "client", "server", "refused", "language",
)  # fmt: skip  # what a worker is told of a request


class HttpReply(NamedTuple):
    """A complete reply."""

    status: int
    headers: Headers
    body: Sequence[bytes]  # in pieces


class QueueFull(Busy):
    """As many requests wait for a worker as may wait."""

    def __init__(self) -> None:
        super().__init__(say("web.queue_full"))


class WorkerLost(Busy):
    """A worker ended in the middle of its work: the system stopped it, or it crashed."""

    def __init__(self) -> None:
        super().__init__(say("web.worker_lost"))


class WorkerPool:
    """The workers of a server process, started when they are needed."""

    def __init__(self, settings: ServerSettings, language: str = "en") -> None:
        self.seconds = settings.seconds
        self.lanes: dict[LaneName, Lane] = {
            "light": Lane(max(settings.processes // 2, 1)),
            "heavy": Lane(settings.processes),
        }
        self._what = (settings, language)
        self._workers: list[Worker] = []  # those that run, and some that have just ended

    async def answer(self, lane: LaneName, scope: Scope, body: Pieces) -> HttpReply:
        """The reply of a worker; Busy if none becomes free, or if it takes too long or too much memory.

        If the caller is cancelled, the worker is stopped.
        """
        idle = self.lanes[lane].idle
        async with self.lanes[lane].turn(client_of(scope), self.seconds):
            worker = await self._ready(lane)
            try:
                async with asyncio.timeout(self.seconds):
                    reply = await worker.ask({name: scope[name] for name in SENT if name in scope}, body)
            except BaseException as problem:
                worker.kill()
                if isinstance(problem, TimeoutError):
                    raise Busy(say("web.too_slow", seconds=self.seconds)) from None
                raise
            idle.append(worker)
            return reply

    async def _ready(self, lane: LaneName) -> Worker:
        """A worker that waits for work and that nobody has stopped meanwhile, or a new one."""
        idle = self.lanes[lane].idle
        while idle:
            if (worker := idle.pop()).runs:
                return worker
        worker = await Worker.start()
        self._workers = [*(other for other in self._workers if other.runs), worker]
        await worker.prepare(*self._what, NICENESS[lane])
        return worker

    async def close(self) -> None:
        """Stop all workers, also those at work."""
        for worker in self._workers:
            worker.kill()
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
        """Have a place meanwhile; QueueFull if none becomes free in so many seconds, or if too many wait.

        Whoever has as many places as one client may have waits for one of their own first, and so leaves the others
        alone.
        """
        if self.is_full or self.waiting[client] >= self._share(client, QUEUE * self.size):
            raise QueueFull
        share = self._shares.setdefault(client, Semaphore(self._share(client, self.size)))
        async with AsyncExitStack() as held:
            self.waiting[client] += 1
            try:
                async with asyncio.timeout(seconds):
                    await held.enter_async_context(share)
                    await held.enter_async_context(self._places)
            except TimeoutError:
                raise QueueFull from None
            finally:
                self.waiting[client] -= 1
                self.waiting += Counter()  # without those who do not wait
            self.busy += 1
            try:
                yield
            finally:
                self.busy -= 1

    @staticmethod
    def _share(client: str, of: int) -> int:
        return max(of // 2, 1) if client else of


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that answers one request after another over its standard input and output."""

    process: Process
    requests: asyncio.StreamWriter
    replies: asyncio.StreamReader

    @classmethod
    async def start(cls) -> Worker:
        """A new process."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "arpad.web._worker",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=environment,
                start_new_session=True,  # Ctrl+C is the server's to handle
            )  # fmt: skip
        except OSError:  # no more files or processes
            raise WorkerLost from None
        return cls(process, cast("asyncio.StreamWriter", process.stdin), cast("asyncio.StreamReader", process.stdout))

    async def prepare(self, *what: object) -> None:
        """Have it import what it needs; it is stopped if that fails, or if nobody waits for it any more."""
        try:
            await self._send([pickle.dumps(what)])
            await self._receive()
        except BaseException:
            self.kill()
            raise

    async def ask(self, scope: dict[str, object], body: Pieces) -> HttpReply:
        """The reply to a request; WorkerLost if the process has ended."""
        with suppress(ConnectionError, RuntimeError):  # it is gone, as its missing reply says; uvloop raises the latter
            await self._send([pickle.dumps(scope)])
            await self._send(body)
        head = b"".join(await self._receive())
        if not head:
            raise Busy(say("web.too_much_memory"))
        status, headers = pickle.loads(head)  # noqa: S301  # from our own process
        return HttpReply(status, headers, await self._receive())

    async def _send(self, pieces: Pieces) -> None:
        self.requests.write(sum(map(len, pieces)).to_bytes(LENGTH, "big"))
        for piece in pieces:
            self.requests.write(piece)
            await self.requests.drain()

    async def _receive(self) -> list[bytes]:
        try:
            left = int.from_bytes(await self.replies.readexactly(LENGTH), "big")
        except (asyncio.IncompleteReadError, ConnectionError):
            raise WorkerLost from None
        pieces = []
        while left:
            pieces.append(await self.replies.read(min(left, PIECE)))
            if not pieces[-1]:
                raise WorkerLost
            left -= len(pieces[-1])
        return pieces

    @property
    def runs(self) -> bool:
        """Whether the process is there, as far as the event loop has heard."""
        return self.process.returncode is None

    def kill(self) -> None:
        """Stop it, whatever it is doing."""
        with suppress(ProcessLookupError):
            self.process.kill()

    async def gone(self) -> None:
        """Wait until it has ended, after it was stopped."""
        self.requests.close()
        await self.process.wait()


async def answered(app: ASGIApp, scope: Scope, body: bytes) -> HttpReply:
    """The reply of an application to one request."""
    received = False
    sent: list[Message] = []

    async def receive() -> Message:
        nonlocal received
        if received:
            await asyncio.Event().wait()  # the client stays
        received = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *parts = sent
    return HttpReply(start["status"], list(start["headers"]), [part.get("body", b"") for part in parts])
