"""A rating period on one machine: lists and games in, the next list out (8.3)."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk import answer as answers
from arpad.bulk.answer import BulkRating
from arpad.bulk.conversions import converted
from arpad.bulk.detail import detail_of
from arpad.bulk.intake import Span, read_games
from arpad.bulk.kernel import RATED, WHY_NOT, Basis, Cut, Games, Sums, largest_gaps
from arpad.bulk.kernel import sums as sums_in_arrays
from arpad.bulk.method_period import rate_by_method
from arpad.bulk.methods import Method
from arpad.bulk.per_event import rounded_per_event
from arpad.bulk.pool import FirstRatings, first_ratings, newcomers_games, read_pool
from arpad.bulk.rejects import Rejects
from arpad.bulk.roster import NOBODY, Roster, read_roster
from arpad.bulk.rulings import HUNDRED, KFacts, day_of, development_coefficient, editions, ruling
from arpad.bulk.source import Input
from arpad.bulk.whole import ROUNDINGS
from arpad.errors import BadInput
from arpad.rulebooks.rulebook import Rule
from arpad.systems.base import System
from arpad.systems.fide.rules import FideRules


class Task(NamedTuple):
    """What is to be rated: tables, a system, and the days of the period."""

    games: list[Input]
    players: list[Input]
    pool: list[Input]
    system: System | Method
    since: date
    on: date
    columns: dict[str, dict[str, str]]
    detail: bool = False


class Changes(NamedTuple):
    """What the period does to every player who was rated."""

    k: Any
    k_used: Any
    change: Any
    peak: Any
    assumed: Any
    rating: Any  # after the period; −1 for none
    below: Any  # whether it fell below the floor


def rate_locally(asked: Task) -> BulkRating:
    """The period, rated with arrays on this machine."""
    if isinstance(asked.system, Method):
        return rate_by_method(asked, asked.system)
    answer = rate_tables(asked, asked.system)
    if not answer.players.num_rows:
        raise BadInput(NOBODY, at="players")
    return answer


def rate_tables(asked: Task, system: System) -> BulkRating:
    """The period of one of FIDE's lists, or a part of it, even if nobody is in it."""
    book, chapter = system.rulebook, system.base.removeprefix("fide-")
    rules: FideRules = book.at(asked.on)
    rejects = Rejects()
    roster = read_roster(asked.players, asked.columns["players"], rejects)
    span = Span(asked.since, asked.on, book.covered_from)
    taken = read_games(asked.games, asked.columns["games"], roster, span, rejects)
    first, last = _days(taken.games, asked.on)
    found = editions(book, chapter, first, last)
    games = taken.games if taken.games.start is None else taken.games._replace(edition=found.of(taken.games.start))
    basis = Basis(roster.used, found.editions, taken.paces)
    sums, cut = kernel(games)(basis, games), largest_gaps(basis, games)
    if cut is not None:
        np.add.at(sums.gain, cut.player, cut.gain)
    # A game may name a rating that somebody had; without one on the list it is for the first rating alone.
    sums.games[basis.rating == 0] = sums.gain[basis.rating == 0] = 0
    changes = _changes(roster, games, basis, sums, cut, rules, asked.on)
    pool = read_pool(asked.pool, roster, taken.events, asked.on, rejects)
    pool = pool.and_then(newcomers_games(basis, games, asked.on))
    firsts = first_ratings(pool, rules, ruling(rules, chapter), asked.on)
    ids = roster.table.column("id").combine_chunks()
    detail = detail_of(basis, games, changes.k_used, cut, ids) if asked.detail else None
    given, events = taken.given, taken.events
    del taken, games  # they have done their work and make room for the list
    players, counts = _next_list(asked, roster, sums, changes, firsts)
    return BulkRating(
        players,
        detail,
        firsts.pool.table(ids, events),
        rejects.table(),
        _summary(asked, roster, given, sums, counts, firsts, rejects),
        rules_applied(rules, converted=counts["converted"] > 0),
        asked.on,
    )


def rules_applied(rules: FideRules, *, converted: bool) -> tuple[Rule[Any], ...]:
    """The rules of the last day; the one for a conversion only if it did anything."""
    return tuple(rule for rule in rules if rule is not None and (rule is not rules.one_off or converted))


WORTH_COMPILING = 3_000_000  # games: below this the compiler takes longer to load than it saves


def kernel(games: Games) -> Callable[[Basis, Games], Sums]:
    """The compiled kernel where numba is installed and there are games enough, else the array kernel."""
    if games.size < WORTH_COMPILING:
        return sums_in_arrays
    try:
        from arpad.bulk import compiled
    except (ImportError, RuntimeError):  # no numba, or no folder in which it can keep what it compiled
        return sums_in_arrays
    return compiled.sums


def _days(games: Games, on: date) -> tuple[date, date]:
    """The first and the last day on which an event began."""
    if games.start is None or not games.size:
        return on, on
    return day_of(games.start.min()), day_of(games.start.max())


def _changes(
    roster: Roster, games: Games, basis: Basis, sums: Sums, cut: Cut | None, rules: FideRules, on: date
) -> Changes:
    """Everybody's K, the change, and the change rounded (8.3.2 to 8.3.4)."""
    peak = _peak(roster, games)
    completed = np.where(roster.stands_in & (roster.games < 0), 0, roster.games)
    k, assumed = development_coefficient(rules.k.value, KFacts(peak, roster.born, completed), on.year)
    k = np.where(roster.k > 0, roster.k, k)
    k_used = k
    if rules.k_limit is not None:
        limit = rules.k_limit.value
        k_used = np.where(k * sums.games > limit, limit // np.maximum(sums.games, 1), k)
    change = k_used * sums.gain  # in 64 bits, as the gains are
    by, once_per = rules.rounding.value
    if once_per == "period":
        rounded = ROUNDINGS[by](change, HUNDRED)
    else:
        rounded = rounded_per_event(basis, games, cut, k_used, ROUNDINGS[by])
    rated = sums.games > 0
    base = np.where(roster.base >= 0, roster.base, roster.used)
    rating = np.where(rated, base + rounded, roster.rating)
    below = _below(games, rating, rules.floor.value, rated)
    rating[below] = -1
    return Changes(k, k_used, change, peak, assumed & (roster.k <= 0), rating, below)


def _peak(roster: Roster, games: Games) -> Any:
    """The highest rating published on this list as far as known: given, the latest, or one an event was played with."""
    peak = np.maximum(np.maximum(roster.peak, roster.rating), 0)
    if games.white_rating is not None:
        np.maximum.at(peak, games.white, games.white_rating)
        np.maximum.at(peak, games.black, games.black_rating)
    return peak


def _next_list(
    asked: Task,
    roster: Roster,
    sums: Sums,
    changes: Changes,
    firsts: FirstRatings,
) -> tuple[pa.Table, dict[str, int]]:
    """The list after the period: what was there, with new ratings, and what the period did; and what it counts."""
    rated, rating = sums.games > 0, changes.rating.copy()
    rating[firsts.player] = firsts.rating
    completed = roster.games.copy()
    completed[rated & roster.stands_in & (completed < 0)] = 0
    completed = np.where(completed >= 0, completed + sums.games, completed)
    completed[firsts.player] = np.maximum(completed[firsts.player], 0) + firsts.games
    listed = asked.on + timedelta(days=1)
    before, rating = rating, converted(asked.system.rulebook, rating, roster.standard, listed)
    peak = np.maximum(changes.peak, rating)
    next_rules: FideRules = asked.system.rulebook.at(listed)
    k_next, _ = development_coefficient(next_rules.k.value, KFacts(peak, roster.born, completed), listed.year)
    k_next = np.where(roster.k > 0, roster.k, k_next)
    bits = np.zeros(roster.size, dtype=np.int8)
    bits[firsts.player] |= answers.NEW
    for which, flag in (
        (changes.below, answers.BELOW_FLOOR),
        (rated & (changes.k_used < changes.k), answers.K_REDUCED),
        (rated & changes.assumed, answers.K_ASSUMED),
        (rated & roster.stands_in, answers.STANDARD_STOOD_IN),
        (before != rating, answers.CONVERTED),
    ):
        bits[which] |= flag
    known = {name: numbers for name, numbers in roster.numbers().items() if name in roster.table.schema.names}
    table = roster.table
    for name, column in {
        **{name: answers.numbers(column, pa.int16()) for name, column in known.items()},
        "rating": answers.numbers(rating, pa.int16()),
        "games": answers.numbers(completed, pa.int32()),
        "peak": answers.numbers(peak, pa.int16(), peak <= 0),
        "before": answers.numbers(roster.rating, pa.int16()),
        "change": answers.hundredths(changes.change, ~rated),
        "rated": pa.array(sums.games, pa.int32()),
        "k_used": answers.numbers(changes.k_used, pa.int16(), ~rated),
        "k_next": answers.numbers(k_next, pa.int16(), rating < 0),
        "flags": answers.flags(bits),
    }.items():
        place = table.schema.get_field_index(name)
        table = table.append_column(name, column) if place < 0 else table.set_column(place, name, column)
    if "base" in table.schema.names:
        table = table.drop_columns(["base"])
    return table, {"below_floor": int(changes.below.sum()), "converted": int((before != rating).sum())}


def _below(games: Games, rating: Any, floor: int, rated: Any) -> Any:
    """Whose rating fell below the floor: of those who played, even without a rated game (7.2.1)."""
    below = (rating >= 0) & (rating < floor)
    if (below & ~rated).any():
        played = rated.copy()
        played[games.white] = True
        played[games.black] = True
        return below & played
    return below


def _summary(
    asked: Task,
    roster: Roster,
    given: int,
    sums: Sums,
    counts: dict[str, int],
    firsts: FirstRatings,
    rejects: Rejects,
) -> dict[str, Any]:
    """What came in, and what became of it."""
    return {
        **answers.head_of(asked.system.name, asked.since, asked.on),
        "games": given,
        "rated": int(sums.why[RATED]),
        "not_rated": {name: int(n) for name, n in zip(WHY_NOT[1:], sums.why[1:], strict=True) if n},
        "players": roster.size,
        "changed": int(np.count_nonzero(sums.games)),
        "first_ratings": len(firsts.player),
        **counts,
        "pool": firsts.pool.size,
        "rejected": len(rejects),
        "reasons": rejects.counts(),
    }
