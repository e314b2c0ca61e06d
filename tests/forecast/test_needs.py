"""What is needed is the least that is enough, on any input Hypothesis can think of."""

from datetime import date
from decimal import Decimal
from itertools import product
from math import isclose, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import EloStanding, Player

ratings = st.integers(1400, 2900)
FIDE = arpad.system("fide-standard")


@given(ratings, st.lists(ratings, min_size=1, max_size=9), st.integers(1400, 3000))
def test_the_score_needed_is_the_least(rating, opponents, target):
    """The score reaches the target, and half a point less does not."""
    needed = arpad.score_needed(FIDE, Player(EloStanding(rating, k=20)), opponents, reach=target, on=date(2026, 11, 15))
    reached = {line.score: (line.new_rating or 0) >= target for line in needed.table}
    if needed.score is None:
        assert not any(reached.values())
    else:
        assert reached[needed.score]
        assert not reached.get(needed.score - Decimal("0.5"), False)


@given(st.lists(ratings, min_size=1, max_size=9), st.integers(1, 99))
def test_the_rating_needed_is_the_lowest(opponents, percent):
    """The rating is expected to score so much, and one point less is not."""
    wanted = Decimal(percent * len(opponents)) / 100
    needed = arpad.rating_needed(FIDE, opponents, expected=wanted, on=date(2026, 11, 15))
    table = FIDE.rulebook.at(date(2026, 11, 15)).expected.value
    assert sum(table.expected(needed.rating - opponent) for opponent in opponents) >= wanted
    assert sum(table.expected(needed.rating - 1 - opponent) for opponent in opponents) < wanted


def test_several_targets_at_once():
    """1780 expects 0.61, 0.54 and 0.47 (FIDE 8.1.2), so at K 20 2½ of 3 gives +17.6 and 3 of 3 gives +27.6."""
    player = Player(EloStanding(1780, k=20))
    needed = arpad.score_needed(FIDE, player, [1700, 1750, 1800], reach=[1790, 1800, 2000], on=date(2026, 11, 15))
    assert [(one.reach, one.score) for one in needed.targets] == [(1790, Decimal("2.5")), (1800, 3), (2000, None)]
    assert (needed.reach, needed.score, needed.why) == (1790, Decimal("2.5"), None)
    assert "even 3 of 3 gives 1808" in str(needed.targets[2].why)


def test_the_next_list_and_its_k():
    """A list takes events that ended three days before (7.1); K is 10 from 2400, and 20 after 30 games (8.3.3)."""
    day = date(2026, 11, 15)
    needed = arpad.score_needed(FIDE, Player(EloStanding(2395, games=300)), [2400] * 3, reach=2400, on=day)
    assert needed.next_list.on == date(2026, 12, 1)
    assert [one.k for one in needed.next_list.k] == [10]
    newcomer = Player(EloStanding(1780, games=28), birth_year=1990)
    assert [one.k for one in FIDE.expect(newcomer, Player(1700), on=day).next_list.k] == [40]
    ahead = arpad.look_ahead(FIDE, newcomer, [1700, 1750], on=date(2026, 11, 30))
    assert ahead.next_list.on == date(2027, 1, 1)
    assert [(one.k, round(one.chance, 9)) for one in ahead.next_list.k] == [(20, 1)]
    assert FIDE.expect(Player(EloStanding(1780, k=20)), Player(1700), on=day).next_list.k == ()
    assert arpad.system("elo").expect(Player(1780), Player(1700), on=day).next_list is None


def test_a_k_that_the_results_decide_has_its_chance():
    """From 2395 only a win against 2400 reaches 2400 (+10.2, FIDE 8.1.2), so K 10 is as likely as that win."""
    found = FIDE.expect(Player(EloStanding(2395, games=300), birth_year=1980), Player(2400), on=date(2026, 11, 15))
    assert {one.k: one.chance for one in found.next_list.k} == {
        20: found.chances.draw + found.chances.loss,
        10: found.chances.win,
    }


@given(ratings, st.lists(ratings, min_size=1, max_size=5), st.integers(1400, 3000))
def test_the_chance_is_that_of_all_results_with_the_score(rating, opponents, target):
    """Every combination of results is gone through, with the chances of each game by itself."""
    me, on = Player(EloStanding(rating, k=20)), date(2026, 11, 15)
    needed = arpad.score_needed(FIDE, me, opponents, reach=target, on=on)
    met = [other for other in opponents if FIDE.rate(me, [arpad.draw(other)], on=on).per_game[0].rated]
    games = [FIDE.expect(me, other, on=on).chances for other in met]
    likely = 0.0
    if needed.score is not None:
        for results in product((("win", 1), ("draw", 0.5), ("loss", 0)), repeat=len(games)):
            if sum(score for _, score in results) >= needed.score:
                likely += prod(getattr(game, name) for game, (name, _) in zip(games, results, strict=True))
    assert needed.draws.name == "calibrated"
    assert isclose(needed.chance, likely, abs_tol=1e-12)


@pytest.mark.parametrize("more", [{}, {"typical": True}, {"strength": 1850}, {"draws": arpad.draw_model("labelle")}])
def test_the_chance_is_that_of_the_outlook(more):
    """Whoever asks for the score and whoever asks for the outlook gets the same chance, by the same strength."""
    player, on = Player(1780, birth_year=2012), date(2026, 11, 15)
    opponents = [1700, 1750, 1800, 1820, 1850, 1900, 1920]
    needed = arpad.score_needed(FIDE, player, opponents, reach=1800, on=on, **more)
    outlook = arpad.look_ahead(FIDE, player, opponents, reach=1800, on=on, **more)
    assert (needed.strength, needed.draws) == (outlook.strength, outlook.draws)
    assert isclose(needed.chance, outlook.reach, abs_tol=1e-12)


def test_no_chance_where_the_target_is_out_of_reach():
    """Nothing that could be scored would be enough."""
    needed = arpad.score_needed(FIDE, Player(EloStanding(1780, k=20)), [1700], reach=1900, on=date(2026, 11, 15))
    assert (needed.score, needed.chance) == (None, 0)
