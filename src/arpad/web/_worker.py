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
from arpad.web.log import logging_of
from arpad.web.middleware import completed
from arpad.web.workers import LENGTH

MOST_MEMORY = 1024 * 1024 * 1024  # bytes


def main(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer the requests that come, until the server closes or ends."""
    settings, language, niceness = pickle.loads(_received(requests))  # noqa: S301  # from the server that started it
    dictConfig(logging_of(settings))
    _limit(niceness)
    app = inner_app(settings, language)
    _send(replies, b"")
    with asyncio.Runner() as runner:
        while head := _received(requests):
            body = _received(requests)
            if hasattr(signal, "setitimer"):  # the server stops a request in time; this is for a server that was killed
                signal.setitimer(signal.ITIMER_PROF, 2 * settings.seconds)
            try:
                status, headers, pieces = runner.run(completed(app, pickle.loads(head), body))  # noqa: S301
            except MemoryError:
                _send(replies, b"")  # says so
                return
            _send(replies, pickle.dumps((status, headers)))
            _send(replies, *pieces)


def _received(requests: BinaryIO) -> bytes:
    return requests.read(int.from_bytes(requests.read(LENGTH), "big"))


def _send(replies: BinaryIO, *pieces: bytes) -> None:
    replies.write(sum(map(len, pieces)).to_bytes(LENGTH, "big"))
    replies.writelines(pieces)
    replies.flush()


def _limit(niceness: int) -> None:
    """Set the limits that the operating system keeps."""
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    with suppress(ImportError, OSError, ValueError):
        import resource

        # Not the address space, of which the script that draws charts reserves far more than it uses.
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


if __name__ == "__main__":
    # Replies have a pipe of their own; what a library prints goes to the server's standard error.
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(BrokenPipeError):  # the server has ended
        main(sys.stdin.buffer, own)
