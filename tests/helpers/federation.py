"""The log of an invented federation: everybody with a rating at the beginning, then event after event."""

import random
from datetime import date, timedelta

from arpad.ledger.decisions import Decision, canonical
from arpad.ledger.rating import usual_period

AT = "2026-11-18T12:00:00+00:00"
STARTS = {"elo": "1500", "ecf": "1500"}
SETTINGS = {"glicko": {"c": "35"}}
FIRST_DAYS = {"dwz": date(2023, 1, 2), "ecf": date(2022, 7, 1)}  # the rules are known from then on
OTHER = {"1": "0", "0.5": "0.5", "0": "1"}


def log_of(system, *, events, players, field=30, rounds=5, seed=36, period=None, odd=False):
    """A log with an event a day, or four where the rules are young; odd ones also have newcomers, byes and forfeits."""
    chance = random.Random(seed)  # noqa: S311  # invented events
    pool = {"name": "main", "system": system, "settings": SETTINGS.get(system, {})}
    pool |= {"period": period or usual_period(system)}
    pool |= {"start": STARTS[system]} if system in STARTS else {}
    people = [{"id": f"P{no}", "name": f"Player {no}", "born": 1950 + no % 55} for no in range(1, players + 1)]
    strength = {f"P{no}": chance.gauss(1700, 250) for no in range(1, players + 1)}
    first = FIRST_DAYS.get(system, date(2016, 1, 2))
    ratings = [
        {"person": id, "pool": "main", "day": first.isoformat(), "facts": {"rating": str(max(1400, round(value)))}}
        for id, value in strength.items()
        if not odd or chance.random() < 0.8
    ]
    bodies = [("pool", pool), ("people", {"people": people, "ratings": ratings})]
    for number in range(events):
        playing = chance.sample(people, field)
        start = first + timedelta(days=number if first.year < 2020 else number // 4)
        end = start + timedelta(days=2)
        about = {"name": f"Event {number}", "pool": "main", "start": start.isoformat(), "end": end.isoformat()}
        entries = [
            {"person": one["id"], "reported": {"no": no, "name": one["name"], "born": one["born"]}}
            for no, one in enumerate(playing, start=1)
        ]
        games = games_of([strength[one["id"]] for one in playing], rounds, chance, odd=odd)
        bodies.append(("accept", {"event": about, "entries": entries, "games": games, "people": []}))
    return [decision(number, kind, body) for number, (kind, body) in enumerate(bodies, start=1)]


def games_of(strength, rounds, chance, *, odd):
    """Rounds of random pairings, with results by strength."""
    games = []
    for number in range(1, rounds + 1):
        order = chance.sample(range(1, len(strength) + 1), len(strength))
        for white, black in zip(order[::2], order[1::2], strict=True):
            expected = 1 / (1 + 10 ** ((strength[black - 1] - strength[white - 1]) / 400))
            (score,) = chance.choices(("1", "0.5", "0"), (expected, 0.3, 1 - expected))
            how = "forfeit" if odd and score != "0.5" and chance.random() < 0.05 else "played"
            games.append([number, white, black, score, OTHER[score], how])
        if odd and chance.random() < 0.3:
            games[-1] = [number, order[-1], None, "1", "0", "full-bye"]
    return games


def decision(number, kind, body):
    """A decision without its seal."""
    return Decision(number, kind, "Ann", AT, "", number - 1, canonical(body))
