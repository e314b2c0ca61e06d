"""The columns of bulk tables: the names they have in files, their values as arrays, and arrays as columns to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import say
from arpad.reading import parse_date, parse_pace
from arpad.reading.results import score_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from arpad.core import Pace


Column = NDArray[Any]  # of any type; one-dimensional, as all of these unless a docstring says otherwise
Ints = NDArray[np.integer[Any]]  # of any width
Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

UNKNOWN, BAD = -1, -2  # null, and a value that cannot be read
NO_DAY, BAD_DAY = -(1 << 31), 1 - (1 << 31)  # the same for days, which are below zero before 1970
EPOCH = date.fromisoformat("1970-01-01")  # Arrow counts days from here
UNPLAYED = 4  # added to the half points of a game that was not played
NO_WORD = ("", "unrated", "nan", "none", "null")
FORFEITED = {
    **dict.fromkeys(("+", "+-", "+/-", "+--", "1-0f"), 2),
    **dict.fromkeys(("-", "−", "-+", "-/+", "--+", "0-1f", "--", "-/-", "---"), 0),
}  # White's half points
DENSE = 1 << 24  # sets of facts: up to this many, a table with a cell for each is faster than sorting
DECIMALS = pa.decimal128(9, 2)

# The columns of each table, and the other names by which a file may call them.
GAMES: Mapping[str, tuple[str, ...]] = {
    "white": ("white_id", "white_fide_id", "whitefideid", "whiteid", "white_player", "whiteplayer", "white player #"),
    "black": ("black_id", "black_fide_id", "blackfideid", "blackid", "black_player", "blackplayer", "black player #"),
    "result": ("score", "white_score", "whitescore", "outcome"),
    "date": ("day", "played_on", "game_date"),
    "period": ("rating_period", "month", "monthid", "month #"),
    "start": ("event_start", "event_date", "eventdate", "start_date"),
    "event": ("event_id", "tournament", "tournament_id", "event_code"),
    "round": ("rd", "round_no", "game_id"),
    "time": ("time_control", "timecontrol", "pace"),
    "how": ("termination",),
    "approved": ("qc_approved",),
    "highest": ("tournament_highest",),
    "white_rating": ("white_elo", "whiteelo"),
    "black_rating": ("black_elo", "blackelo"),
}
PLAYERS: Mapping[str, tuple[str, ...]] = {
    "id": ("player", "player_id", "fide_id", "fideid", "id_number"),
    "rating": ("elo", "rtng"),
    "k": ("k_by_hand",),
    "born": ("birth_year", "year_of_birth", "birthday", "b-day", "birth"),
    "games": ("games_before", "games_completed"),
    "peak": ("highest", "highest_rating"),
    "standard": ("standard_rating", "srtng"),
    "base": ("corrected",),
}
POOL: Mapping[str, tuple[str, ...]] = {
    "player": (), "event": (), "start": (), "opponent": (), "half_points": (), "minutes": (), "highest": (),
}  # fmt: skip
NEEDED = {
    "games": ("white", "black", "result"),
    "players": ("id", "rating"),
    "pool": ("player", "opponent", "half_points"),
}
IDS = {"games": ("white", "black"), "players": ("id",), "pool": ("player",)}  # the columns with players
COLUMNS = {"games": GAMES, "players": PLAYERS, "pool": POOL}
# The columns that the next list adds; in an input they are ignored.
ADDED = ("before", "change", "rated", "k_used", "k_next", "flags")


def recognise(table: str, names: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """The name in the file of each column of the layout that the file has; `columns` gives unusual names."""
    lower = {name.strip().lower(): name for name in reversed(names)}
    found = {}
    for column, others in COLUMNS[table].items():
        if column in columns:
            if columns[column] not in names:
                raise UnknownName(f"{table}_column", columns[column], known=names, at=f"columns, {column}")
            found[column] = columns[column]
        else:
            name = next((lower[known_as] for known_as in (column, *others) if known_as in lower), None)
            if name is not None:
                found[column] = name
    missing = [column for column in NEEDED[table] if column not in found]
    if missing:
        said = say(f"bulk.table.{table}")
        lacks = say("bulk.file.columns", table=said, missing=missing, names=", ".join(names), first=missing[0])
        raise BadInput(lacks, at=table)
    return found


def of_table(table: str, columns: Mapping[str, str]) -> dict[str, str]:
    """The part of a mapping of columns that belongs to one table."""
    known = {name for names in COLUMNS.values() for name in names}
    for column in columns:
        if column not in known:
            raise UnknownName("column", column, known=known, at="columns")
    return {column: name for column, name in columns.items() if column in COLUMNS[table]}


def whole_numbers(column: pa.Array) -> Int64s:
    """Whole numbers from 0 upwards, UNKNOWN for null, BAD for anything else."""
    if pa.types.is_integer(column.type):
        numbers = as_array(column.cast(pa.int64()).fill_null(UNKNOWN))
        given = np.asarray(column.is_valid()) if column.null_count else True
        return np.where((numbers < 0) & given, BAD, numbers)
    return coded(column, _whole_number)


def _whole_number(word: str) -> int:
    if word.lower() in NO_WORD:
        return UNKNOWN
    return int(word.partition(".")[0]) if re.fullmatch(r"\d{1,9}(\.0*)?", word) else BAD


def results(column: pa.Array) -> Int8s:
    """White's half points, with UNPLAYED added for a forfeit; UNKNOWN for null, BAD for anything else."""
    if not pa.types.is_floating(column.type) or column.null_count:
        return coded(column, half_points, np.int8)
    twice = 2 * as_array(column)
    points: Int8s = np.clip(np.nan_to_num(twice, nan=BAD), BAD, UNPLAYED).astype(np.int8)
    points[(points != twice) | (points > 2)] = BAD
    return points


def half_points(word: str) -> int:
    """White's half points for a word, with UNPLAYED added for a forfeit; BAD if it is not a result."""
    word = word.lower().replace(" ", "").replace(":", "-")
    if word in FORFEITED:
        return FORFEITED[word] + UNPLAYED
    score = score_of(word)
    return BAD if score is None else int(2 * score)


def unplayed(word: str) -> int:
    """0 for a played game, 1 for a forfeit or a bye, BAD for anything else."""
    return {"": 0, "played": 0, "normal": 0, "forfeit": 1, "bye": 1}.get(word.lower(), BAD)


def yes_or_no(word: str) -> int:
    """0 for no, 1 for yes, BAD for anything else."""
    return {"": 0, "0": 0, "no": 0, "false": 0, "1": 1, "yes": 1, "true": 1}.get(word.lower(), BAD)


def days(column: pa.Array) -> Int32s:
    """Days as Arrow counts them; NO_DAY for null, BAD_DAY for anything that is not a day."""
    if pa.types.is_timestamp(column.type) or pa.types.is_date64(column.type):
        column = column.cast(pa.date32(), safe=False)
    if pa.types.is_date32(column.type):
        found = column.cast(pa.int32())
        return as_array(found.fill_null(NO_DAY) if found.null_count else found)
    return coded(column, _day, np.int32, NO_DAY)


def _day(word: str) -> int:
    """A day in the usual forms, in `2026.11.15` and `2026/11/15`, and with a time of day after it."""
    if not word:
        return NO_DAY
    alone = re.split("[ T]", word)[0]
    try:
        return days_of(parse_date(alone.replace(".", "-").replace("/", "-") if alone[:4].isdigit() else alone))
    except ArpadError:
        return BAD_DAY


def days_of(day: date) -> int:
    """A day as Arrow counts them."""
    return (day - EPOCH).days


def day_of(days: int) -> date:
    """A day from Arrow's count."""
    return EPOCH + timedelta(days=int(days))


def is_day(days: Ints) -> Bools:
    """Which of them are days."""
    return days > BAD_DAY


def hundredths_of_minutes(word: str) -> int:
    """The minutes for 60 moves of a time control, in hundredths."""
    if not word:
        return UNKNOWN
    try:
        return hundredths_of(parse_pace(word))
    except ArpadError:
        return BAD


def hundredths_of(pace: Pace) -> int:
    """The minutes for 60 moves, in hundredths."""
    exact = 100 * pace.total
    return int(exact) if exact == int(exact) else BAD


def coded(column: pa.Array, read: Callable[[str], int], kind: DTypeLike = np.int64, unknown: int = UNKNOWN) -> Column:
    """A column of few distinct values, each read once; null is unknown."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    words = [None if word is None else str(word).strip() for word in column.dictionary.to_pylist()]
    values: Column = np.array([*(unknown if word is None else read(word) for word in words), unknown], dtype=kind)
    places = column.indices
    chosen: Column = values[as_array(places.fill_null(len(words)) if places.null_count else places)]
    return chosen


class Words:
    """Words of many blocks as numbers: a whole number is itself, any other word a number below UNKNOWN."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._last: tuple[pa.Array, Int64s] | None = None

    def numbers(self, column: pa.Array) -> Int64s:
        """The number of each word; UNKNOWN for null."""
        if pa.types.is_signed_integer(column.type):
            return as_array(column.fill_null(UNKNOWN) if column.null_count else column)
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        if self._last is None or not self._last[0].equals(column.dictionary):
            words = [self._number(str(word).strip()) for word in column.dictionary.to_pylist()]
            self._last = column.dictionary, np.array([*words, UNKNOWN], dtype=np.int64)
        numbers = self._last[1]
        places = column.indices.fill_null(len(numbers) - 1)
        chosen: Int64s = numbers[as_array(places)]
        return chosen

    def _number(self, word: str) -> int:
        if re.fullmatch(r"0|[1-9]\d{0,17}", word):
            return int(word)
        return BAD - self._places.setdefault(word, len(self._places))

    def words(self, numbers: Ints) -> pa.Array:
        """The words behind numbers."""
        known = list(self._places)
        found = [
            None if number == UNKNOWN else str(number) if number >= 0 else known[BAD - number]
            for number in numbers.tolist()
        ]
        return pa.array(found, pa.string())


def as_array(column: pa.Array) -> Column:
    """A column without nulls as an array."""
    array: Column = column.to_numpy(zero_copy_only=False)
    return array


def texts(column: pa.Array) -> pa.Array:
    """A column as text."""
    return pc.cast(column.dictionary_decode() if pa.types.is_dictionary(column.type) else column, pa.string())


def together(parts: Sequence[pa.Table]) -> pa.Table:
    """Tables with any columns as one: a column is null where a table lacks it, and its type is one that fits all."""
    schema = common_schema([part.schema for part in parts])

    def fitted(table: pa.Table) -> pa.Table:
        if table.schema.equals(schema):
            return table
        columns = {}
        for name, kind in zip(schema.names, schema.types, strict=True):
            there = name in table.schema.names
            column = table.column(name).combine_chunks() if there else pa.nulls(table.num_rows, kind)
            columns[name] = texts(column) if kind == pa.string() else column.cast(kind)
        return pa.table(columns)

    return pa.concat_tables([fitted(part) for part in parts])


def common_schema(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """The columns of several tables: whole numbers, numbers or texts where their types differ."""
    if all(schema.equals(schemas[0]) for schema in schemas):
        return schemas[0]
    kinds: dict[str, list[pa.DataType]] = {}
    for schema in schemas:
        for name, kind in zip(schema.names, schema.types, strict=True):
            kinds.setdefault(name, []).append(kind)
    return pa.schema([(name, _common_type(of_column)) for name, of_column in kinds.items()])


def _common_type(kinds: list[pa.DataType]) -> pa.DataType:
    known = {kind for kind in kinds if not pa.types.is_null(kind)} or {*kinds}
    if len(known) == 1:
        return known.pop()
    if all(map(pa.types.is_integer, known)):
        return pa.int64()
    numeric = all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in known)
    return pa.float64() if numeric else pa.string()


def asked_once(rule: Callable[..., int], *facts: Ints) -> Int64s:
    """What a rule says about each row, asked once for each distinct set of facts; no fact may be below 0."""
    if not len(facts[0]):
        return np.zeros(0, dtype=np.int64)
    shape = tuple(int(fact.max()) + 1 for fact in facts)
    codes = facts[0].astype(np.int64)
    for fact, width in zip(facts[1:], shape[1:], strict=True):
        codes = codes * width + fact
    size = int(np.prod(shape, dtype=object))

    def said(distinct: Ints) -> list[int]:
        return [rule(*row) for row in zip(*(fact.tolist() for fact in np.unravel_index(distinct, shape)), strict=True)]

    if size > DENSE:
        distinct, places = np.unique(codes, return_inverse=True)
        return np.array(said(distinct), dtype=np.int64)[places]
    seen = np.zeros(size, dtype=bool)
    seen[codes] = True
    table = np.zeros(size, dtype=np.int64)
    table[seen] = said(np.flatnonzero(seen))
    return table[codes]


def begins(*columns: Ints) -> Int64s:
    """The places where a new set of values begins in sorted columns."""
    new = np.ones(len(columns[0]), dtype=bool)
    new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return np.flatnonzero(new)


def numbers(values: Ints, kind: pa.DataType, unknown: Bools | None = None) -> pa.Array:
    """Whole numbers, null where they are unknown: as `unknown` says, or else below zero."""
    return pa.array(values, mask=values < 0 if unknown is None else unknown).cast(kind)


def hundredths(values: Ints, unknown: Bools) -> pa.Array:
    """Hundredths as exact decimals; null where they are unknown."""
    wide = np.empty((len(values), 2), dtype=np.int64)  # a decimal is a number of 128 bits
    wide[:, 0], wide[:, 1] = values, values >> 63
    there = pa.array(~unknown)
    return pa.Array.from_buffers(DECIMALS, len(values), [there.buffers()[1], pa.py_buffer(wide)])


def flags(bits: Ints, names: Sequence[str]) -> pa.Array:
    """Flags as words separated by spaces; each combination is stored only once."""
    combinations = range(1 << len(names))
    words = [" ".join(name for place, name in enumerate(names) if which >> place & 1) for which in combinations]
    return pa.DictionaryArray.from_arrays(pa.array(bits, pa.int8()), pa.array(words))


def words_of(codes: Ints, names: Sequence[str]) -> pa.Array:
    """Words by their codes."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(names))


def without_dictionaries(table: pa.Table) -> pa.Table:
    """A table with plain columns instead of dictionaries, which only Parquet supports."""
    kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema([field.with_type(kind) for field, kind in zip(table.schema, kinds, strict=True)]))
