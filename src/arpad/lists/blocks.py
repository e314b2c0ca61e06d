"""What every reader gives, whatever the file: blocks of players as Arrow batches, and the lines that were not taken."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from arpad.lists.layouts import OLD_TITLES, PACES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LINES = 1 << 14  # of a block: small enough for a processor's own memory
PEOPLE = ("id", "name", "federation", "sex", "title", "born", "flag", "best")  # the highest rating orders what is found
TITLES = ("w_title", "o_title", "foa_title")
OTHER_TITLES = ("id", *TITLES)
RATINGS = ("id", "rating", "games", "k")
TEXTS = ("name", "federation", "sex", "title", "flag", *TITLES)
LARGEST = {"id": (1 << 32) - 1}  # of the other numbers 9999
LONGEST_BAD = 300  # characters that are kept of a line that cannot be read


class Bad(NamedTuple):
    """A line that was not taken: its number, its text, and why."""

    line: int
    text: str
    why: str


class Block(NamedTuple):
    """Some players as Arrow batches, the lines that were not taken, and the bytes read so far."""

    people: Any
    titles: Any
    ratings: dict[str, Any]  # by pace
    bad: list[Bad]
    done: int


@cache
def schema(names: Sequence[str]) -> Any:
    """The Arrow types of some columns."""
    import pyarrow as pa

    kinds = {"id": pa.uint32(), **dict.fromkeys(TEXTS, pa.string())}
    return pa.schema([(name, kinds.get(name, pa.uint16())) for name in names])


def record(texts: dict[str, str | None], number: int, line: str) -> dict[str, Any] | Bad:
    """A player's texts as values, or why they cannot be. A rating, K or year of 0 is none."""
    values: dict[str, Any] = {}
    for field, given in texts.items():
        text = (given or "").strip()
        if field in TEXTS:
            values[field] = OLD_TITLES.get(text, text) or None
            continue
        if text and not (text.isascii() and text.isdigit()):
            return Bad(number, line[:LONGEST_BAD], f"{field} is not a number: {text[:20]!r}")
        values[field] = int(text) if text else None
        if values[field] is not None and values[field] > LARGEST.get(field, 9999):
            return Bad(number, line[:LONGEST_BAD], f"{field} is out of bounds: {text[:20]}")
    if not values.get("id"):
        return Bad(number, line[:LONGEST_BAD], "the ID is missing")
    values["best"] = max((values[pace] or 0 for pace in PACES if pace in values), default=0)
    return values


def block_of(rows: Sequence[dict[str, Any]], bad: list[Bad], done: int) -> Block:
    """Rows as a block."""
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
        _batch(titled, OTHER_TITLES),
        {pace: _batch(rated, RATINGS) for pace, rated in ratings.items()},
        bad,
        done,
    )


def _batch(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Any:
    import pyarrow as pa

    columns = [pa.array([row.get(name) for row in rows], schema(names).field(name).type) for name in names]
    return pa.record_batch(columns, schema=schema(names))


def joined(one: Block, other: Block) -> Block:
    """Two blocks as one."""
    import pyarrow as pa

    ratings = {pace: pa.concat_batches([batch, other.ratings[pace]]) if pace in other.ratings else batch
               for pace, batch in one.ratings.items()}  # fmt: skip
    people, titles = (pa.concat_batches([getattr(one, name), getattr(other, name)]) for name in ("people", "titles"))
    return Block(people, titles, ratings, [*one.bad, *other.bad], other.done)
