"""The games of a period: read in blocks and checked row by row."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.tables.collector import GameCollector
from arpad.bulk.tables.columns import (
    BAD,
    NO_DAY,
    UNKNOWN,
    UNPLAYED,
    Words,
    coded,
    days,
    days_of,
    hundredths_of,
    is_day,
    results,
    unplayed,
    whole_numbers,
    yes_or_no,
)
from arpad.bulk.tables.ids import NOWHERE
from arpad.bulk.tables.layout import IDS, recognise
from arpad.bulk.tables.players import unborn
from arpad.bulk.tables.reader import Input, RowBlock, Window
from arpad.bulk.tables.rejects import Rejects, Verdicts
from arpad.core import HIGHEST_RATING, LOWEST_RATING
from arpad.errors import ArpadError
from arpad.reading import parse_pace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from arpad.bulk.arrays import Bools, Int16s, Ints
    from arpad.bulk.tables.game_columns import GameColumns
    from arpad.bulk.tables.players import PlayerColumns
    from arpad.core import Pace


class Span(NamedTuple):
    """The days of a rating period, and the first day that the rules cover."""

    since: date
    on: date
    covered_from: date


class GamesTaken(NamedTuple):
    """The games that were taken, how many were given, the words for the events, and the time controls."""

    games: GameColumns
    given: int
    events: Words
    paces: tuple[Pace, ...]


class _Reader(NamedTuple):
    """What the blocks of all files share."""

    players: PlayerColumns
    span: Span
    unborn: Bools
    events: Words
    rounds: Words
    paces: dict[Pace, int]


def read_games(
    sources: list[Input], columns: dict[str, str], players: PlayerColumns, span: Span, rejects: Rejects
) -> GamesTaken:
    """The games of the period; rows that cannot be used go to the rejects, and so do files that end early."""
    reader = _Reader(players, span, unborn(players, span.on), Words(), Words(), {})
    collected = GameCollector(sum(source.rows() for source in sources))
    elsewhere, troubles = 0, []
    for source in sources:
        try:
            for first, batch in read_ahead(source, columns):
                verdicts = Verdicts(batch.num_rows)
                block = _block(batch, reader, verdicts)
                leave_others(block["date"], source.window, verdicts)
                elsewhere += verdicts.left
                rejects.add("games", source.name, first, batch, verdicts.codes)
                collected.add(source.name, first, block, verdicts.codes == 0)
        except ArpadError as trouble:
            troubles.append(trouble)
            rejects.add_file("games", source.name, trouble.message)
    if troubles and not collected.given:
        raise troubles[0]
    pa.default_memory_pool().release_unused()
    games = collected.games(players.ids, rejects)
    return GamesTaken(games, collected.given - elsewhere, reader.events, tuple(reader.paces))


def read_ahead(source: Input, columns: dict[str, str]) -> Iterator[RowBlock]:
    """The blocks of a file; the next is read while one is processed."""
    blocks = source.blocks(lambda names: recognise("games", names, columns), IDS["games"])
    with ThreadPoolExecutor(1) as reader:
        ahead = reader.submit(next, blocks, None)
        while (block := ahead.result()) is not None:
            ahead = reader.submit(next, blocks, None)
            yield block


def _block(batch: pa.RecordBatch, reader: _Reader, verdicts: Verdicts) -> dict[str, Any]:
    """A block of games in columns, with a verdict on every row."""
    column = {name: batch.column(name) for name in batch.schema.names}
    white, black = (reader.players.lookup.places(column[side]) for side in ("white", "black"))
    result = results(column["result"])
    for side in ("white", "black"):
        if column[side].null_count:
            verdicts.reject(np.asarray(column[side].is_null()), f"no_{side}")
    verdicts.reject(result < 0, "bad_result")
    verdicts.reject(white == NOWHERE, "unknown_white")
    verdicts.reject(black == NOWHERE, "unknown_black")
    verdicts.reject(white == black, "against_himself")
    forfeit = result >= UNPLAYED
    if forfeit.any():
        result[forfeit] -= UNPLAYED
    block = {"white": white, "black": black, "half_points": result, "unplayed": forfeit if forfeit.any() else None}
    block |= _days(column, reader.span, verdicts)
    block |= {"event": reader.events.numbers(column["event"]) if "event" in column else None}
    block |= {"round": reader.rounds.numbers(column["round"]) if "round" in column else None}
    block |= {"pace": _pace(column["time"], reader, verdicts) if "time" in column else None}
    if "how" in column:
        how = coded(column["how"], unplayed, np.int8)
        verdicts.reject(how == BAD, "bad_how")
        block["unplayed"] = (how == 1) | forfeit
    block["approved"] = _approved(column["approved"], verdicts) if "approved" in column else None
    block["highest"] = _rating(column.get("highest"), verdicts)
    for side in ("white_rating", "black_rating"):
        block[side] = _rating(column.get(side), verdicts)
    if reader.unborn.any():
        verdicts.reject(reader.unborn[white] | reader.unborn[black], "not_born")
    return block


def _days(column: dict[str, pa.Array], span: Span, verdicts: Verdicts) -> dict[str, Any]:
    """The day of each game, which must be in the period, and the day its event began, which may be earlier."""
    if "date" not in column and "start" not in column:
        return {"date": None, "start": None}
    last, covered = days_of(span.on), days_of(span.covered_from)
    day = start = None
    if "date" in column:
        day = days(column["date"])
        verdicts.reject(~is_day(day), "bad_date")
        verdicts.reject((day < days_of(span.since)) | (day > last), "outside_period")
    if "start" in column:
        start = days(column["start"])
        if day is not None:
            start = np.where(start == NO_DAY, day, start)
        verdicts.reject(~is_day(start), "bad_date")
        verdicts.reject(start > last, "outside_period")
    verdicts.reject((np.asarray(day) if start is None else start) < covered, "before_rules")
    return {"date": day, "start": start}


def leave_others(day: Ints | None, window: Window | None, verdicts: Verdicts) -> None:
    """Leave out, without rejecting them, games of another period in the same file."""
    if window is None or day is None:
        return
    others = (day < days_of(window.first)) | (day > days_of(window.last))
    verdicts.leave(others & is_day(day) if window.report_bad_dates else others)


def _pace(column: pa.Array, reader: _Reader, verdicts: Verdicts) -> Int16s:
    """The place of each time control among those seen."""

    def place(word: str) -> int:
        if not word:
            return UNKNOWN
        try:
            pace = parse_pace(word)
        except ArpadError:
            return BAD
        return BAD if hundredths_of(pace) == BAD else reader.paces.setdefault(pace, len(reader.paces))

    places: Int16s = coded(column, place, np.int16)
    verdicts.reject(places == BAD, "bad_time")
    return places


def _approved(column: pa.Array, verdicts: Verdicts) -> Bools:
    """Whether FIDE's qualification commission approved the event of each game."""
    said = coded(column, yes_or_no, np.int8)
    verdicts.reject(said == BAD, "bad_approved")
    approved: Bools = said == 1
    return approved


def _rating(column: pa.Array | None, verdicts: Verdicts) -> Int16s | None:
    """A list rating on the day the event began; 0 means as listed now."""
    if column is None:
        return None
    numbers = whole_numbers(column)
    outside = (numbers == BAD) | ((numbers >= 0) & (numbers < LOWEST_RATING)) | (numbers > HIGHEST_RATING)
    verdicts.reject(outside, "bad_game_rating")
    return np.where(outside | (numbers < 0), 0, numbers).astype(np.int16)
