"""Random events, the same ones every time, with invented players."""

import random
from datetime import date
from decimal import Decimal

from arpad import Entrant, Pace, Player, Round, Tournament

SCORES = (Decimal(1), Decimal("0.5"), Decimal(0))


def random_open(players, *, rounds=9, seed=1):
    """An open with so many players, some unrated, and with some forfeits and short games."""
    chance = random.Random(seed)  # noqa: S311  # an event, not a secret
    ratings = [
        None if chance.random() < 0.06 else max(1400, min(2700, int(chance.gauss(1900, 250)))) for _ in range(players)
    ]
    rows = [[] for _ in range(players)]
    for _ in range(rounds):
        order = sorted(range(players), key=lambda no: (-sum(round.score for round in rows[no]), chance.random()))
        if players % 2:
            rows[order.pop()].append(Round("allocated-bye", score=Decimal(1)))
        for white, black in zip(order[::2], order[1::2], strict=True):
            kind = chance.choices(["played", "forfeit", "short"], [97, 2, 1])[0]
            score = chance.choice(SCORES) if kind == "played" else Decimal(1)
            rows[white].append(Round(kind, black + 1, "white", score))
            rows[black].append(Round(kind, white + 1, "black", 1 - score))
    return Tournament(
        tuple(
            Entrant(
                no,
                Player(rating, birth_year=chance.choice([None, 1960, 1985, 2010, 2014]), name=f"Player, Number {no}"),
                tuple(row),
                points=sum((round.score for round in row), Decimal(0)),
            )
            for no, (rating, row) in enumerate(zip(ratings, rows, strict=True), start=1)
        ),
        name="Riverside Open",
        start=date(2026, 10, 3),
        end=date(2026, 10, 11),
        rounds=rounds,
        pace=Pace(90, 30),
    )
