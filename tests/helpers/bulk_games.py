"""Random games and players, with every feature a rule depends on, for tests and benchmarks."""

from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
import pyarrow as pa

EPOCH = date(1970, 1, 1)
PACES = {
    "standard": ("90+30", "45+30", "60+30", "59+30", "30+30", "29+30", "75+15"),
    "rapid": ("15+10", "10", "25", "60", "10+5", "59", "15"),
    "blitz": ("3+2", "5", "3", "10", "9+2", "4"),
}
# Ratings at which some rule changes.
TURNS = (
    999,
    1000,
    1199,
    1200,
    1399,
    1400,
    1600,
    1799,
    1800,
    2199,
    2200,
    2299,
    2300,
    2399,
    2400,
    2600,
    2601,
    2649,
    2650,
)


class Drawn(NamedTuple):
    """A list, the games of a period, and the pool from before it."""

    players: pa.Table
    games: pa.Table
    pool: pa.Table


def draw(chapter, since, on, *, games, players, seed=1):
    """A period with events that began up to two months earlier; about one player in eleven is unrated."""
    chance = np.random.default_rng(seed)
    listed = _players(chance, players, chapter, on)
    played = _games(chance, games, listed, chapter, since, on)
    return Drawn(listed, played, _pool(chance, listed, played, on))


def newcomers(drawn):
    """The same for a system that needs no list: with deviations, and a tenth of the players not listed."""
    listed, size = drawn.players.slice(drawn.players.num_rows // 10), drawn.players.num_rows
    chance = np.random.default_rng(size)
    spread = {"deviation": chance.uniform(30, 350, size), "volatility": chance.uniform(0.04, 0.08, size)}
    columns = {name: pa.array(column[: listed.num_rows]) for name, column in spread.items()}
    players = pa.table({"id": listed["id"], "rating": listed["rating"], **columns})
    return Drawn(players, drawn.games.select(["white", "black", "result", "event", "round", "date", "how"]), drawn.pool)


def simple(games, players, *, seed=1, spread=350):
    """Only rated players and played games, with IDs far apart, for the benchmarks."""
    chance = np.random.default_rng(seed)
    ids = chance.permutation(np.unique(chance.integers(1, 250 * players, size=2 * players))[:players])
    rating = np.maximum(_ratings(chance, len(ids), spread), 1400).astype(np.int16)
    listed = pa.table(
        {
            "id": ids,
            "rating": rating,
            "born": chance.integers(1940, 2016, len(ids)).astype(np.int16),
            "games": chance.integers(0, 900, len(ids)).astype(np.int32),
            "peak": rating + np.int16(20),
        }
    )
    white, black = (chance.integers(0, len(ids), games, dtype=np.int32) for _ in range(2))
    black = np.where(black == white, (white + 1) % len(ids), black)
    first = (date(2026, 11, 1) - EPOCH).days
    day = np.sort(chance.integers(first, first + 30, games, dtype=np.int32))
    played = pa.table(
        {
            "white": ids[white],
            "black": ids[black],
            "result": chance.choice(np.array([0.0, 0.5, 1.0], dtype=np.float32), games),
            "event": np.arange(games, dtype=np.int32) // 90,
            "date": pa.array(day).cast(pa.date32()),
        }
    )
    return listed, played


def _ratings(chance, count, spread=350):
    ratings = np.clip(chance.normal(1850, spread, count), 1000, 2850).astype(np.int64)
    at_a_turn = chance.random(count) < 0.1
    return np.where(at_a_turn, chance.choice(TURNS, count), ratings)


def _players(chance, count, chapter, on):
    rating = _ratings(chance, count)
    born = chance.integers(on.year - 80, on.year - 5, count)
    young = chance.random(count) < 0.2
    born = np.where(young, on.year - chance.integers(16, 21, count), born)
    completed = np.where(chance.random(count) < 0.3, chance.integers(20, 36, count), chance.integers(0, 900, count))
    known = {
        "rating": _sometimes(chance, rating, 0.91),
        "k": _sometimes(chance, chance.integers(1, 61, count), 0.03),
        "born": _sometimes(chance, born, 0.9),
        "games": _sometimes(chance, completed, 0.9),
        "peak": _sometimes(chance, rating + chance.integers(-30, 200, count), 0.7),
        "base": _sometimes(chance, rating + chance.integers(-9, 10, count), 0.02),
    }
    if chapter != "standard":
        known["standard"] = _sometimes(chance, rating + chance.integers(-150, 150, count), 0.6)
    ids = chance.permutation(count) * 37 + 100_000
    return pa.table({"id": ids, **known, "name": [f"player {place}" for place in range(count)]})


def _sometimes(chance, values, share):
    return pa.array(values, mask=chance.random(len(values)) >= share)


def _games(chance, count, listed, chapter, since, on):
    players = listed.num_rows
    events = max(2, count // 60)
    length = (on - since).days
    last = (since - EPOCH).days + chance.integers(0, length + 1, events)
    began = last - chance.integers(0, 60, events)
    pace = chance.choice([None, *PACES[chapter]], events)
    event = chance.integers(0, events, count)
    # Some play a lot, so that the limit on K applies.
    busy = chance.random(count) < 0.1
    white = np.where(busy, chance.integers(0, max(2, players // 45), count), chance.integers(0, players, count))
    black = chance.integers(0, players, count)
    black = np.where(black == white, (white + 1) % players, black)
    ids, rating = listed["id"].to_numpy(), listed["rating"].fill_null(0).to_numpy()
    then = [_then(side, event, rating) for side in (white, black)]
    highest = np.zeros(events, dtype=np.int64)
    for side, known in zip((white, black), then, strict=True):
        np.maximum.at(highest, event, known.fill_null(0).to_numpy())
        np.maximum.at(highest, event, rating[side])
    return pa.table(
        {
            "white": ids[white],
            "black": ids[black],
            "result": pa.array(chance.choice(["1", "½", "0", "1-0", "1/2-1/2", "0.5", "+-", "0-1"], count)),
            "event": pa.array([f"event {number}" for number in range(events)]).take(pa.array(event)),
            "round": np.arange(count),
            "date": _days(last[event]),
            "start": _days(began[event]),
            "time": pa.array(pace[event].tolist(), pa.string()),
            "how": pa.array(chance.choice(["played", None, "forfeit", "bye"], count, p=[0.9, 0.07, 0.02, 0.01])),
            "white_rating": then[0],
            "black_rating": then[1],
            "approved": pa.array((event % 3 == 0).tolist()),
            "highest": highest[event],
        }
    )


def _then(player, event, rating):
    """A player's rating at the start of an event, if it was different: the same in all games of the event."""
    lot = (player * 7919 + event * 104_729) % 1000
    then = np.clip(np.where(rating[player] > 0, rating[player], 1900) + lot - 20, 1000, 2900)
    return pa.array(then, mask=lot >= 40)


def _pool(chance, listed, played, on):
    """Games of unrated players in the three years before, some in events that continue."""
    ids = listed["id"].to_numpy()[listed["rating"].is_null().to_numpy(zero_copy_only=False)]
    count = 8 * len(ids)
    player = chance.choice(ids, count)
    event = (player * 13 + chance.integers(0, 3, count)) % 400  # a few events each
    names = [f"event {number}" if number < 20 else f"earlier {number}" for number in range(400)]
    paces = dict(zip(played["event"].to_pylist(), played["time"].to_pylist(), strict=True))
    minutes = chance.choice([None, 120, 90, 60, 30, 15, 10, 5], 400)
    minutes = [_minutes(paces[name]) if name in paces else own for name, own in zip(names, minutes, strict=True)]
    return pa.table(
        {
            "player": player,
            "event": pa.array(names).take(pa.array(event)),
            "start": _days((on - timedelta(days=30) - EPOCH).days - event * 3),
            "opponent": _ratings(chance, count),
            "half_points": chance.integers(0, 3, count),
            "minutes": pa.array(minutes, pa.int32()).take(pa.array(event)),
        }
    )


def _minutes(pace):
    return None if pace is None else sum(int(part) for part in pace.split("+"))


def _days(days):
    return pa.array(days.astype(np.int32)).cast(pa.date32())
