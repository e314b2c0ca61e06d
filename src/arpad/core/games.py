"""Game, one result; Pairing and Field, games still to be played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from arpad.core.players import UNRATED, Player, Standing
from arpad.core.values import Number, Rating, number
from arpad.errors import BadInput
from arpad.messages import say

WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)
SCORES = (WIN, DRAW, LOSS)
HOWS = ("played", "forfeit", "bye", "short")  # a short game ended before both had moved
COLOURS = ("white", "black")

Opponent = Player | Standing | Number | None  # how an opponent may be given; None is unrated


@dataclass(frozen=True, slots=True, init=False)
class Game:
    """One result: the opponent, the player's own score, and whether it was `played`, a `forfeit`, a `bye` or `short`.

    `colour` is the player's colour, `white` or `black`, for the systems that use it; None if unknown.
    """

    opponent: Player
    score: Decimal
    how: str
    colour: str | None

    def __init__(self, opponent: Opponent, score: Number, how: str = "played", *, colour: str | None = None) -> None:
        exact = score if score in SCORES and isinstance(score, Decimal) else Decimal(number(score, "score", at="score"))
        if exact not in SCORES:
            raise BadInput(say("values.not.score", value=score), at="score")
        if how not in HOWS:
            raise BadInput(say("values.not.how", value=repr(how), allowed=HOWS), at="how")
        if colour is not None and colour not in COLOURS:
            raise BadInput(say("values.not.colour", value=repr(colour)), at="colour")
        if not isinstance(opponent, Player):
            opponent = UNRATED if opponent is None else Player(opponent)
        object.__setattr__(self, "opponent", opponent)
        object.__setattr__(self, "score", exact)
        object.__setattr__(self, "how", how)
        object.__setattr__(self, "colour", colour)


def win(opponent: Opponent) -> Game:
    """A game won against a rating, a Player, or None for an unrated opponent."""
    return Game(opponent, WIN)


def draw(opponent: Opponent) -> Game:
    """A game drawn against a rating, a Player, or None for an unrated opponent."""
    return Game(opponent, DRAW)


def loss(opponent: Opponent) -> Game:
    """A game lost against a rating, a Player, or None for an unrated opponent."""
    return Game(opponent, LOSS)


def as_games(value: object) -> tuple[Game, ...]:
    """Games as a tuple; a single game becomes a tuple of one."""
    if isinstance(value, Game):
        return (value,)
    games = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    for place, game in enumerate(games):
        if not isinstance(game, Game):
            raise BadInput(say("values.not.game", value=repr(game)), at=f"game[{place}]")
    return games


@dataclass(frozen=True, slots=True)
class Field:
    """Opponents who are not known yet: their average rating and its standard deviation."""

    average: Rating
    spread: Rating


@dataclass(frozen=True, slots=True)
class Pairing:
    """A scheduled game: the opponent, the score if it has been played, and the player's colour if known."""

    opponent: Player | Field
    score: Decimal | None = None
    colour: str | None = None
    how: str = "played"
