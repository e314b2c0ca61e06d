"""Tables and PGN headers: crosstables, lists of games, round robins, Excel, and what they must agree with."""

import csv
import io
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from report_files import EXAMPLE, content, folder

import arpad
from arpad import Round
from arpad.formats import file_bytes, read_bytes
from arpad.reading.tables.cells import USUAL, Notation, cell_text, cross_cell
from conftest import library

OPEN = arpad.read(EXAMPLE)
COLOURS = {"w": "white", "b": "black", "s": "black"}


def round_of(cell, notation=USUAL):
    """The round in a cell of a table with these colours; what only the opponent's row could prove is none."""
    found = cross_cell(cell, notation)
    found = found.otherwise if found is not None and found.unproven else found
    return None if found is None else found.round(COLOURS)


WON = Round("played", 12, "white", Decimal(1))
DRAWN = Round("played", 12, "black", Decimal("0.5"))


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("12w1", WON), ("12 w 1", WON), ("12W1", WON), ("w12 1", WON), ("12b½", DRAWN),
        ("12b=", DRAWN), ("12b0.5", DRAWN),
        ("12s0", Round("played", 12, "black", Decimal(0))), ("W12", Round("played", 12, None, Decimal(1))),
        ("D 12", Round("played", 12, None, Decimal("0.5"))), ("L12", Round("played", 12, None, Decimal(0))),
        ("+12", Round("played", 12, None, Decimal(1))), ("=12", Round("played", 12, None, Decimal("0.5"))),
        ("-12", Round("played", 12, None, Decimal(0))), ("+12w", WON),
        ("12w+", Round("forfeit", 12, "white", Decimal(1))),
        ("12b-", Round("forfeit", 12, "black", Decimal(0))), ("12w1K", Round("forfeit", 12, "white", Decimal(1))),
        ("X12", Round("forfeit", 12, None, Decimal(1))), ("12w", Round("pending", 12, "white")), ("-", Round("absent")),
        ("bye", Round("allocated-bye")), ("H", Round("half-bye")), ("½", Round("half-bye")), ("-½", Round("half-bye")),
        ("-0", Round("absent")), ("-1", Round("allocated-bye")), ("U", Round("allocated-bye")), ("", None),
        ("12wW", Round("short", 12, "white", Decimal(1))), ("0-", Round("forfeit", None, None, Decimal(0))),
    ],
)  # fmt: skip
def test_cells(cell, expected):
    """Every way to write a round in one cell that the issue names, and those of Swiss-Manager and US Chess."""
    assert round_of(cell) == expected


def test_signs_are_read_by_the_table():
    """In a table that writes +12 and =3, the cell -1 is a loss to number 1, and not a bye."""
    assert round_of("-1", Notation(signed=True)) == Round("played", 1, None, Decimal(0))


@pytest.mark.parametrize(
    ("cell", "kind"), [("H 0", "half-bye"), ("U 0", "absent"), ("B 0", "full-bye"), ("U", "absent"), ("H", "half-bye")]
)
def test_nobody_among_letters(cell, kind):
    """A crosstable of US Chess writes a bye or a round that was not played with a letter, and 0 for the opponent."""
    assert round_of(cell, Notation(lettered=True)) == Round(kind)


@pytest.mark.parametrize("cell", ["12w7", "H 0", "twelve", "w", "12w1b", "½½", "0w1"])
def test_no_cell(cell):
    """What is no round is refused."""
    assert round_of(cell) is None


@pytest.mark.parametrize("one", [one for entrant in OPEN.entrants for one in entrant.rounds])
def test_cells_there_and_back(one):
    """A round written into a cell is read from it again."""
    assert round_of(cell_text(one)) == one


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_tables_there_and_back(format, tmp_path):
    """The open as a table has the same players and rounds as the report it came from."""
    lost = arpad.write(OPEN, tmp_path / f"open.{format}")
    again = arpad.read(tmp_path / f"open.{format}")
    assert content(again).entrants == content(OPEN).entrants
    assert again.rounds == OPEN.rounds
    assert "name, city, federation" in str(lost[0].says)


@pytest.mark.parametrize("path", ["san_viator_2018_B", "graz_open_2026_A_after_r8", "trf26_tec_grandmommys_cup_team"])
def test_real_reports_as_tables(path):
    """Real reports go into a table and come back with every player and every round."""
    tournament = arpad.read(folder() / f"{path}.trf")
    again = read_bytes(file_bytes(tournament, "csv")[0], "again.csv")
    assert content(again).entrants == content(tournament).entrants


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_delimiters_and_encodings(delimiter, encoding):
    """Any usual delimiter and encoding is recognised, also with lines of text above the headings."""
    rows = ["Stadtmeisterschaft", "", "Nr,Spieler,Elo,Land,R1", "1,Müller,2000,GER,2w1", "2,Jägers,1900,GER,1b0"]
    data = "\r\n".join(row.replace(",", delimiter) for row in rows).encode(encoding)
    tournament = read_bytes(data, "table.csv")
    assert [(one.no, one.player.name, one.player.rating) for one in tournament.entrants] == [
        (1, "Müller", 2000),
        (2, "Jägers", 1900),
    ]
    assert arpad.inconsistencies(tournament) == []
    assert tournament.entrant(1).rounds == (Round("played", 2, "white", Decimal(1)),)


def test_a_name_with_a_comma_and_without_quotes_is_told_of():
    """Where a comma in a name moves everything behind it, the line is named, with what to do."""
    text = "no,name,rating,r1\n1,Berg, Ann,1850,2w1\n2,Ben,1800,1b0\n"
    odd = [one for one in read_bytes(text.encode(), "club.csv").oddities if "quotes" in str(one.says)]
    assert [(one.line, one.column, one.lost) for one in odd] == [(2, 5, True)]
    quoted = text.replace("Berg, Ann", '"Berg, Ann"')
    assert read_bytes(quoted.encode(), "club.csv").entrant(1).player.rating == 1850


def test_named_columns():
    """Columns of other names are mapped by the user, over what was recognised."""
    data = b"Lfd,Wer,Zahl,Elo,Erste\n1,Ann,2100,1,2w1\n2,Bob,2000,2,1b0\n"
    columns = {"no": "Lfd", "name": "Wer", "rating": "Zahl", "r1": "Erste"}
    tournament = read_bytes(data, "t.csv", columns)
    assert [(one.player.name, one.player.rating, one.rounds[0].opponent) for one in tournament.entrants] == [
        ("Ann", 2100, 2),
        ("Bob", 2000, 1),
    ]
    with pytest.raises(arpad.BadFile, match="headings that were named: Nummer"):
        read_bytes(data, "t.csv", {"no": "Nummer"})
    with pytest.raises(arpad.BadFile, match="'shoe' is not a column"):
        read_bytes(data, "t.csv", {"shoe": "Zahl"})


def test_which_of_two_columns():
    """FIDE's rating and ID are taken before national ones, and a name may be in two columns."""
    head = "Nr;Nachname;Vorname;Rtg;RtgI;RtgN;ID;FideID;1.Rd"  # as in Swiss-Manager's lists
    data = f"{head}\n1;Ott;Ann;2150;2100;2150;77;90000017;2w1\n2;Ott;Bob;;;;;;1b0\n".encode()
    first, second = read_bytes(data, "t.csv").entrants
    assert first.player == arpad.Player(2100, fide_id=90000017, name="Ott, Ann")
    assert second.player == arpad.Player(None, name="Ott, Bob")


def test_separate_columns():
    """Opponent, colour and result in columns of their own."""
    head = "no,name,rating,r1 opp,r1 colour,r1 result,r2 opp,r2 colour,r2 result"
    data = f"{head}\n1,A,2000,2,w,1,,,\n2,B,1900,1,b,0,,,bye\n".encode()
    tournament = read_bytes(data, "t.csv")
    assert tournament.entrant(1).rounds == (Round("played", 2, "white", Decimal(1)),)
    assert tournament.entrant(2).rounds == (Round("played", 1, "black", Decimal(0)), Round("allocated-bye"))


def test_real_crosstables():
    """Swiss-Manager's crosstables of Arad and the British Championship 2026 fit together, points and all."""
    arad = arpad.read(folder() / "arad_open_2026_A_crosstable_tiebreaks.csv")
    assert (len(arad.entrants), arad.rounds) == (209, 9)
    assert {one.kind for one in arpad.inconsistencies(arad)} & {"opponent", "result", "colour", "points"} == set()
    british = arpad.read(folder() / "british_championship_2026_before_last_round.csv")
    assert (len(british.entrants), british.rounds) == (108, 9)
    assert british.entrant(1).rounds[8] == Round("pending", 13, "black")
    assert {one.kind for one in arpad.inconsistencies(british)} & {"opponent", "result", "colour", "points"} == set()


def test_real_round_robin():
    """A round robin's table is read so that both sides agree and the points are those printed."""
    closed = arpad.read(folder() / "ussa_closed_2026_roundrobin.csv")
    assert len(closed.entrants) == 9
    kinds = {one.kind for one in arpad.inconsistencies(closed)}
    assert kinds & {"opponent", "result", "points"} == set()
    assert sum(one.kind == "forfeit" for one in closed.entrant(2).rounds) == 1


@pytest.mark.parametrize(
    ("name", "players", "rounds"), [("uzchess_cup_2025", 10, 9), ("womens_world_rapid_2024", 110, 11)]
)
def test_real_lists_of_games(name, players, rounds):
    """Games one a line: players are known by their FIDE IDs, and their points are those of the standings beside it."""
    tournament = arpad.read(folder() / f"{name}_games.csv")
    assert (len(tournament.entrants), tournament.rounds) == (players, rounds)
    made = {
        str(one.player.fide_id): sum(played.score for played in one.rounds if played.score)
        for one in tournament.entrants
    }
    standings = next(folder().glob(f"{name}_*[!s].csv")).read_text(encoding="utf-8").splitlines()
    head = standings[0].split(",")
    for line in standings[1:]:
        row = dict(zip(head, line.split(","), strict=True))
        assert made[row["fide_id"]] == Decimal(row["points"])


PGN = """[Event "Harbour Blitz"]
[Site "Rijeka"]
[Date "2026.08.22"]
[Round "1.1"]
[White "Lindqvist, Aron"]
[Black "Okafor, Chidi"]
[Result "1-0"]
[WhiteElo "2412"]
[BlackElo "2318"]
[WhiteTitle "IM"]
[WhiteFideId "90000017"]
[BlackFideId "90000025"]

1. e4 {a comment
[Event "not a header"]
} e5 2. Nf3 1-0

[Event "Harbour Blitz"]
[Date "2026.08.23"]
[Round "2.1"]
[White "Okafor, Chidi"]
[Black "Silva, Tomas"]
[Result "1/2-1/2"]
[WhiteElo "2318"]
[BlackElo "-"]
[WhiteFideId "90000025"]

1/2-1/2
"""


@pytest.mark.parametrize("table", [b"no,name,rating,r1\n1,NM Smith,1850,2w1\n2,FM Jones,1900,1b0\n",
                                   b"no,title,name,rating,r1\n1,NM,Smith,1850,2w1\n2,FM,Jones,1900,1b0\n"])  # fmt: skip
def test_a_national_title_is_left_out_and_named(table):
    """In its column or before the name."""
    tournament = read_bytes(table, "open.csv")
    assert [(one.player.name, one.player.title) for one in tournament.entrants] == [("Smith", None), ("Jones", "FM")]
    assert [str(oddity.says) for oddity in tournament.oddities] == ["'NM' is not a FIDE title; left out."]


def test_pgn():
    """Headers alone make the tournament; a comment that looks like a header is none."""
    tournament = read_bytes(PGN.encode(), "games.pgn")
    assert (tournament.name, tournament.city, tournament.rounds) == ("Harbour Blitz", "Rijeka", 2)
    assert (tournament.start, tournament.end) == (date(2026, 8, 22), date(2026, 8, 23))
    assert [(one.player.name, one.player.rating, one.player.title) for one in tournament.entrants] == [
        ("Lindqvist, Aron", 2412, "IM"),
        ("Okafor, Chidi", 2318, None),
        ("Silva, Tomas", None, None),
    ]
    assert tournament.entrant(2).rounds == (
        Round("played", 1, "black", Decimal(0)),
        Round("played", 3, "white", Decimal("0.5")),
    )
    assert tournament.oddities == ()


def test_pgn_oddities():
    """A game without a player, with a strange result or rating is named by its first line."""
    text = PGN.replace('"1/2-1/2"', '"draw?"').replace('"2412"', '"24x2"')
    tournament = read_bytes(text.encode(), "games.pgn")
    assert [(one.line, str(one.says)) for one in tournament.oddities] == [
        (1, "'24x2' is not a number (rating); left out."),
        (18, "'draw?' is not a result; the game is left out."),
    ]


def test_pgn_without_rounds():
    """Games without a round are put one behind the other, so that nobody plays twice in a round."""
    tournament = read_bytes(PGN.replace('"1.1"', '"?"').replace('"2.1"', '"-"').encode(), "games.pgn")
    assert [one.kind for one in tournament.entrant(2).rounds] == ["played", "played"]
    assert [one.kind for one in tournament.entrant(3).rounds] == ["absent", "played"]


def test_excel_dates_and_numbers():
    """Excel's own dates and numbers are read as what a person sees; a name that begins like a formula stays a name."""
    openpyxl = library("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["a title above"])
    book.active.append(["No.", "Name", "Rtg", "Born", "1.Rd"])
    book.active.append([1.0, "Ann", 2100.0, date(2001, 2, 3), "2w1"])
    book.active.append([2, "Bob", None, 1990, "1b0"])
    data = io.BytesIO()
    book.save(data)
    tournament = read_bytes(data.getvalue(), "t.xlsx")
    assert tournament.entrant(1).player == arpad.Player(2100, birth_year=2001, name="Ann")
    assert (tournament.entrant(1).born, tournament.entrant(2).player.birth_year) == (date(2001, 2, 3), 1990)
    named = replace(OPEN, entrants=(replace(OPEN.entrants[0], player=arpad.Player(2000, name="=1+1")),))
    assert read_bytes(file_bytes(named, "xlsx")[0], "t.xlsx").entrant(1).player.name == "=1+1"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@cmd", "'=1+1", "'t Hart, Jan", "Smith"])
def test_no_name_is_a_formula_in_csv(name):
    """A cell that a spreadsheet program would run has an apostrophe in front, and is read again without it."""
    named = replace(OPEN, entrants=(replace(OPEN.entrants[0], player=arpad.Player(2000, name=name)),))
    data = file_bytes(named, "csv")[0]
    cell = next(csv.reader(data.decode().splitlines()[1:]))[1]
    assert cell[:1] not in ("=", "+", "-", "@")
    assert (cell == name) == (name in ("'t Hart, Jan", "Smith"))
    assert read_bytes(data, "t.csv").entrant(1).player.name == name


def test_players_known_by_more_than_one_thing():
    """A player with an ID in one game and a name alone in another is one; two IDs under one name are two."""
    games = b"round,white,white_id,black,black_id,result\n1,Ann,7,Bob,,1-0\n2,Bob,8,Ann,,0-1\n3,Ann,9,Bob,8,1-0\n"
    tournament = read_bytes(games, "t.csv")
    assert sorted((one.player.name, one.player.fide_id, len(one.rounds)) for one in tournament.entrants) == [
        ("Ann", 7, 2),
        ("Ann", 9, 3),
        ("Bob", 8, 3),
    ]


def test_elo_and_dwz_in_a_file():
    """DWZ beside Elo is the national rating: dwz rates by it, FIDE by Elo, and who has no DWZ is a guest."""
    text = "Nr;Name;Elo;DWZ;1.Rd\n1;Meier;1850;1790;2w1\n2;Schulz;1900;0;1b0\n"
    tournament = read_bytes(text.encode(), "open.csv")
    assert [entrant.player.rating for entrant in tournament.entrants] == [1850, 1900]
    assert [
        (record.text("federation"), record.number("no"), record.number("rating")) for record in tournament.records
    ] == [("GER", 1, 1790)]
    assert not tournament.oddities


def test_no_column_is_round_0():
    """Rounds are counted from 1: a column that is named as round 0 is refused."""
    text = "No,Name,X\n1,Meier,*\n2,Schulz,1\n"
    with pytest.raises(arpad.BadFile, match="'0' is not a column"):
        read_bytes(text.encode(), "open.csv", columns={"0": "X"})


@pytest.mark.parametrize(("heading", "named", "ratings", "said"), [
    ("RtgN", None, [None, None], ["national_only"]),
    ("RtgN", {"rating": "RtgN"}, [1850, 1900], []),
    ("DWZ", None, [1850, 1900], ["national_alone"]),
    ("DWZ", {"rating": "DWZ"}, [1850, 1900], []),
    ("Rtg", None, [1850, 1900], []),
])  # fmt: skip
def test_ratings_of_a_federation_alone(heading, named, ratings, said):
    """Where only a federation's ratings are there, it is said; those that any federation may have count if named."""
    text = f"Nr;Name;{heading};1.Rd\n1;Meier;1850;2w1\n2;Schulz;1900;1b0\n"
    tournament = read_bytes(text.encode(), "open.csv", columns=named)
    assert [entrant.player.rating for entrant in tournament.entrants] == ratings
    assert [oddity.says.key for oddity in tournament.oddities] == [f"formats.table.{key}" for key in said]
    assert any(oddity.lost for oddity in tournament.oddities) == (None in ratings)


LISTED = """Round,Date,White,WhiteElo,Black,BlackElo,Result
1,{0},Ann Baker,1900,Carl Dorn,1850,1-0
1,{0},Eve Fox,1800,Gil Hahn,1750,1/2-1/2
2,{1},Ann Baker,1900,Eve Fox,1800,0-1
"""


@pytest.mark.parametrize(("days", "expected", "said"), [
    (("2026-03-07", "2026-03-08"), (date(2026, 3, 7), date(2026, 3, 8)), []),
    (("03/04/2026", "25/04/2026"), (date(2026, 4, 3), date(2026, 4, 25)), ["formats.day.settled"]),
    (("03/04/2026", "04/04/2026"), (), ["formats.day.either"]),
    (("soon", "2026-03-08"), (), ["formats.trf.date"]),
])  # fmt: skip
def test_days_in_a_list_of_games(days, expected, said):
    """The rounds' days and the event's are those of the rows, by the file's own habit; unclear ones are named."""
    read = read_bytes(LISTED.format(*days).encode(), "games.csv")
    assert read.round_days == expected
    assert (read.start, read.end) == (expected or (None, None))
    assert [odd.says.key for odd in read.oddities] == said


def test_a_game_listed_twice_is_named():
    """The same pair twice in one round may be one game, which would be rated twice."""
    rows = LISTED.format("2026-03-07", "2026-03-08").splitlines()
    read = read_bytes("\n".join([*rows[:2], *rows[1:]]).encode(), "games.csv")
    found = [(odd.says.key, odd.line, odd.serious) for odd in read.oddities]
    assert found == [("formats.game.occupied", 3, True), ("formats.game.occupied", 5, False)]
