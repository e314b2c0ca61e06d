"""Looking ahead, against brute force and against the promises of its page."""

import sys
from collections import defaultdict
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import reduce
from itertools import product
from math import exp, prod

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import DwzStanding, EloStanding, Field, Game, GlickoStanding, Pairing, PlannedEvent, Player, draw_model
from arpad.forecast.distribution import convolved
from arpad.forecast.schedule import Model, curve, lattice
from arpad.reading import parse_pairing
from arpad.systems.chances import LABELLE, labelle
from conftest import library

ON = date(2026, 11, 15)
FIDE, ELO = arpad.system("fide-standard"), arpad.system("elo")
SCORES = (Decimal(1), Decimal("0.5"), Decimal(0))
MODELS = (draw_model(), draw_model("labelle"), draw_model("davidson", draw_rate=0.4), draw_model("none"))
JUNIOR = Player(1780, birth_year=2010)
# Both sides add the same products in another order, so they may differ in the last few bits of a float.
SAME = 1e-12


def brute_force(system, player, events, model, on=ON):
    """Every one of the 3^n results rated by itself, and its probability, in the order of the games."""
    opponents = [rating for event in events for rating in event]
    chances = [dict(zip(SCORES, model.chances(rating, None), strict=True)) for rating in opponents]
    found = defaultdict(float)
    for scores in product(SCORES, repeat=len(opponents)):
        probability = prod(chance[score] for chance, score in zip(chances, scores, strict=True))
        games = [Game(rating, score) for rating, score in zip(opponents, scores, strict=True)]
        rest = iter(games)
        parts = tuple(arpad.Event(tuple(next(rest) for _ in event)) for event in events)
        change = system.rate_period(player, arpad.Period(parts), on=on)
        if probability:
            found[sum(scores), round(change.change, 6), change.new_rating] += probability
    return found


def model_of(system, strength, draws):
    return Model(float(strength), draws, curve(system, ON))


@pytest.mark.parametrize("draws", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize(
    ("system", "opponents"),
    [(FIDE, [1350, 1500, 1750, 1800, 1820, 1850, 1900, 2250]), (ELO, [1700, 1790, 1900, 2100])],
    ids=["fide", "elo"],
)
def test_every_outcome_equals_brute_force(system, opponents, draws):
    """Scores, changes to the hundredth, new ratings and probabilities are those of all 3^n results rated singly."""
    outlook = arpad.look_ahead(system, JUNIOR, opponents, on=ON, draws=draws, strength=1810)
    expected = brute_force(system, JUNIOR, [opponents], model_of(system, 1810, draws))
    found = {(one.score, round(one.change, 6), one.new_rating): one.probability for one in outlook.outcomes}
    assert found == pytest.approx(expected, abs=SAME)


def test_fifteen_games_equal_all_fourteen_million_results():
    """The convolution equals the enumeration of all 3^15 results."""
    chances = [tuple(labelle(1800, 1500 + 40 * no).values()) for no in range(15)]
    probabilities = reduce(np.multiply.outer, map(np.array, chances)).ravel()
    half_points = reduce(np.add.outer, [np.array([2, 1, 0], dtype=np.int8)] * 15).ravel()
    assert convolved(chances) == pytest.approx(np.bincount(half_points, weights=probabilities), abs=SAME)


@examples(25)
@given(
    ratings=st.lists(st.integers(1400, 2800), min_size=1, max_size=100),
    strength=st.integers(1400, 2800),
    draws=st.sampled_from(MODELS),
)
def test_probabilities_add_up_to_one(ratings, strength, draws):
    """For up to a hundred games the probabilities add up to one."""
    model = model_of(FIDE, strength, draws)
    assert sum(convolved(model.chances(rating, None) for rating in ratings)) == pytest.approx(1, abs=SAME)


@examples(40)
@given(
    ratings=st.lists(st.integers(1500, 2600), min_size=1, max_size=6),
    strength=st.integers(1400, 2600),
    more=st.integers(1, 300),
    reach=st.integers(1400, 2700),
    draws=st.sampled_from(MODELS),
    system=st.sampled_from((FIDE, ELO)),
)
def test_more_strength_never_lowers_a_chance(ratings, strength, more, reach, draws, system):
    """A higher strength never lowers the chance to reach a target."""
    player = Player(EloStanding(2000, k=20))
    low, high = (
        arpad.look_ahead(system, player, ratings, on=ON, reach=reach, strength=one, draws=draws).reach
        for one in (strength, strength + more)
    )
    assert high >= low - SAME


@examples(25)
@given(
    ratings=st.lists(st.integers(1400, 2600), min_size=1, max_size=6),
    rating=st.integers(1500, 2500),
    draws=st.sampled_from(MODELS[2:]),
)
def test_the_mean_change_is_zero_by_the_formulas_own_expectation(ratings, rating, draws):
    """Elo with its own curve gains nothing on average if strength and rating agree."""
    outlook = arpad.look_ahead(ELO, Player(rating), ratings, on=ON, draws=draws)
    # The curve's value is a float in the chances and a Decimal in the change: sixteen digits against twenty-eight.
    assert float(outlook.mean) == pytest.approx(0, abs=1e-9)


def test_the_bias_of_the_cap_is_k_times_what_the_table_has_above_it():
    """By FIDE's own table a favourite by 500 points is expected to score 0.96, but counts as 0.92: 20 × 0.04."""
    outlook = arpad.look_ahead(FIDE, Player(EloStanding(2100, k=20)), [1600], on=ON, draws=draw_model("none"))
    assert float(outlook.mean) == pytest.approx(0.8, abs=1e-9)
    assert float(
        arpad.look_ahead(FIDE, Player(EloStanding(1900, k=20)), [1600], on=ON, draws=draw_model("none")).mean
    ) == (pytest.approx(0, abs=1e-9))


@pytest.mark.parametrize(
    ("rating", "opponent", "drawn"),
    [(1500, 1500, 0.192), (2000, 2000, 0.308), (2700, 2700, 0.569), (2200, 2310, 0.329)],
)
def test_labelles_draw_rates(rating, opponent, drawn):
    """Labelle's model gives the published draw rates (François Labelle, wismuth.com)."""
    # The source gives one decimal of a percentage.
    assert labelle(rating, opponent)["draw"] == pytest.approx(drawn, abs=0.0005)


@given(expected=st.floats(0, 1), rate=st.floats(0.01, 0.99))
def test_davidson_keeps_the_expected_score_and_its_equation(expected, rate):
    """Draws squared are ν² times wins times losses, and win plus half a draw is the expected score (Davidson, Ordo)."""
    model = draw_model("davidson", draw_rate=rate)
    win, drawn, lost = model.chances(expected, 0, None, lambda difference: difference)
    nu = 2 * rate / (1 - rate)
    assert min(win, drawn, lost) >= 0
    assert win + drawn / 2 == pytest.approx(expected, abs=SAME)
    # Squares of small differences lose half of the digits.
    assert drawn**2 == pytest.approx(nu**2 * win * lost, abs=1e-6)


def test_white_is_worth_its_points():
    """35 points for White are the same as 35 points more of rating difference (BayesElo, by its definition)."""
    model = draw_model("none")
    curve_of_elo = curve(ELO, ON)
    assert model.chances(1800, 1800, "white", curve_of_elo)[0] == pytest.approx(curve_of_elo(35), abs=SAME)
    assert model.chances(1800, 1800, "black", curve_of_elo)[0] == pytest.approx(1 - curve_of_elo(35), abs=SAME)


def test_live_rating_ends_where_rate_ends():
    """With every result in, one outcome is left, and it is what `rate` gives."""
    played = ["1700:win", "1750@b:draw", "1800:0", "unrated:win", "1900:+"]
    outlook = arpad.look_ahead(FIDE, JUNIOR, map(parse_pairing, played), on=ON)
    rated = FIDE.rate(JUNIOR, [arpad.reading.notation.parse_game(one.replace("@b", "")) for one in played], on=ON)
    (only,) = outlook.outcomes
    assert (only.score, only.change, only.new_rating, only.probability) == (
        rated.score,
        rated.change,
        rated.new_rating,
        1.0,
    )
    assert outlook.so_far.new_rating == rated.new_rating


def test_live_rating_keeps_the_results_so_far():
    """Results so far are fixed, and only the rest is open."""
    outlook = arpad.look_ahead(FIDE, JUNIOR, map(parse_pairing, ["1700:win", "1750:draw", "1800:?", "1820"]), on=ON)
    rest = arpad.look_ahead(FIDE, JUNIOR, [1800, 1820], on=ON)
    assert [one.score - one.remaining for one in outlook.outcomes] == [Decimal("1.5")] * 5
    assert [one.probability for one in outlook.outcomes] == [one.probability for one in rest.outcomes]


def test_where_rounding_is_per_event_every_result_is_rated():
    """Under the reading that rounds each event, it matters which event was won; brute force agrees."""
    system = arpad.system("fide-standard", readings={"rounding": "per-event"})
    events = [[1713, 1901], [1650, 1800, 1822]]
    planned = [PlannedEvent(tuple(Pairing(Player(rating)) for rating in event)) for event in events]
    with_k = replace(JUNIOR, standing=EloStanding(JUNIOR.rating, k=17))
    outlook = arpad.look_ahead(system, with_k, planned, on=ON)
    expected = brute_force(system, with_k, events, model_of(system, 1780, MODELS[0]))
    found = {(one.score, round(one.change, 6), one.new_rating): one.probability for one in outlook.outcomes}
    assert found == pytest.approx(expected, abs=SAME)


def by_opponent(games):
    """A made-up answer in which a point is worth more against some opponents, as in Glicko's family."""
    change = sum(((game.score - Decimal("0.5")) * game.opponent.rating / 100 for game in games), Decimal(0))
    new = {"change": change, "rounded": round(change), "new_rating": 1780 + round(change)}
    return replace(FIDE.rate(JUNIOR, games, on=ON), k=None, k_used=None, k_why=None, k_step=None, enter=None, **new)


def test_where_opponents_weigh_differently_every_result_is_rated():
    """A system that looks at who was beaten gets all results rated, for a few games, and a sentence for many."""

    class ByOpponent(type(FIDE)):
        def _change(self, _, period, __):
            return by_opponent(period.events[0].games)

    system = ByOpponent("fide-standard")
    outlook = arpad.look_ahead(system, JUNIOR, [1400, 1800, 2200], on=ON)
    expected = defaultdict(float)
    chances = [
        dict(zip(SCORES, model_of(FIDE, 1780, MODELS[0]).chances(one, None), strict=True)) for one in (1400, 1800, 2200)
    ]
    for scores in product(SCORES, repeat=3):
        answer = by_opponent([Game(one, score) for one, score in zip((1400, 1800, 2200), scores, strict=True)])
        expected[answer.new_rating] += prod(chance[score] for chance, score in zip(chances, scores, strict=True))
    found = defaultdict(float)
    for one in outlook.outcomes:
        found[one.new_rating] += one.probability
    assert found == pytest.approx(expected, abs=SAME)
    with pytest.raises(arpad.Unsupported, match="up to 7 games"):
        arpad.look_ahead(system, JUNIOR, range(1400, 2400, 100), on=ON)


def test_a_field_is_the_mixture_of_its_ratings():
    """Two games against a field equal every pair of ratings of its lattice, weighed."""
    field = Field(1900, 100)
    outlook = arpad.look_ahead(FIDE, JUNIOR, [Pairing(field)] * 2, on=ON)
    expected = defaultdict(float)
    for (one, share), (other, weight) in product(lattice(field, 1400), repeat=2):
        for outcome in arpad.look_ahead(FIDE, JUNIOR, [one, other], on=ON).outcomes:
            expected[outcome.new_rating] += share * weight * outcome.probability
    assert {one.new_rating: one.probability for one in outlook.outcomes} == pytest.approx(expected, abs=SAME)


@pytest.mark.parametrize(("average", "spread"), [(1850, 80), (1900, 120), (1500, 60)])
def test_a_field_is_close_to_its_normal_distribution(average, spread):
    """Chances against a field are within 0.002 of those against thousands of players, as many as the density says."""
    players = tuple(
        Player(rating)
        for rating in range(max(1400, average - 4 * spread), average + 4 * spread + 1)
        for _ in range(round(100 * exp(-(((rating - average) / spread) ** 2) / 2)))
    )
    fields = Field(average, spread), Field(average, spread, players)
    one, other = (arpad.look_ahead(FIDE, JUNIOR, [field] * 7, on=ON, reach=1800) for field in fields)
    assert (one.gain, one.reach) == pytest.approx((other.gain, other.reach), abs=0.002)
    assert one.mean_score == pytest.approx(other.mean_score, abs=0.005)


def test_a_field_without_spread_is_its_average():
    """A field with no spread is so many opponents of that rating."""
    by_field = arpad.look_ahead(FIDE, JUNIOR, [Field(1850, 0)] * 5, on=ON, reach=1800)
    by_name = arpad.look_ahead(FIDE, JUNIOR, [1850] * 5, on=ON, reach=1800)
    assert (by_field.reach, float(by_field.mean)) == pytest.approx((by_name.reach, float(by_name.mean)), abs=SAME)


def test_a_field_round_the_own_rating_in_plain_elo():
    """Only against the average is the expected score a hundredth, a half; by symmetry nothing is gained."""
    outlook = arpad.look_ahead(ELO, Player(EloStanding(1780, k=20)), [Field(1780, 100)] * 9, on=ON, draws=LABELLE)
    # Each game's change is rounded to 0.01, upwards as often as downwards.
    assert float(outlook.mean) == pytest.approx(0, abs=0.01)


PLAYERS = {
    "elo": Player(1500), "dwz": Player(1500, birth_year=2000), "uschess-regular": Player(EloStanding(1500, games=100)),
    "glicko": Player(GlickoStanding(1500, deviation=60)),
    "glicko-2": Player(GlickoStanding(1500, deviation=60, volatility=0.06)),
    "lichess": Player(GlickoStanding(1500, deviation=60, volatility=0.06)),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAYERS)
def test_every_system_with_an_update_can_look_ahead(name):
    """Chances add up to 1, and each outcome's change is what `rate` gives for one of its results."""
    system, player = arpad.system(name), PLAYERS[name]
    opponents = [Player(GlickoStanding(1450, deviation=40)), Player(GlickoStanding(1550, deviation=50))]
    ahead = arpad.look_ahead(system, player, opponents, on=ON)
    results = (arpad.win, arpad.draw, arpad.loss)
    rated = {
        round(float(system.rate(player, [first(opponents[0]), second(opponents[1])], on=ON).change), 6)
        for first, second in product(results, repeat=2)
    }
    assert sum(one.probability for one in ahead.outcomes) == pytest.approx(1, abs=1e-12)
    assert {round(float(one.change), 6) for one in ahead.outcomes} <= rated


def test_what_is_known_of_the_player_is_not_lost_over_a_season():
    """A DWZ player's K of 20 is used on every list, as `rate` uses it."""
    events = [PlannedEvent((Pairing(Player(1800)),), date(2027, month, 3)) for month in (1, 2)]
    season = arpad.look_ahead_season(arpad.system("dwz"), Player(DwzStanding(1780, k=20)), events, on=ON)
    assert [[one.k for one in each.k] for each in season.lists] == [[20], [20]]


def test_a_target_out_of_reach_is_not_an_equation():
    """A target that no outcome reaches has a chance of 0, without an equation that says 0 = 0."""
    outlook = arpad.look_ahead(FIDE, Player(EloStanding(1780, k=20)), [1700], on=ON, reach=1900)
    assert outlook.reach == 0
    assert "chance to reach  0   1900 or more" in outlook.explain()
    assert "0 = 0" not in outlook.explain()


def test_a_game_that_is_not_rated_says_so():
    """In rapid a gap of 600 with a player above the level is not rated; the outlook leaves it out and says why."""
    opponents = [Player(2000), Player(EloStanding(standard=2500)), Player(2700)]
    outlook = arpad.look_ahead(arpad.system("fide-rapid"), Player(2650), opponents, on=ON)
    assert (outlook.games, outlook.open, [one.game for one in outlook.not_rated]) == (3, 2, [1])
    assert outlook.value()["not_rated"] == [{"game": 1, "why": str(outlook.not_rated[0].why)}]


def test_a_womans_levels_include_womens_titles():
    """WIM asks for 2200 (Title Regulations, ratings for titles); it is looked at for a woman alone."""
    says = [
        [str(level.says) for level in arpad.look_ahead(FIDE, player, [2200, 2250], on=ON).levels if level.level == 2200]
        for player in (Player(EloStanding(2195, k=20)), Player(EloStanding(2195, k=20), sex="w"))
    ]
    assert says == [["the rating for CM"], ["the rating for CM", "the rating for WIM, which also requires norms"]]


def test_outcomes_are_an_arrow_table():
    """A row an outcome, with the figures of the answer."""
    library("pyarrow")
    outlook = arpad.look_ahead(FIDE, Player(1405), [1500, 1600], on=ON)
    table = outlook.to_arrow()
    assert table["probability"].to_pylist() == [one.probability for one in outlook.outcomes]
    assert table["new_rating"].to_pylist() == [one.new_rating for one in outlook.outcomes]
    assert None in table["new_rating"].to_pylist()
    assert table["change"].to_pylist() == [float(one.change) for one in outlook.outcomes]


def test_arrow_without_its_library_says_what_to_install(monkeypatch):
    """Without pyarrow, one sentence says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(arpad.MissingExtra, match=r"pip install 'arpad\[bulk\]'"):
        arpad.look_ahead(FIDE, 1780, [1700], on=ON).to_arrow()


BAD = {
    "no opponents": ({"against": []}, "No opponents"),
    "target below the floor": ({"reach": 1300}, "below the floor of 1400"),
    "half a point as target": ({"reach": "1800.5"}, "published as whole numbers"),
    "strength NaN": ({"strength": "nan"}, "not a rating"),
    "10,000 games": ({"against": [1700] * 10_000}, "at most 100"),
    "a field below the floor": ({"against": [Field(900, 0)] * 3}, "below the floor"),
    "a field too often": ({"against": [Field(1800, 50)] * 31}, "at most 30"),
    "an unrated opponent alone": ({"against": [Player(None)]}, "would be rated"),
    "a negative loss": ({"lose": "-5"}, "not a loss"),
    "an unrated player": ({"player": Player(None)}, "needs one"),
    "a player below the floor": ({"player": 1300}, "the player is unrated"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_a_sentence(name):
    """What cannot be predicted is refused with one sentence."""
    given, says = BAD[name]
    with pytest.raises(arpad.BadInput) as refused:
        arpad.look_ahead(FIDE, **{"player": 1780, "against": [1700], "on": ON, **given})
    assert says in refused.value.message


@pytest.mark.parametrize(("given", "says"), [
    ({"name": "davidsen"}, "Did you mean 'davidson'"), ({"name": "davidson"}, "needs the share of draws"),
    ({"name": "davidson", "draw_rate": 1}, "below 1"), ({"draw_rate": 0.3}, "takes no draw rate"),
])  # fmt: skip
def test_bad_draw_models_get_a_sentence(given, says):
    """A draw model that makes no sense is refused with one sentence."""
    with pytest.raises(arpad.ArpadError) as refused:
        draw_model(**given)
    assert says in refused.value.message


def test_an_approved_event_is_looked_ahead_to():
    """45+30 counts in 2026 where FIDE's commission approved the event (fide.com ?p=42839): 20 × 0.5 = 10."""
    event = arpad.PlannedEvent((arpad.Pairing(arpad.Player(1900)),), pace=arpad.Pace(45, 30), qc_approved=True)
    player = arpad.Player(arpad.EloStanding(1900, k=20))
    ahead = arpad.look_ahead(arpad.system("fide-standard"), player, [event], on=date(2026, 11, 15))
    assert [outcome.change for outcome in ahead.outcomes] == [-10, 0, 10]
