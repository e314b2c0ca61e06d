"""`arpad match`: what is typed and what is refused."""

import pytest

from arpad.cli import main

EVEN = ["--wins", "1", "--losses", "1", "--draws", "1"]
BAD = [
    ([], "needs +W =D -L, --wins, --losses, --draws or --pairs"),
    (["--wins", "3"], "missing: losses, draws"),
    (["120", "95", "300"], "'120 95 300' is not a score; write +5 =2 -1"),
    (["+5", "+3"], "write +5 =2 -1"),
    (["+5", "--wins", "3"], "give the score or --wins, not both"),
    (["--wins", "0", "--losses", "0", "--draws", "0"], "No game was played"),
    (["--wins", "-1", "--losses", "0", "--draws", "0"], "whole number from 0"),
    (["--wins", "2.5", "--losses", "0", "--draws", "0"], "whole number from 0"),
    (["--wins", "x", "--losses", "0", "--draws", "0"], "is not a number of wins"),
    (["--wins", "NaN", "--losses", "0", "--draws", "0"], "is not a number of wins"),
    (["--wins", "1e9", "--losses", "0", "--draws", "0"], "is not a number of wins"),
    (["--pairs", "1", "2", "3"], "3 were given"),
    (["--pairs", "0", "0", "0", "0", "0"], "No pair of games was played"),
    (["--pairs", "1", "2", "3", "4", "5", "--wins", "1", "--losses", "1", "--draws", "1"], "do not agree"),
    (["--pairs", "1", "2", "3", "4", "5", "--program", "cutechess"], "cutechess counts games, not pairs"),
    ([*EVEN, "--program", "ordo"], "No program is called 'ordo'"),
    ([*EVEN, "--sprt", "5", "0"], "the lower one first"),
    ([*EVEN, "--sprt", "0", "9999"], "numbers from −1000 to 1000"),
    ([*EVEN, "--sprt", "0", "x"], "is not an Elo bound"),
    ([*EVEN, "--sprt", "0", "5", "--alpha", "1"], "above 0 and below 1"),
    ([*EVEN, "--sprt", "0", "5", "--alpha", "0.6", "--beta", "0.6"], "together"),
    ([*EVEN, "--sprt", "0", "5", "--model", "magic"], "'magic'"),
    ([*EVEN, "--alpha", "0.1"], "two bounds"),
    (["--pairs", "1", "2", "3", "4", "5", "--sprt", "0", "5", "--model", "bayesian"], "has no pairs"),
    ([*EVEN, "--sprt", "900", "1000"], "use bounds nearer to 0"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_input(line, words, capsys):
    """What makes no sense is refused in one sentence that says what is allowed."""
    assert main(["match", *line]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("score", ["+136 =111 -96", "+136 -96 =111", "+136=111-96", "+136, =111, −96"])
def test_a_score_as_chess_players_write_it(score, capsys):
    """+W =D -L in any order: 136 wins, 111 draws, 96 losses are +40.7 (cutechess, as in docs/match.md)."""
    assert main(["match", *score.split(), "--program", "cutechess", "--brief"]) == 0
    assert "+40.70" in capsys.readouterr().out
