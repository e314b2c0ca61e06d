"""Players before a period: FIDE's list, a list of Elo or Glicko, and the pool of games of unrated players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.methods import Standings
from arpad.bulk.tables.columns import (
    ADDED,
    BAD,
    IDS,
    NO_WORD,
    PLAYERS,
    UNKNOWN,
    coded,
    days,
    days_of,
    hundredths,
    hundredths_of_minutes,
    is_day,
    recognise,
    texts,
    together,
    whole_numbers,
)
from arpad.bulk.tables.files import Input, no_rows
from arpad.bulk.tables.ids import NOWHERE, Index, as_numbers, same_type
from arpad.bulk.tables.rejects import Origins, Rejects, Verdicts
from arpad.core import EARLIEST_BIRTH, HIGHEST_K, HIGHEST_RATING, LOWEST_RATING
from arpad.core.numbers import HIGHEST_DEVIATION, HIGHEST_VOLATILITY, LOWEST_DEVIATION, LOWEST_VOLATILITY, Rating
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Bools, Int32s, Ints, Words


LATEST_BIRTH = 9999
NOT_BORN = -1  # instead of the rating of a guest born after the period, whose games are rejected
# Lowest and highest value of each column. FIDE's lists write 0 for an unknown rating or year.
BOUNDS = {
    "rating": (LOWEST_RATING, HIGHEST_RATING),
    "k": (1, HIGHEST_K),
    "born": (EARLIEST_BIRTH, LATEST_BIRTH),
    "games": (0, 1_000_000),
    "peak": (LOWEST_RATING, HIGHEST_RATING),
    "standard": (LOWEST_RATING, HIGHEST_RATING),
    "base": (LOWEST_RATING, HIGHEST_RATING),
}
STANDING_BOUNDS: dict[str, tuple[Rating, Rating]] = {
    "rating": (-HIGHEST_RATING, HIGHEST_RATING),  # Elo may lead below 1, and the next period begins there
    "deviation": (LOWEST_DEVIATION, HIGHEST_DEVIATION),
    "volatility": (LOWEST_VOLATILITY, HIGHEST_VOLATILITY),
}
DECIMAL = r"^-?\d{1,9}(\.\d*)?([eE][-+]?\d{1,2})?$"


class PlayerColumns(NamedTuple):
    """All players on the list, then guests, who are opponents rated elsewhere; an unknown number is −1."""

    table: pa.Table  # without the guests
    ids: pa.Array
    lookup: Index
    rating: Int32s
    k: Int32s
    born: Int32s
    games: Int32s
    peak: Int32s
    standard: Int32s
    base: Int32s

    @property
    def size(self) -> int:
        """How many players there are, without the guests."""
        return int(self.table.num_rows)

    @property
    def own(self) -> PlayerColumns:
        """The players without the guests."""
        table, *columns = self
        numbers = [column[: self.size] for column in columns[2:]]
        return PlayerColumns(table, self.ids[: self.size], self.lookup, *numbers)

    @property
    def used(self) -> Int32s:
        """The rating used for each player: the list's own, or else the standard rating; 0 for unrated."""
        return np.where(self.rating >= 0, self.rating, np.maximum(self.standard, 0)).astype(np.int32)

    def numbers(self) -> dict[str, Int32s]:
        """The columns that the next list takes over unchanged."""
        return {"k": self.k, "born": self.born, "standard": self.standard}

    @property
    def stands_in(self) -> Bools:
        """Whether the standard rating is used instead of the list's own."""
        return (self.rating < 0) & (self.standard > 0)


def read_players(
    sources: list[Input], columns: dict[str, str], rejects: Rejects, guests: pa.Table | None = None
) -> PlayerColumns:
    """The players; rows that cannot be used go to the rejects. Guests have an id, and a rating or `NOT_BORN`."""
    parts = []
    origins = Origins()
    for source in sources:
        for first, batch in source.blocks(lambda names: all_columns(names, columns), IDS["players"]):
            verdicts = Verdicts(batch.num_rows)
            verdicts.reject(np.asarray(batch.column("id").is_null()), "no_id")
            for name in BOUNDS:
                _whole_numbers(batch, name, verdicts)
            rejects.add("players", source.name, first, batch, verdicts.codes)
            taken = verdicts.codes == 0
            parts.append(batch if taken.all() else batch.filter(pa.array(taken)))
            origins.add(source.name, first, taken)
    if not parts:
        raise BadInput(say("bulk.error.no_players"), at="players")
    table = together([pa.Table.from_batches([part]) for part in parts]).combine_chunks()
    parts.clear()
    given = table.column("id").combine_chunks()
    met = given.slice(0, 0) if guests is None else guests.column("id").combine_chunks()
    ids = as_numbers(pa.concat_arrays(same_type([given, met])))
    table = table.set_column(table.schema.get_field_index("id"), "id", ids[: table.num_rows])
    table, lookup = _without_duplicates(table, origins, rejects)
    (batch,) = table.combine_chunks().to_batches() or [no_rows(table.schema)]
    numbers = (_whole_numbers(batch, name) for name in BOUNDS)
    players = PlayerColumns(table, table.column("id").combine_chunks(), lookup, *numbers)
    pa.default_memory_pool().release_unused()
    return players if guests is None else _with_guests(players, ids[len(given) :], guests)


def all_columns(names: list[str], columns: dict[str, str]) -> dict[str, str]:
    """The columns of the layout, and all others by their own names."""
    found = recognise("players", names, columns)
    others = {name: name for name in names if name not in found.values() and name not in (*PLAYERS, *ADDED)}
    return found | others


def _whole_numbers(batch: pa.RecordBatch, name: str, verdicts: Verdicts | None = None) -> Int32s:
    """A column of whole numbers, −1 for unknown; values out of bounds are rejected."""
    if name not in batch.schema.names:
        return np.full(batch.num_rows, -1, dtype=np.int32)
    numbers = whole_numbers(batch.column(name))
    low, high = BOUNDS[name]
    if low > 0:
        numbers = np.where(numbers == 0, -1, numbers)
    if verdicts is not None:
        verdicts.reject((numbers == BAD) | ((numbers >= 0) & (numbers < low)) | (numbers > high), f"bad_{name}")
    return numbers.astype(np.int32)


def _without_duplicates(table: pa.Table, origins: Origins, rejects: Rejects) -> tuple[pa.Table, Index]:
    """The first row of each player, the others rejected; and the index of the ids."""
    ids = table.column("id").combine_chunks()
    index = Index(ids)
    duplicate = index.places(ids) != np.arange(len(ids)) if len(ids) else np.zeros(0, bool)
    if not duplicate.any():
        return table, index
    for place in np.flatnonzero(duplicate).tolist():
        rejects.add_row("players", *origins.of(place), "duplicate_id", {"id": ids[place].as_py()})
    table = table.filter(pa.array(~duplicate))
    return table, Index(table.column("id").combine_chunks())


def _with_guests(players: PlayerColumns, ids: pa.Array, guests: pa.Table) -> PlayerColumns:
    """The players, followed by the guests, about whom only the rating is known."""
    everybody = pa.concat_arrays([players.ids, ids])
    rating = guests.column("rating").to_numpy()
    columns = {
        "rating": np.where(rating > 0, rating, -1),
        "born": np.where(rating == NOT_BORN, LATEST_BIRTH, -1),
    }
    unknown = np.full(len(rating), -1)
    numbers = (
        np.append(getattr(players, name), columns.get(name, unknown)).astype(np.int32, copy=False) for name in BOUNDS
    )
    return PlayerColumns(players.table, everybody, Index(everybody), *numbers)


def unborn(players: PlayerColumns, on: date) -> Bools:
    """Who was born after a day, so that K cannot be calculated; with a K on the list it does not matter."""
    return (players.born > on.year) & (players.k <= 0)


def read_list(given: list[Input], columns: dict[str, str], wanted: tuple[str, ...], rejects: Rejects) -> pa.Table:
    """The players with the columns `wanted` as numbers; rows that cannot be used are rejected."""

    def pick(names: list[str]) -> dict[str, str]:
        found = recognise("players", names, columns)
        own = {name.strip().lower(): name for name in names}
        return {"id": found["id"], "rating": found["rating"], **{name: own[name] for name in wanted[1:] if name in own}}

    parts = [pa.table({"id": pa.array([], pa.int64()), **{name: pa.array([], pa.float64()) for name in wanted}})]
    origins = Origins()
    for source in given:
        for first, batch in source.blocks(pick, IDS["players"]):
            verdicts = Verdicts(batch.num_rows)
            verdicts.reject(np.asarray(batch.column("id").is_null()), "no_id")
            numbers = {
                name: _decimals(batch, name, verdicts)
                if name in batch.schema.names
                else pa.nulls(batch.num_rows, pa.float64())
                for name in wanted
            }
            rejects.add("players", source.name, first, batch, verdicts.codes)
            taken = verdicts.codes == 0
            origins.add(source.name, first, taken)
            parts.append(pa.table({"id": batch.column("id"), **numbers}).filter(pa.array(taken)))
    filled = [part for part in parts if part.num_rows] or parts[-1:]
    table, _ = _without_duplicates(together(filled), origins, rejects)
    return table


def _decimals(batch: pa.RecordBatch, name: str, verdicts: Verdicts) -> pa.Array:
    """A column of numbers; others, and those out of bounds, are rejected. As in FIDE's lists, a rating of 0 is none."""
    words = pc.utf8_trim_whitespace(texts(batch.column(name)))
    words = pc.if_else(pc.is_in(pc.utf8_lower(words), pa.array(NO_WORD)), None, words)
    numbers = pc.if_else(pc.match_substring_regex(words, DECIMAL), words, None).cast(pa.float64())
    low, high = (float(bound) for bound in STANDING_BOUNDS[name])
    sound = pc.and_(pc.greater_equal(numbers, low), pc.less_equal(numbers, high)).fill_null(False)
    if name == "rating":
        numbers = pc.if_else(pc.equal(numbers, 0), None, numbers)
    verdicts.reject(np.asarray(words.is_valid()) & ~np.asarray(sound), "bad_start")
    return numbers


def with_list(standings: Standings, ids: pa.Array, listed: pa.Table) -> Standings:
    """Standings with what the list says about its players; one without a rating stays a newcomer."""
    places = Index(ids).places(listed.column("id").combine_chunks())
    rated = (places >= 0) & np.asarray(listed.column("rating").is_valid())
    played = standings.played.copy()
    played[places[rated]] = True
    new = {}
    for name in listed.schema.names[1:]:
        column, known = getattr(standings, name).copy(), rated & np.asarray(listed.column(name).is_valid())
        column[places[known]] = listed.column(name).fill_null(0).to_numpy()[known]
        new[name] = column
    return standings._replace(played=played, **new)


class Pool(NamedTuple):
    """Games of unrated players from their side, in columns; an unknown time control is −1."""

    player: Ints
    event: Ints
    start: Ints
    opponent: Ints
    half_points: Ints
    minutes: Ints  # hundredths of a minute for 60 moves
    highest: Ints  # rating in the tournament, as far as known

    @property
    def size(self) -> int:
        """How many games there are."""
        return len(self.player)

    def part(self, which: Ints | Bools) -> Pool:
        """Some of the games."""
        return Pool(*(column[which] for column in self))

    @classmethod
    def joined(cls, parts: Sequence[Pool]) -> Pool:
        """The games of several parts, in their order."""
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def table(self, ids: pa.Array, events: Words) -> pa.Table:
        """The pool as a table, an input for the next period."""
        return pa.table(
            {
                "player": ids.take(pa.array(self.player)),
                "event": events.words(self.event),
                "start": pa.array(self.start, pa.int32()).cast(pa.date32()),
                "opponent": pa.array(self.opponent, pa.int16()),
                "half_points": pa.array(self.half_points, pa.int8()),
                "minutes": hundredths(self.minutes, self.minutes < 0),
                "highest": pa.array(self.highest, pa.int16(), mask=self.highest <= 0),
            }
        )


NO_GAMES = Pool(*(np.zeros(0, dtype=np.int64) for _ in Pool._fields))


def read_pool(sources: list[Input], players: PlayerColumns, events: Words, on: date, rejects: Rejects) -> Pool:
    """The pool carried forward, without the games of players who are rated by now."""
    parts = [NO_GAMES]
    for source in sources:
        for first, batch in source.blocks(lambda names: recognise("pool", names, {}), IDS["pool"]):
            part = _pool_of(batch, players, events, on)
            verdicts = Verdicts(batch.num_rows)
            known = (part.opponent > 0) & (part.opponent <= HIGHEST_RATING) & is_day(part.start)
            sound = known & (part.player != NOWHERE) & (part.half_points >= 0) & (part.half_points <= 2)
            verdicts.reject(~sound | (part.minutes == BAD) | (part.highest > HIGHEST_RATING), "bad_pool")
            rejects.add("pool", source.name, first, batch, verdicts.codes)
            part = part.part(verdicts.codes == 0)
            parts.append(part.part(players.used[part.player] == 0))
    return Pool.joined(parts)


def _pool_of(batch: pa.RecordBatch, players: PlayerColumns, events: Words, on: date) -> Pool:
    column = {name: batch.column(name) for name in batch.schema.names}
    rows = batch.num_rows
    return Pool(
        players.lookup.places(column["player"]),
        events.numbers(column["event"]) if "event" in column else np.full(rows, UNKNOWN),
        days(column["start"]) if "start" in column else np.full(rows, days_of(on)),
        whole_numbers(column["opponent"]),
        whole_numbers(column["half_points"]),
        coded(column["minutes"], hundredths_of_minutes) if "minutes" in column else np.full(rows, UNKNOWN),
        np.maximum(whole_numbers(column["highest"]), 0) if "highest" in column else np.zeros(rows, np.int64),
    )
