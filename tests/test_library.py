"""The library: what a Python caller may pass, and what is refused."""

from datetime import date, datetime

import numpy as np
import pytest

import arpad
from arpad import BadInput, Event, Game, Period, Player, draw, loss, win

ON = date(2026, 11, 15)
FIDE = arpad.system("fide-standard")


def test_a_single_game_and_a_bare_rating_are_taken():
    """`rate(1750, win(1950))` means one player and one game."""
    assert FIDE.rate(1750, win(1950), on=ON).change == FIDE.rate(Player(1750), [win(1950)], on=ON).change


def test_numbers_of_an_array_library_are_taken():
    """NumPy's integers and floats are numbers."""
    assert FIDE.rate(Player(np.int64(1750), k=np.float64(40)), [win(np.int32(1950))], on=ON).new_rating == 1780


@pytest.mark.parametrize(("call", "words"), [
    (lambda: FIDE.rate(Player(1750), ["1950:win"], on=ON), "is not a game; make one with win"),
    (lambda: FIDE.rate(Player(1750), "1950:win", on=ON), "is not a game"),
    (lambda: FIDE.rate(Player(1750), [win(1950)], on="2026-11-15"), "is not a day"),
    (lambda: FIDE.rate(Player(1750), [win(1950)], on=datetime(2026, 11, 15)), "is not a day"),  # noqa: DTZ001
    (lambda: FIDE.rate(Player(1750), [win(1950)], on=ON, base=99999), "is not a rating"),
    (lambda: FIDE.rate_period(Player(1750), Period((Event((win(1950),), rating=-5),)), on=ON), "is not a rating"),
    (lambda: FIDE.rate_period(Player(1750), Period((Event((win(1950),), on=date(2027, 1, 1)),)), on=ON), "is after"),
    (lambda: FIDE.first_rating([Event((win(1950),), on=date(2027, 1, 1))], on=ON), "is after"),
    (lambda: Player(True), "is not a rating"),
    (lambda: Player(float("nan")), "is not a rating"),
    (lambda: Game(1950, 0.7), "a score is 1, 0.5 or 0"),
    (lambda: Game(1950, 1, "lost on time"), "played, forfeit, bye"),
    (lambda: FIDE.rate(Player(1750.5), [win(1950)], on=ON), "whole numbers"),
])  # fmt: skip
def test_what_is_refused(call, words):
    """A wrong argument is a BadInput with one sentence, never an error of Python's own."""
    with pytest.raises(BadInput, match=words):
        call()


def test_a_standard_rating_counts_in_standard():
    """In standard a standard rating is the rating itself, for the player and for an opponent."""
    opponent = Player(None, standard=1950)
    change = FIDE.rate(Player(None, standard=1750, k=40), [win(opponent)], on=ON)
    assert (change.rating, change.new_rating, change.games) == (1750, 1780, 1)


def test_answers_show_themselves():
    """An answer's repr has its figures, and a player's repr is valid Python."""
    change = FIDE.rate(Player(1750, k=20), [draw(1950), loss(1800)], on=ON)
    assert "new_rating=" in repr(change)
    assert repr(Player(1750, birth_year=2010)) == "Player(rating=1750, birth_year=2010)"


def test_the_search_for_a_rating_goes_as_far_as_the_curve():
    """On Elo's endless curve a hundredth of a percent is far away: 1599.98 above 1700, and 1199.83 below for 0.001."""
    elo = arpad.system("elo")
    assert arpad.rating_needed(elo, [1700], expected="0.9999", on=ON).rating == 3300
    assert arpad.rating_needed(elo, [1700], expected="0.001", on=ON).rating == 501
