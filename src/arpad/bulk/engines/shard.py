"""A shard of a period: some players, all their games, and what is known of those they met.

A shard is a small period. It is rated by the code that rates a whole one, with opponents from other shards as guests,
so that shards rated anywhere add up to the period rated in one place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.engines.parcels import FILE, PLACE, ROW, Parcel, homes_of, opened, parcels
from arpad.bulk.fide.kernel import WHY_NOT
from arpad.bulk.fide.period import rate_tables, rules_applied
from arpad.bulk.method_period import rate_by_method
from arpad.bulk.methods import Method
from arpad.bulk.reasons import REASONS
from arpad.bulk.request import Inputs
from arpad.bulk.results import PeriodSummary
from arpad.bulk.tables.history import same_type
from arpad.bulk.tables.layout import GAMES
from arpad.bulk.tables.output import without_dictionaries
from arpad.bulk.tables.players import read_players, unborn
from arpad.bulk.tables.reader import Input
from arpad.bulk.tables.rejects import Rejects
from arpad.bulk.tables.standings import read_list
from arpad.errors import Unsupported
from arpad.messages import say
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from arpad.bulk.arrays import Bools, Int64s
    from arpad.bulk.request import Request
    from arpad.bulk.results import BulkRating
    from arpad.rulebooks.rulebook import Rule

SIDES = ("white", "black")
LISTED = "listed"  # white_listed_rating is what the list says of White
SUMMARY = "summary"
Tables = dict[str, pa.Table]


def check_in_parts(asked: Request, at: str) -> None:
    """Refuse a system in which each game goes by the one before it: a shard lacks the games in between."""
    if isinstance(asked.system, Method) and asked.system.in_order:
        raise Unsupported(say("bulk.error.in_order", system=asked.system.name), at=at)


@dataclass(frozen=True, slots=True)
class Shards:
    """What all shards of a period share: what is asked, how many there are, and what is known of their tables."""

    asked: Request
    count: int
    schemas: dict[str, pa.Schema]
    files: Mapping[str, Sequence[str | None]]  # the names of each table's files, by their numbers

    @property
    def ids(self) -> pa.DataType:
        """The type of the players' ids: a shard may have numbers alone where the list has texts too."""
        return pa.int64() if pa.types.is_integer(self.schemas["players"].field("id").type) else pa.string()

    @property
    def of_opponents(self) -> tuple[str, ...]:
        """What a game needs to know of the opponent."""
        system = self.asked.system
        return system.of_opponents if isinstance(system, Method) else ("rating", "born")

    @property
    def known_columns(self) -> pa.Schema:
        """The columns of what is known of opponents."""
        return self.opponents(self.schemas["players"].empty_table()).schema

    def with_games(self, columns: pa.Schema) -> Shards:
        """The same, once the columns of the games are known."""
        return replace(self, schemas={"games": columns, **self.schemas})

    def known(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From the list in parcels: what its players' opponents need to know."""
        for tables in opened(batches).values():
            yield from self.opponents(tables["players"]).to_batches()

    def opponents(self, listed: pa.Table) -> pa.Table:
        """What of the players on a list must be known where they are met."""
        players = Input(None, listed.drop_columns(PLACE))
        if isinstance(self.asked.system, Method):
            listed = read_list([players], {}, self.of_opponents, Rejects())
            return listed.set_column(0, "id", listed.column("id").cast(self.ids))
        read = read_players([players], {}, Rejects())
        born = pa.array(read.born, mask=~unborn(read, self.asked.on))
        return pa.table({"id": read.ids.cast(self.ids), "rating": pa.array(read.used), "born": born})

    def rate(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From all tables in parcels: the parts of the answer in parcels."""
        for home, tables in opened(batches).items():
            given = {name: tables.get(name, schema.empty_table()) for name, schema in self.schemas.items()}
            rated = self.rate_shard(given, home)
            parts = [Parcel(home, part, table) for part, table in self.parts(rated, given, home).items()]
            yield parcels(parts)

    def rate_shard(self, given: Tables, home: int) -> BulkRating:
        """The small period of a shard."""
        asked = replace(self.asked, columns={"games": {}, "players": {}})
        games, players = given["games"], given["players"].drop_columns(PLACE)
        inputs = Inputs(
            [Input(None, games.select([name for name in GAMES if name in games.schema.names]))],
            [Input(None, players)],
            [Input(None, given["pool"].drop_columns(PLACE))] if "pool" in given else [],
            self._guests(games, home),
        )
        if isinstance(asked.system, Method):
            return rate_by_method(asked, asked.system, inputs)
        return rate_tables(asked, asked.system, inputs)

    def _guests(self, games: pa.Table, home: int) -> pa.Table:
        """Those whom the shard's own players met and who are at home elsewhere, each once."""
        columns = [
            [*same_type([games.column(side).combine_chunks() for side in SIDES])],
            *(
                [games.column(f"{side}_{LISTED}_{name}").combine_chunks() for side in SIDES]
                for name in self.of_opponents
            ),
        ]
        met = pa.table(
            {name: pa.concat_arrays(sides) for name, sides in zip(("id", *self.of_opponents), columns, strict=True)}
        )
        homes = homes_of(met.column("id").combine_chunks(), self.count)
        away = pc.and_(pa.array(homes != home), met.column("id").is_valid())
        if not isinstance(self.asked.system, Method):  # who is not on FIDE's list is not known; elsewhere a newcomer
            away = pc.and_(away, met.column("rating").is_valid())
        met = met.filter(away)
        return met.take(pa.array(_firsts(met.column("id").combine_chunks())))

    def parts(self, rated: BulkRating, given: Tables, home: int) -> Tables:
        """A shard's share of every table of the answer, and of the summary."""
        games = given["games"]
        here = {side: homes_of(games.column(side).combine_chunks(), self.count) == home for side in SIDES}
        rejected = self._rejected(rated.rejected, given, here["white"])
        reasons = rejected.column("reason").to_pylist()
        summary = replace(
            rated.summary,
            games=int(here["white"].sum()),
            rejected=len(reasons),
            reasons={reason: reasons.count(reason) for reason in REASONS if reason in reasons},
        )
        parts = {
            "players": self._with_ids(rated.players, ("id",)),
            "pool": self._with_ids(rated.pool, ("player",)),
            "rejected": rejected,
            SUMMARY: pa.table({SUMMARY: [json.dumps(dict(summary))]}),
        }
        return parts if rated.games is None else parts | self._detail(rated.games, games, here)

    def _rejected(self, rejected: pa.Table, given: Tables, white_here: Bools) -> pa.Table:
        """The rejected rows with their places; a game is reported by the shard of White."""
        reported = [rejected.slice(0, 0)]
        for name, table in given.items():
            rows = rejected.filter(pc.equal(rejected.column("table"), name))
            if rows.num_rows:
                places = pc.subtract(rows.column("row"), 1)
                at = table.take(places)
                rows = rows.set_column(1, "file", self._names(name, at)).set_column(2, "row", row_number(at[ROW]))
                reported.append(rows.filter(pa.array(white_here).take(places)) if name == "games" else rows)
        return pa.concat_tables(reported)

    def _names(self, table: str, at: pa.Table) -> pa.ChunkedArray:
        """The names of the files that rows of a table came from."""
        return pa.chunked_array([pa.array(self.files[table], pa.string()).take(at[FILE].combine_chunks())])

    def _detail(self, detail: pa.Table, games: pa.Table, here: dict[str, Bools]) -> Tables:
        """The detail of every game from the side of the shard's own players, with the places of the games."""
        places = pc.subtract(detail.column("row"), 1)
        at = games.take(places)
        detail = self._with_ids(detail.drop_columns(["row"]), SIDES)
        detail = detail.append_column(FILE, self._names("games", at)).append_column(ROW, at[ROW])
        sides = {}
        for side, other in (SIDES, SIDES[::-1]):
            others = [name for name in detail.schema.names if name.startswith(f"{other}_")]
            sides[side] = detail.filter(pa.array(here[side]).take(places)).drop_columns(others)
        return {side: without_dictionaries(table) for side, table in sides.items()}

    def _with_ids(self, table: pa.Table, names: tuple[str, ...]) -> pa.Table:
        """A table with its ids as the whole list has them."""
        for name in names:
            place = table.schema.get_field_index(name)
            table = table.set_column(place, name, table.column(name).cast(self.ids))
        return without_dictionaries(table)

    def rules(self, summary: PeriodSummary) -> tuple[Rule[object], ...]:
        """The rules that the whole period went by."""
        system = self.asked.system
        if isinstance(system, Method):
            return system.rules
        return rules_applied(system.rulebook.of(FideRules).at(self.asked.on), converted=summary.converted > 0)

    def answers(self) -> dict[str, pa.Schema]:
        """The columns of each part of the answer, from a shard without rows."""
        nothing = {name: schema.empty_table() for name, schema in self.schemas.items()}
        return {part: table.schema for part, table in self.parts(self.rate_shard(nothing, 0), nothing, 0).items()}


def _firsts(ids: pa.Array) -> Int64s:
    """Where each id appears first."""
    places = ids.dictionary_encode().indices.to_numpy()
    firsts = np.zeros(int(places.max()) + 1 if len(places) else 0, dtype=np.int64)
    firsts[places[::-1]] = np.arange(len(places))[::-1]
    return firsts


def row_number(row: pa.ChunkedArray) -> pa.ChunkedArray:
    """The number of a row, counted from 1; null where Spark knows only an order, which is below zero."""
    return pc.if_else(pc.less(row, 0), None, pc.add(row, 1))


def summary_of(shards: Iterable[pa.Table]) -> PeriodSummary:
    """The summary that those of all shards add up to, with reasons in their order."""
    first, *others = (PeriodSummary(**json.loads(one)) for table in shards for one in table.column(SUMMARY).to_pylist())
    total = first
    for one in others:
        total = total.added(one)
    return replace(
        total,
        not_rated={why: total.not_rated[why] for why in WHY_NOT if why in total.not_rated},
        reasons={reason: total.reasons[reason] for reason in REASONS if reason in total.reasons},
    )
