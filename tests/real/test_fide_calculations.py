"""Every game of FIDE's own published calculations in ../shared/data/fide, through the library and the command line."""

import csv
import re
from datetime import date
from decimal import Decimal
from itertools import groupby

import pytest

from conftest import shared
from doors import DOORS, figures

CAP = 400


def rows(name):
    with shared(f"data/fide/{name}").open(encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def events(name, *keys):
    """The games of a file, by player and event."""
    lines = sorted(rows(name), key=lambda row: [row[key] for key in keys])
    return [pytest.param(list(games), id=" ".join(key)) for key, games in
            groupby(lines, key=lambda row: tuple(row[key] for key in keys))]  # fmt: skip


def as_played(games, own):
    """The opponents' ratings, with the one FIDE printed after the 400-point rule put back.

    In these years one game of an event could be capped, the one with the largest gap; FIDE prints that opponent as own
    rating minus 400. The true rating is not printed, but it must have been lower than any other, so it is set so.
    """
    ratings = [int(game["opp_rating_used"]) for game in games]
    capped = own - CAP
    if capped in ratings and min(ratings) < capped:
        ratings[ratings.index(capped)] = min(ratings) - 1
    return ratings


def rated(door, system, on, games):
    own = int(games[0]["own_rating"])
    results = [f"{r}:{g['score']}" for r, g in zip(as_played(games, own), games, strict=True)]
    ask = {"rating": own, "games": results, "k": int(games[0]["k"])}
    return door(system, {"do": "rate", "on": on, "ask": ask})


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("games", events("fide_calc_games_2023.csv", "fide_id", "event_date", "event"))
def test_elite_events_of_2023(games, door):
    """Each game of seven elite players' events has FIDE's own change, under the once-per-event rule of those years."""
    value = rated(DOORS[door], "fide-standard", date.fromisoformat(games[0]["event_date"]), games)
    assert figures([game["change"] for game in value["per_game"]]) == figures([game["k_chg"] for game in games])


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("games", events("fide_calc_games_2022_06_amateurs.csv", "player", "list", "event"))
def test_amateurs_of_june_2022(games, door):
    """Each game of 21 amateurs has FIDE's own change: one cap an event for the higher rated player, none for the lower.

    These figures settle two points the text leaves open: the lower rated player's difference is counted in full, and
    the rapid list followed the same rule.
    """
    value = rated(DOORS[door], f"fide-{games[0]['list']}", date(2022, 5, 15), games)
    assert figures([game["change"] for game in value["per_game"]]) == figures([game["k_chg"] for game in games])


def page_events():
    """The two events of a calculation page as FIDE's server sends it."""
    text = shared("data/fide/fide_calc_page_24171760_2025-04.html").read_text(encoding="utf-8-sig")
    cell = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
    for block in text.split('class="calc_table"')[1:]:
        lines = [
            [re.sub(r"<[^>]+>|&nbsp;", "", one).strip() for one in cell.findall(row)] for row in block.split("<tr")[1:]
        ]
        average, own, *_, score, games, _, k, change = next(
            line for line in lines if len(line) == 10 and line[0].isdigit()
        )
        played = [line for line in lines if len(line) == 10 and line[6] == "1" and not line[0].isdigit()]
        yield {"average": average, "own": own, "score": score, "n": games, "k": k, "change": change}, played


@pytest.mark.parametrize("door", DOORS)
def test_page_of_april_2025(door):
    """A page of two events: each game's change, each event's, the total of −8.40, and FIDE's printed averages."""
    total, seen = Decimal(0), 0
    period = []
    for head, games in page_events():
        own = int(head["own"])
        # A star marks an opponent printed after the 400-point rule, which from March 2024 applies to every game.
        results = [f"{game[3].rstrip('* ')}:{Decimal(game[5]).normalize():f}" for game in games]
        ask = {"rating": own, "games": results, "k": int(head["k"])}
        value = DOORS[door]("fide-standard", {"do": "rate", "on": date(2025, 3, 1), "ask": ask})
        assert figures([game["change"] for game in value["per_game"]]) == figures([game[9] for game in games])
        assert figures([value["change"], value["score"], value["games"]]) == figures(
            [head["change"], head["score"], head["n"]]
        )
        total += Decimal(value["change"])
        seen += len(games)
        period.append({"games": results})
    assert (total, seen) == (Decimal("-8.40"), 17)
    ask = {"rating": 2508, "events": period, "k": 10}
    value = DOORS[door]("fide-standard", {"do": "rate", "on": date(2025, 3, 9), "ask": ask})
    assert figures([value["change"], value["new_rating"]]) == figures(["-8.40", 2500])


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("row", rows("historic_official_cases.csv"), ids=lambda row: row["case"])
def test_events_of_2009(row, door):
    """Two elite events of 2009 have FIDE's own expected score, change and performance."""
    scores = {"1": "1", "0": "0", "=": "0.5"}
    opponents, results = row["opponent_ratings"].split(), row["results"].split()
    ask = {
        "rating": int(row["player_rating"]),
        "games": [f"{opponent}:{scores[result]}" for opponent, result in zip(opponents, results, strict=True)],
        "k": int(row["K"]),
    }
    value = DOORS[door]("fide-standard", {"do": "rate", "on": date(2009, 11, 1), "ask": ask})
    assert figures([value["expected"], value["change"]]) == figures([row["expected_points"], row["rating_change"]])
    if row["performance"]:
        assert value["performance"] == int(row["performance"])


def test_every_file_is_read():
    """No file of official figures is passed over; the 2019 report has sums without opponents, so nothing to rate."""
    folder = shared("data/fide")
    assert {path.name for path in folder.iterdir()} == {
        "fide_calc_games_2022_06_amateurs.csv",
        "fide_calc_games_2023.csv",
        "fide_calc_page_24171760_2025-04.html",
        "historic_official_cases.csv",
        "fide_report_event179955_2019-01.csv",
    }
