"""The calibrated model, fitted on part of the games and tested on the rest."""

import sys
import tomllib

import numpy as np
import pytest

import arpad
import arpad.bulk
from arpad.systems.chances import calibrated
from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))

import chances_drift  # scripts beside the package
import fit_chances

EDGES = tuple(range(0, 601, 50))


def stored_figures():
    """The figures of the data file, by the names of the script."""
    data = tomllib.loads(fit_chances.DATA.read_text(encoding="utf-8"))
    slopes = zip(data["ability"]["ratings"], data["ability"]["slopes"], strict=True)
    return {f"slope_{at}": slope for at, slope in slopes} | {name: p["value"] for name, p in data["parameters"].items()}


@pytest.fixture(scope="module")
def games():
    return fit_chances.read_early(), fit_chances.read_late()


@pytest.fixture(scope="module")
def unseen(games):
    """The standard games of 2019, and their chances by fits that have seen no game of the same event."""
    early, late = games
    return late.only(~late.fast), fit_chances.crossed(early, late)[~late.fast]


def test_every_game_is_read(games):
    """The files hold 214,833 and 58,560 games (SOURCES.csv)."""
    early, late = games
    assert (len(early.score), len(late.score)) == (214_833, 58_560)


def test_log_loss_is_below_labelles(unseen):
    """On games that no fit has seen the log loss is at least 0.012 below Labelle's, the former default."""
    standard, found = unseen
    labelle = fit_chances.log_loss(fit_chances.labelle_chances(standard), standard)
    assert fit_chances.log_loss(found, standard) < labelle - 0.012


def every_band_holds(found, games):
    """Favourites by up to 600 points, in bands of 50: off by at most 0.015 in score and 0.02 in draws."""
    for band in fit_chances.bands(found, games, EDGES):
        if band.high is not None:
            assert abs(band.says - band.scored) <= 0.015, band
            assert abs(band.draws - band.drawn) <= 0.02, band


def every_level_holds(found, games):
    """Below 2000, from 2000 to 2399, from 2400 on: off by at most 0.03 in score and in draws."""
    level = (games.white + games.black) / 2
    for low, high in ((0, 2000), (2000, 2400), (2400, 4000)):
        rows = (level >= low) & (level < high)
        (band,) = fit_chances.bands(found[rows], games.only(rows), (0,))
        assert abs(band.says - band.scored) <= 0.03, (low, band)
        assert abs(band.draws - band.drawn) <= 0.03, (low, band)


def test_every_band_and_level_holds(unseen):
    """In 2019 the games are within the bounds, each predicted without its own event."""
    standard, found = unseen
    every_band_holds(found, standard)
    every_level_holds(found, standard)


def test_every_band_and_level_holds_from_year_to_year(games):
    """2015 by a fit on 2014, and 2014 by a fit on 2015, are within the same bounds."""
    early, _ = games
    years = list(fit_chances.other_year(early))
    assert sum(len(tested.score) for _, tested, _ in years) == len(early.score)
    for _, tested, found in years:
        every_band_holds(found, tested)
        every_level_holds(found, tested)


def test_the_years_have_no_trend(games):
    """Favourites by 400 to 449 did better in 2015 than before, and far worse in 2019: no trend says so."""
    early, late = games
    last, slow = early.year == early.year.max(), late.only(~late.fast)
    years = [early.only(~last), early.only(last), slow]
    rows = [(np.abs(one.white - one.black) >= 400) & (np.abs(one.white - one.black) < 450) for one in years]
    scored = [
        float(np.where(one.white >= one.black, one.score, 1 - one.score)[picked].mean())
        for one, picked in zip(years, rows, strict=True)
    ]
    assert scored[1] > scored[0] > scored[2] + 0.03


@pytest.fixture(scope="module")
def four_years_on(games):
    """The games of 2019 by a fit on 2014-15 alone."""
    early, late = games
    p, _ = fit_chances.fit([(early.lifted, False)])
    return late, fit_chances.chances(p, late.lifted)


def test_the_loss_falls_four_years_on(four_years_on):
    """By a fit on 2014-15 alone the log loss of 2019 is at least 0.012 below Labelle's as well."""
    late, found = four_years_on
    standard = late.only(~late.fast)
    labelle = fit_chances.log_loss(fit_chances.labelle_chances(standard), standard)
    assert fit_chances.log_loss(found[~late.fast], standard) < labelle - 0.012


def test_what_changed_until_2019_is_juniors(four_years_on):
    """Between adults the earlier fit holds within 0.015 in score; underdogs up to 15 scored 0.05 more than it says."""
    late, found = four_years_on
    groups = dict(chances_drift.groups(late))

    def off(name):
        rows = groups[name] & ~late.fast & (np.abs(late.white - late.black) < 600)
        bands = fit_chances.bands(found[rows], late.only(rows), (0, 150, 300))
        return [band.says - band.scored for band in bands]

    assert max(map(abs, off("both 20 or older"))) <= 0.015
    assert min(off("underdog 0 to 12")[1:] + off("underdog 13 to 15")[1:]) > 0.05
    assert off("all")[2] > 0.015


def test_the_data_file_is_the_fit(games):
    """The figures that answers use are those that the script finds, within a tenth of their errors."""
    early, late = games
    found, errors = fit_chances.fit([(early.lifted, True), (late.only(~late.fast).lifted, False)])
    stored = stored_figures()
    assert {name: abs(stored[name] - found[name]) < errors[name] / 10 for name in found} == dict.fromkeys(found, True)


def test_the_formula_in_columns_is_the_scalar_one(games):
    """The script's formula and the program's give the same chances, game by game."""
    _, late = games
    some = late.only(np.arange(len(late.score)) % 97 == 0).lifted
    found = fit_chances.chances(stored_figures(), some)
    for row, white, black in zip(found, some.white.tolist(), some.black.tolist(), strict=True):
        assert calibrated().chances(white, black, "white") == pytest.approx(row, abs=1e-12)


@pytest.mark.parametrize(("low", "high"), [(0, 2000), (2000, 2400), (2400, 4000)])
def test_the_model_holds_seven_years_later(low, high):
    """In six opens of 2026, with ratings of today's scale, favourites score what it says within 0.03 at every level."""
    recent = fit_chances.read_recent()
    level = (recent.white + recent.black) / 2
    rows = (level >= low) & (level < high)
    (band,) = fit_chances.bands(fit_chances.chances(stored_figures(), recent)[rows], recent.only(rows), (0,))
    assert abs(band.says - band.scored) <= 0.03, band


@pytest.fixture(scope="module")
def evaluated():
    """October to December 2019 as `arpad bulk evaluate` has them, by model."""
    models = {"calibrated": arpad.draw_model(), "labelle": arpad.draw_model("labelle"), "table": None}
    path, span = str(fit_chances.LATE), {"first": "2019-10", "last": "2019-12"}
    return {
        name: arpad.bulk.evaluate(path, system="fide-standard", draws=model, **span) for name, model in models.items()
    }


def test_evaluate_judges_every_model_alike(evaluated):
    """The same 34,568 games for each; the calibrated model has the least loss, and its bands add up to all games."""
    assert {found.games for found in evaluated.values()} == {34_568}
    assert evaluated["calibrated"].log_loss < min(evaluated["labelle"].log_loss, evaluated["table"].log_loss) - 0.01
    assert evaluated["calibrated"].result_loss < evaluated["labelle"].result_loss - 0.012
    assert evaluated["table"].result_loss is None
    for found in evaluated.values():
        assert sum(band.games for band in found.bands) == found.games


def test_evaluate_has_the_losses_of_the_formula(evaluated):
    """The loss of the results, worked out from the ratings with the script's formula, which is written apart."""
    games = evaluated["calibrated"].to_arrow()
    white, black, score = (games.column(name).to_numpy() for name in ("white", "black", "score"))
    rows = fit_chances.Games(white, black, score, score, score, score > 1).lifted
    loss = fit_chances.log_loss(fit_chances.chances(stored_figures(), rows), rows)
    assert evaluated["calibrated"].result_loss == pytest.approx(loss, abs=1e-9)
