"""The API compared with a bare route on the same framework and server, as ratios; and the page measured by a browser.

Server and client share the machine, which affects both routes, so only the ratio means something. "A constant of the
same size" can mean two things, and both are shown. The goal applies to the harder one, a text of so many bytes. The
other is the answer itself, as a dictionary that the route returns.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from starlette.applications import Starlette
    from starlette.requests import Request

ROUNDS, SECONDS = 21, 0.2
ONE = "/api/v1/fide-standard/rate?rating=1750&game=1950:win&born=2010&on=2026-11-15"
NINE = ONE + "".join(f"&game={rating}:draw" for rating in range(1700, 1860, 20))
TYPING_GOAL, SHARE_GOAL, FIRST_VISIT_GOAL = 25, 0.33, 130


def serve(which: str, port: int) -> None:
    """Run Arpad as `arpad serve` does, or an application with nothing but routes that return constants."""
    import uvicorn

    from arpad.web import charts
    from arpad.web.server import config_of
    from arpad.web.settings import EMBEDDED

    config = config_of(EMBEDDED, warm=False)
    config.port = port
    if which == "bare":
        config.app, config.factory = bare(), False
    else:
        asyncio.run(charts.warm(None))  # `arpad serve` does this in the background, for a few seconds
    uvicorn.Server(config).run()


def bare() -> Starlette:
    """An application that returns a text of some size, or an answer stored before."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    constants: dict[int, dict[str, str]] = {}
    answers: dict[str, Any] = {}

    async def text(request: Request) -> JSONResponse:
        size = request.path_params["size"]
        return JSONResponse(constants.setdefault(size, {"constant": "x" * (size - len('{"constant":""}'))}))

    async def leave(request: Request) -> JSONResponse:
        answers["left"] = await request.json()
        return JSONResponse(None)

    async def same(_: Request) -> JSONResponse:
        return JSONResponse(answers["left"])

    return Starlette(
        routes=[
            Route("/bare/{size:int}", text),
            Route("/answer", leave, methods=["PUT"]),
            Route("/answer", same),
        ]
    )


def rate(port: int, path: str, seconds: float) -> float:
    """Requests per second over one open connection, by a client that does as little as possible."""
    request = f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
    done, end = 0, time.perf_counter() + seconds
    with socket.create_connection(("127.0.0.1", port)) as connection:
        while time.perf_counter() < end:
            connection.sendall(request)
            head, _, body = connection.recv(65536).partition(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            while len(body) < length:
                body += connection.recv(65536)
            done += 1
    return done / seconds


def asked(port: int, path: str, *, sent: bytes | None = None) -> bytes:
    """The body of the reply to one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET" if sent is None else "PUT", path, sent, {"content-type": "application/json"})
    return connection.getresponse().read()


def api(port: int, bare_port: int) -> None:
    """Compare the routes in short turns, so that a busy machine affects all of them."""
    for name, path in (("one game", ONE), ("nine games", NINE)):
        answer = asked(port, path)
        asked(bare_port, "/answer", sent=answer)
        routes = ((port, path), (bare_port, f"/bare/{len(answer)}"), (bare_port, "/answer"))
        turns = [[rate(*route, SECONDS) for route in routes] for _ in range(ROUNDS)]
        ours, text, same = (median(speeds) for speeds in zip(*turns, strict=True))
        of_text, of_same = (median(turn[0] / turn[other] for turn in turns) for other in (1, 2))
        goal = f" (goal: at least {SHARE_GOAL})" if path is ONE else ""
        print(f"rate, {name}, {len(answer)} bytes: {ours:.0f} requests/s")
        print(f"  a bare route that returns one text of that size: {text:.0f}; {of_text:.2f} of it{goal}")
        print(f"  a bare route that returns this answer as a dictionary: {same:.0f}; {of_same:.2f} of it")


def updates() -> None:
    """The processor time in which the server answers a key, with another rating each time."""
    from arpad.messages import speaking
    from arpad.web.pages import _part

    nine = [("row", str(rating)) for rating in range(1700, 1880, 20)]
    played = [pair for row in nine for pair in (row, ("result", "draw"))]
    forms = {
        "one game": ("played", played[:2]),
        "nine games": ("played", played),
        "a game to come": ("ahead", nine[:1]),
        "nine games to come and a target": ("ahead", [*nine, ("reach", "1820")]),
        "a first rating": ("first", played),
    }
    with speaking("en", door="page"):
        for name, (door, games) in forms.items():
            taken = []
            for number in range(30):
                given = [*([] if door == "first" else [("rating", str(1701 + number))]), *games, ("on", "2026-11-15")]
                begun = time.process_time()
                _part(door, "", "", given, "part.html")
                taken.append(1000 * (time.process_time() - begun))
            print(f"update after a key, {name}: {median(taken):.1f} ms of processor time (goal: under {TYPING_GOAL})")


def in_browser(port: int) -> None:
    """What a browser measures on the page, if there is a browser."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))
    import chromium

    if not chromium.CHROMIUM:
        print("the page in a browser: Chromium is not installed; `make browser` installs it where it may")
        return
    with chromium.browser() as opened:
        first_visit(opened, port)
        typing(opened, port)


def first_visit(opened: Browser, port: int) -> None:
    """The bytes transferred when `/` is opened for the first time, as the browser counts them."""
    page = opened.new_page()
    counting = page.context.new_cdp_session(page)
    names: dict[str, str] = {}
    counted: dict[str, float] = {}
    counting.on("Network.requestWillBeSent", lambda sent: names.update({sent["requestId"]: sent["request"]["url"]}))
    counting.on(
        "Network.loadingFinished", lambda done: counted.update({names[done["requestId"]]: done["encodedDataLength"]})
    )
    counting.send("Network.enable")
    page.goto(f"http://127.0.0.1:{port}/", wait_until="networkidle")
    total = sum(counted.values()) / 1024
    print(f"first visit of /: {total:.1f} KB in {len(counted)} files, fonts included (goal: {FIRST_VISIT_GOAL})")
    for url, size in sorted(counted.items(), key=lambda file: -file[1]):
        print(f"  {size / 1024:.1f} KB {url.partition(str(port))[2].partition('?')[0]}")
    page.close()


def typing(opened: Browser, port: int) -> None:
    """The time from a request to the new figures on the page, by the browser's own clock."""
    import chromium

    page = opened.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"http://127.0.0.1:{port}{chromium.EXAMPLE}", wait_until="networkidle")
    for number in range(30):
        page.fill("#rating", str(1700 + number))
        while page.evaluate("performance.getEntriesByName('update').length") <= number:
            page.wait_for_timeout(5)
    taken = page.evaluate("performance.getEntriesByName('update').map((one) => one.duration)")
    print(f"page update on typing: median {median(taken):.1f} ms of {len(taken)} (goal: under {TYPING_GOAL})")


def start(which: str) -> tuple[subprocess.Popen[bytes], int]:
    """Start a server on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, ["src", os.environ.get("PYTHONPATH")]))}
    command = [sys.executable, __file__, which, str(port)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL), port  # the log of requests


def main() -> None:
    """Start both servers, measure, stop them."""
    (ours, port), (bare, bare_port) = start("arpad"), start("bare")
    try:
        for at, path in ((port, ONE), (bare_port, "/bare/100")):
            for _ in range(1200):
                try:
                    asked(at, path)
                    break
                except OSError:
                    time.sleep(0.1)
        api(port, bare_port)
        updates()
        in_browser(port)
    finally:
        ours.terminate()
        bare.terminate()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 2 else main()
