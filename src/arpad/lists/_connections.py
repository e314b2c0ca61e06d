"""How the database file is opened: by any number of readers, or by one writer."""

from __future__ import annotations

import atexit
from contextlib import contextmanager
from dataclasses import dataclass
from os import getpid, stat, unlink
from os.path import exists, realpath
from threading import Lock, Timer
from time import monotonic, sleep
from typing import TYPE_CHECKING

from arpad.errors import BadFile, Busy, MissingExtra
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from duckdb import DuckDBPyConnection

SETTINGS: dict[str, str | bool] = {"memory_limit": "500MB", "preserve_insertion_order": False}
WAIT = 2.0  # seconds that a writer waits for readers
LINGER = 1.0  # seconds that a file stays attached after a search
BUSY = say("lists.store.busy")


def duckdb() -> ModuleType:
    """The database library, which is optional."""
    try:
        import duckdb as library
    except ImportError:
        raise MissingExtra(say("lists.store.needs", library="DuckDB"), at="list") from None
    return library


def is_started(path: str) -> bool:
    """Whether the file has any content; a program killed at the very start leaves an empty one."""
    return exists(path) and stat(path).st_size > 0


@contextmanager
def reader(path: str, *, all_cores: bool = False) -> Iterator[DuckDBPyConnection]:
    """A connection that only reads; looking up a few players is quicker on one core than on all of them."""
    library = duckdb()
    with _translated_errors(path):
        if all_cores:
            with library.connect(path, read_only=True) as connection:
                yield connection
        else:
            with _shared.attached(realpath(path)) as connection:
                yield connection


@contextmanager
def writer(path: str) -> Iterator[DuckDBPyConnection]:
    """The only connection to the file."""
    if not _shared.release(realpath(path)):  # the operating system's locks do not apply within one process
        raise Busy(BUSY, at=path)
    with _translated_errors(path), _exclusive(path) as connection:
        yield connection


def _exclusive(path: str) -> DuckDBPyConnection:
    """A connection to the file, once nobody else has it open."""
    library = duckdb()
    deadline = monotonic() + WAIT
    while True:
        try:
            connection: DuckDBPyConnection = library.connect(path, config=SETTINGS)
        except library.IOException as problem:
            empty = exists(path) and not is_started(path)  # a program was killed at the start, or is just starting
            if not (empty or _is_locked(problem)):
                raise
            if monotonic() > deadline:
                if not empty:
                    raise
                unlink(path)
            else:
                sleep(WAIT / 20)
        else:
            return connection


@dataclass(slots=True)
class _Attachment:
    """A file attached to the in-memory database: its name there, which file it is, and how many readers it has."""

    name: str
    identity: tuple[int, int]
    readers: int = 0
    timer: Timer | None = None


class _SharedReaders:
    """Files attached to one in-memory database, each only once, however many threads read it.

    Starting a DuckDB database takes longer than a search; attaching a file to a running one takes a millisecond. A file
    stays attached for a moment, which makes the next search quicker, and is then released, because nobody can write to
    it while it is attached.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._process = 0
        self._memory: DuckDBPyConnection | None = None
        self._of_parent: DuckDBPyConnection | None = None
        self._files: dict[str, _Attachment] = {}

    @contextmanager
    def attached(self, path: str) -> Iterator[DuckDBPyConnection]:
        """A connection in which the file's tables are the default ones."""
        with self._lock:
            memory = self._running()
            file = self._files.get(path)
            if file is not None and not file.readers and file.identity != _identity(path):
                self._detach(path)  # another file has taken its place
                file = None
            if file is None:
                file = _Attachment('"' + path.replace('"', '""') + '"', _identity(path))
                quoted = path.replace("'", "''")
                memory.execute(f"ATTACH '{quoted}' AS {file.name} (READ_ONLY)")
                self._files[path] = file
            file.readers += 1
            connection = memory.cursor()
            connection.execute(f"USE {file.name}")
        try:
            yield connection
        finally:
            with self._lock:
                connection.close()
                file.readers -= 1
                self._release_later(path, file)

    def release(self, path: str) -> bool:
        """Detach a file that nobody is reading, and say whether it is free now."""
        with self._lock:
            if self._process != getpid() or path not in self._files:
                return True
            if self._files[path].readers:
                return False
            self._detach(path)
            return True

    def close(self) -> None:
        """Release all files; a timer still running at the end of the program would delay it."""
        for path in list(self._files):
            self.release(path)

    def _release_later(self, path: str, file: _Attachment) -> None:
        if file.timer is not None:
            file.timer.cancel()
        file.timer = Timer(LINGER, self.release, [path])
        file.timer.daemon = True
        file.timer.start()

    def _detach(self, path: str) -> None:
        file = self._files.pop(path)
        if file.timer is not None:
            file.timer.cancel()
        self._running().execute(f"DETACH {file.name}")

    def _running(self) -> DuckDBPyConnection:
        """The in-memory database of this process."""
        if self._memory is None or self._process != getpid():
            self._of_parent = self._memory  # after a fork; closing it would wait for threads that do not exist here
            self._memory = duckdb().connect(config={"threads": 1})
            self._process, self._files = getpid(), {}
        return self._memory


_shared = _SharedReaders()
atexit.register(_shared.close)


def _identity(path: str) -> tuple[int, int]:
    """What distinguishes a file from another with the same name."""
    found = stat(path)
    return found.st_ino, found.st_mtime_ns


def _is_locked(problem: Exception) -> bool:
    """Whether somebody else has the file open; DuckDB says so only in the message."""
    text = str(problem).lower()
    return ("lock" in text and "conflicting" in text) or "already attached" in text


DAMAGE = ("not a valid duckdb", "corrupt", "serializ", "version")  # words of DuckDB's messages


@contextmanager
def _translated_errors(path: str) -> Iterator[None]:
    """Turn DuckDB's errors into Arpad's, which say what happened and what to do."""
    library = duckdb()
    try:
        yield
    except library.Error as problem:
        text = str(problem)
        first_line = text.splitlines()[0][:200]
        if _is_locked(problem):
            raise Busy(BUSY, at=path) from None
        if "space" in text.lower() or "ENOSPC" in text:
            raise BadFile(say("lists.store.full"), at=path) from None
        if any(word in text.lower() for word in DAMAGE) or isinstance(problem, library.FatalException):
            raise BadFile(say("lists.store.damaged", why=first_line), at=path) from None
        if isinstance(problem, library.IOException):
            raise BadFile(say("lists.store.unusable", why=first_line), at=path) from None
        raise
