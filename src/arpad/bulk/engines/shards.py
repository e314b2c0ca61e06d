"""A period too large for one memory, in shards: some of the players each, with all their games.

Rows travel to their shard in packets: the rows of one table for one shard, as Arrow's bytes. A shuffle moves a packet
as one value, whatever columns are in it; a game goes into the packets of White's shard and of Black's.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.fide.kernel import WHY_NOT
from arpad.bulk.fide.period import rate_tables, rules_applied, sums_suffice
from arpad.bulk.methods import Method
from arpad.bulk.periods import rate_by_method
from arpad.bulk.request import Inputs
from arpad.bulk.results import REASONS, PeriodSummary
from arpad.bulk.tables.columns import GAMES, IDS, as_array, begins, coded, together, without_dictionaries
from arpad.bulk.tables.files import Input
from arpad.bulk.tables.ids import MIX, NOWHERE, Index, as_numbers, as_type, same_type
from arpad.bulk.tables.players import NOT_BORN, read_list, read_players, unborn
from arpad.bulk.tables.rejects import Rejects
from arpad.bulk.tally import ForecastTally, with_chances
from arpad.errors import Unsupported
from arpad.messages import say
from arpad.systems import system as system_named
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from arpad.bulk.request import Request
    from arpad.bulk.results import BulkRating
    from arpad.bulk.tables.columns import Bools, Int64s, Ints
    from arpad.bulk.tally import Forecast
    from arpad.rulebooks import Rule
    from arpad.systems.base import System

    AtHome = dict[str, Bools]  # by side: whether the player of each game belongs to the shard


# Where a row came from, the number of its file and its place there; a shard has its rows in this order.
FILE, ROW = PLACE = ("_file", "_row")
SIDES = ("white", "black")
LISTED = "listed"  # white_listed_rating is what the list says of White
SUMMARY, TALLY = "summary", "tally"
SUMS = "sums"  # what the games of busy players add up to
PACKET = pa.schema([("home", pa.int32()), ("part", pa.string()), ("rows", pa.binary())])
SORTED_ROWS = 1 << 20  # the most rows that are sorted into packets at a time, which take some 100 MB
PACKET_ROWS = 1 << 12  # of a packet, about, while there are not too many shards: fewer would be mostly headers
MOST_ROWS = 1 << 18  # of a packet: its bytes stay far below the 2 GB that a value may have
COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4")  # Java copies the bytes many times
NamedTables = dict[str, pa.Table]


def check_in_parts(system: System | Method, at: str) -> None:
    """Refuse a system in which each game goes by the one before it: a shard lacks the games in between."""
    if isinstance(system, Method) and system.in_order:
        raise Unsupported(say("bulk.error.in_order", system=system.name), at=at)


@dataclass(frozen=True, slots=True)
class Shards:
    """What all shards of a period share: what is asked, where players are at home, and the columns of their tables."""

    asked: Request
    homes: Homes
    schemas: dict[str, pa.Schema]
    files: Mapping[str, Sequence[str | None]]  # the names of each table's files, by their numbers

    @property
    def ids(self) -> pa.DataType:
        """The type of the players' ids: a shard may have only numbers where the list, or a newcomer, has a text."""
        types = [self.schemas["players"].field("id").type]
        if isinstance(self.asked.system, Method) and "games" in self.schemas:  # its list includes everyone who plays
            types += [self.schemas["games"].field(side).type for side in SIDES]
        return pa.int64() if all(map(pa.types.is_integer, types)) else pa.string()

    @property
    def of_opponents(self) -> tuple[str, ...]:
        """What a game needs to know of the opponent."""
        system = self.asked.system
        return system.of_opponents if isinstance(system, Method) else ("rating",)

    @property
    def known_columns(self) -> pa.Schema:
        """The columns of what is known of opponents."""
        return self.opponents(self.schemas["players"].empty_table()).schema

    def with_games(self, columns: pa.Schema) -> Shards:
        """The same, once the games have what the list says of both players."""
        return replace(self, schemas={**self.schemas, "games": columns})

    def known(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From the list in packets: what its players' opponents need to know."""
        for tables in unpacked(batches).values():
            yield from self.opponents(tables["players"]).to_batches()

    def opponents(self, listed: pa.Table) -> pa.Table:
        """What of the players on a list must be known where they are met."""
        players = Input(None, listed.drop_columns(PLACE))
        if isinstance(self.asked.system, Method):
            listed = read_list([players], {}, self.of_opponents, Rejects())
            return listed.set_column(0, "id", listed.column("id").cast(self.ids))
        read = read_players([players], {}, Rejects())
        rating = np.where(unborn(read, self.asked.on), NOT_BORN, read.used)
        return pa.table({"id": read.ids.cast(self.ids), "rating": pa.array(rating, pa.int16())})

    def sums_suffice(self, columns: Sequence[str]) -> bool:
        """Whether a player can be rated by what games with these columns add up to, wherever those games are."""
        asked, system = self.asked, self.asked.system
        return system.by_sums is not None if isinstance(system, Method) else sums_suffice(asked, system, columns)

    def rated_on(self, listed: pa.Table) -> pa.Array:
        """The ids of those who have a rating on a list; on FIDE's, one that is not below the floor.

        Who falls out below it depends on unrated games too, which sums do not show.
        """
        system, known = self.asked.system, self.opponents(listed)
        lowest = 0 if isinstance(system, Method) else system.rulebook.of(FideRules).at(self.asked.on).floor.value
        return as_numbers(known.filter(pc.greater_equal(known.column("rating"), lowest)).column("id").combine_chunks())

    def rate(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """From all tables in packets: the parts of the answer in packets."""
        for home, tables in unpacked(batches).items():
            yield packets(Packet(home, part, table) for part, table in self._answer(tables, home).items())

    def rate_busy(self, batches: Iterable[pa.RecordBatch], sums: Sequence[pa.Table]) -> pa.RecordBatch:
        """From the rows of busy players in packets, and the sums of their games in all shards: parts of the answer."""
        (tables,) = unpacked(batches).values()
        id, *names = sums[0].schema.names
        together = pa.concat_tables(sums).group_by(id).aggregate([(name, "sum") for name in names])
        parts = self._answer(tables, self.homes.shards, together.rename_columns([id, *names]))
        return packets(Packet(self.homes.shards, part, table) for part, table in parts.items())

    def rules(self, summary: PeriodSummary) -> tuple[Rule[object], ...]:
        """The rules that the whole period went by."""
        system = self.asked.system
        if isinstance(system, Method):
            return system.rules
        return rules_applied(system.rulebook.of(FideRules).at(self.asked.on), converted=summary.converted > 0)

    def answers(self) -> dict[str, pa.Schema]:
        """The columns of each part of the answer, from a shard without rows."""
        return {part: table.schema for part, table in self._answer({}, 0).items()}

    def _answer(self, tables: NamedTables, home: int, sums: pa.Table | None = None) -> NamedTables:
        """A shard's parts of the answer: it is rated as a small period."""
        given = {name: tables.get(name, schema.empty_table()) for name, schema in self.schemas.items()}
        games = given["games"]
        here = {side: self.homes.of(games.column(side).combine_chunks()) == home for side in SIDES}
        asked = replace(self.asked, columns={"games": {}, "players": {}})
        inputs = Inputs(
            [Input(None, games.select([name for name in GAMES if name in games.schema.names]))],
            [Input(None, given["players"].drop_columns(PLACE))],
            [Input(None, given["pool"].drop_columns(PLACE))] if "pool" in given else [],
            self._guests(games, here),
            self.homes.busy,
            sums,
        )
        if isinstance(asked.system, Method):
            rated = rate_by_method(asked, asked.system, inputs)
        else:
            rated = rate_tables(asked, asked.system, inputs)
        return self._parts(rated, given, here)

    def _guests(self, games: pa.Table, here: AtHome) -> pa.Table:
        """The opponents of the shard's own players who belong to other shards, each once."""
        away = {side: games.filter(pa.array(~here[side])) for side in SIDES}
        columns = {"id": [*same_type([away[side].column(side).combine_chunks() for side in SIDES])]} | {
            name: [away[side].column(f"{side}_{LISTED}_{name}").combine_chunks() for side in SIDES]
            for name in self.of_opponents
        }
        met = pa.table({name: pa.concat_arrays(sides) for name, sides in columns.items()})
        # Who is not on FIDE's list is not known; in other systems that is a newcomer.
        known = "id" if isinstance(self.asked.system, Method) else "rating"
        if met.column(known).null_count:
            met = met.filter(met.column(known).is_valid())
        ids = met.column("id").combine_chunks()
        numbers = (ids if pa.types.is_integer(ids.type) else ids.dictionary_encode().indices).to_numpy()
        order = np.argsort(numbers)
        # No matter which row of a player: the list says the same every time.
        return met.take(pa.array(order[begins(numbers[order])]))

    def _parts(self, rated: BulkRating, given: NamedTables, here: AtHome) -> NamedTables:
        """A shard's share of every table of the answer, and of the summary."""
        games = given["games"]
        counted = here["white"] | self.homes.is_busy(games.column("white").combine_chunks())
        rejected = self._rejected(rated.rejected, given, counted)
        reasons = rejected.column("reason").to_pylist()
        summary = replace(
            rated.summary,
            games=int(counted.sum()),
            rejected=len(reasons),
            reasons={reason: reasons.count(reason) for reason in REASONS if reason in reasons},
        )
        parts = {
            "players": self._with_ids(rated.players, ("id",)),
            "pool": self._with_ids(rated.pool, ("player",)),
            "rejected": rejected,
            SUMMARY: pa.table({SUMMARY: [json.dumps(dict(summary))], TALLY: [self._tally(rated.forecast)]}),
        }
        if rated.sums is not None:
            parts[SUMS] = self._with_ids(rated.sums, ("id",))
        return parts if rated.games is None else parts | self._detail(rated.games, games, here)

    def _tally(self, seen: Forecast | None) -> str | None:
        """What the shard's predictions add up to, if it made any; a game is predicted where it is counted."""
        if seen is None:
            return None
        system = self.asked.system
        by, day = (system_named(system.name), system.on) if isinstance(system, Method) else (system, self.asked.on)
        if self.asked.draws is not None:
            seen = with_chances(seen, self.asked.draws, by, day)
        return json.dumps(ForecastTally.of(seen).to_dict())

    def _rejected(self, rejected: pa.Table, given: NamedTables, counted: Bools) -> pa.Table:
        """The rejected rows with their places; a game is reported where it is counted."""
        reported = [rejected.slice(0, 0)]
        for name, table in given.items():
            rows = rejected.filter(pc.equal(rejected.column("table"), name))
            if rows.num_rows:
                places = pc.subtract(rows.column("row"), 1)
                at = table.take(places)
                rows = rows.set_column(1, "file", self._names(name, at)).set_column(2, "row", row_number(at[ROW]))
                reported.append(rows.filter(pa.array(counted).take(places)) if name == "games" else rows)
        return pa.concat_tables(reported)

    def _names(self, table: str, at: pa.Table) -> pa.ChunkedArray:
        """The names of the files that rows of a table came from."""
        return pa.chunked_array([pa.array(self.files[table], pa.string()).take(at[FILE].combine_chunks())])

    def _detail(self, detail: pa.Table, games: pa.Table, here: AtHome) -> NamedTables:
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


def summary_of(shards: Iterable[pa.Table]) -> PeriodSummary:
    """The summary that those of all shards add up to, with reasons in their order."""
    texts = [text for table in shards for text in table.column(SUMMARY).to_pylist()]
    total = reduce(PeriodSummary.added, (PeriodSummary(**json.loads(text)) for text in texts))
    return replace(
        total,
        not_rated={why: total.not_rated[why] for why in WHY_NOT if why in total.not_rated},
        reasons={reason: total.reasons[reason] for reason in REASONS if reason in total.reasons},
    )


def tally_of(shards: Iterable[pa.Table]) -> ForecastTally | None:
    """The tally that those of all shards add up to; None where nothing is predicted."""
    texts = [text for table in shards for text in table.column(TALLY).to_pylist() if text is not None]
    return reduce(ForecastTally.added, (ForecastTally.from_dict(json.loads(text)) for text in texts)) if texts else None


def row_number(row: pa.ChunkedArray) -> pa.ChunkedArray:
    """The number of a row, counted from 1; null where Spark knows only an order, which is below zero."""
    return pc.if_else(pc.less(row, 0), None, pc.add(row, 1))


class ListedOpponents:
    """What the list says of the players, to be joined with their games."""

    def __init__(self, known: pa.Table) -> None:
        self._known = known.combine_chunks()  # once for all blocks of games
        self._index = Index(as_numbers(self._known.column("id").combine_chunks()))

    def joined(self, games: pa.RecordBatch) -> pa.RecordBatch:
        """Games with what the list says of both players."""
        for side in SIDES:
            places = self._index.places(games.column(side))
            at = pa.array(places, mask=places == NOWHERE)
            for name in self._known.schema.names[1:]:
                column = self._known.column(name).combine_chunks().take(at)
                games = games.append_column(f"{side}_{LISTED}_{name}", column)
        return games


@dataclass(frozen=True, slots=True)
class Homes:
    """Where players are at home: in a shard; those with too many games for one share the number after the last.

    The games of such a busy player go only to the opponents' shards, which add up what they give the player.
    """

    shards: int
    busy: pa.Array | None = None  # ids

    @property
    def count(self) -> int:
        """How many homes there are."""
        return self.shards + (self.busy is not None)

    def is_busy(self, ids: pa.Array) -> Bools:
        """Which players are busy."""
        if self.busy is None:
            return np.zeros(len(ids), bool)
        return as_array(pc.is_in(as_type(ids, self.busy.type), value_set=self.busy, skip_nulls=True))

    def of(self, ids: pa.Array) -> Ints:
        """The home of each player."""
        homes = homes_of(ids, self.shards)
        return homes if self.busy is None else np.where(self.is_busy(ids), homes.dtype.type(self.shards), homes)

    def of_rows(self, table: pa.Table, part: str) -> list[Ints]:
        """Where the rows of a table go: to their player, or to both players of a game."""
        ids = [table.column(name).combine_chunks() for name in IDS[part]]
        homes = [self.of(column) for column in ids]
        if len(ids) == 1 or self.busy is None:
            return homes
        white, black = homes
        # If White is busy, to Black's home; if both are, to the shard that White would have had.
        first = np.where(
            white < self.shards, white, np.where(black < self.shards, black, homes_of(ids[0], self.shards))
        )
        return [first, np.where(black < self.shards, black, first)]


def homes_of(ids: pa.Array, shards: int) -> Ints:
    """The shard of each player: alike for a number and for a text that is one."""
    numbers = as_type(ids, pa.int64())
    mixed = numbers.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False).view(np.uint64) * MIX
    # By the remainder: a shard whose ids shared their first bits would crowd one corner of the hash table in `Index`.
    homes = (mixed >> np.uint64(32)) % np.uint64(shards)
    if numbers.null_count:
        words = coded(ids.cast(pa.string()), lambda word: zlib.crc32(word.encode()) % shards, np.uint64, 0)
        homes = np.where(np.asarray(numbers.is_null()), words, homes)
    narrow: Ints = homes.astype(np.min_scalar_type(shards))  # which is sorted in one pass
    return narrow


class Packet(NamedTuple):
    """Rows of one table for one shard."""

    home: int
    part: str
    rows: pa.Table


def packed(batches: Iterable[pa.RecordBatch], part: str, homes: Homes) -> Iterator[pa.RecordBatch]:
    """A table in packets, those of one home in the order of their rows."""
    for table in _gathered(batches, min(SORTED_ROWS, PACKET_ROWS * homes.count)):
        where, rows = _by_home(*homes.of_rows(table, part))
        ordered = table.take(pa.array(rows))
        ends = np.flatnonzero(np.append(where[1:] != where[:-1], True)) + 1  # the last row ends one
        begin = 0
        for end in ends.tolist():
            yield packets([Packet(int(where[begin]), part, ordered.slice(begin, end - begin))])
            begin = end


def _gathered(batches: Iterable[pa.RecordBatch], enough: int) -> Iterator[pa.Table]:
    """Batches put together until they have enough rows."""
    waiting: list[pa.Table] = []
    rows = 0
    for batch in batches:
        waiting.append(pa.Table.from_batches([batch]))
        rows += batch.num_rows
        if rows >= enough:
            yield together(waiting).combine_chunks()
            waiting, rows = [], 0
    if rows:
        yield together(waiting).combine_chunks()


def _by_home(first: Ints, second: Ints | None = None) -> tuple[Ints, Int64s]:
    """The shards of rows, sorted, and the row each stands for; a row with two shards appears twice."""
    rows = np.arange(len(first))
    if second is None:
        homes = first
    else:
        once = np.stack([np.ones(len(first), bool), first != second], axis=1).ravel()
        homes, rows = np.stack([first, second], axis=1).ravel()[once], np.repeat(rows, 2)[once]
    order = np.argsort(homes, kind="stable")
    return homes[order], rows[order]


def packets(given: Iterable[Packet]) -> pa.RecordBatch:
    """Packets as Spark moves them; long ones in pieces. Their bytes are written once, one after the other."""
    homes, parts, ends = [], [], [0]
    sink = pa.BufferOutputStream()
    for packet in given:
        for begin in range(0, max(1, packet.rows.num_rows), MOST_ROWS):
            homes.append(packet.home)
            parts.append(packet.part)
            with pa.ipc.new_stream(sink, packet.rows.schema, options=COMPRESSED) as stream:
                stream.write_table(packet.rows.slice(begin, MOST_ROWS))
            ends.append(sink.tell())
    rows = [None, pa.py_buffer(np.array(ends, np.int32)), sink.getvalue()]
    return pa.RecordBatch.from_arrays(
        [
            pa.array(homes, PACKET.types[0]),
            pa.array(parts, PACKET.types[1]),
            pa.Array.from_buffers(PACKET.types[2], len(homes), rows),
        ],
        schema=PACKET,
    )


def unpacked(batches: Iterable[pa.RecordBatch]) -> dict[int, dict[str, pa.Table]]:
    """The tables in packets by shard, with their rows in order."""
    found: dict[int, dict[str, list[pa.Table]]] = defaultdict(lambda: defaultdict(list))
    for batch in batches:
        homes, parts, rows = batch.columns
        for home, part, packet in zip(homes.to_pylist(), parts.to_pylist(), rows, strict=True):
            found[home][part].append(table_of(packet))
    return {home: {part: _in_order(tables) for part, tables in here.items()} for home, here in found.items()}


def _in_order(tables: list[pa.Table]) -> pa.Table:
    """The rows of packets by their places; packets mostly follow one another, so there is little to sort."""
    filled = [table for table in tables if table.num_rows]
    filled.sort(key=lambda table: [table.column(name)[0].as_py() for name in PLACE])
    table = together(filled or tables[:1]).combine_chunks()
    files, rows = (table.column(name).to_numpy() for name in PLACE)
    later = (files[1:] > files[:-1]) | ((files[1:] == files[:-1]) & (rows[1:] >= rows[:-1]))
    return table if later.all() else table.take(pa.array(np.lexsort((rows, files))))


def table_of(rows: pa.BinaryScalar) -> pa.Table:
    """The rows of one packet."""
    with pa.ipc.open_stream(rows.as_buffer()) as stream:
        return stream.read_all()
