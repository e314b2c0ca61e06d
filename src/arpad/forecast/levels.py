"""The levels on a rating's way that change something: K, the ratings for titles, and the floor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.contract import Figure
from arpad.calculation.step import ruled
from arpad.core import EloStanding
from arpad.forecast.chances import percent
from arpad.tournaments.norms.ratings import is_woman, rating_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.core import Player, Rating
    from arpad.rulebooks.rulebook import Rule
    from arpad.systems.base import System


class Level(NamedTuple):
    """A rating that changes something once it is published, or, below, once it is not reached any more."""

    level: int
    says: str
    rule: Rule[Any]
    below: bool = False


TITLED = "fide-standard"  # the list whose ratings count for titles


def levels(system: System, player: Player, k_why: str | None, *, on: date) -> list[Level]:
    """The levels that still mean something to this player, the floor last."""
    peak = max(EloStanding.of(player).peak or 0, player.rating or 0)
    above = [*_k_levels(system, k_why, on), *_title_levels(system, player, on)]
    floor = getattr(system.rulebook.at(on), "floor", None)
    below = [] if floor is None or player.rating is None else [Level(floor.value, floor.says, floor, below=True)]
    return [*sorted((level for level in above if level.level > peak), key=lambda level: level.level), *below]


def peak_levels(system: System, on: date) -> list[int]:
    """The ratings that K asks the highest published rating about, ascending; none where K does not look at it."""
    return sorted({level for band in _bands(system, on) for level in (band.peak_from, band.peak_under) if level})


def peak_that_counts(peak: Rating, known: Iterable[int]) -> int | None:
    """The highest of the levels that a peak has passed: all that K looks at."""
    return max((level for level in known if level <= peak), default=None)


def _bands(system: System, on: date) -> list[Any]:
    rule = getattr(system.rulebook.at(on), "k", None)
    value = None if rule is None else rule.value
    return [band for band in value if hasattr(band, "peak_from")] if isinstance(value, tuple) else []


def _k_levels(system: System, k_why: str | None, on: date) -> Iterator[Level]:
    """Where K changes; a K that was given by hand does not."""
    for band in _bands(system, on) if k_why is not None else ():
        rule = system.rulebook.at(on).k
        if band.peak_from is not None:
            yield Level(band.peak_from, f"K {band.k}: {band.says}", rule)
        elif band.peak_under is not None and band.says == k_why:
            yield Level(band.peak_under, f"the end of K {band.k}: {band.says}", rule)


def _title_levels(system: System, player: Player, on: date) -> Iterator[Level]:
    book = rating_rulebook()
    if system.name != TITLED or on < book.covered_from:
        return
    rule = book.at(on).title_ratings
    for title in rule.value:
        if is_woman(player) or not title.women:
            yield Level(title.rating, f"the rating for {title.title}{', norms apart' * title.norms}", rule)


Passed = tuple[Level, float]  # a level and the chance to pass it


def level_figures(levels: Iterable[Passed], when: str = "") -> Iterator[Figure]:
    """The levels on the way for the summary."""
    for level, chance in levels:
        yield Figure("level", percent(chance), f"{'below ' * level.below}{level.level}{when}: {level.says}")


def level_steps(levels: Iterable[Passed]) -> Iterator[Step]:
    """The levels on the way with their articles."""
    for level, chance in levels:
        yield ruled("level", level.rule, level.level, words={"says": f"{level.says}; chance {percent(chance)}"})


def level_values(levels: Iterable[Passed]) -> list[dict[str, Any]]:
    """The levels on the way by the names of the public contract."""
    return [
        {"level": level.level, "below": level.below, "says": level.says, "chance": chance} for level, chance in levels
    ]
