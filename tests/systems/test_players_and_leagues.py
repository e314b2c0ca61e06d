"""A player of a system in one call, both players of a game at once, and a league of names."""

from datetime import date

import pytest

import arpad
from arpad import BadInput, DwzStanding, EloStanding, Game, GlickoStanding, Player, win

ON = date(2026, 11, 15)
FIDE, ELO, DWZ = arpad.system("fide-standard"), arpad.system("elo"), arpad.system("dwz")
GLICKO_2, LICHESS = arpad.system("glicko-2", tau=0.5), arpad.system("lichess")


def test_a_player_in_one_call_has_the_standing_of_the_system():
    """What took two constructors takes one; who somebody is may be said to every system."""
    assert DWZ.player(1887, index=44, birth_year=1980) == Player(DwzStanding(1887, index=44), birth_year=1980)
    assert FIDE.player(1750, games=12, birth_year=2010) == Player(EloStanding(1750, games=12), birth_year=2010)
    assert GLICKO_2.player(1500, deviation=200, name="Ann") == Player(GlickoStanding(1500, deviation=200), name="Ann")
    assert FIDE.player().rating is None


def test_what_is_shown_is_what_is_known():
    """A player, a standing and a league are shown as one would write them, in one line."""
    assert repr(FIDE.player(1750, games=12, name="Ann")) == "Player(EloStanding(1750, games=12), name='Ann')"
    assert repr(DWZ.player(None)) == "Player(DwzStanding(None))"
    table = FIDE.league({"Ann": 1750, "Cy": None}, [("Ann", "Cy", "1-0")], on=ON)
    assert repr(table) == "League({'Ann': 1750, 'Cy': None}, unrated=('Cy',))"


@pytest.mark.parametrize(("make", "says"), [
    (lambda: GLICKO_2.player(1500, games=12), "it uses `deviation`, `volatility` and `idle`. (at games)"),
    (lambda: ELO.player(1500, birth_year=1990, peak=1600), "elo does not use `peak`"),
    (lambda: DWZ.player(1500, games=3), "it uses `k` and `index`"),
    (lambda: FIDE.player(1500, index=3), "fide-standard does not use `index`"),
    (lambda: arpad.system("uschess-regular").player(1500, k=20), "does not use `k`"),
    (lambda: FIDE.player(1500, birth_year=19), "(at birth_year)"),
    (lambda: Player(1500, k=20), 'write system("...").player(1500, k=...)'),
    (lambda: Player(1500, brith_year=2010), "Did you mean 'birth_year'?"),
    (lambda: arpad.system("fide-standard", k=20), 'write system("fide-standard").player(1500, k=...)'),
])  # fmt: skip
def test_what_a_system_does_not_use_is_refused(make, says):
    """The sentence names the argument as Python does, and what to write."""
    with pytest.raises(arpad.ArpadError) as refused:
        make()
    assert says in str(refused.value)


@pytest.mark.parametrize("standing", [EloStanding(1500, games=12), EloStanding(1500, peak=1600), DwzStanding(1500, 3)])
def test_a_standing_of_another_kind_is_not_dropped_in_silence(standing):
    """Glicko-2 has no place for games, a peak or an index, and says so."""
    with pytest.raises(BadInput, match="glicko-2 does not use"):
        GLICKO_2.rate(standing, win(1500), on=ON)


def test_what_only_a_rating_list_said_is_left_out():
    """A player from a list may be rated by any system: the list's K and peak are FIDE's."""
    listed = Player(EloStanding(1500, k=20, k_from=arpad.ListedK("fide", "fide-standard"), peak=1600), fide_id=1503014)
    assert GLICKO_2.rate(listed, win(1500), on=ON).rating == 1500


def test_what_is_not_used_of_an_opponent_is_noted():
    """FIDE uses an opponent's rating alone; the same game by the system of the standing has no such note."""
    noted = [note.key for note in FIDE.rate(1500, win(DwzStanding(1500, index=3)), on=ON).notes]
    assert "notes.opponents.unused" in noted
    assert "notes.opponents.unused" not in [note.key for note in FIDE.rate(1500, win(1500), on=ON).notes]
    assert "notes.opponents.unused" in [note.key for note in FIDE.expect(1500, DwzStanding(1500, index=3), on=ON).notes]
    game = win(GlickoStanding(1400, deviation=30))
    compared = arpad.compare(1500, game, on=ON, systems=["fide-standard", "glicko-2"])
    assert not any(note.key == "notes.opponents.unused" for line in compared.systems for note in line.notes)


def test_both_players_of_a_game():
    """FIDE B.02, 8.1.2: 200 points are worth 0.24 and 0.76; K 40 and 20 make +30.4 and −15.2."""
    white, black = FIDE.game(FIDE.player(1750, birth_year=2010), 1950, "1-0", on=ON)
    assert (float(white.change), float(black.change)) == (30.4, -15.2)
    assert (white.new_rating, black.new_rating) == (1780, 1935)
    drawn = FIDE.game(1750, 1950, "½-½", on=ON)
    assert drawn == FIDE.game(1750, 1950, 0.5, on=ON) == FIDE.game(1750, 1950, "1/2-1/2", on=ON)
    assert drawn.white.change == -drawn.black.change


def test_a_game_has_colours_where_a_system_uses_them():
    """On Lichess White's advantage counts, so a win with White is worth less than one with Black."""
    white, black = LICHESS.game(1500, 1500, "1-0", on=ON)
    assert white.per_game[0].score == 1
    assert white == LICHESS.rate(1500, Game(1500, 1, colour="white"), on=ON)
    assert black == LICHESS.rate(1500, Game(1500, 0, colour="black"), on=ON)


@pytest.mark.parametrize(("white", "result", "says"), [
    (1750, "2-0", "write 1-0, 0-1, 1/2-1/2 or ½-½"),
    (1750, 0.7, "White's score: 1, 0.5 or 0. (at result)"),
    (None, "1-0", "(at white)"),
])  # fmt: skip
def test_a_game_that_cannot_be_rated_names_the_side_or_the_result(white, result, says):
    """The sentence says which player, or how a result is written."""
    with pytest.raises(BadInput) as refused:
        FIDE.game(white, 1950, result, on=ON)
    assert says in str(refused.value)


def test_a_league_rates_everybody_by_the_ratings_before_the_results():
    """Equal players, plain Elo with K 32: a win is worth 16 points; the second game is rated as the first."""
    table = ELO.league({"Ann": 1500, "Ben": 1500, "Cy": 1500}, [("Ann", "Ben", "1-0"), ("Cy", "Ann", 0)], on=ON)
    assert {name: player.rating for name, player in table.items()} == {"Ann": 1532, "Ben": 1484, "Cy": 1484}
    assert [name for name, _ in table.ranking()] == ["Ann", "Ben", "Cy"]
    assert set(table.changes) == {"Ann", "Ben", "Cy"}
    again = ELO.league(table, [("Ben", "Cy", "1/2-1/2")], on=ON)
    assert again["Ann"] == table["Ann"]
    assert again["Ben"].rating == 1484
    assert len({again, ELO.league(table, [("Ben", "Cy", "1/2-1/2")], on=ON), table}) == 2


def test_a_league_counts_games_and_tournaments():
    """What is known grows with the results; what is not known stays unknown."""
    fide = FIDE.league({"Ann": FIDE.player(1750, games=12), "Ben": 1750}, [("Ann", "Ben", "1-0")], on=ON)
    assert [fide[name].standing.games for name in ("Ann", "Ben")] == [13, None]
    assert fide["Ben"].standing.peak == 1750
    dwz = DWZ.league({"Ann": DWZ.player(1750, index=12), "Ben": 1750}, [("Ann", "Ben", "1-0")], on=ON)
    assert [dwz[name].standing.index for name in ("Ann", "Ben")] == [13, None]


def test_a_player_after_a_change_has_its_new_deviation():
    """Glickman's example of Glicko-2: 1464.06, 151.52 and 0.05999."""
    player = GLICKO_2.player(1500, deviation=200, volatility=0.06)
    opponents = [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)]
    games = [Game(GlickoStanding(rating, deviation=deviation), score) for rating, deviation, score in opponents]
    after = GLICKO_2.after(player, GLICKO_2.rate(player, games, on=ON)).standing
    assert float(after.rating) == pytest.approx(1464.06, abs=0.02)  # the example has rounded intermediates
    assert float(after.deviation) == pytest.approx(151.52, abs=0.01)
    assert float(after.volatility) == pytest.approx(0.05999, abs=0.00001)


def test_a_k_of_a_list_belongs_to_that_list():
    """The K that was given stays with the player; one from a list is worked out again."""
    listed = Player(EloStanding(1500, k=40, k_from=arpad.ListedK("fide", "fide-standard")))
    assert FIDE.after(listed, FIDE.rate(listed, win(1500), on=ON)).standing.k is None
    given = FIDE.player(1500, k=40)
    assert FIDE.after(given, FIDE.rate(given, win(1500), on=ON)).standing.k == 40


def test_who_stays_unrated_in_a_league_is_named():
    """FIDE rates nobody without a rating; Glicko-2 begins with its start values."""
    players, results = {"Ann": 1750, "New": None}, [("Ann", "New", "1-0")]
    assert FIDE.league(players, results, on=ON).unrated == ("New",)
    assert FIDE.league(players, results, on=ON)["New"] == Player(None)
    assert GLICKO_2.league(players, results, on=ON)["New"].rating is not None


@pytest.mark.parametrize(("results", "says"), [
    ([("Ann", "Bne", "1-0")], "Did you mean 'Ben'? Known: Ann, Ben. (at results[0])"),
    ([("Ann", "Ben", "1-0"), ("Ann", "Ann", "1-0")], "(at results[1])"),
    ([("Ann", "Ben", "won")], "is not a result; write 1-0"),
])  # fmt: skip
def test_a_mistake_in_the_results_is_placed(results, says):
    """The sentence names the result, counted from zero as Python does."""
    with pytest.raises(arpad.ArpadError) as refused:
        ELO.league({"Ann": 1500, "Ben": 1500}, results, on=ON)
    assert says in str(refused.value)


def test_a_pairing_is_written_like_a_game():
    """A rating is enough for a scheduled game, too."""
    assert arpad.Pairing(1600).opponent == Player(1600)
    assert arpad.Pairing(1600, 0.5, "white").score == Game(1600, 0.5).score
    with pytest.raises(BadInput, match="colour"):
        arpad.Pairing(1600, colour="green")
