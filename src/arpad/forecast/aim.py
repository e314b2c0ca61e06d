"""What a forecast is asked: ratings to reach, a loss to watch for, and the strength assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from arpad.calculation import formulas
from arpad.calculation.step import found, known
from arpad.core import HIGHEST_RATING, number, rating_of, refused
from arpad.errors import BadInput
from arpad.forecast.schedule import lowest_published
from arpad.forecast.typical import typical_of
from arpad.messages import say
from arpad.systems.chances import CALIBRATED, DrawModel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.core import Number, Player, Rating
    from arpad.forecast.typical import Typical
    from arpad.messages import Message
    from arpad.systems.system import System


class AimOptions(TypedDict, total=False):
    """The options of a forecast: targets, a loss, and the assumed strength; `aim_of` has the defaults."""

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
    typical: Typical | None = None  # how much stronger than their rating players of this age are, if asked for

    @property
    def target(self) -> int | None:
        """The first target, whose working is shown; None without targets."""
        return self.targets[0] if self.targets else None

    @property
    def notes(self) -> tuple[Message, ...]:
        """What was assumed about the strength."""
        return () if self.typical is None else (self.typical.note,)

    @property
    def strength_step(self) -> Step:
        """The strength with its reason: as given, or the rating plus what is typical for the age."""
        if self.typical is None:
            return known("strength", self.strength)
        surplus = known("typical", self.strength - self.rating)
        return found("strength", formulas.new_rating, rating=known("rating", self.rating), change=surplus)


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
    """The options of a forecast, checked; the strength is the rating unless `strength` or `typical` says otherwise."""
    rating = player.rating_used
    if rating is None:
        raise BadInput(say("forecast.refused.unrated"), at="rating")
    assumed = assume(system, player, rating, on=on, strength=strength, draws=draws, typical=typical)
    lowest = lowest_published(system, on)
    asked = () if reach is None else reach if isinstance(reach, list | tuple) else (reach,)
    targets = tuple(dict.fromkeys(_target(target, lowest) for target in asked))
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
    """An aim with the assumed strength alone, without targets or a loss."""
    if not typical:
        return Aim(rating, (), None, rating if strength is None else rating_of(strength, at="strength"), draws)
    if strength is not None:
        raise BadInput(say("forecast.refused.typical_strength"), at="typical")
    figures = typical_of(system, player, rating, on=on)
    typical_strength = rating + round(figures.points)
    return Aim(rating, (), None, typical_strength, draws, figures)


def _target(reach: Number, lowest: int) -> int:
    """A target, checked: a whole number, and not below the lowest published rating."""
    target = rating_of(reach, at="reach")
    if target < lowest:
        raise BadInput(say("forecast.refused.target_below", target=target, lowest=lowest), at="reach")
    if not isinstance(target, int):
        raise BadInput(say("forecast.refused.target_whole", target=target), at="reach")
    return target
