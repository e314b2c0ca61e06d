"""The games of a period: read in blocks, checked row by row, and kept in narrow columns."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.columns import (
    BAD,
    UNKNOWN,
    UNPLAYED,
    Words,
    coded,
    days,
    half_points,
    hundredths_of_minutes,
    unplayed,
    whole_numbers,
)
from arpad.bulk.ids import MIX, NOWHERE
from arpad.bulk.kernel import Games
from arpad.bulk.layout import recognise
from arpad.bulk.rejects import Rejects, Verdicts
from arpad.bulk.roster import Roster
from arpad.bulk.rulings import days_of
from arpad.bulk.source import Source, Window
from arpad.errors import ArpadError, BadFile
from arpad.model import HIGHEST_RATING, LOWEST_RATING


class Span(NamedTuple):
    """The days of a rating period, and the first day the rules are known of."""

    since: date
    on: date
    covered_from: date


class Taken(NamedTuple):
    """The games that were taken, how many were given, and the words behind events and the paces."""

    games: Games
    given: int
    events: Words
    paces: Any


class _Reader(NamedTuple):
    """What the blocks of all files share."""

    roster: Roster
    span: Span
    unborn: Any
    events: Words
    rounds: Words
    paces: dict[int, int]


def read_games(sources: list[Source], columns: dict[str, str], roster: Roster, span: Span, rejects: Rejects) -> Taken:
    """The games of the period; rows that are not taken go to the rejects, and so do files that end early."""
    born = np.where(roster.k > 0, UNKNOWN, roster.born)
    reader = _Reader(roster, span, born > span.on.year, Words(), Words(), {})
    kept: list[dict[str, Any]] = []
    where: list[tuple[Source, int]] = []
    given, elsewhere, troubles = 0, 0, []
    for source in sources:
        where.append((source, given))
        try:
            for batch, first in _numbered(source, columns):
                verdicts = Verdicts(batch.num_rows)
                block = _block(batch, reader, verdicts)
                leave_others(block["date"], source.window, verdicts)
                elsewhere += verdicts.left
                # Of a file read in part the number of a row is not known.
                rejects.add("games", source.name, None if source.window else first, batch, verdicts.codes)
                block["row"] = np.arange(given, given + batch.num_rows)
                taken = verdicts.codes == 0
                kept.append(block if taken.all() else _some(block, taken))
                given += batch.num_rows
        except ArpadError as trouble:
            troubles.append(trouble)
            rejects.add_file("games", source.name, trouble.message)
    if troubles and not given:
        raise troubles[0]
    whole = _joined(kept)
    if given == len(whole["white"]):
        whole["row"] = None
    whole = _without_doubles(whole, where, roster, rejects)
    whole.pop("round"), whole.pop("date")
    paces = np.array(list(reader.paces), dtype=np.int64)
    return Taken(Games(**whole), given - elsewhere, reader.events, paces)


def _numbered(source: Source, columns: dict[str, str]) -> Iterator[tuple[pa.RecordBatch, int]]:
    first = 0
    for batch in source.batches(lambda names: recognise("games", names, columns)):
        yield batch, first
        first += batch.num_rows


def _block(batch: pa.RecordBatch, reader: _Reader, verdicts: Verdicts) -> dict[str, Any]:
    """A block of games in columns, with a verdict on every row."""
    column = {name: batch.column(name) for name in batch.schema.names}
    white, black = (reader.roster.ids.places(column[side]) for side in ("white", "black"))
    result = coded(column["result"], half_points, np.int8)
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
    for side in ("white_rating", "black_rating"):
        block[side] = _rating(column.get(side), verdicts)
    if reader.unborn.any():
        verdicts.reject(reader.unborn[white] | reader.unborn[black], "not_born")
    return block


def _days(column: dict[str, pa.Array], span: Span, verdicts: Verdicts) -> dict[str, Any]:
    """The day of the game, which is in the period, and the day its event began, which may be earlier."""
    if "date" not in column and "start" not in column:
        return {"date": None, "start": None}
    last, covered = days_of(span.on), days_of(span.covered_from)
    day = start = None
    if "date" in column:
        day = days(column["date"])
        verdicts.reject(day < 0, "bad_date")
        verdicts.reject((day < days_of(span.since)) | (day > last), "outside_period")
    if "start" in column:
        start = days(column["start"])
        if day is not None:
            start = np.where(start == UNKNOWN, day, start)
        verdicts.reject(start < 0, "bad_date")
        verdicts.reject(start > last, "outside_period")
    start = np.asarray(day) if start is None else start
    verdicts.reject(start < covered, "before_rules")
    return {"date": day, "start": start}


def leave_others(day: Any, window: Window | None, verdicts: Verdicts) -> None:
    """Leave out, without a word, what belongs to another period of the same file."""
    if window is None or day is None:
        return
    others = (day >= 0) & ((day < days_of(window.first)) | (day > days_of(window.last)))
    verdicts.leave(others if window.tell_of_bad_dates else others | (day < 0))


def _pace(column: pa.Array, reader: _Reader, verdicts: Verdicts) -> Any:
    """The place of each time control among those seen."""

    def place(word: str) -> int:
        hundredths = hundredths_of_minutes(word)
        return hundredths if hundredths < 0 else reader.paces.setdefault(hundredths, len(reader.paces))

    places = coded(column, place, np.int16)
    verdicts.reject(places == BAD, "bad_time")
    return places


def _rating(column: pa.Array | None, verdicts: Verdicts) -> Any:
    """A list rating on the day the event began; 0 is as listed now."""
    if column is None:
        return None
    numbers = whole_numbers(column)
    outside = (numbers == BAD) | ((numbers >= 0) & (numbers < LOWEST_RATING)) | (numbers > HIGHEST_RATING)
    verdicts.reject(outside, "bad_game_rating")
    return np.where(outside | (numbers < 0), 0, numbers).astype(np.int16)


def _some(block: dict[str, Any], taken: Any) -> dict[str, Any]:
    return {name: None if column is None else column[taken] for name, column in block.items()}


# What a column has where a file lacks it and others do not.
FILLED = {"unplayed": False, "white_rating": 0, "black_rating": 0, "pace": UNKNOWN, "event": UNKNOWN, "round": UNKNOWN}
EMPTY = {"white": np.int32, "black": np.int32, "half_points": np.int8, "row": np.int64}


def _joined(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    """The columns of all blocks, one after the other; each block's is let go as soon as it is copied."""
    names = [*(name for name in Games._fields if name != "edition"), "date", "round"]
    counts = [len(block["row"]) for block in blocks]
    whole = {name: _column(name, [block.pop(name) for block in blocks], counts) for name in names}
    for name, other in (("white_rating", "black_rating"), ("black_rating", "white_rating")):
        if whole[name] is None and whole[other] is not None:
            whole[name] = np.zeros(sum(counts), dtype=np.int16)
    return whole


def _column(name: str, parts: list[Any], counts: list[int]) -> Any:
    """A column of all blocks; None if no file has it."""
    known = [part for part in parts if part is not None]
    if not known:
        return np.zeros(0, dtype=EMPTY[name]) if name in EMPTY else None
    if len(known) < len(parts) and name not in FILLED:
        raise BadFile("Some files of games have dates and others have none; give them all, or none.", at="games")
    filled = [
        np.full(count, FILLED[name], dtype=known[0].dtype) if part is None else part
        for part, count in zip(parts, counts, strict=True)
    ]
    return np.concatenate(filled)


def _without_doubles(
    whole: dict[str, Any], where: list[tuple[Source, int]], roster: Roster, rejects: Rejects
) -> dict[str, Any]:
    """The games without those that are there twice."""
    doubles = doubles_of(whole)
    if not len(doubles):
        return whole
    places = doubles if whole["row"] is None else whole["row"][doubles]
    starts = [first for _, first in where]
    players = [
        roster.table.column("id").take(pa.array(whole[side][doubles])).to_pylist() for side in ("white", "black")
    ]
    for place, white, black in zip(places.tolist(), *players, strict=True):
        source, first = where[int(np.searchsorted(starts, place, side="right")) - 1]
        row = None if source.window else place - first + 1
        rejects.add_row("games", source.name, row, "duplicate", {"white": white, "black": black})
    keep = np.ones(len(whole["white"]), dtype=bool)
    keep[doubles] = False
    whole["row"] = np.arange(len(keep)) if whole["row"] is None else whole["row"]
    return _some(whole, keep)


def doubles_of(whole: Mapping[str, Any]) -> Any:
    """The places of games that are there again: the same two, in the same event, on the same day and in one round.

    Where rounds are not known the result must be the same as well, for two games of a match are no double.
    """
    rows = _suspects(whole["white"], whole["black"])
    if not len(rows):
        return rows
    result = None if whole["round"] is not None else whole["half_points"]
    keys = [whole[name] for name in ("white", "black", "event", "date", "round")]
    values = np.stack([np.asarray(key[rows], np.int64) for key in (*keys, result) if key is not None])
    order = np.lexsort((rows, *values))
    same = (values[:, order][:, 1:] == values[:, order][:, :-1]).all(axis=0)
    return np.sort(rows[order[1:][same]])


def _suspects(white: Any, black: Any) -> Any:
    """The games of pairs that met more than once with these colours, and a few more: by a short hash, sorted."""
    mixed = (white.astype(np.uint64) << np.uint64(32) | black.astype(np.uint64)) * MIX
    short = (mixed >> np.uint64(32)).astype(np.uint32)
    del mixed
    ordered = np.sort(short)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(twice):
        return twice
    seen = np.zeros(1 << 24, dtype=bool)
    seen[twice >> np.uint32(8)] = True
    return np.flatnonzero(seen[short >> np.uint32(8)])
