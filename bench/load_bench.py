"""The server under load, on loopback: many connections, dear questions beside cheap ones, charts, memory.

The load comes from one process with an event loop, on the same machine as the server, so the figures are to be compared
with each other. Every goal is a ratio, measured in one run, or "no error".
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
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

CHEAP = "/api/v1/fide-standard/rate?rating=1750&game=1950:win&born=2010&on=2026-11-15"
PAGE = "/?system=fide-standard&on=2026-11-15&rating=1750&born=2010&game=1950:win"
EVENTS = [{"on": f"2027-{month:02}-10", "field": 1800, "spread": 150, "rounds": 9} for month in range(1, 9)]
DEAR = json.dumps({"rating": 1780, "k": 20, "event": EVENTS}).encode()
SEASON = "/api/v1/fide-standard/season"
MIXED = (CHEAP, PAGE, "/openapi.json", "/api/v1/elo/expect?rating=1500&opponent=1700", "/api/v1/elo/rate?rating=x")
CONNECTIONS = (1, 8, 64, 256)
SECONDS = float(os.environ.get("SECONDS", "5"))
MANY, SETTLED = 50_000, 5_000  # requests


class Load(NamedTuple):
    """What came of some load: seconds for each answer by its status."""

    statuses: dict[int, int]
    seconds: list[float]
    errors: int

    @property
    def p99(self) -> float:
        """The 99th percentile, in milliseconds."""
        return 1000 * quantiles(self.seconds, n=100)[-1] if len(self.seconds) > 1 else float("nan")


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: bytes = b"") -> int:
    """One request on a connection that is kept: its status."""
    method = "POST" if body else "GET"
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: (\d+)", answer)[1])  # type: ignore[index]
    await reader.readexactly(length)
    return int(answer[9:12])


async def load(port: int, paths: tuple[str, ...], connections: int, *, seconds: float = 0, requests: int = 0) -> Load:
    """Ask on so many connections at once, for a time or for a number of requests."""
    statuses: dict[int, int] = {}
    taken: list[float] = []
    errors = asked = 0
    end = time.perf_counter() + (seconds or 1e9)

    async def client() -> None:
        nonlocal errors, asked
        reader = writer = None
        while time.perf_counter() < end and (not requests or asked < requests):
            path = paths[asked % len(paths)]
            asked += 1
            began = time.perf_counter()
            try:
                if writer is None or reader is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                status = await ask(reader, writer, path)
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
    """Ask one of the dearest questions over and over: how often it was answered."""
    done = 0
    while not stop.is_set():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        done += await ask(reader, writer, SEASON, DEAR) == 200
        writer.close()
    return done


def memory(pid: int) -> int:
    """The memory of a process in kilobytes."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])  # type: ignore[index]


async def connections(port: int) -> None:
    """At each number of connections: how fast, and whether anything went wrong."""
    for number in CONNECTIONS:
        found = await load(port, (CHEAP,), number, seconds=SECONDS)
        wrong = found.errors + sum(count for status, count in found.statuses.items() if status != 200)
        speed = len(found.seconds) / SECONDS
        print(f"{number} connections: {speed:.0f} requests/s, p99 {found.p99:.1f} ms, {wrong} errors (goal: 0)")


async def beside_dear_questions(port: int) -> None:
    """The cheap question's 99th percentile with quiet and with busy workers, in turns."""
    quiet: list[float] = []
    busy: list[float] = []
    health: list[float] = []
    for _ in range(3):
        quiet.append((await load(port, (CHEAP,), 1, seconds=SECONDS)).p99)
        stop = asyncio.Event()
        dear = [asyncio.create_task(keep_busy(port, stop)) for _ in range(8)]
        await asyncio.sleep(1)
        busy.append((await load(port, (CHEAP,), 1, seconds=SECONDS)).p99)
        health += (await load(port, ("/health",), 1, seconds=SECONDS / 2)).seconds
        stop.set()
        await asyncio.gather(*dear)
    ratio = median(busy) / median(quiet)
    print(f"p99 of a cheap question: {median(quiet):.1f} ms quiet, {median(busy):.1f} ms while every worker is busy;")
    print(f"  {ratio:.1f} times (goal: at most 10); the slowest /health took {max(health):.3f} s (goal: under 1)")


async def charts(port: int) -> None:
    """The page with its charts, asked for as a browser does, beside the page alone; a browser keeps the pictures."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {PAGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    text = (await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))).decode()  # type: ignore[index]
    writer.close()
    pictures = sorted({one.replace("&amp;", "&") for one in re.findall(r'"(/chart/[^"]+\.svg[^"]*)"', text)})
    await load(port, tuple(pictures), 1, requests=len(pictures))  # drawn once
    alone, together = [], []
    for _ in range(5):
        alone.append(len((await load(port, (PAGE,), 64, seconds=SECONDS / 2)).seconds))
        found = await load(port, (PAGE, *pictures), 64, seconds=SECONDS / 2)
        together.append(len(found.seconds) / (1 + len(pictures)))
    share = median(with_them / without for with_them, without in zip(together, alone, strict=True))
    per_second = 2 / SECONDS
    print(f"page: {median(alone) * per_second:.0f} requests/s alone, {median(together) * per_second:.0f} with its")
    print(f"  {len(pictures)} charts each time; {share:.2f} of it (goal: at least 0.5)")


async def mixed(port: int, pid: int) -> None:
    """Memory after many requests of all kinds, beside what it was after the first ones."""
    await load(port, MIXED, 8, requests=SETTLED)
    before = memory(pid)
    found = await load(port, MIXED, 8, requests=MANY - SETTLED)
    after = memory(pid)
    print(f"memory after {SETTLED} mixed requests: {before // 1024} MB; after {MANY}: {after // 1024} MB;")
    print(f"  {after / before:.2f} times (goal: at most 1.1); {found.errors} errors")


async def measure(port: int, pid: int, parts: list[str]) -> None:
    """All parts, or those asked for."""
    if not parts or "connections" in parts:
        await connections(port)
    if not parts or "dear" in parts:
        await beside_dear_questions(port)
    if not parts or "charts" in parts:
        await charts(port)
    if not parts or "memory" in parts:
        await mixed(port, pid)


def main(parts: list[str]) -> None:
    """Start a server as `arpad serve` does, measure, stop it."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, ["src", os.environ.get("PYTHONPATH")]))}
    line = [sys.executable, "-m", "arpad", "serve", "--port", "0"]
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as server:
        try:
            said = server.stdout.readline() if server.stdout else ""
            port = int(re.search(r":(\d+)/", said)[1])  # type: ignore[index]
            asyncio.run(measure(port, server.pid, parts))
        finally:
            server.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    main(sys.argv[1:])
