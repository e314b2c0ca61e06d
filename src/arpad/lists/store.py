"""The database of the imported lists: where it is, its tables, and which lists it has.

docs/lists.md describes the tables for people who query them.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike, environ, makedirs
from os.path import join
from typing import TYPE_CHECKING, Any

from arpad.errors import BadFile, BadInput, MissingExtra
from arpad.lists._connections import duckdb, is_started, reader, writer
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from duckdb import DuckDBPyConnection

FILE, FOLDER_VARIABLE = "lists.duckdb", "ARPAD_DATA"
VERSION = 5  # of the tables; a file of another version is refused
FIDE = "fide"
PACES = ("standard", "rapid", "blitz")
NO_LIST = say("lists.store.no_list")

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
    """A connection for changing the lists, completely or not at all; nobody else may have them open."""
    place = folder(data)
    path = join(place, FILE)
    try:
        makedirs(place, exist_ok=True)
    except OSError as problem:
        raise BadFile(say("lists.store.no_folder", why=problem.strerror), at=place) from None
    with writer(path) as connection:
        _has_tables(connection, path)
        run(connection, "BEGIN")
        try:
            for statement in filter(str.strip, TABLES.split(";")):
                run(connection, statement)
            yield connection
            run(connection, "COMMIT")
        except BaseException:
            _roll_back(connection)
            raise


def _roll_back(connection: DuckDBPyConnection) -> None:
    try:
        run(connection, "ROLLBACK")
    except duckdb().Error:
        return  # a full disk prevents even that; what was committed earlier is still there


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
    return "; ".join(f"{found.name} {found.month:%Y-%m} ({', '.join(found.paces)})" for found in lists)
