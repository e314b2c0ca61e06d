"""What is asked of the future: a target, a loss to fear, and how strong the player really is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arpad.core import HIGHEST_RATING, number, rating_of, refused
from arpad.errors import BadInput
from arpad.forecast.schedule import lowest_published
from arpad.messages import say

if TYPE_CHECKING:
    from datetime import date

    from arpad.core import Number, Player, Rating
    from arpad.systems.base import System
    from arpad.systems.draw_models import DrawModel


class Aim(NamedTuple):
    """The rating before the games, the target, the loss asked about, the assumed strength and the draw model."""

    rating: Rating
    target: int | None
    lose_more_than: Rating | None
    strength: Rating
    draws: DrawModel


def aim_of(
    system: System,
    player: Player,
    *,
    on: date,
    reach: Number | None,
    lose: Number | None,
    strength: Number | None,
    draws: DrawModel,
) -> Aim:
    """What is asked, checked; the strength is the rating unless another is given."""
    rating = player.rating_used
    if rating is None:
        raise BadInput(say("forecast.refused.unrated"), at="rating")
    lowest = lowest_published(system, on)
    target = None if reach is None else _target(reach, lowest)
    if rating < lowest:
        raise BadInput(say("forecast.refused.rating_below", rating=rating, lowest=lowest), at="rating")
    most = None if lose is None else number(lose, "loss", low=0, high=HIGHEST_RATING, at="lose")
    if most is not None and not 0 <= most <= HIGHEST_RATING:
        raise refused(lose, "loss", low=0, high=HIGHEST_RATING, at="lose")
    return Aim(rating, target, most, rating if strength is None else rating_of(strength, at="strength"), draws)


def _target(reach: Number, lowest: int) -> int:
    """A target that a list can have."""
    target = rating_of(reach, at="reach")
    if target < lowest:
        raise BadInput(say("forecast.refused.target_below", target=target, lowest=lowest), at="reach")
    if not isinstance(target, int):
        raise BadInput(say("forecast.refused.target_whole", target=target), at="reach")
    return target
