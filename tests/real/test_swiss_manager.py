"""Swiss-Manager's Rp beside ours: two events with 55 players, printed by chess-results."""

import csv
from collections import defaultdict
from datetime import date
from decimal import Decimal

import arpad
from arpad import Game
from conftest import shared

SCORES = {"1": Decimal(1), "½": Decimal("0.5"), "0": Decimal(0)}  # byes and forfeits are written otherwise
ON = date(2025, 9, 1)


def test_rp_is_the_plain_performance_with_national_ratings_where_there_are_no_others():
    """Two Moscow cups of 2025: TPR from the international, else the national rating, without a rule of 400 points."""
    folder = shared("data/tournaments")
    with (folder / "chess_results_cao_cups_2025_players.csv").open(encoding="utf-8") as file:
        players = {(row["event"], row["start_no"]): row for row in csv.DictReader(file)}
    ratings = {key: int(row["rating_int"] or 0) or int(row["rating_nat"]) for key, row in players.items()}
    games = defaultdict(list)
    with (folder / "chess_results_cao_cups_2025_games.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["result"] in SCORES:
                opponent = ratings[row["event"], row["opp_start_no"]]
                games[row["event"], row["start_no"]].append(Game(opponent, SCORES[row["result"]]))
    found = {key: arpad.performance(played, on=ON, method="tpr").performance for key, played in games.items()}
    assert len(found) == 55
    assert found == {key: int(players[key]["rp"]) for key in found}
