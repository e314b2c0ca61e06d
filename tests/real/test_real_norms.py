"""Norms of real events, worked out by hand from their reports by Title Regulations 1.4."""

import csv
import json
from datetime import date

import pytest
from crosstables import chess_results

import arpad
from arpad import Player
from arpad.tournaments.norms.answer import in_words, norm_lines
from arpad.tournaments.norms.conditions import CountedGame, judge
from arpad.tournaments.norms.rules import edition
from conftest import shared

FOLDER = shared("data/tournaments")
BRITISH = chess_results(
    FOLDER / "british_championship_2026_before_last_round.csv", rating="rating", rounds=9, start=date(2026, 7, 30)
)[0]


@pytest.fixture(scope="module")
def before_the_last_round():
    """The British Championship of 2026 with round 9 paired, judged by the usual rule on federations."""
    return arpad.find_norms(BRITISH, kind="swiss")


def test_a_win_is_needed(before_the_last_round):
    """No. 22 of the British Championship: GM by winning alone, with 2611; IM with any result (the note, 1.11)."""
    player = before_the_last_round.player(22)
    grandmaster, master = player.norm("GM").needs, player.norm("IM").needs
    assert (grandmaster.result, grandmaster.opponent) == ("win", 2)
    last = grandmaster.results[-1].verdict
    assert (last.average, last.performance, last.halves) == (2391, 2611, 14)
    assert (master.result, master.results[0].verdict.average) == ("loss", 2378)
    assert not grandmaster.made


def test_a_ceiling_stands_in_the_way(before_the_last_round):
    """No. 38: a win has an IM performance, but 6 of 9 opponents are of the own federation, and 5 may be (1.11)."""
    needs = before_the_last_round.player(38).norm("IM").needs
    won = needs.results[-1].verdict
    assert (needs.result, won.average) == (None, 2301)
    assert [(one.name, one.found, one.needed) for one in won.failed] == [("own_federation", 6, 5)]
    (line,) = [line for line in norm_lines(before_the_last_round) if line.player.no == 38]
    assert (line.norm.title, line.stands) == ("IM", "missed")
    assert in_words(line.norm) == (
        "not even by a win against 8: 6 opponents of the player's own federation, at most 5 allowed"
    )


def test_an_exemption_lifts_the_ceiling():
    """The same stands under exemption a, of a national championship, which is for players of the host alone (1.11)."""
    report = arpad.find_norms(BRITISH, kind="round-robin", host="ENG", exempt="a")  # no Swiss, so no exemption d
    trial = report.player(38).norm("IM").needs.results[-1].verdict
    assert trial.condition("own_federation").lifted
    assert trial.met
    assert not any(one.lifted for one in report.player(18).norm("IM").verdict.conditions)  # of IRL


def test_a_big_swiss_is_exempt_by_itself():
    """With England as the host the field of the file meets exemption d: 20 foreigners, 3 federations, 10 titled.

    The counts are made here from the table, for the players who missed at most one of the eight rounds.
    """
    report = arpad.find_norms(BRITISH, host="ENG")
    steady = [
        one
        for one in BRITISH.entrants
        if one.player.rating
        and one.player.federation != "ENG"
        and sum(played.kind == "absent" for played in one.rounds[:8]) <= 1
    ]
    there = [[one for one in steady if one.rounds[n].kind != "absent"] for n in range(8)]
    assert report.foreigners.players == min(len(one) for one in there) >= 20
    assert report.foreigners.federations == min(len({e.player.federation for e in one}) for one in there) >= 3
    titled = [[e for e in one if e.player.title in ("GM", "IM", "WGM", "WIM")] for one in there]
    assert report.foreigners.titled == min(map(len, titled)) >= 10
    assert report.player(38).norm("IM").needs.result == "win"


def test_arad():
    """Everybody in Arad 2026 has a verdict on every condition, and no norm is made in fewer than nine games."""
    name = FOLDER / "arad_open_2026_A_crosstable_tiebreaks.csv"
    tournament, _ = chess_results(name, rating="fide_rating", rounds=9, start=date(2026, 4, 1))
    report = arpad.find_norms(tournament, kind="swiss", host="ROU")
    norms = [norm for player in report.players for norm in player.norms]
    assert len(norms) == 4 * 209
    assert all(len(norm.verdict.games) >= 9 or norm.verdict.by for norm in norms if norm.verdict.met)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.trf")), ids=lambda path: path.stem)
def test_every_report_is_judged(path):
    """Every real report has a verdict for everybody, and tie-breaks, without federations or days in it too."""
    tournament = arpad.read(path)
    report = arpad.find_norms(tournament, on=date(2026, 8, 1))
    assert len(report.players) == len(tournament.entrants)
    norms = [norm for player in report.players for norm in player.norms]
    assert all(len(norm.verdict.games) >= 8 for norm in norms if norm.verdict.met)
    ties = arpad.tie_breaks(tournament, ["ARO", "APRO", "APPO"], on=date(2026, 8, 1), unrated=1400)
    assert sorted(one.no for one in ties.players) == sorted(one.no for one in tournament.entrants)


def test_least_averages_of_the_vectors():
    """The least averages that the shared vectors name for scores of nine games; one point less is too little."""
    with shared("vectors/fide_vectors.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "norm_min_average"]
    assert len(rows) == 5
    for row in rows:
        ask, least = json.loads(row["inputs_json"]), json.loads(row["expected_json"])["min_average"]
        halves = int(2 * ask["score"])
        won = [2] * (halves // 2) + [1] * (halves % 2)
        scores = won + [0] * (ask["games"] - len(won))
        rules = edition(date.fromisoformat(row["regulation_date"]))
        for rating, enough in ((least, True), (least - 1, False)):
            games = [CountedGame(rating, "GM", f"F{n}", one) for n, one in enumerate(scores)]
            assert judge(ask["norm"], Player(2450, federation="GER"), games, rules).met is enough, row["id"]
