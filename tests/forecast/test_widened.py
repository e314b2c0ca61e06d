"""Uncertainty of strength: the outlook as a mixture over strengths."""

from datetime import date
from math import exp

import pytest

import arpad
from arpad import PlannedEvent, Player
from arpad.core import Pairing
from arpad.errors import BadInput
from arpad.forecast.plans import Plan, look_ahead_plans

FIDE = arpad.system("fide-standard")
ON = date(2026, 11, 15)
OPEN = [1700, 1750, 1800, 1820]


def look(**more):
    return arpad.look_ahead(FIDE, 1780, OPEN, on=ON, reach=1790, lose=10, **more)


def test_it_is_the_mixture_over_strengths():
    """Each chance is the mean over strengths at every half deviation, with the weights of a normal curve."""
    found = look(uncertain=60).widened
    weights = {1780 + 30 * step: exp(-((step / 2) ** 2) / 2) for step in range(-8, 9)}
    whole = sum(weights.values())
    for name in ("reach", "gain", "lose"):
        chances = {strength: getattr(look(strength=strength), name) for strength in weights}
        mixed = sum(weights[strength] * chance for strength, chance in chances.items()) / whole
        assert getattr(found, name) == pytest.approx(mixed, abs=1e-12)


def test_no_uncertainty_changes_nothing():
    """With ± 0 the widened chances are the plain ones, which stay as they are in any case."""
    plain, none, some = look(), look(uncertain=0), look(uncertain=100)
    assert plain.widened is None
    for name in ("reach", "gain", "lose", "middle_half"):
        assert getattr(none.widened, name) == pytest.approx(getattr(plain, name), abs=1e-12)
        assert getattr(some, name) == getattr(plain, name)
    low, high = some.widened.middle_half
    assert low <= plain.middle_half[0]
    assert high >= plain.middle_half[1]
    assert some.widened.lose > plain.lose


@pytest.mark.parametrize("uncertain", [-1, 401, "x"])
def test_nonsense_is_refused(uncertain):
    """From 0 to 400 points."""
    with pytest.raises(BadInput, match="from 0 to 400"):
        look(uncertain=uncertain)


def test_a_season_has_none():
    """Over several lists it is refused, and the sentence says what to do."""
    events = tuple(PlannedEvent((Pairing(Player(1700)),), date(2027, month, 10)) for month in (1, 2))
    with pytest.raises(BadInput, match="one list only"):
        look_ahead_plans(FIDE, [Plan(Player(1780), events)], on=ON, uncertain=50)
