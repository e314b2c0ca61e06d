"""Many periods in a row: each list is saved when it is finished, so that nothing is computed twice.

A finished period is three tables and a note: `list-2015-01.parquet`, `pool-2015-01.parquet`, `rejected-2015-01.parquet`
and `done-2015-01.json`, which is written last and holds the fingerprint of everything that went into the period. On
Spark each of them is a folder.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

from arpad.bulk.methods import Method
from arpad.bulk.request import Request
from arpad.bulk.results import Finished, PeriodSummary
from arpad.bulk.tally import ForecastTally
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading import parse_date

if TYPE_CHECKING:
    from arpad.systems.base import System
    from arpad.systems.chances import DrawModel


Mark = tuple[str, int, int]  # name, size and modification time of a file
TALLY_LAYOUT = 2  # of a tally in a note; a note with another layout is not used
KINDS = ("list", "pool", "rejected")


class Replay:
    """A replay to iterate over: each period is rated when its turn comes."""

    def __init__(self, plan: ReplayPlan) -> None:
        self._plan = plan

    def __len__(self) -> int:
        return len(self._plan.periods)

    def __iter__(self) -> Iterator[Finished]:
        return run(self._plan)


def months_between(first: str, last: str) -> tuple[date, ...]:
    """The first days of the months from one list to another, both included."""
    begin, end = (parse_date(text, at=at).replace(day=1) for text, at in ((first, "from"), (last, "to")))
    if begin > end:
        raise BadInput(say("bulk.error.replay_order", first=first, last=last), at="from")
    months = [begin]
    while (month := (months[-1].replace(day=28) + timedelta(days=4)).replace(day=1)) <= end:
        months.append(month)
    return tuple(months)


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """A replay: its periods, the system, and where and how they are rated."""

    periods: tuple[date, ...]
    system: System | Method
    columns: dict[str, dict[str, str]]
    folder: str
    workplace: Workplace
    predicted: Predicted | None = None

    def request(self, first: date, last: date) -> Request:
        """The request for a period; lists after the first are Arpad's own, and so are their column names."""
        columns = self.columns if last < self.periods[0] else {**self.columns, "players": {}}
        if self.predicted is None or first < self.predicted.since:
            return Request(self.system, first, last, columns)
        return Request(self.system, first, last, columns, predict=True, draws=self.predicted.draws)


class Predicted(NamedTuple):
    """From which day on periods are predicted before they are rated, and by which model of chances, if any."""

    since: date
    draws: DrawModel | None


def run(plan: ReplayPlan) -> Iterator[Finished]:
    """Rate period after period; one that an earlier run finished from the same inputs is not rated again."""
    plan.workplace.begin()
    system = plan.system
    rules = repr(system.settings if isinstance(system, Method) else list(system.rulebook))
    mark = _digest(plan.workplace.players, rules, system.name, plan.columns)
    for listed in plan.periods:
        period, last = f"{listed:%Y-%m}", listed - timedelta(days=1)
        first = last.replace(day=1)
        files = [file for file in plan.workplace.games if file.first <= last and file.last >= first]
        mark = _digest(mark, period, [file.mark for file in files])
        asked = plan.request(first, last)
        # Predictions do not affect the next list, so they do not affect its mark.
        fingerprint = _digest(mark, asked.draws, TALLY_LAYOUT) if asked.predict else mark
        names = {kind: os.path.join(plan.folder, f"{kind}-{period}.parquet") for kind in KINDS}
        note = os.path.join(plan.folder, f"done-{period}.json")
        known = plan.workplace.read_note(note)
        rated = _done(known, fingerprint)
        before = rated is not None
        if rated is None:
            if known is not None:
                plan.workplace.write_note(note, "")  # the tables it is about are replaced now
            rated = plan.workplace.rate(asked, files, names)
            plan.workplace.write_note(note, _note(fingerprint, rated))
        else:
            plan.workplace.resume(files, names)
        yield Finished(period=period, summary=rated.summary, before=before, tally=rated.tally)


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _done(note: str | None, fingerprint: str) -> Rated | None:
    """The results in a note, if the period was finished from the same inputs; otherwise None."""
    try:
        known = json.loads(note or "")
    except ValueError:
        return None
    if known.get("fingerprint") != fingerprint:
        return None
    tally = ForecastTally.from_dict(known["tally"]) if "tally" in known else None
    return Rated(PeriodSummary(**known["summary"]), tally)


def _note(fingerprint: str, rated: Rated) -> str:
    """The note that a period is finished, with its results."""
    tally = {} if rated.tally is None else {"tally": rated.tally.to_dict()}
    return json.dumps({"fingerprint": fingerprint, "summary": dict(rated.summary), **tally})


class Workplace(Protocol):
    """Where the periods of a replay are rated: an engine that keeps the list and the pool from one to the next."""

    @property
    def games(self) -> Sequence[GameFile]:
        """The files of games."""

    @property
    def players(self) -> Sequence[Mark]:
        """The marks of the files of the first list."""

    def begin(self) -> None:
        """Start from the first list and an empty pool."""

    def rate(self, asked: Request, files: Sequence[GameFile], names: dict[str, str]) -> Rated:
        """Rate a period from the list before it, and write its tables."""

    def resume(self, files: Sequence[GameFile], names: dict[str, str]) -> None:
        """Continue from the tables of a period that an earlier run finished."""

    def read_note(self, name: str) -> str | None:
        """The text of a note; None if there is none."""

    def write_note(self, name: str, text: str) -> None:
        """Write a note, whole or not at all."""


class GameFile(NamedTuple):
    """A file of games with its first and last day, and the mark that identifies it."""

    name: str
    first: date
    last: date
    mark: Mark


class Rated(NamedTuple):
    """What a period gives besides its tables: a summary and, if it was predicted, the tally of the predictions."""

    summary: PeriodSummary
    tally: ForecastTally | None = None
