"""Ratings measured on the training data of the Kaggle contest of 2010: 65,053 games of 100 months."""

import csv
import lzma

import pytest

import arpad.bulk
from conftest import library, shared

library("pyarrow")


@pytest.fixture(scope="module")
def training():
    return str(shared("data/games/kaggle2010_training.csv.xz"))


@pytest.mark.parametrize(("settings", "deviance"), [({"k": 20}, 0.29168), ({"k": 32, "white": 35}, 0.28898)])
def test_monthly_elo_has_the_known_figures(training, settings, deviance):
    """The binomial deviance of the months 96 to 100 is the one worked out outside Arpad, to its five decimals."""
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


def test_fide_on_twic_is_the_published_table():
    """FIDE's figures are those of table 8.1.2 with the 400-point rule, read off its rows, each game taken once."""
    pairs = csv.DictReader(shared("reference/fide_pd.csv").read_text(encoding="utf-8").splitlines())
    table = [[float(value or 9999) for value in list(row.values())[:4]] for row in pairs]
    path = shared("data/games/twic_1293_1311_results.csv.xz")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if "2019.10" <= row["date"][:7] <= "2019.12"]
    games = {}
    for row in rows:
        games.setdefault(tuple(row[name] for name in ("white_id", "black_id", "date", "event", "round")), row)
    squares = 0.0
    for row in games.values():
        gap = int(row["white_elo"]) - int(row["black_elo"])
        _, _, higher, lower = next(one for one in table if one[0] <= min(abs(gap), 400) <= one[1])
        score = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[row["result"]]
        squares += ((higher if gap >= 0 else lower) - score) ** 2
    found = arpad.bulk.evaluate(str(path), system="fide-standard", first="2019-10", last="2019-12")
    assert found.games == len(games)
    assert found.brier == pytest.approx(squares / len(games), abs=1e-9)  # two orders of adding 34,568 floats
