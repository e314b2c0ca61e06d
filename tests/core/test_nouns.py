"""The nouns are values: frozen, equal when equal, copyable, picklable, and checked also when copied with changes."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import FrozenInstanceError, replace
from datetime import date
from decimal import Decimal

import pytest

from arpad import (
    ArpadError,
    DwzStanding,
    EloStanding,
    Entrant,
    Event,
    Field,
    Game,
    GlickoStanding,
    Pace,
    Pairing,
    Period,
    Player,
    Round,
    Standing,
    Tournament,
    draw,
    loss,
    win,
)

NOUNS = [
    Player(1750, birth_year=2010, name="Adams"),
    Player(EloStanding(1750, k=20, games=12, peak=1800)),
    Player(GlickoStanding(1500, deviation=60, volatility="0.06", idle=2)),
    Player(DwzStanding(1850, index=12)),
    Player(None),
    win(1950),
    draw(Player(1800)),
    Game(None, 0, "forfeit"),
    Event((win(1950),), 1750, date(2026, 10, 3), "Open", Pace(90, 30)),
    Period((Event((loss(1950),)),), 1750),
    Pairing(Field(1850, 120)),
    Tournament((Entrant(1, Player(1750), (Round("played", 2, "white", Decimal(1)),)),), name="Open"),
]


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: repr(noun)[:40])
def test_a_noun_is_a_value(noun):
    """Copies, deep copies and pickles are equal; nothing can be set; nouns have no order and are no tuples."""
    assert copy.copy(noun) == copy.deepcopy(noun) == pickle.loads(pickle.dumps(noun)) == noun  # noqa: S301  # our own
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        noun.name = "Baker"
    with pytest.raises(TypeError):
        noun < noun  # noqa: B015, PLR0124  # there is no order
    assert not isinstance(noun, tuple)


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (lambda: replace(Player(1750), standing=-5), "rating"),
        (lambda: replace(win(1950), score=7), "score"),
        (lambda: replace(win(1950), colour="green"), "colour"),
        (lambda: replace(EloStanding(1750), k=0), "k"),
        (lambda: replace(GlickoStanding(1500), deviation=-1), "deviation"),
        (lambda: replace(Player(1750), birth_year=12), "born"),
        (lambda: Player(1750, title="Grandmaster"), "title"),
        (lambda: replace(Player(1750), sex="female"), "sex"),
        (lambda: Player("1,750"), "rating"),
        (lambda: Player(True), "rating"),
    ],
)
def test_a_copy_with_a_change_is_checked(change, at):
    """What the constructor refuses, a changed copy is refused too."""
    with pytest.raises(ArpadError) as refused:
        change()
    assert refused.value.at == at


def test_a_standing_of_another_kind_gives_its_rating():
    """A system that has another kind of standing sees the rating alone."""
    player = Player(GlickoStanding(1500, deviation=60))
    assert EloStanding.of(player) == EloStanding(1500)
    assert Player(1500).standing == Standing(1500)


def test_a_player_travels_to_another_process():
    """A pool of processes takes players and gives them back."""
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(copy.copy, NOUNS[1]).result() == NOUNS[1]
