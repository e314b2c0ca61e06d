"""Engine matches: what is refused, what has no figure, and what holds for every result."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import arpad
from arpad import Sprt
from arpad.cli import main
from arpad.errors import ArpadError
from arpad.matches.likelihood import bayes_chances
from arpad.systems.draw_models import davidson, labelle

COUNTS = st.tuples(*[st.integers(0, 5000)] * 3).filter(any)
PAIRS = st.tuples(*[st.integers(0, 5000)] * 5).filter(any)
SHARES = st.floats(0, 1)
RATINGS = st.floats(100, 3500)
HAIR = 1e-9  # sums of floats

EVEN = ["--wins", "1", "--losses", "1", "--draws", "1"]
BAD = [
    ([], "missing: losses, draws, wins"),
    (["--wins", "3"], "missing: losses, draws"),
    (["120", "95", "300"], "'120 95 300' is not a score; write +5 =2 -1"),
    (["+5", "+3"], "write +5 =2 -1"),
    (["+5", "--wins", "3"], "leave out --wins"),
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
    ([*EVEN, "--sprt", "0", "9999"], "a bound is a number"),
    ([*EVEN, "--sprt", "0", "x"], "is not an Elo bound"),
    ([*EVEN, "--sprt", "0", "5", "--alpha", "1"], "above 0 and below 1"),
    ([*EVEN, "--sprt", "0", "5", "--alpha", "0.6", "--beta", "0.6"], "together"),
    ([*EVEN, "--sprt", "0", "5", "--model", "magic"], "'magic'"),
    ([*EVEN, "--alpha", "0.1"], "give its bounds"),
    (["--pairs", "1", "2", "3", "4", "5", "--sprt", "0", "5", "--model", "bayesian"], "has no pairs"),
    ([*EVEN, "--sprt", "900", "1000"], "take bounds nearer to 0"),
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


@pytest.mark.parametrize(("counts", "words"), [
    ((5, 0, 0), "a perfect or zero score has no finite Elo difference"),
    ((0, 5, 0), "a perfect or zero score has no finite Elo difference"),
    ((0, 0, 7), "all results are the same"),
    ((2, 0, 1), "the interval reaches a perfect or zero score"),
])  # fmt: skip
def test_a_figure_that_does_not_exist_has_a_reason(counts, words):
    """Where a program would print inf or nan, the figure is absent and a sentence says why."""
    wins, losses, draws = counts
    match = arpad.match(wins=wins, losses=losses, draws=draws)
    assert None in (match.elo, match.elo_error)
    assert any(words in reason for reason in match.why)
    assert words in " ".join(match.explain().split())


def test_no_decided_game_has_no_superiority_by_cutechess():
    """By cutechess draws do not matter to LOS, so with draws alone there is none."""
    assert arpad.match(wins=0, losses=0, draws=9, program="cutechess").why[-1] == "no game was decided"


def test_pairs_and_games_that_agree_may_stand_together():
    """Two pairs with a win and a draw are four games: two wins and two draws."""
    assert arpad.match(pairs=[0, 0, 0, 2, 0], wins=2, losses=0, draws=2).value()["pairs"] == 2


def _finite(value):
    if isinstance(value, dict):
        return all(_finite(one) for one in value.values())
    return not isinstance(value, float) or math.isfinite(value)


@given(COUNTS)
@example((0, 0, 1860))  # all drawn: no difference explains it better than its opposite
def test_the_other_side_has_the_opposite_difference(counts):
    """Seen from the other side, Elo, normalised Elo and the test change their sign, and LOS its side."""
    wins, losses, draws = counts
    for program in ("fastchess", "cutechess"):
        model = "logistic" if program == "fastchess" else None
        sprt = Sprt(-5, 5, model=model)
        mine = arpad.match(wins=wins, losses=losses, draws=draws, sprt=sprt, program=program).value()
        other = arpad.match(wins=losses, losses=wins, draws=draws, sprt=sprt, program=program).value()
        assert _finite(mine)
        for name in ("elo", "normalized_elo"):
            assert (mine[name] is None) == (other[name] is None)
            assert mine[name] is None or mine[name] == pytest.approx(-other[name], abs=HAIR)
        assert mine["los"] is None or (
            0 <= mine["los"] <= 1 and mine["los"] == pytest.approx(1 - other["los"], abs=HAIR)
        )
        # A logarithm is good to about 1e-12 where nearly all games end alike, and there is one for every game.
        assert mine["sprt"]["llr"] == pytest.approx(-other["sprt"]["llr"], abs=1e-11 * (wins + losses + draws + 1))


@given(PAIRS)
def test_pairs_are_finite_and_mirrored(pairs):
    """From pairs no figure is infinite or not a number, and the other side mirrors them."""
    mine, other = (arpad.match(pairs=counts).value() for counts in (pairs, pairs[::-1]))
    assert _finite(mine)
    assert mine["elo"] is None or mine["elo"] == pytest.approx(-other["elo"], abs=HAIR)
    assert mine["los"] is None or 0 <= mine["los"] <= 1


@given(COUNTS, st.sampled_from(["normalized", "logistic", "bayesian"]), st.floats(-20, 20))
def test_a_test_is_finite_or_refused(counts, model, elo0):
    """A test gives a number and a verdict, or a sentence; never nan."""
    wins, losses, draws = counts
    try:
        match = arpad.match(wins=wins, losses=losses, draws=draws, sprt=Sprt(elo0, elo0 + 2, model=model))
    except ArpadError:
        return
    assert match.llr.is_finite()
    assert match.verdict in ("H0", "H1", "continue")


@given(SHARES, SHARES)
def test_davidson_keeps_the_score(expected, draw_rate):
    """Davidson's three chances add up to one, keep the expected score and stay chances."""
    chances = davidson(expected, draw_rate)
    assert sum(chances.values()) == pytest.approx(1, abs=HAIR)
    assert chances["win"] + chances["draw"] / 2 == pytest.approx(expected, abs=HAIR)
    assert all(-HAIR <= share <= 1 + HAIR for share in chances.values())


@given(RATINGS, RATINGS)
def test_draw_models_are_mirrored(rating, opponent):
    """What one side wins the other loses."""

    def bayes(gap):
        return dict(zip(("loss", "draw", "win"), bayes_chances(gap, 97.3, 400), strict=True))

    for mine, other in (
        (labelle(rating, opponent), labelle(opponent, rating)),
        (bayes(rating - opponent), bayes(opponent - rating)),
    ):
        assert mine["win"] == pytest.approx(other["loss"], abs=HAIR)
        assert sum(mine.values()) == pytest.approx(1, abs=HAIR)


@pytest.mark.parametrize("share", [-0.1, 1.1, math.nan])
def test_davidson_refuses_what_is_no_share(share):
    """A share outside 0 to 1 is refused."""
    with pytest.raises(ArpadError, match="from 0 to 1"):
        davidson(0.5, share)
