"""The page of `--watch`: served only to this machine, until the watch ends."""

from __future__ import annotations

import socket
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING

from arpad.errors import BadInput, extra_needed
from arpad.messages import say, speaking
from arpad.reports.page import LiveState, live_page, live_script

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

HOST = "127.0.0.1"
NAMES = [HOST, "localhost"]  # with another name, a page elsewhere may be trying to read this one
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class LivePage:
    """The page, and the state it shows."""

    def __init__(self, port: int) -> None:
        with extra_needed("command.serve.missing", at="page"):
            import uvicorn
        listening = _listen(port)
        self.address = f"http://{HOST}:{listening.getsockname()[1]}/"
        self.state = LiveState()
        config = uvicorn.Config(self._application(), log_level="error", access_log=False, ws="none", lifespan="off")
        serving = uvicorn.Server(config)
        Thread(target=serving.run, kwargs={"sockets": [listening]}, daemon=True).start()

    def update(self, title: str, shown: str, time: str) -> None:
        """Show a new state."""
        self.state = LiveState(title, shown, time, "", self.state.version + 1)

    def trouble(self, said: str) -> None:
        """Show a problem above the last state."""
        self.state = replace(self.state, problem=said, version=self.state.version + 1)

    def _application(self) -> Starlette:
        from starlette.applications import Starlette
        from starlette.middleware import Middleware
        from starlette.middleware.trustedhost import TrustedHostMiddleware
        from starlette.responses import HTMLResponse, PlainTextResponse, Response
        from starlette.routing import Route

        async def page(_: Request) -> Response:
            with speaking(door="command"):
                return HTMLResponse(live_page(self.state), headers=HEADERS)

        async def version(_: Request) -> Response:
            return PlainTextResponse(str(self.state.version), headers=HEADERS)

        async def script(_: Request) -> Response:
            return Response(live_script(), media_type="text/javascript", headers=HEADERS)

        return Starlette(
            routes=[Route("/", page), Route("/version", version), Route("/live.js", script)],
            middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=NAMES)],
        )


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as problem:
        raise BadInput(say("command.watch.port", port=str(port), reason=problem.strerror), at="page") from None
