"""A season: events over several rating lists, where each list's rating is the start of the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Unpack

from arpad.calculation.answer import Answer, Figure, Text, arrow_table, date_notes, derived
from arpad.calculation.step import Step, known
from arpad.core import GlickoStanding, Rating, as_day, as_player
from arpad.core.tournaments import SWISS, EventKind
from arpad.errors import Unsupported
from arpad.forecast.chain import MOST_WORK, by_chance, chain_of, exactly, seasons_within, stages, start_rating
from arpad.forecast.norm_chances import NormChance, SomeNorm, called, field_notes, norm_figures, norms_ahead, some_norms
from arpad.forecast.norm_simulation import SEED
from arpad.forecast.schedule import Model, look, lowest_published, opponent_rating
from arpad.forecast.targets import (
    SHARES,
    UNLIKELY,
    LevelChance,
    TargetChance,
    level_chances,
    level_figures,
    level_steps,
    levels,
    middle_half_text,
    percent,
    quantile,
    rating_or_unrated,
    reach_figures,
    signed,
    target_chances,
)
from arpad.forecast.typical import AimOptions, Typical, aim_of, strength_figure
from arpad.messages import Message, say
from arpad.systems.chances import DrawModel
from arpad.systems.glicko.rating import GlickoChange

if TYPE_CHECKING:
    from pyarrow import Table

    from arpad.core import Number, PlannedEvent, Player
    from arpad.forecast.chain import ListTally, Stage
    from arpad.forecast.targets import Level
    from arpad.forecast.typical import Aim
    from arpad.systems.answers import RatingChange
    from arpad.systems.base import System
    from arpad.tournaments.norms.rules import NormTitle


CERTAIN = 1 - 1e-12  # probabilities add up to one only within rounding


def look_ahead_season(
    system: System,
    player: Player | Number,
    events: Iterable[PlannedEvent],
    *,
    on: date,
    norm: NormTitle | Sequence[NormTitle] | None = None,
    kind: EventKind = SWISS,
    seed: int = SEED,
    most_work: int = MOST_WORK,
    **asked: Unpack[AimOptions],
) -> Season:
    """Where a rating may be after the events of several months; the events of one month enter one list.

    Accepts the player and the planned events; the options are those of `look_ahead`. Gives a Season, list by list.
    Raises Unsupported for a system whose standing cannot be followed from list to list, BadInput for a player without a
    rating and for targets below the lowest published rating.
    """
    player, on = as_player(player), as_day(on)
    aim = aim_of(system, player, on=on, **asked)
    lists_ahead = stages(events, on)
    today = look(system, player, lists_ahead[0].events, on=lists_ahead[0].on).drawn
    start = _start(system, player, today)
    watched = levels(system, start, today, on=on)
    chain = chain_of(system, start, lists_ahead, aim, watched=[level.level for level in watched])
    tallies = exactly(chain, most_work)
    seasons = None
    if tallies is None:
        seasons = seasons_within(chain, most_work)
        tallies = by_chance(chain, seasons)
    met = [
        opponent_rating(pairing.opponent)
        for stage in lists_ahead
        for event in stage.events
        for pairing in event.pairings
    ]
    first_model = Model.on(lists_ahead[0].on, system, aim.strength, aim.draws)
    models = [(event, chain.model(stage)) for stage in chain.stages for event in stage.events]
    norms = norms_ahead(norm, player, models, on=on, kind=kind, lowest=lowest_published(system, on), seed=seed)
    passed = level_chances(watched, lambda level: _passing(level, tallies[-1]))
    lists = tuple(season_list(aim, stage, tally) for stage, tally in zip(chain.stages, tallies, strict=True))
    return Season(
        system=system.name,
        on=on,
        trail=(*_trail(aim, lists, passed), *(norm_chance.step for norm_chance in norms)),
        remarks=lambda: (
            *aim.notes,
            *_notes(system, start, today, lists, seasons),
            *field_notes([event for stage in lists_ahead for event in stage.events], norms),
            *first_model.how_well(met, system.name),
        ),
        rating=aim.rating,
        strength=aim.strength,
        typical=aim.typical,
        draws=aim.draws,
        seasons=seasons,
        target=aim.target,
        targets=target_chances(aim.targets, lists[-1].shares.items()),
        lose_more_than=aim.lose_more_than,
        levels=passed,
        norms=norms,
        lists=lists,
    )


@dataclass(frozen=True, kw_only=True)
class Season(Answer):
    """Where a rating may be after several lists."""

    name: str | None = None  # of the plan, where several are compared
    rating: Rating
    strength: Rating
    typical: Typical | None  # what was assumed for the age, if that was asked
    draws: DrawModel
    seasons: int | None  # how many were simulated; None where the chances are exact
    target: int | None  # the first of the targets
    targets: tuple[TargetChance, ...]  # on the last list
    lose_more_than: Rating | None
    levels: tuple[LevelChance, ...]
    norms: tuple[NormChance, ...]  # of each title that was asked about, in each event
    lists: tuple[SeasonList, ...]

    @derived
    def method(self) -> Annotated[str, ("exact", "sampled")]:
        """`exact`, or `sampled` where that would have been too much work."""
        return "exact" if self.seasons is None else "sampled"

    @derived
    def error(self) -> float:
        """The largest standard error of a chance; zero if it is exact."""
        return 0.0 if self.seasons is None else _standard_error(self.seasons)

    @derived
    def outcomes(self) -> tuple[RatingChance, ...]:
        """The ratings on the last list, the lowest first."""
        return tuple(
            RatingChance(new_rating=rating, probability=share)
            for rating, share in sorted(self.last.shares.items(), key=lambda pair: pair[0] or 0)
        )

    @derived
    def mean(self) -> float | None:
        """The mean gain of those who keep a rating."""
        mean = self.last.mean_rating
        return None if mean is None else mean - float(self.rating)

    @derived
    def reach(self) -> float | None:
        """The chance to have the target on the last list; None without a target."""
        return self.last.reach

    @derived
    def reached(self) -> float | None:
        """The chance to have had the target on some list; None without a target."""
        return self.last.reached

    @derived
    def some_norm(self) -> tuple[SomeNorm, ...]:
        """The chance of at least one norm in the season, for each title that was asked about."""
        return some_norms(self.norms)

    @derived
    def gain(self) -> float:
        """The chance to end higher."""
        start = float(self.rating)
        return sum(share for rating, share in self.last.shares.items() if rating is not None and rating > start)

    @derived
    def lose(self) -> float | None:
        """The chance to end more than `lose_more_than` points lower, or unrated; None without it."""
        if self.lose_more_than is None:
            return None
        least = float(self.rating) - float(self.lose_more_than)
        return sum(share for rating, share in self.last.shares.items() if rating is None or rating < least)

    @derived
    def unrated(self) -> float:
        """The chance to end below the floor, without a rating."""
        return self.last.unrated

    @derived
    def median(self) -> int | None:
        """The median rating on the last list; None means unrated."""
        return self.quantile(0.5)

    @derived
    def middle_half(self) -> tuple[int | None, int | None]:
        """The range of the middle half of the ratings on the last list."""
        return self.quantile(0.25), self.quantile(0.75)

    @property
    def last(self) -> SeasonList:
        """The last list."""
        return self.lists[-1]

    def quantile(self, share: float) -> int | None:
        """The rating on the last list at this quantile, such as 0.25; None means unrated."""
        return self.last.quantile(share)

    def to_arrow(self) -> Table:
        """The lists as an Arrow table, with a column for each quantile."""
        quantiles = {f"q{100 * share:.0f}": ("int64", [row.quantile(share) for row in self.lists]) for share in SHARES}
        return arrow_table(
            on=("date32", [row.on for row in self.lists]),
            list=("string", [row.list for row in self.lists]),
            games=("int64", [row.games for row in self.lists]),
            mean_rating=("float64", [row.mean_rating for row in self.lists]),
            **quantiles,
            unrated=("float64", [row.unrated for row in self.lists]),
            reach=("float64", [row.reach for row in self.lists]),
            reached=("float64", [row.reached for row in self.lists]),
            deviation=("float64", [row.deviation for row in self.lists]),
        )

    def summary(self) -> Sequence[Figure]:
        on, rated = self.last.on, percent(1 - self.unrated)
        mean_remark = say("forecast.mean.season", on=on)
        if self.unrated >= UNLIKELY:
            mean_remark = say("forecast.mean.season_if_rated", on=on, share=rated)
        return (
            *reach_figures(self.targets, "last"),
            Figure("reach.ever", percent(self.reached), say("forecast.reach.some", target=self.target)),
            Figure("mean", None if self.mean is None else signed(self.mean), mean_remark),
            Figure("middle_half", middle_half_text(self.middle_half), say("forecast.middle_half")),
            Figure("gain", percent(self.gain), say("forecast.gain.last")),
            Figure("lose", percent(self.lose), say("forecast.lose.last", points=self.lose_more_than)),
            *norm_figures(self.norms),
            *level_figures(self.levels, "some"),
            self._k_figure(),
            self.strength_figure,
        )

    @property
    def strength_figure(self) -> Figure:
        """The strength, and the model of chances."""
        model = say(f"forecast.draw_model.{self.method}", model=self.draws.called)
        return strength_figure(self.strength, self.typical, model)

    def _k_figure(self) -> Figure:
        """Every K used; each after the first with the date of the first list that may use it."""
        first: dict[Rating | None, tuple[date, float]] = {}
        for row in self.lists:
            for used in row.k:
                if used.chance >= UNLIKELY:
                    first.setdefault(used.k, (row.on, used.chance))
        if not first:
            return Figure("k", None)
        said, *later = [(k, *when) for k, when in first.items()]
        value = say("forecast.k.first", k=said[0])
        for k, _, chance in later:
            value = say("forecast.k.then" if chance >= CERTAIN else "forecast.k.perhaps", before=value, k=k)
        remarks = tuple(
            say("forecast.k.from", k=k, on=on)
            if chance >= CERTAIN
            else say("forecast.k.perhaps_from", k=k, on=on, chance=percent(chance))
            for k, on, chance in later
        )
        return Figure("k", value, say("forecast.k.changes", changes=remarks) if later else say("forecast.k.always"))


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
    shares: Mapping[int | None, float] = field(repr=False, hash=False, metadata={"hidden": True})  # of each rating

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChance:
    """A rating on a list, or None for unrated, and how probable it is."""

    new_rating: int | None
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KChance:
    """A K that may be used for a list, and how probable that is."""

    k: Rating | None
    chance: float
    step: Step = field(repr=False, hash=False, metadata={"hidden": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRatedChance:
    """A game that may not be rated, by its number, why, and with what chance."""

    game: int
    why: Text | None
    chance: float


def _start(system: System, player: Player, today: RatingChange) -> Player:
    """The player before the first list, with the rating used or, in Glicko's family, the deviation that is assumed."""
    if today.k is not None:
        rating = player.rating if player.rating is not None else start_rating(player)
        return replace(player, standing=replace(system.standing.of(player), rating=rating))
    if not isinstance(today, GlickoChange):
        raise Unsupported(say("forecast.refused.carried", system=system.name), at="system")
    return replace(player, standing=GlickoStanding(player.rating, today.deviation, today.volatility))


def _passing(level: Level, last: ListTally) -> float:
    """The chance to pass a level on some list; a rating below the floor stays there in this calculation."""
    if level.below:
        return sum(share for state, share in last.states.items() if state.rating is None)
    return sum(share for state, share in last.states.items() if (state.peak or 0) >= level.level)


def season_list(aim: Aim, stage: Stage, tally: ListTally) -> SeasonList:
    """A list of a season, from the tally of what may happen up to it."""
    ratings: dict[int | None, float] = {}
    for state, share in tally.states.items():
        ratings[state.rating] = ratings.get(state.rating, 0.0) + share
    target = aim.target
    deviations = [(float(state.standing.deviation), share) for state, share in tally.states.items() if state.standing]
    return SeasonList(
        on=stage.on,
        list=f"{stage.on.replace(day=1) + timedelta(days=31):%Y-%m}",  # events enter the list of the next month
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


def _trail(aim: Aim, lists: Sequence[SeasonList], passed: Iterable[LevelChance]) -> Iterator[Step]:
    """A step for each list's mean, resting on the list before and on each possible K; then the chances at the end."""
    step, strength = known("rating", aim.rating), aim.strength_step
    same: dict[tuple[str, Rating | None], Step] = {}
    for row in lists:
        mean = None if row.mean_rating is None else Decimal(row.mean_rating)
        low, high = (rating_or_unrated(row.quantile(share)) for share in (0.25, 0.75))
        words = {"on": row.on, "games": row.games, "low": low, "high": high}
        ks = tuple(
            Step(
                "list.k" if used.chance < CERTAIN else "list.k.certain",
                used.k,
                {"k": same.setdefault((used.step.key, used.k), used.step)},
                words={"on": row.on, "share": percent(used.chance)},
            )
            for used in row.k
        )
        step = Step("list", mean, {"before": step, "strength": strength, "k": ks}, words=words)
    reached = [
        Step("reach.end", Decimal(chance.reach), {"list": step}, words={"target": chance.target})
        for chance in target_chances(aim.targets, lists[-1].shares.items())
    ]
    yield from reached or [step]
    yield from level_steps(passed)


def _notes(
    system: System, start: Player, today: RatingChange, lists: Sequence[SeasonList], seasons: int | None
) -> Iterator[Message]:
    """What was assumed about the player, how the chances were found, and what a rating below the floor means."""
    yield from (note for note in today.notes if "assumed" in note.key or note.key.startswith("notes.k.until"))
    if seasons is not None:
        yield say("notes.season.sampled", seasons=seasons, error=percent(_standard_error(seasons)))
    if GlickoStanding.of(start).deviation is not None:
        yield say("notes.season.deviation")
    if any(None in row.shares for row in lists):
        yield say("notes.season.unrated")
    yield from date_notes(system.rulebook, lists[-1].on)


def _standard_error(seasons: int) -> float:
    """The largest standard error after this many simulated seasons: that of a chance of one half."""
    return 0.5 / sqrt(seasons)
