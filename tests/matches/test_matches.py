"""Engine matches: what is refused, what has no figure, and what holds for every result."""

import copy
import math
import pickle
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import arpad
from arpad import Sprt
from arpad.errors import ArpadError
from arpad.matches import bayes_chances
from arpad.systems.chances import davidson, labelle

COUNTS = st.tuples(*[st.integers(0, 5000)] * 3).filter(any)
PAIRS = st.tuples(*[st.integers(0, 5000)] * 5).filter(any)
SHARES = st.floats(0, 1)
RATINGS = st.floats(100, 3500)
HAIR = 1e-9  # sums of floats

EVEN = {"wins": 1, "losses": 1, "draws": 1}
PAIRED = {"pairs": [1, 2, 3, 4, 5]}
BAD = [
    ({}, None, "missing: losses, draws, wins"),
    ({"wins": 3}, None, "missing: losses, draws"),
    ({"wins": 0, "losses": 0, "draws": 0}, None, "No game was played"),
    ({"wins": -1, "losses": 0, "draws": 0}, None, "whole number from 0"),
    ({"wins": "2.5", "losses": 0, "draws": 0}, None, "whole number from 0"),
    ({"wins": "x", "losses": 0, "draws": 0}, None, "'x' is not a number of wins"),
    ({"wins": "NaN", "losses": 0, "draws": 0}, None, "'NaN' is not a number of wins"),
    ({"wins": "1e9", "losses": 0, "draws": 0}, None, "'1e9' is not a number of wins"),
    ({"pairs": [1, 2, 3]}, None, "3 were given"),
    ({"pairs": [0, 0, 0, 0, 0]}, None, "No pair of games was played"),
    ({**PAIRED, **EVEN}, None, "do not agree"),
    ({**PAIRED, "program": "cutechess"}, None, "cutechess counts games, not pairs"),
    ({**EVEN, "program": "ordo"}, None, "No program is called 'ordo'"),
    (EVEN, {"elo0": 5, "elo1": 0}, "the lower one first"),
    (EVEN, {"elo0": 0, "elo1": 9999}, "numbers from −1000 to 1000"),
    (EVEN, {"elo0": 0, "elo1": "x"}, "is not an Elo bound"),
    (EVEN, {"elo0": 0, "elo1": 5, "alpha": 1}, "above 0 and below 1"),
    (EVEN, {"elo0": 0, "elo1": 5, "alpha": 0.6, "beta": 0.6}, "together"),
    (EVEN, {"elo0": 0, "elo1": 5, "model": "magic"}, "'magic'"),
    (PAIRED, {"elo0": 0, "elo1": 5, "model": "bayesian"}, "has no pairs"),
    (EVEN, {"elo0": 900, "elo1": 1000}, "use bounds nearer to 0"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "test", "words"), BAD, ids=[words for *_, words in BAD])
def test_bad_input(given, test, words):
    """What makes no sense is refused in one sentence that says what is allowed."""
    with pytest.raises(ArpadError) as refused:
        arpad.match(**given, sprt=None if test is None else Sprt(**test))
    assert words in refused.value.message


def test_a_test_copied_with_changes_is_checked_again():
    """The bounds of a test hold for its copies too."""
    with pytest.raises(ArpadError, match="the lower one first"):
        replace(Sprt(0, 5), elo0=6)


@pytest.mark.parametrize("given", [
    {"wins": 136, "losses": 96, "draws": 111, "sprt": Sprt(0, 5)}, {"wins": 5, "losses": 0, "draws": 0},
    {"pairs": [1, 2, 3, 4, 5]},
])  # fmt: skip
def test_a_result_is_equal_copied_and_pickled(given):
    """The same match is the same answer, also after a copy and in another process."""
    found = arpad.match(**given)
    for again in (arpad.match(**given), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):  # noqa: S301
        assert (again, again.value(), again.explain()) == (found, found.value(), found.explain())
    assert arpad.match(wins=1, losses=2, draws=3) != found


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
    assert any(words in str(reason) for reason in match.why)
    assert words in " ".join(match.explain().split())


def test_no_decided_game_has_no_superiority_by_cutechess():
    """By cutechess draws do not matter to LOS, so with draws alone there is none."""
    assert arpad.match(wins=0, losses=0, draws=9, program="cutechess").why[-1].key == "matches.none.decision"


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
    assert match.sprt.llr.is_finite()
    assert match.sprt.verdict in ("H0", "H1", "continue")


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
