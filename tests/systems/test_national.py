"""DWZ, ECF and plain Elo: what is refused or assumed, and what holds for every curve."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import Game, Player
from arpad.calculation.explain import note
from arpad.cli import main

ON = date(2026, 11, 15)
SYSTEMS = ("dwz", "ecf", "elo")
RATINGS = st.integers(100, 3500)
SCORES = st.sampled_from([0, 0.5, 1])
GAMES = st.lists(st.tuples(RATINGS, SCORES), min_size=1, max_size=12)
CLOSE = 1e-12  # a curve worked out in 28 digits, or in floats

BAD = [
    (["rate", "1500.5", "1600:win", "--system", "dwz"], "1500.5 is not a rating of dwz; they are whole numbers"),
    (["rate", "1500", "1600.5:win", "--system", "ecf"], "1600.5 is not a rating of ecf"),
    (["rate", "unrated", "1600:win", "--system", "dwz"], "An unrated player has no rating to change"),
    (["rate", "1500", "--system", "ecf"], "0 games cannot be rated at once"),
    (["rate", "1500", *["1600:win"] * 1001, "--system", "elo"], "1001 games cannot be rated at once"),
    (["rate", "1500", "1600:win", "--system", "dwz", "--on", "2022-12-31"], "covered from 2023-01-01"),
    (["rate", "1500", "1600:win", "--system", "ecf", "--on", "2020-06-30"], "covered from 2020-07-01"),
    (["rate", "1500", "1600:win", "--system", "dwz", "--dwz-index", "-1"], "a DWZ index is a whole number"),
    (["rate", "1500", "1600:win", "--system", "dwz", "--dwz-index", "x"], "is not a DWZ index"),
    (["rate", "1500", "1600:win", "--event", "1700:win", "--system", "dwz"], "DWZ has no rating period"),
    (["first", "1500:1", "--system", "dwz", "--on", "2026-11-15"], "The system dwz has no first rating"),
    (["first", "1500:1", "--system", "ecf", "--on", "2026-11-15"], "The system ecf has no first rating"),
    (["rate", "1500", "1600:win", "--system", "ecf", "--reading", "k=never"], "year-of-18"),
]


@pytest.mark.parametrize(("line", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_input(line, words, capsys):
    """What a system does not take is refused in one sentence."""
    assert main(line) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


def test_what_was_assumed_is_said():
    """Without a year of birth or an index the answer says what was taken instead."""
    dwz = [note(one) for one in arpad.system("dwz").rate(Player(1500), [Game(1500, 1)], on=ON).notes]
    assert ["An age over 25 is assumed" in dwz[0], "An index over 5 is assumed" in dwz[1]] == [True, True]
    ecf = [note(one) for one in arpad.system("ecf").rate(Player(1500), [Game(1500, 1)], on=ON).notes]
    assert "K 20 is assumed for an adult; a junior has 40" in ecf[0]


@pytest.mark.parametrize("name", SYSTEMS)
@given(gap=st.integers(-3000, 3000), wider=st.integers(0, 500))
def test_the_curve(name, gap, wider):
    """Both sides' expected scores add up to one, and a wider gap never expects less."""
    curve = arpad.system(name).expected_score
    assert float(curve(gap, on=ON) + curve(-gap, on=ON)) == pytest.approx(1, abs=CLOSE)
    assert 0 <= curve(gap, on=ON) <= curve(gap + wider, on=ON) <= 1


@pytest.mark.parametrize("name", SYSTEMS)
@given(rating=RATINGS, games=GAMES, age=st.integers(5, 90), index=st.integers(0, 40))
def test_every_answer_is_finite(name, rating, games, age, index):
    """No games give a change that is not a number, and doing better than expected never costs points."""
    player = Player(rating, birth_year=ON.year - age, dwz_index=index)
    change = arpad.system(name).rate(player, [Game(opponent, score) for opponent, score in games], on=ON)
    assert change.change.is_finite()
    assert (change.score - change.expected) * change.change >= 0
    assert isinstance(change.new_rating, int)


@given(rating=RATINGS, games=GAMES)
def test_dwz_moves_by_800_over_e_plus_n(rating, games):
    """A DWZ cannot move further than 800 × (W − We) / (5 + n), for E is never less than 5 (Anhang 1.2)."""
    player = Player(rating, birth_year=2012, dwz_index=1)
    change = arpad.system("dwz").rate(player, [Game(opponent, score) for opponent, score in games], on=ON)
    most = 800 * abs(float(change.score - change.expected)) / (5 + len(games))
    assert abs(float(change.change)) <= most + CLOSE * 800
