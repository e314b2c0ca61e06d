"""Tie-breaks: what is refused, and the order they give."""

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

import arpad
from arpad import Entrant, Player, Round, Tournament
from arpad.core.tournaments import Record
from arpad.errors import BadInput, UncoveredDate, UnknownName
from conftest import shared

ON = date(2026, 8, 15)
WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)


def event(*lines, **facts):
    """A tournament of (rating, rounds); a round is (opponent, score)."""
    entrants = (
        Entrant(no, Player(rating), tuple(Round("played", opponent, "white", score) for opponent, score in rounds))
        for no, (rating, rounds) in enumerate(lines, start=1)
    )
    return Tournament(tuple(entrants), **{"start": ON, **facts})


TRIANGLE = event(
    (2000, [(2, WIN), (3, LOSS)]),
    (1900, [(1, LOSS), (3, WIN)]),
    (1800, [(1, WIN), (2, LOSS)]),
    (1700, []),
)


@pytest.mark.parametrize(("tournament", "names", "options", "error", "words"), [
    (TRIANGLE, ["BUCH"], {}, UnknownName, "Did you mean|Known: AOB"),
    (TRIANGLE, ["ARO/C3"], {}, BadInput, "ARO takes /C1, /C2, /M1 or /M2"),
    (TRIANGLE, ["TPR/M1"], {}, BadInput, "TPR takes no modifier"),
    (TRIANGLE, ["BH/C1/M1"], {}, BadInput, "BH takes /C1"),
    (TRIANGLE, ["BH/R"], {}, BadInput, "BH takes /C1"),
    (TRIANGLE, ["BH:MP"], {}, BadInput, "this event has none"),
    (TRIANGLE, ["EDE"], {}, UnknownName, "EDE"),
    (TRIANGLE, ["OTHER_COIN"], {}, BadInput, "organiser's own"),
    (TRIANGLE, ["BH"], {"kind": "round-robin"}, BadInput, "BH is not used in a round robin .FIDE C.07 8."),
    (TRIANGLE, ["STD"], {"on": date(2026, 2, 28)}, UnknownName, "2026-02-28"),
    (TRIANGLE, ["RTNG"], {"on": date(2026, 2, 28)}, UnknownName, "2026-02-28"),
    (TRIANGLE, ["ARO"], {"on": date(2023, 8, 31)}, UncoveredDate, "2023-09-01"),
    (TRIANGLE, ["ARO"], {"unrated": 9000}, BadInput, "1 to 4000"),
    (TRIANGLE, ["ARO"], {"kind": "open"}, UnknownName, "swiss"),
    (replace(TRIANGLE, start=None), ["ARO"], {}, BadInput, "when the event began"),
    (event(("2000.5", [])), ["ARO"], {}, BadInput, "whole ratings"),
])  # fmt: skip
def test_refusals(tournament, names, options, error, words):
    """What cannot be worked out is refused with a sentence that says what is allowed."""
    with pytest.raises(error, match=words):
        arpad.tie_breaks(tournament, names, **options)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Buchholz", "Did you mean 'BH'?"),
        ("bhc1", "Did you mean 'BH/C1'?"),
        ("sonneborn-berger", "Did you mean 'SB'?"),
        ("BH/C9X", "BH takes /C1"),
        ("WIN/C1", "WIN takes no modifier"),
        ("KS/L200", "KS takes /L-1, /L+1 or /L60"),
        ("KS/L0", "KS takes /L-1, /L+1 or /L60"),
        ("XYZ", "Known: AOB"),
    ],
)
def test_criteria_as_people_call_them(written, said):
    """A word for a criterion leads to its code, and a wrong modifier to the right ones."""
    with pytest.raises(arpad.ArpadError, match=re.escape(said)):
        arpad.standings(arpad.read("docs/examples/open.trf"), [written])


def test_order():
    """All have a point; by ARO the lowest rated is first, for the others are its opponents; no game comes last."""
    ties = arpad.tie_breaks(TRIANGLE, ["ARO"])
    # Means of 1900 and 1800, 2000 and 1800, 2000 and 1900.
    assert [(one.no, one.place) for one in ties.players] == [(3, 1), (2, 2), (1, 3), (4, 4)]
    assert ties.of(4) == {"ARO": None}


def test_equal_in_all_is_the_same_place():
    """Who is equal in points and in every criterion shares a place, and the next place is left free."""
    square = event((1800, [(2, DRAW)]), (1800, [(1, DRAW)]), (1700, [(4, LOSS)]), (1700, [(3, WIN)]))
    assert [(one.no, one.place) for one in arpad.tie_breaks(square, ["ARO"]).players] == [
        (4, 1),
        (1, 2),
        (2, 2),
        (3, 4),
    ]


def test_reversed_rating_puts_the_lower_first():
    """RTNG/R is the rating from low to high (C.07, 2026)."""
    pair = event((1800, [(2, DRAW)]), (1900, [(1, DRAW)]))
    assert [one.no for one in arpad.tie_breaks(pair, ["RTNG/R"]).players] == [1, 2]
    assert [one.no for one in arpad.tie_breaks(pair, ["RTNG"]).players] == [2, 1]


def test_points_follow_the_scoring_where_the_file_has_none():
    """Without points in the file the rounds are paid, three for a win if the event says so; no round is no points."""
    three = replace(TRIANGLE, scoring={"white-win": Decimal(3)})
    assert {one.no: one.points for one in arpad.tie_breaks(three, ["ARO"]).players} == {
        1: 3,
        2: 3,
        3: 3,
        4: None,
    }


def test_without_names_everything_is_worked_out_and_orders_nothing():
    """C.07 has 20 criteria for players since March 2026; without an order equal points share a place."""
    ties = arpad.tie_breaks(TRIANGLE)
    assert " ".join(ties.of(1)) == ("DE WIN WON BPG BWG PS REP STD TPN BH AOB FB SB KS ARO TPR PTP APRO APPO RTNG")
    assert [one.place for one in ties.players] == [1, 1, 1, 4]
    assert ties.value()["by"] == []
    assert "RTNG" not in arpad.tie_breaks(TRIANGLE, on=date(2026, 2, 28)).of(1)


def test_hyphens_and_small_letters():
    """The handbook writes ARO-C1 and a report ARO/C1; both are the same."""
    assert (
        arpad.tie_breaks(TRIANGLE, ["aro-c1"]).of(1) == arpad.tie_breaks(TRIANGLE, ["ARO/C1"]).of(1) == {"ARO/C1": 1900}
    )


def test_a_round_robin_may_use_buchholz_before_2026():
    """Barred in a round robin since March 2026 (C.07 8); before, it was allowed."""
    ties = arpad.tie_breaks(TRIANGLE, ["BH"], kind="round-robin", on=date(2026, 2, 28))
    assert ties.of(1) == {"BH": 2}  # both opponents have a point


def test_a_criterion_named_twice_has_two_values():
    """DE may stand twice in a list (C.07 4); the second is about those whom the first and BH left tied."""
    assert list(arpad.tie_breaks(TRIANGLE, ["DE", "BH", "DE"]).of(1)) == ["DE", "BH", "DE (2)"]


def test_the_order_that_the_file_declares():
    """Record 202 has the criteria behind the points, record 212 with the points among them (TRF26)."""
    declared = replace(TRIANGLE, records=(Record("202", {"text": "TPN/R, OTHER_COIN"}),))
    ties = arpad.tie_breaks(declared)
    assert ties.by == ("TPN/R",)
    assert [one.no for one in ties.players] == [3, 2, 1, 4]
    assert [one.name for one in ties.dropped] == ["OTHER_COIN"]
    without_points = replace(TRIANGLE, records=(Record("212", {"text": "TPN"}),))
    assert [one.no for one in arpad.tie_breaks(without_points).players] == [1, 2, 3, 4]


def test_the_working_names_opponents_cuts_and_articles():
    """Each value says which opponents, which points, what was cut, and the article."""
    says = arpad.tie_breaks(TRIANGLE, ["BH/C1"]).explain()
    assert "round 1, no. 2" in says
    assert "left out: round" in says
    assert "FIDE C.07 8.1" in says
    assert "FIDE C.07 14" in says


def test_a_tournament_without_players_has_no_ties():
    """Nothing to put in order, and nothing to explain."""
    ties = arpad.tie_breaks(Tournament(entrants=(), rounds=1), ["BH"], on=date(2026, 11, 15))
    assert (ties.lines, ties.trail) == ((), ())


def test_teams_without_a_match():
    """Opponents without points add nothing to SSSC, whatever K is: before the first match every team has 0."""
    teams = arpad.read(shared("data/tournaments") / "more/sharly-che__team_informative_score.input")
    answer = arpad.tie_breaks(teams, ["SSSC"], on=ON)
    assert [line.values["SSSC"] for line in answer.lines] == [0, 0, 0, 0]


def test_koya_and_a_forfeit_against_an_opponent_with_half_of_the_points():
    """Article 9.2 in a Swiss: the TEC's program counts the forfeit; a reading leaves it out, and a note says so."""
    forfeit = (Round("forfeit", 2, "white", WIN), Round("forfeit", 1, "black", LOSS))
    played = {1: (4, LOSS), 2: (3, WIN), 3: (2, LOSS), 4: (1, WIN)}
    rounds = {1: (forfeit[0],), 2: (forfeit[1],), 3: (Round("allocated-bye"),), 4: (Round("zero-bye"),)}
    entrants = tuple(
        Entrant(no, Player(2000), (*own, Round("played", played[no][0], "white", played[no][1])))
        for no, own in rounds.items()
    )
    swiss = Tournament(entrants, start=ON, rounds=2, kind="Swiss")
    counted = arpad.tie_breaks(swiss, ["KS"])  # player 2 has 1 of 2, half of the possible points
    assert counted.of(1)["KS"] == 1
    assert any("koya_forfeits" in str(note) for note in counted.notes)
    assert arpad.tie_breaks(swiss, ["KS"], readings={"koya_forfeits": "unplayed"}).of(1)["KS"] == 0


def test_what_an_unfinished_event_says_about_its_rounds():
    """After two of three rounds: how KS counts them, and that FB waits for the final round (8.3)."""
    unfinished = replace(TRIANGLE, rounds=3)
    notes = [note.key for note in arpad.tie_breaks(unfinished, ["KS", "FB"]).notes]
    assert "notes.ties.interim" in notes
    assert "notes.ties.fore.open" in notes
    assert not any("fore" in note.key for note in arpad.tie_breaks(TRIANGLE, ["FB"]).notes)
