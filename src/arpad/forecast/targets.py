"""Ratings to reach and levels that change something, each with its chance; and chances as people write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answer import Figure, Text, hidden
from arpad.calculation.step import ruled, walk
from arpad.core import EloStanding
from arpad.messages import Message, figure, fixed, say
from arpad.rulebooks import Rule
from arpad.tournaments.norms.rules import is_woman, rating_rulebook

if TYPE_CHECKING:
    from arpad.calculation.step import Step
    from arpad.core import Player, Rating
    from arpad.systems.answers import RatingChange
    from arpad.systems.base import System


TITLED = "fide-standard"  # the list whose ratings count for titles
UNLIKELY = 0.0001  # a smaller chance is not worth a line
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)  # the quantiles that are shown


def target_chances(targets: Sequence[int], shares: Iterable[tuple[int | None, float]]) -> tuple[TargetChance, ...]:
    """The chance to have each target or more, from the shares of the new ratings."""
    known = list(shares)
    return tuple(
        TargetChance(target=target, reach=sum(share for rating, share in known if (rating or 0) >= target))
        for target in targets
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetChance:
    """A rating to reach, and the chance to have it or more."""

    target: int
    reach: float


def reach_figures(chances: Sequence[TargetChance], on: str) -> list[Figure]:
    """A line for each target; `on` is `next` or `last`, for the next list or the last one."""
    return [
        Figure("reach", percent(chance.reach), say(f"forecast.reach.{on}", target=chance.target)) for chance in chances
    ]


def levels(system: System, player: Player, rated: RatingChange, *, on: date) -> list[Level]:
    """The levels that still matter to a player whose games are rated like this, the floor last."""
    peak = max(EloStanding.of(player).peak or 0, player.rating or 0)
    above = [*_k_levels(system, rated, on), *_title_levels(system, player, on)]
    floor = getattr(system.rulebook.at(on), "floor", None)
    below = []
    if floor is not None and player.rating is not None:
        below = [Level(floor.value, say("forecast.level.floor", says=floor.says), floor, below=True)]
    return [*sorted((level for level in above if level.level > peak), key=lambda level: level.level), *below]


class Level(NamedTuple):
    """A rating that changes something once it is published or, if `below`, once the rating falls below it."""

    level: int
    says: Text
    rule: Rule[object]
    below: bool = False


def level_chances(known: Iterable[Level], passing: Callable[[Level], float]) -> tuple[LevelChance, ...]:
    """The levels that may be passed, each with its chance; very unlikely ones are left out."""
    return tuple(
        LevelChance(level=level.level, below=level.below, says=level.says, chance=chance, rule=level.rule)
        for level in known
        if (chance := passing(level)) >= UNLIKELY
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChance:
    """A level, and the chance to pass it."""

    level: int
    below: bool
    says: Text
    chance: float
    rule: Rule[object] = hidden()


def _k_levels(system: System, rated: RatingChange, on: date) -> Iterator[Level]:
    """The ratings at which K changes; none if K was given."""
    if rated.k_why is None or rated.k_step is None:
        return
    used = [step.words["band"] for step in walk(rated.k_step) if "band" in step.words]  # the line of the rule behind K
    rule = _k_rule(system, on)
    if rule is None:
        return
    for band in _bands(system, on):
        if band.peak_from is not None:
            yield Level(band.peak_from, say("forecast.level.k", k=band.k, says=band.says), rule)
        elif band.peak_under is not None and band in used:
            yield Level(band.peak_under, say("forecast.level.k_end", k=band.k, says=band.says), rule)


def _title_levels(system: System, player: Player, on: date) -> Iterator[Level]:
    book = rating_rulebook()
    if system.name != TITLED or on < book.covered_from:
        return
    rule = book.at(on).title_ratings
    for title in rule.value:
        if is_woman(player) or not title.women:
            key = "forecast.level.title_norms" if title.norms else "forecast.level.title"
            yield Level(title.rating, say(key, title=title.title), rule)


def level_figures(passed: Iterable[LevelChance], when: str) -> Iterator[Figure]:
    """The levels for the summary; `when` is `next` or `some`, for the next list or some list."""
    for level in passed:
        side = "below" if level.below else "above"
        yield Figure(
            "level", percent(level.chance), say(f"forecast.level.{side}.{when}", level=level.level, says=level.says)
        )


def level_steps(passed: Iterable[LevelChance]) -> Iterator[Step]:
    """The levels with their articles."""
    for level in passed:
        says = say("forecast.level.chance", says=level.says, chance=percent(level.chance))
        yield ruled("level", level.rule, level.level, words={"says": says})


def peak_levels(system: System, on: date) -> list[int]:
    """The peak ratings at which K changes, ascending; none where K does not depend on the peak."""
    return sorted({level for band in _bands(system, on) for level in (band.peak_from, band.peak_under) if level})


def peak_that_counts(peak: Rating, known: Iterable[int]) -> int | None:
    """The highest level that a peak has passed, which is all that K depends on; None if it has passed none."""
    return max((level for level in known if level <= peak), default=None)


def _bands(system: System, on: date) -> list[Any]:
    rule = _k_rule(system, on)
    value = None if rule is None else rule.value
    return [band for band in value if hasattr(band, "peak_from")] if isinstance(value, tuple) else []


def _k_rule(system: System, on: date) -> Rule[object] | None:
    rule: Rule[object] | None = getattr(system.rulebook.at(on), "k", None)
    return rule


def quantile(shares: Iterable[tuple[int | None, float]], share: float) -> int | None:
    """The lowest rating at which the shares add up to `share`; unrated counts as below every rating."""
    ascending = sorted(shares, key=lambda pair: -1 if pair[0] is None else pair[0])
    below = 0.0
    for rating, probability in ascending:
        below += probability
        if below >= share - 1e-12:  # a quartile exactly on an edge stays there despite rounding
            return rating
    return ascending[-1][0]


def percent(chance: float | None) -> Message | None:
    """A chance in percent; None stays None."""
    if chance is None:
        return None
    if 0 < chance < UNLIKELY:
        return say("forecast.percent.under")
    if 1 - UNLIKELY < chance < 1:
        return say("forecast.percent.over")
    decimals = 1 if 0.0005 <= chance <= 0.9995 or chance in (0, 1) else 2
    return say("forecast.percent", percent=fixed(100 * chance, decimals))


def signed(number: Decimal | float) -> str:
    """A mean change to the tenth, with its sign."""
    return figure(tenth(number), signed=True)


def tenth(number: Decimal | float) -> Decimal:
    """A mean, to the tenth."""
    return Decimal(number).quantize(Decimal("0.1"))


def rating_or_unrated(rating: Rating | None) -> Rating | Message:
    """A rating, or the word for having none."""
    return say("answers.unrated") if rating is None else rating


def middle_half_text(ends: tuple[int | None, int | None]) -> Message:
    """The range of the middle half of all outcomes."""
    low, high = ends
    return say("forecast.from_to", low=rating_or_unrated(low), high=rating_or_unrated(high))
