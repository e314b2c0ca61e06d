"""A rating period of one of FIDE's lists: the list and the games in, the next list out (8.3, first ratings 8.2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.fide.kernel import (
    RATED,
    WHY_NOT,
    Basis,
    add_up,
    changes_by_game,
    cut_games,
    detail_of,
    forecast_of,
    k_of_sides,
    ratings,
    reasons,
    rounded_per_event,
)
from arpad.bulk.fide.lookups import (
    HUNDRED,
    KTable,
    RoundingTable,
    compile_time_controls,
    converted,
    editions,
    limited_k,
)
from arpad.bulk.results import BulkRating, PeriodSummary
from arpad.bulk.tables import columns
from arpad.bulk.tables.columns import UNKNOWN, asked_once, begins, day_of, days_of, hundredths_of
from arpad.bulk.tables.games import Span, read_games
from arpad.bulk.tables.players import NO_GAMES, Pool, read_players, read_pool
from arpad.bulk.tables.rejects import Rejects
from arpad.calculation.step import known
from arpad.core import Pace
from arpad.systems.fide.first_rating import enough_games, event_counts, pool_begins, rating_from
from arpad.systems.fide.games import fast_classic
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from arpad.bulk.fide.kernel import CutGames, Sums
    from arpad.bulk.request import Inputs, Request
    from arpad.bulk.tables.columns import Bools, Int16s, Int32s, Int64s, Ints
    from arpad.bulk.tables.games import GameColumns
    from arpad.bulk.tables.players import PlayerColumns
    from arpad.rulebooks import Rule
    from arpad.systems.base import System


SUMMED = ("gain", "games")
FLAGS = ("new", "below_floor", "k_reduced", "k_assumed", "standard_stood_in", "converted")
NEW, BELOW_FLOOR, K_REDUCED, K_ASSUMED, STANDARD_STOOD_IN, CONVERTED = (1 << place for place in range(len(FLAGS)))


def rate_tables(asked: Request, system: System, given: Inputs) -> BulkRating:
    """The period, or a part of it, even if it has no players.

    The answer covers the players; guests are only opponents here and rated elsewhere. A game between players of two
    parts is in both, and is counted where White is.
    """
    book, chapter = system.rulebook.of(FideRules), system.base.removeprefix("fide-")
    rules = book.at(asked.on)
    rejects = Rejects()
    players = read_players(given.players, asked.columns["players"], rejects, given.guests)
    span = Span(asked.since, asked.on, book.covered_from)
    taken = read_games(given.games, asked.columns["games"], players, span, rejects)
    first, last = _days(taken.games, asked.on)
    found = editions(book, chapter, first, last, taken.paces)
    games = taken.games if taken.games.start is None else taken.games._replace(edition=found.of(taken.games.start))
    basis = Basis(players.used, found.editions)
    sums, cut = add_up(basis, games), cut_games(basis, games)
    if cut is not None:
        np.add.at(sums.gain, cut.player, cut.gain)
    # A game may give a rating for a player; if the list has none, the game counts only for the first rating.
    sums.games[basis.rating == 0] = sums.gain[basis.rating == 0] = 0
    if given.sums is not None:
        places = players.lookup.places(given.sums.column("id").combine_chunks())
        sums.gain[places], sums.games[places] = (given.sums.column(name).to_numpy() for name in SUMMED)
    busy = np.zeros(0, np.int32) if given.busy is None else players.lookup.places_there(given.busy)
    changes = _changes(players, games, basis, sums, cut, rules, asked.on)
    carried = read_pool(given.pool, players, taken.events, asked.on, rejects)
    pool = Pool.joined([carried, newcomers_games(basis, games, taken.paces, rules, asked.on)])
    firsts = first_ratings(pool.part(pool.player < players.size), rules, chapter, asked.on)
    sides = k_of_sides(games, changes.k_used) if changes.k_of_sides is None and asked.detail else changes.k_of_sides
    detail = detail_of(basis, games, sides, cut, players.ids) if asked.detail and sides is not None else None
    # Each game once: where White is, or a busy White's opponent.
    counted = (games.white < players.size) | np.isin(games.white, busy)
    seen = forecast_of(basis, games, cut, counted) if asked.predict else None
    why = sums.why if given.guests is None else reasons(basis, games.part(counted))
    count, events = taken.given, taken.events
    del taken, games  # to free memory for the list
    busy_sums = _busy_sums(players, sums, busy) if given.busy is not None else None
    players, sums, changes = players.own, sums.first(players.size), changes.first(players.size)
    listed = _next_list(asked.on, system, players, sums, changes, firsts)
    return BulkRating(
        players=listed.table,
        games=detail,
        pool=firsts.pool.table(players.ids, events),
        rejected=rejects.table(),
        summary=PeriodSummary(
            system=asked.system.name,
            period=asked.period,
            since=asked.since.isoformat(),
            on=asked.on.isoformat(),
            games=count,
            rated=int(why[RATED]),
            not_rated={name: int(n) for name, n in zip(WHY_NOT[1:], why[1:], strict=True) if n},
            players=players.size,
            changed=int(np.count_nonzero(sums.games)),
            first_ratings=len(firsts.player),
            below_floor=listed.below_floor,
            converted=listed.converted,
            pool=firsts.pool.size,
            rejected=len(rejects),
            reasons=rejects.counts(),
        ),
        rules=rules_applied(rules, converted=listed.converted > 0),
        on=asked.on,
        forecast=seen,
        sums=busy_sums,
    )


def _days(games: GameColumns, on: date) -> tuple[date, date]:
    """The first and the last day on which an event began."""
    if games.start is None or not games.size:
        return on, on
    return day_of(games.start.min()), day_of(games.start.max())


def _busy_sums(players: PlayerColumns, sums: Sums, busy: Int32s) -> pa.Table:
    """The totals of busy players' games in this part."""
    columns = {name: getattr(sums, name)[busy] for name in SUMMED}
    return pa.table({"id": players.ids.take(pa.array(busy)), **columns})


class Changes(NamedTuple):
    """What the period does to every rated player."""

    k: Ints
    k_used: Int64s
    change: Int64s  # hundredths
    peak: Ints
    assumed: Bools
    rating: Ints  # after the period; −1 for none
    below: Bools  # whether it fell below the floor
    k_of_sides: Ints | None  # of both sides of every game, where K depends on the beginning of each tournament

    def first(self, players: int) -> Changes:
        """The changes of the first players."""
        return Changes(
            self.k[:players],
            self.k_used[:players],
            self.change[:players],
            self.peak[:players],
            self.assumed[:players],
            self.rating[:players],
            self.below[:players],
            self.k_of_sides,
        )


def _changes(
    players: PlayerColumns,
    games: GameColumns,
    basis: Basis,
    sums: Sums,
    cut: CutGames | None,
    rules: FideRules,
    on: date,
) -> Changes:
    """Every player's K, change and rounded change (8.3.2 to 8.3.4)."""
    published = _peak(players, games)
    peak = np.maximum(published, players.used) if rules.k_of_standard else published
    completed = np.where(_new_to_list(players, rules) & (players.games < 0), 0, players.games)
    k, assumed = _k(KTable.of(rules, on), players, peak, completed)
    sides = None
    if rules.k_at_start and games.white_rating is not None:
        sides, k = _k_at_start(KTable.of(rules, on), players, games, basis, completed, k)
    k_used = limited_k(k, sums.games, rules)
    change = k_used * sums.gain if sides is None else changes_by_game(basis, games, cut, sides)
    rounding = RoundingTable.of(rules.rounding.value.by)
    if rules.rounding.value.once_per == "period":
        rounded = rounding.round(change)
    else:
        by_side = k_of_sides(games, k_used) if sides is None else sides
        rounded = rounded_per_event(basis, games, cut, by_side, rounding)
    rated = sums.games > 0
    base = np.where(players.base >= 0, players.base, players.used)
    rating = np.where(rated, base + rounded, players.rating)
    below = _below(games, rating, rules.floor.value, rated)
    rating[below] = -1
    return Changes(k, k_used, change, np.where(rated, peak, published), assumed, rating, below, sides)


def _peak(players: PlayerColumns, games: GameColumns) -> Ints:
    """The highest known rating on this list: the given peak, the latest rating, or one used in an event."""
    peak = np.maximum(np.maximum(players.peak, players.rating), 0)
    if games.white_rating is not None and games.black_rating is not None:
        np.maximum.at(peak, games.white, games.white_rating)
        np.maximum.at(peak, games.black, games.black_rating)
    return peak


def _new_to_list(players: PlayerColumns, rules: FideRules) -> Bools:
    """Who counts as a newcomer because the standard rating is used; nobody if the standard list's K applies."""
    return players.stands_in & (not rules.k_of_standard)


def _k(table: KTable, players: PlayerColumns, peak: Ints, completed: Ints) -> tuple[Int16s, Bools]:
    """Every player's K, and whether it was assumed; a K on the list is used as it is."""
    k, assumed = table.look_up(peak, players.born, completed)
    given = players.k > 0
    return np.where(given, players.k, k).astype(np.int16), assumed & ~given


def _k_at_start(
    table: KTable, players: PlayerColumns, games: GameColumns, basis: Basis, completed: Ints, k: Int16s
) -> tuple[Ints, Int16s]:
    """K of both sides of every game by the rating at the beginning of its tournament, and every player's highest."""
    sides = []
    highest = np.zeros_like(k)
    for player, rating in zip((games.white, games.black), ratings(basis, games), strict=True):
        peak = np.maximum(np.maximum(players.peak[player], rating), 0)
        found, _ = table.look_up(peak, players.born[player], completed[player])
        given = players.k[player]
        sides.append(np.where(given > 0, given, found).astype(np.int64))
        np.maximum.at(highest, player, sides[-1].astype(k.dtype))
    return np.stack(sides), np.where(highest > 0, highest, k)


def _below(games: GameColumns, rating: Ints, floor: int, rated: Bools) -> Bools:
    """Whose rating fell below the floor, among those who played, even without a rated game (7.2.1)."""
    below = (rating >= 0) & (rating < floor)
    if (below & ~rated).any():
        played = rated.copy()
        played[games.white] = True
        played[games.black] = True
        return below & played
    return below


def newcomers_games(basis: Basis, games: GameColumns, paces: Sequence[Pace], rules: FideRules, on: date) -> Pool:
    """The games of unrated players against rated ones in this period; an approved time control fits."""
    unrated = basis.rating == 0
    if not unrated.any():
        return NO_GAMES
    minutes = np.array(
        [
            [*(hundredths_of(pace) for pace in paces), UNKNOWN],
            [*(UNKNOWN if fast_classic(pace, rules) is not None else hundredths_of(pace) for pace in paces), UNKNOWN],
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


def _score(half_points: int) -> Decimal:
    return Decimal(half_points) / 2


class ListAfter(NamedTuple):
    """The list after the period, and how many ratings fell below the floor or were converted."""

    table: pa.Table
    below_floor: int
    converted: int


def _next_list(
    on: date, system: System, players: PlayerColumns, sums: Sums, changes: Changes, firsts: FirstRatings
) -> ListAfter:
    """The list after the period: the old list with new ratings, and what the period did."""
    book = system.rulebook.of(FideRules)
    rated, rating = sums.games > 0, changes.rating.copy()
    rating[firsts.player] = firsts.rating
    completed = players.games.copy()
    completed[rated & _new_to_list(players, book.at(on)) & (completed < 0)] = 0
    completed = np.where(completed >= 0, completed + sums.games, completed)
    completed[firsts.player] = np.maximum(completed[firsts.player], 0) + firsts.games
    listed = on + timedelta(days=1)
    before, rating = rating, converted(system, rating, players.standard, listed)
    peak = np.maximum(changes.peak, rating)
    k_next, _ = _k(KTable.of(book.at(listed), listed), players, peak, completed)
    bits = np.zeros(players.size, dtype=np.int8)
    bits[firsts.player] |= NEW
    for which, flag in (
        (changes.below, BELOW_FLOOR),
        (rated & (changes.k_used < changes.k), K_REDUCED),
        (rated & changes.assumed, K_ASSUMED),
        (rated & players.stands_in, STANDARD_STOOD_IN),
        (before != rating, CONVERTED),
    ):
        bits[which] |= flag
    known = {name: numbers for name, numbers in players.numbers().items() if name in players.table.schema.names}
    table = players.table
    for name, column in {
        **{name: columns.numbers(column, pa.int16()) for name, column in known.items()},
        "rating": columns.numbers(rating, pa.int16()),
        "games": columns.numbers(completed, pa.int32()),
        "peak": columns.numbers(peak, pa.int16(), peak <= 0),
        "before": columns.numbers(players.rating, pa.int16()),
        "change": columns.hundredths(changes.change, ~rated),
        "rated": pa.array(sums.games, pa.int32()),
        "k_used": columns.numbers(changes.k_used, pa.int16(), ~rated),
        "k_next": columns.numbers(k_next, pa.int16(), rating < 0),
        "flags": columns.flags(bits, FLAGS),
    }.items():
        place = table.schema.get_field_index(name)
        table = table.append_column(name, column) if place < 0 else table.set_column(place, name, column)
    if "base" in table.schema.names:
        table = table.drop_columns(["base"])
    return ListAfter(table, int(changes.below.sum()), int((before != rating).sum()))


def rules_applied(rules: FideRules, *, converted: bool) -> tuple[Rule[object], ...]:
    """The rules of the last day; the rule for a conversion only if anything was converted."""
    every: tuple[Rule[object] | None, ...] = rules
    return tuple(rule for rule in every if rule is not None and (rule is not rules.one_off or converted))


def sums_suffice(asked: Request, system: System, columns: Sequence[str]) -> bool:
    """Whether the totals of a player's games are enough, so that the games need not be in one place.

    They are not if the rules look at the games of an event together, or at each game, or if a game gives a rating.
    """
    book = system.rulebook.of(FideRules)
    chapter, rules = system.base.removeprefix("fide-"), book.at(asked.on)
    if asked.detail or {"start", "white_rating", "black_rating"} & set(columns):
        return False
    found = editions(book, chapter, asked.since, asked.on, ())
    return rules.rounding.value.once_per == "period" and all(edition.one_cut is None for edition in found.editions)
