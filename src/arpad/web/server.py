"""A server from its settings: uvicorn, with limits on connections, and a log as text or JSON."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from arpad.lists.store import FOLDER_VARIABLE
from arpad.web.app import create_app
from arpad.web.settings import MOST_CONNECTIONS, ServerSettings

if TYPE_CHECKING:
    from asyncio import TimerHandle

    from starlette.applications import Starlette


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


HEAD_SECONDS = 10.0  # for a client to send the head of a request
BODY_SECONDS = 30.0  # for it to send the body
READ_SECONDS = 30.0  # for a client that stopped reading to go on
LARGEST_HEAD = 128 * 1024  # bytes; an address may have 64 KB


class ConnectionLimits:
    """The limits, as a mixin for one of uvicorn's protocols."""

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
        self._head = 0
        self._sending: TimerHandle | None = None
        self._reading: TimerHandle | None = None
        self._address = self.client[0] if self.client else ""
        own = self._open[self._address]
        own[self] = None
        self._start_sending(HEAD_SECONDS)
        everybody = (
            [connection for connections in self._open.values() for connection in connections]
            if self._count() > MOST_CONNECTIONS
            else []
        )
        for crowd, most in ((own, self.most_of_one), (everybody, MOST_CONNECTIONS)):
            if len(crowd) > most:
                self._least_needed(crowd).transport.abort()

    def _least_needed(self, crowd: Iterable[ConnectionLimits]) -> ConnectionLimits:
        """The oldest connection that is idle, else the oldest whose request is not complete, else this one."""
        others = [connection for connection in crowd if connection is not self]
        idle = (connection for connection in others if connection.is_idle)
        sending = (connection for connection in others if connection.is_sending)
        return next(idle, None) or next(sending, self)

    @classmethod
    def _count(cls) -> int:
        return sum(map(len, cls._open.values()))

    @property
    def is_idle(self) -> bool:
        """Whether no request is being read or answered."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def connection_lost(self, problem: Exception | None) -> None:
        """Forget a connection that has ended."""
        self._open[self._address].pop(self, None)
        if not self._open[self._address]:
            del self._open[self._address]
        self._stop_sending()
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
                self._start_sending(BODY_SECONDS)
        elif not self.is_idle:  # the whole request is there
            self._stop_sending()
        elif self._sending is None:
            self._start_sending(HEAD_SECONDS)

    @property
    def is_sending(self) -> bool:
        """Whether part of a request's body has still to arrive."""
        return not self.is_idle and bool(self.cycle.more_body)

    def pause_writing(self) -> None:
        """The client has stopped reading."""
        super().pause_writing()  # type: ignore[misc]
        self._reading = self._reading or self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client is reading again."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        super().resume_writing()  # type: ignore[misc]

    def _start_sending(self, seconds: float) -> None:
        """Give the client so many seconds to complete what it is sending."""
        self._stop_sending()
        self._sending = self.loop.call_later(seconds, self.transport.abort)

    def _stop_sending(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None


class LimitedProtocol(ConnectionLimits, H11Protocol):  # type: ignore[misc]  # uvicorn's attributes have other types
    """The protocol that the server uses."""
