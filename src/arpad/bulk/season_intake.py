"""Games of many periods from files or tables, checked row by row; what cannot be taken goes to the rejected rows."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.columns import UNKNOWN, UNPLAYED, Words, coded, days, half_points, texts, unplayed, whole_numbers
from arpad.bulk.intake import doubles_of
from arpad.bulk.layout import of_table, recognise
from arpad.bulk.method import Pairs
from arpad.bulk.rejects import REASONS, Rejects, Verdicts
from arpad.bulk.season import Season
from arpad.bulk.source import Source, sources
from arpad.errors import BadFile, BadInput


class Block(NamedTuple):
    """Games that are taken, in columns; `when` is a day or, where the file has periods, a whole number."""

    file: str | None
    dated: bool
    white: pa.Array
    black: pa.Array
    half_points: Any
    when: Any
    event: Any
    round: Any
    row: Any


def read_season(given: Any, columns: Mapping[str, str], rejects: Rejects) -> Season:
    """The games of all periods: of the column `period`, whole numbers, or else the months of the dates."""
    blocks: list[Block] = []
    troubles: list[BadFile] = []
    events, rounds = Words(), Words()
    for source in sources(given, "games"):
        try:
            blocks.extend(_blocks(source, of_table("games", columns), events, rounds, rejects))
        except BadFile as trouble:
            # What came before the end of a file that was cut short is used.
            troubles.append(trouble)
            rejects.add_file("games", source.name, trouble.message)
    if troubles and not blocks:
        raise troubles[0]
    if len({block.dated for block in blocks}) > 1:
        raise BadInput("Some games have periods and others dates alone; give them all the same way.", at="games")
    if not any(len(block.row) for block in blocks):
        told = "; ".join(f"{count} times {REASONS[reason]}" for reason, count in rejects.counts().items())
        raise BadInput(f"There are no games to rate{f': {told}' if told else ''}.", at="games")
    both = pa.chunked_array(_ids([*(block.white for block in blocks), *(block.black for block in blocks)]))
    players = both.combine_chunks().dictionary_encode()
    white, black = np.split(players.indices.to_numpy().astype(np.int64), 2)
    half, when = (np.concatenate([getattr(block, name) for block in blocks]) for name in ("half_points", "when"))
    games = Pairs(white, black, half / 2)
    dated = blocks[0].dated
    # Whole-number periods are too wide to tell a double from a second game.
    if dated and len(doubles := _doubles(blocks, games, when, rejects)):
        games, when = games.where(_without(doubles, len(when))), np.delete(when, doubles)
    return Season.of(players.dictionary, games, when, dated=dated)


def _ids(parts: list[pa.Array]) -> list[pa.Array]:
    """Ids of several blocks: numbers where all are numbers, else texts."""
    if all(pa.types.is_integer(part.type) for part in parts):
        return [part.cast(pa.int64()) for part in parts]
    return [pc.utf8_trim_whitespace(texts(part)) for part in parts]


def _doubles(blocks: list[Block], games: Pairs, when: Any, rejects: Rejects) -> Any:
    """The places of games that are there twice; they are rejected."""
    event, round_, row = (np.concatenate([getattr(one, name) for one in blocks]) for name in ("event", "round", "row"))
    rounds_known = (round_ != UNKNOWN).any()
    doubles = doubles_of(
        {
            "white": games.white,
            "black": games.black,
            "half_points": (2 * games.score).astype(np.int8),
            "event": event,
            "date": when,
            "round": round_ if rounds_known else None,
        }
    )
    files = np.repeat(np.arange(len(blocks)), [len(block.row) for block in blocks])
    for place in doubles.tolist():
        rejects.add_row("games", blocks[files[place]].file, int(row[place]), "duplicate", {})
    return doubles


def _without(places: Any, size: int) -> Any:
    kept = np.ones(size, bool)
    kept[places] = False
    return kept


def _blocks(source: Source, columns: dict[str, str], events: Words, rounds: Words, rejects: Rejects) -> Iterator[Block]:
    first = 0
    for batch in source.batches(lambda names: recognise("games", names, columns)):
        verdicts = Verdicts(batch.num_rows)
        column = {name: batch.column(name) for name in batch.schema.names}
        result, when = _result(column, verdicts), _when(column, verdicts)
        rejects.add("games", source.name, first, batch, verdicts.codes)
        taken = verdicts.codes == 0
        unknown = np.full(batch.num_rows, UNKNOWN, np.int64)
        yield Block(
            source.name,
            "period" not in column,
            column["white"].filter(pa.array(taken)),
            column["black"].filter(pa.array(taken)),
            result[taken],
            when[taken],
            (events.numbers(column["event"]) if "event" in column else unknown)[taken],
            (rounds.numbers(column["round"]) if "round" in column else unknown)[taken],
            np.arange(first + 1, first + 1 + batch.num_rows)[taken],
        )
        first += batch.num_rows


def _result(column: dict[str, pa.Array], verdicts: Verdicts) -> Any:
    """White's half points of a game between two players that was played."""
    for side in ("white", "black"):
        verdicts.reject(np.asarray(column[side].is_null()), f"no_{side}")
    result = coded(column["result"], half_points, np.int8)
    verdicts.reject(result < 0, "bad_result")
    same = pc.equal(texts(column["white"]), texts(column["black"]))
    verdicts.reject(np.asarray(same.fill_null(False)), "against_himself")
    verdicts.reject(result >= UNPLAYED, "unplayed")
    if "how" in column:
        how = coded(column["how"], unplayed, np.int8)
        verdicts.reject(how == 1, "unplayed")
        verdicts.reject(how < UNKNOWN, "bad_how")
    return result


def _when(column: dict[str, pa.Array], verdicts: Verdicts) -> Any:
    """The period, or else the day."""
    if "period" in column:
        when = whole_numbers(column["period"])
        verdicts.reject(when < 0, "bad_period")
        return when
    if "date" in column:
        when = days(column["date"])
        verdicts.reject(when < 0, "bad_date")
        return when
    raise BadInput(
        "The games have neither a date nor a period, so nothing tells which came first. "
        "Name the column, for example --columns date=NAME.",
        at="games",
    )
