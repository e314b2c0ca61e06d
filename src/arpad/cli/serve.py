"""`arpad serve`: the page and the HTTP API on this machine."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import webbrowser
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from http.client import HTTPConnection, HTTPException
from threading import Thread
from typing import TYPE_CHECKING

from arpad.cli.reply import Done
from arpad.errors import BadInput, Unsupported, cause, extra_needed
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import flag, optional, question
from arpad.questions.fields import LONGEST_PATH, Asking

if TYPE_CHECKING:
    import uvicorn

    from arpad.messages import Message


@question(
    "serve",
    doors=frozenset({"command"}),
    why="it starts the page and the API",
    examples=({}, {"port": 8080}, {"open": True}, {"show_config": True}),
)
@dataclass(frozen=True, kw_only=True)
class Serve(Asking):
    """The page and the HTTP API on this machine."""

    host: str | None = optional(readers.text, example="127.0.0.1")
    port: int | None = optional(readers.port, example="8080")
    workers: str | None = optional(readers.text, example="2")  # read with the other settings
    config: str | None = optional(readers.path, example="arpad.toml", longest=LONGEST_PATH)
    show_config: bool = flag()
    open: bool = flag()
    once: bool = flag()

    def run(self) -> Done:
        """Serve until stopped."""
        with extra_needed("command.serve.missing", at="serve"):
            import uvicorn
            from uvicorn.supervisors import Multiprocess

            from arpad.web.monitoring import counted_together
            from arpad.web.server import config_of
            from arpad.web.settings import LIMITS, settings_from
        settings = settings_from({name: getattr(self, name) for name in ("host", "port", "workers", "config")})
        if self.show_config:
            values = asdict(settings)
            lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
            return Done(text="\n".join(lines), value=values)
        listening = listen(settings.host, settings.port)
        if not settings.is_local:
            print(f"arpad: {say('command.serve.reachable', host=settings.host)}", file=sys.stderr)
            if not settings.hosts:
                print(f"arpad: {say('command.serve.any_host')}", file=sys.stderr)
        host, port = listening.getsockname()[:2]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
        if self.once:
            alone = replace(
                settings, workers=1, processes=0, seconds=LIMITS["seconds"][1]
            )  # however busy the machine is
            answered = _ask_once(uvicorn.Server(config_of(alone, warm=False)), listening, address)
            return Done(text=str(answered), value={"address": address})
        print(say("command.serve.running", address=address), flush=True)
        if self.open and has_display():
            webbrowser.open(address)  # the socket is already listening; the browser waits for the first answer
        config = config_of(settings)
        with suppress(KeyboardInterrupt):  # the server raises it again after stopping
            if settings.workers > 1:
                with counted_together():
                    Multiprocess(config, sockets=[listening]).run()
            else:
                uvicorn.Server(config).run(sockets=[listening])
        return Done(text=str(say("command.serve.stopped")), value={"address": address})


def has_display() -> bool:
    """Whether a browser can be opened: the output is a terminal, and there is a display."""
    return sys.stdout.isatty() and (sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY")))


def _ask_once(server: uvicorn.Server, listening: socket.socket, address: str) -> Message:
    """Request the page once, then stop."""
    serving = Thread(target=server.run, kwargs={"sockets": [listening]})
    serving.start()
    host, port = listening.getsockname()[:2]
    asking = HTTPConnection(host, port, timeout=30)
    try:
        asking.request("GET", "/")
        reply = asking.getresponse()
        size = len(reply.read())
    except (OSError, HTTPException) as problem:
        raise Unsupported(say("command.serve.no_answer", address=address, reason=problem), at="once") from None
    finally:
        asking.close()
        server.should_exit = True
        serving.join()
    return say("command.serve.answered", address=address, status=reply.status, bytes=size)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, or an error that says why not."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        family, kind, protocol, _, address = found[0]
        # Only with its protocol named does asyncio send a reply at once (TCP_NODELAY), not after 40 ms.
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except (OSError, UnicodeError) as problem:  # the latter for a name that no host can have
        reason = cause(problem)
        said = say("command.serve.cannot_listen", host=host, port=str(port), reason=reason)
        raise BadInput(said, at="port") from None
    return listening


HOST = "127.0.0.1"  # assistants are on the same machine
PROCESSES = 1  # for an assistant's questions


@question("mcp", doors=frozenset({"command"}), why="it serves assistants", examples=({}, {"port": 8001}))
@dataclass(frozen=True, kw_only=True)
class Mcp(Asking):
    """The questions as tools for assistants."""

    port: int | None = optional(readers.port, example="8001")

    def run(self) -> Done:
        """Serve until the assistant leaves."""
        with extra_needed("command.mcp.missing", at="mcp"):
            from arpad.web.assistants import over_http, over_stdio
        if self.port is None:
            serving = over_stdio(PROCESSES)
        else:
            listening = listen(HOST, self.port)
            address = f"http://{HOST}:{listening.getsockname()[1]}/mcp"
            print(say("command.serve.running", address=address), flush=True)
            serving = over_http(listening, PROCESSES)
        with suppress(KeyboardInterrupt):
            asyncio.run(serving)
        return Done()
