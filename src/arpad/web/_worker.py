"""A worker process: does one job after another, as its standard input brings them, until that ends."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from contextlib import suppress
from typing import BinaryIO

from arpad.errors import ArpadError
from arpad.messages import speaking
from arpad.web import app  # noqa: F401  # imported before the first job, which then does not wait for it
from arpad.web.workers import LENGTH

MOST_MEMORY = 1024 * 1024 * 1024  # bytes
RETIRE_AT = 512 * 1024 * 1024  # bytes: what a large job took is given back by ending
LONGEST_NOTE = 1000  # characters of what cannot be sent
NICENESS = 10  # added to that of the server, so that quick questions come first


def main(questions: BinaryIO, replies: BinaryIO, seconds: float) -> None:
    """Do the jobs that come, until the server closes or ends."""
    at_start = _peak()  # a new process inherits the peak of the one that started it
    _limit()
    _send(replies, pickle.dumps(("ready", None)))
    while len(length := questions.read(LENGTH)) == LENGTH:
        job = questions.read(int.from_bytes(length, "big"))
        if hasattr(signal, "setitimer"):  # the server stops a job in time; this is for a server that was killed
            signal.setitimer(signal.ITIMER_REAL, seconds)
        reply = _packed(*_done(job, retire_at=max(RETIRE_AT, at_start)))
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        _send(replies, reply)


def _peak() -> int:
    """The most memory that this process has had, in bytes; 0 where the system does not count it."""
    with suppress(ImportError):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return 0


def _limit() -> None:
    """Set the limits that the operating system keeps; Ctrl+C is the server's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with suppress(ImportError, OSError, ValueError):
        import resource

        # Not the address space, of which the script that draws charts reserves far more than it uses.
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


def _done(job: bytes, *, retire_at: int) -> tuple[str, object]:
    """What came of a job, and its result or what it raised: `last` if the process should end now."""
    try:
        speaker, work = pickle.loads(job)  # noqa: S301  # from the server that started this process
        with speaking(speaker.language, speaker.door):
            result = work()
        return ("last" if _peak() > retire_at else "done"), result
    except MemoryError:
        return "failed", MemoryError()
    except ArpadError as refused:
        return "done", refused
    except Exception as fault:  # noqa: BLE001  # whatever it is, the server says so
        fault.add_note(traceback.format_exc())
        return "done", fault


def _packed(ending: str, result: object) -> bytes:
    try:
        return pickle.dumps((ending, result))
    except MemoryError:
        return pickle.dumps(("failed", MemoryError()))
    except Exception as fault:  # noqa: BLE001  # an exception that cannot be sent is sent as its description
        return pickle.dumps(("failed", RuntimeError(f"{fault}: {result!r}"[:LONGEST_NOTE])))


def _send(replies: BinaryIO, reply: bytes) -> None:
    replies.write(len(reply).to_bytes(LENGTH, "big") + reply)
    replies.flush()


if __name__ == "__main__":
    # Replies have a pipe of their own; what a library prints goes to the server's standard error.
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(BrokenPipeError):  # the server has ended
        main(sys.stdin.buffer, own, float(sys.argv[1]))
