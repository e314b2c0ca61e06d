"""The codes of errors: one table, each code described, and the same code at every door."""

import json
import re

import pytest

from arpad.errors import CODES, CODES_OF_CLASSES, ArpadError, UnknownName
from arpad.messages import entry, say, section
from arpad.questions import questions_at
from arpad.web.openapi import FILE_EXAMPLE
from doors import run

# The codes that a program may have in its own tables; a change here breaks it.
POINTED = str.maketrans({"[": "/", ".": "/", "]": ""})
EARLY = {"game": ["1950:1"], "on": "1990-01-01"}
TWO = {"rating": 1750, "on": "2026-11-15"}
ASKED = [
    ("rate", {"game": ["1950:win"]}, "missing-field", "rating"),
    ("rate", {"rating": 1750}, "missing-field", "game"),
    ("rate", {"rating": 10000, "game": ["1950:win"]}, "not-a-rating", "rating"),
    ("rate", {"rating": 1750, "game": ["1950:foo"]}, "not-a-result", "game[0]"),
    ("rate", {"rating": 1750, "game": ["1950:win", "hello"]}, "not-a-game", "game[1]"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "k": 0}, "not-a-k", "k"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "sex": "x"}, "not-a-sex", "sex"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "on": "soon"}, "not-a-date", "on"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "on": "2000-01-01"}, "uncovered-date", "on"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "bron": 2010}, "unknown-field", "bron"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "deviation": 50}, "unused-field", "deviation"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "born": 2010, "age": 16}, "fields-conflict", "age"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "reading": "rounding=none"}, "unknown-reading", "reading"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "system": "fide"}, "unknown-system", "system"),
    ("rate", {"rating": "unrated", "game": ["1950:win"]}, "unrated-player", "rating"),
    ("rate", {"rating": 1750, "games": ["1950:win"]}, "wrong-type", "games"),
    ("need", {"expected": 0.5, "against": ["unrated"]}, "unrated-opponent", "against"),
    ("performance", {"game": ["unrated:win"]}, "nothing-to-rate", "game"),
    ("performance", {"game": ["1950:win"], "method": "ptr"}, "unknown-name", "method"),
    ("first", {"system": "elo", "game": ["1950:win"]}, "unsupported", "system"),
    ("conversion", {"rating": 1500, "on": "2023-01-01"}, "no-conversion", "on"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "time": "fast"}, "not-a-time-control", "time"),
    ("expect", {"rating": 1750, "opponent": 1950.5}, "not-a-whole-rating", "opponent"),
    ("need", {"rating": 1750, "reach": 1800, "against": [1700, 1950.5]}, "not-a-whole-rating", "against[1]"),
    ("outlook", {"rating": 1750, "game": ["1700:?"], "against": [1950.5]}, "not-a-whole-rating", "against[0]"),
    ("outlook", {"rating": 1750, "game": ["unrated:?"]}, "nothing-to-rate", "game"),
    ("rate", TWO | {"event": [{"game": ["1700:1"]}, {"game": ["1950.5:1"]}]}, "not-a-whole-rating", "event[1].game[0]"),
    ("rate", TWO | {"event": [{"game": ["1700:1"]}, EARLY]}, "uncovered-date", "event[1].on"),
    ("rate", TWO | {"game": ["1700:1"], "event": [EARLY]}, "uncovered-date", "event[0].on"),
    ("rate", TWO | {"event": [{"game": ["1700:1"]}, {**EARLY, "rating": 1750.5}]}, "uncovered-date", "event[1].on"),
    ("rate", TWO | {"event": [{"game": ["1700:1"]}, {"game": []}]}, "missing-field", "event[1]"),
    ("rate", {"rating": 1750, "system": "elo", "k": 20, "set": "scale=0", "game": ["1950:win"]}, "not-a-number", "set"),
    ("outlook", {"rating": 1780, "rounds": 3}, "missing-field", "field"),
    ("outlook", {"rating": 1780, "rounds": 3, "field": 1800, "field_titles": "GM=2"}, "not-a-share", "field_titles"),
    ("rate", {"rating": 1750, "game": ["1950:win"], "time": "5/40"}, "not-a-time-control", "time"),
    ("chances", {**FILE_EXAMPLE, "round": 9}, "no-round", "round"),
    ("chances", {**FILE_EXAMPLE, "runs": 0}, "not-a-number", "runs"),
    ("start", {"fide": 200}, "not-a-rating", "fide"),
    ("match", {"pairs": [1, 2, 3, 2, 1], "model": "bayesian", "sprt": [0, 5]}, "fields-conflict", "model"),
]


@pytest.mark.parametrize(("question", "given", "code", "at"), ASKED)
def test_an_error_has_its_code_and_names_its_field(client, question, given, code, at):
    """In a batch, as at an address of its own."""
    (answer,) = client.post("/api/v1/batch", json={"questions": [{"question": question, **given}]}).json()["answers"]
    assert (answer["code"], answer["at"]) == (code, at), answer["error"]
    assert answer["pointer"] == f"/questions/0/{at.translate(POINTED)}"


def test_a_game_of_an_event_is_named_where_it_was_given(client):
    """A system counts the games it rates; the field and the pointer are those of the body."""
    body = {"rating": 1750, "event": [{"against": [1700, 1950.5]}]}
    found = client.post("/api/v1/fide-standard/season", json=body).json()
    assert (found["at"], found["pointer"]) == ("event[0].against[1]", "/event/0/against/1")


FILES = [
    ({"text": "x"}, "text", "the file, line 1"),
    ({"text": "x", "file": "open.csv"}, "text", "open.csv, line 1"),
    ({"data": "enp6", "file": "open.trf"}, "data", "open.trf"),
    ({**FILE_EXAMPLE, "table": "x"}, "table", "the table, line 1"),
]


@pytest.mark.parametrize(("given", "at", "place"), FILES)
def test_what_is_wrong_in_a_file_is_at_its_field(client, given, at, place):
    """The name of the file and the line are in the sentence, because `at` is for programs."""
    found = client.post("/api/v1/fide-standard/event", json=given).json()
    assert (found["code"], found["at"], found["pointer"]) == ("bad-file", at, f"/{at}")
    assert found["error"].endswith(f"(at {place})")
    asked = {"questions": [{"question": "event", **given}]}
    (answer,) = client.post("/api/v1/batch", json=asked).json()["answers"]
    assert (answer["error"], answer["pointer"]) == (found["error"], f"/questions/0/{at}")


def test_a_bad_file_that_is_no_json_is_named_as_it_was_sent(client):
    """By its field in a form; otherwise it is the body. A coach's table is a text."""
    form = client.post("/api/v1/check", files={"file": ("open.csv", b"x")}).json()
    assert (form["at"], form["pointer"]) == ("file", None)
    alone = client.post("/api/v1/check", content=b"x", headers={"content-type": "text/plain"}).json()
    assert (alone["at"], alone["pointer"]) == ("body", "")
    assert client.post("/api/v1/fide-standard/pupils", json={"text": "x"}).json()["pointer"] == "/text"


def test_the_command_has_the_same_code(capsys):
    """With --json, in the object that it prints."""
    code, printed, _ = run(capsys, "rate", "1750", "--json")
    assert (code, json.loads(printed)["code"], json.loads(printed)["at"]) == (2, "missing-field", "game")


def test_the_table_has_every_code_once_and_its_messages_are_there():
    """A message may get another key, and the table must follow; its code stays."""
    codes = [*CODES, *CODES_OF_CLASSES.values()]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", code) for code in codes)
    assert list(section("en", "errors.code")) == codes
    keys = [key for keys in CODES.values() for key in keys.split()]
    assert len(keys) == len(set(keys))
    for key in keys:
        assert section("en", key.rstrip(".")) if key.endswith(".") else entry("en", key), key


def test_every_exception_has_a_code():
    """Also those that no message of the table says, and those derived from ours elsewhere."""

    class Other(UnknownName):
        """An exception of another module."""

    assert {kind.__name__ for kind in (ArpadError, *ArpadError.__subclasses__())} == set(CODES_OF_CLASSES)
    assert ArpadError(say("answers.as_said", text="")).code == "refused"
    assert Other("method", "x", known=()).code == "unknown-name"


def test_every_question_refuses_what_is_missing_at_a_field_of_its_own(client):
    """Without any field, `at` is one that the question has."""
    for name, spec in questions_at("api").items():
        (answer,) = client.post("/api/v1/batch", json={"questions": [{"question": name}]}).json()["answers"]
        if not answer["ok"] and answer["code"] == "missing-field":
            assert answer["at"] in spec.fields, name
            assert " ." not in answer["error"], name  # the example is there, or not spoken of
