"""A server from its settings: uvicorn, whose own refusals have our headers too.

Connections of one address and slow clients are limited by the proxy in front of it; `deploy/` has the files.
"""

from __future__ import annotations

import errno
import logging
import os
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from arpad.lists.store import FOLDER_VARIABLE
from arpad.web.app import create_app
from arpad.web.middleware import HEADERS
from arpad.web.monitoring import logging_of
from arpad.web.settings import ServerSettings

if TYPE_CHECKING:
    from starlette.applications import Starlette

LARGEST_HEAD = 32 * 1024  # bytes, with the address: thousands of header lines take the event loop a few milliseconds
BACKLOG = 256  # connections that wait to be taken
SILENT = 60  # seconds without a sign of life before a server process is replaced: it may need many to start
PAUSE = 60  # seconds before the log says again that there are too many connections


def config_of(settings: ServerSettings, *, warm: bool = True) -> uvicorn.Config:
    """The configuration of uvicorn, which can be passed to another process."""
    return uvicorn.Config(
        partial(application, settings, warm=warm),
        factory=True,
        workers=settings.workers,
        http=Protocol,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        ws="none",
        backlog=BACKLOG,
        root_path=settings.base,
        forwarded_allow_ips=list(settings.proxies),
        access_log=False,  # ours has the ID of the request
        log_config=logging_of(settings, TooManyConnections),
        server_header=False,
        timeout_graceful_shutdown=5,
        timeout_worker_healthcheck=SILENT,
    )


def application(settings: ServerSettings, *, warm: bool) -> Starlette:
    """The application, set up in the process it runs in."""
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False  # no line has them
    if settings.data:
        os.environ[FOLDER_VARIABLE] = settings.data  # workers inherit it
    return create_app(warm=warm, settings=settings)


class Protocol(H11Protocol):
    """uvicorn's own, with the headers of every reply on its refusal of what is no HTTP, for which it has no setting."""

    def send_400_response(self, msg: str) -> None:
        """Refuse the request, and end the connection."""
        headers = HEADERS | {b"content-type": b"text/plain; charset=utf-8", b"connection": b"close"}
        refused = h11.Response(status_code=400, headers=[*headers.items()], reason=b"Bad Request")
        with suppress(h11.LocalProtocolError):  # another reply has begun
            for event in (refused, h11.Data(data=msg.encode()), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class TooManyConnections(logging.Filter):
    """Says once in a while that no more connections can be taken, in one line instead of a traceback for each try."""

    def __init__(self) -> None:
        super().__init__()
        self.quiet_until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written; what is said of connections becomes one sentence."""
        problem = record.exc_info[1] if record.exc_info else None
        if not isinstance(problem, OSError) or problem.errno not in (errno.EMFILE, errno.ENFILE):
            return True
        if monotonic() < self.quiet_until:
            return False
        self.quiet_until = monotonic() + PAUSE
        record.msg, record.args, record.exc_info = "Too many connections: no more files may be opened.", (), None
        return True
