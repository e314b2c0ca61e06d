"""Entry lists: tables of players without rounds, and what their field allows."""

import csv
import io
import json
from dataclasses import replace
from datetime import date

import pytest

import arpad
from arpad.cli import main
from arpad.errors import BadFile
from arpad.formats import read, read_bytes
from arpad.questions.entries import plain_entries
from arpad.tournaments.entries import entry_list
from arpad.tournaments.start_list import start_list
from conftest import ROOT

LIST = ROOT / "docs" / "examples" / "entries.csv"
ON = date(2026, 9, 5)
FIELD = read(LIST, entries=True)


def outlook(title, field=FIELD, **options):
    answer = entry_list(field, on=ON, **{"rounds": 9, "host": "ITA", **options})
    return next(one for one in answer.norms if one.title == title)


def test_the_figures_of_a_field():
    """Average, titles and federations as a spreadsheet has them."""
    rows = list(csv.DictReader(LIST.read_text(encoding="utf-8").splitlines()))
    answer = entry_list(FIELD, on=ON)
    assert answer.players == len(rows) == 20
    assert answer.average == round(sum(int(row["rating"]) for row in rows) / 20)
    assert answer.titles["GM"] == sum(row["title"] == "GM" for row in rows) == 5
    assert answer.federations["ITA"] == 6
    assert sum(one.players for one in answer.bands) == answer.rated == 20


def test_a_field_that_allows_norms():
    """Of nine opponents 5 are titled, 3 with the title, at most 5 of the own federation (B.01 1.4)."""
    one = outlook("GM")
    assert one.possible
    needed = {part.name: part.needed for part in one.conditions}
    assert needed == {"games": 9, "titled": 5, "same_title": 3, "average": 2380, "federations": 2, "foreign": 4}


def without(count, *, keep):
    """The field without all but so many of those whom a test picks."""
    picked = [one for one in FIELD.entrants if keep(one.player)][count:]
    return replace(FIELD, entrants=tuple(one for one in FIELD.entrants if one not in picked))


def test_each_missing_condition_is_named():
    """Too few grandmasters, too few rounds, too few foreigners, and too low an average, each by its own name."""
    few = outlook("GM", without(2, keep=lambda player: player.title == "GM"))
    assert [(part.name, part.found, part.needed) for part in few.missing] == [("same_title", 2, 3)]
    assert [part.name for part in outlook("IM", rounds=7).missing] == ["games"]
    home = without(3, keep=lambda player: player.federation != "ITA")
    assert "foreign" in [part.name for part in outlook("WIM", home).missing]
    weak = replace(FIELD, entrants=FIELD.entrants[10:])
    assert "average" in [part.name for part in outlook("GM", weak).missing]


def test_a_table_without_rounds_is_a_list_of_entries_only_where_that_is_asked_for():
    """Ratings, norms and standings still refuse it: no tournament is there."""
    with pytest.raises(BadFile, match="a list of players without rounds or results; `entries` says"):
        arpad.read(LIST)
    table = b"Nr.;Name;FIDE-ID;Land;Elo\n1;Ann A;123456;GER;2000\n2;Bob B;234567;FRA;\n"
    found = read_bytes(table, "entries.csv", entries=True)
    people = [(one.no, one.player.name, one.player.fide_id, one.player.rating) for one in found.entrants]
    assert people == [(1, "Ann A", 123456, 2000), (2, "Bob B", 234567, None)]


def test_command_and_api(capsys, client):
    """Both have the same answer; without a host and rounds the answer says what it took."""
    assert main(["entries", str(LIST), "--on", "2026-09-05", "--json"]) == 0
    reply = json.loads(capsys.readouterr().out)
    assert any("taken as 9" in note for note in reply["notes"])
    assert any("host federation is not known" in note for note in reply["notes"])
    asked = {"text": LIST.read_text(encoding="utf-8"), "file": "entries.csv", "on": "2026-09-05"}
    assert client.post("/api/v1/entries", json=asked).json()["value"] == reply["value"]


# An invented list, and entries for it: name and year; a name alone; an ID; an ID with another name; unknown.
LISTED = """id,name,federation,sex,title,rating,games,k,born
90000017,"Lindqvist, Aron",SWE,M,GM,2420,0,10,1988
90000058,"Horvat, Mirjana",CRO,F,,2054,0,40,2003
90000059,"Horvat, Mirjana",SLO,F,WFM,2154,0,40,1999
90000060,"Okafor, Chidi",NGR,M,IM,2154,0,40,1991
"""
ENTERED = """name,fide_id,federation,born
"Horvat, Mirjana",,CRO,2003
"Horvat, Mirjana",,SLO,
"Lindqvist, Aron",90000017,,
"Mueller, Jan",90000060,GER,1990
"Nobody, Known",,ITA,1980
"""


@pytest.fixture
def entered(tmp_path, monkeypatch, capsys):
    """The list imported, and the path of the entries."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    (tmp_path / "list.csv").write_text(LISTED, encoding="utf-8")
    assert main(["list", "import", str(tmp_path / "list.csv"), "--month", "2026-11", "--name", "fide"]) == 0
    path = tmp_path / "entries.csv"
    path.write_text(ENTERED, encoding="utf-8")
    capsys.readouterr()
    return path


def test_entries_are_found_by_id_or_by_name_and_year_and_never_guessed(entered, capsys):
    """An ID, or the whole name with the year of birth, settles who it is; everybody else keeps their candidates."""
    assert main(["entries", str(entered), "--list", "fide", "--on", "2026-11-20", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    lines = answer["value"]["entries"]
    assert [(one["no"], one["name"], one["rating"], one["found_by"]) for one in lines] == [
        (1, "Lindqvist, Aron", 2420, "id"),
        (2, "Horvat, Mirjana", 2054, "name"),
        (3, "Horvat, Mirjana", None, None),
        (4, "Mueller, Jan", None, None),
        (5, "Nobody, Known", None, None),
    ]
    assert [(one["fide_id"], one["title"]) for one in lines[:2]] == [(90000017, "GM"), (90000058, None)]
    assert [candidate["fide_id"] for candidate in lines[2]["candidates"]] == [90000059]
    assert [candidate["name"] for candidate in lines[3]["candidates"]] == ["Okafor, Chidi"]
    assert lines[4]["missing"] == ["fide_id", "sex"]
    assert any("the ID 90000060 belongs to somebody else" in note for note in answer["notes"])


def test_a_starting_list_is_sorted_by_rating_title_and_name():
    """FIDE C.04.2: by rating, then by title in the order GM IM WGM FM WIM CM WFM WCM, then by the alphabet."""
    people = (
        ("Berg", 2300, "FM"), ("Adler", 2300, None), ("Zorn", 2300, "WGM"), ("Cohn", 2300, "FM"), ("Egg", None, None),
        ("Dorn", 2301, None),
    )  # fmt: skip
    entrants = (
        arpad.Entrant(no, arpad.Player(rating, name=name, title=title))
        for no, (name, rating, title) in enumerate(people, start=1)
    )
    event, lines = start_list(arpad.Tournament(tuple(entrants)), {})
    assert [line.name for line in lines] == ["Dorn", "Zorn", "Berg", "Cohn", "Adler", "Egg"]
    assert [entrant.no for entrant in event.entrants] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("form", ["trf16", "trf26"])
def test_a_starting_list_is_a_report_that_reads_back(entered, tmp_path, capsys, form):
    """The same players in the same order, and what the event and the players lack is listed."""
    path = tmp_path / "start.trf"
    words = ["--list", "fide", "--rounds", "9", "--host", "ITA", "--to", str(path), "--file-format", form]
    assert main(["entries", str(entered), *words]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "ID, sex" in shown
    assert "the chief arbiter is missing" in shown
    event = read(path)
    assert [(one.no, one.player.name, one.player.fide_id) for one in event.entrants][:2] == [
        (1, "Lindqvist, Aron", 90000017),
        (2, "Horvat, Mirjana", 90000058),
    ]
    assert (event.rounds, event.federation) == (9, "ITA")


def test_a_starting_list_for_swiss_manager(entered, tmp_path):
    """The columns of the program's own text file of players: Nr to Atitel, semicolons, CR LF, 0 for nothing."""
    path = tmp_path / "start.txt"
    assert main(["entries", str(entered), "--list", "fide", "--to", str(path), "--file-format", "swiss-manager"]) == 0
    lines = path.read_bytes().decode("utf-8").split("\r\n")
    assert lines[0].split(";")[:9] == ["Nr", "Name", "Titel", "Identnr", "EloNat", "EloInt", "Geburt", "Fed", "Sex"]
    assert lines[0].endswith("Nachname;Vorname;Atitel")
    rows = [dict(zip(lines[0].split(";"), line.split(";"), strict=True)) for line in lines[1:-1]]
    assert (rows[0]["Name"], rows[0]["Titel"], rows[0]["EloInt"], rows[0]["FideIdent"]) == (
        "Lindqvist Aron", "GM", "2420", "90000017",
    )  # fmt: skip
    assert (rows[1]["Nachname"], rows[1]["Vorname"], rows[1]["Sex"]) == ("Horvat", "Mirjana", "W")
    assert (rows[4]["EloInt"], rows[4]["FideIdent"]) == ("0", "0")


@pytest.mark.usefixtures("entered")
def test_names_as_people_paste_them(capsys, monkeypatch):
    """A name on a line, perhaps with federation, ID and year of birth; a number that may be a rating is refused."""
    text = "Name\nMirjana Horvat (CRO) 90000058\nLindqvist, Aron SWE\n\nMeier 1950\nHorvat, Mirjana SLO *1999\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["entries", "-", "--list", "fide", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    lines = answer["value"]["entries"]
    assert [(one["name"], one["federation"], one["found_by"]) for one in lines] == [
        ("Horvat, Mirjana", "SLO", "name"),
        ("Horvat, Mirjana", "CRO", "id"),
        ("Lindqvist, Aron", "SWE", None),
    ]
    assert any(note.startswith("line 5: This line is not understood") for note in answer["notes"])
    assert any("Lindqvist, Aron SWE 1988 2420 @90000017" in note for note in answer["notes"])


def test_numbered_lines_with_titles():
    """As in a mail: the numbers are of the lines, a title before the name is a title; Im may be a name."""
    found = plain_entries("1. GM Lindqvist, Aron SWE\n2) Horvat, Mirjana\n3. Im Soo KOR\n4. Meier 1950\n")
    assert [(one.player.title, one.player.name, one.player.federation) for one in found.entrants] == [
        ("GM", "Lindqvist, Aron", "SWE"),
        (None, "Horvat, Mirjana", None),
        (None, "Im Soo", "KOR"),
    ]
    assert [odd.line for odd in found.oddities] == [4]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Name;Verein\nHorvat, Mirjana;SK Eins\nLindqvist, Aron;SK Zwei\n", ["Horvat, Mirjana", "Lindqvist, Aron"]),
        ("Nr;Name;Verein\n1;Horvat, Mirjana;SK Eins\n", ["Horvat, Mirjana"]),
        ("Nachname,Vorname\nHorvat,Mirjana\n", ["Horvat, Mirjana"]),
        ("Name;Jahrgang;Elo\nHorvat, Mirjana;1999;2054\nLindqvist, Aron;;\n", ["Horvat, Mirjana", "Lindqvist, Aron"]),
    ],
)
def test_a_name_is_enough(tmp_path, capsys, text, names):
    """A club's list may have nothing but names: its headings are nobody, and nobody is left out."""
    path = tmp_path / "entries.csv"
    path.write_text(text, encoding="utf-8")
    assert main(["entries", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in answer["value"]["entries"]] == names
    assert not any("Left out" in note for note in answer["notes"])


@pytest.mark.usefixtures("entered")
def test_advice_names_only_what_is_missing(tmp_path, capsys):
    """Whoever has a year of birth already is asked for the FIDE ID alone."""
    path = tmp_path / "entries.csv"
    path.write_text("Name;Jahrgang\nLindquist, Aron;1988\nLindqvist, Aron;\n", encoding="utf-8")
    assert main(["entries", str(path), "--list", "fide", "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [note.rpartition("Give ")[2] for note in notes if "not settled" in note] == [
        "the FIDE ID.",
        "the FIDE ID, or the year of birth.",
    ]
