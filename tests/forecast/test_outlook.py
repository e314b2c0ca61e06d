"""Looking ahead, against brute force and against the promises of its page."""

import time
from collections import defaultdict
from datetime import date
from decimal import Decimal
from functools import reduce
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arpad
from arpad import Field, Game, Pairing, PlannedEvent, Player, draw_model
from arpad.cli import main
from arpad.forecast.distribution import convolved
from arpad.forecast.schedule import Model, curve, lattice
from arpad.reading.notation import parse_pairing
from arpad.systems.draw_models import labelle

ON = date(2026, 11, 15)
FIDE, ELO = arpad.system("fide-standard"), arpad.system("elo")
SCORES = (Decimal(1), Decimal("0.5"), Decimal(0))
MODELS = (draw_model(), draw_model("davidson", draw_rate=0.4), draw_model("none"))
JUNIOR = Player(1780, birth_year=2010)
OPEN = [1700, 1750, 1800, 1820, 1850, 1900, 1920]
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


@settings(max_examples=25)
@given(
    ratings=st.lists(st.integers(1400, 2800), min_size=1, max_size=100),
    strength=st.integers(1400, 2800),
    draws=st.sampled_from(MODELS),
)
def test_probabilities_add_up_to_one(ratings, strength, draws):
    """For up to a hundred games the probabilities add up to one."""
    model = model_of(FIDE, strength, draws)
    assert sum(convolved(model.chances(rating, None) for rating in ratings)) == pytest.approx(1, abs=SAME)


@settings(max_examples=40)
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
    player = Player(2000, k=20)
    low, high = (
        arpad.look_ahead(system, player, ratings, on=ON, reach=reach, strength=one, draws=draws).reach
        for one in (strength, strength + more)
    )
    assert high >= low - SAME


@settings(max_examples=25)
@given(
    ratings=st.lists(st.integers(1400, 2600), min_size=1, max_size=6),
    rating=st.integers(1500, 2500),
    draws=st.sampled_from(MODELS[1:]),
)
def test_the_mean_change_is_nought_by_the_formulas_own_expectation(ratings, rating, draws):
    """Elo with its own curve gains nothing on average if strength and rating agree."""
    outlook = arpad.look_ahead(ELO, Player(rating), ratings, on=ON, draws=draws)
    # The curve's value is a float in the chances and a Decimal in the change: sixteen digits against twenty-eight.
    assert float(outlook.mean) == pytest.approx(0, abs=1e-9)


def test_the_bias_of_the_cap_is_k_times_what_the_table_has_above_it():
    """By FIDE's own table a favourite by 500 points is expected to score 0.96, but counts as 0.92: 20 × 0.04."""
    outlook = arpad.look_ahead(FIDE, Player(2100, k=20), [1600], on=ON, draws=draw_model("none"))
    assert float(outlook.mean) == pytest.approx(0.8, abs=1e-9)
    assert float(arpad.look_ahead(FIDE, Player(1900, k=20), [1600], on=ON, draws=draw_model("none")).mean) == (
        pytest.approx(0, abs=1e-9)
    )


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
    outlook = arpad.look_ahead(system, JUNIOR._replace(k=17), planned, on=ON)
    expected = brute_force(system, JUNIOR._replace(k=17), events, model_of(system, 1780, MODELS[0]))
    found = {(one.score, round(one.change, 6), one.new_rating): one.probability for one in outlook.outcomes}
    assert found == pytest.approx(expected, abs=SAME)


class ByOpponent:
    """A made-up answer in which a point is worth more against some opponents, as in Glicko's family."""

    def __init__(self, games):
        self.change = sum(((game.score - Decimal("0.5")) * game.opponent.rating / 100 for game in games), Decimal(0))
        self.rating, self.rounded, self.new_rating = 1780, round(self.change), 1780 + round(self.change)
        self.k = self.k_used = self.k_why = None
        self.per_game = FIDE.rate(JUNIOR, games, on=ON).per_game
        self.roots, self.notes = (), ()


def test_where_opponents_weigh_differently_every_result_is_rated():
    """A system that looks at who was beaten gets all results rated, for a few games, and a sentence for many."""
    system = FIDE._replace(rate_period=lambda _, period, **__: ByOpponent(period.events[0].games))
    outlook = arpad.look_ahead(system, JUNIOR, [1400, 1800, 2200], on=ON)
    expected = defaultdict(float)
    chances = [
        dict(zip(SCORES, model_of(FIDE, 1780, MODELS[0]).chances(one, None), strict=True)) for one in (1400, 1800, 2200)
    ]
    for scores in product(SCORES, repeat=3):
        answer = ByOpponent([Game(one, score) for one, score in zip((1400, 1800, 2200), scores, strict=True)])
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


def test_a_field_without_spread_is_its_average():
    """A field with no spread is so many opponents of that rating."""
    by_field = arpad.look_ahead(FIDE, JUNIOR, [Field(1850, 0)] * 5, on=ON, reach=1800)
    by_name = arpad.look_ahead(FIDE, JUNIOR, [1850] * 5, on=ON, reach=1800)
    assert (by_field.reach, float(by_field.mean)) == pytest.approx((by_name.reach, float(by_name.mean)), abs=SAME)


def test_a_field_round_the_own_rating_in_plain_elo():
    """Only against the average is the expected score a hundredth, a half; by symmetry nothing is gained."""
    outlook = arpad.look_ahead(ELO, Player(1780, k=20), [Field(1780, 100)] * 9, on=ON)
    # Each game's change is rounded to 0.01, upwards as often as downwards.
    assert float(outlook.mean) == pytest.approx(0, abs=0.01)


def test_nine_games_take_less_than_ten_milliseconds():
    """A nine-game outlook takes 10 ms of the processor; the best of five, because other programs run as well."""
    times = []
    for _ in range(5):
        start = time.process_time()
        arpad.look_ahead(FIDE, JUNIOR, [*OPEN, 1780, 1790], on=ON, reach=1800)
        times.append(time.process_time() - start)
    assert min(times) < 0.010


@pytest.mark.parametrize(("system", "known"), [
    ("elo", {}), ("dwz", {"birth_year": 2000}), ("uschess-regular", {"games": 100}), ("glicko", {"deviation": 60}),
    ("glicko-2", {"deviation": 60, "volatility": 0.06}), ("lichess", {"deviation": 60, "volatility": 0.06}),
])  # fmt: skip
def test_every_system_with_an_update_can_look_ahead(system, known):
    """Chances add up to 1, and each outcome's change is what `rate` gives for one of its results."""
    day = date(2026, 11, 15)
    book = arpad.system(system)
    opponents = [arpad.Player(1450, deviation=40), arpad.Player(1550, deviation=50)]
    ahead = arpad.look_ahead(book, arpad.Player(1500, **known), opponents, on=day)
    rated = {
        round(float(book.rate(arpad.Player(1500, **known), [first(one), second(two)], on=day).change), 6)
        for one, two in [opponents]
        for first in (arpad.win, arpad.draw, arpad.loss)
        for second in (arpad.win, arpad.draw, arpad.loss)
    }
    assert sum(one.probability for one in ahead.outcomes) == pytest.approx(1, abs=1e-12)
    assert {round(float(one.change), 6) for one in ahead.outcomes} <= rated


def test_a_chance_that_is_nought_is_not_worked_out_of_nothing(capsys):
    """A target that no outcome reaches has a chance of 0, without an equation that says 0 = 0."""
    assert main(["outlook", "1780", "1700", "--k", "20", "--reach", "1900", "--on", "2026-11-15", "--explain"]) == 0
    shown = capsys.readouterr().out
    assert "chance to reach  0   1900 or more" in shown
    assert "0 = 0" not in shown
