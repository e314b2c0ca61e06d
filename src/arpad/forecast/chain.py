"""The chain of states behind a season, exact over the lattice of whole ratings.

A state is all that the rules look at between two lists, and states that agree are merged. The work is bounded: what
would take more is played out by chance instead (`sampling`), and so is whatever has a deviation, which no lattice
holds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import EloStanding, Field, GlickoStanding, Player
from arpad.core.roundings import decimal, half_up
from arpad.errors import BadInput
from arpad.forecast.distribution import distribution
from arpad.forecast.levels import peak_levels, peak_that_counts
from arpad.forecast.schedule import Model, curve, look, rater

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from arpad.calculation.step import Step
    from arpad.core import PlannedEvent, Rating
    from arpad.forecast.outlook import Aim
    from arpad.forecast.schedule import Ahead
    from arpad.systems.base import System

MOST_LISTS = 60
MOST_WORK = 200_000  # games rated on the way: some two seconds, so that a page may wait for it
FOR_A_GAME, FOR_A_FIELD = 4, 300  # what a game costs by its sum alone, and against a field, beside rating one: measured
HUNDREDTHS = 100  # of a point


class State(NamedTuple):
    """All that the rules look at between two lists; a rating of None is one below the floor, and stays."""

    rating: int | None
    peak: int | None
    games: int | None
    reached: bool
    standing: Carried | None = None  # in Glicko's family, which does not round


class Carried(NamedTuple):
    """A rating with what else goes from list to list in Glicko's family, not rounded."""

    rating: Rating
    deviation: Rating
    volatility: Rating | None


class Stage(NamedTuple):
    """The events that enter one list, and the day by which K and the rules are taken."""

    on: date
    events: tuple[PlannedEvent, ...]

    @property
    def games(self) -> int:
        """How many games it has."""
        return sum(len(event.pairings) for event in self.events)

    @property
    def against_field(self) -> int:
        """How many of them are against somebody known only as a field."""
        return sum(isinstance(one.opponent, Field) for event in self.events for one in event.pairings)


class Met:
    """What was met on the way to one list: the states after it, each K with its step, and the games not rated."""

    def __init__(self) -> None:
        self.states: dict[State, float] = {}
        self.k: dict[tuple[str, Any], tuple[Step, float]] = {}
        self.not_rated: dict[tuple[int, str], float] = {}

    def start(self, ahead: Ahead, share: float) -> None:
        """A state's games are begun, with this share of all chances."""
        step = ahead.drawn.k_step
        if step is not None:
            same, before = self.k.get((step.key, step.value), (step, 0.0))
            self.k[step.key, step.value] = same, before + share
        for no, line in enumerate(ahead.drawn.per_game, start=1):
            if not line.rated:
                self.not_rated[no, line.why or ""] = self.not_rated.get((no, line.why or ""), 0.0) + share

    def end(self, state: State, share: float) -> None:
        """They end in a state."""
        self.states[state] = self.states.get(state, 0.0) + share


class Chain(NamedTuple):
    """A season ready to be gone through."""

    system: System
    player: Player
    stages: tuple[Stage, ...]
    asked: Aim
    levels: tuple[int, ...]  # of the peak, those that K asks about on any of the days, and those that are watched

    @property
    def start(self) -> State:
        """The player before the first list."""
        player, glicko, elo = self.player, GlickoStanding.of(self.player), EloStanding.of(self.player)
        rating = whole_rating(player) if glicko.deviation is None else half_up(decimal(player.rating or 0))
        peak = peak_that_counts(max(rating, elo.peak or 0), self.levels)
        standing = None
        if player.rating is not None and glicko.deviation is not None:
            standing = Carried(player.rating, glicko.deviation, glicko.volatility)
        return State(rating, peak, elo.games, self._has(rating), standing)

    def _has(self, rating: int | None) -> bool:
        return self.asked.reach is not None and rating is not None and rating >= self.asked.reach

    def at(self, state: State, stage: Stage) -> Ahead:
        """A stage from a state."""
        return look(self.system, self._player(state), stage.events, on=stage.on)

    def again(self, ahead: Ahead, state: State, stage: Stage) -> Ahead:
        """A stage from another state, in Glicko's family, where no rating decides which games count."""
        return ahead._replace(rate=rater(self.system, self._player(state), stage.events, stage.on))

    def _player(self, state: State) -> Player:
        if state.standing is not None:
            return replace(self.player, standing=GlickoStanding(*state.standing))
        if isinstance(self.player.standing, EloStanding):
            known = {"rating": state.rating, "peak": state.peak, "games": state.games}
            return replace(self.player, standing=replace(self.player.standing, **known))
        return replace(self.player, standing=replace(self.player.standing, rating=state.rating))

    def after(self, state: State, ahead: Ahead, new: int | None, standing: Carried | None = None) -> State:
        """The state that a new rating makes."""
        peak = peak_that_counts(max(new or 0, state.peak or 0), self.levels)
        games = None if state.games is None else state.games + ahead.counted
        return State(new, peak, games, state.reached or self._has(new), standing)

    def model(self, stage: Stage) -> Model:
        """What decides the results of a stage."""
        return Model(float(self.asked.strength), self.asked.draws, curve(self.system, stage.on))


def whole_rating(player: Player) -> int:
    """The rating a season starts from; FIDE's lists have whole ones, and the lattice is of whole ones."""
    rating = player.rating_used
    if rating is None or int(rating) != rating:
        raise BadInput(f"A season starts from a whole rating, not from {rating}.", at="rating")
    return int(rating)


def chain_of(
    system: System, player: Player, by_month: tuple[Stage, ...], asked: Aim, *, watched: Iterable[int] = ()
) -> Chain:
    """A season ready to be gone through; levels that are watched are told apart beside those that K asks about."""
    levels = {level for stage in by_month for level in peak_levels(system, stage.on)}
    return Chain(system, player, by_month, asked, tuple(sorted({*levels, *watched})))


def stages(events: Iterable[PlannedEvent], on: date) -> tuple[Stage, ...]:
    """The events by month; one without a day is on the day asked about."""
    months: dict[tuple[int, int], list[PlannedEvent]] = {}
    for event in events:
        dated = replace(event, on=event.on or on)
        if not event.pairings:
            raise BadInput("An event without games was given; name its opponents.", at="event")
        months.setdefault(((event.on or on).year, (event.on or on).month), []).append(dated)
    if not months:
        raise BadInput("No events were given; a season has at least one.", at="event")
    if len(months) > MOST_LISTS:
        raise BadInput(f"{len(months)} lists are too many; a season has at most {MOST_LISTS}.", at="event")
    return tuple(
        Stage(max(event.on or on for event in group), tuple(sorted(group, key=lambda event: event.on or on)))
        for _, group in sorted(months.items())
    )


def exactly(chain: Chain, most_work: int) -> list[Met] | None:
    """Each list with the states after it and their probabilities; None if that would be too much work."""
    if chain.start.standing is not None:
        return None
    states = {chain.start: 1.0}
    every = []
    work = 0
    for number, stage in enumerate(chain.stages, start=1):
        model = chain.model(stage)
        met_there = Met()
        later = len(states) * sum(map(_least_work, chain.stages[number:]))
        left = len(states)
        for state, share in states.items():
            left -= 1
            if state.rating is None:
                met_there.end(state, share)
                continue
            ahead = chain.at(state, stage)
            cost = _work(ahead, stage)
            # The other states of a list cost as much, and later lists have hardly fewer: what would be too much is
            # known at the first of them.
            if work + (left + 1) * cost + later > most_work:
                return None
            work += cost
            met_there.start(ahead, share)
            for outcome in distribution(ahead, model):
                new = chain.after(state, ahead, outcome.new_rating)
                met_there.end(new, share * outcome.probability)
        states = met_there.states
        every.append(met_there)
    return every


def _work(ahead: Ahead, stage: Stage) -> int:
    """What one state costs, in games rated: each total again where the sum alone does not enter the list."""
    if stage.against_field and not ahead.in_hundredths:
        steps = round(ahead.drawn.k_used or 1)  # a lattice of hundredths of a point, instead of hundredths of K
        sums = HUNDREDTHS * steps * stage.games if ahead.drawn.enter is None else 0
        return FOR_A_FIELD * steps * stage.against_field + sums * stage.games
    if ahead.drawn.enter is None:
        return stage.games * (2 * stage.games + 4)
    return _least_work(stage)


def _least_work(stage: Stage) -> int:
    """What a state costs where its sum enters the list as it is."""
    return FOR_A_GAME * stage.games + FOR_A_FIELD * stage.against_field
