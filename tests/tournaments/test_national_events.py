"""Whole events by federations' own systems: whose rating counts, who is rated at once, what is said of the rest."""

import pickle
from dataclasses import replace
from datetime import date
from decimal import Decimal
from math import erf
from pathlib import Path

import pytest
from crosstables import played as event

import arpad
from arpad import BadFile, BadInput, DwzStanding, EloStanding
from arpad.core.tournaments import Record
from arpad.formats import read_bytes
from arpad.formats.organiser_tables import players_of
from arpad.systems.uschess import UsChessStanding

ROOT = Path(__file__).resolve().parents[2]
SECTION, SECTION_PLAYERS = ROOT / "docs/examples/section.trf", ROOT / "docs/examples/section-players.csv"


def test_a_us_chess_section_as_published():
    """Event 202608300103, section 5: the published ratings, from a TRF and a table found by ID or name."""
    tournament = arpad.read(SECTION)
    published = {1: 656.85, 2: 500.21, 3: 133.82, 4: 514.33, 5: 188.04, 6: 148.72}
    table = players_of(SECTION_PLAYERS.read_text(encoding="utf-8"), "table", UsChessStanding)
    rated = arpad.rate_event(tournament, "uschess-regular", known=table.for_tournament(tournament))
    assert {one.no: round(float(one.calculation.exact), 2) for one in rated.players} == published
    assert [one.new_rating for one in rated.players] == [657, 500, 134, 514, 188, 149]
    assert rated.player(1).national_id == "30000011"
    # The bye is in its place and not counted; the second pass meets opponents after the first (step 4: 142.685117).
    bye, won, _ = rated.player(3).per_game
    assert (bye.how, bye.rated, won.rated) == ("bye", False, True)
    assert float(won.opponent) == pytest.approx(142.685117, abs=1e-6)
    assert "after the first pass" in " ".join(map(str, rated.notes))


def test_us_chess_newcomers_start_by_what_is_known():
    """2: by FIDE rating where the file has one, else by the exact age; the figures of the reference."""
    tournament = event("1W2 1W3 2W3", {2: 1500, 3: None}, start=date(2026, 11, 14), end=date(2026, 11, 15))
    second, third = tournament.entrants[1], tournament.entrants[2]
    entrants = (
        tournament.entrants[0],
        replace(second, player=replace(second.player, fide_id=2000002)),
        replace(third, born=date(2018, 11, 15)),
    )
    tournament = replace(tournament, entrants=entrants)
    table = players_of("no,rating,games\n1,1600,40\n2,unrated,\n3,unrated,\n", "table", UsChessStanding)
    rated = arpad.rate_event(tournament, "uschess-regular", known=table.for_tournament(tournament))
    assert rated.on == date(2026, 11, 15)  # the day the event ended decides
    assert rated.player(2).calculation.start == Decimal("1277.05")  # −1073 + 1.5667 × 1500
    assert rated.player(3).calculation.start == 400  # 50 points for each of 8 years
    assert (rated.player(2).first, rated.player(2).change) == (True, None)
    assert rated.totals.first_ratings == 2


def test_a_section_with_somebody_unknown_is_refused():
    """Everybody is rated at once, so nobody may be missing; and a bad line refuses the whole."""
    tournament = event("1W2 1W3 2W3", start=date(2026, 8, 1))
    table = players_of("no,rating\n1,1600\n2,1500\n", "table", UsChessStanding)
    with pytest.raises(BadInput, match=r"no rating is known for: 3 Player 3\. Give each a row"):
        arpad.rate_event(tournament, "uschess-regular", known=table.for_tournament(tournament))
    alone = replace(tournament, entrants=tournament.entrants[:2])
    with pytest.raises(BadInput, match="opponent 3, who did not enter") as caught:
        arpad.rate_event(alone, "uschess-regular")
    assert caught.value.at == "player 1, round 2"
    with pytest.raises(BadInput, match="does not use"):
        arpad.rate_event(tournament, "uschess-regular", k=20)


def normal_score(difference):
    """The expected score by the normal curve, 200 × √2 (DWZ 3.3.1)."""
    return (1 + erf(difference / 400)) / 2


def test_a_dwz_event_by_a_plain_calculation():
    """K 28 over index 10 from 26 years under 2000 (section 3 of the reference), guests at their FIDE rating."""
    tournament = event("1W2 1D3 2W3", {3: 1900}, start=date(2026, 8, 1))
    table = players_of("no;rating;born\n1;1700-12;1970\n2;1800-30;1960\n", "table", DwzStanding)
    rated = arpad.rate_event(tournament, "dwz", known=table.for_tournament(tournament))
    change = 28 * (1.5 - normal_score(-100) - normal_score(-200))
    assert rated.player(1).new_rating == round(1700 + change)
    assert float(rated.player(1).change) == pytest.approx(change, abs=1e-9)
    guest = rated.player(3)
    assert (guest.rating, guest.new_rating, guest.calculated) == (1900, None, False)
    assert rated.national.guests == (3,)
    assert "3 Player 3 (1900)" in " ".join(map(str, rated.notes))


def test_the_last_day_decides_which_dwz_order_holds():
    """An event over the change of June 2026 is by the new order, newcomers included; before, they have no first DWZ."""
    games = " ".join(f"1{letter}{no}" for no, letter in enumerate("WLWLD", start=2))
    ratings = dict.fromkeys(range(2, 7), 1500)
    crossing = event(games, ratings, start=date(2026, 6, 5), end=date(2026, 6, 8))
    assert arpad.rate_event(crossing, "dwz").player(1).new_rating == 1540  # 1500 → 1540, the reference's example
    before = replace(crossing, end=date(2026, 6, 7))
    assert "only by the rules since 2026-06-08" in str(arpad.rate_event(before, "dwz").player(1).why)


def test_what_an_order_does_otherwise_is_said_by_name():
    """Newcomers who met, a performance far above the DWZ, and games against newcomers of the ECF."""
    games = "1W2 1W3 1W4 1W5 1W6 2D7 3D7 4D7 5D7 6D7 7D8"
    known = {1: 1400} | dict.fromkeys(range(2, 7), 1700)
    rated = arpad.rate_event(event(games, known, start=date(2026, 8, 1)), "dwz")
    said = " ".join(map(str, rated.notes))
    assert "newcomers met one another" in said
    assert ": 7, 8." in said
    assert "is not applied here: 1." in said
    said = " ".join(map(str, arpad.rate_event(event(games, known, start=date(2026, 8, 1)), "ecf").notes))
    assert "newcomers (7, 8)" in said
    assert "official ratings of 2, 3, 4, 5, 6 may differ" in said


def test_an_ecf_event_with_a_partial_rating():
    """A game against a rating of 6 games counts half: 20 / 2 × (1 − 0.5); 0.24 for 200 points below, FIDE's table."""
    tournament = event("1W2 1L3", start=date(2026, 11, 1))
    table = players_of("no,rating,born\n1,1750,1980\n2,1750P6,1980\n3,1950,1980\n", "table", EloStanding)
    rated = arpad.rate_event(tournament, "ecf", known=table.for_tournament(tournament))
    assert rated.player(1).change == 20 * Decimal("0.5") / 2 - 20 * Decimal("0.24")


def test_national_records_of_a_file():
    """A TRF26 file's own records are the ratings of their federation's system, and its IDs find rows of a table."""
    record = {"federation": "GER", "origin": "GER", "sex": "m", "title": "", "name": "", "born": None}
    records = tuple(
        Record("NRS", {**record, "no": no, "rating": rating, "id": f"1000{no}"}) for no, rating in ((1, 1700), (2, 0))
    )
    games = " ".join(f"2{letter}{no}" for no, letter in zip((1, 3, 4, 5, 6), "WLWLD", strict=True))
    tournament = event(games, dict.fromkeys((1, 3, 4, 5, 6), 1700), start=date(2026, 8, 1), records=records)
    rated = arpad.rate_event(tournament, "dwz")
    assert (rated.national.sources, rated.national.guests) == (("records",), (3, 4, 5, 6))
    assert rated.player(2).first
    assert rated.player(2).new_rating == 1724  # 1700 + 8 % of 300
    assert (rated.player(1).rating, rated.player(1).national_id) == (1700, "10001")
    table = players_of("id,rating\n10001,1650-4\n", "table", DwzStanding)
    both = arpad.rate_event(tournament, "dwz", known=table.for_tournament(tournament))
    assert (both.player(1).rating, both.national.sources) == (1650, ("table", "records"))
    assert arpad.rate_event(tournament, "ecf").national.sources == ("file",)


def test_a_dwz_with_its_index_in_the_file_itself(tmp_path):
    """`1700-1` is a DWZ after one tournament, whose K is 60 (table of the reference), in a column that is named."""
    text = "Nr;Name;Elo;DWZ;1\n1;Anna Adler;1850;1700-1;2w1\n2;Bernd Bach;;1700-12;1b0\n"
    tournament = read_bytes(text.encode(), "club.csv", {"rating": "DWZ"})
    rated = arpad.rate_event(tournament, "dwz", on=date(2026, 8, 1))
    assert [(one.rating, one.k) for one in rated.players] == [(1700, 60), (1700, 28)]
    assert "does not use `index`" in str(arpad.rate_event(tournament, on=date(2026, 8, 1)).player(1).why)
    lost = arpad.write(tournament, tmp_path / "club.trf")
    assert "the DWZ index of 1, 2" in " ".join(map(str, lost))


BAD = {
    "name,rating\nPlayer 1,abc\n": "line 2, rating",
    "colour,rating\nred,1500\n": "line 1",
    "rating\n1500\n": "line 1",
    "no,no\n1,1\n": "line 1",
    "name,rating\n,1500\n": "line 2, no",
    "no,rating\nx,1500\n": "line 2, no",
    "no,rating\n1,1500\n1,1600\n": "line 3",
    "no,rating,index\n1,1500-4,5\n": "line 2, index",
    "no,rating\n1,1500,7\n": "line 2",
    "name,rating\nSame Name,1500\n": "line 2",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_table_is_refused_with_its_place(text):
    """A row or column that cannot be right is named."""
    tournament = event("1W2 2W3")
    twins = tuple(
        replace(one, player=replace(one.player, name="Name, Same")) if one.no > 1 else one
        for one in tournament.entrants
    )
    with pytest.raises(BadFile) as caught:
        players_of(text, "table", DwzStanding).for_tournament(replace(tournament, entrants=twins))
    assert caught.value.at == f"table, {BAD[text]}"


def test_what_a_table_says_in_vain_is_said():
    """A row about nobody, a column of another system, and a number under which the file has another name or ID."""
    tournament = event("1W2", {1: 1500, 2: 1600}, start=date(2026, 8, 1))
    first, *others = tournament.entrants
    named = replace(first, player=replace(first.player, fide_id=90000074))
    tournament = replace(tournament, entrants=(named, *others))
    text = "no,fide_id,name,rating,peak\n1,90000090,Somebody Else,1500,1700\n9,,,1400,\n2,,player 2,1600,\n"
    rated = arpad.rate_event(tournament, "dwz", known=players_of(text, "table", DwzStanding).for_tournament(tournament))
    said = " ".join(map(str, rated.oddities))
    assert "does not use these columns of the table: peak" in said
    assert "Player 1 is Player 1 in the file and Somebody Else in the table" in said
    assert "Player 1 has the FIDE ID 90000074 in the file and 90000090 in the table" in said
    assert "starting number, ID or name 9," in said
    assert [one.rating for one in rated.players] == [1500, 1600]


def test_a_player_alone_has_the_notes_on_ratings():
    """That FIDE's ratings may have been taken for the federation's is said of one player as of all."""
    tournament = event("1W2 1D3 2W3", {1: 1700, 2: 1800, 3: 1900}, start=date(2026, 8, 1))
    rated = arpad.rate_event(tournament, "dwz")
    alone = rated.for_player(1)
    assert "notes.event.ratings.file" in [note.key for note in rated.notes]
    assert [note.key for note in alone.notes].count("notes.event.ratings.file") == 1
    travelled = pickle.loads(pickle.dumps(alone))  # noqa: S301  # our own bytes
    assert travelled.notes == alone.notes
    assert alone.value() == rated.player(1).value()


def test_another_result_is_rated_with_the_same_ratings():
    """A report rated again, as looking ahead does, keeps the table's ratings, its guests and the day that decides."""
    tournament = event("1W2 1D3 2W3", {3: 1900}, start=date(2026, 6, 5), end=date(2026, 8, 1))
    table = players_of("no,rating,born\n1,1700-12,1970\n2,1800-30,1960\n", "table", DwzStanding)
    rated = arpad.rate_event(tournament, "dwz", known=table.for_tournament(tournament))
    again = rated.rate(rated.event)
    assert again.value() == rated.value()
