"""What is typical for an age, recomputed from FIDE's lists of August and September 2025."""

import csv
import lzma
import sys
import tomllib

import pytest

from conftest import ROOT, shared

sys.path.insert(0, str(ROOT / "bench"))

import fit_typical  # a script beside the package

STORED = tomllib.loads(fit_typical.DATA.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def players():
    return fit_typical.read()


@pytest.fixture(scope="module")
def rows():
    """Year of birth, both ratings and games of everybody who played, as the file has them."""
    names = ("born", "rating_08", "rating_09", "games_09")
    with lzma.open(shared("data/lists/fide_standard_2025-08_2025-09.csv.xz"), "rt", encoding="utf-8") as file:
        read = ([int(row[name] or 0) for name in names] for row in csv.DictReader(file))
        return [row for row in read if all(row)]


@pytest.mark.parametrize(("ages", "ratings", "low", "high"), [
    ((0, 12), (1400, 1600), 0.6, 0.8), ((0, 12), (1600, 1800), 0.6, 0.8),
    ((13, 15), (1400, 1600), 1.5, 1.7), ((13, 15), (1600, 1800), 1.5, 1.7),
    ((16, 18), (1400, 1600), 1.4, 1.9), ((16, 18), (1600, 1800), 1.4, 1.9),
    ((19, 59), (1400, 1600), -0.3, 0.0), ((19, 59), (1600, 1800), -0.3, 0.0),
    ((60, 120), (1400, 1600), -1.4, -1.0), ((60, 120), (1600, 1800), -1.4, -1.0), ((60, 120), (1800, 2000), -1.4, -1.0),
])  # fmt: skip
def test_points_a_game_by_age(rows, ages, ratings, low, high):
    """Points gained a game by age and rating, added up from the lists' rows: counted outside Arpad, to a tenth."""
    found = [
        (after - before, games)
        for born, before, after, games in rows
        if ages[0] <= 2025 - born <= ages[1] and ratings[0] <= before < ratings[1]
    ]
    gained, played = (sum(column) for column in zip(*found, strict=True))
    assert low <= round(gained / played, 1) <= high


def test_the_data_file_is_the_estimate(players):
    """The stored points are those the script finds, and the sign is the age's: up to 29 above, from 30 on below."""
    found = fit_typical.worth(fit_typical.surplus(players))
    assert [cell["points"] for cell in STORED["cells"]] == pytest.approx(found, abs=0.06)
    sure = [cell for cell in STORED["cells"] if abs(cell["points"]) > 2 * cell["error"] and cell["rating"] < 2200]
    assert len(sure) > 20
    assert all((cell["points"] > 0) == (cell["age"] < 30) for cell in sure)


def test_the_table_predicts_september_better(players):
    """September's rating made from August's is nearer with the table than without, on players held out."""
    plain, typical = fit_typical.held_out(players)
    assert typical < 0.97 * plain
    assert (plain, typical) == pytest.approx(tuple(STORED["mean_square_error"].values()), abs=0.01)


def test_bootstrap_errors_are_those_of_the_file(players):
    """Drawing the players again gives the stored standard errors, within what 500 samples can say."""
    found = fit_typical.errors(players)
    for cell, error in zip(STORED["cells"], found, strict=True):
        assert cell["error"] == pytest.approx(error, abs=0.06)
