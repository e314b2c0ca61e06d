"""Tie-breaks of random events against a second, plain implementation written from the reference."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from plain_ties import places, rating_values, values

import arpad
from arpad import Entrant, Player, Round, Tournament

EDITIONS = {date(2023, 9, 1): False, date(2024, 8, 1): False, date(2026, 3, 1): True}
BYES = {"H": "half-bye", "F": "full-bye", "U": "allocated-bye", "Z": "zero-bye"}
GAMES = {"1": "played", "=": "played", "0": "played", "W": "short", "D": "short", "L": "short"}
SCORES = {"1": 1, "W": 1, "+": 1, "=": Decimal("0.5"), "D": Decimal("0.5"), "0": 0, "L": 0, "-": 0}
PAIRS = ["1 0", "0 1", "= =", "1 0", "0 1", "= =", "W L", "D D", "+ -", "- +", "- -"]


@st.composite
def events(draw):
    """A few players over a few rounds: games, forfeits, byes of every kind, late entries and withdrawals."""
    numbers = range(1, draw(st.integers(3, 8)) + 1)
    players = {no: [] for no in numbers}
    stays = {no: draw(st.integers(1, 8)) for no in numbers}  # the round after which somebody is gone
    for number in range(1, draw(st.integers(1, 6)) + 1):
        free = list(draw(st.permutations(numbers)))
        while free:
            no = free.pop()
            if number > stays[no]:
                players[no].append(("Z", None, None))
            elif not free or draw(st.integers(0, 5)) == 0:
                players[no].append((draw(st.sampled_from("HFUZ")), None, None))
            else:
                other = free.pop()
                own, theirs = draw(st.sampled_from(PAIRS)).split()
                players[no].append((own, other, "white"))
                players[other].append((theirs, no, "black"))
    assume(any(rounds[-1][1] for rounds in players.values()))  # byes alone are no round that was held
    return players


def tournament(players, ratings=None):
    """The same as a tournament of ours."""
    return Tournament(
        tuple(
            Entrant(no, Player((ratings or {}).get(no, 2000)), tuple(map(one_round, rounds)))
            for no, rounds in players.items()
        ),
        kind="Swiss",
        rounds=len(players[1]),
    )


def one_round(one):
    letter, opponent, colour = one
    if letter in BYES:
        return Round(BYES[letter])
    return Round(GAMES.get(letter, "forfeit"), opponent, colour, Decimal(SCORES[letter]))


def printed(value):
    """Two decimals, half up, which only a mean needs: sums of products are quarters."""
    return None if value is None else Fraction(int(Fraction(value) * 100 + Fraction(1, 2)), 100)


@pytest.mark.parametrize("on", EDITIONS)
@examples(150)
@given(players=events())
def test_every_criterion_and_edition(on, players):
    """Every criterion of results with its modifiers, for every player, in every edition."""
    assert_equal(tournament(players), on, values(players, limited=EDITIONS[on]))


@pytest.mark.parametrize("on", EDITIONS)
@examples(100)
@given(players=events(), data=st.data())
def test_every_criterion_of_ratings(on, players, data):
    """Every criterion of ratings with its modifiers, for every player, in every edition."""
    ratings = {no: data.draw(st.integers(1400, 2800)) for no in players}
    assert_equal(tournament(players, ratings), on, rating_values(players, ratings, limited=EDITIONS[on]))


def assert_equal(event, on, expected):
    """Ours are the values of the second implementation."""
    ties = arpad.tie_breaks(event, list(expected[1]), on=on)
    ours = {no: ties.of(no) for no in expected}
    assert {no: {name: _plain(value) for name, value in own.items()} for no, own in ours.items()} == {
        no: {name: printed(value) for name, value in own.items()} for no, own in expected.items()
    }


def _plain(value):
    return None if value is None else Fraction(value)


@pytest.mark.parametrize("on", EDITIONS)
@pytest.mark.parametrize("name", ["DE", "DE/P"])
@examples(150)
@given(players=events())
def test_direct_encounter(on, name, players):
    """Places by points and direct encounter, with forfeits left out and with forfeits as games."""
    ties = arpad.tie_breaks(tournament(players), [name], on=on)
    expected = places(players, limited=EDITIONS[on], forfeits_played=name == "DE/P")
    assert {one.no: one.place for one in ties.players} == expected
