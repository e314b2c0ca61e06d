"""Lists of Elo, Glicko and Glicko-2: ratings with their decimals, deviations and volatilities."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.methods import Standings
from arpad.bulk.tables.columns import NO_WORD, texts, together
from arpad.bulk.tables.ids import Index
from arpad.bulk.tables.layout import IDS, recognise
from arpad.bulk.tables.reader import Input
from arpad.bulk.tables.rejects import Origins, Rejects, Verdicts
from arpad.core.numbers import (
    HIGHEST_DEVIATION,
    HIGHEST_RATING,
    HIGHEST_VOLATILITY,
    LOWEST_DEVIATION,
    LOWEST_VOLATILITY,
    Rating,
)

BOUNDS: dict[str, tuple[Rating, Rating]] = {
    "rating": (-HIGHEST_RATING, HIGHEST_RATING),  # Elo may lead below 1, and the next period begins there
    "deviation": (LOWEST_DEVIATION, HIGHEST_DEVIATION),
    "volatility": (LOWEST_VOLATILITY, HIGHEST_VOLATILITY),
}
NUMBER = r"^-?\d{1,9}(\.\d*)?([eE][-+]?\d{1,2})?$"


def read_list(given: list[Input], columns: dict[str, str], wanted: tuple[str, ...], rejects: Rejects) -> pa.Table:
    """The players with the columns `wanted` as numbers; rows that cannot be used are rejected."""
    parts = [pa.table({"id": pa.array([], pa.int64()), **{name: pa.array([], pa.float64()) for name in wanted}})]
    origins = Origins()
    for source in given:
        for first, batch in source.blocks(lambda names: _picked(names, columns, wanted), IDS["players"]):
            verdicts = Verdicts(batch.num_rows)
            verdicts.reject(np.asarray(batch.column("id").is_null()), "no_id")
            numbers = {
                name: _numbers(batch, name, verdicts)
                if name in batch.schema.names
                else pa.nulls(batch.num_rows, pa.float64())
                for name in wanted
            }
            rejects.add("players", source.name, first, batch, verdicts.codes)
            taken = verdicts.codes == 0
            origins.add(source.name, first, taken)
            parts.append(pa.table({"id": batch.column("id"), **numbers}).filter(pa.array(taken)))
    filled = [part for part in parts if part.num_rows] or parts[-1:]
    return _without_duplicates(together(filled), origins, rejects)


def with_list(standings: Standings, ids: pa.Array, listed: pa.Table) -> Standings:
    """Standings with what the list says about its players; one without a rating stays a newcomer."""
    places = Index(ids).places(listed.column("id").combine_chunks())
    rated = (places >= 0) & np.asarray(listed.column("rating").is_valid())
    played = standings.played.copy()
    played[places[rated]] = True
    new = {}
    for name in listed.schema.names[1:]:
        column, known = getattr(standings, name).copy(), rated & np.asarray(listed.column(name).is_valid())
        column[places[known]] = listed.column(name).fill_null(0).to_numpy()[known]
        new[name] = column
    return standings._replace(played=played, **new)


def _picked(names: list[str], columns: dict[str, str], wanted: tuple[str, ...]) -> dict[str, str]:
    found = recognise("players", names, columns)
    own = {name.strip().lower(): name for name in names}
    return {"id": found["id"], "rating": found["rating"], **{name: own[name] for name in wanted[1:] if name in own}}


def _numbers(batch: pa.RecordBatch, name: str, verdicts: Verdicts) -> pa.Array:
    """A column of numbers; others, and those out of bounds, are rejected. As in FIDE's lists, a rating of 0 is none."""
    words = pc.utf8_trim_whitespace(texts(batch.column(name)))
    words = pc.if_else(pc.is_in(pc.utf8_lower(words), pa.array(NO_WORD)), None, words)
    numbers = pc.if_else(pc.match_substring_regex(words, NUMBER), words, None).cast(pa.float64())
    low, high = (float(bound) for bound in BOUNDS[name])
    sound = pc.and_(pc.greater_equal(numbers, low), pc.less_equal(numbers, high)).fill_null(False)
    if name == "rating":
        numbers = pc.if_else(pc.equal(numbers, 0), None, numbers)
    verdicts.reject(np.asarray(words.is_valid()) & ~np.asarray(sound), "bad_start")
    return numbers


def _without_duplicates(table: pa.Table, origins: Origins, rejects: Rejects) -> pa.Table:
    """The first row of each player; the others are rejected."""
    ids = table.column("id").combine_chunks()
    duplicate = Index(ids).places(ids) != np.arange(len(ids)) if len(ids) else np.zeros(0, bool)
    for place in np.flatnonzero(duplicate).tolist():
        rejects.add_row("players", *origins.of(place), "duplicate_id", {"id": ids[place].as_py()})
    return table.filter(pa.array(~duplicate)) if duplicate.any() else table
