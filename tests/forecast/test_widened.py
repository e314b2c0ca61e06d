"""Uncertainty of strength: the outlook as a mixture over strengths."""

import json
from datetime import date
from math import exp

import pytest

import arpad
from arpad import EloStanding, PlannedEvent, Player
from arpad.cli import main
from arpad.core import DRAW, WIN, Pairing
from arpad.errors import BadInput
from arpad.forecast.plans import Plan, look_ahead_plans
from arpad.forecast.typical import reliability_of

FIDE = arpad.system("fide-standard")
ON = date(2026, 11, 15)
OPEN = [1700, 1750, 1800, 1820]


def look(**more):
    return arpad.look_ahead(FIDE, 1780, OPEN, on=ON, reach=1790, lose=10, **more)


def test_widened_chances_are_a_mixture_over_strengths():
    """Each chance is the mean over strengths at every half deviation, with the weights of a normal curve."""
    found = look(uncertain=60).widened
    weights = {1780 + 30 * step: exp(-((step / 2) ** 2) / 2) for step in range(-8, 9)}
    whole = sum(weights.values())
    for name in ("reach", "gain", "lose"):
        chances = {strength: getattr(look(strength=strength), name) for strength in weights}
        mixed = sum(weights[strength] * chance for strength, chance in chances.items()) / whole
        assert getattr(found, name) == pytest.approx(mixed, abs=1e-12)


def test_every_target_has_both_chances():
    """Each of several targets is widened, and the first is the one that `reach` has."""
    found = arpad.look_ahead(FIDE, 1780, OPEN, on=ON, reach=(1790, 1800), uncertain=60)
    assert [one.target for one in found.widened.targets] == [1790, 1800]
    assert found.widened.reach == found.widened.targets[0].reach > found.widened.targets[1].reach
    assert ["1800 or more" in str(one.remark) for one in found.widened.figures()[:2]] == [False, True]


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


def test_results_so_far_count():
    """By Bayes' rule: each strength counts as the normal curve has it, times the chance that it gives the results."""
    pairings = [Pairing(Player(1750), WIN), Pairing(Player(1820), DRAW), Pairing(Player(1800))]
    found = arpad.look_ahead(FIDE, 1780, pairings, on=ON, reach=1790, uncertain=60).widened
    weights = {}
    for step in range(-8, 9):
        strength = 1780 + 30 * step
        first, second = arpad.look_ahead(FIDE, 1780, [1750, 1820], on=ON, strength=strength).chances
        weights[strength] = exp(-((step / 2) ** 2) / 2) * first.win * second.draw
    whole = sum(weights.values())
    mean = sum(strength * weight for strength, weight in weights.items()) / whole
    assert found.results == 2
    assert found.strength == pytest.approx(mean, abs=1e-9)
    assert found.strength > 1790
    assert 50 < found.remaining < 60
    reach = {one: arpad.look_ahead(FIDE, 1780, pairings, on=ON, reach=1790, strength=one).reach for one in weights}
    assert found.reach == pytest.approx(sum(weights[one] * reach[one] for one in weights) / whole, abs=1e-12)


def test_a_forfeit_says_nothing_of_strength():
    """Only games that were played count."""
    pairings = [Pairing(Player(1750), WIN, how="forfeit"), Pairing(Player(1800))]
    found = arpad.look_ahead(FIDE, 1780, pairings, on=ON, uncertain=60).widened
    assert (found.results, found.strength) == (0, pytest.approx(1780))


def test_a_forfeit_is_no_result_so_far():
    """An outlook whose only result is a forfeit has no live rating, and its games to come are looked at."""
    outlook = arpad.look_ahead(FIDE, 1780, [Pairing(Player(1750), WIN, how="forfeit"), Pairing(Player(1800))], on=ON)
    assert outlook.so_far is None
    assert (outlook.open, [one.game for one in outlook.not_rated]) == (1, [1])


def test_a_model_without_draws_says_nothing_after_one():
    """Where the model makes the results impossible, the strength stays as uncertain as before."""
    pairings = [Pairing(Player(1750), DRAW), Pairing(Player(1800))]
    found = arpad.look_ahead(FIDE, 1780, pairings, on=ON, uncertain=60, draws=arpad.draw_model("none")).widened
    assert found.strength == pytest.approx(1780)


@pytest.mark.parametrize(("player", "inactive", "kind"), [
    (Player(1780), False, "established"),
    (Player(EloStanding(1780, games=29)), False, "few"),
    (Player(EloStanding(1780, games=30)), True, "established"),
    (Player(EloStanding(1780, k=40)), False, "few"),
    (Player(EloStanding(1780, k=40), birth_year=2010), False, "junior"),
    (Player(EloStanding(1780, games=5), birth_year=2010), True, "few"),
    (Player(1780, birth_year=1990), False, "established"),
])  # fmt: skip
def test_how_reliable_a_rating_is(player, inactive, kind):
    """K is 40 for fewer than 30 games and for juniors to 18 (FIDE's 8.3.3), so K 40 at another age means few games."""
    found = reliability_of(FIDE, player, on=ON, inactive=inactive)
    assert (found.kind, found.inactive) == (kind, inactive)
    assert found.doubtful == (inactive or kind == "few")
    outlook = arpad.look_ahead(FIDE, player, OPEN, on=ON, uncertain=found)
    assert outlook.widened.reliability == found
    assert f"± {round(found.deviation)}" in str(found.note)
    assert found.note in outlook.notes


@pytest.mark.parametrize(("more", "kind"), [
    (["--against", "1700"], None),
    (["--against", "1700", "--games", "12"], "few"),
    (["--against", "1700", "--inactive"], "established"),
    (["1750:win", "1700"], "established"),
    (["1750:win", "1700:draw"], None),
    (["1750:win", "1700", "--born", "2012"], "junior"),
])  # fmt: skip
def test_chances_are_widened_where_that_matters(more, kind, capsys):
    """Few games, a year without one, or results so far with games to come: both chances are shown."""
    assert main(["outlook", "1780", "--on", "2026-11-15", "--json", *more]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert (value["widened"] and value["widened"]["reliability"]["kind"]) == kind
    assert value["gain"] is not None
    assert main(["outlook", "1780", "--on", "2026-11-15", *more]) == 0
    assert capsys.readouterr().out.count("chance to gain") == (1 if kind is None else 2)


@pytest.mark.parametrize(("more", "says"), [
    (["--inactive", "--system", "elo", "--k", "20"], "FIDE's standard lists only"),
    (["--inactive", "--uncertain", "60"], "not both"),
])  # fmt: skip
def test_what_it_cannot_know_gets_a_sentence(more, says, capsys):
    """Other systems have no such lists, and one width is enough."""
    assert main(["outlook", "1780", "--against", "1700", "--on", "2026-11-15", *more]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_a_season_has_none():
    """Over several lists it is refused, and the sentence says what to do."""
    events = tuple(PlannedEvent((Pairing(Player(1700)),), date(2027, month, 10)) for month in (1, 2))
    inactive = reliability_of(FIDE, Player(1780), on=ON, inactive=True)
    for uncertain, at in ((50, "uncertain"), (inactive, "inactive")):
        with pytest.raises(BadInput, match="one list only") as refused:
            look_ahead_plans(FIDE, [Plan(Player(1780), events)], on=ON, uncertain=uncertain)
        assert refused.value.at == at
