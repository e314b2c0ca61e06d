"""First ratings of unrated players, all at once (7.1.4, 8.2), by asking `systems.fide` what counts."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arpad.bulk.arrays import asked_once, begins
from arpad.bulk.fide.editions import HUNDRED, compile_time_controls
from arpad.bulk.fide.kernel import ratings
from arpad.bulk.tables.columns import UNKNOWN, days_of, hundredths_of
from arpad.bulk.tables.pool import NO_GAMES, Pool
from arpad.calculation.step import known
from arpad.core import Pace
from arpad.systems.fide.first_rating import enough_games, event_counts, pool_begins, rating_from
from arpad.systems.fide.games import fast_classic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.bulk.arrays import Bools, Int64s, Ints
    from arpad.bulk.fide.kernel import Basis
    from arpad.bulk.tables.game_columns import GameColumns
    from arpad.systems.fide.rules import FideRules


def newcomers_games(basis: Basis, games: GameColumns, paces: Sequence[Pace], rules: FideRules, on: date) -> Pool:
    """The games of unrated players against rated ones in this period; an approved time control fits."""
    unrated = basis.rating == 0
    if not unrated.any():
        return NO_GAMES
    minutes = np.array(
        [
            [*(hundredths_of(pace) for pace in paces), UNKNOWN],
            [*(UNKNOWN if fast_classic(pace, rules) else hundredths_of(pace) for pace in paces), UNKNOWN],
        ]
    )
    return Pool.joined([NO_GAMES, *(_sides(basis, block, minutes, unrated, on) for block in games.blocks())])


def _sides(basis: Basis, games: GameColumns, by_pace: Ints, unrated: Bools, on: date) -> Pool:
    """Both sides of a block's games, if that player is unrated and the opponent rated, in the order of the games.

    `by_pace` has the minutes of each time control, normally and in approved events.
    """
    some = games.part(np.flatnonzero(unrated[games.white] | unrated[games.black]))
    white, black = ratings(basis, some)
    played = np.ones(some.size, dtype=bool) if some.unplayed is None else ~some.unplayed
    approved = np.zeros(some.size, dtype=np.int8) if some.approved is None else some.approved.astype(np.int8)
    minutes = np.full(some.size, UNKNOWN) if some.pace is None else by_pace[approved, some.pace]
    highest = np.zeros(some.size, dtype=np.int64) if some.highest is None else some.highest
    event = np.full(some.size, UNKNOWN) if some.event is None else some.event
    start = np.full(some.size, days_of(on)) if some.start is None else some.start
    sides = [
        (some.white, black, some.half_points, played & unrated[some.white] & (black > 0)),
        (some.black, white, 2 - some.half_points, played & unrated[some.black] & (white > 0)),
    ]
    parts = [
        Pool(player, event, start, opponent, points, minutes, highest).part(which)
        for player, opponent, points, which in sides
    ]
    order = np.argsort(np.concatenate([np.flatnonzero(which) for *_, which in sides]), kind="stable")
    return Pool.joined(parts).part(order)


class FirstRatings(NamedTuple):
    """The players with a first rating, their ratings and games, and the pool that is left."""

    player: Ints
    rating: Ints
    games: Ints
    pool: Pool


def first_ratings(pool: Pool, rules: FideRules, chapter: str, on: date) -> FirstRatings:
    """First ratings by the rules of the day; players who have none yet stay in the pool."""
    nobody = np.zeros(0, dtype=np.int64)
    if not pool.size:
        return FirstRatings(nobody, nobody, nobody, pool)
    order = np.lexsort((np.arange(pool.size), pool.event, pool.player))
    pool = pool.part(order)
    began = begins(pool.player, pool.event)
    counts = _counts(pool, began, rules, chapter)
    start, first = np.minimum.reduceat(pool.start, began), np.minimum.reduceat(order, began)
    games, points, total = (
        np.add.reduceat(column * counts, began) for column in (np.ones_like(order), pool.half_points, pool.opponent)
    )
    player = pool.player[began]
    too_old = np.zeros(len(began), dtype=bool)
    if rules.pool_months is not None:
        too_old = start < days_of(pool_begins(on, rules.pool_months.value))
    counted = _events_that_count(player, np.lexsort((first, start, player)), games, points, ~too_old, rules)
    of_player = begins(player)
    games, points, total = (np.add.reduceat(column * counted, of_player) for column in (games, points, total))
    player = player[of_player]
    enough = asked_once(lambda games: enough_games(games, rules), games) > 0
    games, points, total, player = (column[enough] for column in (games, points, total, player))
    rating = asked_once(
        lambda games, half_points, total: rating_from(known("games", games), _score(half_points), total, rules).value,
        games,
        points,
        total,
    )
    published = np.array([rules.publishes(ru) for ru in rating.tolist()], dtype=bool)
    games, rating, player = (column[published] for column in (games, rating, player))
    lengths = np.diff(np.append(began, pool.size))
    left = ~np.isin(pool.player, player) & ~np.repeat(too_old, lengths)
    return FirstRatings(player, rating, games, pool.part(left))


def _score(half_points: int) -> Decimal:
    return Decimal(half_points) / 2


def _counts(pool: Pool, began: Ints, rules: FideRules, chapter: str) -> Bools:
    """Whether each game counts, by its time control; `began` has the places where a new event begins."""
    minutes = np.unique(pool.minutes[pool.minutes >= 0])
    times = compile_time_controls(rules, chapter, [Pace(Decimal(minute) / HUNDRED) for minute in minutes.tolist()])
    places = np.where(pool.minutes < 0, len(minutes), np.searchsorted(minutes, pool.minutes))
    higher = pool.opponent
    if times.by_tournament:
        highest = np.maximum.reduceat(np.maximum(pool.opponent, pool.highest), began)
        higher = np.repeat(highest, np.diff(np.append(began, pool.size)))
    return times.fits[places, times.level[higher]]


def _events_that_count(player: Ints, order: Ints, games: Ints, points: Ints, recent: Bools, rules: FideRules) -> Bools:
    """Which events count; `order` is by player and day, because once an event counts, later ones may too (8.2.1)."""
    before, after = (
        asked_once(
            lambda games, half_points, started=started: event_counts(
                games, _score(half_points), rules, started=started
            ),
            games,
            points,
        )
        > 0
        for started in (False, True)
    )
    starts = ((before | rules.first_event.value.once) & recent & (games > 0))[order]
    so_far: Int64s = np.cumsum(starts) - starts
    of_player = begins(player[order])
    lengths = np.diff(np.append(of_player, len(player)))
    started = np.zeros(len(player), dtype=bool)
    started[order] = so_far > np.repeat(so_far[of_player], lengths)
    return np.where(started, after, before) & recent
