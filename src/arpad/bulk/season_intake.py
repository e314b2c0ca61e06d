"""Games of many periods from files or tables, checked row by row; what cannot be taken goes to the rejected rows."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.columns import UNPLAYED, coded, days, half_points, texts, unplayed, whole_numbers
from arpad.bulk.layout import of_table, recognise
from arpad.bulk.rejects import REASONS, Rejects, Verdicts
from arpad.bulk.season import Season
from arpad.bulk.source import Source, sources
from arpad.errors import BadInput


class Block(NamedTuple):
    """Games that are taken, in columns; `when` is a day or, where the file has periods, a whole number."""

    white: pa.Array
    black: pa.Array
    half_points: Any
    when: Any
    dated: bool


def read_season(given: Any, columns: Mapping[str, str], rejects: Rejects) -> Season:
    """The games of all periods: of the column `period`, whole numbers, or else the months of the dates."""
    mapped = of_table("games", columns)
    blocks = [block for source in sources(given, "games") for block in _blocks(source, mapped, rejects)]
    if len({block.dated for block in blocks}) > 1:
        raise BadInput(
            "Some files of games have periods and others dates alone; give them all the same way.", at="games"
        )
    if not sum(len(block.when) for block in blocks):
        told = "; ".join(f"{count} times: {REASONS[reason]}" for reason, count in rejects.counts().items())
        raise BadInput(f"There are no games to rate{f' ({told})' if told else ''}.", at="games")
    score = np.concatenate([block.half_points for block in blocks]) / 2
    when = np.concatenate([block.when for block in blocks])
    return Season.of(
        _ids([block.white for block in blocks]),
        _ids([block.black for block in blocks]),
        score,
        when,
        dated=blocks[0].dated,
    )


def _ids(parts: list[pa.Array]) -> pa.ChunkedArray:
    """Ids of several blocks: numbers where all are numbers, else texts."""
    if all(pa.types.is_integer(part.type) for part in parts):
        return pa.chunked_array([part.cast(pa.int64()) for part in parts])
    return pa.chunked_array([pc.utf8_trim_whitespace(texts(part)) for part in parts])


def _blocks(source: Source, columns: dict[str, str], rejects: Rejects) -> Iterator[Block]:
    first = 0
    for batch in source.batches(lambda names: recognise("games", names, columns)):
        verdicts = Verdicts(batch.num_rows)
        block = _checked(batch, verdicts)
        rejects.add("games", source.name, first, batch, verdicts.codes)
        taken = verdicts.codes == 0
        mask = pa.array(taken)
        yield Block(
            block.white.filter(mask), block.black.filter(mask), block.half_points[taken], block.when[taken], block.dated
        )
        first += batch.num_rows


def _checked(batch: pa.RecordBatch, verdicts: Verdicts) -> Block:
    """A block in columns, with a verdict on every row."""
    column = {name: batch.column(name) for name in batch.schema.names}
    white, black = column["white"], column["black"]
    for name in ("white", "black"):
        verdicts.reject(np.asarray(column[name].is_null()), f"no_{name}")
    result = coded(column["result"], half_points, np.int8)
    verdicts.reject(result < 0, "bad_result")
    verdicts.reject(np.asarray(pc.equal(texts(white), texts(black)).fill_null(False)), "against_himself")
    verdicts.reject(result >= UNPLAYED, "unplayed")
    if "how" in column:
        how = coded(column["how"], unplayed, np.int8)
        verdicts.reject(how == 1, "unplayed")
        verdicts.reject(how < 0, "bad_how")
    if "period" in column:
        when = whole_numbers(column["period"])
        verdicts.reject(when < 0, "bad_period")
    elif "date" in column:
        when = days(column["date"])
        verdicts.reject(when < 0, "bad_date")
    else:
        raise BadInput(
            "The games have neither a date nor a period, so nothing tells what came first. "
            "Name the column, for example --columns date=NAME.",
            at="games",
        )
    return Block(white, black, result, when, "period" not in column)
