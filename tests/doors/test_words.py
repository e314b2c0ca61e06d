"""The words of a command: options anywhere, events, scores, and file names that begin with a dash."""

import json

import pytest

from arpad.cli import command_spec, main
from arpad.cli.words import split
from arpad.errors import BadInput
from doors import asked

ON = ["--on", "2026-11-15"]


def given(line):
    """What the words of a command line are given for."""
    name, *rest = line
    return split(command_spec(name), rest).given


def test_options_belong_to_the_event_they_follow():
    """Games and options after an `--event` are its own; options that only the whole has go to the whole."""
    line = ["rate", "1750", "--event", "1950:1", "--on", "2026-10-03", "--k", "20", "--event", "1800:0", "--name", "B"]
    assert given(line) == {
        "rating": "1750",
        "k": "20",
        "event": [{"game": ["1950:1"], "on": "2026-10-03"}, {"game": ["1800:0"], "name": "B"}],
    }


def test_options_of_an_event_make_one_of_the_games_before_it():
    """`--name` and `--rating` without an `--event` are about the games before any."""
    one = given(["rate", "1750", "1950:1", "--rating", "1760", *ON])
    assert one == {"rating": "1750", "on": "2026-11-15", "event": [{"game": ["1950:1"], "rating": "1760"}]}
    two = given(["rate", "1750", "1950:1", "--name", "A", *ON, "--event", "1800:1", "--time", "90+30"])
    assert two == {
        "rating": "1750",
        "event": [{"game": ["1950:1"], "on": "2026-11-15", "name": "A"}, {"game": ["1800:1"], "time": "90+30"}],
    }


def test_an_option_takes_the_words_it_is_declared_with():
    """`--against` takes all up to the next option, `--sprt` two, `--reach` one each time."""
    assert given(["need", "1780", "--against", "1700", "1750", "--reach", "1800"]) == {
        "rating": "1780",
        "against": ["1700", "1750"],
        "reach": ["1800"],
    }
    match = {"score": ["+120", "=300", "-95"], "sprt": ["-5", "0"]}
    assert given(["match", "--sprt", "-5", "0", "+120", "=300", "-95"]) == match
    assert given(["match", "+120", "=300", "-95", "--sprt", "-5", "0"]) == match


def test_after_two_dashes_everything_is_a_word():
    """A file may be called `-open.trf`, or like an option."""
    assert given(["convert", "--force", "--", "-open.trf", "--to"]) == {
        "force": True,
        "path": "-open.trf",
        "output": "--to",
    }


@pytest.mark.parametrize("score", [["+120", "=300", "-95"], ["+120 =300 −95"], ["=300,", "-95,", "+120"]])
def test_a_match_score_as_chess_players_write_it(score):
    """+wins =draws -losses, in any order, is the same match as its counts."""
    counts = ["--wins", "120", "--draws", "300", "--losses", "95"]
    assert asked(["match", *score, "--json"])["value"] == asked(["match", *counts, "--json"])["value"]


@pytest.mark.parametrize(("line", "typed", "path"), [
    ("rate 1750 1950:1 --born x", "--born", "born"),
    ("rate 1750 1950:1 --born", "--born", "born"),
    ("rate 1750 1950:1 --k 20 --k 40", "--k", "k"),
    ("rate 1750 1950:1 1900:x", "game 2", "game[1]"),
    ("rate 1750 1800:win 1950.5:win", "game 2", "game[1]"),  # refused by the system, not by the reader
    ("rate 1500 1600:win 1500.5:win --system dwz --born 1990", "game 2", "game[1]"),
    ("rate 1750 --event 1950:1 --event 1900:x", "event 2, game 1", "event[1].game[0]"),
    ("need 1750 --reach 1800 --against 1700 x1", "--against, value 2", "against[1]"),
    ("rate 1750", "game", "game"),
    ("rate 1750 1950:1 --games -3", "--games", "games"),
])  # fmt: skip
def test_a_place_is_an_option_in_a_sentence_and_a_field_in_json(line, typed, path, capsys):
    """A sentence says `--born`, `game 2` or `event 2, game 1`; JSON has the path that the API gives."""
    assert main(line.split()) == 2
    assert capsys.readouterr().err.endswith(f" (at {typed})\n")
    assert main([*line.split(), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["at"] == path


def test_a_word_nobody_takes_is_refused():
    """Nothing that was typed is ignored."""
    with pytest.raises(BadInput, match="unexpected argument '1800'"):
        given(["expect", "1500", "1700", "1800"])
