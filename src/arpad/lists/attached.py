"""Lists opened to be read: attached to one database in memory, which stays.

To begin a database takes DuckDB longer than a search does, to attach a file hardly anything, and to read it again a
while. Nobody can change a file while somebody has it open, so it is let go a moment after its last use.
"""

from __future__ import annotations

import atexit
from contextlib import contextmanager
from os import getpid, stat
from os.path import realpath
from threading import Lock, Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


MOMENT = 1.0  # seconds; an import waits longer than that


class _File(NamedTuple):
    """A file that is attached: what it is called, which it was, how many read it, and when it was left last."""

    name: str
    which: tuple[int, int]
    readers: int = 0
    left: float = 0.0


class _Attached:
    """The database in memory, and the files that are attached to it, each once however many read it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.process = 0
        self.memory: Any = None
        self.left: Any = None
        self.files: dict[str, _File] = {}
        self.timers: dict[str, Timer] = {}  # of the files that will be let go

    def enter(self, library: Any, path: str) -> Any:
        """A connection of its own in which the file's tables are the tables."""
        with self.lock:
            if self.process != getpid():  # what a fork leaves of another process's database is of no use
                self.left = self.memory  # and waits for ever when it is taken down
                self.process, self.files, self.timers = getpid(), {}, {}
                self.memory = library.connect(config={"threads": 1})  # for a few players one core is quicker than all
            if path in self.files and not self.files[path].readers and self.files[path].which != _which(path):
                self._detach(path)  # another file has taken its place
            if path not in self.files:
                taken = {file.name for file in self.files.values()}
                name = next(name for number in range(len(taken) + 1) if (name := f"lists{number}") not in taken)
                quoted = path.replace("'", "''")
                self.memory.execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")
                self.files[path] = _File(name, _which(path))
            file = self.files[path]
            self.files[path] = file._replace(readers=file.readers + 1)
            connection = self.memory.cursor()
            connection.execute(f"USE {file.name}")
        return connection

    def leave(self, path: str, connection: Any) -> None:
        """The last one lets the file go in a moment."""
        with self.lock:
            connection.close()
            file = self.files[path]
            self.files[path] = file._replace(readers=file.readers - 1, left=monotonic())
            if path not in self.timers:
                self._look_again(path, MOMENT)

    def let_go(self, path: str) -> bool:
        """Detach a file that nobody reads; say whether it is free."""
        with self.lock:
            if self.process != getpid() or path not in self.files:
                return True
            if self.files[path].readers:
                return False
            self._detach(path)
            return True

    def _look_again(self, path: str, seconds: float) -> None:
        self.timers[path] = Timer(seconds, self._look, (path,))
        self.timers[path].daemon = True
        self.timers[path].start()

    def _look(self, path: str) -> None:
        """Detach a file if its moment has passed."""
        with self.lock:
            file = self.files.get(path)
            if self.timers.pop(path, None) is None or file is None:
                return
            rest = MOMENT if file.readers else file.left + MOMENT - monotonic()
            if rest > 0:
                self._look_again(path, rest)
            else:
                self._detach(path)

    def end(self) -> None:
        """Wait for nothing any more: a thread that still runs when the program ends would keep DuckDB alive."""
        with self.lock:
            timers = list(self.timers.values()) if self.process == getpid() else []
            self.timers.clear()
        for timer in timers:
            timer.cancel()
            timer.join()

    def _detach(self, path: str) -> None:
        self.memory.execute(f"DETACH {self.files.pop(path).name}")


def _which(path: str) -> tuple[int, int]:
    """What tells a file from another one in its place."""
    about = stat(path)
    return about.st_ino, about.st_mtime_ns


_attached = _Attached()
atexit.register(_attached.end)


@contextmanager
def attached(library: Any, path: str) -> Iterator[Any]:
    """A file of lists to be read, on one core."""
    whole = realpath(path)
    connection = _attached.enter(library, whole)
    try:
        yield connection
    finally:
        _attached.leave(whole, connection)


def free(path: str) -> bool:
    """Whether this process does not read a file; the system's locks do not keep a process from itself."""
    return _attached.let_go(realpath(path))
