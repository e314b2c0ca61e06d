"""Rows that are not taken, each with its reason; nothing is lost silently."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from arpad.bulk import NothingToRate
from arpad.core import HIGHEST_RATING, LOWEST_RATING

TAKEN, ELSEWHERE = "taken", "elsewhere"
RANGE = f"from {LOWEST_RATING} to {HIGHEST_RATING}"
# In the order in which they are looked at: a row is told the first that holds.
REASONS = {
    TAKEN: "",
    ELSEWHERE: "the row belongs to another period",
    "no_white": "White's id is missing or cannot be read",
    "no_black": "Black's id is missing or cannot be read",
    "bad_result": "the result is not 1, ½ or 0",
    "unknown_white": "White is not among the players",
    "unknown_black": "Black is not among the players",
    "against_himself": "a player against himself",
    "bad_date": "the date is missing or cannot be read",
    "outside_period": "the date is not in the period",
    "bad_period": "the period is missing or is not a whole number",
    "before_rules": "the event began before the rules are covered",
    "bad_time": "the time control is not minutes+seconds, such as 90+30",
    "bad_how": "a game is played, a forfeit or a bye",
    "bad_game_rating": f"a rating on the day of the event is not a whole number {RANGE}",
    "unplayed": "the game was not played, so it says nothing about strength",
    "not_born": "a player was born after the period",
    "duplicate": "the game is there twice",
    "no_id": "the player's id is missing",
    "duplicate_id": "the player is there twice",
    "bad_rating": f"the rating is not a whole number {RANGE}",
    "bad_start": f"the rating is not a number {RANGE}, or the deviation or volatility is none above 0",
    "bad_k": "K by hand is not a whole number from 1 to 1000",
    "bad_born": "the year of birth is not one",
    "bad_games": "the number of games is not a whole number from 0",
    "bad_peak": f"the peak is not a whole number {RANGE}",
    "bad_standard": f"the standard rating is not a whole number {RANGE}",
    "bad_base": f"the corrected rating is not a whole number {RANGE}",
    "bad_pool": "the game in the pool cannot be read",
    "bad_file": "the file, or the rest of it, cannot be read",
}
CODES = {name: code for code, name in enumerate(REASONS)}
NAMES = tuple(REASONS)
SCHEMA = pa.schema(
    [
        ("table", pa.string()),
        ("file", pa.string()),
        ("row", pa.int64()),
        ("reason", pa.string()),
        ("says", pa.string()),
        ("given", pa.string()),
    ]
)


class Verdicts:
    """The verdict on each row of a block; the first reason stays."""

    def __init__(self, rows: int) -> None:
        self.codes = np.zeros(rows, dtype=np.uint8)
        self.left = 0

    def reject(self, which: Any, reason: str) -> None:
        """Reject some rows, unless they were before."""
        if which.any():
            self.codes[which & (self.codes == 0)] = CODES[reason]

    def leave(self, which: Any) -> None:
        """Leave rows out without rejecting them."""
        self.codes[which] = CODES[ELSEWHERE]
        self.left += int(which.sum())


class Origins:
    """Where rows that were taken came from: block after block, the file, the rows before it there, and which of it."""

    def __init__(self) -> None:
        self._blocks: list[tuple[str | None, int, Sequence[int]]] = []

    def add(self, file: str | None, first: int, taken: Any) -> None:
        """A block, and which of its rows were taken."""
        rows = range(len(taken)) if taken.all() else np.flatnonzero(taken).tolist()
        self._blocks.append((file, first, rows))

    def of(self, place: int) -> tuple[str | None, int]:
        """The file and the row there, counted from 1, of the row at a place among those that were taken."""
        for file, first, rows in self._blocks:
            if place < len(rows):
                return file, first + rows[place] + 1
            place -= len(rows)
        raise IndexError(place)


def reasons_of(counts: Mapping[str, int]) -> str:
    """How many rows were rejected for what."""
    return "; ".join(f"{REASONS[reason]} ({count:,})" for reason, count in counts.items())


class Rejects:
    """The rejected rows of a run."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, table: str, file: str | None, first: int, batch: pa.RecordBatch, codes: Any) -> None:
        """The rows of a block with a verdict; rows are counted from 1."""
        which = np.flatnonzero(codes > CODES[ELSEWHERE])
        if not len(which):
            return
        given = batch.take(pa.array(which)).to_pylist()
        for place, row in zip(which.tolist(), given, strict=True):
            self._add(table, file, first + place + 1, NAMES[codes[place]], row)

    def add_row(self, table: str, file: str | None, row: int, reason: str, given: dict[str, Any]) -> None:
        """One row, by its number."""
        self._add(table, file, row, reason, given)

    def add_file(self, table: str, file: str | None, message: str) -> None:
        """A file that cannot be read, or not to its end."""
        self._add(table, file, None, "bad_file", {"says": message})

    def _add(self, table: str, file: str | None, row: int | None, reason: str, given: dict[str, Any]) -> None:
        values = (table, file, row, reason, REASONS[reason], json.dumps(given, ensure_ascii=False, default=str))
        self._rows.append(dict(zip(SCHEMA.names, values, strict=True)))

    def counts(self, table: str | None = None) -> dict[str, int]:
        """How many rows each reason holds back, of one table or of all."""
        counts = dict.fromkeys(REASONS, 0)
        for row in self._rows:
            counts[row["reason"]] += table in (None, row["table"])
        return {reason: count for reason, count in counts.items() if count}

    def table(self) -> pa.Table:
        """The rejected rows."""
        return pa.Table.from_pylist(self._rows, schema=SCHEMA)


def nothing_to_rate(message: str, rejected: pa.Table, *, at: str) -> NothingToRate:
    """The refusal of games of which none could be taken, with the reasons."""
    reasons = reasons_of(Counter(rejected.column("reason").to_pylist()))
    return NothingToRate(f"{message}{f': {reasons}' if reasons else ''}.", rejected, at=at)
