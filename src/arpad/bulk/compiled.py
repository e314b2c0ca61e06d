"""The array kernel as one compiled loop, where numba is installed; the same sums as `kernel.sums`."""

from typing import Any

import numba
import numpy as np

from arpad.bulk.kernel import HALF_POINT, RATED, TIME_CONTROL, TOO_FAR, UNPLAYED, UNRATED, WHY_NOT, Basis, Games, Sums
from arpad.bulk.rulings import REACH, Ruling
from arpad.core import HIGHEST_RATING

RATING, GAIN, GAMES = range(3)
OWN_UNDER, GAP, ABOVE = range(3)


def sums(basis: Basis, games: Games) -> Sums:
    """Gains and rated games of every player."""
    editions = basis.editions
    # Rating, gain and games of a player lie side by side, so that one look into memory finds all three.
    standing = np.zeros((len(basis.rating), 4), dtype=np.int32)
    standing[:, RATING] = basis.rating
    limits = [(_own_under(one), one.gap, one.above) for one in editions]
    why = _loop(
        standing,
        games.white,
        games.black,
        games.half_points,
        _column(games.edition, np.uint8),
        _column(games.pace, np.int16),
        _column(games.unplayed, np.bool_),
        _column(games.white_rating, np.int16),
        _column(games.black_rating, np.int16),
        np.stack([one.expected for one in editions]),
        np.stack([one.other for one in editions]),
        np.array(limits, dtype=np.int32),
        np.stack([one.band for one in editions]),
        _fits(basis),
    )
    return Sums(standing[:, GAIN].astype(np.int64), standing[:, GAMES].copy(), why)


def _own_under(edition: Ruling) -> int:
    """The rating from which every game is counted in full; where one game of an event is cut, they all are already."""
    return HIGHEST_RATING + 1 if edition.one_of_an_event else edition.own_under


def _column(column: Any, kind: Any) -> Any:
    return np.zeros(0, dtype=kind) if column is None else column.astype(kind, copy=False)


def _fits(basis: Basis) -> Any:
    """Which time controls fit, by edition, control and band; editions with fewer bands are filled up."""
    fits = [basis.slow_enough(place) for place in range(len(basis.editions))]
    most = max(one.shape[1] for one in fits)
    return np.stack([np.pad(one, ((0, 0), (0, most - one.shape[1]))) for one in fits])


@numba.njit(cache=True, nogil=True)
def _loop(
    standing: Any,
    white: Any,
    black: Any,
    half_points: Any,
    edition: Any,
    pace: Any,
    unplayed: Any,
    white_rating: Any,
    black_rating: Any,
    expected: Any,
    other: Any,
    limits: Any,
    band: Any,
    fits: Any,
) -> Any:
    """Add every game's gains to the standing of its players, and count why games are not rated."""
    counts = np.zeros(len(WHY_NOT), dtype=np.int64)
    for game in range(len(white)):
        me, you = white[game], black[game]
        own, opponent = standing[me, RATING], standing[you, RATING]
        if len(white_rating):
            own = white_rating[game] if white_rating[game] > 0 else own
            opponent = black_rating[game] if black_rating[game] > 0 else opponent
        place = edition[game] if len(edition) else 0
        difference, higher = own - opponent, max(own, opponent)
        why = RATED
        if len(unplayed) and unplayed[game]:
            why = UNPLAYED
        elif own <= 0 or opponent <= 0:
            why = UNRATED
        elif len(pace) and not fits[place, pace[game], band[place, higher]]:
            why = TIME_CONTROL
        elif higher > limits[place, ABOVE] and abs(difference) >= limits[place, GAP]:
            why = TOO_FAR
        counts[why] += 1
        if why == RATED:
            score = half_points[game] * HALF_POINT
            won = lost = score - expected[place, difference + REACH]
            own_under = limits[place, OWN_UNDER]
            if higher >= own_under:
                full = score - other[place, difference + REACH]
                won = full if own >= own_under else won
                lost = full if opponent >= own_under else lost
            standing[me, GAIN] += won
            standing[me, GAMES] += 1
            standing[you, GAIN] -= lost
            standing[you, GAMES] += 1
    return counts
