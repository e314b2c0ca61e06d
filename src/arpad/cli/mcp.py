"""`arpad mcp`: the questions as tools for assistants, over standard input and output."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from arpad.calculation.serialise import listing
from arpad.cli.show import Reply
from arpad.errors import extra_needed
from arpad.questions import readers
from arpad.questions.declare import optional, question
from arpad.questions.fields import Asking

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
        serving = over_stdio(PROCESSES) if self.port is None else over_http(self.port, PROCESSES)
        with suppress(KeyboardInterrupt):
            asyncio.run(serving)
        return Reply(lambda _: "", lambda: listing([]))
