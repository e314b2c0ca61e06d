"""The server under load, on loopback: many connections, expensive questions next to cheap ones, charts, memory.

The load comes from one process with an event loop on the same machine as the server, so the figures only mean something
compared with each other. Every goal is a ratio measured in one run, or "no error".
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

CHEAP = "/api/v1/fide-standard/rate?rating=1750&game=1950:win&born=2010&on=2026-11-15"
PAGE = "/?system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"
EVENTS = [{"on": f"2027-{month:02}-10", "field": 1800, "spread": 150, "rounds": 9} for month in range(1, 9)]
DEAR = json.dumps({"rating": 1780, "k": 20, "event": EVENTS}).encode()
SEASON = "/api/v1/fide-standard/season"
TABLE = "No;Name;Rtg;R1\\n1;Ann;1900;2w1\\n2;Bob;1800;1b0\\n"
MIXED = 5 * (
    CHEAP,
    PAGE,
    "/api/v1/fide-standard/rate?rating={rating}&game={other}:win&k=20",
    "/?rating={rating}&k=20&game={other}:draw&game=1700:win",
    "/openapi.json",
    "/api/v1/elo/expect?rating={rating}&opponent={other}",
    "/api/v1/elo/rate?rating=x{rating}",
    "/nothing/{rating}",
    "/api/v1/fide-standard/need?rating={rating}&reach=2400&against={other}&k=20",
    "/metrics",
) + (  # three more for the workers, so that each has drawn its share by the first count
    "/chart/rate/change.svg?rating={rating}&k=20&game={other}:win",
    '/api/v1/fide-standard/event {{"on": "2026-11-15", "file": "a.csv", "text": "' + TABLE + '"}}',
    "/api/v1/fide-standard/outlook?rating={rating}&k=20&game={other}:?",
)
CONNECTIONS = (1, 8, 64, 256)
SECONDS = float(os.environ.get("SECONDS", "5"))
# The same server, without charts on its pages.
CHARTLESS = """
import sys
from arpad.cli import main
from arpad.web import pages
pages.charts_of = lambda *_: []
main(sys.argv[1:])
"""
MANY, SETTLED = 50_000, 5_000  # requests


class Load(NamedTuple):
    """The outcome of a load: how many answers by status, the seconds each took, and errors."""

    statuses: dict[int, int]
    seconds: list[float]
    errors: int

    @property
    def good(self) -> int:
        """How many requests were answered with status 200."""
        return self.statuses.get(200, 0)

    @property
    def p99(self) -> float:
        """The 99th percentile, in milliseconds."""
        return 1000 * quantiles(self.seconds, n=100)[-1] if len(self.seconds) > 1 else float("nan")


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: bytes = b"") -> int:
    """Send a request on an open connection and return its status."""
    method = "POST" if body else "GET"
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: (\d+)", answer)[1])  # type: ignore[index]
    await reader.readexactly(length)
    return int(answer[9:12])


async def load(port: int, paths: tuple[str, ...], connections: int, *, seconds: float = 0, requests: int = 0) -> Load:
    """Send requests on so many connections at once, for a time or a number of requests."""
    statuses: dict[int, int] = {}
    taken: list[float] = []
    errors = asked = 0
    end = time.perf_counter() + (seconds or 1e9)

    async def client() -> None:
        nonlocal errors, asked
        reader = writer = None
        while time.perf_counter() < end and (not requests or asked < requests):
            path, _, body = (
                paths[asked % len(paths)].format(rating=1400 + asked % 997, other=1500 + asked % 701).partition(" ")
            )
            asked += 1
            began = time.perf_counter()
            try:
                if writer is None or reader is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                status = await ask(reader, writer, path, body.encode())
                statuses[status] = statuses.get(status, 0) + 1
                taken.append(time.perf_counter() - began)
            except (OSError, asyncio.IncompleteReadError):
                errors += 1
                writer = None
        if writer is not None:
            writer.close()

    await asyncio.gather(*(client() for _ in range(connections)))
    return Load(statuses, taken, errors)


async def keep_busy(port: int, stop: asyncio.Event) -> int:
    """Ask one of the most expensive questions over and over; return how often it was answered."""
    done = 0
    while not stop.is_set():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        done += await ask(reader, writer, SEASON, DEAR) == 200
        writer.close()
    return done


def memory(pid: int) -> int:
    """The memory of a process in kilobytes."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])  # type: ignore[index]


def tree(pid: int) -> list[int]:
    """The memory of a server and of each process it started, in kilobytes."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [memory(pid), *(kilobytes for child in children for kilobytes in tree(int(child)))]


async def connections(port: int) -> None:
    """For each number of connections: how fast, and whether anything went wrong."""
    for number in CONNECTIONS:
        found = await load(port, (CHEAP,), number, seconds=SECONDS)
        wrong = found.errors + sum(count for status, count in found.statuses.items() if status != 200)
        speed = len(found.seconds) / SECONDS
        print(f"{number} connections: {speed:.0f} requests/s, p99 {found.p99:.1f} ms, {wrong} errors (goal: 0)")


async def beside_dear_questions(port: int) -> None:
    """A cheap question and `/health`, in turns with idle and with busy workers."""
    quiet: list[float] = []
    busy: list[float] = []
    health: list[float] = []
    answered = 0
    for _ in range(3):
        quiet.append((await load(port, (CHEAP,), 1, seconds=SECONDS)).p99)
        stop = asyncio.Event()
        dear = [asyncio.create_task(keep_busy(port, stop)) for _ in range(8)]
        await asyncio.sleep(1)
        busy.append((await load(port, (CHEAP,), 1, seconds=SECONDS)).p99)
        health += (await load(port, ("/health",), 1, seconds=SECONDS)).seconds
        stop.set()
        answered += sum(await asyncio.gather(*dear))
    ratio = median(busy) / median(quiet)
    print(f"p99 of a cheap question: {median(quiet):.1f} ms quiet, {median(busy):.1f} ms while every worker is busy;")
    print(f"  {ratio:.1f} times (goal: at most 10); meanwhile the workers answered {answered} dear questions")
    _of_health("while every worker is busy", health)


def _of_health(when: str, seconds: list[float]) -> None:
    p99 = 1000 * quantiles(seconds, n=100)[-1]
    longest = 1000 * max(seconds)
    print(f"/health {when}: p99 {p99:.1f} ms (goal: under 100), at most {longest:.0f} ms (goal: under 500)")


async def beside_hostile_requests(port: int) -> None:
    """`/health` while clients send what is dear to decode: 8 MB of JSON, of a form and of nested lists."""
    hostile = {
        "/api/v1/fide-standard/event": b'{"text":[' + b"{}," * 2_700_000 + b"{}]}",
        "/": b"paste=" + b"1950+1%0A" * 900_000,
        "/api/v1/paste": b"[" * 8_000_000,
    }
    stop = asyncio.Event()

    async def send(path: str, body: bytes) -> int:
        sent = 0
        while not stop.is_set():
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await ask(reader, writer, path, body)
            writer.close()
            sent += 1
        return sent

    sending = [asyncio.create_task(send(*request)) for request in hostile.items()]
    health = (await load(port, ("/health",), 1, seconds=3 * SECONDS)).seconds
    stop.set()
    sent = sum(await asyncio.gather(*sending))
    _of_health(f"beside {sent} requests of 8 MB", health)


async def charts(port: int) -> None:
    """The page with its charts in the light theme, as a browser requests them, compared with a page without charts.

    The charts are drawn beforehand, because a reader sees the page before they are drawn.
    """
    text = await fetch(port, PAGE)
    pictures = tuple(address.replace("&amp;", "&") for address in re.findall(r'<img src="(/chart/[^"]+)"', text))
    drawn = await load(port, pictures, 1, requests=len(pictures))
    if not pictures or drawn.good != len(pictures):
        sys.exit(f"no charts, or not all were drawn: is the extra `charts` installed? {drawn.statuses}")
    with serving(("-c", CHARTLESS)) as (plain, _):
        if "/chart/" in await fetch(plain, PAGE):
            sys.exit("the page without charts has some")
        without, with_them = [], []
        for _ in range(5):
            without.append(_all_good(await load(plain, (PAGE,), 64, seconds=SECONDS / 2)))
            found = await load(port, (PAGE, *pictures), 64, seconds=SECONDS / 2)
            with_them.append(_all_good(found) / (1 + len(pictures)))
    share = median(charted / plain_count for charted, plain_count in zip(with_them, without, strict=True))
    per_second = 2 / SECONDS
    print(f"page without charts: {median(without) * per_second:.0f} a second; with {len(pictures)} charts each time:")
    print(f"  {median(with_them) * per_second:.0f} a second, {share:.2f} of it (goal: at least 0.5)")


async def fetch(port: int, path: str) -> str:
    """The text of a page."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    text = (await reader.read()).decode()
    writer.close()
    return text


def _all_good(found: Load) -> int:
    """How many were answered; anything but status 200 ends the run."""
    if found.errors or found.good != len(found.seconds):
        sys.exit(f"not everything was answered: {found.errors} errors, {found.statuses}")
    return found.good


async def mixed() -> None:
    """Memory of a server and its workers after many mixed requests, compared with that after the first few thousand.

    The time limit is long, so that no worker is stopped because the machine is busy with something else.
    """
    counted = []
    with serving(ARPAD_SECONDS="120") as (port, pid):
        for already, total in ((0, SETTLED), (SETTLED, MANY)):
            found = await load(port, MIXED, 8, requests=total - already)
            await asyncio.sleep(1)  # until everything is idle
            counted.append(tree(pid))
            print(f"memory after {total} mixed requests: server {counted[-1][0] // 1024} MB, workers", end=" ")
            print(*(f"{kilobytes // 1024} MB" for kilobytes in counted[-1][1:]), sep=", ", end="; ")
            print(f"{found.errors} errors, by status {dict(sorted(found.statuses.items()))}", flush=True)
    before, after = counted
    print(f"  together {sum(after) / sum(before):.2f} times (goal: at most 1.1), the server {after[0] / before[0]:.2f}")


async def measure(parts: list[str]) -> None:
    """Run all parts, or those asked for."""
    with serving() as (port, _):
        if not parts or "connections" in parts:
            await connections(port)
        if not parts or "dear" in parts:
            await beside_dear_questions(port)
        if not parts or "hostile" in parts:
            await beside_hostile_requests(port)
        if not parts or "charts" in parts:
            await charts(port)
    if not parts or "memory" in parts:
        await mixed()


@contextmanager
def serving(line: tuple[str, ...] = ("-m", "arpad"), **settings: str) -> Iterator[tuple[int, int]]:
    """A server as `arpad serve` starts it: its port and its process."""
    path = os.pathsep.join(filter(None, ["src", os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, **settings}
    started = [sys.executable, *line, "serve", "--port", "0"]
    with subprocess.Popen(
        started, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as server:
        try:
            said = server.stdout.readline() if server.stdout else ""
            yield int(re.search(r":(\d+)/", said)[1]), server.pid  # type: ignore[index]
        finally:
            server.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    asyncio.run(measure(sys.argv[1:]))
