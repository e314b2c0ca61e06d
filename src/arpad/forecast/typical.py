"""What a forecast assumes of a player: targets, strength, what is typical for the age, how reliable a rating is.

The figures are in typical.toml and reliability.toml, which scripts in bench/ write from FIDE's lists; docs/chances.md
has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from arpad.calculation import formulas
from arpad.calculation.answer import Figure
from arpad.calculation.step import found, known
from arpad.core import HIGHEST_RATING, EloStanding, check_born, number, rating_of, refused
from arpad.errors import BadInput, Unsupported
from arpad.forecast.schedule import lowest_published
from arpad.messages import say
from arpad.systems.chances import CALIBRATED, FITTED_ON, DrawModel
from arpad.systems.fide.games import has_todays_scale

if TYPE_CHECKING:
    from arpad.calculation.step import Step
    from arpad.core import Number, Player, Rating
    from arpad.messages import Message
    from arpad.systems.base import System


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
    check_born(player, on)
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


class AimOptions(TypedDict, total=False):
    """The options of a forecast: targets, a loss, and the assumed strength; `aim_of` has the defaults."""

    reach: Number | Sequence[Number] | None
    lose: Number | None
    strength: Number | None
    draws: DrawModel
    typical: bool


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


def strength_figure(strength: Rating, typical: Typical | None, model: Message) -> Figure:
    """The strength, with a remark on the model of chances and on whether it is typical for the age."""
    return Figure("strength", strength, model if typical is None else say("forecast.typical_strength", remark=model))


def typical_of(system: System, player: Player, rating: Rating, *, on: date) -> Typical:
    """How much stronger than their rating such players were; the lowest band includes everybody below it."""
    if system.name != FITTED_ON:
        raise Unsupported(say("forecast.refused.typical_system", system=system.name), at="typical")
    if not typical_is_known(system, on):
        raise Unsupported(say("forecast.refused.typical_scale", on=on), at="typical")
    age = age_on(player, on)
    bands = [cell for cell in _cells() if cell.age <= age and (cell.last_age is None or age <= cell.last_age)]
    return next((cell for cell in reversed(bands) if rating >= cell.rating), bands[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Typical:
    """How much stronger than their rating players of an age and a rating were, in points and in score per game."""

    age: int
    rating: int
    last_age: int | None  # None: and older
    highest_rating: int | None  # None: and more
    score: float
    points: float
    error: float  # the standard error of the points
    players: int

    @property
    def note(self) -> Message:
        """The assumption, with its number and its source."""
        return say(
            "notes.typical",
            points=round(self.points),
            error=round(self.error),
            players=self.players,
            ages=_range("ages", self.age, self.last_age),
            ratings=_range("ratings", self.rating, self.highest_rating),
        )


def typical_is_known(system: System, on: date) -> bool:
    """Whether the figures are for ratings of this system and day: those of FIDE's standard list, on today's scale."""
    return system.name == FITTED_ON and has_todays_scale(system.rulebook, on)


def age_on(player: Player, on: date) -> int:
    """The age that a player reaches in the year of a day."""
    if player.birth_year is None:
        raise BadInput(say("forecast.refused.typical_born"), at="born")
    return on.year - player.birth_year


@lru_cache(maxsize=1)
def _cells() -> tuple[Typical, ...]:
    """The table, youngest and lowest first; a cell ends where the next one begins."""
    import tomllib  # most outlooks do not ask for it

    cells = tomllib.loads((get_data("arpad.forecast", "typical.toml") or b"").decode())["cells"]
    ages, ratings = ({cell[name] for cell in cells} for name in ("age", "rating"))
    return tuple(
        Typical(**cell, last_age=_before_next(cell["age"], ages), highest_rating=_before_next(cell["rating"], ratings))
        for cell in cells
    )


def _before_next(first: int, starts: set[int]) -> int | None:
    """The last number before the next start; None after the last start."""
    return min((start - 1 for start in starts if start > first), default=None)


def _range(of: str, first: int, last: int | None) -> Message:
    """A range in words, with or without an upper end; the first ages begin with 0."""
    key = "from" if last is None else "between" if first else "up_to"
    return say(f"notes.typical.{of}.{key}", first=first, last=last)


def reliability_of(system: System, player: Player, *, on: date, inactive: bool = False) -> Reliability:
    """How reliable a rating is: established, unless the player is known to be a junior or to have few games."""
    if system.name != FITTED_ON:
        raise Unsupported(say("forecast.refused.reliability_system", system=system.name), at="inactive")
    data, kind = _reliability_table(), "established"
    standing = EloStanding.of(player)
    junior = player.birth_year is not None and on.year - player.birth_year < data["adult"]
    if standing.games is not None and standing.games < data["few_games"]:
        kind = "few"
    elif junior:
        kind = "junior"
    elif standing.games is None and standing.k == data["few_k"]:
        kind = "few"
    return next(Reliability(**cell) for cell in data["cells"] if (cell["kind"], cell["inactive"]) == (kind, inactive))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """The standard deviation of strength around the rating: established players, those with few games, or juniors."""

    kind: str
    inactive: bool  # no game for a year or more
    deviation: float
    error: float  # the standard error of the deviation
    players: int

    @property
    def doubtful(self) -> bool:
        """Whether the rating is less reliable than most."""
        return self.inactive or self.kind == "few"

    @property
    def note(self) -> Message:
        """The assumption, with its number and its source."""
        key = f"notes.reliability.{self.kind}{'.inactive' if self.inactive else ''}"
        return say(key, deviation=round(self.deviation), error=round(self.error), players=self.players)


@lru_cache(maxsize=1)
def _reliability_table() -> Mapping[str, Any]:
    """How far strength lies from the rating, by kind of player, as fitted."""
    import tomllib  # most outlooks do not ask for it

    return tomllib.loads((get_data("arpad.forecast", "reliability.toml") or b"").decode())
