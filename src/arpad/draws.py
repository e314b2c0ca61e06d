"""Draw models: how an expected score splits into win, draw and loss."""

from __future__ import annotations

from math import erf, exp, sqrt

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
