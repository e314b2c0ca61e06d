"""K on the next list, by FIDE's rule and what the published K reveals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from arpad.calculation.step import Step, known, ruled
from arpad.core import EloStanding, Player
from arpad.errors import UncoveredDate
from arpad.lists.store import FIDE, PACES
from arpad.systems import rulebook_of
from arpad.systems.fide.k import development_coefficient, first_day_without
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from arpad.lists.players import ListedPlayer, ListedRating
    from arpad.lists.store import RatingList


@dataclass(frozen=True, slots=True)
class NextK:
    """K on the next list, the day of that list, and the day on which age alone will change it."""

    pace: str
    printed: int | None
    on: date
    next: Step
    until: date | None


def month_after(day: date) -> date:
    """The first of the next month."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def next_k(player: ListedPlayer, pace: str) -> NextK | None:
    """K on the list after the valid one if no games are played; None without a rating or a rule for that day."""
    standing = player.ratings.get(pace)
    if standing is None or standing.rating is None:
        return None
    on = month_after(standing.list.month)
    try:
        in_force = rulebook_of(f"fide-{pace}").of(FideRules).at(on)
    except UncoveredDate:
        return None
    step = _k_step(player, pace, standing, in_force, on)
    return NextK(pace, standing.k, on, step, first_day_without(step))


def _k_step(player: ListedPlayer, pace: str, standing: ListedRating, rules: FideRules, on: date) -> Step:
    """K by the rule, using what the published K reveals about the player."""
    bands = rules.k.value
    # A published K distinguishes newcomers from everybody else; without one the number of games is unknown.
    enough = None if standing.k is None else max((band.games_under or 0 for band in bands), default=0)
    own = EloStanding(standing.rating, games=enough)
    plain = Player(own, birth_year=player.birth_year)
    reached = max(standing.rating or 0, player.peaks.get(pace, 0))

    def explains(player: Player, peak: int) -> bool:
        return bool(development_coefficient(player, peak, rules, standing.list.month).value == standing.k)

    if standing.k is not None and not explains(plain, reached):
        if explains(replace(plain, standing=replace(own, games=0)), reached):
            return _newcomer_k_step(player, standing.k, rules)
        for level in {band.peak_from or band.peak_under or 0 for band in bands}:  # perhaps reached on an earlier list
            if explains(plain, max(reached, level)):
                return development_coefficient(plain, max(reached, level), rules, on)
    return development_coefficient(plain, reached, rules, on)


def _newcomer_k_step(player: ListedPlayer, k: int, rules: FideRules) -> Step:
    """A newcomer's K as a step; without a year of birth it may also be a junior's."""
    (band,) = (line for line in rules.k.value if line.games_under is not None)
    junior = player.birth_year is None and any(line.k == k and line.until_age is not None for line in rules.k.value)
    key = "k.new.or.junior" if junior else "k.new"
    return ruled(key, rules.k, k, words={"says": band.says, "band": band}, printed=known("k.printed", k))


def coming_k(player: ListedPlayer, newest: RatingList) -> list[NextK]:
    """K on the next list for every pace; only for FIDE's lists, which follow FIDE's rule."""
    asked = [next_k(player, pace) for pace in PACES] if newest.name == FIDE else []
    return [coming for coming in asked if coming is not None]
