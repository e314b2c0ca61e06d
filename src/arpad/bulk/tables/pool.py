"""The pool: games of unrated players against rated ones, carried forward from period to period."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.tables.columns import BAD, UNKNOWN, coded, days, days_of, hundredths_of_minutes, is_day, whole_numbers
from arpad.bulk.tables.ids import NOWHERE
from arpad.bulk.tables.layout import IDS, recognise
from arpad.bulk.tables.output import hundredths
from arpad.bulk.tables.rejects import Rejects, Verdicts
from arpad.core import HIGHEST_RATING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.bulk.arrays import Bools, Ints
    from arpad.bulk.tables.columns import Words
    from arpad.bulk.tables.players import PlayerColumns
    from arpad.bulk.tables.reader import Input


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
            part = _columns(batch, players, events, on)
            verdicts = Verdicts(batch.num_rows)
            known = (part.opponent > 0) & (part.opponent <= HIGHEST_RATING) & is_day(part.start)
            sound = known & (part.player != NOWHERE) & (part.half_points >= 0) & (part.half_points <= 2)
            verdicts.reject(~sound | (part.minutes == BAD) | (part.highest > HIGHEST_RATING), "bad_pool")
            rejects.add("pool", source.name, first, batch, verdicts.codes)
            part = part.part(verdicts.codes == 0)
            parts.append(part.part(players.used[part.player] == 0))
    return Pool.joined(parts)


def _columns(batch: pa.RecordBatch, players: PlayerColumns, events: Words, on: date) -> Pool:
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
