"""The language of a command: an option, a variable, the locale; what programs read is the same in every language."""

import json
import re

import pytest
from message_files import german_that_ships

from arpad.cli import main

RATE = ["rate", "1750", "1950:win", "--born", "2010", "--on", "2026-11-15"]


@pytest.fixture(autouse=True)
def german(tmp_path, monkeypatch):
    """German is there, and nothing in the environment asks for it."""
    for name in ("ARPAD_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    with german_that_ships(tmp_path, monkeypatch):
        yield


@pytest.mark.parametrize(("words", "environment", "language"), [
    ([], {}, "en"),
    (["--language", "de"], {}, "de"),
    (["--language=de"], {"ARPAD_LANGUAGE": "en"}, "de"),
    (["--language", "en"], {"LANG": "de_DE.UTF-8"}, "en"),
    ([], {"ARPAD_LANGUAGE": "de-AT", "LANG": "en_GB.UTF-8"}, "de"),
    ([], {"LANG": "de_DE.UTF-8"}, "de"),
    ([], {"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"}, "en"),
    ([], {"LANG": "xx_XX"}, "en"),
])  # fmt: skip
def test_a_command_speaks_the_language_asked_for(monkeypatch, capsys, words, environment, language):
    """The option first, then the variable, then the locale; wherever the option stands."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main([*RATE, *words]) == 0
    shown = capsys.readouterr().out
    assert ("neue Elo-Zahl" in shown, "+30,40" in shown) == (language == "de", language == "de")
    assert main([*words, *RATE]) == 0
    assert capsys.readouterr().out == shown


def test_json_is_the_same_in_every_language(capsys):
    """For programs."""
    assert main([*RATE, "--json"]) == 0
    english = capsys.readouterr().out
    assert main([*RATE, "--json", "--language", "de"]) == 0
    assert capsys.readouterr().out == english
    assert json.loads(english)["value"]["change"] == "30.40"


@pytest.mark.parametrize("words", [["--language", "xx"], ["--language"], ["--language="]])
def test_an_unknown_language_is_refused_with_the_known_ones(capsys, words):
    """Nothing is answered in another language than the one asked for."""
    assert main([*RATE, *words]) == 2
    assert "Known: de, en" in capsys.readouterr().err


def test_a_csv_file_is_the_same_in_every_language(tmp_path, capsys):
    """So is the report of an event as JSON; its page follows the language."""
    for form, same in (("csv", True), ("json", True), ("html", False)):
        written = []
        for language in ("en", "de"):
            path = tmp_path / f"{language}.{form}"
            assert main(["event", "docs/examples/open.trf", "--to", str(path), "--language", language]) in (0, 1)
            written.append(path.read_bytes())
        assert (written[0] == written[1]) == same, form
    capsys.readouterr()


def test_help_names_the_option(capsys):
    """Every command has it."""
    assert main(["rate", "--help"]) == 0
    assert "--language LANGUAGE" in capsys.readouterr().out


def test_results_and_chances_are_in_the_language(capsys):
    """A draw is a word, not 0,5; a chance has the language's decimal mark."""
    main(["rate", "1750", "1950:draw", "--on", "2026-11-15", "--language", "de"])
    main(["outlook", "1780", "1700", "--on", "2026-11-15", "--language", "de"])
    shown = capsys.readouterr().out
    assert "1950  draw" in shown  # the word of the test's own German
    assert re.search(r"\d,\d %", shown)
    assert not re.search(r"\d\.\d %", shown)
