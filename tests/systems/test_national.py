"""DWZ, ECF and plain Elo: what is refused or assumed, and what holds for every curve."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import ArpadError, DwzStanding, EloStanding, Event, Game, Player

ON = date(2026, 11, 15)
OLD = date(2026, 6, 7)  # the last day of the old rating order
SYSTEMS = ("dwz", "ecf", "elo")
RATINGS = st.integers(100, 3500)
SCORES = st.sampled_from([0, 0.5, 1])
GAMES = st.lists(st.tuples(RATINGS, SCORES), min_size=1, max_size=12)
CLOSE = 1e-12  # a curve worked out in 28 digits, or in floats


def rate(name, player, games, on=ON, **settings):
    return lambda: arpad.system(name, **settings).rate(player, games, on=on)


WON = [Game(1600, 1)]
TWO = (Event((Game(1600, 1),)), Event((Game(1700, 1),)))
BAD = [
    (rate("dwz", 1500.5, WON), "1500.5 is not a dwz rating; dwz ratings are whole numbers"),
    (rate("ecf", 1500, [Game(1600.5, 1)]), "1600.5 is not a ecf rating"),
    (rate("dwz", None, WON), "An unrated player has no rating to change"),
    (rate("ecf", 1500, []), "0 games cannot be rated at once"),
    (rate("elo", 1500, WON * 1001), "1,001 games cannot be rated at once"),
    (rate("dwz", 1500, WON, date(2022, 12, 31)), "covered from 2023-01-01"),
    (rate("ecf", 1500, WON, date(2020, 6, 30)), "covered from 2020-07-01"),
    (lambda: DwzStanding(1500, index=-1), "-1 is not a DWZ index; it is a whole number"),
    (lambda: DwzStanding(1500, index="x"), "is not a DWZ index"),
    (rate("ecf", Player(DwzStanding(1500, index=3)), WON), "ecf does not use `index`"),
    (rate("dwz", Player(EloStanding(1500, k=20, games=3)), WON), "dwz does not use `games`"),
    (lambda: arpad.system("dwz").rate_period(1500, TWO, on=ON), "DWZ has no rating period"),
    (lambda: arpad.system("dwz").first_rating([Game(1500, 1)], on=OLD), "only by the rules since 2026-06-08"),
    (lambda: Event((Game(1500, 1),), on=ON, ended=OLD), "cannot end on 2026-06-07, before 2026-11-15"),
    (lambda: arpad.system("dwz").conversion(1500, standard=1600), "dwz does not use `standard`"),
    (lambda: arpad.system("fide-standard").conversion(1500, index=3), "does not use `index`"),
    (lambda: arpad.system("ecf").first_rating([Game(1500, 1)], on=ON), "ecf has no first rating"),
    (lambda: arpad.system("ecf", readings={"k": "never"}), "year-of-18"),
]


@pytest.mark.parametrize(("ask", "words"), BAD, ids=[words for _, words in BAD])
def test_bad_input(ask, words):
    """What a system does not take is refused in one sentence."""
    with pytest.raises(ArpadError) as caught:
        ask()
    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_a_k_given_by_hand_holds_in_every_system_that_has_one():
    """K 20 for a win between equals is half of 20, whichever standing it came with."""
    for name in SYSTEMS:
        assert arpad.system(name).rate(EloStanding(1500, k=20), [Game(1500, 1)], on=ON).change == 10
    assert arpad.system("dwz").rate(DwzStanding(1500, k=20), [Game(1500, 1)], on=ON).change == 10


def test_what_was_assumed_is_said():
    """Without a year of birth or an index the answer says what was taken instead."""
    dwz = [str(note) for note in arpad.system("dwz").rate(Player(1500), [Game(1500, 1)], on=ON).notes]
    assert ["An age over 25 is assumed" in dwz[0], "An index over 10 is assumed" in dwz[1]] == [True, True]
    ecf = [str(note) for note in arpad.system("ecf").rate(Player(1500), [Game(1500, 1)], on=ON).notes]
    assert "K 20 is assumed for an adult; a junior has 40" in ecf[0]


@pytest.mark.parametrize("name", SYSTEMS)
@given(gap=st.integers(-3000, 3000), wider=st.integers(0, 500))
def test_expected_scores_add_up_and_follow_the_gap(name, gap, wider):
    """Both sides' expected scores add up to one, and a wider gap never expects less."""
    curve = arpad.system(name).expected_score
    assert float(curve(gap, on=ON) + curve(-gap, on=ON)) == pytest.approx(1, abs=CLOSE)
    assert 0 <= curve(gap, on=ON) <= curve(gap + wider, on=ON) <= 1


@pytest.mark.parametrize("name", SYSTEMS)
@given(rating=RATINGS, games=GAMES, age=st.integers(5, 90), index=st.integers(0, 40))
def test_every_answer_is_finite(name, rating, games, age, index):
    """No games give a change that is not a number, and doing better than expected never costs points."""
    standing = DwzStanding(rating, index=index) if name == "dwz" else rating
    player = Player(standing, birth_year=ON.year - age)
    change = arpad.system(name).rate(player, [Game(opponent, score) for opponent, score in games], on=ON)
    assert change.change.is_finite()
    assert (change.score - change.expected) * change.change >= 0
    assert isinstance(change.new_rating, int)


@given(rating=RATINGS, games=GAMES)
def test_dwz_moves_by_800_over_e_plus_n(rating, games):
    """A DWZ cannot move further than 800 × (W − We) / (5 + n), for E is never less than 5 (Anhang 1.2)."""
    player = Player(DwzStanding(rating, index=1), birth_year=2012)
    change = arpad.system("dwz").rate(player, [Game(opponent, score) for opponent, score in games], on=OLD)
    most = 800 * abs(float(change.score - change.expected)) / (5 + len(games))
    assert abs(float(change.change)) <= most + CLOSE * 800


@given(rating=RATINGS, games=GAMES, age=st.integers(5, 90), index=st.integers(0, 40))
def test_dwz_since_june_2026(rating, games, age, index):
    """K has one decimal and is at most 80, and no DWZ falls below 1100 (dwz-2026.md, section 3)."""
    player = Player(DwzStanding(rating, index=index), birth_year=ON.year - age)
    change = arpad.system("dwz").rate(player, [Game(opponent, score) for opponent, score in games], on=ON)
    assert change.k <= 80
    assert change.k * 10 == int(change.k * 10)
    assert change.new_rating >= 1100


def test_the_raise_below_the_minimum_is_said_to_be_open():
    """600 would become 1000, below the minimum; what was done with such ratings is open (dwz-2026.md, section 2)."""
    raised = arpad.system("dwz").conversion(600)
    assert raised.rating == 1100
    assert "below the minimum of 1100" in str(raised.notes[0])
