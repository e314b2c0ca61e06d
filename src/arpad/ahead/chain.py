"""The chain of states behind a season: exact over the lattice of whole ratings, or played out by chance.

A state is all that the rules look at between two lists, and states that agree are merged. The work is bounded: what
would take more is played out by chance instead.
"""

from __future__ import annotations

from typing import NamedTuple

from arpad.ahead.distribution import distribution
from arpad.ahead.levels import peak_levels, peak_that_counts
from arpad.ahead.schedule import RESULTS, Model, curve, look, met, rating_met
from arpad.errors import BadInput
from arpad.model import LOSS, Field, Player

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from random import Random

    from arpad.ahead.outlook import Question
    from arpad.ahead.schedule import Ahead
    from arpad.contract import System
    from arpad.model import Game, PlannedEvent

MOST_LISTS = 60
MOST_WORK = 1_000_000  # games rated on the way: some ten seconds
MOST_SEASONS = 10_000  # played out by chance, if it comes to that
FEWEST_SEASONS = 100


class State(NamedTuple):
    """All that the rules look at between two lists; a rating of None is one below the floor, and stays."""

    rating: int | None
    peak: int | None
    games: int | None
    reached: bool


class Stage(NamedTuple):
    """The events that enter one list, and the day by which K and the rules are taken."""

    on: date
    events: tuple[PlannedEvent, ...]

    @property
    def games(self) -> int:
        """How many games it has."""
        return sum(len(event.pairings) for event in self.events)

    @property
    def has_field(self) -> bool:
        """Whether somebody is known only as a field."""
        return any(isinstance(one.opponent, Field) for event in self.events for one in event.pairings)


class Chain(NamedTuple):
    """A season ready to be gone through."""

    system: System
    player: Player
    stages: tuple[Stage, ...]
    asked: Question
    levels: tuple[int, ...]  # of the peak, those that K asks about on any of the days

    @property
    def start(self) -> State:
        """The player before the first list."""
        rating = whole_rating(self.player)
        peak = peak_that_counts(max(rating, self.player.peak or 0), self.levels)
        return State(rating, peak, self.player.games, self._has(rating))

    def _has(self, rating: int | None) -> bool:
        return self.asked.reach is not None and rating is not None and rating >= self.asked.reach

    def at(self, state: State, stage: Stage) -> Ahead:
        """A stage from a state."""
        player = self.player._replace(rating=state.rating, peak=state.peak, games=state.games)
        return look(self.system, player, stage.events, on=stage.on)

    def after(self, state: State, ahead: Ahead, new: int | None) -> State:
        """The state that a new rating makes."""
        peak = peak_that_counts(max(new or 0, state.peak or 0), self.levels)
        games = None if state.games is None else state.games + ahead.counted
        return State(new, peak, games, state.reached or self._has(new))

    def model(self, stage: Stage) -> Model:
        """What decides the results of a stage."""
        return Model(float(self.asked.strength), self.asked.draws, curve(self.system, stage.on))


def whole_rating(player: Player) -> int:
    """The rating a season starts from; FIDE's lists have whole ones, and the lattice is of whole ones."""
    rating = player.rating if player.rating is not None else player.standard
    if rating is None or int(rating) != rating:
        raise BadInput(f"A season starts from a whole rating, not from {rating}.", at="rating")
    return int(rating)


def chain_of(system: System, player: Player, events: Iterable[PlannedEvent], asked: Question, *, on: date) -> Chain:
    """A season ready to be gone through."""
    by_month = stages(events, on)
    levels = {level for stage in by_month for level in peak_levels(system, stage.on)}
    return Chain(system, player, by_month, asked, tuple(sorted(levels)))


def stages(events: Iterable[PlannedEvent], on: date) -> tuple[Stage, ...]:
    """The events by month; one without a day is on the day asked about."""
    months: dict[tuple[int, int], list[PlannedEvent]] = {}
    for event in events:
        dated = event._replace(on=event.on or on)
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


Shares = dict[State, float]


def exactly(chain: Chain, most_work: int) -> list[Shares] | None:
    """The states after each list with their probabilities; None if that would be too much work."""
    states: Shares = {chain.start: 1.0}
    every = []
    work = 0
    for stage in chain.stages:
        work += len(states) * stage.games * (2 * stage.games + 4)
        if work > most_work or (stage.has_field and len(states) > 1):
            return None
        model = chain.model(stage)
        after: Shares = {}
        for state, share in states.items():
            if state.rating is None:
                after[state] = after.get(state, 0.0) + share
                continue
            ahead = chain.at(state, stage)
            for outcome in distribution(ahead, model):
                new = chain.after(state, ahead, outcome.new_rating)
                after[new] = after.get(new, 0.0) + share * outcome.probability
        states = after
        every.append(states)
    return every


def seasons_within(chain: Chain, most_work: int) -> int:
    """How many seasons can be played out with the same work."""
    games = sum(stage.games * 2 for stage in chain.stages)
    return max(FEWEST_SEASONS, min(MOST_SEASONS, most_work // games))


def by_chance(chain: Chain, seasons: int) -> list[Shares]:
    """The states after each list, counted over seasons that were played out; the same every time it is asked."""
    from random import Random

    chance = Random(seasons)  # noqa: S311  # a simulation, not a secret
    models = [chain.model(stage) for stage in chain.stages]
    every: list[Shares] = [{} for _ in chain.stages]
    looked: dict[tuple[State, date], Ahead] = {}
    for _ in range(seasons):
        state = chain.start
        for stage, model, counted in zip(chain.stages, models, every, strict=True):
            if state.rating is not None:
                key = state, stage.on
                ahead = looked[key] if key in looked else looked.setdefault(key, chain.at(state, stage))
                new = ahead.rate(_played(ahead, model, chance)).new_rating
                state = chain.after(state, ahead, new)
            counted[state] = counted.get(state, 0.0) + 1 / seasons
    return every


def _played(ahead: Ahead, model: Model, chance: Random) -> list[Game]:
    """The games with results by chance."""
    games = [game[LOSS] for game in ahead.games]
    for no in ahead.open:
        opponents, shares = zip(*met(ahead, no), strict=True)
        game = chance.choices(opponents, shares)[0]
        chances = model.chances(rating_met(game[LOSS].opponent), ahead.pairings[no].colour)
        games[no] = game[chance.choices(RESULTS, chances)[0]]
    return games
