"""The list that years of periods start from: ratings and, where the system has them, deviations and volatilities."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.columns import texts
from arpad.bulk.ids import Index
from arpad.bulk.layout import of_table, recognise
from arpad.bulk.method import Standings
from arpad.bulk.rejects import Rejects, Verdicts
from arpad.bulk.source import sources
from arpad.model import HIGHEST_DEVIATION, HIGHEST_RATING, HIGHEST_VOLATILITY, LOWEST_RATING

BOUNDS = {
    "rating": (LOWEST_RATING, HIGHEST_RATING),
    "deviation": (0, HIGHEST_DEVIATION),
    "volatility": (0, HIGHEST_VOLATILITY),
}
NUMBER = r"^\s*\d{1,9}(\.\d*)?\s*$"


def with_list(
    standings: Standings, ids: pa.Array, given: Any, columns: Mapping[str, str], rejects: Rejects
) -> Standings:
    """Standings in which those on the list have what it says; who is on it without a rating stays a newcomer."""
    places_of, mapped = Index(ids), of_table("players", columns)
    wanted = [name for name in BOUNDS if getattr(standings, name) is not None]
    for source in sources(given, "players"):
        first = 0
        for batch in source.batches(lambda names: _picked(names, mapped, wanted)):
            verdicts = Verdicts(batch.num_rows)
            numbers = {name: _numbers(batch, name, verdicts) for name in wanted if name in batch.schema.names}
            rejects.add("players", source.name, first, batch, verdicts.codes)
            first += batch.num_rows
            places = places_of.places(batch.column("id"))
            rated = (places >= 0) & (verdicts.codes == 0) & ~np.isnan(numbers["rating"])
            standings.played[places[rated]] = True
            for name, column in numbers.items():
                known = rated & ~np.isnan(column)
                getattr(standings, name)[places[known]] = column[known]
    return standings


def _picked(names: list[str], columns: dict[str, str], wanted: list[str]) -> dict[str, str]:
    found = recognise("players", names, columns)
    own = {name.strip().lower(): name for name in names}
    return {"id": found["id"], "rating": found["rating"], **{name: own[name] for name in wanted[1:] if name in own}}


def _numbers(batch: pa.RecordBatch, name: str, verdicts: Verdicts) -> Any:
    """A column of numbers, not a number where it is null; what is out of bounds is rejected."""
    words = texts(batch.column(name))
    sound = pc.if_else(pc.match_substring_regex(words, NUMBER), pc.utf8_trim_whitespace(words), None)
    numbers = sound.cast(pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False)
    low, high = (float(bound) for bound in BOUNDS[name])
    given = np.asarray(words.is_valid())
    # FIDE's lists write 0 for a rating that is not known.
    missing = (numbers == 0) if name == "rating" else np.zeros(len(numbers), bool)
    outside = np.isnan(numbers) | (numbers < low) | (numbers > high)
    verdicts.reject(given & ~missing & outside, "bad_start")
    return np.where(missing, np.nan, numbers)
