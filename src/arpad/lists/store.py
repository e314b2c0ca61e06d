"""The database of the imported lists: where it is, its tables, which lists it has, and how it is opened.

Any number of programs may read it at once, or one may write.

docs/lists.md describes the tables for people who query them.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from os import PathLike, environ, getpid, makedirs, stat, unlink
from os.path import exists, join, realpath
from threading import Lock, Timer
from time import monotonic, sleep
from types import ModuleType
from typing import TYPE_CHECKING, Any

from arpad.errors import BadFile, BadInput, Busy, MissingExtra, cause
from arpad.messages import apart, say

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


FILE, FOLDER_VARIABLE = "lists.duckdb", "ARPAD_DATA"
VERSION = 5  # of the tables; a file of another version is refused
FIDE = "fide"
PACES = ("standard", "rapid", "blitz")
NO_LIST = say("lists.store.no_list")
SETTINGS: dict[str, str | bool] = {"memory_limit": "500MB", "preserve_insertion_order": False}
WAIT = 2.0  # seconds that a writer waits for readers
LINGER = 1.0  # seconds that a file stays attached after a search
BUSY = say("lists.store.busy")
DAMAGE = ("not a valid duckdb", "corrupt", "serializ", "version")  # words of DuckDB's messages

_RATINGS = ", ".join(f"{pace} UINTEGER, {pace}_games UINTEGER, {pace}_k UINTEGER" for pace in PACES)
_ONE_PACE = (
    "SELECT list, '{0}' AS pace, id, {0} AS rating, {0}_games AS games, {0}_k AS k FROM player "
    "WHERE {0} > 0 OR {0}_games > 0 OR {0}_k > 0"
)
_PLAIN = "USING COMPRESSION uncompressed"  # names and words: a search would spend most of its time unpacking them
TABLES = f"""
CREATE TABLE IF NOT EXISTS about (version INTEGER);
INSERT INTO about SELECT {VERSION} WHERE NOT EXISTS (FROM about);
CREATE SEQUENCE IF NOT EXISTS list_number;
CREATE TABLE IF NOT EXISTS list (
    list INTEGER, name VARCHAR, month DATE, paces VARCHAR[], layout VARCHAR, source VARCHAR,
    players UINTEGER, bad UINTEGER);
CREATE TABLE IF NOT EXISTS player (
    list INTEGER, line UINTEGER, id UINTEGER, name VARCHAR {_PLAIN}, federation VARCHAR, sex VARCHAR, title VARCHAR,
    w_title VARCHAR, o_title VARCHAR, foa_title VARCHAR, born UINTEGER, flag VARCHAR,
    {_RATINGS}, best UINTEGER, folded VARCHAR {_PLAIN});
CREATE OR REPLACE VIEW rating AS {" UNION ALL ".join(_ONE_PACE.format(pace) for pace in PACES)};
CREATE TABLE IF NOT EXISTS word (
    list INTEGER, word VARCHAR {_PLAIN}, sound VARCHAR {_PLAIN}, lines UINTEGER[]);
CREATE TABLE IF NOT EXISTS ending (list INTEGER, backwards VARCHAR {_PLAIN}, word VARCHAR {_PLAIN});
CREATE TABLE IF NOT EXISTS bad_line (list INTEGER, line UINTEGER, text VARCHAR, why VARCHAR);
"""


@dataclass(frozen=True, slots=True)
class RatingList:
    """An imported list: its number in the database, whose it is, its month, and what it has."""

    list: int
    name: str
    month: date
    paces: tuple[str, ...]
    layout: str
    source: str
    players: int
    bad: int

    def __str__(self) -> str:
        pace = f" {self.paces[0]}" if len(self.paces) == 1 and self.name == FIDE else ""
        return f"{self.name}{pace} {self.month:%Y-%m}"

    def value(self) -> dict[str, object]:
        """The list as plain values."""
        return {
            "name": self.name, "month": f"{self.month:%Y-%m}", "paces": list(self.paces), "layout": self.layout,
            "players": self.players, "bad": self.bad,
        }  # fmt: skip


def folder(given: str | None = None) -> str:
    """Where the lists are stored: as given, as ARPAD_DATA says, or in the user's data folder."""
    chosen = given or environ.get(FOLDER_VARIABLE)
    if chosen:
        return chosen
    try:
        from platformdirs import user_data_dir
    except ImportError:
        raise MissingExtra(say("lists.store.needs", library="platformdirs"), at="list") from None
    return user_data_dir("arpad", appauthor=False)


def has_lists(data: str | None = None) -> bool:
    """Whether a list was ever imported."""
    return is_started(join(folder(data), FILE))


def run(
    connection: DuckDBPyConnection, sql: str, parameters: Mapping[str, object] | Sequence[object] | None = None
) -> list[tuple[Any, ...]]:
    """The rows of one statement."""
    return connection.execute(sql, parameters).fetchall()


@contextmanager
def reading(data: str | DuckDBPyConnection | None = None, *, all_cores: bool = False) -> Iterator[DuckDBPyConnection]:
    """A connection for reading the lists, which several programs may do at once; an open one is used as it is."""
    if not isinstance(data, str | PathLike | None):
        yield data
        return
    path = join(folder(data), FILE)
    if not is_started(path):
        raise BadInput(NO_LIST, at="list")
    with reader(path, all_cores=all_cores) as connection:
        if not _has_tables(connection, path):
            raise BadInput(NO_LIST, at="list")
        yield connection


@contextmanager
def writing(data: str | None = None) -> Iterator[DuckDBPyConnection]:
    """A connection for changing the lists, completely or not at all; no other program may have them open."""
    place = folder(data)
    path = join(place, FILE)
    try:
        makedirs(place, exist_ok=True)
    except OSError as problem:
        raise BadFile(say("lists.store.no_folder", why=cause(problem)), at=place) from None
    with writer(path) as connection:
        _has_tables(connection, path)
        run(connection, "BEGIN")
        try:
            for statement in filter(str.strip, TABLES.split(";")):
                run(connection, statement)
            yield connection
            run(connection, "COMMIT")
        except BaseException:
            with suppress(duckdb().Error):  # a full disk prevents even that; what was committed earlier is still there
                run(connection, "ROLLBACK")
            raise


def _has_tables(connection: DuckDBPyConnection, path: str) -> bool:
    """Whether a first import was completed; tables of another version are refused."""
    try:
        ((version,),) = run(connection, "SELECT version FROM about")
    except duckdb().CatalogException:
        return False
    if version < VERSION:
        raise BadFile(say("lists.store.earlier", version=version, needed=VERSION), at=path)
    if version > VERSION:
        raise BadFile(say("lists.store.newer", version=version, known=VERSION), at=path)
    return True


def lists_in(connection: DuckDBPyConnection, name: str | None = None) -> list[RatingList]:
    """The imported lists, the newest first; within a month, the one with the most paces first."""
    rows = run(connection, "SELECT list, name, month, paces, layout, source, players, bad FROM list")
    lists = [
        RatingList(number, whose, month, tuple(paces), layout, source, players, bad)
        for number, whose, month, paces, layout, source, players, bad in rows
    ]
    wanted = [rating_list for rating_list in lists if name in (None, rating_list.name)]
    return sorted(wanted, key=lambda found: (found.month, len(found.paces), found.players), reverse=True)


def delete(connection: DuckDBPyConnection, number: int) -> None:
    """Delete a list from every table."""
    for table in ("player", "word", "ending", "bad_line", "list"):
        run(connection, f"DELETE FROM {table} WHERE list = ?", [number])


def remove(month: date, *, name: str | None = None, pace: str | None = None, data: str | None = None) -> RatingList:
    """Remove the list of a month and return it; if there are several, name and pace must say which."""
    with reading(data) as connection:
        lists = lists_in(connection)
    found = [
        rating_list
        for rating_list in lists
        if rating_list.month == month.replace(day=1)
        and name in (None, rating_list.name)
        and pace in (None, *rating_list.paces)
    ]
    if len(found) > 1:
        raise BadInput(say("lists.store.several", lists=_named(found)), at="month")
    if not found:
        raise BadInput(say("lists.store.none_removed", lists=_named(lists) or say("lists.none")), at="month")
    with writing(data) as connection:
        delete(connection, found[0].list)
    return found[0]


def _named(lists: Sequence[RatingList]) -> str:
    return apart(f"{found.name} {found.month:%Y-%m} ({', '.join(found.paces)})" for found in lists)


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
    """A connection to the file, once no other program has it open."""
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
        """Release all files and the database; a timer still running at the end of the program would delay it."""
        for path in list(self._files):
            self.release(path)
        if self._memory is not None and self._process == getpid():
            self._memory.close()
        self._memory = None

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
    """Whether another program has the file open; DuckDB says so only in the message."""
    text = str(problem).lower()
    return ("lock" in text and "conflicting" in text) or "already attached" in text


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
