"""`arpad ledger open`: a ledger as a page on this machine, and on the phones of the club if that is asked for."""

from __future__ import annotations

import gc
import os
import socket
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from getpass import getuser
from typing import TYPE_CHECKING

from arpad.cli.ledger import ABOUT, LONGEST_ADDRESS, OfLedger
from arpad.cli.reply import Done
from arpad.cli.serve import has_display, listen
from arpad.errors import extra_needed
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import flag, optional, question
from arpad.questions.fields import LONGEST_PATH

if TYPE_CHECKING:
    import uvicorn

    from arpad.web.ledger import LedgerPage

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104  # only if phones are to use the page
SOMEWHERE = ("192.0.2.1", 9)  # an address that nobody has: nothing is sent there


@question(
    "ledger open",
    needs=("ledger",),
    **ABOUT,
    examples=(
        {"ledger": "club.arpad"},
        {"ledger": "club.arpad", "site": "site", "network": True},
    ),
)
@dataclass(frozen=True, kw_only=True)
class LedgerOpen(OfLedger):
    """The ledger as a page on this machine: list, results, files with a preview, log, undo, publishing."""

    port: int | None = optional(readers.port, example="8000")
    network: bool = flag()
    site: str | None = optional(readers.path, example="site", longest=LONGEST_PATH)
    address: str | None = optional(readers.text, example="https://club.example/ratings/", longest=LONGEST_ADDRESS)

    def run(self) -> Done:
        """Serve the page until stopped."""
        gc.enable()
        opened = self.opened()  # refused before anything is served
        listening = listen(EVERYWHERE if self.network else HERE, self.port or 0)
        with extra_needed("command.serve.missing", at="ledger"):
            from arpad.web.ledger import LedgerPage
            from arpad.web.ledger_guard import Guard
        guard = Guard(getuser(), network=self.network)
        page = LedgerPage(opened, guard, self.site, self.address or "")
        port = listening.getsockname()[1]
        address = f"http://{HERE}:{port}/"
        print(say("ledger.command.running", ledger=os.path.basename(self.ledger), address=address), flush=True)
        if self.network:
            print(say("ledger.command.network", address=f"http://{_own()}:{port}/", code=guard.code), flush=True)
        if has_display():
            webbrowser.open(address)
        with suppress(KeyboardInterrupt):
            server_of(page).run(sockets=[listening])
        return Done(text=str(say("command.serve.stopped")), value={"address": address})


def server_of(page: LedgerPage) -> uvicorn.Server:
    """The server of a page."""
    import uvicorn

    config = uvicorn.Config(
        page.application(), log_level="error", access_log=False, ws="none", lifespan="off", proxy_headers=False,
        server_header=False,
    )  # fmt: skip
    return uvicorn.Server(config)


def _own() -> str:
    """This machine's address in the network, as it would be seen from outside."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE)
        except OSError:  # no network at all
            return HERE
        return str(probe.getsockname()[0])
