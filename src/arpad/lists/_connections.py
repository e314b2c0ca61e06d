"""How the database file is opened: by any number of readers, or by one writer."""

from __future__ import annotations

from contextlib import contextmanager
from os import getpid, stat, unlink
from os.path import exists, realpath
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING

from arpad.errors import BadFile, Busy, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from duckdb import DuckDBPyConnection

SETTINGS: dict[str, str | bool] = {"memory_limit": "500MB", "preserve_insertion_order": False}
WAIT = 2.0  # seconds that a writer waits for readers
BUSY = "Another program is using the rating lists; wait until it has finished and try again."


def duckdb() -> ModuleType:
    """The database library, which is optional."""
    try:
        import duckdb as library
    except ImportError:
        raise MissingExtra("Rating lists need DuckDB; `pip install 'arpad[lists]'` installs it.", at="list") from None
    return library


def is_started(path: str) -> bool:
    """Whether the file has any content; a program killed at the very start leaves an empty one."""
    return exists(path) and stat(path).st_size > 0


@contextmanager
def reader(path: str, *, all_cores: bool = False) -> Iterator[DuckDBPyConnection]:
    """A connection that only reads; looking up a few players is quicker on one core than on all of them."""
    library = duckdb()
    with _errors_as_ours(path):
        if all_cores:
            with library.connect(path, read_only=True) as connection:
                yield connection
        else:
            with _shared.attached(realpath(path)) as connection:
                yield connection


@contextmanager
def writer(path: str) -> Iterator[DuckDBPyConnection]:
    """The only connection to the file."""
    if _shared.is_attached(realpath(path)):  # the operating system's locks do not keep a process from itself
        raise Busy(BUSY, at=path)
    with _errors_as_ours(path), _exclusive(path) as connection:
        yield connection


def _exclusive(path: str) -> DuckDBPyConnection:
    """The file, as soon as nobody else has it open."""
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


class _SharedReaders:
    """Files attached to one in-memory database, each once however many threads read it.

    Starting a database takes DuckDB longer than a search; attaching a file to a running one takes a millisecond.
    A file is detached after its last reader, so that another program can write to it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._process = 0
        self._memory: DuckDBPyConnection | None = None
        self._of_parent: DuckDBPyConnection | None = None
        self._readers: dict[str, int] = {}

    @contextmanager
    def attached(self, path: str) -> Iterator[DuckDBPyConnection]:
        """A connection in which the file's tables are the default ones."""
        name = '"' + path.replace('"', '""') + '"'
        with self._lock:
            memory = self._running()
            if path not in self._readers:
                quoted = path.replace("'", "''")
                memory.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")
            self._readers[path] = self._readers.get(path, 0) + 1
            connection = memory.cursor()
            connection.execute(f"USE {name}")
        try:
            yield connection
        finally:
            with self._lock:
                connection.close()
                self._readers[path] -= 1
                if not self._readers[path]:
                    del self._readers[path]
                    memory.execute(f"DETACH {name}")

    def is_attached(self, path: str) -> bool:
        """Whether this process is reading the file."""
        with self._lock:
            return self._process == getpid() and path in self._readers

    def _running(self) -> DuckDBPyConnection:
        """The in-memory database of this process."""
        if self._memory is None or self._process != getpid():
            self._of_parent = self._memory  # after a fork; closing it would wait for threads that are not there
            self._memory = duckdb().connect(config={"threads": 1})
            self._process, self._readers = getpid(), {}
        return self._memory


_shared = _SharedReaders()


def _is_locked(problem: Exception) -> bool:
    """Whether somebody else has the file open; DuckDB says so in words only."""
    text = str(problem).lower()
    return ("lock" in text and "conflicting" in text) or "already attached" in text


@contextmanager
def _errors_as_ours(path: str) -> Iterator[None]:
    """DuckDB's errors as ours: what happened and what to do."""
    library = duckdb()
    try:
        yield
    except library.Error as problem:
        text = str(problem)
        first_line = text.splitlines()[0][:200]
        if _is_locked(problem):
            raise Busy(BUSY, at=path) from None
        if "space" in text.lower() or "ENOSPC" in text:
            raise BadFile(
                "The disk is full; nothing was changed. Free some space, or choose another folder with --data.", at=path
            ) from None
        if "not a valid DuckDB" in text or "serializ" in text.lower() or "version" in text.lower():
            raise BadFile(
                f"The database of the rating lists cannot be opened: {first_line} Move the file away and import the "
                "lists again.",
                at=path,
            ) from None
        if isinstance(problem, library.IOException):
            raise BadFile(
                f"The database of the rating lists cannot be read or written: {first_line}", at=path
            ) from None
        raise
