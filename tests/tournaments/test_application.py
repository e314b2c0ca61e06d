"""The way to a title: norms of several events put together."""

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest

import arpad
from arpad.cli import main
from arpad.errors import BadInput, UnknownName
from arpad.tournaments.titles import NormEvent, application
from conftest import ROOT

NORMS = ROOT / "docs" / "examples" / "norms.trf"
EVENT = arpad.read(NORMS)
OKONKWO, SERRA = 90001084, 90001140  # one made a norm of nine games, the other none
ON = date(2026, 12, 1)


def later(number):
    """The event once more under another name, a month later each time."""
    days = timedelta(days=30 * number)
    rounds = tuple(None if day is None else day + days for day in EVENT.round_days)
    event = replace(EVENT, name=f"{EVENT.name} {number}", start=EVENT.start + days, round_days=rounds)
    return NormEvent(event, arpad.find_norms(event))


def applied(count, title="IM", rating=2412):
    return application(title, OKONKWO, [later(number) for number in range(count)], on=ON, rating=rating)


def states(answer):
    return {one.name: one.met for one in answer.requirements}


def test_three_norms_of_nine_games():
    """27 games and 2400 make an IM (B.01 1.5); whether one event was of the kinds of 1.5.6 the files do not show."""
    assert applied(2).games == 18
    assert states(applied(2))["games"] is False
    three = applied(3)
    assert (three.games, three.games_needed, three.ready) == (27, 27, None)
    assert [one.name for one in three.missing] == ["strong_event"]  # 20 players, not 40
    assert states(three) == {
        "games": True,
        "rating": True,
        "federations": True,
        "game_short": True,
        "strong_event": None,
    }


def test_a_title_needs_its_rating():
    """2400 for IM, 2500 for GM; a rating that nobody gave is not known."""
    assert states(applied(1, rating=2399))["rating"] is False
    assert states(applied(1, rating=None))["rating"] is None


def test_a_norm_that_was_not_made_covers_nothing():
    """The event is listed, with no games; a title that needs one round a day says so."""
    answer = application("GM", SERRA, [later(0)], on=ON, rating=2600)
    assert (answer.games, answer.norms[0].made, answer.norms[0].covers) == (0, False, None)
    assert states(answer)["one_round_a_day"] is False


def test_what_is_refused():
    """The same event twice, somebody who was not there, and a title without norms."""
    with pytest.raises(BadInput, match="given twice"):
        application("IM", OKONKWO, [later(0), later(0)], on=ON)
    with pytest.raises(BadInput, match="Nobody with the FIDE ID 5"):
        application("IM", 5, [later(0)], on=ON)
    with pytest.raises(UnknownName, match="WIM"):
        application("FM", OKONKWO, [later(0)], on=ON)


def test_command_and_api(capsys, client):
    """Both have the same answer."""
    assert (
        main(["title", "im", str(NORMS), "--id", str(OKONKWO), "--rating", "2412", "--on", "2026-12-01", "--json"]) == 0
    )
    value = json.loads(capsys.readouterr().out)["value"]
    assert (value["games"], value["ready"]) == (9, False)
    asked = {"title": "IM", "text": [NORMS.read_text(encoding="utf-8")], "id": OKONKWO, "rating": 2412}
    assert client.post("/api/v1/title", json={**asked, "on": "2026-12-01"}).json()["value"] == value


def test_an_application_needs_an_event():
    """Without events there is nobody to apply for."""
    with pytest.raises(BadInput, match="at least one event"):
        application("IM", 1503014, [], on=date(2026, 11, 15))
