"""The one DuckDB file in which the lists are kept: where it is, what is in it, and who may open it.

docs/lists.md describes the tables for people who query them.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from os import environ, makedirs, stat, unlink
from os.path import exists, join
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.errors import BadFile, BadInput, Busy, MissingExtra
from arpad.lists.attached import attached, free
from arpad.lists.layouts import PACES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

FILE, FOLDER = "lists.duckdb", "ARPAD_DATA"
VERSION = 3  # of the tables; a file of another version is not touched
# Lists are written once and searched often: half as large again uncompressed, and much sooner written and read.
SETTINGS = {"memory_limit": "500MB", "preserve_insertion_order": False, "force_compression": "uncompressed"}
FIDE = "fide"
WAIT = 2.0  # seconds that somebody who changes the lists waits for others
NO_LIST = "No rating list has been imported yet; `arpad list import FILE` takes one, `arpad list fetch` gets one."
BUSY = "Another program is changing or reading the lists just now; wait until it has finished and try again."

TABLES = f"""
CREATE TABLE IF NOT EXISTS about (version INTEGER);
INSERT INTO about SELECT {VERSION} WHERE NOT EXISTS (FROM about);
CREATE SEQUENCE IF NOT EXISTS list_number;
CREATE TABLE IF NOT EXISTS list (
    list INTEGER, name VARCHAR, month DATE, paces VARCHAR[], layout VARCHAR, source VARCHAR,
    players UINTEGER, bad UINTEGER);
CREATE TABLE IF NOT EXISTS kind (
    list INTEGER, kind UINTEGER, federation VARCHAR, sex VARCHAR, title VARCHAR, flag VARCHAR);
CREATE TABLE IF NOT EXISTS person (
    list INTEGER, id UINTEGER, name VARCHAR, kind UINTEGER, born UINTEGER, best UINTEGER);
CREATE OR REPLACE VIEW player AS
    SELECT list, id, name, federation, sex, title, nullif(born, 0) AS born, flag, nullif(best, 0) AS best
    FROM person JOIN kind USING (list, kind);
CREATE TABLE IF NOT EXISTS other_title (list INTEGER, id UINTEGER, w_title VARCHAR, o_title VARCHAR, foa_title VARCHAR);
CREATE TYPE IF NOT EXISTS pace AS ENUM ({", ".join(map(repr, PACES))});
CREATE TABLE IF NOT EXISTS standing (
    list INTEGER, pace pace, id UINTEGER, rating UINTEGER, games UINTEGER, k UINTEGER);
CREATE OR REPLACE VIEW rating AS
    SELECT list, pace, id, nullif(rating, 0) AS rating, games, nullif(k, 0) AS k FROM standing;
CREATE TABLE IF NOT EXISTS word (list INTEGER, word UBIGINT, sound UBIGINT, players UINTEGER[]);
CREATE TABLE IF NOT EXISTS bad_line (list INTEGER, line UINTEGER, text VARCHAR, why VARCHAR);
"""


class RatingList(NamedTuple):
    """A list that was imported: its number in the file, whose it is, its month, and what it has."""

    list: int
    name: str
    month: date
    paces: tuple[str, ...]
    layout: str
    source: str
    players: int
    bad: int

    def __str__(self) -> str:
        one = f" {self.paces[0]}" if len(self.paces) == 1 and self.name == FIDE else ""
        return f"{self.name}{one} {self.month:%Y-%m}"


def duckdb() -> Any:
    """The database library, which is an extra."""
    try:
        import duckdb as library
    except ImportError:
        raise MissingExtra("Rating lists need DuckDB; `pip install 'arpad[lists]'` installs it.", at="list") from None
    return library


def folder(given: str | None = None) -> str:
    """Where the lists are kept: as given, as ARPAD_DATA says, or in the user's own data folder."""
    chosen = given or environ.get(FOLDER)
    if chosen:
        return chosen
    try:
        from platformdirs import user_data_dir
    except ImportError:
        raise MissingExtra("Lists need platformdirs; `pip install 'arpad[lists]'` installs it.", at="list") from None
    return user_data_dir("arpad", appauthor=False)


def there(data: str | None = None) -> bool:
    """Whether a list was ever imported."""
    return _begun(join(folder(data), FILE))


def _begun(path: str) -> bool:
    """Whether there is a file and anything in it; a program that is stopped as it begins leaves an empty one."""
    return exists(path) and stat(path).st_size > 0


def run(connection: Any, sql: str, given: Any = None) -> list[tuple[Any, ...]]:
    """Run one statement to its end and give its rows."""
    rows: list[tuple[Any, ...]] = connection.execute(sql, given).fetchall()
    return rows


@contextmanager
def reading(data: str | None = None, *, whole: bool = False) -> Iterator[Any]:
    """The lists to be read, by several programs at once; for a few players one core is quicker than all."""
    path = join(folder(data), FILE)
    if not _begun(path):
        raise BadInput(NO_LIST, at="list")
    library = duckdb()
    with _translated(path):
        opened = closing(library.connect(path, read_only=True)) if whole else attached(library, path)
        with opened as connection:
            if not check_version(connection, path):
                raise BadInput(NO_LIST, at="list")
            yield connection


@contextmanager
def writing(data: str | None = None) -> Iterator[Any]:
    """The lists to be changed, all at once or not at all; nobody else may have them open."""
    place = folder(data)
    path = join(place, FILE)
    try:
        makedirs(place, exist_ok=True)
    except OSError as problem:
        raise BadFile(f"The data folder cannot be made: {problem.strerror}.", at=place) from None
    if not free(path):
        raise Busy(BUSY, at=path)
    with _translated(path):
        connection = _to_be_changed(path)
        try:
            check_version(connection, path)
            run(connection, "BEGIN")
            for statement in TABLES.split(";"):
                if statement.strip():
                    run(connection, statement)
            yield connection
            run(connection, "COMMIT")
        except BaseException:
            _give_up(connection)
            raise
        finally:
            connection.close()


def _to_be_changed(path: str) -> Any:
    """The file as soon as nobody else has it open; a server lets it go a moment after the last request."""
    until = monotonic() + WAIT
    while True:
        try:
            return duckdb().connect(path, config=SETTINGS)
        except duckdb().IOException as problem:
            left = exists(path) and not _begun(path)  # by a program that was stopped, or one that just begins
            if left and monotonic() > until:
                unlink(path)
                return duckdb().connect(path, config=SETTINGS)
            if not (left or _in_use(problem)) or monotonic() > until:
                raise
            sleep(WAIT / 20)


def _in_use(problem: Exception) -> bool:
    """Whether somebody else has the file open; DuckDB has only words for it."""
    text = str(problem)
    return ("lock" in text.lower() and "conflicting" in text.lower()) or "already attached" in text


def _give_up(connection: Any) -> None:
    """Leave everything as it was."""
    try:
        run(connection, "ROLLBACK")
    except duckdb().Error:
        return  # nothing was begun, or the file cannot even be rolled back: what was committed is still there


def check_version(connection: Any, path: str) -> bool:
    """Whether there are tables yet; a file whose tables are of another version is left alone."""
    try:
        ((version,),) = run(connection, "SELECT version FROM about")
    except duckdb().CatalogException:
        return False  # the first import has not been finished
    if version < VERSION:
        raise BadFile(
            f"The lists were written by an earlier Arpad (tables of version {version}, this one has {VERSION}). Move "
            "the file away and import the lists again, or name another folder with --data.",
            at=path,
        )
    if version > VERSION:
        raise BadFile(
            f"The lists were written by a newer Arpad (tables of version {version}, this one knows {VERSION}). Update "
            "Arpad, or name another folder with --data.",
            at=path,
        )
    return True


@contextmanager
def _translated(path: str) -> Iterator[None]:
    """DuckDB's own errors as ours: what happened and what to do."""
    library = duckdb()
    try:
        yield
    except library.Error as problem:
        text = str(problem)
        if _in_use(problem):
            raise Busy(BUSY, at=path) from None
        if "space" in text.lower() or "ENOSPC" in text:
            raise BadFile(
                "The disk is full; nothing was changed. Make room, or name another folder with --data.", at=path
            ) from None
        if "not a valid DuckDB" in text or "serializ" in text.lower() or "version" in text.lower():
            raise BadFile(
                f"The file of the lists cannot be opened: {text.splitlines()[0][:200]} Move it away and import again.",
                at=path,
            ) from None
        if isinstance(problem, library.IOException):
            raise BadFile(f"The lists cannot be read or written: {text.splitlines()[0][:200]}", at=path) from None
        raise


COLUMNS = "list, name, month, paces, layout, source, players, bad"


def lists_in(connection: Any, name: str | None = None) -> list[RatingList]:
    """The lists that are there, the newest first; of one month the one with most paces first."""
    rows = run(connection, f"SELECT {COLUMNS} FROM list")
    lists = [RatingList._make((*row[:3], tuple(row[3]), *row[4:])) for row in rows]
    named = [one for one in lists if name is None or one.name == name]
    return sorted(named, key=lambda one: (one.month, len(one.paces), one.players), reverse=True)
