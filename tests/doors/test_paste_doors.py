"""A pasted text at every door: the reading is the same, and every sample gives its games."""

import io
import json
import sys

import pytest
from pastes import COMPARED, SAMPLES

from arpad.calculation.serialise import to_json
from arpad.cli import main
from arpad.reading import read_paste

OF_ANSWER = ("kind", "system", "on")  # what every answer has beside the reading


def by_command(sample, capsys, monkeypatch):
    """The value of `arpad paste -`, with its exit code."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sample.text.encode())))
    code = main(["paste", "-", *(["--player", sample.player] if sample.player else []), "--json"])
    return code, json.loads(capsys.readouterr().out)


def by_api(sample, client):
    """The value of `POST /api/v1/paste`."""
    reply = client.post("/api/v1/paste", json={"text": sample.text, "player": sample.player})
    assert reply.status_code == 200, reply.text
    return reply.json()


def reading(value):
    """The reading of an answer."""
    return {name: one for name, one in value.items() if name not in OF_ANSWER}


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_every_sample_at_command_and_api(sample, client, capsys, monkeypatch):
    """Command and API give the games of the sample, and the reading of the library, field by field."""
    code, command = by_command(sample, capsys, monkeypatch)
    api = by_api(sample, client)
    assert [{key: game[key] for key in COMPARED} for game in command["value"]["games"]] == sample.games
    paste = read_paste(sample.text, player=sample.player)
    assert sample.silent(paste) <= {line["text"].strip() for line in command["value"]["left_out"]}
    library = to_json(paste)
    notes = library.pop("notes")
    assert reading(command["value"]) == reading(api["value"]) == library
    assert command["notes"] == api["notes"] == notes
    assert code == int(not sample.games or any(line["doubtful"] for line in library["left_out"]))


def test_what_was_not_understood_is_a_warning_and_good_rows_stay(tmp_path, capsys):
    """A bad line is said on standard error, the exit code is 1, and the other games are there."""
    file = tmp_path / "list.txt"
    file.write_text("1950 win\n2010 1950 win\nKim 1800 ½\n", encoding="utf-8")
    assert main(["paste", str(file)]) == 1
    said = capsys.readouterr()
    assert "1950" in said.out
    assert "Kim" in said.out
    assert (
        said.err
        == "arpad: Line 2 was left out: more than one number could be the rating; leave only one: 2010 1950 win\n"
    )


def test_explain_has_every_line(capsys):
    """`--explain` says of every line without a game why it is left out."""
    assert main(["paste", "docs/examples/card.txt", "--explain"]) == 0
    out = capsys.readouterr().out
    assert "Line 1 was left out: a heading: Rd." in out
    assert "to come" in out


def test_whose_games_is_asked_and_can_be_said(tmp_path, capsys):
    """A table of several people asks whose games are meant, with their names, and a name answers it."""
    file = tmp_path / "table.txt"
    file.write_text(SAMPLES["08"].text, encoding="utf-8")
    assert main(["paste", str(file)]) == 1
    asked = capsys.readouterr().out
    assert "(--player): " in asked
    assert SAMPLES["08"].player in asked
    assert main(["paste", str(file), "--player", SAMPLES["08"].player]) == 0


def test_what_is_refused(client, capsys, tmp_path):
    """No file, no text, a text that is too long, an unknown player."""
    assert main(["paste", str(tmp_path / "none.txt")]) == 2
    assert "There is no such file." in capsys.readouterr().err
    assert main(["paste"]) == 2
    assert client.post("/api/v1/paste", json={}).status_code == 422
    assert client.post("/api/v1/paste", json={"text": "1950 win\n" * 300_000}).json()["at"] == "text"
    refused = client.post("/api/v1/paste", json={"text": SAMPLES["08"].text, "player": "Nobody Else"})
    assert refused.json()["at"] == "player"


@pytest.mark.parametrize("number", ["01", "03", "08"])
def test_pasted_games_are_rated_with_their_reading(number, client, capsys, tmp_path):
    """`rate` takes a paste: the games with a result and a rating count, and `reading` is what `paste` gives."""
    sample, file = SAMPLES[number], tmp_path / "paste.txt"
    file.write_text(sample.text, encoding="utf-8")
    whose = ["--player", sample.player] if sample.player else []
    main(["rate", "1800", "--k", "20", "--on", "2026-11-15", "--paste", str(file), *whose, "--json"])
    command = json.loads(capsys.readouterr().out)
    asked = {"rating": 1800, "k": 20, "on": "2026-11-15", "paste": sample.text, "whose": sample.player}
    api = client.post("/api/v1/fide-standard/rate", json=asked).json()
    assert command["value"] == api["value"]
    assert command["reading"] == api["reading"]
    assert [{key: game[key] for key in COMPARED} for game in api["reading"]["games"]] == sample.games
    played = [game for game in sample.games if game["result"] in ("win", "draw", "loss")]
    rated = [game["opponent"] for game in api["value"]["per_game"] if game["rated"]]
    assert rated == [game["opponent"] for game in played if game["opponent"]]


def test_a_paste_that_cannot_be_rated_is_refused(client):
    """Several players, or no game at all: nothing is rated, and the answer says what to do."""
    asked = {"rating": 1800, "k": 20}
    several = client.post("/api/v1/fide-standard/rate", json={**asked, "paste": SAMPLES["08"].text}).json()
    assert several["at"] == "whose"
    assert SAMPLES["08"].player in several["error"]
    nothing = client.post("/api/v1/fide-standard/rate", json={**asked, "paste": SAMPLES["11"].text}).json()
    assert nothing["at"] == "paste"


def test_games_typed_in_words_have_a_reading(client, capsys):
    """A game that is not in the notation is shown as it was understood; one that is needs no reading."""
    assert main(["rate", "1750", "won against 1950", "--k", "20", "--json"]) == 0
    reply = json.loads(capsys.readouterr().out)
    assert [(game["notation"], game["read_from"]) for game in reply["reading"]["games"]] == [("1950:win", "won")]
    api = client.get("/api/v1/fide-standard/rate?rating=1750&k=20&game=1950:win").json()
    assert "reading" not in api


def test_the_command_warns_and_explains(capsys, tmp_path):
    """`--explain` has the reading; standard error has what was left out; what is not rated is said once."""
    file = tmp_path / "list.txt"
    file.write_text("1950 win\n2010 1950 win\n1800 tomorrow\n", encoding="utf-8")
    assert main(["rate", "1750", "--k", "20", "--paste", str(file), "--explain"]) == 1
    said = capsys.readouterr()
    assert "Line 2 was left out" in said.out
    assert said.err.count("arpad: ") == 2
    assert "1 game has no result yet and is not rated; `arpad outlook` looks ahead." in said.err
    assert main(["rate", "1750", "--k", "20", "--paste", str(file)]) == 1
    said = capsys.readouterr()
    assert said.err.count("arpad: ") == 1
    assert "1 game has no result yet and is not rated" in said.out
