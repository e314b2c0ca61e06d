"""The promises of the documentation, on any input Hypothesis can think of."""

import re
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import EloStanding, Event, Game, Period, Player
from arpad.calculation import formulas
from arpad.calculation.step import Formula, Step, formula, walk
from arpad.core.numbers import half_away_from_zero, half_up
from arpad.systems.chances import labelle

ratings = st.integers(1400, 2900)
scores = st.sampled_from([Decimal(0), Decimal("0.5"), Decimal(1)])
games = st.lists(st.builds(Game, ratings, scores, st.just("played"), colour=st.none()), min_size=1, max_size=12)
days = st.dates(date(2009, 7, 1), date(2030, 12, 31))
rapid_days = st.dates(date(2012, 7, 1), date(2030, 12, 31))
FIDE = arpad.system("fide-standard")
FORMULAS = {name: value for name, value in vars(formulas).items() if isinstance(value, Formula)}


@given(ratings, games, days)
def test_the_same_games_give_the_same_change_in_any_order(rating, played, day):
    """The order of the games of a period does not matter, whatever the edition."""
    forwards = FIDE.rate(Player(EloStanding(rating, k=20)), played, on=day)
    backwards = FIDE.rate(Player(EloStanding(rating, k=20)), played[::-1], on=day)
    assert (forwards.change, forwards.new_rating) == (backwards.change, backwards.new_rating)


@given(ratings, games, days)
def test_a_better_result_never_costs_points(rating, played, day):
    """A draw instead of a loss, a win instead of a draw: the change never falls."""
    better = [replace(game, score=min(game.score + Decimal("0.5"), Decimal(1))) for game in played]
    player = Player(EloStanding(rating, k=20))
    assert FIDE.rate(player, better, on=day).change >= FIDE.rate(player, played, on=day).change


@given(ratings, games, days)
def test_the_parts_add_up(rating, played, day):
    """The change is the sum of the games' changes, and K times score minus expected score."""
    c = FIDE.rate(Player(rating), played, on=day)
    assert c.change == sum(game.change for game in c.per_game)
    assert c.change == c.k_used * (c.score - c.expected)
    assert c.k_used * c.games <= 700 or day < date(2017, 7, 1)


@given(
    ratings,
    ratings,
    scores,
    st.dates(date(2009, 7, 1), date(2021, 12, 31)) | st.dates(date(2024, 3, 1), date(2025, 9, 30)),
)
def test_what_one_wins_the_other_loses(first, second, score, day):
    """With the same K and the cap on both sides, the changes of the two players add up to nothing."""
    one = FIDE.rate(Player(EloStanding(first, k=20)), [Game(second, score)], on=day).change
    other = FIDE.rate(Player(EloStanding(second, k=20)), [Game(first, 1 - score)], on=day).change
    assert one == -other or first == second


@given(ratings, st.lists(games, min_size=1, max_size=4), days)
def test_a_period_is_the_sum_of_its_events(rating, lists, day):
    """With K given and under the limit, a period's change is the sum of what its events give alone."""
    player = Player(EloStanding(rating, k=10))
    period = FIDE.rate_period(player, Period(tuple(Event(tuple(games)) for games in lists)), on=day)
    assert period.change == sum(FIDE.rate(player, games, on=day).change for games in lists)


@given(ratings, games, days, st.sampled_from(["fide-standard", "fide-rapid", "fide-blitz"]))
def test_every_number_has_its_reason(rating, played, day, name):
    """A trail ends in the new rating, holds each step once, reasons first, and its figures are true arithmetic."""
    system = arpad.system(name)
    c = system.rate(Player(rating), played, on=max(day, system.rulebook.covered_from))
    steps = c.steps
    assert len({id(step) for step in steps}) == len(steps)
    seen = set()
    for step in steps:
        assert all(id(reason) in seen for reason in step.reasons())
        seen.add(id(step))
        if step.formula is not None:
            values = [
                given.value if isinstance(given, Step) else [part.value for part in given]
                for given in (step.given[name] for name in step.formula.inputs)
            ]
            assert step.formula(*values) == step.value
    assert steps[-1].value == c.new_rating
    assert all(c.explain(form) for form in ("text", "markdown", "html", "json"))


@given(games, days)
def test_first_ratings_stay_within_the_rule(played, day):
    """A first rating is never below the floor of the day, and never above the ceiling once there is one."""
    first = FIDE.first_rating(played, on=day)
    rules = FIDE.rulebook.at(day)
    if first.rating is not None:
        assert first.rating >= rules.floor.value
        assert rules.first_rating.value.at_most is None or first.rating <= rules.first_rating.value.at_most
        assert first.missing == ()
    else:
        assert first.missing


@given(ratings, ratings)
def test_chances_are_chances(rating, opponent):
    """Win, draw and loss are between 0 and 1, add up to 1, and mirror when the players change places."""
    chances = labelle(rating, opponent)
    mirror = labelle(opponent, rating)
    # Sums of binary floats: equal up to their last digits.
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert (chances["win"], chances["draw"]) == pytest.approx((mirror["loss"], mirror["draw"]), abs=1e-12)


@given(st.decimals(-1000, 1000, places=3))
def test_roundings_do_what_their_names_say(number):
    """Within half of the number; a half goes where the name says."""
    for rounding in (half_away_from_zero, half_up):
        assert abs(rounding(number) - number) <= Decimal("0.5")
    assert half_away_from_zero(-number) == -half_away_from_zero(number)
    if (2 * number) % 2 == 1:
        assert half_up(number) > number


@pytest.mark.parametrize("name", FORMULAS)
@given(data=st.data())
def test_formula_and_text_agree(name, data):
    """The text of a formula, read as arithmetic, gives what the function gives."""
    one = FORMULAS[name]
    numbers = {
        name: data.draw(st.lists(st.integers(1, 99), min_size=1, max_size=5) if name == "parts" else st.integers(1, 99))
        for name in one.inputs
    }
    if {"score", "games"} <= set(numbers):
        numbers["games"] += numbers["score"]  # nobody scores more than the number of games
    text = one.text.format(
        **{n: f"({' + '.join(map(str, v))})" if n == "parts" else f"({v})" for n, v in numbers.items()}
    )
    text = re.sub("⌊(.*)⌋", r"(\1 // 1)", text).replace("×", "*").replace("−", "-").replace("^", "**")
    # The text divides as written, the function in its own order: binary floats may differ in the last digits.
    assert one(**numbers) == pytest.approx(eval(text), rel=1e-12)  # noqa: S307  # our own arithmetic


@pytest.mark.parametrize("name", [name for name in FORMULAS if name != "total"])
def test_formulas_work_on_whole_arrays(name):
    """A NumPy array flows through the same function as a number."""
    one = FORMULAS[name]
    columns = {n: np.array([2.0, 3.0, 5.0]) * place for place, n in enumerate(one.inputs, start=2)}
    row = [one(**{n: column[i] for n, column in columns.items()}) for i in range(3)]
    assert np.allclose(one(**columns), row, rtol=1e-12)


def test_a_formula_with_a_wrong_text_is_refused():
    """A text that names other inputs than the function has does not even load."""
    with pytest.raises(TypeError, match="names"):
        formula("{a} + {b}")(lambda a: a)


@given(ratings, games, rapid_days)
def test_walking_a_trail_ends(rating, played, day):
    """A trail has no circle, however many events share its steps."""
    c = arpad.system("fide-rapid").rate(Player(rating), played, on=day + timedelta(days=1))
    assert len(list(walk(*c.trail))) < 60 * (len(played) + 1)
