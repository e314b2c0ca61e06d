"""`arpad mcp`: the questions as tools for assistants, over standard input and output or over HTTP."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from arpad.calculation.serialise import listing
from arpad.cli.serve import listen
from arpad.cli.show import Reply
from arpad.errors import extra_needed
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import optional, question
from arpad.questions.fields import Asking

HOST = "127.0.0.1"  # assistants are on the same machine
PROCESSES = 1  # for an assistant's questions


@question("mcp", doors=frozenset({"command"}), why="it serves assistants", examples=({}, {"port": 8001}))
@dataclass(frozen=True, kw_only=True)
class Mcp(Asking):
    """The questions as tools for assistants."""

    port: int | None = optional(readers.port, example="8001")

    def run(self) -> Reply:
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
        return Reply(lambda _: "", lambda: listing([]))
