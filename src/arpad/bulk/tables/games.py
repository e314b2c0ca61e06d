"""The games of a period: read in blocks, checked row by row, and collected in narrow columns without duplicates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.tables.columns import (
    BAD,
    IDS,
    NO_DAY,
    UNKNOWN,
    UNPLAYED,
    Words,
    coded,
    days,
    days_of,
    hundredths_of,
    is_day,
    recognise,
    results,
    unplayed,
    whole_numbers,
    yes_or_no,
)
from arpad.bulk.tables.files import Input, RowBlock, Window
from arpad.bulk.tables.ids import MIX, NOWHERE
from arpad.bulk.tables.players import unborn
from arpad.bulk.tables.rejects import Rejects, Verdicts
from arpad.core import HIGHEST_RATING, LOWEST_RATING
from arpad.errors import ArpadError, BadFile
from arpad.messages import say
from arpad.reading import parse_pace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.bulk.tables.columns import Bools, Column, Int8s, Int16s, Int32s, Int64s, Ints
    from arpad.bulk.tables.players import PlayerColumns
    from arpad.core import Pace

    Block = dict[str, Column | None]  # by name; None is a column without information


BLOCK = 1 << 16  # games at a time: intermediate arrays stay in the processor's cache


class Span(NamedTuple):
    """The days of a rating period, and the first day that the rules cover."""

    since: date
    on: date
    covered_from: date


class GameColumns(NamedTuple):
    """Games by column; players are places in the list, and a column without information is None."""

    white: Int32s
    black: Int32s
    half_points: Int8s  # White's
    edition: Ints | None = None  # the place of the edition
    pace: Int16s | None = None  # the place of the time control; −1 is unknown
    unplayed: Bools | None = None
    approved: Bools | None = None  # whether FIDE's qualification commission approved the event
    highest: Int16s | None = None  # the highest rating in the tournament; 0 is unknown
    white_rating: Int16s | None = None  # the list rating on the day the event began; 0 means as listed now
    black_rating: Int16s | None = None
    event: Ints | None = None
    start: Int32s | None = None
    row: Ints | None = None  # the place of the game among all that were given

    @property
    def size(self) -> int:
        """How many games there are."""
        return len(self.white)

    def part(self, which: slice | Ints | Bools) -> GameColumns:
        """Some of the games."""
        columns: list[Any] = [None if column is None else column[which] for column in self]
        return GameColumns(*columns)

    def blocks(self) -> Iterator[GameColumns]:
        """All games, a block at a time."""
        for first in range(0, self.size, BLOCK):
            yield self.part(slice(first, first + BLOCK))

    def events(self) -> Ints:
        """The event of each game; without events all games belong to one."""
        return np.zeros(self.size, dtype=np.int32) if self.event is None else self.event


NAMES = [*(name for name in GameColumns._fields if name not in ("edition", "row")), "date", "round", "pair"]
# What fills a column for a file that lacks it while others have it.
FILLED = {
    **dict.fromkeys(("unplayed", "approved"), False),
    **dict.fromkeys(("white_rating", "black_rating", "highest"), 0),
    **dict.fromkeys(("pace", "event", "round"), UNKNOWN),
}
EMPTY = {"white": np.int32, "black": np.int32, "half_points": np.int8, "pair": np.uint32}


class GamesTaken(NamedTuple):
    """The games that were taken, how many were given, the words for the events, and the time controls."""

    games: GameColumns
    given: int
    events: Words
    paces: tuple[Pace, ...]


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


class _Reader(NamedTuple):
    """What the blocks of all files share."""

    players: PlayerColumns
    span: Span
    unborn: Bools
    events: Words
    rounds: Words
    paces: dict[Pace, int]


def _block(batch: pa.RecordBatch, reader: _Reader, verdicts: Verdicts) -> Block:
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
    block: Block = {
        "white": white,
        "black": black,
        "pair": _pair(white, black),
        "half_points": result,
        "unplayed": forfeit if forfeit.any() else None,
        **_days(column, reader.span, verdicts),
        "event": reader.events.numbers(column["event"]) if "event" in column else None,
        "round": reader.rounds.numbers(column["round"]) if "round" in column else None,
        "pace": _pace(column["time"], reader, verdicts) if "time" in column else None,
        "approved": None,
    }
    if "how" in column:
        how = coded(column["how"], unplayed, np.int8)
        verdicts.reject(how == BAD, "bad_how")
        block["unplayed"] = (how == 1) | forfeit
    if "approved" in column:
        said = coded(column["approved"], yes_or_no, np.int8)
        verdicts.reject(said == BAD, "bad_approved")
        block["approved"] = said == 1
    for name in ("highest", "white_rating", "black_rating"):
        block[name] = _rating(column.get(name), verdicts)
    if reader.unborn.any():
        verdicts.reject(reader.unborn[white] | reader.unborn[black], "not_born")
    return block


def _days(column: dict[str, pa.Array], span: Span, verdicts: Verdicts) -> Block:
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


def _rating(column: pa.Array | None, verdicts: Verdicts) -> Int16s | None:
    """A rating given with a game; 0 where there is none."""
    if column is None:
        return None
    numbers = whole_numbers(column)
    outside = (numbers == BAD) | ((numbers >= 0) & (numbers < LOWEST_RATING)) | (numbers > HIGHEST_RATING)
    verdicts.reject(outside, "bad_game_rating")
    return np.where(outside | (numbers < 0), 0, numbers).astype(np.int16)


def leave_others(day: Ints | None, window: Window | None, verdicts: Verdicts) -> None:
    """Leave out, without rejecting them, games of another period in the same file."""
    if window is None or day is None:
        return
    others = (day < days_of(window.first)) | (day > days_of(window.last))
    verdicts.leave(others & is_day(day) if window.report_bad_dates else others)


class GameCollector:
    """The games taken so far, and where each came from; `room` is how many are expected."""

    def __init__(self, room: int) -> None:
        self.given = self._kept = 0
        self._room = room
        self._columns: dict[str, _Column] = {}
        self._taken: list[tuple[int, int, Ints | None]] = []  # first row, rows, and which of them; None for all
        self._origins: list[tuple[str | None, int]] = []  # of each block the file, and the rows before it there

    def add(self, file: str | None, first: int, block: Block, taken: Bools) -> None:
        """Add a block of columns, with its origin and which of its rows are taken."""
        which = None if taken.all() else np.flatnonzero(taken)
        rows = len(taken) if which is None else len(which)
        for name in NAMES:
            part = block[name]
            if part is not None and name not in self._columns:
                self._columns[name] = _Column(name, part.dtype, self._room, self._kept)
            if name in self._columns:
                self._columns[name].add(part if part is None or which is None else part[which], rows)
        self._taken.append((self.given, len(taken), which))
        self._origins.append((file, first))
        self.given += len(taken)
        self._kept += rows

    def games(self, ids: pa.Array, rejects: Rejects) -> GameColumns:
        """All games that were taken; duplicates are rejected."""
        columns: dict[str, Any] = {name: np.zeros(0, dtype=EMPTY[name]) if name in EMPTY else None for name in NAMES}
        columns["row"] = None  # all that were given were taken
        columns |= {name: column.values() for name, column in self._columns.items()}
        if columns["start"] is None:
            columns["start"] = columns["date"]
        for name, other in (("white_rating", "black_rating"), ("black_rating", "white_rating")):
            if columns[name] is None and columns[other] is not None:
                columns[name] = np.zeros_like(columns[other])
        if any(which is not None for _, _, which in self._taken):
            columns["row"] = np.concatenate(
                [first + (np.arange(rows) if which is None else which) for first, rows, which in self._taken]
            )
        duplicates = _duplicates(columns, _suspects(columns.pop("pair")))
        if len(duplicates):
            self._reject(columns, duplicates, ids, rejects)
            keep = np.ones(len(columns["white"]), dtype=bool)
            keep[duplicates] = False
            columns["row"] = np.arange(len(keep)) if columns["row"] is None else columns["row"]
            columns = {name: None if column is None else column[keep] for name, column in columns.items()}
        return GameColumns(**{name: column for name, column in columns.items() if name in GameColumns._fields})

    def _reject(self, columns: dict[str, Any], duplicates: Ints, ids: pa.Array, rejects: Rejects) -> None:
        """Reject duplicates, by the file and row they came from."""
        starts = [given for given, _, _ in self._taken]
        places = duplicates if columns["row"] is None else columns["row"][duplicates]
        players = [ids.take(pa.array(columns[side][duplicates])).to_pylist() for side in ("white", "black")]
        for place, white, black in zip(places.tolist(), *players, strict=True):
            block = int(np.searchsorted(starts, place, side="right")) - 1
            file, first = self._origins[block]
            row = first + place - starts[block] + 1
            rejects.add_row("games", file, row, "duplicate", {"white": white, "black": black})


class _Column:
    """A column that grows block by block; rows before its first block are filled in."""

    def __init__(self, name: str, kind: np.dtype[Any], room: int, before: int) -> None:
        if before and name not in FILLED:
            raise BadFile(say("bulk.file.some_columns"), at=name)
        self._name, self._size = name, before
        self._values = np.empty(max(room, before), dtype=kind)
        self._values[:before] = FILLED.get(name, 0)

    def add(self, part: Column | None, rows: int) -> None:
        """Add the next rows; None fills them in."""
        if part is None and self._name not in FILLED:
            raise BadFile(say("bulk.file.some_columns"), at=self._name)
        end = self._size + rows
        if end > len(self._values):
            self._values = np.append(self._values, np.empty(max(end, len(self._values)), dtype=self._values.dtype))
        if part is not None and not np.can_cast(part.dtype, self._values.dtype):
            self._values = self._values.astype(np.promote_types(part.dtype, self._values.dtype))
        self._values[self._size : end] = FILLED[self._name] if part is None else part
        self._size = end

    def values(self) -> Column:
        """The column so far."""
        return self._values[: self._size]


def duplicates_of(columns: Mapping[str, Ints]) -> Int64s:
    """The places of duplicate games, searched among the pairs that met more than once."""
    return _duplicates(columns, _suspects(_pair(columns["white"], columns["black"])))


def _pair(white: Ints, black: Ints) -> NDArray[np.uint32]:
    """A short hash of two players and their colours."""
    both = white.astype(np.uint64)
    both <<= np.uint64(32)
    both |= black.astype(np.uint32)
    both *= MIX
    both >>= np.uint64(32)
    short: NDArray[np.uint32] = both.astype(np.uint32)
    return short


def _suspects(pair: NDArray[np.uint32]) -> Int64s:
    """The games of pairs that met more than once with these colours, and a few false alarms."""
    ordered = np.sort(pair)
    twice = ordered[np.flatnonzero(ordered[1:] == ordered[:-1])]
    if not len(twice):
        return np.zeros(0, dtype=np.int64)
    bits = min(len(pair).bit_length() + 1, 24)
    short = np.uint32(32 - bits)
    seen = np.zeros(1 << bits, dtype=bool)
    seen[twice >> short] = True
    firsts = range(0, len(pair), BLOCK)
    found = [first + np.flatnonzero(seen[pair[first : first + BLOCK] >> short]) for first in firsts]
    return np.concatenate(found)


def _duplicates(columns: Mapping[str, Column | None], rows: Int64s) -> Int64s:
    """The places of repeated games: the same two players, event, day and round.

    Where the round is not known the result must be the same too, because two games of a match are not duplicates.
    """
    names = ("white", "black", "event", "date", "round", "half_points")
    keys = {name: column[rows].astype(np.int64) for name in names if (column := columns[name]) is not None}
    if "round" in keys:
        keys["half_points"] = np.where(keys["round"] == UNKNOWN, keys["half_points"], 0)
    values = np.stack(list(keys.values()))
    order = np.lexsort((rows, *values))
    values = values[:, order]
    return np.sort(rows[order[1:][(values[:, 1:] == values[:, :-1]).all(axis=0)]])
