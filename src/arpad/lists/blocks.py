"""What every reader gives, whatever the file: blocks of players as Arrow batches, and the lines that were not taken."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.lists.layouts import OLD_TITLES, PACES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Chunk = Callable[[], Sequence["Block"]]  # a part of a file that is still to be worked on
    Kind = tuple[str | None, ...]  # a value for each of KIND

LINES = 1 << 16  # of a block: so many that threads seldom wait for each other
KIND = ("federation", "sex", "title", "flag")  # what many players share is kept once, and players have its number
PEOPLE = ("id", "name", "kind", "born", "best")  # the highest rating orders what is found
TITLES = ("w_title", "o_title", "foa_title")
OTHER_TITLES = ("id", *TITLES)
RATINGS = ("id", "rating", "games", "k")
TEXTS = ("name", *KIND, *TITLES)
LARGEST = {"id": (1 << 32) - 1}  # of the other numbers 9999
NONE_REPEATED: Mapping[int, int] = {}  # IDs that stand in several lines, each with the first of them
LONGEST_BAD = 300  # characters that are kept of a line that cannot be read


class Bad(NamedTuple):
    """A line that was not taken: its number, its text, and why."""

    line: int
    text: str
    why: str


class Block(NamedTuple):
    """Some players as Arrow batches, the lines that were not taken, and the bytes read so far."""

    people: Any
    kinds: list[Kind]  # by the numbers the people have
    titles: Any
    ratings: dict[str, Any]  # by pace
    bad: list[Bad]
    done: int
    lines: Any  # the number of each player's line, as an array or a range


@cache
def schema(names: Sequence[str]) -> Any:
    """The Arrow types of some columns."""
    import pyarrow as pa

    return pa.schema([(name, pa.string() if name in TEXTS else pa.uint32()) for name in names])


def column(values: Any) -> Any:
    """NumPy's numbers as an Arrow column; pyarrow's own way there loads pandas first."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


def values(column: Any) -> Any:
    """The numbers of an Arrow column, none missing, for NumPy."""
    import numpy as np

    every = np.frombuffer(column.buffers()[1], column.type.to_pandas_dtype())
    return every[column.offset : column.offset + len(column)]


def largest(field: str) -> int:
    """The largest number a column may have."""
    return LARGEST.get(field, 9999)


def text_of(field: str, given: str | None) -> str | None:
    """A text without the blanks around it; no text is none, and a title of the old layout is as it is written today."""
    text = (given or "").strip() or None
    return OLD_TITLES.get(text, text) if field == "title" and text else text


def values_of(
    texts: dict[str, str | None], number: int, line: str, repeated: Mapping[int, int] = NONE_REPEATED
) -> dict[str, Any] | Bad:
    """A player's texts as values, or why they cannot be. A rating, K or year of 0 is none.

    Of the IDs that stand in several lines `repeated` has the first one, which counts.
    """
    values: dict[str, Any] = {"line": number}
    for field, given in texts.items():
        if field in TEXTS:
            values[field] = text_of(field, given)
            continue
        text = (given or "").strip()
        if text and not (text.isascii() and text.isdigit()):
            return Bad(number, line[:LONGEST_BAD], f"{field} is not a number: {text[:20]!r}")
        values[field] = int(text) if text else None
        if values[field] is not None and values[field] > largest(field):
            return Bad(number, line[:LONGEST_BAD], f"{field} is out of bounds: {text[:20]}")
    if not values.get("id"):
        return Bad(number, line[:LONGEST_BAD], "the ID is missing")
    if repeated.get(values["id"], number) != number:
        first = repeated[values["id"]]
        return Bad(number, line[:LONGEST_BAD], f"the ID {values['id']} stands in line {first} already")
    values["best"] = max((values[pace] or 0 for pace in PACES if pace in values), default=0)
    return values


def block_of(read: Sequence[dict[str, Any] | Bad], done: int) -> Block:
    """Records as a block."""
    import numpy as np

    rows = [one for one in read if not isinstance(one, Bad)]
    kinds: dict[Kind, int] = {}
    for row in rows:
        row["kind"] = kinds.setdefault(tuple(row.get(field) for field in KIND), len(kinds))
    ratings = {
        pace: [
            {"id": row["id"], "rating": row[pace], "games": row.get(f"{pace}_games"), "k": row.get(f"{pace}_k")}
            for row in rows
            if row.get(pace) or row.get(f"{pace}_games") or row.get(f"{pace}_k")
        ]
        for pace in PACES
        if rows and pace in rows[0]
    }
    titled = [row for row in rows if any(row.get(title) for title in TITLES)]
    return Block(
        _batch(rows, PEOPLE),
        list(kinds),
        _batch(titled, OTHER_TITLES),
        {pace: _batch(rated, RATINGS) for pace, rated in ratings.items()},
        [one for one in read if isinstance(one, Bad)],
        done,
        np.array([row["line"] for row in rows], np.int64),
    )


def _batch(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Any:
    import pyarrow as pa

    columns = [pa.array([row.get(name) for row in rows], schema(names).field(name).type) for name in names]
    return pa.record_batch(columns, schema=schema(names))
