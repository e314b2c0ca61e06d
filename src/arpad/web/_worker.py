"""A worker process: answers one request after another, as its standard input brings them, until that ends."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from contextlib import suppress
from logging.config import dictConfig
from typing import BinaryIO

from arpad.web.app import inner_app
from arpad.web.middleware import completed
from arpad.web.monitoring import logging_of
from arpad.web.workers import PIECE

MOST_MEMORY = 1024 * 1024 * 1024  # bytes


def main(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer the requests that come, until the server closes or ends."""
    settings, language, niceness = pickle.load(requests)  # noqa: S301  # from the server that started it
    dictConfig(logging_of(settings))
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    with suppress(ImportError, OSError, ValueError):
        import resource

        # Not the address space, of which the script that draws charts reserves far more than it uses.
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    app = inner_app(settings, language)
    _send(replies, "ready")
    with asyncio.Runner() as runner:
        while True:
            scope, body = pickle.load(requests)  # noqa: S301
            if hasattr(signal, "setitimer"):  # the server stops a request in time; this is for a server that was killed
                signal.setitimer(signal.ITIMER_PROF, 2 * settings.seconds)
            try:
                reply = runner.run(completed(app, scope, b"".join(body)))
                pieces = [whole[at : at + PIECE] for whole in reply.body for at in range(0, len(whole), PIECE)]
                _send(replies, reply._replace(body=pieces))
            except MemoryError:
                _send(replies, None)


def _send(replies: BinaryIO, what: object) -> None:
    pickle.dump(what, replies, pickle.HIGHEST_PROTOCOL)
    replies.flush()


if __name__ == "__main__":
    # Replies have a pipe of their own; what a library prints goes to the server's standard error.
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(EOFError, BrokenPipeError, pickle.UnpicklingError):  # the server has ended
        main(sys.stdin.buffer, own)
