"""A tournament's players looked up in an imported rating list."""

import json

import pytest

from arpad.cli import main

# An invented list of the month of the event in docs/examples/open.trf: one rating, K and title other than the file's.
LISTED = """id,name,federation,sex,title,rating,games,k,born
90000017,"Lindqvist, Aron",SWE,M,GM,2420,0,10,1988
90000058,"Horvat, Mirjana",CRO,F,,2054,0,40,2003
"""
OPEN = "docs/examples/open.trf"


@pytest.fixture
def listed(tmp_path, monkeypatch, capsys):
    """The list, imported."""
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    (tmp_path / "list.csv").write_text(LISTED, encoding="utf-8")
    assert main(["list", "import", str(tmp_path / "list.csv"), "--month", "2026-08", "--name", "fide"]) == 0
    capsys.readouterr()


def says(capsys, *words):
    """The answer of a command."""
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("listed")
def test_an_event_takes_ratings_and_k_from_the_list(capsys):
    """Rating and K are those of the list valid at the start; what differs from the file, and the list, are named."""
    rated = says(capsys, "event", OPEN, "--list", "fide")
    players = {one["no"]: one for one in rated["value"]["players"]}
    assert (players[1]["rating"], players[5]["k"]) == (2420, 40)
    assert says(capsys, "event", OPEN)["value"]["players"][4]["k"] == 20
    assert any("2412 in the file and 2420 in the list" in oddity for oddity in rated["value"]["oddities"])
    assert any("fide standard 2026-08" in note for note in rated["notes"])


@pytest.mark.usefixtures("listed")
def test_norms_take_titles_from_the_list(capsys):
    """The list knows a title that the file does not: its holder is nobody's candidate for it."""
    one = next(one for one in says(capsys, "norms", OPEN, "--list", "fide")["value"]["players"] if one["no"] == 1)
    assert one["title"] == "GM"
    ties = says(capsys, "ties", OPEN, "--list", "fide", "--by", "RTNG", "--unrated", "1400")
    assert any("fide standard 2026-08" in note for note in ties["notes"])


@pytest.mark.usefixtures("listed")
def test_a_list_that_is_too_new_is_refused(capsys):
    """No list before the event's start is imported: that is said, and nothing is guessed."""
    assert main(["event", OPEN, "--list", "fide", "--on", "2026-05-01"]) == 2
    assert "2026-05" in capsys.readouterr().err
