"""Draw models: how an expected score splits into win, draw and loss."""

from __future__ import annotations

from math import erf, exp, sqrt

from arpad.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Labelle's fit to master games, as restated in the reference: a normal curve for the score, and a pawn that is worth
# more rating points the stronger the players are.
SPREAD = 2000 / 7
PAWN_AT_ZERO, PAWN_GROWTH, SHARE_OF_PAWN = 26.59, 1020, 0.6


def normal(deviation: float) -> float:
    """The normal curve's share below so many standard deviations."""
    return (1 + erf(deviation / sqrt(2))) / 2


def labelle(rating: float, opponent: float) -> Mapping[str, float]:
    """Labelle's model: the draw rate rises with the level and falls with the gap."""
    gap = -abs(rating - opponent)
    shift = SHARE_OF_PAWN * PAWN_AT_ZERO * exp((rating + opponent) / 2 / PAWN_GROWTH)
    upset = normal((gap - shift) / SPREAD)
    drawn = 2 * (normal(gap / SPREAD) - upset)
    rest = 1 - drawn - upset
    win, loss = (rest, upset) if rating >= opponent else (upset, rest)
    return {"win": win, "draw": drawn, "loss": loss}


def davidson(expected: float, draw_rate: float) -> Mapping[str, float]:
    """Davidson's model: draws fall off as the square root of win times loss; `draw_rate` is that between equals.

    The expected score is kept, as Ordo does: the draws solve (1 − 2 d₀) / d₀² × d² + 2 d − 4 E (1 − E) = 0.
    """
    for share, what in ((expected, "expected"), (draw_rate, "draw_rate")):
        if not 0 <= share <= 1:
            raise BadInput(f"{share} is not a share; it lies from 0 to 1.", at=what)
    uneven = 4 * expected * (1 - expected)
    # The root is real; rounding may take it a hair below nought.
    below = draw_rate + sqrt(max(draw_rate**2 + (1 - 2 * draw_rate) * uneven, 0.0))
    drawn = uneven * draw_rate / below if below else 0.0
    return {"win": expected - drawn / 2, "draw": drawn, "loss": 1 - expected - drawn / 2}


def rao_kupper(difference: float, draw_elo: float, *, advantage: float = 0.0) -> Mapping[str, float]:
    """Rao and Kupper's model, BayesElo's: to win, one must be ahead by `draw_elo`; `advantage` is White's."""
    win, loss = (
        1 / (1 + 10 ** ((draw_elo - side) / 400)) for side in (difference + advantage, -difference - advantage)
    )
    return {"win": win, "draw": 1 - win - loss, "loss": loss}
