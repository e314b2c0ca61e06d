"""The calibrated model: what must hold for any two ratings, and that its figures are those of the fit."""

import tomllib
from datetime import date
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad.core import HIGHEST_RATING, LOWEST_RATING
from arpad.forecast.schedule import Model
from arpad.systems import chances
from arpad.systems.chances import calibrated
from arpad.systems.fide.games import todays_scale

FIDE = arpad.system("fide-standard")
BEFORE, AFTER = date(2019, 10, 1), date(2026, 11, 15)
RATINGS = st.integers(LOWEST_RATING, HIGHEST_RATING)
COLOURS = st.sampled_from(["white", "black", None])
OTHER = {"white": "black", "black": "white", None: None}


def score(chances):
    win, drawn, _ = chances
    return win + drawn / 2


@given(rating=RATINGS, opponent=RATINGS, colour=COLOURS)
def test_chances_are_chances_and_mirrored(rating, opponent, colour):
    """They add up to one, lie between 0 and 1, and are the opponent's turned round."""
    win, drawn, loss = calibrated().chances(rating, opponent, colour)
    assert isclose(win + drawn + loss, 1, abs_tol=1e-12)
    assert all(0 < one < 1 for one in (win, drawn, loss))
    theirs = calibrated().chances(opponent, rating, OTHER[colour])
    assert (loss, drawn, win) == pytest.approx(theirs, abs=1e-12)


@given(rating=RATINGS, opponent=RATINGS, colour=COLOURS, more=st.integers(1, 400))
def test_more_rating_never_hurts(rating, opponent, colour, more):
    """A higher rating wins no less and loses no more, and so does a lower opponent."""
    before = calibrated().chances(rating, opponent, colour)
    for after in (
        calibrated().chances(rating + more, opponent, colour),
        calibrated().chances(rating, opponent - more, colour),
    ):
        assert after[0] >= before[0]
        assert after[2] <= before[2]


@given(level=st.integers(LOWEST_RATING, HIGHEST_RATING))
def test_white_is_worth_ten_to_sixty_points(level):
    """At every level White is even with somebody between 10 and 60 points higher."""
    assert score(calibrated().chances(level - 5, level + 5, "white")) > 0.5
    assert score(calibrated().chances(level - 30, level + 30, "white")) < 0.5


@given(rating=RATINGS, opponent=RATINGS, points=st.integers(0, 400))
def test_white_in_points(rating, opponent, points):
    """A number given for White is what White has; with zero the colours are alike."""
    model = arpad.draw_model(white=points)
    white, black = (model.chances(rating, opponent, colour, float) for colour in ("white", "black"))
    assert white[0] >= black[0]
    if not points:
        assert white == black


def test_the_figures_are_those_of_the_formula():
    """An ordered logit: ln(win / not win) is edge − width, worked out here from the data file."""
    data = tomllib.loads((Path(chances.__file__).parent / "calibrated.toml").read_text(encoding="utf-8"))
    p = {name: one["value"] for name, one in data["parameters"].items()}
    # Between 1700 and 1600 the slope is constant, and the level is 550 below the middle.
    level = (1650 - 2200) / 400
    edge = data["ability"]["slopes"][0] * 100 / 200 + p["white"] + p["white_rise"] * level
    edge /= 1 + p["bend"] * edge
    near = 2.718281828459045 ** -((100 / p["close_within"]) ** 2)
    width = 2.718281828459045 ** (p["width"] + p["width_rise"] * level + p["close"] * near)
    win = 1 / (1 + 2.718281828459045 ** (width - edge))
    assert calibrated().chances(1700, 1600, "white")[0] == pytest.approx(win, abs=1e-12)


@pytest.mark.parametrize(("rating", "today"), [(1000, 1400), (1500, 1700), (1999, 1999.4), (2000, 2000), (2400, 2400)])
def test_old_ratings_are_taken_to_todays_scale(rating, today):
    """A rating below 2000 rose by 0.4 × (2000 − rating) on 1 March 2024 (FIDE's announcement of the conversion)."""
    assert todays_scale(FIDE.rulebook, BEFORE)(rating) == pytest.approx(today)
    assert todays_scale(FIDE.rulebook, AFTER)(rating) == rating
    old, new = (Model.on(day, FIDE, rating, arpad.draw_model()) for day in (BEFORE, AFTER))
    lifted = calibrated().chances(today, 2100, "white")
    assert old.chances(2100, "white") == pytest.approx(lifted, abs=1e-12)
    assert new.chances(2100, "white") == pytest.approx(calibrated().chances(rating, 2100, "white"), abs=1e-12)


def test_an_answer_names_its_model_and_how_well_it_holds():
    """`expect`, `outlook`, `season` and `strength` name the model; FIDE's standard has figures, others say none."""
    expected = FIDE.expect(1800, 1700, on=AFTER)
    assert expected.chances.model == "calibrated"
    assert expected.chances.holds.key == "notes.model.band"
    assert arpad.system("elo", k=20).expect(1800, 1700, on=AFTER).chances.holds.key == "notes.model.untested"
    outlook = arpad.look_ahead(FIDE, 2800, [1900], on=AFTER)
    assert "notes.model.open" in [note.key for note in outlook.notes]
    named = arpad.look_ahead(FIDE, 2800, [1900], on=AFTER, draws=arpad.draw_model("labelle"))
    assert not [note for note in named.notes if note.key.startswith("notes.model")]


def test_published_figures_of_favourites():
    """Each band of the data file is within 0.01 of what favourites scored, and the games are those of the file."""
    assert sum(one.games for one in calibrated().holds) == 50_033
    assert all(abs(one.says - one.scored) < 0.01 for one in calibrated().holds)
