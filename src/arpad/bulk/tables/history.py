"""Games of many periods: read, checked row by row, and put in the order they were played, by months or numbers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arpad.bulk.methods import Pairs
from arpad.bulk.tables.columns import (
    UNKNOWN,
    UNPLAYED,
    Words,
    coded,
    days,
    days_of,
    is_day,
    results,
    unplayed,
    whole_numbers,
)
from arpad.bulk.tables.files import Input
from arpad.bulk.tables.games import duplicates_of, leave_others, read_ahead
from arpad.bulk.tables.ids import same_type
from arpad.bulk.tables.rejects import Rejects, Verdicts, nothing_to_rate
from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.reading import parse_date

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Int8s, Int64s, Ints


YEAR = 12  # months; a month is counted from the year 0


class GameHistory(NamedTuple):
    """Games in the order they were played; `period` rises."""

    ids: pa.Array  # of the players, by their numbers
    games: Pairs
    period: Ints
    calendar: Calendar

    @classmethod
    def of(cls, ids: pa.Array, games: Pairs, when: Ints, *, dated: bool) -> GameHistory:
        """A history from games with a day or a period each; they are sorted by it, and keep their order within it."""
        order = np.argsort(when, kind="stable")
        period = months(when[order]) if dated else when[order]
        return cls(ids, games.where(order), period, Calendar(int(period[0]), int(period[-1]), dated))

    def periods(self, last: int) -> Iterator[tuple[int, Pairs]]:
        """Every period up to `last`, including those without games, which matter to idle players."""
        first = self.calendar.first
        ends = np.searchsorted(self.period, np.arange(first, last + 2))
        for number in range(last - first + 1):
            yield first + number, self.games.where(slice(ends[number], ends[number + 1]))


def read_history(given: list[Input], columns: dict[str, str], rejects: Rejects) -> GameHistory:
    """The games of all periods, by the column `period` (whole numbers) or else by the months of the dates."""
    taken = read_played(given, columns, rejects)
    if not len(taken.when):
        raise nothing_to_rate("no_games", rejects.table(), at="games")
    return GameHistory.of(taken.ids, taken.games, taken.when, dated=taken.dated)


class PlayedGames(NamedTuple):
    """All players, those on a list first; the games between them by number; and when each was played."""

    ids: pa.Array
    games: Pairs
    when: Ints
    dated: bool


class PlayedBlock(NamedTuple):
    """Games that are taken, in columns; `when` is a day or, where the file has periods, a whole number."""

    file: str | None
    dated: bool
    white: pa.Array
    black: pa.Array
    half_points: Ints
    when: Ints
    event: Ints
    round: Ints
    row: Ints  # from 1


_NOBODY, _NOTHING = pa.array([], pa.int64()), np.zeros(0, np.int64)
NO_BLOCK = PlayedBlock(None, True, _NOBODY, _NOBODY, _NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING)


def read_played(
    given: list[Input],
    columns: dict[str, str],
    rejects: Rejects,
    days: tuple[date, date] | None = None,
    listed: pa.Array | None = None,
) -> PlayedGames:
    """The games that were played, each once; every player gets a number, those on a list first."""
    blocks, troubles = [NO_BLOCK], []
    reading = HistoryReading(columns, rejects, days, Words(), Words())
    for source in given:
        try:
            blocks.extend(_blocks(source, reading))
        except ArpadError as trouble:
            # The readable part of a truncated file is used.
            troubles.append(trouble)
            rejects.add_file("games", source.name, trouble.message)
    if troubles and len(blocks) == 1:
        raise troubles[0]
    if len({block.dated for block in blocks[1:]}) > 1:
        raise BadInput(say("bulk.error.dates_or_periods"), at="games")
    first = [] if listed is None else [listed]
    both = pa.chunked_array(same_type([*first, *(block.white for block in blocks), *(block.black for block in blocks)]))
    players = both.combine_chunks().dictionary_encode()
    numbers = players.indices.to_numpy(zero_copy_only=False).astype(np.int64)[0 if listed is None else len(listed) :]
    white, black = np.split(numbers, 2)
    half, when = (np.concatenate([getattr(block, name) for block in blocks]) for name in ("half_points", "when"))
    games, dated = Pairs(white, black, half / 2), blocks[-1].dated
    # Within a whole-number period, a duplicate cannot be distinguished from a second game.
    if dated and len(when):
        once = np.ones(len(when), bool)
        once[_duplicates(blocks, games, when, players.dictionary, rejects)] = False
        games, when = games.where(once), when[once]
    return PlayedGames(players.dictionary, games, when, dated)


class HistoryReading(NamedTuple):
    """What the blocks of all files share; with `days`, only games of those days are taken."""

    columns: dict[str, str]
    rejects: Rejects
    days: tuple[date, date] | None
    events: Words
    rounds: Words


def _blocks(source: Input, reading: HistoryReading) -> Iterator[PlayedBlock]:
    for first, batch in read_ahead(source, reading.columns):
        verdicts = Verdicts(batch.num_rows)
        column = {name: batch.column(name) for name in batch.schema.names}
        result, when = _result(column, verdicts), _when(column, reading, verdicts)
        if source.window is not None:
            leave_others(when, source.window, verdicts)
        reading.rejects.add("games", source.name, first, batch, verdicts.codes, when)
        taken = verdicts.codes == 0
        unknown = np.full(batch.num_rows, UNKNOWN, np.int64)
        yield PlayedBlock(
            source.name,
            "period" not in column or reading.days is not None,
            column["white"].filter(pa.array(taken)),
            column["black"].filter(pa.array(taken)),
            result[taken],
            when[taken],
            (reading.events.numbers(column["event"]) if "event" in column else unknown)[taken],
            (reading.rounds.numbers(column["round"]) if "round" in column else unknown)[taken],
            np.arange(first + 1, first + 1 + batch.num_rows)[taken],
        )


def _result(column: dict[str, pa.Array], verdicts: Verdicts) -> Int8s:
    """White's half points; games without two players, or not played, are rejected."""
    for side in ("white", "black"):
        verdicts.reject(np.asarray(column[side].is_null()), f"no_{side}")
    result = results(column["result"])
    verdicts.reject(result < 0, "bad_result")
    same = pc.equal(*same_type([column["white"], column["black"]]))
    verdicts.reject(np.asarray(same.fill_null(False)), "against_himself")
    verdicts.reject(result >= UNPLAYED, "unplayed")
    if "how" in column:
        how = coded(column["how"], unplayed, np.int8)
        verdicts.reject(how == 1, "unplayed")
        verdicts.reject(how < UNKNOWN, "bad_how")
    return result


def _when(column: dict[str, pa.Array], reading: HistoryReading, verdicts: Verdicts) -> Ints:
    """The period of each game, or else the day."""
    if "period" in column and reading.days is None:
        period = whole_numbers(column["period"])
        verdicts.reject(period < 0, "bad_period")
        return period
    if "date" in column:
        when = days(column["date"])
        verdicts.reject(~is_day(when), "bad_date")
        if reading.days is not None:
            first, last = (days_of(day) for day in reading.days)
            verdicts.reject((when < first) | (when > last), "outside_period")
        return when
    raise BadInput(say("bulk.error.no_order"), at="games")


def _duplicates(blocks: list[PlayedBlock], games: Pairs, when: Ints, ids: pa.Array, rejects: Rejects) -> Int64s:
    """The places of duplicates, which are also rejected."""
    event, round_, row = (
        np.concatenate([getattr(block, name) for block in blocks]) for name in ("event", "round", "row")
    )
    duplicates = duplicates_of(
        {
            "white": games.white,
            "black": games.black,
            "half_points": (2 * games.score).astype(np.int8),
            "event": event,
            "date": when,
            "round": round_,
        }
    )
    files = np.repeat(np.arange(len(blocks)), [len(block.row) for block in blocks])
    for place in duplicates.tolist():
        given = {side: ids[getattr(games, side)[place]].as_py() for side in ("white", "black")}
        rejects.add_row("games", blocks[files[place]].file, int(row[place]), "duplicate", given, int(when[place]))
    return duplicates


class Calendar(NamedTuple):
    """The first and the last period with games, and whether they are months."""

    first: int
    last: int
    dated: bool

    def name(self, period: int) -> str:
        """A period as people write it: 2019-10, or 96."""
        return f"{first_day(period):%Y-%m}" if self.dated else str(period)

    def end(self, period: int) -> int:
        """The last day of a period as Arrow counts days; where periods are whole numbers, the period itself."""
        return days_of(month_end(period)) if self.dated else period

    def number(self, text: str | int, *, at: str) -> int:
        """The number of a period as people write it."""
        if self.dated:
            day = parse_date(str(text), at=at)
            return YEAR * day.year + day.month - 1
        try:
            return int(str(text))
        except ValueError:
            said = say("bulk.error.not_a_period", text=text, first=self.first, last=self.last)
            raise BadInput(said, at=at) from None

    def span(self, first: str | int | None, last: str | int | None) -> tuple[int, int]:
        """The first and the last period of a span, both included; by default the first and the last of all."""
        low = self.first if first is None else self.number(first, at="from")
        high = self.last if last is None else self.number(last, at="to")
        if low > high or high < self.first or low > self.last:
            span = {"low": low, "high": high, "first": self.first, "last": self.last}
            named = {end: self.name(period) for end, period in span.items()}
            raise BadInput(say("bulk.error.no_games_there", **named), at="from")
        return max(low, self.first), min(high, self.last)


def first_day(month: int) -> date:
    """The first day of a month."""
    return date(month // YEAR, month % YEAR + 1, 1)


def month_end(month: int) -> date:
    """The last day of a month."""
    return first_day(month + 1) - timedelta(days=1)


def months(days: Ints) -> Int64s:
    """The months of days, which are counted as in Arrow and NumPy."""
    epoch = int(np.datetime64(0, "Y").item().year)
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) + YEAR * epoch
