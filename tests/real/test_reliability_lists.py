"""How far strength lies from a rating, recomputed from FIDE's lists of August and September 2025."""

import sys
import tomllib

import numpy as np
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))

import fit_reliability  # scripts beside the package
import fit_typical

STORED = tomllib.loads(fit_reliability.DATA.read_text(encoding="utf-8"))


def test_the_data_file_is_the_estimate():
    """The stored deviations are those the script finds; a year away makes each of them larger."""
    players = fit_typical.read()
    off, stored = fit_reliability.off_by(players), {(one["kind"], one["inactive"]): one for one in STORED["cells"]}
    for key, rows in fit_reliability.groups(players).items():
        found = fit_reliability.deviation(off[rows], players.games[rows])
        assert stored[key]["deviation"] == pytest.approx(found, abs=0.06)
        assert stored[key]["players"] == rows.sum()
    assert all(stored[kind, True]["deviation"] > stored[kind, False]["deviation"] for kind in fit_reliability.KINDS)


@pytest.mark.parametrize("spread", [0, 60, 110])
def test_a_known_spread_is_found(spread):
    """Players whose strength was drawn with a known spread: the method finds it, whatever the luck of single games."""
    chance = np.random.default_rng(4)
    games = chance.integers(1, 15, 200_000).astype(float)
    off = games * chance.normal(0, spread, games.size) + np.sqrt(games) * chance.normal(0, 300, games.size)
    assert fit_reliability.deviation(off, games) == pytest.approx(spread, abs=12 if spread == 0 else 3)
