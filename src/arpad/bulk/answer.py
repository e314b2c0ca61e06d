"""What a bulk rating answers: tables, and a summary of them."""

from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.rejects import reasons_of
from arpad.calculation.contract import Figure
from arpad.core.counting import counted, if_any
from arpad.rulebooks.rulebook import Rule

FLAGS = ("new", "below_floor", "k_reduced", "k_assumed", "standard_stood_in", "converted")
NEW, BELOW_FLOOR, K_REDUCED, K_ASSUMED, STANDARD_STOOD_IN, CONVERTED = (1 << place for place in range(len(FLAGS)))
DECIMALS = pa.decimal128(9, 2)


class BulkRating(NamedTuple):
    """The next list, the detail of the games if it was asked for, the pool, the rejected rows, and a summary.

    The tables are Arrow's, or data frames where Spark rated them.
    """

    players: Any
    games: Any
    pool: Any
    rejected: Any
    summary: dict[str, Any]
    rules: tuple[Rule[Any], ...]
    on: date

    def figures(self) -> list[Figure]:
        """What came in and what became of it, the first figures first."""
        known = self.summary
        not_rated = ", ".join(f"{count:,} {WHY_NOT[why]}" for why, count in known["not_rated"].items())
        games, players = counted(known["games"], "game"), counted(known["players"], "player")
        pool = counted(known["pool"], "game stays", "games stay")
        return [
            Figure("bulk.rated", f"{known['rated']:,}", f"of {games}, for the list of {known['period']}"),
            Figure("bulk.not_rated", not_rated or None),
            Figure("bulk.changed", f"{known['changed']:,}", f"of {players}, by rated games"),
            Figure("bulk.first_ratings", f"{known['first_ratings']:,}", f"{pool} in the pool"),
            Figure("bulk.below_floor", if_any(known["below_floor"]), "now unrated"),
            Figure("bulk.converted", if_any(known["converted"]), "by the one-off rule"),
            Figure("bulk.rejected", f"{known['rejected']:,}", reasons_of(known["reasons"])),
        ]

    def refused(self, *, strict: bool) -> str | None:
        """Why the whole period is refused: nothing could be rated, or rows were rejected and that is not allowed."""
        known = self.summary
        reasons = (reasons_of(known["reasons"]) if known["games"] else "") or "there are no games"
        if not known["rated"] and not known["first_ratings"] and not known["not_rated"]:
            return f"Nothing could be rated, so no list was written: {reasons}."
        if strict and known["rejected"]:
            return f"With --strict no list is written when rows are rejected: {reasons_of(known['reasons'])}."
        return None


WHY_NOT = {
    "unplayed": "not played",
    "unrated": "against unrated players",
    "time_control": "by the time control",
    "too_far": "too far apart",
}


def head_of(system: str, since: date, on: date) -> dict[str, Any]:
    """What a summary begins with: the system and the period."""
    return {
        "system": system,
        "period": f"{on + timedelta(days=1):%Y-%m}",
        "since": since.isoformat(),
        "on": on.isoformat(),
    }


def numbers(values: Any, kind: pa.DataType, unknown: Any = None) -> pa.Array:
    """Whole numbers, null where they are not known: where told, or else below nought."""
    return pa.array(values, mask=values < 0 if unknown is None else unknown).cast(kind)


def hundredths(values: Any, unknown: Any) -> pa.Array:
    """Hundredths as exact decimals; null where they are not known."""
    wide = np.empty((len(values), 2), dtype=np.int64)  # a decimal is a number of 128 bits
    wide[:, 0], wide[:, 1] = values, values >> 63
    there = pa.array(~unknown)
    return pa.Array.from_buffers(DECIMALS, len(values), [there.buffers()[1], pa.py_buffer(wide)])


def flags(bits: Any) -> pa.Array:
    """Flags as words with a space between; every combination is written once."""
    words = [" ".join(flag for place, flag in enumerate(FLAGS) if all_ >> place & 1) for all_ in range(1 << len(FLAGS))]
    return pa.DictionaryArray.from_arrays(pa.array(bits, pa.int8()), pa.array(words))


def words_of(codes: Any, names: tuple[str, ...]) -> pa.Array:
    """Words by their codes."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(names))
