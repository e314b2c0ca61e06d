"""Years of periods in a row: list after list, each saved when it is finished, so that nothing is computed twice.

A finished period is three files and a note: `list-2015-01.parquet`, `pool-2015-01.parquet`, `rejected-2015-01.parquet`
and `done-2015-01.json`, which is written last and holds the fingerprint of all that went into the period.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from arpad.bulk.engines.local import rate_inputs
from arpad.bulk.methods import Method
from arpad.bulk.request import Inputs, Request, columns_by_table
from arpad.bulk.results import Finished, PeriodSummary
from arpad.bulk.tables.columns import day_of, days, is_day
from arpad.bulk.tables.layout import recognise
from arpad.bulk.tables.paths import file_of
from arpad.bulk.tables.reader import Input, Window, sources
from arpad.bulk.tables.writer import write
from arpad.errors import BadFile, BadInput
from arpad.formats.saving import save
from arpad.messages import say
from arpad.reading import parse_date

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from arpad.bulk.tables.reader import Tables
    from arpad.systems.base import System

Mark = tuple[str, int, int]  # name, size and time of change of a file


class GameFile(NamedTuple):
    """A file of games, with its first and last day, and what tells it from another file."""

    name: str
    first: date
    last: date
    mark: Mark


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """A replay: its periods, and what they are rated from."""

    periods: tuple[date, ...]
    games: tuple[GameFile, ...]
    players: list[Input]
    system: System | Method
    columns: dict[str, dict[str, str]]
    folder: str


def plan(
    games: Tables,
    players: Tables | None,
    first: str,
    last: str,
    folder: str,
    system: System | Method,
    columns: Mapping[str, str],
) -> ReplayPlan:
    """The periods from one list to another, and the files they need."""
    begin, end = (parse_date(text, at=at).replace(day=1) for text, at in ((first, "from"), (last, "to")))
    if begin > end:
        raise BadInput(say("bulk.error.replay_order", first=first, last=last), at="from")
    mapped = columns_by_table(columns)
    listed = [source.name for source in sources(games, "games")]
    if None in listed:
        raise BadInput(say("bulk.error.replay_files", table=say("bulk.table.games")), at="games")
    found = tuple(_played(name, mapped["games"]) for name in listed if name is not None)
    return ReplayPlan(
        tuple(_months(begin, end)),
        found,
        [] if players is None else sources(players, "players"),
        system,
        mapped,
        folder,
    )


class Replay:
    """Periods in a row, each rated when its turn comes."""

    def __init__(self, plan: ReplayPlan) -> None:
        self._plan = plan

    def __len__(self) -> int:
        return len(self._plan.periods)

    def __iter__(self) -> Iterator[Finished]:
        return run(self._plan)


def run(plan: ReplayPlan) -> Iterator[Finished]:
    """Rate period after period; one that was finished earlier from the same inputs is left as it is."""
    os.makedirs(plan.folder, exist_ok=True)
    mark = _digest(_marks(plan.players), _rules(plan.system), plan.system.name, plan.columns)
    players: list[Input] = plan.players
    pool: list[Input] = []
    reported: set[str] = set()
    for listed in plan.periods:
        period, last = f"{listed:%Y-%m}", listed - timedelta(days=1)
        files = [file for file in plan.games if file.first <= last and file.last >= last.replace(day=1)]
        mark = _digest(mark, period, [file.mark for file in files])
        names = {kind: os.path.join(plan.folder, f"{kind}-{period}.parquet") for kind in ("list", "pool", "rejected")}
        note = os.path.join(plan.folder, f"done-{period}.json")
        summary = _done(note, mark)
        before = summary is not None
        if summary is None:
            window = Window(last.replace(day=1), last, report_bad_dates=True)
            read = [
                Input(file.name, window=window._replace(report_bad_dates=file.name not in reported)) for file in files
            ]
            asked = Request(plan.system, window.first, last, plan.columns)
            rated = rate_inputs(asked, Inputs(read, players, pool))
            summary = rated.summary
            made = {names["list"]: rated.players, names["pool"]: rated.pool, names["rejected"]: rated.rejected}
            write(made, force=True)  # a file that exists was made from other inputs
            _note(note, mark, summary)
            players, pool = [Input(None, rated.players)], [Input(None, rated.pool)]
        else:
            players, pool = [Input(names["list"])], [Input(names["pool"])]
        reported |= {file.name for file in files}
        yield Finished(period=period, summary=summary, before=before)


def _months(begin: date, end: date) -> Iterator[date]:
    """The first days of the months from one to another."""
    month = begin
    while month <= end:
        yield month
        month = (month.replace(day=28) + timedelta(days=4)).replace(day=1)


def _played(name: str, columns: dict[str, str]) -> GameFile:
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


def _marks(tables: list[Input]) -> list[Mark]:
    if any(table.name is None for table in tables):
        raise BadInput(say("bulk.error.replay_files", table=say("bulk.table.players")), at="players")
    return [_mark(table.name) for table in tables if table.name is not None]


def _rules(system: System | Method) -> str:
    """What a system goes by: its rules, or its settings."""
    return repr(system.settings if isinstance(system, Method) else list(system.rulebook))


def _mark(name: str) -> Mark:
    """What tells a file from another, and from itself after a change."""
    known = os.stat(file_of(name))
    return os.path.basename(name), known.st_size, known.st_mtime_ns


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _done(note: str, mark: str) -> PeriodSummary | None:
    """The summary of a period that was finished from the same inputs; None if it was not."""
    try:
        with open(note, encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        return None
    return PeriodSummary(**known["summary"]) if known.get("fingerprint") == mark else None


def _note(name: str, mark: str, summary: PeriodSummary) -> None:
    """Write the note that a period is finished, whole or not at all."""
    save(json.dumps({"fingerprint": mark, "summary": dict(summary)}).encode(), name, force=True)
