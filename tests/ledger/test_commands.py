"""The `arpad ledger` command: what corrections need to know, and errors in words."""

import json
from datetime import date

import pytest
from ledgers import club, games, members

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
