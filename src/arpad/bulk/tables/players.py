"""The list before the period: all players in columns, with the rating that is used for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.tables.columns import BAD, together, whole_numbers
from arpad.bulk.tables.ids import Index, as_numbers, same_type
from arpad.bulk.tables.layout import ADDED, IDS, PLAYERS, recognise
from arpad.bulk.tables.reader import Input, no_rows
from arpad.bulk.tables.rejects import Origins, Rejects, Verdicts
from arpad.core import EARLIEST_BIRTH, HIGHEST_K, HIGHEST_RATING, LOWEST_RATING
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from datetime import date

    from arpad.bulk.arrays import Bools, Int32s

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
                _number(batch, name, verdicts)
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
    players = _columns(table, origins, rejects)
    pa.default_memory_pool().release_unused()
    return players if guests is None else _with_guests(players, ids[len(given) :], guests)


def unborn(players: PlayerColumns, on: date) -> Bools:
    """Who was born after a day, so that K cannot be calculated; with a K on the list it does not matter."""
    return (players.born > on.year) & (players.k <= 0)


def all_columns(names: list[str], columns: dict[str, str]) -> dict[str, str]:
    """The columns of the layout, and all others by their own names."""
    found = recognise("players", names, columns)
    others = {name: name for name in names if name not in found.values() and name not in (*PLAYERS, *ADDED)}
    return found | others


def _number(batch: pa.RecordBatch, name: str, verdicts: Verdicts | None = None) -> Int32s:
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


def _columns(table: pa.Table, origins: Origins, rejects: Rejects) -> PlayerColumns:
    """The list in columns; if a player appears twice, the first row counts."""
    ids = table.column("id").combine_chunks()
    index = Index(ids)
    duplicate = index.places(ids) != np.arange(len(ids))
    if duplicate.any():
        for place in np.flatnonzero(duplicate).tolist():
            rejects.add_row("players", *origins.of(place), "duplicate_id", {"id": ids[place].as_py()})
        return _columns(table.filter(pa.array(~duplicate)), origins, rejects)
    (batch,) = table.combine_chunks().to_batches() or [no_rows(table.schema)]
    return PlayerColumns(table, ids, index, *(_number(batch, name) for name in BOUNDS))


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
