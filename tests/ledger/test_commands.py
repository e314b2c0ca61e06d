"""The `arpad ledger` command: what corrections need to know, and errors in words."""

import csv
import json
from datetime import date

import pytest
from ledgers import club, games, members, play

from arpad import ledger
from arpad.cli import main


@pytest.fixture
def place(tmp_path):
    book = members(club(tmp_path, name="Riverside"))
    games(book, [("Baker Ann", "Dorn Carl", "1-0"), ("Evans Eve", "Dorn Carl", "0-1")], "Evening", date(2026, 3, 3))
    return book.store.place


def test_an_event_has_the_numbers_that_corrections_need(place, capsys):
    """The events with their numbers, the players and games of one with theirs; a game is corrected by its number."""
    assert main(["ledger", "event", place]) == 0
    assert "Evening" in capsys.readouterr().out
    assert main(["ledger", "event", place, "4"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    game = next(row[0] for row in rows if "Evans" in row and "0–1" in row)
    assert main(["ledger", "correct", place, "4", "--game", game, "--result", "1-0"]) == 0
    capsys.readouterr()
    assert main(["ledger", "event", place, "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"]["games"][game]["score"] == 1


@pytest.mark.parametrize(("line", "where"), [
    ("correct {} 4", "event"),
    ("correct {} 99 --leave-out", "event"),
    ("correct {} 4 --is 9=P1", "--is"),
    ("edit {} P1 nonsense=3", "fact"),
    ("undo {} 77", "decision"),
    ("freeze {} --pool nowhere", "--pool"),
])  # fmt: skip
def test_an_error_says_where(place, line, where, capsys):
    assert main(["ledger", *line.format(place).split()]) == 2
    assert capsys.readouterr().err.endswith(f"(at {where})\n")


def test_settings_are_sentences(place, capsys):
    """A policy with its days, in the answer and in the log."""
    says = "published lists may be revised for 30 days, with a reason"
    assert main(["ledger", "settings", place, "--policy", "window", "--window", "30"]) == 0
    assert capsys.readouterr().out == f"Riverside: {says}.\n"
    assert main(["ledger", "log", place, "--json"]) == 0
    log = json.loads(capsys.readouterr().out)["value"]["decisions"]
    assert log[-1]["about"] == f"settings: {says}"


@pytest.mark.parametrize(("headings", "row", "found"), [
    ("Name,Email,Phone", "Fox Fay,fay@club.example,01234 5678", {}),
    ("Surname,First name,Date of birth,Member No", "Fox,Fay,3/4/1981,17", {"born": 1981, "ids": {"club": "17"}}),
    ("Membership No,Name,Email,Rating,Phone,Joined,Born", "A9,Fox Fay,,1500,,2019,1981",
     {"born": 1981, "ids": {"club": "A9"}}),
    ("Mitgliedsnummer;Name;Telefon;Jahrgang", "17;Fox Fay;0123 456789;1981", {"born": 1981, "ids": {"club": "17"}}),
])  # fmt: skip
def test_a_clubs_own_spreadsheet(place, tmp_path, capsys, headings, row, found):
    """Members are recognised among columns that only the club needs, which are named; so is their number there."""
    file = tmp_path / "own.csv"
    file.write_text(f"{headings}\n{row}\n", encoding="utf-8")
    assert main(["ledger", "people", place, str(file)]) == 0
    unused = {"Email", "Phone", "Joined", "Telefon"} & set(headings.replace(";", ",").split(","))
    told = capsys.readouterr().out
    assert all(one in told for one in unused)
    assert main(["ledger", "people", place, str(file), "--accept"]) == 0
    capsys.readouterr()
    assert main(["ledger", "person", place, "P4", "--json"]) == 0
    person = json.loads(capsys.readouterr().out)["value"]
    assert {key: person[key] for key in ("name", "born", "ids")} == {
        "name": "Fox, Fay" if "Surname" in headings else "Fox Fay", "born": None, "ids": {}, **found
    }  # fmt: skip


def test_next_years_members(place, tmp_path, capsys):
    """The same spreadsheet with one more: names without a year of birth are settled at once, if the club says so."""
    file = tmp_path / "own.csv"
    file.write_text("Name,Email\nBaker Ann,\nDorn Carl,c@club.example\nFox Fay,\n")
    assert main(["ledger", "people", place, str(file), "--accept"]) == 2
    assert main(["ledger", "people", place, str(file)]) == 1
    assert "--same-names" in capsys.readouterr().out
    assert main(["ledger", "people", place, str(file), "--same-names", "--accept"]) == 0
    assert "1 new person" in capsys.readouterr().out
    assert len(ledger.open(place).book.people) == 4


def test_a_table_without_names_is_no_table_of_members(place, tmp_path, capsys):
    """The answer is about members, and says what the table needs."""
    file = tmp_path / "own.csv"
    file.write_text("Email,Phone\nfay@club.example,01234 5678\n")
    assert main(["ledger", "people", place, str(file)]) == 2
    assert "No members were recognised. The table needs a line of headings with Name" in capsys.readouterr().err


def test_a_list_says_which_games_count_later(tmp_path, capsys):
    """In a pool by month today's game counts from next month: the list is empty, and says so."""
    path = str(tmp_path / "club.arpad")
    assert main(["ledger", "new", path, "--system", "glicko-2"]) == 0
    book = ledger.open(path)
    play(members(book), "Ann Baker 1-0 Carl Dorn, 2026-11-05")
    capsys.readouterr()
    assert main(["ledger", "list", path, "--on", "2026-11-18", "--json"]) == 0
    assert {one["name"] for one in json.loads(capsys.readouterr().out)["value"]["players"]} == {
        "Baker Ann",
        "Dorn Carl",
    }
    assert main(["ledger", "list", path, "--on", "2026-11-18"]) == 0
    assert "count only from 2026-12-01.\nThey are included with --live." in capsys.readouterr().out
    assert main(["ledger", "list", path, "--on", "2026-12-01"]) == 0
    assert "--live" not in capsys.readouterr().out


def test_a_list_as_a_file(place, tmp_path, capsys):
    """CSV or JSON by the ending, and nothing else."""
    for ending in ("csv", "json"):
        assert main(["ledger", "list", place, "--to", str(tmp_path / f"list.{ending}")]) == 0
    rows = list(csv.DictReader((tmp_path / "list.csv").read_text(encoding="utf-8").splitlines()))
    whole = json.loads((tmp_path / "list.json").read_text(encoding="utf-8"))
    assert [row["name"] for row in rows] == [one["name"] for one in whole["players"]]
    capsys.readouterr()
    assert main(["ledger", "list", place, "--to", str(tmp_path / "list.txt")]) == 2
    assert capsys.readouterr().err.endswith("it may be one of: .csv, .json. (at --to)\n")


def test_improvers(place, capsys):
    """Of those who moved, whoever rose: Ann beat Carl, and nobody else has more than before."""
    line = ["ledger", "changes", place, "2026-03-01", "2026-04-01", "--json"]
    assert main(line) == 0
    everybody = json.loads(capsys.readouterr().out)["value"]["movers"]
    assert main([*line, "--improvers"]) == 0
    risen = json.loads(capsys.readouterr().out)["value"]["movers"]
    assert {one["name"] for one in everybody} > {one["name"] for one in risen}
    assert all(float(one["change"]) > 0 for one in risen)
    assert "Baker Ann" in {one["name"] for one in risen}
