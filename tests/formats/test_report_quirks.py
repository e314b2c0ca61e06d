"""What real reports were seen to do that TRF16 does not allow, in an invented one."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from report_files import EXAMPLE, content, edited, read_edited, said

import arpad
from arpad.cli import main
from arpad.formats import file_bytes, read_bytes

OPEN = arpad.read(EXAMPLE)


def test_the_example_is_clean():
    """The invented open has nothing odd and nothing inconsistent, and the strict writer gives it back as it is."""
    assert (OPEN.oddities, arpad.inconsistencies(OPEN)) == ((), [])
    assert file_bytes(OPEN, "trf16") == (EXAMPLE.read_bytes(), ())


@pytest.mark.parametrize(
    ("text", "title"),
    [(" IM", "IM"), ("IM ", "IM"), ("  m", "IM"), ("  g", "GM"), (" wm", "WIM"), (" gf", "WGM"), (" mf", "WIM"),
     (" ff", "WFM"), (" cf", "WCM"), ("wgm", "WGM"), (" im", "IM"), ("  f", "FM"), ("   ", None)],
)  # fmt: skip
def test_titles(text, title):
    """One-letter, French and small-letter titles are read, in any of their columns."""
    tournament = read_edited(b"001    1 m IM", f"001    1 m{text}".encode())
    assert tournament.entrant(1).player.title == title
    assert bool(said(tournament, "title")) == (text.strip() not in ("IM", ""))


@pytest.mark.parametrize("text", [" MF", " XX", "AGM"])
def test_no_title(text):
    """A title that is none, or that may be two, is left out and named with its columns."""
    tournament = read_edited(b"001    1 m IM", f"001    1 m{text}".encode())
    assert tournament.entrant(1).player.title is None
    assert [(one.line, one.column, one.lost) for one in tournament.oddities] == [(15, 11, True)]


@pytest.mark.parametrize(
    ("text", "born", "year"),
    [("1988/04/12", date(1988, 4, 12), 1988), ("1988.04.12", date(1988, 4, 12), 1988), ("1988      ", None, 1988),
     ("12.04.1988", date(1988, 4, 12), 1988), ("1988/00/00", None, 1988), ("0000/00/00", None, None),
     ("1988-04-12", date(1988, 4, 12), 1988), ("          ", None, None), ("04/25/1988", date(1988, 4, 25), 1988)],
)  # fmt: skip
def test_birth_dates(text, born, year):
    """Birth dates of every form that was seen."""
    tournament = read_edited(b"1988/04/12", text.encode())
    assert (tournament.entrant(1).born, tournament.entrant(1).player.birth_year) == (born, year)


@pytest.mark.parametrize(
    "text", ["15. 08. 2026", "15/08/2026", "Aug 15, 2026", "2026-08-15", "15 August 2026", "15.8.2026", "20260815"]
)
def test_event_dates(text):
    """Dates of the event in every form that was seen, each with a word about it."""
    tournament = read_edited(b"042 2026/08/15", f"042 {text}".encode())
    assert tournament.start == date(2026, 8, 15)
    assert [(one.line, one.column) for one in tournament.oddities] == [(4, 5)]


@pytest.mark.parametrize("text", ["   0", "0000", "    "])
def test_a_blank_or_zero_rating_is_unrated(text):
    """A player without a rating, whether it is blank, 0 or 0000, is unrated and never rated 0."""
    tournament = read_edited(b" 1688 CZE", f" {text} CZE".encode())
    assert tournament.entrant(9).player.rating is None


def test_sex_f_is_a_woman():
    """A woman written f."""
    assert read_edited(b"001    5 w", b"001    5 f").entrant(5).player.sex == "w"


def test_no_opponent():
    """No opponent as 0, as blank, and as 0000 are the same."""
    for text in (b"   0 - U", b"     - U", b"       U"):
        assert content(read_edited(b"0000 - U", text, 9)) == content(OPEN)


def test_short_line():
    """A line that ends early has fewer rounds, and one that ends behind the colour has a game to come."""
    line = next(line for line in EXAMPLE.read_bytes().splitlines() if line.startswith(b"001    1"))
    short = read_edited(line, line[:101])
    assert [one.kind for one in short.entrant(1).rounds] == ["played"]
    pending = read_edited(line, line[:106])
    assert pending.entrant(1).rounds[1] == arpad.Round("pending", 4)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_line_ends_and_encodings(end, mark, encoding, tmp_path):
    """Line ends, a byte-order mark and the encoding make no difference to what is read, and come back when written."""
    text = EXAMPLE.read_text(encoding="utf-8").replace("Lefevre, Camille ", "Lefèvre, Camille ")
    data = mark + text.replace("\n", end.decode()).encode(encoding)
    path = tmp_path / "open.trf"
    path.write_bytes(data)
    tournament = arpad.read(path)
    if not (mark and encoding == "latin-1"):  # that mark promises UTF-8
        assert tournament.entrant(8).player.name == "Lefèvre, Camille"
    assert tournament.entrant(8).rounds == OPEN.entrant(8).rounds
    arpad.write(tournament, tmp_path / "copy.trf")
    assert (tmp_path / "copy.trf").read_bytes() == data


def test_padded_by_bytes():
    """A name with accents that was padded by bytes pulls the line to the left; it is read, and said."""
    tournament = read_edited(b"Lefevre, Camille                  1765", "Lefèvre, Cämille                1765".encode())
    assert replace(content(tournament), entrants=()) == replace(content(OPEN), entrants=())
    assert replace(tournament.entrant(8), player=None) == replace(OPEN.entrant(8), player=None)
    assert tournament.entrant(8).player.rating == 1765
    assert [(one.line, one.column, one.lost) for one in tournament.oddities] == [(22, 46, False)]


@pytest.mark.parametrize(("old", "new"), [(b"001    3 w", b"001     3 w"), (b"001    3 w", b"001   3 w")])
def test_a_shifted_line(old, new):
    """A line that stands one column to the right or left as a whole is moved back, and said."""
    tournament = read_edited(old, new)
    assert content(tournament) == content(OPEN)
    assert len(said(tournament, "Everything after 001 is 1 column too far")) == 1


def test_more_lines_of_a_kind():
    """Several deputies, and several lines of round dates, are all kept."""
    tournament = read_edited(b"112 Kovac, Petar", b"112 Kovac, Petar\r\n112 Babic, Ana")
    assert tournament.deputies == ("Kovac, Petar", "Babic, Ana")
    second = b"132" + b" " * 88 + b" " * 60 + b"26/08/21"
    tournament = read_edited(b"XXR 6", second + b"\r\nXXR 7")
    assert len(tournament.round_days) == 7
    assert tournament.round_days[6] == date(2026, 8, 21)


def test_ruler_lines_and_comments():
    """A ruler without ### is passed over with a word, one with it in silence, blank lines too."""
    ruler = b"DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF\r\n"
    tournament = read_edited(b"001    1", ruler + b"### SSSS sTTT NNNNN\r\n\r\n001    1")
    assert content(tournament) == content(OPEN)
    assert [str(one.says) for one in tournament.oddities] == ["A ruler line without ###."]


def test_a_count_may_have_a_remark():
    """A count with a remark is read, and one that is wrong is said."""
    tournament = read_edited(b"062 10", b"062 11 (9)")
    assert [str(one.says) for one in tournament.oddities] == [
        "The number is written '11 (9)'.",
        "The file says 11 players and has 10.",
    ]


def test_points_of_other_events():
    """What an event pays, in each of the four ways to say it, changes what the points must be."""
    for line in (b"XXS W=3 D=1 PAB=3", b"162  W 3.0    D 1.0", b"BBW  3.0\r\nBBD  1.0\r\nBBU  3.0"):
        tournament = read_edited(b"XXR 6", b"XXR 6\r\n" + line)
        assert tournament.scoring["white-win"] == 3
        found = [one for one in arpad.inconsistencies(tournament) if one.kind == "points"]
        # Player 1: four wins and two draws make 14 where the file says 5.0.
        assert "the file says 5 points, the results make 14." in str(found[0].says)
        assert len(found) == 10


def test_points_of_the_allocated_bye():
    """By 162 the pairing-allocated bye pays as a win unless P says otherwise; a damaged value is left out."""
    for line, bye in ((b"162  W 3.0", 3), (b"162  P 1.5    W 3.0", Decimal("1.5")), (b"XXS W=3", 1)):
        assert read_edited(b"XXR 6", b"XXR 6\r\n" + line).scoring["allocated-bye"] == bye
    tournament = read_edited(b"XXR 6", b"XXR 6\r\n162  W x.y    D 0.7")
    assert (tournament.scoring["white-win"], tournament.scoring["white-draw"]) == (1, Decimal("0.7"))
    assert [(one.line, one.lost) for one in tournament.oddities] == [(15, True)]


def test_letter_codes():
    """JaVaFo's codes for engines are kept and come back in TRF16; TRF26 has its own for most of them."""
    codes = b"XXC white1\r\nXXP 1 2\r\nXXA    1  1.0  0.5\r\nXXZ 9 10"
    tournament = read_edited(b"XXR 6", b"XXR 6\r\n" + codes)
    again = read_bytes(file_bytes(tournament, "trf16")[0], "x")
    assert content(again) == content(tournament)
    data, lost = file_bytes(tournament, "trf26")
    text = data.decode()
    assert "\r\n152 W\r\n" in text
    assert "\r\n260   1   6    1    2\r\n" in text
    assert "\r\n250       1.0   1   1    1    1\r\n" in text
    assert [str(one.says) for one in lost] == ["TRF26 has no place for XXZ; 1 line of it left out."]


def test_drafts_of_trf26():
    """330 for a bye and 340 for a forfeited match, as the drafts had it, are read as 240 and 330."""
    tournament = read_edited(b"XXR 6", b"XXR 6\r\n330 H   3    9\r\n340 +-   4   1   2")
    assert [one.code for one in tournament.records] == ["240", "330"]
    assert tournament.records[0].fields == {"kind": "H", "round": 3, "numbers": (9,)}


def test_time_control():
    """A plain time control is understood, and a coded one before it; what is not understood is kept as text."""
    assert str(OPEN.pace) == "90+30"
    assert str(read_edited(b"XXR 6", b"222 5400+30").pace) == "90+30"
    strange = read_edited(b"122 90+30", b"122 40 moves in 2 hours")
    assert (strange.pace, strange.time_control) == (None, "40 moves in 2 hours")


def test_long_names_are_cut_aloud():
    """A name too long for its columns is cut when written, and the writer says so."""
    first = OPEN.entrants[0]
    long = replace(first, player=arpad.Player(2400, birth_year=1988, name="A" * 40))
    data, lost = file_bytes(replace(OPEN, entrants=(long, *OPEN.entrants[1:])), "trf16")
    assert [str(one.says) for one in lost] == [
        f"'{'A' * 40}' is cut to the 33 letters there are for this field (name)."
    ]
    assert read_bytes(data, "x").entrant(1).player.name == "A" * 33


def test_halves_of_points():
    """Points are exact decimals."""
    assert OPEN.entrant(2).points == Decimal("4.5")
    assert edited(b" 4.5 ", b" 4,5 ") != EXAMPLE.read_bytes()
    assert read_edited(b" 4.5 ", b" 4,5 ").entrant(2).points == Decimal("4.5")


# The examples FIDE prints beside the records of TRF26 (Council, 12 May 2025), with leading zeros.
PRINTED = """250 00.0 02.0 001 003 0001 0090
260 001 002  125  180  184  216
240 H 003  026  047
330 +- 004 023 047
"""


def test_examples_of_the_handbook():
    """FIDE's own example lines of TRF26 are read without an oddity, and mean what the handbook says beside them."""
    tournament = read_edited(b"XXR 6\r\n", b"142 6\r\n" + PRINTED.encode())
    assert tournament.oddities == ()
    accelerated, forbidden, bye, forfeit = (one.fields for one in tournament.records)
    assert (accelerated["points"], accelerated["last_round"], accelerated["last_no"]) == (2, 3, 90)
    assert forbidden == {"first_round": 1, "last_round": 2, "numbers": (125, 180, 184, 216)}
    assert bye == {"kind": "H", "round": 3, "numbers": (26, 47)}
    assert forfeit == {"kind": "+-", "round": 4, "white": 23, "black": 47}


def test_a_team_as_the_handbook_prints_it():
    """A team is written letter for letter as in FIDE's example of record 310."""
    india = arpad.Team(1, "India", (1, 5, 15, 28, 44), Decimal(15), Decimal(28), 11, "IND", 2486)
    text = file_bytes(replace(OPEN, teams=(india,)), "trf26")[0].decode()
    line = "310   1 India                            IND     2486   15.0   28.0  11     1    5   15   28   44"
    assert f"\r\n{line}\r\n" in text


SAYS = (
    "### SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF",
    "### Left FIDE mode from round 4: colours were set by hand",
    "###Tie-breaks changed after round 3: BH/C1, BH, SB",
    "### T RRR TOI1 TOI2",
    "### ИСПРАВЛЕНО ТОЛЬКО ДЛЯ РЕЙТИНГА",
)
KEPT = [
    "Left FIDE mode from round 4: colours were set by hand",
    "Tie-breaks changed after round 3: BH/C1, BH, SB",
    "ИСПРАВЛЕНО ТОЛЬКО ДЛЯ РЕЙТИНГА",
]


def test_comments_of_a_program_are_shown_and_rulers_are_not(tmp_path, capsys):
    """Programs endorsed by FIDE say in ### lines what an arbiter must know; event, check, ties and norms show it."""
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    path = tmp_path / "commented.trf"
    path.write_text("\n".join([*lines, *SAYS]) + "\n", encoding="utf-8")
    event = arpad.read(path)
    assert [record.text() for record in event.records if record.code == "###"] == KEPT
    for question in ("event", "check", "ties", "norms", "standings"):
        main([question, str(path)])
        shown = " ".join(capsys.readouterr().out.split())
        assert all(text in shown for text in KEPT), question
        assert "sTTT" not in shown
        assert f"line {len(lines) + 2}" in shown
    again = tmp_path / "again.trfx"
    arpad.write(event, again)
    assert [record.text() for record in arpad.read(again).records if record.code == "###"] == KEPT
