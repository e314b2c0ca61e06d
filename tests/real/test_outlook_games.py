"""The model of results against 58,560 real games (The Week in Chess 1293 to 1311)."""

import csv
import sys
from math import log

import pytest

from conftest import ROOT, shared

sys.path.insert(0, str(ROOT / "bench"))

import calibrate  # a script beside the package


@pytest.fixture(scope="module")
def games():
    """The file's 58,560 results (SOURCES.csv), of which none is lost."""
    found = calibrate.read(shared("data/games/twic_1293_1311_results.csv.xz"))
    assert len(found) == 58_560
    return found


def test_log_loss_of_table_and_cap(games):
    """`expect` has the log loss of the published table, worked out from its own rows by another way."""
    rows = list(csv.DictReader(shared("reference/fide_pd.csv").read_text(encoding="utf-8").splitlines()))
    first, last, higher = list(rows[0])[:3]

    def expected(gap):
        gap, sign = min(abs(gap), 400), gap >= 0
        row = next(row for row in rows if int(row[first]) <= gap <= int(row[last] or 9999))
        return float(row[higher]) if sign else 1 - float(row[higher])

    by_gap = {}
    for game in games:
        gap = game.white - game.black
        by_gap.setdefault(gap, [0, 0.0])
        by_gap[gap][0] += 1
        by_gap[gap][1] += game.score
    total = 0.0
    for gap, (count, score) in by_gap.items():
        e = expected(gap)
        total -= score * log(e) + (count - score) * log(1 - e)
    # Two orders of adding 58,560 floats.
    assert calibrate.score_log_loss(games, calibrate.table_and_cap()) == pytest.approx(total / len(games), abs=1e-9)


def test_the_calibrated_model_beats_the_others(games):
    """It has a log loss at least 0.012 below Labelle's on all 58,560 games, rapid and blitz among them."""
    loss = {name: calibrate.result_log_loss(games, calibrate.MODELS[name]) for name in calibrate.MODELS}
    assert loss["calibrated"] == min(loss.values())
    assert loss["calibrated"] < loss["labelle, White 35"] - 0.012


def test_labelle_beats_a_fixed_draw_rate(games):
    """Labelle's level-dependent draws fit the results better than Davidson's with one rate, and White's edge helps."""
    loss = {name: calibrate.result_log_loss(games, chances) for name, chances in calibrate.MODELS.items()}
    assert loss["labelle, White 35"] < loss["labelle"] < loss["davidson 0.4"]
    assert loss["labelle, White 35"] < loss["davidson 0.4, White 35"]


def test_level_games_are_calibrated(games):
    """Between players within 50 points White's expected score is met within two hundredths."""
    chances = calibrate.MODELS["labelle, White 35"]
    near = [game for game in games if abs(game.white - game.black) < 50]
    found = sum(game.score for game in near) / len(near)
    model = sum(win + drawn / 2 for win, drawn, _ in map(chances, near)) / len(near)
    # The standard error of 9,174 games is 0.004; 35 points are a round figure of masters' games.
    assert model == pytest.approx(found, abs=0.02)
