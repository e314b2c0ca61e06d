"""What is needed is the least that is enough, on any input Hypothesis can think of."""

from datetime import date
from decimal import Decimal
from itertools import product
from math import isclose, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import EloStanding, Game, GlickoStanding, Player

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


ON = date(2026, 11, 15)
ONLINE = {name: arpad.system(name) for name in ("glicko", "glicko-2", "lichess", "chesscom")}


def glicko_player(rating, deviation=None):
    return Player(GlickoStanding(rating, deviation))


def test_glickmans_example_is_the_best_of_its_score():
    """Glickman 1999: 1500 (RD 200) beats 1400 (30) and loses to 1550 (100) and 1700 (300), which gives 1464.

    The win is against the surest rating, so no other point of three is worth more.
    """
    met = [glicko_player(1400, 30), glicko_player(1550, 100), glicko_player(1700, 300)]
    needed = arpad.score_needed(ONLINE["glicko"], glicko_player(1500, 200), met, reach=1464, on=ON)
    best = {line.score: line.best_rating for line in needed.table}
    assert round(best[1]) == 1464
    (target,) = needed.targets
    assert (target.perhaps, target.perhaps_results) == (1, (1, 0, 0))
    assert target.score == Decimal("1.5")
    # His example of Glicko-2 has the same games, a volatility of 0.06 and τ = 0.5: 1464.06.
    me = Player(GlickoStanding(1500, 200, Decimal("0.06")))
    second = arpad.score_needed(arpad.system("glicko-2", tau=0.5), me, met, reach=1464, on=ON)
    assert abs(second.table[2].best_rating - Decimal("1464.06")) < Decimal("0.01")  # the paper rounds on the way


def test_glickmans_expected_score_has_its_rating():
    """Glickman 1999: 1400 (RD 80) is expected to score 0.376 against 1500 (RD 150); the last digit is one point."""
    needed = arpad.rating_needed(ONLINE["glicko"], [glicko_player(1500, 150)], expected="0.376", on=ON, deviation=80)
    assert abs(needed.rating - 1400) <= 1
    assert (needed.deviation, needed.deviation_assumed) == (80, False)


@pytest.mark.parametrize("name", ONLINE)
def test_online_the_range_of_a_score_is_that_of_all_its_results(name):
    """Every result of four games rated by itself: the lowest and the highest of each score are those given."""
    system, me = ONLINE[name], glicko_player(1500, 90)
    met = [glicko_player(1420, 30), glicko_player(1550, 100), glicko_player(1700, 300), glicko_player(1490, 60)]
    needed = arpad.score_needed(system, me, met, reach=1540, on=ON)
    found = {}
    for scores in product((0, Decimal("0.5"), 1), repeat=4):
        games = [Game(opponent, score) for opponent, score in zip(met, scores, strict=True)]
        found.setdefault(sum(scores), []).append(system.rate(me, games, on=ON).new_rating)
    for line in needed.table:
        assert line.new_rating == pytest.approx(min(found[line.score]), abs=Decimal("0.01"))
        assert line.best_rating == pytest.approx(max(found[line.score]), abs=Decimal("0.01"))
    (target,) = needed.targets
    assert target.score == min(score for score, new in found.items() if min(new) >= 1540)
    assert target.perhaps == min(score for score, new in found.items() if max(new) >= 1540)
    assert target.chance <= target.perhaps_chance


@pytest.mark.parametrize("name", ONLINE)
def test_online_the_rating_needed_is_the_lowest(name):
    """It is expected to score so much by `expect`, and one point less is not; the deviation assumed is shown."""
    system = ONLINE[name]
    needed = arpad.rating_needed(system, [1500, 1600], expected="1.5", on=ON)
    assert needed.deviation_assumed
    assert needed.deviation > 0

    def expected(rating):
        return sum(system.expect(rating, opponent, on=ON).expected for opponent in (1500, 1600))

    assert expected(needed.rating) >= Decimal("1.5")
    assert expected(needed.rating - 1) < Decimal("1.5")


def test_too_many_games_on_a_site_are_refused():
    """With how many can be followed."""
    with pytest.raises(arpad.BadInput, match="up to 25 games"):
        arpad.score_needed(ONLINE["lichess"], 1500, [1500] * 26, reach=1600, on=ON)
    with pytest.raises(arpad.BadInput, match="deviation"):
        arpad.rating_needed(FIDE, [1500], expected="0.5", on=ON, deviation=60)
