"""Years of periods in a row: list after list, each kept when it is finished, so that nothing is computed twice.

A finished period is three files and a note: `list-2015-01.parquet`, `pool-2015-01.parquet`, `rejected-2015-01.parquet`
and `done-2015-01.json`, which is written last and holds the fingerprint of all that went into the period.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from arpad.bulk.columns import days, is_day
from arpad.bulk.layout import of_table, recognise
from arpad.bulk.local import Task, rate_locally
from arpad.bulk.methods import Method
from arpad.bulk.places import file_of
from arpad.bulk.rulings import day_of
from arpad.bulk.sink import write
from arpad.bulk.source import Input, Window, sources
from arpad.errors import BadFile, BadInput
from arpad.formats.saving import save
from arpad.reading.notation import parse_date
from arpad.systems.base import System


class Finished(NamedTuple):
    """A period that is done: the month of its list, its summary, and whether it was done before."""

    period: str
    summary: dict[str, Any]
    before: bool


class GameFile(NamedTuple):
    """A file of games, with the first and the last day it has, and what tells it from another."""

    name: str
    first: date
    last: date
    mark: tuple[Any, ...]


class Schedule(NamedTuple):
    """A replay: its periods, and what they are rated from."""

    periods: tuple[date, ...]
    games: tuple[GameFile, ...]
    players: list[Input]
    system: System | Method
    columns: dict[str, dict[str, str]]
    folder: str


def plan(
    games: Any, players: Any, first: str, last: str, folder: str, system: System | Method, columns: Mapping[str, str]
) -> Schedule:
    """The periods from one list to another, and the files they need."""
    begin, end = (parse_date(text, at=at).replace(day=1) for text, at in ((first, "from"), (last, "to")))
    if begin > end:
        raise BadInput(f"The list of {first} comes after that of {last}; the earlier one comes first.", at="from")
    mapped = {table: of_table(table, columns) for table in ("games", "players")}
    listed = [source.name for source in sources(games, "games")]
    if None in listed:
        raise BadInput("A replay reads files, so that it can go on after an interruption; write the games to one.")
    found = tuple(_played(name, mapped["games"]) for name in listed if name is not None)
    return Schedule(
        tuple(_months(begin, end)),
        found,
        [] if players is None else sources(players, "players"),
        system,
        mapped,
        folder,
    )


class Replay:
    """Periods in a row, each rated when its turn comes."""

    def __init__(self, plan: Schedule) -> None:
        self._plan = plan

    def __len__(self) -> int:
        return len(self._plan.periods)

    def __iter__(self) -> Iterator[Finished]:
        return run(self._plan)


def run(plan: Schedule) -> Iterator[Finished]:
    """Rate period after period; what is finished already, from the same inputs, is left as it is."""
    os.makedirs(plan.folder, exist_ok=True)
    mark = _digest(_marks(plan.players), _rules(plan.system), plan.system.name, plan.columns)
    players: list[Input] = plan.players
    pool: list[Input] = []
    told: set[str] = set()
    for listed in plan.periods:
        period, last = f"{listed:%Y-%m}", listed - timedelta(days=1)
        files = [one for one in plan.games if one.first <= last and one.last >= last.replace(day=1)]
        mark = _digest(mark, period, [one.mark for one in files])
        names = {kind: os.path.join(plan.folder, f"{kind}-{period}.parquet") for kind in ("list", "pool", "rejected")}
        note = os.path.join(plan.folder, f"done-{period}.json")
        summary = _done(note, mark)
        before = summary is not None
        if summary is None:
            window = Window(last.replace(day=1), last, tell_of_bad_dates=True)
            read = [Input(one.name, window=window._replace(tell_of_bad_dates=one.name not in told)) for one in files]
            asked = Task(read, players, pool, plan.system, window.first, last, plan.columns)
            answer = rate_locally(asked)
            summary = answer.summary
            made = {names["list"]: answer.players, names["pool"]: answer.pool, names["rejected"]: answer.rejected}
            write(made, force=True)  # what is there is of other inputs
            _note(note, {"fingerprint": mark, "summary": summary})
            players, pool = [Input(None, answer.players)], [Input(None, answer.pool)]
        else:
            players, pool = [Input(names["list"])], [Input(names["pool"])]
        told |= {one.name for one in files}
        yield Finished(period, summary, before)


def _months(begin: date, end: date) -> Iterator[date]:
    """The first days of the months from one to another."""
    month = begin
    while month <= end:
        yield month
        month = (month.replace(day=28) + timedelta(days=4)).replace(day=1)


def _played(name: str, columns: dict[str, str]) -> GameFile:
    """A file of games and its days; they are read off once, before the first period."""

    def dates(names: list[str]) -> dict[str, str]:
        found = recognise("games", names, columns)
        if "date" not in found:
            raise BadInput("A replay needs the date of each game; name its column, for example --columns date=NAME.")
        return {"date": found["date"]}

    ends: list[int] = []
    for _, batch in Input(name).blocks(dates):
        known = days(batch.column("date"))
        known = known[is_day(known)]
        ends += [int(known.min()), int(known.max())] if len(known) else []
    if not ends:
        raise BadFile("No game of the file has a date.", at=name)
    return GameFile(name, day_of(min(ends)), day_of(max(ends)), _mark(name))


def _marks(tables: list[Input]) -> list[tuple[Any, ...]]:
    if any(table.name is None for table in tables):
        raise BadInput("A replay reads files, so that it can go on after an interruption; write the players to one.")
    return [_mark(table.name) for table in tables if table.name is not None]


def _rules(system: System | Method) -> str:
    """What a system goes by: its rules, or what it was set to."""
    return repr(system.settings if isinstance(system, Method) else list(system.rulebook))


def _mark(name: str) -> tuple[Any, ...]:
    """What tells a file from another, and from itself after a change."""
    known = os.stat(file_of(name))
    return os.path.basename(name), known.st_size, known.st_mtime_ns


def _digest(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _done(note: str, mark: str) -> dict[str, Any] | None:
    """The summary of a period that was finished from the same inputs; None if it was not."""
    try:
        with open(note, encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        return None
    summary: dict[str, Any] | None = known["summary"] if known.get("fingerprint") == mark else None
    return summary


def _note(name: str, known: dict[str, Any]) -> None:
    """Write the note that a period is finished, whole or not at all."""
    save(json.dumps(known).encode(), name, force=True)
