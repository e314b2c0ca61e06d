"""Every question says how much it takes at once, and a server refuses more before it begins; the command does not."""

import json
from dataclasses import replace
from datetime import date

import pytest
from random_events import random_open

from arpad.errors import BadFile, BadInput
from arpad.formats import file_bytes
from arpad.questions import questions_at, read_question, spec_of
from arpad.questions.tournaments import LONGEST_FILE
from arpad.web.api import path_of

DAY = date(2026, 11, 15)


def asked(name, given, door="api"):
    return read_question(spec_of(name), given, today=DAY, door=door)


def unready(*_, **__):
    raise AssertionError("it began")


@pytest.mark.parametrize("name", ["rate", "compare", "performance", "strength", "first"])
def test_more_games_than_declared_are_refused_before_they_are_read(name, monkeypatch):
    """One more than the declaration says, in one field or over several events."""
    spec = spec_of(name)
    monkeypatch.setattr("arpad.reading.parse_game", unready)
    games = ["1800:1"] * (spec.most_values + 1)
    with pytest.raises(BadInput, match="too many for a server"):
        asked(name, {"rating": 1750, "game": games} if "rating" in spec.fields else {"game": games})


def test_games_of_events_count_together():
    """Eleven events of a hundred games are more than a thousand values."""
    events = [{"on": "2026-10-03", "game": ["1800:1"] * 100}] * 11
    with pytest.raises(BadInput, match="1,100 games and other values are too many"):
        asked("period", {"rating": 1750, "event": events})


def test_at_the_command_there_is_no_such_limit():
    """On a machine of one's own a comparison of more games takes its time."""
    games = ["1800:1"] * (spec_of("compare").most_values + 1)
    assert asked("compare", {"rating": "1750", "game": games}, door="command").question.answer().system


@pytest.mark.parametrize("name", ["event", "norms", "ties", "standings"])
def test_players_times_rounds_are_bounded(name, monkeypatch, tmp_path):
    """A tournament with more results than the declaration says is refused once it is read; a path is not."""
    monkeypatch.setattr(f"{spec_of(name).kind.__module__}.{WORKS[name]}", unready)
    event = random_open(8, rounds=3)
    monkeypatch.setattr(spec_of(name).kind, "spec", replace(spec_of(name), most_results=23))
    data = file_bytes(event, "trf16")[0]
    sent = asked(name, {"text": data.decode(), "file": "open.trf"}).question
    with pytest.raises(BadFile, match=r"24 results; a server calculates at most 23.*open\.trf"):
        sent.answer()
    path = tmp_path / "open.trf"
    path.write_bytes(data)
    with pytest.raises(AssertionError, match="it began"):
        asked(name, {"path": str(path)}, door="command").question.answer()


WORKS = {"event": "rate_event", "norms": "find_norms", "ties": "tie_breaks", "standings": "standings"}


def test_no_question_of_the_api_is_without_bounds():
    """Values, results and characters: none may be as many as somebody likes."""
    for spec in questions_at("api").values():
        assert 0 < spec.most_values <= 1000
        assert 0 < spec.most_results <= 50_000
        assert all(one.longest <= LONGEST_FILE for one in spec.fields_at("api").values())


# A coach's table is small, and its own limit says so.
FILES = [spec for spec in questions_at("api").values() if spec.fields_at("api").get("text") and spec.name != "pupils"]


@pytest.mark.parametrize("spec", FILES, ids=lambda spec: spec.name)
def test_a_file_of_a_large_event_can_be_sent(client, spec):
    """Wherever a tournament or a paste goes, the body may be as long as a real file; only nonsense is refused here."""
    path = f"/api/v1{path_of(spec)}".replace("{system}", "fide-standard")
    reply = client.post(path, json={"text": " " * 300_000, "file": "open.trf"})
    assert reply.status_code != 413, reply.text


def test_the_largest_allowed_answers_can_be_sent(client):
    """As many games as are allowed, in the systems with the longest working: answers within the limit of an answer."""
    for name, system in (("rate", "lichess"), ("compare", None)):
        spec = spec_of(name)
        given = {"rating": 1750, "game": ["1800:1", "1900:0", "2000:½"] * (spec.most_values // 3)}
        path = f"/api/v1/{system}/{name}" if system else f"/api/v1/{name}"
        reply = client.post(path, content=json.dumps(given))
        assert reply.status_code == 200, reply.text[:300]


@pytest.mark.parametrize(("name", "game"), [("rate", "1950:1"), ("outlook", "1950:?")])
def test_a_larger_answer_is_refused(client, name, game, monkeypatch):
    """Quick or slow, a reply beyond the limit is a sentence that says how to ask for less."""
    monkeypatch.setattr("arpad.web.middleware.LARGEST_ANSWER", 1000)
    reply = client.post(f"/api/v1/fide-standard/{name}", json={"rating": 1750, "k": 20, "game": [game] * 5})
    assert reply.status_code == 422
    assert "Ask for less at once" in reply.json()["error"]
