"""K on rapid and blitz lists where the regulations are unclear: newcomers with a standard rating, and adults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arpad.systems.fide.rules import KBand

Ask = Callable[[str], list[tuple[Any, ...]]]  # SQL in, rows out


@dataclass(frozen=True, slots=True)
class StandingIn:
    """Newcomers with one K in standard; `points` is their distance from the standard rating, per root of a game."""

    k: int
    players: int
    same_k: int
    points: float


@dataclass(frozen=True, slots=True)
class NewcomersK:
    """Adults rated below `under`: how many have the `k` of a newcomer, and how many who had it now have `then`."""

    under: int | None
    players: int
    k: int
    with_k: int
    entered: int
    had_k_and_played: int
    then: int
    now: int


def standing_in(ask: Ask, bands: tuple[KBand, ...], year: int, standard: int) -> tuple[StandingIn, ...]:
    """Adults who entered the list by playing, grouped by their K on the earlier standard list."""
    until_age = max((band.until_age or 0 for band in bands), default=0)
    rows = ask(
        "SELECT earlier.k, count(*), count(*) FILTER (explained.k = earlier.k), "
        "round(sqrt(avg((explained.rating::INTEGER - earlier.rating) ** 2 / explained.games)), 1) "
        f"FROM explained JOIN rating AS earlier ON earlier.id = explained.id AND earlier.list = {standard} "
        "AND earlier.pace = 'standard' AND earlier.rating IS NOT NULL AND earlier.k IS NOT NULL "
        f"WHERE old_rating IS NULL AND explained.games > 0 AND coalesce({year} - born > {until_age}, true) "
        "GROUP BY earlier.k ORDER BY earlier.k"
    )
    return tuple(StandingIn(*row) for row in rows)


def adults(ask: Ask, bands: tuple[KBand, ...], year: int) -> NewcomersK | None:
    """Adults below the juniors' level: how many have a newcomer's K, and how it changed; None without such rules."""
    new = next((band for band in bands if band.games_under is not None), None)
    junior = next((band for band in bands if band.until_age is not None), None)
    if new is None or junior is None:
        return None
    ((players, newcomers_k, entered, had, now_other),) = ask(
        f"SELECT count(*), count(*) FILTER (k = {new.k}), count(*) FILTER (k = {new.k} AND old_rating IS NULL), "
        f"count(*) FILTER (old_k = {new.k} AND games > 0), "
        f"count(*) FILTER (old_k = {new.k} AND games > 0 AND k = {bands[-1].k}) "
        # A player born in the year 198, as a list has it, is not a junior either.
        f"FROM explained WHERE {year} - born_as_listed > {junior.until_age} AND rating < {junior.peak_under}"
    )
    return NewcomersK(junior.peak_under, players, new.k, newcomers_k, entered, had, then=bands[-1].k, now=now_other)
