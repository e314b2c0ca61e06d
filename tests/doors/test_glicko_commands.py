"""Glicko's family at the command line: the terminal's width, plain letters, period files and refusals."""

import pytest

from arpad.cli import main
from doors import asked

FAMILY = ("glicko", "glicko-2", "lichess", "chesscom")


@pytest.mark.parametrize("name", FAMILY)
def test_the_working_fits_a_terminal_and_can_be_plain(name, capsys):
    """The working stays within 80 columns, and --plain keeps it to ASCII."""
    line = ["rate", "1500", "1400/30:win@w", "3550/100:loss@b", "1700/300:½", "1500/50:+", "--deviation", "200"]
    assert main([*line, "--system", name, "--on", "2026-11-15", "--explain"]) == 0
    shown = capsys.readouterr().out
    assert [text for text in shown.splitlines() if len(text) > 80] == []
    main([*line, "--system", name, "--on", "2026-11-15", "--explain", "--plain"])
    assert capsys.readouterr().out.isascii()


def test_a_period_file_takes_deviations_and_settings(tmp_path):
    """A file with the paper's example in two events gives the paper's figures, and --set holds for a file too."""
    file = tmp_path / "period.toml"
    file.write_text(
        'rating = 1500\ndeviation = 200\nvolatility = 0.06\nsystem = "glicko-2"\non = 2026-11-15\n'
        '[[event]]\ngames = ["1400/30:win"]\n[[event]]\ngames = ["1550/100:loss", "1700/300:loss"]\n',
        encoding="utf-8",
    )
    answers = [asked(["rate", "--period", str(file), "--set", f"tau={tau}", "--json"])["value"] for tau in (0.5, 1.2)]
    # The independent script's ten digits; a larger τ lets the volatility fall further.
    assert answers[0]["new_rating"] == pytest.approx(1464.0506705393, abs=1e-9)
    assert answers[1]["new_volatility"] < answers[0]["new_volatility"]


REFUSED = [
    (["rate", "1500", "1400/30:win", "--deviation", "0"], "deviation"),
    (["rate", "1500", "1400/30:win", "--deviation", "-5"], "deviation"),
    (["rate", "1500", "1400/30:win", "--deviation", "nan"], "deviation"),
    (["rate", "1500", "1400/0:win", "--deviation", "50"], "game[0]"),
    (["rate", "1500", "1400/30:win", "--volatility", "0"], "volatility"),
    (["rate", "1500", "1400/30:win", "--volatility", "1.5"], "volatility"),
    (["rate", "1500", "1400/30:win", "--volatility", "1e-400"], "volatility"),
    (["rate", "nan", "1400/30:win"], "rating"),
    (["rate", "1500", "1400/30:win", "--set", "tau=0"], "set"),
    (["rate", "1500", "1400/30:win", "--set", "tau=nan"], "set"),
    (["rate", "1500", "1400/30:win", "--set", "tolerance=0"], "set"),
    (["rate", "1500", "1400/30:win", "--set", "deviation=0"], "deviation"),
    (["rate", "1500", "1400/30:win", "--set", "rating=0"], "rating"),
    (["rate", "1500", "1400/30:win", "--idle", "-1"], "idle"),
    (["rate", "1500", "1400/30:win", "--base", "1400"], "rating"),
    (["rate", "1500", "1400/30:win", "--formula"], "formula"),
    (["rate", "1500", "--deviation", "50", "--idle", "3", "--system", "glicko"], "set"),
    (["rate", "1500", "1400/30:win", "--set", "c=0", "--system", "glicko"], "set"),
    (["rate", "1500", "1400/30:win", "--set", "floor=-1", "--system", "glicko"], "floor"),
    (["rate", "1500", "1400/30:win", "--set", "variant=chess690", "--system", "lichess"], "variant"),
    (["rate", "1500", "1400/30:win", "--set", "speed=quick", "--system", "lichess"], "speed"),
    (["rate", "1500", "1400/30:win", "--set", "colour=red", "--system", "lichess"], "colour"),
    (["rate", "1500", "1400/30:win", "--set", "against=dog", "--system", "lichess"], "against"),
    (["rate", "1500", "1400/30:win", "--set", "tau=1", "--system", "lichess"], "set"),
    (["rate", "1500", "--system", "lichess"], "game"),
    (
        ["rate", "1500", "1400:win", "--opponent-deviation", "60", "--system", "elo", "--k", "20"],
        "opponent_deviation",
    ),
    (["rate", "unrated", "1400/30:win", "--system", "chesscom"], "rating"),
    (["rate", "1500", "unrated:win", "--deviation", "50", "--system", "chesscom"], "opponent"),
    (["rate", "1500", "1400/30:win", "--deviation", "50", "--idle", "9", "--system", "chesscom"], "idle"),
    (["rate", "1500", "--deviation", "50", "--system", "chesscom"], "game"),
]


@pytest.mark.parametrize(("line", "at"), REFUSED, ids=lambda part: " ".join(part) if isinstance(part, list) else part)
def test_bad_input_is_refused_in_one_sentence_that_names_the_field(line, at):
    """Every wrong value is refused with what is allowed, and the field is named."""
    system = [] if "--system" in line else ["--system", "glicko-2"]
    answer = asked([*line, *system, "--on", "2026-11-15", "--json"])
    assert answer["ok"] is False
    assert answer["at"] == at, answer
    assert answer["error"].endswith((".", "?"))


@pytest.mark.parametrize("system", FAMILY)
def test_one_deviation_for_all_opponents(system):
    """`--opponent-deviation` holds for every opponent who has none; 1400/30 keeps its own."""
    line = ["--deviation", "80", "--system", system, "--on", "2026-11-15", "--json"]
    given = asked(["rate", "1500", "1400/30:win", "1550/100:loss", *line])["value"]
    for_all = asked(["rate", "1500", "1400/30:win", "1550:loss", "--opponent-deviation", "100", *line])["value"]
    assert for_all["change"] == given["change"]
    expected = asked(["expect", "1500", "1550", "--opponent-deviation", "100", *line])["value"]
    assert expected == asked(["expect", "1500", "1550/100", *line])["value"]
