"""A request to bulk: a system, the days of a period, and the names of the columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING

from arpad.bulk.any_system import player_by_player
from arpad.bulk.methods import Method
from arpad.bulk.periods import METHODS, method_of
from arpad.bulk.tables.columns import of_table
from arpad.errors import BadInput, Unsupported
from arpad.messages import say
from arpad.reading import parse_date
from arpad.systems import OWN
from arpad.systems import system as system_named
from arpad.systems.fide import FILES

if TYPE_CHECKING:
    import pyarrow as pa

    from arpad.bulk.tables.files import Input
    from arpad.systems.base import System
    from arpad.systems.chances import DrawModel


@dataclass(frozen=True, slots=True)
class Request:
    """A period to rate, with every name resolved and every day known."""

    system: System | Method
    since: date
    on: date
    columns: dict[str, dict[str, str]]
    detail: bool = False
    predict: bool = False  # whether the games are predicted before they are rated
    draws: DrawModel | None = None  # the model of chances for the predictions, if any

    @property
    def period(self) -> str:
        """The month of the list."""
        return f"{self.on + timedelta(days=1):%Y-%m}"


@dataclass(frozen=True, slots=True)
class Inputs:
    """The tables of a period, or of a part of it; guests are opponents who are rated in another part."""

    games: list[Input]
    players: list[Input]
    pool: list[Input] = field(default_factory=list)
    guests: pa.Table | None = None  # their ids, and what must be known about an opponent
    busy: pa.Array | None = None  # ids of players whose games are added up where their opponents are
    sums: pa.Table | None = None  # the totals of such games, for the part that rates the busy players


def request(
    system: str | System | Method,
    period: str,
    since: date | None,
    on: date | None,
    columns: Mapping[str, str],
    *,
    detail: bool,
) -> Request:
    """A checked request from the arguments of a caller; raises BadInput if the last day is before the first."""
    last = on or last_day_of(period)
    resolved = resolve_system(system, last)
    first = since or last.replace(day=1)
    if first > last:
        raise BadInput(say("bulk.error.days", first=first, last=last), at="since")
    return Request(resolved, first, last, columns_by_table(columns), detail)


def columns_by_table(columns: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The names of the columns, separately for games and players."""
    return {table: of_table(table, columns) for table in ("games", "players")}


def resolve_system(system: str | System | Method, on: date | None = None) -> System | Method:
    """One of FIDE's lists, or another system for columns, by its name or as it is; `on` is the day of its rules."""
    if isinstance(system, Method):
        return system
    if isinstance(system, str):
        return method_of(system) if system in METHODS else resolve_system(system_named(system), on)
    if system.base in METHODS:
        raise Unsupported(say("bulk.error.give_method", system=system.name, base=system.base), at="system")
    if system.base not in OWN:
        return player_by_player(system, on)
    if system.base not in FILES:
        raise Unsupported(say("bulk.error.not_in_bulk", system=system.name, known=[*FILES, *METHODS]), at="system")
    return system


def last_day_of(period: str) -> date:
    """The last day of the month before a list, whose games enter it: the list of 2026-12 has those of November."""
    return parse_date(period, at="period").replace(day=1) - timedelta(days=1)
