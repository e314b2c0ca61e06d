"""First ratings of unrated players, all at once, and the pool of their games that is carried forward (7.1.4, 8.2)."""

from datetime import date
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.answer import hundredths
from arpad.bulk.columns import BAD, UNKNOWN, Words, coded, days, hundredths_of_minutes, is_day, whole_numbers
from arpad.bulk.ids import NOWHERE
from arpad.bulk.kernel import Basis, Games, blocks, ratings
from arpad.bulk.layout import recognise
from arpad.bulk.rejects import Rejects, Verdicts
from arpad.bulk.roster import Roster
from arpad.bulk.rulings import HUNDRED, Ruling, days_of
from arpad.bulk.source import Input
from arpad.bulk.whole import ROUNDINGS, half_away_from_zero
from arpad.core import HIGHEST_RATING
from arpad.systems.fide.first import pool_begins
from arpad.systems.fide.rules import FideRules


class Pool(NamedTuple):
    """Games of unrated players against rated ones, from the unrated player's side; an unknown pace is −1."""

    player: Any
    event: Any
    start: Any
    opponent: Any
    half_points: Any
    minutes: Any  # hundredths of a minute for 60 moves

    @property
    def size(self) -> int:
        """How many games there are."""
        return len(self.player)

    def part(self, which: Any) -> "Pool":
        """Some of the games."""
        return Pool(*(column[which] for column in self))

    def and_then(self, other: "Pool") -> "Pool":
        """These games and others after them."""
        return Pool(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))

    def table(self, ids: pa.Array, events: Words) -> pa.Table:
        """The pool as a table, to be given again with the next period."""
        return pa.table(
            {
                "player": ids.take(pa.array(self.player)),
                "event": events.words(self.event),
                "start": pa.array(self.start, pa.int32()).cast(pa.date32()),
                "opponent": pa.array(self.opponent, pa.int16()),
                "half_points": pa.array(self.half_points, pa.int8()),
                "minutes": hundredths(self.minutes, self.minutes < 0),
            }
        )


EMPTY = Pool(*(np.zeros(0, dtype=np.int64) for _ in Pool._fields))


def read_pool(sources: list[Input], roster: Roster, events: Words, on: date, rejects: Rejects) -> Pool:
    """The pool carried forward; games of whoever is rated by now are left out."""
    pool = EMPTY
    for source in sources:
        for first, batch in source.blocks(lambda names: recognise("pool", names, {})):
            part = _pooled(batch, roster, events, on)
            verdicts = Verdicts(batch.num_rows)
            known = (part.opponent > 0) & (part.opponent <= HIGHEST_RATING) & is_day(part.start)
            sound = known & (part.player != NOWHERE) & (part.half_points >= 0) & (part.half_points <= 2)
            verdicts.reject(~sound | (part.minutes == BAD), "bad_pool")
            rejects.add("pool", source.name, first, batch, verdicts.codes)
            part = part.part(verdicts.codes == 0)
            pool = pool.and_then(part.part(roster.used[part.player] == 0))
    return pool


def _pooled(batch: pa.RecordBatch, roster: Roster, events: Words, on: date) -> Pool:
    column = {name: batch.column(name) for name in batch.schema.names}
    rows = batch.num_rows
    return Pool(
        roster.ids.places(column["player"]),
        events.numbers(column["event"]) if "event" in column else np.full(rows, UNKNOWN),
        days(column["start"]) if "start" in column else np.full(rows, days_of(on)),
        whole_numbers(column["opponent"]),
        whole_numbers(column["half_points"]),
        coded(column["minutes"], hundredths_of_minutes) if "minutes" in column else np.full(rows, UNKNOWN),
    )


def newcomers_games(basis: Basis, games: Games, on: date) -> Pool:
    """The games that unrated players played against rated ones in this period."""
    parts = [EMPTY]
    unrated = basis.rating == 0
    if unrated.any():
        parts += [_sides(basis, part, unrated, on) for part in blocks(games)]
    return Pool(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _sides(basis: Basis, games: Games, unrated: Any, on: date) -> Pool:
    """Both sides of a block's games, each where its player is unrated and the other is not, in the games' order."""
    some = games.part(np.flatnonzero(unrated[games.white] | unrated[games.black]))
    white, black = ratings(basis, some)
    played = np.ones(some.size, dtype=bool) if some.unplayed is None else ~some.unplayed
    sides = [
        (some.white, black, some.half_points, played & unrated[some.white] & (black > 0)),
        (some.black, white, 2 - some.half_points, played & unrated[some.black] & (white > 0)),
    ]
    minutes = np.full(some.size, UNKNOWN) if some.pace is None else np.append(basis.paces, UNKNOWN)[some.pace]
    event = np.full(some.size, UNKNOWN) if some.event is None else some.event
    start = np.full(some.size, days_of(on)) if some.start is None else some.start
    white_side, black_side = (
        Pool(player, event, start, opponent, points, minutes).part(which) for player, opponent, points, which in sides
    )
    order = np.argsort(np.concatenate([np.flatnonzero(which) for *_, which in sides]), kind="stable")
    return white_side.and_then(black_side).part(order)


NOBODY = np.zeros(0, dtype=np.int64)


class FirstRatings(NamedTuple):
    """Who gets a first rating, the ratings, the games each is made of, and the pool that is left."""

    player: Any
    rating: Any
    games: Any
    pool: Pool


def first_ratings(pool: Pool, rules: FideRules, edition: Ruling, on: date) -> FirstRatings:
    """First ratings by the rules of the day; whoever has none yet stays in the pool."""
    if not pool.size:
        return FirstRatings(NOBODY, NOBODY, NOBODY, pool)
    counts = _fits(pool, edition)
    order = np.lexsort((np.arange(pool.size), pool.event, pool.player))
    pool, counts = pool.part(order), counts[order]
    began = _changes(pool.player, pool.event)
    start = np.minimum.reduceat(pool.start, began)
    games, points, total = (
        np.add.reduceat(column * counts, began) for column in (np.ones_like(order), pool.half_points, pool.opponent)
    )
    player, first = pool.player[began], np.minimum.reduceat(order, began)
    too_old = np.zeros(len(began), dtype=bool)
    if rules.pool_months is not None:
        too_old = start < days_of(pool_begins(on, rules.pool_months.value))
    counted = _events_that_count(player, start, first, games, points, too_old, rules)
    of_player = _changes(player)
    games, points, total = (np.add.reduceat(column * counted, of_player) for column in (games, points, total))
    player = player[of_player]
    rating = _rating(np.maximum(games, 1), points, total, rules)
    published = (games >= max(rules.first_games.value, 1)) & (rating >= rules.floor.value)
    lengths = np.diff(np.append(began, pool.size))
    left = ~np.isin(pool.player, player[published]) & ~np.repeat(too_old, lengths)
    return FirstRatings(player[published], rating[published], games[published], pool.part(left))


def _fits(pool: Pool, edition: Ruling) -> Any:
    """Whether the time control of each game fits the list, by the opponent's rating."""
    fits = edition.slow_enough(pool.minutes)[np.arange(pool.size), edition.band[pool.opponent]]
    return fits | (pool.minutes < 0)


def _changes(*columns: Any) -> Any:
    """Where sorted columns begin a new value."""
    new = np.ones(len(columns[0]), dtype=bool)
    new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return np.flatnonzero(new)


def _events_that_count(
    player: Any, start: Any, first: Any, games: Any, points: Any, too_old: Any, rules: FideRules
) -> Any:
    """Which events count: in order of their days, from the first that qualifies on, or those that do (8.2.1)."""
    least, opponents, every = rules.first_event.value
    qualifies = (games >= opponents) & (points >= int(2 * least)) & ~too_old
    if every:
        return qualifies
    order = np.lexsort((first, start, player))
    begins = qualifies[order] & (games[order] > 0)
    so_far = np.cumsum(begins) - begins
    of_player = _changes(player[order])
    lengths = np.diff(np.append(of_player, len(player)))
    started = np.zeros(len(player), dtype=bool)
    started[order] = so_far > np.repeat(so_far[of_player], lengths)
    return (qualifies | started) & ~too_old


def _rating(games: Any, points: Any, total: Any, rules: FideRules) -> Any:
    """Ru from so many games, half points and the opponents' ratings together (8.2.2, 8.2.3)."""
    method = rules.first_rating.value
    games, total = games + method.draws, total + method.draws * method.against
    points = points + method.draws
    percent = ROUNDINGS[rules.percentage.value](HUNDRED * points, 2 * games)
    dp = np.array([rules.dp.value[one] for one in range(HUNDRED + 1)])[percent]
    rating = half_away_from_zero(total + dp * games, games)
    if method.bonus is not None:
        bonus = int(HUNDRED * method.bonus)
        with_bonus = HUNDRED * total + bonus * (points - games) * games
        rating = np.where(points < games, rating, half_away_from_zero(with_bonus, HUNDRED * games))
    return rating if method.at_most is None else np.minimum(rating, method.at_most)
