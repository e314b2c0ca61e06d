"""A server from its settings: uvicorn, with a log as text or JSON, and with limits on connections.

The limits are those that uvicorn does not have: on connections from one address, and on the time a client takes to
send or to read. They are a mixin for uvicorn's protocol, which is told of every event of a connection.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from asyncio import TimerHandle
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from arpad.lists.store import FOLDER_VARIABLE
from arpad.web.app import create_app
from arpad.web.settings import MOST_CONNECTIONS, ServerSettings

if TYPE_CHECKING:
    from starlette.applications import Starlette

HEAD_SECONDS = 10.0  # for a client to send the head of a request
BODY_SECONDS = 30.0  # for it to send the body
READ_SECONDS = 30.0  # for a client that stopped reading to go on
LARGEST_HEAD = 128 * 1024  # bytes; an address may have 64 KB


def config_of(settings: ServerSettings, *, warm: bool = True) -> uvicorn.Config:
    """The configuration of uvicorn, which can be passed to another process."""
    return uvicorn.Config(
        partial(application, settings, warm=warm),
        factory=True,
        workers=settings.workers,
        http="arpad.web.server:LimitedProtocol",
        h11_max_incomplete_event_size=LARGEST_HEAD,
        ws="none",
        root_path=settings.base,
        forwarded_allow_ips=list(settings.proxies),
        access_log=False,  # ours has the ID of the request
        log_config=logging_of(settings),
        server_header=False,
        timeout_graceful_shutdown=5,
    )


def application(settings: ServerSettings, *, warm: bool) -> Starlette:
    """The application, set up in the process it runs in."""
    ConnectionLimits.most_of_one = settings.connections
    if settings.data:
        os.environ[FOLDER_VARIABLE] = settings.data  # workers inherit it
    return create_app(warm=warm, settings=settings)


def logging_of(settings: ServerSettings) -> dict[str, Any]:
    """Logging to standard error: warnings from libraries, and a line for each request."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {"format": "%(message)s"},
            "json": {"()": JsonLine},
        },
        "handlers": {"all": {"class": "logging.StreamHandler", "formatter": settings.log}},
        "root": {"handlers": ["all"], "level": "WARNING"},
        "loggers": {"arpad": {"level": "INFO"}},
    }


class JsonLine(logging.Formatter):
    """A line of the log as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: the parts of a request, or the text of anything else."""
        line = {"time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname.lower()}
        about = getattr(record, "about", None)
        return json.dumps({**line, **(about or {"message": super().format(record)})})


class ConnectionLimits:
    """The limits on connections, as a mixin for one of uvicorn's protocols."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None
    cycle: Any  # the request that is being read or answered; None before the first

    most_of_one = ServerSettings().connections  # from one address; more than a browser or a busy proxy opens
    # The connections of each address, oldest first.
    _open: ClassVar[defaultdict[str, dict[ConnectionLimits, None]]] = defaultdict(dict)

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Take a new connection; if there are too many, close the one that is needed least."""
        super().connection_made(transport)  # type: ignore[misc]
        self._head = 0  # bytes of a head that is not complete
        self._to_send: TimerHandle | None = None  # ends the connection if the client sends too slowly
        self._to_read: TimerHandle | None = None  # ends it if the client reads too slowly
        self._address = self.client[0] if self.client else ""
        own = self._open[self._address]
        own[self] = None
        self._limit_sending(HEAD_SECONDS)
        if len(own) > self.most_of_one:
            self._least_needed(own).transport.abort()
        if sum(map(len, self._open.values())) > MOST_CONNECTIONS:
            self._least_needed(chain.from_iterable(self._open.values())).transport.abort()

    def _least_needed(self, connections: Iterable[ConnectionLimits]) -> ConnectionLimits:
        """The oldest connection that is idle, else the oldest whose request is not complete, else this one."""
        others = [connection for connection in connections if connection is not self]
        idle = (connection for connection in others if connection.is_idle)
        sending = (connection for connection in others if connection.is_sending)
        return next(idle, None) or next(sending, self)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being read or answered."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def connection_lost(self, problem: Exception | None) -> None:
        """Forget a connection that has ended."""
        self._open[self._address].pop(self, None)
        if not self._open[self._address]:
            del self._open[self._address]
        self._unlimit_sending()
        self.resume_writing()
        super().connection_lost(problem)  # type: ignore[misc]

    def data_received(self, data: bytes) -> None:
        """Take some bytes; a head that is too long, or a request that stays incomplete, ends the connection."""
        before, was_in_body = self.cycle, self.is_sending
        super().data_received(data)  # type: ignore[misc]
        is_new = self.cycle is not before  # its head is complete
        self._head = 0 if is_new or was_in_body else self._head + len(data)
        if self._head > LARGEST_HEAD:
            self.transport.abort()
        elif self.is_sending:
            if is_new:
                self._limit_sending(BODY_SECONDS)
        elif not self.is_idle:  # the whole request is there
            self._unlimit_sending()
        elif self._to_send is None:
            self._limit_sending(HEAD_SECONDS)

    @property
    def is_sending(self) -> bool:
        """Whether part of a request's body has still to arrive."""
        return not self.is_idle and bool(self.cycle.more_body)

    def pause_writing(self) -> None:
        """The client has stopped reading."""
        super().pause_writing()  # type: ignore[misc]
        self._to_read = self._to_read or self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client is reading again."""
        if self._to_read is not None:
            self._to_read.cancel()
            self._to_read = None
        super().resume_writing()  # type: ignore[misc]

    def _limit_sending(self, seconds: float) -> None:
        """Give the client so many seconds to complete what it is sending."""
        self._unlimit_sending()
        self._to_send = self.loop.call_later(seconds, self.transport.abort)

    def _unlimit_sending(self) -> None:
        if self._to_send is not None:
            self._to_send.cancel()
            self._to_send = None


class LimitedProtocol(ConnectionLimits, H11Protocol):  # type: ignore[misc]  # uvicorn's attributes have other types
    """The protocol that the server uses."""
