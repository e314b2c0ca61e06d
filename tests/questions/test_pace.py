"""A time control at the command: its class, and the systems it is rated in; all texts are in reading/test_paces.py."""

import json

from arpad.cli import main


def test_every_federation(capsys):
    """90 minutes and 30 seconds are standard at FIDE (B02 1.1) and regular at US Chess (1)."""
    assert main(["pace", "90 min + 30 sek", "--on", "2026-11-15", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert value["periods"] == [{"minutes": 90, "moves": None}]
    assert (value["pace"], value["increment"], value["minutes"], value["class"]) == ("90+30", 30, 120, "standard")
    assert value["rated_in"] == ["fide-standard", "uschess-regular"]
    assert (value["systems"], value["dual"], value["why"]) == (["uschess-regular"], False, None)


def test_what_is_not_understood_is_unclear(capsys):
    """A text that may mean two things is answered with both, and asks for a look."""
    assert main(["pace", "90/30", "--on", "2026-11-15"]) == 1
    assert "may be moves and minutes or minutes and moves" in " ".join(capsys.readouterr().out.split())


def test_the_system_that_fits_is_named(capsys):
    """15+10 is not standard chess: the answer says that it is rapid (FIDE B02, rapid and blitz, 1.1)."""
    line = ["1750", "1800:win", "--k", "20", "--time", "15+10", "--on", "2026-11-15"]
    assert main(["rate", *line, "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert any("it is rated in fide-rapid, uschess-quick" in note for note in notes)
    assert main(["rate", *line, "--system", "fide-rapid", "--json"]) == 0
    assert not any("rated in" in note for note in json.loads(capsys.readouterr().out)["notes"])
