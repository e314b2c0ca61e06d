"""One list of a season: the events that enter it, and how the ratings on it are spread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING

from arpad.calculation.answer import Text, derived
from arpad.calculation.step import Step
from arpad.core import Rating
from arpad.forecast.chances import SHARES, quantile
from arpad.forecast.norms_ahead import called
from arpad.forecast.targets import TargetChance, target_chances
from arpad.messages import Message

if TYPE_CHECKING:
    from arpad.forecast.aim import Aim
    from arpad.forecast.chain import ListTally, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class KChance:
    """A K that may be used for a list, and how probable that is."""

    k: Rating | None
    chance: float
    step: Step = field(repr=False, metadata={"hidden": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRatedChance:
    """A game that may not be rated, by its number, why, and with what chance."""

    game: int
    why: Text | None
    chance: float


@dataclass(frozen=True, kw_only=True)
class SeasonList:
    """One list of a season: its day, its events, and how the ratings on it are spread."""

    on: date  # the last day of its events
    list: str  # the month of the list
    events: tuple[str | Message, ...]
    games: int
    reach: float | None  # the chance to have the target on this list; None without a target
    reached: float | None  # the chance to have had it on this list or an earlier one
    targets: tuple[TargetChance, ...]  # each target, and the chance to have it on this list
    k: tuple[KChance, ...]  # the likeliest first; none in a system without K
    not_rated: tuple[NotRatedChance, ...]
    deviation: float | None  # the mean, in Glicko's family
    shares: Mapping[int | None, float] = field(repr=False, metadata={"hidden": True})  # of each rating

    @derived
    def mean_rating(self) -> float | None:
        """The mean of the ratings on the list; None if there are none."""
        left = [(rating, share) for rating, share in self.shares.items() if rating is not None]
        total = sum(share for _, share in left)
        return sum(rating * share for rating, share in left) / total if total else None

    @derived
    def quantiles(self) -> Mapping[str, int | None]:
        """The rating at the 5, 25, 50, 75 and 95 % quantiles; None means unrated."""
        return {f"{share:g}": self.quantile(share) for share in SHARES}

    @derived
    def unrated(self) -> float:
        """The chance to be below the floor, without a rating."""
        return self.shares.get(None, 0.0)

    def quantile(self, share: float) -> int | None:
        """The rating at this quantile, such as 0.25; None means unrated."""
        return quantile(self.shares.items(), share)


def season_list(aim: Aim, stage: Stage, tally: ListTally) -> SeasonList:
    """A list of a season, from the tally of what may happen up to it."""
    ratings: dict[int | None, float] = {}
    for state, share in tally.states.items():
        ratings[state.rating] = ratings.get(state.rating, 0.0) + share
    target = aim.target
    deviations = [(float(state.standing.deviation), share) for state, share in tally.states.items() if state.standing]
    return SeasonList(
        on=stage.on,
        list=_month_after(stage.on),
        events=tuple(called(event, stage.on) for event in stage.events),
        games=stage.games,
        reach=None if target is None else sum(share for rating, share in ratings.items() if (rating or 0) >= target),
        reached=None if target is None else sum(share for state, share in tally.states.items() if state.reached),
        targets=target_chances(aim.targets, ratings.items()),
        k=tuple(
            KChance(k=step.value, chance=share, step=step)
            for step, share in sorted(tally.k.values(), key=lambda k_and_share: -k_and_share[1])
        ),
        not_rated=tuple(
            NotRatedChance(game=no, why=why, chance=share)
            for no, reasons in sorted(tally.not_rated.items())
            for why, share in reasons
        ),
        deviation=sum(deviation * share for deviation, share in deviations) if deviations else None,
        shares=ratings,
    )


def _month_after(day: date) -> str:
    """The list that an event enters: that of the next month."""
    return f"{day.replace(day=1) + timedelta(days=31):%Y-%m}"
