"""FIDE's lists month by month, as `bulk.rate` makes them, with the expected score of every rated game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.fide.period import rate_tables
from arpad.bulk.request import Inputs, Request
from arpad.bulk.tables.columns import IDS, days, is_day, of_table, recognise, texts
from arpad.bulk.tables.files import Input, sources
from arpad.bulk.tables.history import Calendar, first_day, month_end, months
from arpad.bulk.tables.rejects import Rejects, Verdicts, nothing_to_rate
from arpad.bulk.tally import Forecast, with_chances
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Int64s
    from arpad.bulk.tables.paths import Tables
    from arpad.systems.base import System
    from arpad.systems.chances import DrawModel


class Lists(NamedTuple):
    """The forecast of a span, the rejected rows, the calendar, and the span."""

    forecast: Forecast
    rejects: pa.Table
    calendar: Calendar
    span: tuple[int, int]


def forecast_lists(
    system: System,
    games: Tables,
    players: Tables | None,
    columns: Mapping[str, str],
    first: str | int | None,
    last: str | int | None,
    draws: DrawModel | None,
) -> Lists:
    """Rate month after month from a list; without one everybody is unrated, except for ratings in the games."""
    rejects = Rejects()
    table, month, origin = _by_month(games, columns, rejects)
    calendar = Calendar(int(month[0]), int(month[-1]), dated=True)
    low, high = calendar.span(first, last)
    listed = [Input(None, _unrated(table))] if players is None else sources(players, "players")
    pool: list[Input] = []
    seen, rejected = [], [rejects.table()]
    mapped = {"games": {}, "players": of_table("players", columns)}
    ends = np.searchsorted(month, np.arange(calendar.first, high + 2))
    for number in range(calendar.first, high + 1):
        start = ends[number - calendar.first]
        month_games = table.slice(start, ends[number - calendar.first + 1] - start)
        asked = Request(system, first_day(number), month_end(number), mapped, predict=number >= low)
        rated = rate_tables(asked, system, Inputs([Input(None, month_games)], listed, pool))
        listed, pool = [Input(None, rated.players)], [Input(None, rated.pool)]
        mapped["players"] = {}  # the list is Arpad's own, and so are its column names
        rejected.append(_by_file(rated.rejected, origin.slice(start)))
        if rated.forecast is not None:
            seen.append(with_chances(rated.forecast, draws, system, asked.on) if draws else rated.forecast)
    return Lists(Forecast.joined(seen), pa.concat_tables(rejected), calendar, (low, high))


def _by_file(rejected: pa.Table, origin: pa.Table) -> pa.Table:
    """Rejected rows, with games identified by file and row instead of by their place in the month."""
    rows = [
        {**row, **origin.slice(row["row"] - 1, 1).to_pylist()[0]} if row["table"] == "games" and row["row"] else row
        for row in rejected.to_pylist()
    ]
    return pa.Table.from_pylist(rows, schema=rejected.schema)


def _by_month(games: Tables, columns: Mapping[str, str], rejects: Rejects) -> tuple[pa.Table, Int64s, pa.Table]:
    """All games with a date, sorted by it, their months, and the file and row of each."""
    mapped = of_table("games", columns)
    parts, origins = [], []
    for source in sources(games, "games"):
        for first, batch in source.blocks(lambda names: recognise("games", names, mapped), IDS["games"]):
            if "date" not in batch.schema.names:
                raise BadInput(say("bulk.error.monthly"), at="games")
            verdicts = Verdicts(batch.num_rows)
            verdicts.reject(~is_day(days(batch.column("date"))), "bad_date")
            rejects.add("games", source.name, first, batch, verdicts.codes)
            taken = verdicts.codes == 0
            parts.append(pa.Table.from_batches([_plain(batch)]).filter(pa.array(taken)))
            file = pa.array([source.name], pa.string()).take(pa.array(np.zeros(taken.sum(), int)))
            origins.append(pa.table({"file": file, "row": first + 1 + np.flatnonzero(taken)}))
    if not any(part.num_rows for part in parts):
        raise nothing_to_rate("no_dated_games", rejects.table(), at="games")
    table = pa.concat_tables(parts, promote_options="default")
    order = pc.sort_indices(table, [("date", "ascending")])
    table = table.take(order)
    return table, months(table.column("date").to_numpy()), pa.concat_tables(origins).take(order)


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A block with only texts and dates, so that files of any kind can be combined."""
    columns = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if name in ("date", "start"):
            known = days(column)
            columns[name] = pa.array(known, pa.int32(), mask=~is_day(known)).cast(pa.date32())
        else:
            columns[name] = texts(column)
    return pa.RecordBatch.from_pydict(columns)


def _unrated(table: pa.Table) -> pa.Table:
    """A list of everybody in the games, unrated."""
    ids = pa.chunked_array([*table.column("white").chunks, *table.column("black").chunks]).unique().drop_null()
    return pa.table({"id": ids, "rating": pa.nulls(len(ids), pa.int16())})
