"""Columns of any type as arrays: whole numbers, days, and words with few distinct values."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.errors import ArpadError
from arpad.reading import parse_date, parse_pace
from arpad.reading.results import score_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import DTypeLike, NDArray

    from arpad.bulk.arrays import Bools, Int8s, Int32s, Int64s, Ints
    from arpad.core import Pace

UNKNOWN, BAD = -1, -2  # null, and a value that cannot be read
NO_DAY, BAD_DAY = -(1 << 31), 1 - (1 << 31)  # the same for days, which are below zero before 1970
EPOCH = date.fromisoformat("1970-01-01")  # Arrow counts days from here
UNPLAYED = 4  # added to the half points of a game that was not played
NO_WORD = ("", "unrated", "nan", "none", "null")


def as_array(column: pa.Array) -> NDArray[Any]:
    """A column without nulls as an array."""
    array: NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return array


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


def coded(
    column: pa.Array, read: Callable[[str], int], kind: DTypeLike = np.int64, unknown: int = UNKNOWN
) -> NDArray[Any]:
    """A column of few distinct values, each read once; null is unknown."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    words = [None if word is None else str(word).strip() for word in column.dictionary.to_pylist()]
    values: NDArray[Any] = np.array([*(unknown if word is None else read(word) for word in words), unknown], dtype=kind)
    places = column.indices
    chosen: NDArray[Any] = values[as_array(places.fill_null(len(words)) if places.null_count else places)]
    return chosen


def days_of(day: date) -> int:
    """A day as Arrow counts them."""
    return (day - EPOCH).days


def day_of(days: int) -> date:
    """A day from Arrow's count."""
    return EPOCH + timedelta(days=int(days))


def days(column: pa.Array) -> Int32s:
    """Days as Arrow counts them; NO_DAY for null, BAD_DAY for anything that is not a day."""
    if pa.types.is_timestamp(column.type) or pa.types.is_date64(column.type):
        column = column.cast(pa.date32(), safe=False)
    if pa.types.is_date32(column.type):
        found = column.cast(pa.int32())
        return as_array(found.fill_null(NO_DAY) if found.null_count else found)
    return coded(column, _day, np.int32, NO_DAY)


def is_day(days: Ints) -> Bools:
    """Which of them are days."""
    return days > BAD_DAY


def _day(word: str) -> int:
    """A day in the usual forms, in `2026.11.15` and `2026/11/15`, and with a time of day after it."""
    if not word:
        return NO_DAY
    alone = re.split("[ T]", word)[0]
    try:
        return days_of(parse_date(alone.replace(".", "-").replace("/", "-") if alone[:4].isdigit() else alone))
    except ArpadError:
        return BAD_DAY


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


FORFEITED = {"+": 2, "+-": 2, "+/-": 2, "+--": 2, "1-0f": 2}
FORFEITED |= {"-": 0, "−": 0, "-+": 0, "-/+": 0, "--+": 0, "0-1f": 0, "--": 0, "-/-": 0, "---": 0}


def unplayed(word: str) -> int:
    """0 for a played game, 1 for a forfeit or a bye, BAD for anything else."""
    return {"": 0, "played": 0, "normal": 0, "forfeit": 1, "bye": 1}.get(word.lower(), BAD)


def yes_or_no(word: str) -> int:
    """0 for no, 1 for yes, BAD for anything else."""
    return {"": 0, "0": 0, "no": 0, "false": 0, "1": 1, "yes": 1, "true": 1}.get(word.lower(), BAD)


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


def texts(column: pa.Array) -> pa.Array:
    """A column as text."""
    return pc.cast(column.dictionary_decode() if pa.types.is_dictionary(column.type) else column, pa.string())


def together(parts: Sequence[pa.Table]) -> pa.Table:
    """Tables with any columns as one: a column is null where a table lacks it, and its type is one that fits all."""
    schema = common_schema([part.schema for part in parts])
    return pa.concat_tables([_in_schema(part, schema) for part in parts])


def common_schema(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """The columns of several tables: whole numbers, numbers or texts where their types differ."""
    if all(schema.equals(schemas[0]) for schema in schemas):
        return schemas[0]
    kinds: dict[str, list[pa.DataType]] = {}
    for schema in schemas:
        for name, kind in zip(schema.names, schema.types, strict=True):
            kinds.setdefault(name, []).append(kind)
    return pa.schema([(name, _common_type(of_one)) for name, of_one in kinds.items()])


def _common_type(kinds: list[pa.DataType]) -> pa.DataType:
    known = {kind for kind in kinds if not pa.types.is_null(kind)} or {*kinds}
    if len(known) == 1:
        return known.pop()
    if all(map(pa.types.is_integer, known)):
        return pa.int64()
    return (
        pa.float64() if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in known) else pa.string()
    )


def _in_schema(table: pa.Table, schema: pa.Schema) -> pa.Table:
    if table.schema.equals(schema):
        return table
    columns = {}
    for name, kind in zip(schema.names, schema.types, strict=True):
        there = name in table.schema.names
        column = table.column(name).combine_chunks() if there else pa.nulls(table.num_rows, kind)
        columns[name] = texts(column) if kind == pa.string() else column.cast(kind)
    return pa.table(columns)
