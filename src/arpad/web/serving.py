"""A server from its settings: uvicorn, with limits on connections, and a log as text or JSON."""

from __future__ import annotations

import json
import logging
import os
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn

from arpad.lists.store import FOLDER_VARIABLE
from arpad.web import protocol
from arpad.web.app import create_app

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from arpad.web.settings import ServerSettings


def config_of(settings: ServerSettings, *, warm: bool = True) -> uvicorn.Config:
    """The configuration of uvicorn, which can be passed to another process."""
    return uvicorn.Config(
        partial(application, settings, warm=warm),
        factory=True,
        workers=settings.workers,
        http="arpad.web.protocol:LimitedProtocol",
        h11_max_incomplete_event_size=protocol.LARGEST_HEAD,
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
    protocol.ConnectionLimits.most_of_one = settings.connections
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
