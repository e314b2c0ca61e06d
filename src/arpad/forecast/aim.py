"""What is asked of the future: a target, a loss to fear, and how strong the player really is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from arpad.calculation import formulas
from arpad.calculation.step import found, known
from arpad.core import HIGHEST_RATING, number, rating_of, refused
from arpad.errors import BadInput
from arpad.forecast.schedule import lowest_published
from arpad.forecast.typical import typical_of
from arpad.messages import say
from arpad.systems.draw_models import CALIBRATED, DrawModel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.core import Number, Player, Rating
    from arpad.forecast.typical import Typical
    from arpad.messages import Message
    from arpad.systems.base import System


class AimOptions(TypedDict, total=False):
    """What may be asked of games ahead, and how strong the player is taken to be; `aim_of` has the defaults."""

    reach: Number | Sequence[Number] | None
    lose: Number | None
    strength: Number | None
    draws: DrawModel
    typical: bool


class Aim(NamedTuple):
    """The rating before the games, the targets, the loss asked about, the assumed strength and the draw model."""

    rating: Rating
    targets: tuple[int, ...]
    lose_more_than: Rating | None
    strength: Rating
    draws: DrawModel
    typical: Typical | None = None  # what players of this age are worth more than their rating, where that was asked

    @property
    def target(self) -> int | None:
        """The target whose working is shown, the first; None without one."""
        return self.targets[0] if self.targets else None

    @property
    def notes(self) -> tuple[Message, ...]:
        """What was assumed of the strength."""
        return () if self.typical is None else (self.typical.note,)

    @property
    def strength_step(self) -> Step:
        """The strength with its reason: given, or the rating with what is typical for the age."""
        if self.typical is None:
            return known("strength", self.strength)
        worth = known("typical", self.strength - self.rating)
        return found("strength", formulas.new_rating, rating=known("rating", self.rating), change=worth)


def aim_of(
    system: System,
    player: Player,
    *,
    on: date,
    reach: Number | Sequence[Number] | None = None,
    lose: Number | None = None,
    strength: Number | None = None,
    draws: DrawModel = CALIBRATED,
    typical: bool = False,
) -> Aim:
    """What is asked, checked; the strength is the rating unless another is given, or what is typical for the age."""
    rating = player.rating_used
    if rating is None:
        raise BadInput(say("forecast.refused.unrated"), at="rating")
    assumed = assume(system, player, rating, on=on, strength=strength, draws=draws, typical=typical)
    lowest = lowest_published(system, on)
    asked = () if reach is None else reach if isinstance(reach, list | tuple) else (reach,)
    targets = tuple(dict.fromkeys(_target(one, lowest) for one in asked))
    if rating < lowest:
        raise BadInput(say("forecast.refused.rating_below", rating=rating, lowest=lowest), at="rating")
    most = None if lose is None else number(lose, "loss", low=0, high=HIGHEST_RATING, at="lose")
    if most is not None and not 0 <= most <= HIGHEST_RATING:
        raise refused(lose, "loss", low=0, high=HIGHEST_RATING, at="lose")
    return assumed._replace(targets=targets, lose_more_than=most)


def assume(
    system: System,
    player: Player,
    rating: Rating,
    *,
    on: date,
    strength: Number | None,
    draws: DrawModel,
    typical: bool,
) -> Aim:
    """How strong the player is taken to be, without anything that is asked of it."""
    if not typical:
        return Aim(rating, (), None, rating if strength is None else rating_of(strength, at="strength"), draws)
    if strength is not None:
        raise BadInput(say("forecast.refused.typical_strength"), at="typical")
    worth = typical_of(system, player, rating, on=on)
    strength_then = rating + round(worth.points)
    return Aim(rating, (), None, strength_then, draws, worth)


def _target(reach: Number, lowest: int) -> int:
    """A target that a list can have."""
    target = rating_of(reach, at="reach")
    if target < lowest:
        raise BadInput(say("forecast.refused.target_below", target=target, lowest=lowest), at="reach")
    if not isinstance(target, int):
        raise BadInput(say("forecast.refused.target_whole", target=target), at="reach")
    return target
