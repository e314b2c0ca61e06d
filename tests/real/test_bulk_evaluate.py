"""Ratings measured on the training data of the Kaggle contest of 2010: 65,053 games of 100 months."""

import pytest

import arpad.bulk
from conftest import shared

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def training():
    return str(shared("data/games/kaggle2010_training.csv.xz"))


@pytest.mark.parametrize(("settings", "deviance"), [({"k": 20}, 0.29168), ({"k": 32, "white": 35}, 0.28898)])
def test_monthly_elo_has_the_reference_figures(training, settings, deviance):
    """The binomial deviance of the months 96 to 100 is the reference's, to the five decimals it has."""
    found = arpad.bulk.evaluate(training, system="elo", first=96, last=100, **settings)
    assert round(found.deviance, 5) == deviance


def test_every_game_is_taken(training):
    """The file holds 65,053 games (SOURCES.csv), and none is lost."""
    found = arpad.bulk.evaluate(training)
    assert (found.games, sum(found.rejected.values())) == (65_053, 0)
    assert sum(one.games for one in found.calibration) == 65_053


def test_twic_is_read_as_it_is():
    """The Week in Chess: dates with points, results as PGN writes them; 58,560 games, all taken or told why."""
    found = arpad.bulk.evaluate(str(shared("data/games/twic_1293_1311_results.csv.xz")), k=20)
    assert found.games + sum(found.rejected.values()) == 58_560
    assert found.games > 58_000
