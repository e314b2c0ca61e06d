"""The answers about tournaments are values: equal when equal, copyable, and able to travel to another process."""

import copy
import json
import pickle
import sys
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from random_events import random_open

import arpad
from arpad import MissingExtra, Player, Round, Tournament
from arpad.calculation.serialise import success
from arpad.messages import Message
from conftest import ROOT, library

OPEN = arpad.read(ROOT / "docs" / "examples" / "open.trf")
NORMS = arpad.read(ROOT / "docs" / "examples" / "norms.trf")
ANSWERS = {
    "event": arpad.rate_event,
    "player of an event": lambda tournament: arpad.rate_event(tournament).player(7),
    "norms": arpad.find_norms,
    "norms of a player": lambda tournament: arpad.find_norms(tournament).player(7),
    "ties": lambda tournament: arpad.tie_breaks(tournament, ["ARO", "TPR"], unrated=1400),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_values(name):
    """Asked twice an answer is the same; copied or pickled it has the same figures, steps and notes."""
    answer, again = ANSWERS[name](NORMS), ANSWERS[name](NORMS)
    assert answer == again
    for other in (copy.copy(answer), copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):  # noqa: S301  # our own
        assert other == answer
        assert success(other) == success(answer)
        assert other.explain() == answer.explain()
    assert json.dumps(success(answer))


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_about_other_games_differ(name):
    """One result more changes the answer."""
    first = NORMS.entrant(7)
    changed = [replace(one, score=Decimal(1)) if one.score == 0 else one for one in first.rounds]
    assert changed != list(first.rounds)
    entrants = [replace(one, rounds=tuple(changed)) if one.no == 7 else one for one in NORMS.entrants]
    assert ANSWERS[name](replace(NORMS, entrants=tuple(entrants))) != ANSWERS[name](NORMS)


def test_a_player_of_an_event_has_the_working():
    """One player's answer has the figures of the line, and the steps and notes of the calculation behind it."""
    one = arpad.rate_event(OPEN).player(7)
    assert one.new_rating == 1809
    assert one.steps == one.calculation.steps
    assert one.notes == one.calculation.notes
    assert [figure.key for figure in one.summary()][:2] == ["player", "new_rating"]
    absent = arpad.rate_event(Tournament((arpad.Entrant(1, Player(1750)),), start=date(2026, 10, 3))).player(1)
    assert (absent.steps, absent.notes) == ([], ())
    assert absent.explain()


def test_players_as_a_table():
    """The players of an event as Arrow columns have the figures of the players; what is unknown is null."""
    library("pyarrow")
    rated = arpad.rate_event(OPEN)
    table = rated.to_arrow()
    assert table.num_rows == len(rated.players)
    for row, one in zip(table.to_pylist(), rated.players, strict=True):
        assert (row["no"], row["name"], row["games"], row["performance"]) == (
            one.no,
            one.name,
            one.games,
            one.performance,
        )
        assert row["change"] == (None if one.change is None else float(one.change))
        assert row["why"] == (None if one.why is None else str(one.why))


def test_the_table_says_what_to_install(monkeypatch):
    """Without pyarrow the table is refused with the extra that has it."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match="pip install"):
        arpad.rate_event(OPEN).to_arrow()


def test_a_large_event_keeps_no_trails():
    """The steps of a player are worked out when somebody asks: until then an event holds none of them."""
    rated = arpad.rate_event(random_open(50, rounds=5))
    assert not any("trail" in vars(one) for one in rated.players)
    assert rated.player(1).trail
    assert [no for no, one in enumerate(rated.players, start=1) if "trail" in vars(one)] == [1]


def test_oddities_and_findings_are_messages():
    """What is odd or inconsistent is said by key and values, and is a sentence in JSON."""
    wrong = replace(OPEN.entrants[0], rounds=(Round("played", 66, "white", Decimal(1)), *OPEN.entrants[0].rounds[1:]))
    rated = arpad.rate_event(
        replace(OPEN, entrants=(wrong, *OPEN.entrants[1:])), known={5: Player(2000), 99: Player(1500)}
    )
    assert all(isinstance(said, Message) for said in (*rated.oddities, *(one.says for one in rated.findings)))
    value = rated.value()
    assert value["findings"][0]["says"] == "the opponent 66 does not exist."
    assert "Nobody in the file has the starting number, ID or name 99" in value["oddities"][-1]


def test_a_federation_that_the_list_has_otherwise_is_said():
    """A federation of the list takes the place of the file's, and an oddity names both."""
    listed = {1: Player(None, federation="FRA")}
    both = replace(OPEN, entrants=(replace(OPEN.entrants[0], player=Player(2000, federation="SWE")),))
    (odd,) = arpad.rate_event(both, known=listed).oddities
    assert str(odd) == "line 15: Player 1 has SWE in the file and FRA on the list; using FRA."
