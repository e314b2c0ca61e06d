"""Crosstables: what a cell means depends on the table, and what is written is read again."""

import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_files import EXAMPLE, content, folder, read_edited, said

import arpad
from arpad import Entrant, Player, Round, Tournament
from arpad.core.tournaments import BYES
from arpad.formats import file_bytes, read_bytes
from arpad.reading.tables.cells import USUAL, cell_text, cross_cell
from conftest import library

WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)
OPEN = arpad.read(EXAMPLE)
COLOURS = {"w": "white", "b": "black", "s": "black"}


def round_of(cell, notation=USUAL):
    """The round in a cell of a table with these colours; what only the opponent's row could prove is none."""
    found = cross_cell(cell, notation)
    found = found.otherwise if found is not None and found.unproven else found
    return None if found is None else found.round(COLOURS)


EXCEL = file_bytes(OPEN, "xlsx")[0]

games = st.builds(
    Round,
    st.sampled_from(["played", "short"]),
    st.integers(1, 9999),
    st.sampled_from([None, "white", "black"]),
    st.sampled_from([WIN, DRAW, LOSS]),
)
forfeits = st.builds(
    Round, st.just("forfeit"), st.integers(1, 9999), st.sampled_from([None, "white"]), st.sampled_from([WIN, LOSS])
)
pending = st.builds(Round, st.just("pending"), st.integers(1, 9999), st.sampled_from([None, "white", "black"]))
alone = st.builds(Round, st.sampled_from([*BYES, "absent"]))


@given(st.one_of(games, forfeits, pending, alone))
def test_every_round_there_and_back(one):
    """Whatever a round is, with a colour or without, its cell is read as the same round."""
    assert round_of(cell_text(one)) == one


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_games_without_a_colour_there_and_back(format):
    """A game against number 2 without a colour is not a pairing with number 21."""
    pair = Tournament(
        (
            Entrant(1, Player(2000, name="Ann"), (Round("played", 2, None, WIN), Round("forfeit", 2, None, LOSS))),
            Entrant(2, Player(1900, name="Bob"), (Round("played", 1, None, LOSS), Round("forfeit", 1, None, WIN))),
        ),
        rounds=2,
    )
    assert content(read_bytes(file_bytes(pair, format)[0], f"pair.{format}")) == pair


ROUND_ROBIN = """{head},1,2,3,4,Pts
{1},*,1,½,0,1.5
{2},0,*,1,1,2
{3},½,0,*,½,1
{4},1,0,½,*,1.5
"""
LINES = {  # the head and the first cells of four lines
    "by number": ("No,Name,Rtg", "1,Ann,2000", "2,Bob,1900", "3,Cid,1800", "4,Dan,1700"),
    "by place": ("Name,Rtg", "Ann,2000", "Bob,1900", "Cid,1800", "Dan,1700"),
    "by rank": ("Rk,No,Name,Rtg", "1,4,Ann,2000", "2,3,Bob,1900", "3,2,Cid,1800", "4,1,Dan,1700"),
}


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_the_usual_table_of_a_round_robin(lines):
    """Headings 1, 2, 3 and cells `* 1 ½ 0` are games, whether the headings are numbers, places or ranks."""
    head, *rows = lines
    text = ROUND_ROBIN.format("", *rows, head=head)
    tournament = read_bytes(text.encode(), "club.csv")
    assert {one.kind for one in arpad.inconsistencies(tournament)} <= {"rank"}
    by_no = {one.no: one.player.name for one in tournament.entrants}
    results = {
        (one.player.name, by_no[played.opponent]): played.score
        for one in tournament.entrants
        for played in one.rounds
        if played.kind == "played"
    }
    assert len(results) == 12
    assert results["Ann", "Bob"] == results["Bob", "Dan"] == WIN
    assert results["Ann", "Dan"] == LOSS
    assert results["Ann", "Cid"] == DRAW


def test_a_double_round_robin():
    """Two results in a cell are two games."""
    text = "No,Name,Rtg,1,2\n1,Ann,2000,**,1½\n2,Bob,1900,0½,**\n"
    ann, bob = read_bytes(text.encode(), "match.csv").entrants
    assert [one.score for one in ann.rounds if one.opponent] == [WIN, DRAW]
    assert [one.score for one in bob.rounds if one.opponent] == [LOSS, DRAW]


def test_results_without_opponents_are_no_byes():
    """A table of rounds in which nobody's opponent is named has no games, and says so for each cell."""
    text = "No,Name,Rtg,R1,R2\n1,Ann,2000,1,½\n2,Bob,1900,0,½\n3,Cid,1800,1,1\n"
    tournament = read_bytes(text.encode(), "club.csv")
    assert not any(one.rounds for one in tournament.entrants)
    odd = said(tournament, "a result without an opponent")
    assert len(odd) == 6
    assert all(one.lost for one in odd)


def test_no_round_or_opponent_is_number_0():
    """A column headed `vs0` or `r0` is neither an opponent nor a round: it is named as unused."""
    text = "No,Name,Rtg,R0,R1,vs0\n1,Ann,2000,2w1,2w1,0\n2,Bob,1900,1b0,1b0,1\n"
    tournament = read_bytes(text.encode(), "club.csv")
    assert tournament.rounds == 1
    assert len(said(tournament, "Unused columns: R0")) == 1


def test_a_one_among_pairings_is_a_bye():
    """Where the other cells name opponents, a 1 alone is a full-point bye."""
    text = "No,Name,Rtg,R1,R2\n1,Ann,2000,2w1,1\n2,Bob,1900,1b0,½\n"
    ann, bob = read_bytes(text.encode(), "club.csv").entrants
    assert (ann.rounds[1].kind, bob.rounds[1].kind) == ("full-bye", "half-bye")


def test_letters_of_us_chess():
    """US Chess writes W2 and L1; there U is a round that was not played, and H and B are byes."""
    text = "No,Name,Rtg,R1,R2\n1,Ann,2000,W2,U\n2,Bob,1900,L1,B\n3,Cid,1800,H,U\n"
    kinds = [[one.kind for one in entrant.rounds] for entrant in read_bytes(text.encode(), "us.csv").entrants]
    assert kinds == [["played", "absent"], ["played", "full-bye"], ["half-bye", "absent"]]


def test_opponents_by_rank():
    """With rank and starting number in a table, opponents are of the kind for which both sides of the games agree."""
    text = "Rk,No,Name,Rtg,1.Rd,2.Rd\n1,3,Ann,2000,2w1,3b1\n2,1,Bob,1900,1b0,-\n3,2,Cid,1800,-,1w0\n"
    tournament = read_bytes(text.encode(), "final.csv")
    assert [(one.no, [played.opponent for played in one.rounds]) for one in tournament.entrants] == [
        (1, [3, None]),
        (2, [None, 3]),
        (3, [1, 2]),
    ]
    assert arpad.inconsistencies(tournament) == []
    assert len(said(tournament, "by rank")) == 1
    by_number = text.replace("2w1,3b1", "1w1,2b1").replace("1b0,-", "3b0,-").replace("-,1w0", "-,3w0")
    again = read_bytes(by_number.encode(), "final.csv")
    assert content(again) == content(tournament)
    assert said(again, "by rank") == []


def test_rank_or_number_is_asked_where_the_table_does_not_prove_one():
    """With a mistake in it a table proves neither: both counts are said, and naming the column decides."""
    text = "Rk,No,Name,Rtg,1.Rd,2.Rd\n1,3,Ann,2000,2w1,3b1\n2,1,Bob,1900,1b0,-\n3,2,Cid,1800,-,1w1\n"
    with pytest.raises(arpad.BadFile, match="0 agree by starting number and 2 by rank") as refused:
        read_bytes(text.encode(), "final.csv")
    assert "Name the column" in refused.value.message
    tournament = read_bytes(text.encode(), "final.csv", {"no": "Rk"})
    assert [(one.player.name, one.rounds[0].opponent) for one in tournament.entrants] == [
        ("Ann", 2),
        ("Bob", 1),
        ("Cid", None),
    ]
    assert [one.kind for one in arpad.inconsistencies(tournament) if one.kind == "result"] == ["result"]


def test_a_mistake_does_not_put_the_numbers_in_doubt():
    """More games agree by starting number: the mistake is a finding, and nothing is asked."""
    text = "Rk,No,Name,Rtg,1.Rd,2.Rd\n1,3,Ann,2000,1w1,2b1\n2,1,Bob,1900,3b0,-\n3,2,Cid,1800,-,3w1\n"
    assert [one.kind for one in arpad.inconsistencies(read_bytes(text.encode(), "final.csv"))] == ["result"]


def test_rounds_beyond_those_announced():
    """Results in the sixth round of an event of five contradict the line that announces the rounds."""
    (odd,) = said(read_edited(b"XXR 6", b"XXR 5"), "announces 5 rounds")
    assert (odd.line, odd.column, odd.lost, odd.serious) == (14, 5, False, True)
    assert said(read_edited(b"XXR 6", b"XXR 7"), "announces") == []


@pytest.fixture(params=["calamine", "openpyxl"])
def reader(request, monkeypatch):
    """Each of the two libraries that read Excel files; without the first, the second does."""
    if request.param == "calamine":
        library("python_calamine")
    else:
        monkeypatch.setitem(sys.modules, "python_calamine", None)
    return request.param


@pytest.mark.usefixtures("reader")
def test_excel_by_either_library():
    """Both libraries read the open that was written, and a real report."""
    for tournament in (OPEN, arpad.read(folder() / "san_viator_2018_B.trf")):
        again = read_bytes(file_bytes(tournament, "xlsx")[0], "again.xlsx")
        assert content(again).entrants == content(tournament).entrants


@pytest.mark.usefixtures("reader")
def test_damaged_excel_is_one_sentence():
    """A workbook with bytes changed or cut off is read or refused in one sentence, whichever library reads it."""
    refused = set()
    for place in range(40, len(EXCEL), 97):
        for damaged in (EXCEL[:place], EXCEL[:place] + b"\xff\x00" + EXCEL[place + 2 :]):
            try:
                read_bytes(damaged, "x.xlsx")
            except arpad.BadFile as error:
                refused.add(error.said.key)
    assert {"formats.table.damaged", "formats.table.not_excel"} <= refused


def test_excel_without_a_library(monkeypatch):
    """Without either library the refusal says what to install."""
    for name in ("python_calamine", "openpyxl"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(arpad.ArpadError, match=r"pip install 'arpad\[tables\]'"):
        read_bytes(EXCEL, "x.xlsx")
