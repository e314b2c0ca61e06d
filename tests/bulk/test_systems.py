"""Elo, Glicko and Glicko-2 for columns give what the scalar systems give, player by player."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

import arpad
from arpad import Game, Player
from arpad.core import GlickoStanding
from arpad.errors import BadInput, UnknownName
from conftest import library

np = library("numpy")

from arpad.bulk import elo as bulk_elo  # noqa: E402
from arpad.bulk.methods import BLOCK, NO_COLUMN, Pairs, Standings  # noqa: E402
from arpad.bulk.periods import method_of  # noqa: E402

ON = date(2026, 11, 15)
CLOSE = 1e-9  # sums run in another order, and floats round each differently
HALVES = [Decimal(0), Decimal("0.5"), Decimal(1)]
GLICKO = {"c": 34.6}


def some_games(seed, players, games):
    """Games between different players; the last tenth of the players stays at home, and player 0 wins them all."""
    draw = np.random.default_rng(seed)
    white = draw.integers(0, players * 9 // 10, games)
    black = (white + draw.integers(1, players * 9 // 10, games)) % (players * 9 // 10)
    score = draw.choice([0.0, 0.5, 1.0], games)
    score[white == 0], score[black == 0] = 1.0, 0.0
    return Pairs(white, black, score)


def a_pool(seed, players):
    """Ratings, deviations and volatilities at random; every third player is new."""
    draw = np.random.default_rng(seed)
    return Standings(
        draw.integers(1200, 2700, players).astype(float),
        np.arange(players) % 3 != 0,
        draw.uniform(30, 350, players),
        draw.uniform(0.03, 0.09, players),
    )


def games_of(games, player):
    """One player's games as (opponent, own score, White's or not)."""
    for white, black, score in zip(*(column.tolist() for column in games), strict=True):
        if white == player:
            yield black, score, True
        elif black == player:
            yield white, 1 - score, False


def scalar(system, standings, games, player, *, idle, white=0):
    """The scalar system's answer; what White is worth is added to the opponent of Black and taken from White's."""

    def one(number, shift=0.0):
        columns = {"deviation": standings.deviation, "volatility": standings.volatility}
        known = {name: float(column[number]) for name, column in columns.items() if len(column)}
        rating, wait = float(standings.rating[number]) + shift, idle if standings.played[number] else None
        return Player(GlickoStanding(rating, **known, idle=wait) if known else rating)

    played = [
        Game(one(other, -white if first else white), HALVES[int(2 * score)])
        for other, score, first in games_of(games, player)
    ]
    return system.rate(one(player), played, on=ON)


@pytest.mark.parametrize("white", [0, 35])
def test_a_period_of_elo_is_the_scalar_one(white):
    """Every player's change by period is the scalar system's, with and without points for White."""
    method = method_of("elo", ON, k=20, scale=480, white=white)
    before = a_pool(1, 60)._replace(deviation=NO_COLUMN, volatility=NO_COLUMN)
    games = some_games(2, 60, 300)
    after = method.rate(before, games)
    system = arpad.system("elo", k=20, scale=480)
    for player in range(54):
        alone = scalar(system, before, games, player, idle=None, white=white)
        assert after.rating[player] - before.rating[player] == pytest.approx(float(alone.change), abs=CLOSE)
    assert (after.rating[54:] == before.rating[54:]).all()  # those who stayed at home


@pytest.mark.parametrize("compiled", [True, False])
def test_game_by_game_elo_is_the_scalar_one_repeated(monkeypatch, compiled):
    """In order, each game changes the ratings for the next; compiled and not, it is the scalar change of each game."""
    if compiled:
        library("numba")
    else:
        monkeypatch.setattr(bulk_elo, "compiled", lambda: None)
    games = some_games(3, 12, 80)
    before = method_of("elo", ON).newcomers(12)
    after = method_of("elo", ON, by="game").rate(before, games)
    system, rating = arpad.system("elo"), dict.fromkeys(range(12), 1500.0)
    for white, black, score in zip(*(column.tolist() for column in games), strict=True):
        half = HALVES[int(2 * score)]
        changes = (
            system.rate(Player(rating[white]), [Game(rating[black], half)], on=ON).change,
            system.rate(Player(rating[black]), [Game(rating[white], 1 - half)], on=ON).change,
        )
        rating[white] += float(changes[0])
        rating[black] += float(changes[1])
    assert after.rating == pytest.approx(np.array([rating[player] for player in range(12)]), abs=CLOSE)


@pytest.mark.parametrize(
    ("name", "settings", "idle"),
    [
        ("glicko", GLICKO, 1),
        ("glicko", {"c": 63.2, "floor": 60}, 1),
        ("glicko-2", {}, None),
        ("glicko-2", {"tau": 1.2, "readings": {"growth": "skipped"}}, None),
    ],
)
def test_a_period_of_glicko_is_the_scalar_one(name, settings, idle):
    """Rating, deviation and volatility of everybody, idle ones and a perfect score included, are the scalar system's.

    Glicko's deviations grow by a period at each onset (t = 1); Glicko-2 does that inside the update, in its step 6.
    """
    players = 80
    before = a_pool(4, players)._replace(played=np.ones(players, bool))
    if name == "glicko":
        before = before._replace(volatility=NO_COLUMN)
    games = some_games(5, players, 400)
    after = method_of(name, ON, **settings).rate(before, games)
    system = arpad.system(name, **settings)
    for player in range(players):
        alone = scalar(system, before, games, player, idle=idle)
        assert after.rating[player] == pytest.approx(float(alone.new_rating), abs=CLOSE)
        assert after.deviation[player] == pytest.approx(float(alone.new_deviation), abs=CLOSE)
        if name == "glicko-2":
            assert after.volatility[player] == pytest.approx(float(alone.new_volatility), abs=CLOSE)


@pytest.mark.parametrize(("name", "settings"), [("glicko", GLICKO), ("glicko-2", {})])
def test_periods_in_a_row_are_the_scalar_ones_in_a_row(name, settings):
    """Newcomers, players who pause and players who return end after six periods where the scalar system puts them."""
    players, system, method = 30, arpad.system(name, **settings), method_of(name, ON, **settings)
    bulk = method.newcomers(players)
    single = {}  # player: the latest standing, once there is one
    for period in range(6):
        games = some_games(10 + period, players, 12)
        bulk = method.rate(bulk, games)
        wait = 1 if name == "glicko" else None
        at_onset = {number: Player(replace(standing, idle=wait)) for number, standing in single.items()}
        for player in range(players):
            mine = list(games_of(games, player))
            if not mine and player not in single:
                continue
            played = [Game(at_onset.get(other, Player(None)), HALVES[int(2 * score)]) for other, score, _ in mine]
            new = system.rate(at_onset.get(player, Player(None)), played, on=ON)
            single[player] = GlickoStanding(new.new_rating, new.new_deviation, new.new_volatility)
    assert 0 < len(single) < players
    for player in range(players):
        assert bulk.played[player] == (player in single)
        if player in single:
            assert bulk.rating[player] == pytest.approx(float(single[player].rating), abs=1e-8)  # six periods of CLOSE
            assert bulk.deviation[player] == pytest.approx(float(single[player].deviation), abs=1e-8)


@pytest.mark.parametrize(("name", "settings"), [("elo", {}), ("glicko", GLICKO), ("glicko-2", {})])
def test_expected_scores_are_the_scalar_ones(name, settings):
    """What bulk predicts of a game is what `arpad expect` says of it."""
    before, games = a_pool(6, 40)._replace(played=np.ones(40, bool)), some_games(7, 40, 100)
    system = arpad.system(name, **settings)
    found = method_of(name, ON, **settings).expected(before, games)
    wait = 1 if name == "glicko" else None
    for white, black, chance in zip(games.white, games.black, found, strict=True):
        one, other = (
            Player(
                before.rating[number]
                if name == "elo"
                else GlickoStanding(before.rating[number], before.deviation[number], before.volatility[number], wait)
            )
            for number in (white, black)
        )
        assert chance == pytest.approx(float(system.expect(one, other, on=ON).expected), abs=CLOSE)


def test_the_paper_s_player_comes_out():
    """Glickman's example of Glicko-2 (1500, 200, 0.06 against three): 1464.06, 151.52, 0.05999."""
    before = Standings(
        np.array([1500.0, 1400.0, 1550.0, 1700.0]),
        np.ones(4, bool),
        np.array([200.0, 30.0, 100.0, 300.0]),
        np.full(4, 0.06),
    )
    games = Pairs(np.array([0, 2, 0]), np.array([1, 0, 3]), np.array([1.0, 1.0, 0.0]))
    after = method_of("glicko-2", ON).rate(before, games)
    assert after.rating[0] == pytest.approx(1464.06, abs=0.01)  # the paper's two decimals; it rounds on the way
    assert after.deviation[0] == pytest.approx(151.52, abs=0.01)
    assert after.volatility[0] == pytest.approx(0.05999, abs=0.00001)


def test_blocks_change_nothing():
    """More games than a block holds give the same sums as each player's own games taken alone."""
    games = some_games(8, 50, BLOCK + 17)
    method = method_of("elo", ON, k=0.001)
    before = method.newcomers(50)
    after = method.rate(before, games)
    scores = np.zeros(50)
    for column, score in ((games.white, games.score), (games.black, 1 - games.score)):
        scores += np.bincount(column, score - 0.5, 50)
    assert after.rating - 1500 == pytest.approx(0.001 * scores, abs=CLOSE)


@pytest.mark.parametrize("by", ["period", "game"])
def test_elo_hands_points_round(by):
    """What one player gains another loses, and the standings that came in are left as they were."""
    method = method_of("elo", ON, by=by, white=35)
    before = a_pool(9, 100)._replace(deviation=NO_COLUMN, volatility=NO_COLUMN)
    kept = before.rating.copy()
    after = method.rate(before, some_games(9, 100, 1000))
    assert after.rating.sum() == pytest.approx(kept.sum(), abs=1e-6)  # a hundred ratings of four digits are added
    assert (before.rating == kept).all()


def test_the_order_of_games_matters_only_game_by_game():
    """By period the last game may as well be the first; game by game it may not."""
    games = some_games(11, 20, 200)
    turned = games.where(slice(None, None, -1))
    before = method_of("elo", ON).newcomers(20)
    one, other = (method_of("elo", ON).rate(before, order).rating for order in (games, turned))
    assert one == pytest.approx(other, abs=CLOSE)
    one, other = (method_of("elo", ON, by="game").rate(before, order).rating for order in (games, turned))
    assert abs(one - other).max() > 1


def test_what_a_system_for_columns_refuses():
    """An unknown system or setting, a way to rate that there is not, and Glicko without its c."""
    with pytest.raises(UnknownName, match="No system for whole periods"):
        method_of("dwz", ON)
    with pytest.raises(UnknownName, match="setting of elo"):
        method_of("elo", ON, tau=1)
    with pytest.raises(BadInput, match="by period or by game"):
        method_of("elo", ON, by="year")
    with pytest.raises(BadInput, match="depends on c"):
        method_of("glicko", ON)
