"""`arpad serve`: the page and the HTTP API on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.core.model import whole_of
from arpad.errors import BadInput, MissingExtra, Unsupported

if TYPE_CHECKING:
    import argparse
    import socket

    import uvicorn

SUMMARY = "the page and the HTTP API on this machine"
EXAMPLES = ("arpad serve", "arpad serve --port 8080", "arpad serve --open")
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad serve`."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", default="8000", help="the port to listen on (default 8000; 0 takes a free one)")
    parser.add_argument("--open", action="store_true", help="show the page in a browser where there is a display")
    parser.add_argument("--once", action="store_true", help="prove with one request that the page answers, and end")


def run(options: argparse.Namespace) -> show.Reply:
    """Serve until somebody stops it."""
    try:
        import uvicorn

        from arpad.web.app import create_app
    except ModuleNotFoundError as missing:
        raise MissingExtra(
            f"The page needs the extra `web`, and {missing.name} is not there; install it with "
            "`pip install 'arpad[web]'`.",
            at="arpad serve",
        ) from None
    import logging
    import sys
    from contextlib import suppress

    listening = _listen(options.host, whole_of(options.port, "a port", 0, 65535, at="--port"))
    if options.host not in LOOPBACK:
        print(
            f"arpad: {options.host} can be reached by other machines, and Arpad asks nobody for a password; "
            "use it behind a server that does.",
            file=sys.stderr,
        )
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    host, port = listening.getsockname()[:2]
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(warm=not options.once),
            access_log=False,  # ours is in the common log format
            log_level="warning",
            limit_concurrency=200,
            server_header=False,
            timeout_graceful_shutdown=5,
        )
    )
    if options.once:
        return _reply(_asked_once(server, listening, address))
    print(f"Arpad is at {address} (Ctrl+C stops it).", flush=True)
    if options.open and _has_display():
        import webbrowser

        webbrowser.open(address)  # the socket listens already: the browser waits for the first answer
    with suppress(KeyboardInterrupt):  # which the server passes on once it has stopped
        server.run(sockets=[listening])
    return _reply("Stopped.")


def _reply(says: str) -> show.Reply:
    return show.Reply(lambda _: says, lambda: {"ok": True, "value": None, "steps": [], "rules": []})


def _has_display() -> bool:
    """Whether somebody sits in front of this machine."""
    import os
    import sys

    return sys.stdout.isatty() and (sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY")))


def _asked_once(server: uvicorn.Server, listening: socket.socket, address: str) -> str:
    """Ask the page for itself, and stop."""
    from http.client import HTTPConnection, HTTPException
    from threading import Thread

    serving = Thread(target=server.run, kwargs={"sockets": [listening]})
    serving.start()
    host, port = listening.getsockname()[:2]
    asking = HTTPConnection(host, port, timeout=30)
    try:
        asking.request("GET", "/")
        reply = asking.getresponse()
        size = len(reply.read())
    except (OSError, HTTPException) as problem:
        raise Unsupported(f"The page did not answer at {address}: {problem}.", at="--once") from None
    finally:
        asking.close()
        server.should_exit = True
        serving.join()
    return f"The page answered at {address} with status {reply.status} and {size} bytes."


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or why there is none."""
    import socket

    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except OSError as problem:
        raise BadInput(
            f"{host} port {port} cannot be listened on: {problem.strerror}. Choose another with --host and --port.",
            at="--port",
        ) from None
    return listening
