"""FIDE's lists month by month, with what the table expected of every rated game: the lists are those of `bulk.rate`."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk import rate
from arpad.bulk.calendar import Calendar, first_day, months
from arpad.bulk.columns import days, texts
from arpad.bulk.layout import of_table, recognise
from arpad.bulk.measures import Forecast
from arpad.bulk.source import sources
from arpad.contract import System
from arpad.errors import BadInput


class Lists(NamedTuple):
    """What came out: the forecast of a span, the rows held back by reason, and the span."""

    forecast: Forecast
    rejected: Mapping[str, int]
    calendar: Calendar
    span: tuple[int, int]


def forecast_lists(
    system: System, games: Any, players: Any, columns: Mapping[str, str], first: Any, last: Any
) -> Lists:
    """Rate month after month from a list; without one everybody is unrated, but for the ratings in the games."""
    table, month, undated = _by_month(games, columns)
    calendar = Calendar(int(month[0]), int(month[-1]), dated=True)
    low, high = calendar.span(first, last)
    listed = _unrated(table) if players is None else players
    pool, seen, rejected = None, [], Counter({"bad_date": undated} if undated else {})
    ends = np.searchsorted(month, np.arange(calendar.first, high + 2))
    for number in range(calendar.first, high + 1):
        start = ends[number - calendar.first]
        rated = rate(
            table.slice(start, ends[number - calendar.first + 1] - start),
            listed,
            period=f"{first_day(number + 1):%Y-%m}",
            system=system,
            pool=pool,
            columns=of_table("players", columns),
            detail=number >= low,
        )
        listed, pool = rated.players, rated.pool
        rejected.update(rated.rejected.column("reason").to_pylist())
        if rated.games is not None:
            seen.append(_forecast(rated.games))
    return Lists(Forecast.joined(seen), rejected, calendar, (low, high))


def _forecast(detail: pa.Table) -> Forecast:
    """The games of a list: of those that are not rated FIDE expects nothing."""
    expected, score = (
        pc.cast(detail.column(name), pa.float64()).fill_null(np.nan).to_numpy()
        for name in ("white_expected", "white_score")
    )
    return Forecast(expected, score, np.zeros(len(score), bool))


def _by_month(games: Any, columns: Mapping[str, str]) -> tuple[pa.Table, Any, int]:
    """All games with a day, sorted by month, their months, and how many have none."""
    mapped = of_table("games", columns)
    batches = [
        _plain(batch)
        for source in sources(games, "games")
        for batch in source.batches(lambda names: recognise("games", names, mapped))
    ]
    if not batches or any("date" not in batch.schema.names for batch in batches):
        raise BadInput("FIDE's lists are monthly, so every game needs its date.", at="games")
    table = pa.concat_tables([pa.Table.from_batches([batch]) for batch in batches], promote_options="default")
    day = days(table.column("date").combine_chunks())
    order = np.flatnonzero(day >= 0)
    order = order[np.argsort(day[order], kind="stable")]
    if not len(order):
        raise BadInput("There are no games with a date to rate.", at="games")
    return table.take(order), months(day[order]), len(day) - len(order)


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Texts and days, so that files of any kind go together."""
    columns = {
        name: pa.array(days(column), pa.int32(), mask=days(column) < 0).cast(pa.date32())
        if name in ("date", "start")
        else texts(column)
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    }
    return pa.RecordBatch.from_pydict(columns)


def _unrated(table: pa.Table) -> pa.Table:
    """Everybody in the games, without a rating."""
    ids = pa.chunked_array([*table.column("white").chunks, *table.column("black").chunks]).unique().drop_null()
    return pa.table({"id": ids, "rating": pa.nulls(len(ids), pa.int16())})
