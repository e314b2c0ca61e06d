"""Rating reports of real events in ../shared/data against what other programs and FIDE printed for them."""

import csv
from collections import defaultdict
from datetime import date
from decimal import Decimal
from functools import cache

import pytest

import arpad
from arpad import EloStanding, Entrant, Player, Round, Tournament
from arpad.calculation import formulas
from conftest import shared

# The events of Vega's file were rated by the list of August 2025: under the 400-point rule as it stood until October.
DAY = date(2025, 8, 1)
BLACK_OR_WHITE = {"w": "white", "b": "black"}


def rows(name):
    with shared(f"data/{name}").open(encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def number(text):
    return int(text) or None


@cache
def vega():
    """Each of Vega's events as a Tournament; whom it met but does not list enters under a number of its own."""
    played = defaultdict(list)
    for row in rows("tournaments/vega_fide_games.csv"):
        played[row["event"], row["no"]].append(row)
    players = defaultdict(list)
    for row in rows("tournaments/vega_fide_players.csv"):
        players[row["event"]].append(row)
    events = {}
    for event, listed in players.items():
        met = {}  # an opponent is a FIDE ID with the rating that Vega printed beside it
        entrants = []
        for row in listed:
            games = tuple(
                Round(
                    "played",
                    met.setdefault((game["opp_fide_id"], game["opp_rating"]), 1001 + len(met)),
                    BLACK_OR_WHITE[game["colour"]],
                    Decimal(game["score"]),
                )
                for game in played[event, row["no"]]
            )
            known = Player(EloStanding(number(row["rating"]), k=row["k_aug2025_list"] or None))
            entrants.append(Entrant(int(row["no"]), known, games))
        entrants += [Entrant(no, Player(number(rating))) for (_, rating), no in met.items()]
        events[event] = Tournament(tuple(entrants), name=event, start=DAY), listed
    return events


def vega_lines():
    """Every rated player whose K is in the list, with Vega's line and ours."""
    for tournament, listed in vega().values():
        rated = arpad.rate_event(tournament, f"fide-{listed[0]['list']}")
        for row in listed:
            if row["k_aug2025_list"] and number(row["rating"]):
                yield row, rated.player(int(row["no"]))


def test_vegas_averages_and_performances():
    """ARO and performance of all 100 rated players are what Vega printed."""
    lines = list(vega_lines())
    assert len(lines) == 100
    assert [(one.average, one.performance) for _, one in lines] == [(int(r["aro"]), int(r["rp"])) for r, _ in lines]


def test_vegas_rating_changes():
    """98 of 100 rounded changes are Vega's; the two others it printed without K: w − we, which is ours too."""
    lines = list(vega_lines())
    without_k = [(row, one) for row, one in lines if "." in row["var"]]
    with_k = [(row, one) for row, one in lines if "." not in row["var"]]
    assert (len(with_k), len(without_k)) == (98, 2)
    assert [one.rounded for _, one in with_k] == [int(row["var"]) for row, _ in with_k]
    assert [one.chg for _, one in without_k] == [Decimal(row["var"]) for row, _ in without_k]


PORTIMAO = "tournaments/portimao_2024_classic_standings_rtgchange.csv"


def test_portimaos_changes():
    """Portimão, February 2024: K × (w − we) by our formula is Swiss-Manager's change for all 93 players with a K."""
    listed = [row for row in rows(PORTIMAO) if row["K"]]
    assert len(listed) == 93
    for row in listed:
        change = formulas.change(int(row["K"]), Decimal(row["w"]), Decimal(row["we"]))
        assert change == Decimal(row["rtg_change"]), row["start_no"]


def test_fides_report_of_an_event():
    """FIDE's report of event 179955, January 2019, prints neither K nor own rating: each change must be K × hundredths.

    K × change divided by one of the three K is a whole number of hundredths, and leaves an expected score within the
    games; no other K × chg could come out of the rules of that day.
    """
    ks = {band.k for band in arpad.system("fide-standard").rulebook.at(date(2019, 1, 1)).k.value}
    assert ks == {10, 20, 40}
    for row in rows("fide/fide_report_event179955_2019-01.csv"):
        games, score, change = int(row["N"]), Decimal(row["W"]), Decimal(row["K_change"])
        expected = [score - change / k for k in ks]
        assert any(one == one.quantize(Decimal("0.01")) and 0 <= one <= games for one in expected), row


@pytest.mark.parametrize("file", sorted(shared("data/tournaments").glob("*.trf")), ids=lambda file: file.stem)
def test_every_real_report_is_rated(file):
    """Every real file is rated by the rules of its day: everybody has a line, and a played game moves both or says why.

    Files without a start date get one; FIDE's example of 2005 is older than the rules that are covered.
    """
    tournament = arpad.read(file)
    covered = arpad.system("fide-standard").rulebook.covered_from
    rated = arpad.rate_event(tournament, on=max(tournament.start or DAY, covered))
    assert [one.no for one in rated.players] == [one.no for one in tournament.entrants]
    assert rated.totals.refused == ()
    for one in rated.players:
        played = sum(round.kind == "played" for round in one.entrant.rounds)
        assert sum(board.game.how == "played" for board in one.boards) == played
        assert all(line.rated or line.why for line in one.per_game)
