"""A season: events over several rating lists, each list's rating the start of the next."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.answers import plain
from arpad.calculation.contract import Calculation, Figure, Note, date_notes
from arpad.calculation.step import Step, known
from arpad.core.model import as_day, as_player
from arpad.core.roundings import decimal
from arpad.errors import Unsupported
from arpad.forecast.chain import MOST_WORK, chain_of, exactly, stages, whole_rating
from arpad.forecast.chances import UNLIKELY, percent, quantile, signed
from arpad.forecast.levels import level_figures, level_steps, level_values, levels
from arpad.forecast.outlook import Aim, question
from arpad.forecast.sampling import by_chance, seasons_within
from arpad.forecast.schedule import look
from arpad.systems.draw_models import LABELLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from arpad.calculation.contract import Rated, System
    from arpad.core.model import PlannedEvent, Player, Rating
    from arpad.forecast.chain import Met, Stage
    from arpad.forecast.levels import Level
    from arpad.systems.draw_models import DrawModel

CERTAIN = 1 - 1e-12  # shares of states add up to one but for their rounding
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


class SeasonList(NamedTuple):
    """One list of the season: its day, its events, and how the ratings on it are spread."""

    on: date
    names: tuple[str, ...]
    games: int
    shares: Mapping[int | None, float]
    reach: float | None
    reached: float | None
    k: tuple[tuple[Step, float], ...] = ()  # each K that may be used, with its reasons and its chance
    not_rated: tuple[tuple[int, str, float], ...] = ()  # the game, why, and with what chance
    deviation: float | None = None  # the mean, in Glicko's family

    def quantile(self, share: float) -> int | None:
        """The rating with this share of the chances on its lower side."""
        return quantile(self.shares.items(), share)

    def between(self, low: float, high: float) -> str:
        """From one share of the chances to another."""
        return "–".join(str(self.quantile(share) or "unrated") for share in (low, high))

    @property
    def k_said(self) -> str:
        """The K that its games have, or each that they may have with its chance; nothing in systems without one."""
        if len(self.k) == 1:
            return f"K {self.k[0][0].value}"
        return " or ".join(f"K {step.value} ({percent(share)})" for step, share in self.k)

    @property
    def month(self) -> str:
        """The list that the events enter, by its month: the one after theirs."""
        return f"{self.on.replace(day=1) + timedelta(days=31):%Y-%m}"

    @property
    def mean(self) -> float | None:
        """The mean of the ratings on the list; None if there are none."""
        left = [(rating, share) for rating, share in self.shares.items() if rating is not None]
        total = sum(share for _, share in left)
        return sum(rating * share for rating, share in left) / total if total else None

    def value(self) -> dict[str, Any]:
        """The list by the names of the public contract."""
        return {
            "on": self.on.isoformat(),
            "list": self.month,
            "events": list(self.names),
            "games": self.games,
            "mean_rating": self.mean,
            "quantiles": {f"{share:g}": self.quantile(share) for share in SHARES},
            "unrated": self.shares.get(None, 0.0),
            "reach": self.reach,
            "reached": self.reached,
            "k": [{"k": plain(step.value), "chance": share} for step, share in self.k],
            "not_rated": [{"game": no, "why": why, "chance": share} for no, why, share in self.not_rated],
            "deviation": self.deviation,
        }


class Season(Calculation):
    """Where a rating may be after several lists."""

    def __init__(
        self,
        system: System,
        player: Player,
        on: date,
        *,
        asked: Aim,
        lists: Sequence[SeasonList],
        seasons: int | None,
        levels: Sequence[tuple[Level, float]] = (),
        assumed: Sequence[Note] = (),
    ) -> None:
        self.levels = levels
        self._assumed = assumed
        self.player = player
        self.asked = asked
        self.lists = lists
        self.seasons = seasons
        self._book = system.rulebook
        super().__init__(system.name, on, tuple(self._trail()), self._noted)

    def _trail(self) -> Iterator[Step]:
        """Each list's mean rests on the one before it and on the K's that may be used; then the chances at the end."""
        step, strength = known("rating", self.player.rating), known("strength", self.asked.strength)
        same: dict[tuple[str, Any], Step] = {}
        for one in self.lists:
            mean = None if one.mean is None else Decimal(one.mean)
            low, high = (one.quantile(share) or "unrated" for share in (0.25, 0.75))
            words = {"on": one.on, "games": one.games, "low": low, "high": high}
            ks = tuple(
                Step(
                    "list.k" if share < CERTAIN else "list.k.certain",
                    k.value,
                    {"k": same.setdefault((k.key, k.value), k)},
                    words={"on": one.on, "share": percent(share)},
                )
                for k, share in one.k
            )
            step = Step("list", mean, {"before": step, "strength": strength, "k": ks}, words=words)
        if self.reach is not None:
            yield Step("reach.end", Decimal(self.reach), {"list": step}, words={"target": self.asked.reach})
        else:
            yield step
        yield from level_steps(self.levels)

    def _noted(self) -> Iterable[Note]:
        yield from self._assumed
        if self.seasons is not None:
            yield Note("season.sampled", {"seasons": self.seasons, "error": percent(self.error)})
        if self.player.deviation is not None:
            yield Note("season.deviation", {})
        if any(None in one.shares for one in self.lists):
            yield Note("season.unrated", {})
        yield from date_notes(self._book, self.lists[-1].on)

    @property
    def method(self) -> str:
        """`exact`, or `sampled` where that would have been too much work."""
        return "exact" if self.seasons is None else "sampled"

    @property
    def error(self) -> float:
        """The largest standard error of a chance; nought if it is exact."""
        return 0.0 if self.seasons is None else 0.5 / sqrt(self.seasons)

    @property
    def shares(self) -> Mapping[int | None, float]:
        """The ratings on the last list."""
        return self.lists[-1].shares

    @property
    def mean(self) -> float | None:
        """The mean gain of those who keep a rating."""
        mean = self.lists[-1].mean
        return None if mean is None or self.player.rating is None else mean - float(self.player.rating)

    @property
    def reach(self) -> float | None:
        """The chance to have the target on the last list; None without a target."""
        return self.lists[-1].reach

    @property
    def reached(self) -> float | None:
        """The chance to have had the target on some list; None without a target."""
        return self.lists[-1].reached

    @property
    def gain(self) -> float:
        """The chance to end higher."""
        start = float(self.player.rating or 0)
        return sum(share for rating, share in self.shares.items() if rating is not None and rating > start)

    @property
    def lose(self) -> float | None:
        """The chance to end more than so many points lower, or unrated; None if it was not asked."""
        if self.asked.lose is None:
            return None
        least = float(self.player.rating or 0) - float(self.asked.lose)
        return sum(share for rating, share in self.shares.items() if rating is None or rating < least)

    @property
    def unrated(self) -> float:
        """The chance to end below the floor, without a rating."""
        return self.shares.get(None, 0.0)

    def quantile(self, share: float) -> int | None:
        """The rating on the last list with this share of the chances on its lower side."""
        return self.lists[-1].quantile(share)

    def figures(self) -> list[Figure]:
        low, high = (self.quantile(share) or "unrated" for share in (0.25, 0.75))
        last = self.lists[-1]
        kept = f", of the {percent(1 - self.unrated)} who keep a rating" if self.unrated >= UNLIKELY else ""
        return [
            Figure("reach", percent(self.reach), f"to have {self.asked.reach} or more at the end"),
            Figure("reach.ever", percent(self.reached), f"to have had {self.asked.reach} or more on some list"),
            Figure(
                "mean",
                None if self.mean is None else signed(self.mean),
                f"on average by the list after {last.on}{kept}",
            ),
            Figure("middle_half", f"{low} to {high}", "at least half of all outcomes lie here"),
            Figure("gain", percent(self.gain), "to end higher"),
            Figure("lose", percent(self.lose), f"to end more than {self.asked.lose} points lower"),
            *level_figures(self.levels, " on some list"),
            self._k_figure(),
            Figure("strength", self.asked.strength, f"draw model: {self.asked.draws}; {self.method}"),
        ]

    def _k_figure(self) -> Figure:
        """Every K that is used, and each but the first with the list that has it first."""
        first: dict[Any, tuple[date, float]] = {}
        for one in self.lists:
            for step, share in one.k:
                if share >= UNLIKELY:
                    first.setdefault(step.value, (one.on, share))
        parts = [
            (k, on, "" if share >= CERTAIN else f" with a chance of {percent(share)}")
            for k, (on, share) in first.items()
        ]
        said = "".join(f"{', perhaps ' if chance else ', then '}{k}" for k, _, chance in parts[1:])
        why = "; ".join(f"{k} first for the list after {on}{chance}" for k, on, chance in parts[1:])
        return Figure("k", f"{parts[0][0]}{said}" if parts else None, why or "on every list")

    @property
    def uncounted(self) -> list[str]:
        """The games that will not count, or may not, and why, in a sentence each."""
        return [
            f"{one.on}, game {game}: {why}{'' if share >= CERTAIN else f' (with a chance of {percent(share)})'}"
            for one in self.lists
            for game, why, share in one.not_rated
        ]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "rating": self.player.rating,
            "strength": plain(self.asked.strength),
            "draws": self.asked.draws._asdict(),
            "method": self.method,
            "seasons": self.seasons,
            "error": self.error,
            "target": self.asked.reach,
            "reach": self.reach,
            "reached": self.reached,
            "mean": self.mean,
            "middle_half": [self.quantile(0.25), self.quantile(0.75)],
            "median": self.quantile(0.5),
            "gain": self.gain,
            "unrated": self.unrated,
            "lose_more_than": plain(self.asked.lose),
            "lose": self.lose,
            "levels": level_values(self.levels),
            "lists": [one.value() for one in self.lists],
            "outcomes": [
                {"new_rating": rating, "probability": share}
                for rating, share in sorted(self.shares.items(), key=lambda pair: pair[0] or 0)
            ],
        }


def look_ahead_season(
    system: System,
    player: Player | Rating,
    events: Iterable[PlannedEvent],
    *,
    on: date,
    reach: Any = None,
    lose: Any = None,
    strength: Any = None,
    draws: DrawModel = LABELLE,
    most_work: int = MOST_WORK,
) -> Season:
    """Where a rating may be after the events of several months; the events of one month enter one list."""
    player, on = as_player(player), as_day(on)
    asked = question(system, player, on=on, reach=reach, lose=lose, strength=strength, draws=draws)
    lists_ahead = stages(events, on)
    today = look(system, player, lists_ahead[0].events, on=lists_ahead[0].on).drawn
    start = _start(system, player, today)
    watched = levels(system, start, today.k_why, on=on)
    chain = chain_of(system, start, lists_ahead, asked, watched=[level.level for level in watched])
    lists = exactly(chain, most_work)
    seasons = None
    if lists is None:
        seasons = seasons_within(chain, most_work)
        lists = by_chance(chain, seasons)
    passed = [(level, chance) for level in watched if (chance := _passing(level, lists[-1])) >= UNLIKELY]
    return Season(
        system,
        start,
        on,
        asked=asked,
        lists=[_list(asked, stage, one) for stage, one in zip(chain.stages, lists, strict=True)],
        seasons=seasons,
        levels=passed,
        assumed=[one for one in today.notes if "assumed" in one.key or one.key.startswith("k.until")],
    )


def _start(system: System, player: Player, today: Rated) -> Player:
    """The player before the first list, with the rating that stands in and what the rules assume of a deviation."""
    start = player if player.rating is not None else player._replace(rating=whole_rating(player))
    if today.k is not None:
        return start._replace(deviation=None, volatility=None)
    deviation: Any = getattr(today, "deviation", None)
    if deviation is None:
        raise Unsupported(
            f"In {system.name} more goes from list to list than a rating, and a season does not carry it; "
            "look ahead one period at a time.",
            at="system",
        )
    volatility: Any = getattr(today, "volatility", None)
    return start._replace(deviation=decimal(deviation), volatility=None if volatility is None else decimal(volatility))


def _passing(level: Level, last: Met) -> float:
    """The chance to have passed a level on some list; once below the floor nobody comes back here."""
    if level.below:
        return sum(share for state, share in last.states.items() if state.rating is None)
    return sum(share for state, share in last.states.items() if (state.peak or 0) >= level.level)


def _list(asked: Aim, stage: Stage, met: Met) -> SeasonList:
    ratings: dict[int | None, float] = {}
    for state, share in met.states.items():
        ratings[state.rating] = ratings.get(state.rating, 0.0) + share
    target = asked.reach
    deviations = [(float(one.standing.deviation), share) for one, share in met.states.items() if one.standing]
    return SeasonList(
        stage.on,
        tuple(event.name or f"event of {event.on}" for event in stage.events),
        stage.games,
        ratings,
        None if target is None else sum(share for rating, share in ratings.items() if (rating or 0) >= target),
        None if target is None else sum(share for state, share in met.states.items() if state.reached),
        tuple(sorted(met.k.values(), key=lambda one: -one[1])),
        tuple((no, why, share) for (no, why), share in sorted(met.not_rated.items())),
        sum(deviation * share for deviation, share in deviations) if deviations else None,
    )
