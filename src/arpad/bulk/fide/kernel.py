"""The array kernel: what the games of a period add up to for every player, in integer hundredths of a point.

A game's gain is a hundred times score minus expected score; the sums are multiplied by K at the end, because it is the
same for the whole period. The rules are tables (`lookups`): the kernel looks up, subtracts and adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.fide.lookups import HUNDRED, REACH
from arpad.bulk.tables.columns import begins, hundredths, numbers, words_of
from arpad.bulk.tally import Forecast
from arpad.core import HIGHEST_RATING

if TYPE_CHECKING:
    from arpad.bulk.fide.lookups import EditionTables, RoundingTable, TimeControls
    from arpad.bulk.tables.columns import Bools, Int8s, Int16s, Int32s, Int64s, Ints
    from arpad.bulk.tables.games import GameColumns


HALF_POINT = 50
ONE = 1 << 32  # games and gains are added in one number: games above this bit, gains below

RATED, UNPLAYED, UNRATED, TIME_CONTROL, TOO_FAR = range(5)
WHY_NOT = ("rated", "unplayed", "unrated", "time_control", "too_far")
WHITE, BLACK = 0, 1


class Basis(NamedTuple):
    """Every player's rating, 0 for unrated, and the editions for the games."""

    rating: Int32s
    editions: tuple[EditionTables, ...]


class Gains(NamedTuple):
    """The gain of each side of some games, and why some are not rated."""

    white: Int16s
    black: Int16s
    why: Int8s


class Sums(NamedTuple):
    """The totals: gains and rated games of every player, and how many games count, or why not."""

    gain: Int64s
    games: Int32s
    why: Int64s

    def first(self, players: int) -> Sums:
        """The totals of the first players."""
        return Sums(self.gain[:players], self.games[:players], self.why)


def add_up(basis: Basis, games: GameColumns) -> Sums:
    """Gains and rated games of every player."""
    both = np.zeros(len(basis.rating), dtype=np.int64)
    why = np.zeros(len(WHY_NOT), dtype=np.int64)
    for block in games.blocks():
        weighed = weigh(basis, block)
        rated = weighed.why == RATED
        all_rated = rated.all()
        why += [block.size, 0, 0, 0, 0] if all_rated else np.bincount(weighed.why, minlength=len(WHY_NOT))
        for player, gain in ((block.white, weighed.white), (block.black, weighed.black)):
            value = gain.astype(np.int64)
            value += ONE
            if not all_rated:
                value *= rated
            np.add.at(both, player, value)
    count = (both + ONE // 2) >> 32
    return Sums(both - count * ONE, count.astype(np.int32), why)


def reasons(basis: Basis, games: GameColumns) -> Int64s:
    """How many of these games are rated, and how many are not for each reason."""
    return sum(
        (np.bincount(weigh(basis, block).why, minlength=len(WHY_NOT)) for block in games.blocks()),
        np.zeros(len(WHY_NOT), dtype=np.int64),
    )


def weigh(basis: Basis, games: GameColumns) -> Gains:
    """The gain of each side of some games, by the edition of each."""
    white, black = ratings(basis, games)
    if games.edition is None:
        return _weigh(basis.editions[0], games, white, black)
    gain, loss = np.zeros(games.size, np.int16), np.zeros(games.size, np.int16)
    why = np.zeros(games.size, np.int8)
    for place in np.unique(games.edition):
        rows = np.flatnonzero(games.edition == place)
        part = _weigh(basis.editions[place], games.part(rows), white[rows], black[rows])
        gain[rows], loss[rows], why[rows] = part
    return Gains(gain, loss, why)


def ratings(basis: Basis, games: GameColumns) -> tuple[Ints, Ints]:
    """The ratings used for the two sides of each game."""
    white, black = basis.rating[games.white], basis.rating[games.black]
    if games.white_rating is None or games.black_rating is None:
        return white, black
    return (
        np.where(games.white_rating > 0, games.white_rating, white),
        np.where(games.black_rating > 0, games.black_rating, black),
    )


def _weigh(edition: EditionTables, games: GameColumns, white: Ints, black: Ints) -> Gains:
    """Games under one edition."""
    difference = white - black
    score = games.half_points * np.int16(HALF_POINT)
    gain = score - edition.expected[0][difference + REACH]
    loss = -gain
    higher = np.maximum(white, black)
    if edition.varies_from <= HIGHEST_RATING:
        top = np.flatnonzero(higher >= edition.varies_from)
        gap, own, other = difference[top], edition.times.level[white[top]], edition.times.level[black[top]]
        gain[top] = score[top] - edition.expected[own, REACH + gap]
        loss[top] = HUNDRED - score[top] - edition.expected[other, REACH - gap]
    return Gains(gain, loss, _why(edition, games, np.minimum(white, black) <= 0, higher, difference))


def _why(edition: EditionTables, games: GameColumns, unrated: Bools, higher: Ints, difference: Ints) -> Int8s:
    """Why games are not rated; the reason that takes precedence is set last."""
    why = np.zeros(games.size, dtype=np.int8)
    if edition.too_far is not None:
        why[edition.too_far[edition.times.level[higher], np.abs(difference)]] = TOO_FAR
    if games.pace is not None:
        why[~_fits(edition.times, games, games.pace, higher)] = TIME_CONTROL
    why[unrated] = UNRATED
    if games.unplayed is not None:
        why[games.unplayed] = UNPLAYED
    return why


def _fits(times: TimeControls, games: GameColumns, pace: Int16s, higher: Ints) -> Bools:
    """Whether each game has enough time for the higher of the two ratings, or for the highest of the tournament."""
    if games.highest is not None and times.by_tournament:
        higher = np.maximum(higher, games.highest)
    fits: Bools = times.fits[pace, times.level[higher]]
    return fits if games.approved is None else fits | (games.approved & times.approved[pace])


class CutGames(NamedTuple):
    """The sides of games cut by the 400-point rule where it is for one game of an event, and what each saves."""

    game: Int64s
    side: Int8s
    player: Ints
    gain: Int64s


def cut_games(basis: Basis, games: GameColumns) -> CutGames | None:
    """The game with the largest gap in each player's event, the first of equals; None if the rule is for every game."""
    if not games.size or all(edition.one_cut is None for edition in basis.editions):
        return None
    parts, first = [], 0
    for block in games.blocks():
        parts.append(_candidates(basis, block, first))
        first += block.size
    game, side, gap, gain = (np.concatenate(column) for column in zip(*parts, strict=True))
    player = np.where(side == WHITE, games.white[game], games.black[game])
    event = games.events()[game]
    order = np.lexsort((game, -gap, event, player))
    largest = order[begins(player[order], event[order])]
    return CutGames(*(column[largest] for column in (game, side, player, gain)))


def _candidates(basis: Basis, games: GameColumns, first: int) -> tuple[Ints, Ints, Ints, Ints]:
    """The sides of rated games to which the rule could apply: the game, the side, the gap and what it would save."""
    white, black = ratings(basis, games)
    rated = weigh(basis, games).why == RATED
    found: list[tuple[Ints, Ints, Ints, Ints]] = []
    for place, edition in enumerate(basis.editions):
        if edition.one_cut is None:
            continue
        here = rated if games.edition is None else rated & (games.edition == place)
        for side, own, gap in ((WHITE, white, white - black), (BLACK, black, black - white)):
            size = edition.one_cut.gap[gap + REACH].astype(np.int32)
            rows = np.flatnonzero(here & (size > 0))
            saves = edition.one_cut.saves[edition.times.level[own[rows]], gap[rows] + REACH]
            found.append((rows + first, np.full(len(rows), side, np.int8), size[rows], saves.astype(np.int64)))
    game, sides, gaps, saved = (np.concatenate(column) for column in zip(*found, strict=True))
    return game, sides, gaps, saved


def gains(basis: Basis, games: GameColumns, cut: CutGames | None) -> tuple[Int64s, Int8s]:
    """The gain of both sides of every game, White's in the first row, and why some games are not rated."""
    parts = [weigh(basis, block) for block in games.blocks()]
    if not parts:
        return np.zeros((2, 0), dtype=np.int64), np.zeros(0, dtype=np.int8)
    white, black, why = (np.concatenate(column) for column in zip(*parts, strict=True))
    both = np.stack([white, black]).astype(np.int64)
    if cut is not None:
        both[cut.side, cut.game] += cut.gain
    return both, why


def k_of_sides(games: GameColumns, k: Ints) -> Ints:
    """The K of both sides of every game, White's in the first row."""
    return np.stack([k[games.white], k[games.black]])


def rounded_per_event(basis: Basis, games: GameColumns, cut: CutGames | None, k: Ints, by: RoundingTable) -> Int64s:
    """The changes of each player's events, rounded separately and added up, for a reading that requires it."""
    both, why = gains(basis, games, cut)
    both *= k * (why == RATED)
    player = np.concatenate([games.white, games.black])
    event = np.tile(games.events(), BLACK + 1)
    order = np.lexsort((event, player))
    rounded = np.zeros(len(basis.rating), dtype=np.int64)
    if len(order):
        began = begins(player[order], event[order])
        player = player[order][began]
        np.add.at(rounded, player, by.round(np.add.reduceat(both.ravel()[order], began)))
    return rounded


def changes_by_game(basis: Basis, games: GameColumns, cut: CutGames | None, k: Ints) -> Int64s:
    """Every player's change, where K differs from event to event."""
    both, why = gains(basis, games, cut)
    both *= k * (why == RATED)
    change = np.zeros(len(basis.rating), dtype=np.int64)
    np.add.at(change, games.white, both[WHITE])
    np.add.at(change, games.black, both[BLACK])
    return change


def forecast_of(basis: Basis, games: GameColumns, cut: CutGames | None, counted: Bools) -> Forecast:
    """The forecast of the counted games; one that is not rated has no expected score, and nobody on a list is new."""
    both, why = gains(basis, games, cut)
    score = games.half_points.astype(np.int64) * HALF_POINT
    white, black = (np.where(rating > 0, rating, np.nan) for rating in ratings(basis, games))
    expected = np.where(why == RATED, (score - both[WHITE]) / HUNDRED, np.nan)
    return Forecast.of_system(expected, score / HUNDRED, np.zeros(games.size, bool), white, black).where(counted)


def detail_of(basis: Basis, games: GameColumns, k: Ints, cut: CutGames | None, ids: pa.Array) -> pa.Table:
    """A row per game, in the order given: ratings, expected scores and changes of both sides."""
    both, why = gains(basis, games, cut)
    sides = [ratings(basis, block) for block in games.blocks()]
    rated, unrated = why == RATED, why != RATED
    score = games.half_points.astype(np.int64) * HALF_POINT
    row = np.arange(games.size) if games.row is None else games.row
    columns = {
        "row": pa.array(row + 1),
        "white": ids.take(pa.array(games.white)),
        "black": ids.take(pa.array(games.black)),
    }
    for side, name, points in ((WHITE, "white", score), (BLACK, "black", 2 * HALF_POINT - score)):
        rating = np.concatenate([pair[side] for pair in sides]) if sides else np.zeros(0, np.int64)
        columns |= {
            f"{name}_rating": numbers(rating, pa.int16(), rating <= 0),
            f"{name}_score": hundredths(points, np.zeros(games.size, dtype=bool)),
            f"{name}_expected": hundredths(points - both[side], unrated),
            f"{name}_change": hundredths(k[side] * both[side], unrated),
        }
    return pa.table(columns | {"rated": pa.array(rated), "why": words_of(why, WHY_NOT)})
