"""Rating on this machine, with arrays: a period from files or tables that speak Arrow, and the periods of a replay."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arpad.bulk._replay import GameFile, Rated
from arpad.bulk.engines.spill import memory_of, rate_within
from arpad.bulk.fide.period import rate_tables
from arpad.bulk.methods import Method
from arpad.bulk.periods import rate_by_method
from arpad.bulk.request import Inputs
from arpad.bulk.tables.columns import day_of, days, is_day, recognise
from arpad.bulk.tables.files import Input, Window, sources, write
from arpad.bulk.tables.paths import file_of
from arpad.errors import BadFile, BadInput
from arpad.formats.saving import save
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.bulk._replay import Mark
    from arpad.bulk.request import Request
    from arpad.bulk.results import BulkRating
    from arpad.bulk.tables.paths import Tables


__all__ = ["rate", "rate_inputs", "write"]


def rate(asked: Request, games: Tables, players: Tables, pool: Tables | None, memory: str | None = None) -> BulkRating:
    """The period, rated from tables as a caller names them; with a limit on memory, in parts kept on disk."""
    carried = [] if pool is None else sources(pool, "pool")
    given = Inputs(sources(games, "games"), sources(players, "players"), carried)
    return rate_inputs(asked, given) if memory is None else rate_within(asked, given, memory_of(memory))


def rate_inputs(asked: Request, given: Inputs) -> BulkRating:
    """The period, rated; raises BadInput if one of FIDE's lists has no players."""
    if isinstance(asked.system, Method):
        return rate_by_method(asked, asked.system, given)
    rated = rate_tables(asked, asked.system, given)
    if not rated.players.num_rows:
        raise BadInput(say("bulk.error.no_players"), at="players")
    return rated


class LocalReplay:
    """The files of a replay, and the tables of the period that was rated last."""

    def __init__(self, games: Tables, players: Tables | None, columns: dict[str, str], folder: str) -> None:
        self.games = tuple(_file_of_games(name, columns) for name in _names(sources(games, "games"), "games"))
        self._first = [] if players is None else sources(players, "players")
        self._folder = folder
        self.begin()

    @property
    def players(self) -> Sequence[Mark]:
        """The marks of the files of the first list."""
        return [_mark(name) for name in _names(self._first, "players")]

    def begin(self) -> None:
        """Start from the first list and an empty pool."""
        self._players, self._pool = self._first, list[Input]()
        self._reported: set[str] = set()  # files whose bad dates were reported

    def rate(self, asked: Request, files: Sequence[GameFile], names: dict[str, str]) -> Rated:
        """Rate a period from the list before it, and write its tables."""
        read = [
            Input(file.name, window=Window(asked.since, asked.on, report_bad_dates=file.name not in self._reported))
            for file in files
        ]
        rated = rate_inputs(asked, Inputs(read, self._players, self._pool))
        made = {names["list"]: rated.players, names["pool"]: rated.pool, names["rejected"]: rated.rejected}
        os.makedirs(self._folder, exist_ok=True)
        write(made, force=True)  # a file that exists was made from other inputs
        self._players, self._pool = [Input(None, rated.players)], [Input(None, rated.pool)]
        self._reported |= {file.name for file in files}
        return Rated(rated.summary)

    def resume(self, files: Sequence[GameFile], names: dict[str, str]) -> None:
        """Continue from the tables of a period that an earlier run finished."""
        self._players, self._pool = [Input(names["list"])], [Input(names["pool"])]
        self._reported |= {file.name for file in files}

    @staticmethod
    def read_note(name: str) -> str | None:
        """A note; None if it is not there."""
        try:
            with open(name, encoding="utf-8") as file:
                return file.read()
        except (OSError, ValueError):
            return None

    @staticmethod
    def write_note(name: str, text: str) -> None:
        """Write a note, whole or not at all."""
        save(text.encode(), name, force=True)


def _names(tables: list[Input], table: str) -> list[str]:
    """The names of tables that must be files."""
    names = [source.name for source in tables if source.name is not None]
    if len(names) < len(tables):
        raise BadInput(say("bulk.error.replay_files", table=say(f"bulk.table.{table}")), at=table)
    return names


def _file_of_games(name: str, columns: dict[str, str]) -> GameFile:
    """A file of games and its days; they are read once, before the first period."""

    def dates(names: list[str]) -> dict[str, str]:
        found = recognise("games", names, columns)
        if "date" not in found:
            raise BadInput(say("bulk.error.replay_dates"), at="games")
        return {"date": found["date"]}

    ends: list[int] = []
    for _, batch in Input(name).blocks(dates):
        known = days(batch.column("date"))
        known = known[is_day(known)]
        ends += [int(known.min()), int(known.max())] if len(known) else []
    if not ends:
        raise BadFile(say("bulk.error.file_without_dates"), at=name)
    return GameFile(name, day_of(min(ends)), day_of(max(ends)), _mark(name))


def _mark(name: str) -> Mark:
    """What identifies a file and its version."""
    known = os.stat(file_of(name))
    return os.path.basename(name), known.st_size, known.st_mtime_ns
