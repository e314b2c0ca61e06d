"""The Markov chain behind a season: from the possible states before a list to those after it, with exact chances.

A state is everything that the rules look at between two lists (rating, peak, games), and equal states are merged. The
work is bounded: what would take more is simulated instead (`by_chance`), and so is every season in a system with
deviations, which are not whole numbers and hardly ever equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import LOSS, EloStanding, Field, GlickoStanding, Player
from arpad.core.numbers import decimal, half_up
from arpad.errors import BadInput
from arpad.forecast.distribution import distribution, lattice_of
from arpad.forecast.schedule import RESULTS, Model, look, opponent_rating, possible_opponents, rater, whole_rating
from arpad.forecast.targets import peak_levels, peak_that_counts
from arpad.messages import say
from arpad.systems.glicko.rating import GlickoChange

if TYPE_CHECKING:
    from random import Random

    from arpad.calculation.answer import Text
    from arpad.calculation.step import Step
    from arpad.core import Game, PlannedEvent, Rating
    from arpad.forecast.schedule import Ahead
    from arpad.forecast.typical import Aim
    from arpad.systems.answers import RatingChange
    from arpad.systems.base import System

    Simulate = Callable[[Random], tuple[int | None, "GlickoState | None"]]  # plays a state's games once


MOST_LISTS = 60
MOST_WORK = 200_000  # games rated: about two seconds, which a page can wait for
FOR_A_GAME, FOR_A_FIELD = 4, 300  # measured cost of a game by its sum, and against a field; rating a game is 1
HUNDREDTHS = 100  # of a point
MOST_SEASONS, MOST_GLICKO = 10_000, 1_000  # at most
FEWEST_SEASONS = 100
STATES = 400  # simulated seasons after which hardly any state is new
GLICKO = 20  # measured cost of a simulated game in Glicko's family, and of each list


def chain_of(
    system: System, player: Player, by_month: tuple[Stage, ...], aim: Aim, *, watched: Iterable[int] = ()
) -> Chain:
    """A season ready to be calculated; a peak matters only at the levels that decide K and at those watched."""
    levels = {level for stage in by_month for level in peak_levels(system, stage.on)}
    return Chain(system, player, by_month, aim, tuple(sorted({*levels, *watched})))


class Chain(NamedTuple):
    """A season ready to be calculated."""

    system: System
    player: Player
    stages: tuple[Stage, ...]
    aim: Aim
    levels: tuple[int, ...]  # peaks that matter: those that decide K on any of the days, and those watched

    @property
    def start(self) -> State:
        """The player before the first list."""
        player, glicko, elo = self.player, GlickoStanding.of(self.player), EloStanding.of(self.player)
        rating = start_rating(player) if glicko.deviation is None else half_up(decimal(player.rating or 0))
        peak = peak_that_counts(max(rating, elo.peak or 0), self.levels)
        standing = None
        if player.rating is not None and glicko.deviation is not None:
            standing = GlickoState(player.rating, glicko.deviation, glicko.volatility)
        return State(rating, peak, elo.games, self._reaches_target(rating), standing)

    def _reaches_target(self, rating: int | None) -> bool:
        return self.aim.target is not None and rating is not None and rating >= self.aim.target

    def at(self, state: State, stage: Stage) -> Ahead:
        """The games of a stage for a player in this state."""
        return look(self.system, self._player(state), stage.events, on=stage.on)

    def stage_from(self, ahead: Ahead, state: State, stage: Stage) -> Ahead:
        """The same games for another state; in Glicko's family the rating never decides which games count."""
        return ahead._replace(rate=rater(self.system, self._player(state), stage.events, stage.on))

    def _player(self, state: State) -> Player:
        if state.standing is not None:
            return replace(self.player, standing=GlickoStanding(*state.standing))
        if isinstance(self.player.standing, EloStanding):
            standing = replace(self.player.standing, rating=state.rating, peak=state.peak, games=state.games)
            return replace(self.player, standing=standing)
        return replace(self.player, standing=replace(self.player.standing, rating=state.rating))

    def after(self, state: State, ahead: Ahead, new: int | None, standing: GlickoState | None = None) -> State:
        """The state after a list with this new rating."""
        peak = peak_that_counts(max(new or 0, state.peak or 0), self.levels)
        games = None if state.games is None else state.games + ahead.counted
        return State(new, peak, games, state.reached or self._reaches_target(new), standing)

    def model(self, stage: Stage) -> Model:
        """What decides the results of a stage."""
        return Model.on(stage.on, self.system, self.aim.strength, self.aim.draws)


class State(NamedTuple):
    """Everything the rules look at between two lists; a rating of None is below the floor, and stays None."""

    rating: int | None
    peak: int | None
    games: int | None
    reached: bool
    standing: GlickoState | None = None  # only in Glicko's family, where nothing is rounded


class GlickoState(NamedTuple):
    """What goes from list to list in Glicko's family, unrounded."""

    rating: Rating
    deviation: Rating
    volatility: Rating | None


class Stage(NamedTuple):
    """The events that enter one list, and the day whose K and rules apply."""

    on: date
    events: tuple[PlannedEvent, ...]

    @property
    def games(self) -> int:
        """How many games it has."""
        return sum(len(event.pairings) for event in self.events)

    @property
    def against_field(self) -> int:
        """How many of its games are against opponents known only as a field."""
        return sum(isinstance(pairing.opponent, Field) for event in self.events for pairing in event.pairings)


class ListTally:
    """What can happen up to one list, with chances: the states after it, each K used, and the games not rated."""

    def __init__(self) -> None:
        self.states: dict[State, float] = {}
        self.k: dict[tuple[str, Rating], tuple[Step, float]] = {}
        self.not_rated: dict[int, list[tuple[Text | None, float]]] = {}  # by game: why, and with what chance

    def start(self, ahead: Ahead, share: float) -> None:
        """Count the K and the unrated games of a state with this probability."""
        step = ahead.drawn.k_step
        if step is not None:
            first, so_far = self.k.get((step.key, step.value), (step, 0.0))
            self.k[step.key, step.value] = first, so_far + share
        for no, line in enumerate(ahead.drawn.per_game, start=1):
            if line.rated:
                continue
            # The share is added to that of the same reason, which then comes last.
            reasons = self.not_rated.get(no, [])
            before = next((chance for reason, chance in reasons if reason == line.why), 0.0)
            others = [(reason, chance) for reason, chance in reasons if reason != line.why]
            self.not_rated[no] = [*others, (line.why, before + share)]

    def end(self, state: State, share: float) -> None:
        """Count a state after the list."""
        self.states[state] = self.states.get(state, 0.0) + share


def stages(events: Iterable[PlannedEvent], on: date) -> tuple[Stage, ...]:
    """The events grouped by month; an event without a date is on `on`."""
    months: dict[tuple[int, int], list[PlannedEvent]] = {}
    for event in events:
        dated = replace(event, on=event.on or on)
        if not event.pairings:
            raise BadInput(say("forecast.refused.empty_event"), at="event")
        months.setdefault(((event.on or on).year, (event.on or on).month), []).append(dated)
    if not months:
        raise BadInput(say("forecast.refused.no_events"), at="event")
    if len(months) > MOST_LISTS:
        raise BadInput(say("forecast.refused.lists", lists=len(months), most=MOST_LISTS), at="event")
    return tuple(
        Stage(max(event.on or on for event in group), tuple(sorted(group, key=lambda event: event.on or on)))
        for _, group in sorted(months.items())
    )


def start_rating(player: Player) -> int:
    """The rating a season starts from; it must be whole, as the ratings on a list are."""
    rating = player.rating_used
    if rating is None or int(rating) != rating:
        raise BadInput(say("forecast.refused.whole_start", rating=rating), at="rating")
    return int(rating)


def exactly(chain: Chain, most_work: int) -> list[ListTally] | None:
    """Each list with the states after it and their probabilities; None if that would be too much work."""
    if chain.start.standing is not None:
        return None
    states = {chain.start: 1.0}
    tallies = []
    work = 0
    for number, stage in enumerate(chain.stages, start=1):
        model = chain.model(stage)
        tally = ListTally()
        later = len(states) * sum(map(_least_work, chain.stages[number:]))
        left = len(states)
        for state, share in states.items():
            left -= 1
            if state.rating is None:
                tally.end(state, share)
                continue
            ahead = chain.at(state, stage)
            cost = _work(ahead, stage)
            # The other states of this list cost about the same, and later lists have hardly fewer states, so too much
            # work is noticed at the first state.
            if work + (left + 1) * cost + later > most_work:
                return None
            work += cost
            tally.start(ahead, share)
            for outcome, _ in distribution(ahead, model):
                new = chain.after(state, ahead, outcome.new_rating)
                tally.end(new, share * outcome.probability)
        states = tally.states
        tallies.append(tally)
    return tallies


def _work(ahead: Ahead, stage: Stage) -> int:
    """What one state costs, in games rated; where the sum does not decide the rating, every total is rated again."""
    if stage.against_field and not ahead.in_hundredths:
        steps = round(ahead.k or 1)  # a lattice of hundredths of a point, instead of hundredths of K
        sums = 0 if ahead.by_sum else HUNDREDTHS * steps * stage.games
        return FOR_A_FIELD * steps * stage.against_field + sums * stage.games
    if not ahead.by_sum:
        return stage.games * (2 * stage.games + 4)
    return _least_work(stage)


def _least_work(stage: Stage) -> int:
    """What a state costs where only the sum of the changes decides the new rating."""
    return FOR_A_GAME * stage.games + FOR_A_FIELD * stage.against_field


def seasons_within(chain: Chain, most_work: int) -> int:
    """How many seasons can be simulated within `most_work`."""
    if chain.start.standing is not None:
        seasons = most_work // sum(GLICKO * (1 + stage.games) for stage in chain.stages)
        return max(FEWEST_SEASONS, min(MOST_GLICKO, seasons))
    games = sum(stage.games for stage in chain.stages)
    again = games * (1 if _by_sum(chain.at(chain.start, chain.stages[0])) else 2)
    seasons = most_work // (FOR_A_GAME * games)
    if seasons > STATES:
        seasons = STATES + (most_work - STATES * FOR_A_GAME * games) // again
    return max(FEWEST_SEASONS, min(MOST_SEASONS, seasons))


def by_chance(chain: Chain, seasons: int) -> list[ListTally]:
    """Each list with the states after it, counted over simulated seasons; every call gives the same."""
    from random import Random

    random = Random(seasons)  # noqa: S311  # a simulation, not a secret
    models = [chain.model(stage) for stage in chain.stages]
    tallies = [ListTally() for _ in chain.stages]
    simulators: dict[tuple[State, date], tuple[Ahead, Simulate]] = {}
    first_look: dict[date, Ahead] = {}

    def simulator_of(state: State, stage: Stage, model: Model) -> tuple[Ahead, Simulate]:
        if state.standing is not None:  # hardly any state occurs twice
            if stage.on not in first_look:
                first_look[stage.on] = chain.at(state, stage)
            ahead = chain.stage_from(first_look[stage.on], state, stage)
            return ahead, _simulator(ahead, model, state)
        if (state, stage.on) not in simulators:
            ahead = chain.at(state, stage)
            simulators[state, stage.on] = ahead, _simulator(ahead, model, state)
        return simulators[state, stage.on]

    for _ in range(seasons):
        state = chain.start
        for stage, model, tally in zip(chain.stages, models, tallies, strict=True):
            if state.rating is not None:
                ahead, simulate = simulator_of(state, stage, model)
                tally.start(ahead, 1 / seasons)
                state = chain.after(state, ahead, *simulate(random))
            tally.end(state, 1 / seasons)
    return tallies


def _by_sum(ahead: Ahead) -> bool:
    """Whether only the sum of the changes decides the new rating, and all of them are hundredths of K."""
    return ahead.by_sum and ahead.one_k and ahead.in_hundredths and not ahead.by_event


def _simulator(ahead: Ahead, model: Model, before: State) -> Simulate:
    """A function that plays a state's games at random and gives the new rating, and in Glicko's family the standing."""
    lattice = lattice_of(ahead, model) if _by_sum(ahead) else None
    if lattice is None or not lattice.exact:

        def by_games(random: Random) -> tuple[int | None, GlickoState | None]:
            new = ahead.rate(_played(ahead, model, random))
            return whole_rating(new.new_rating), _standing(new, before)

        return by_games
    alike = Counter(tuple((way.units, way.probability) for way in game) for game in lattice.ways)
    dice = [([units for units, _ in game], [share for _, share in game], times) for game, times in alike.items()]
    new_ratings: dict[int, int | None] = {}

    def by_sum(random: Random) -> tuple[int | None, GlickoState | None]:
        total = sum(sum(random.choices(units, shares, k=times)) for units, shares, times in dice)
        if total not in new_ratings:
            _, new_ratings[total] = ahead.entered(lattice.unit * total)
        return new_ratings[total], None

    return by_sum


def _played(ahead: Ahead, model: Model, random: Random) -> list[Game]:
    """The games with random results."""
    games = [game[LOSS] for game in ahead.games]
    for no in ahead.open:
        opponents, shares = zip(*possible_opponents(ahead, no), strict=True)
        game = random.choices(opponents, shares)[0]
        chances = model.chances(opponent_rating(game[LOSS].opponent), ahead.pairings[no].colour)
        games[no] = game[random.choices(RESULTS, chances)[0]]
    return games


def _standing(rated: RatingChange, before: State) -> GlickoState | None:
    """What carries over to the next list in Glicko's family."""
    if before.standing is None or not isinstance(rated, GlickoChange) or rated.new_rating is None:
        return None
    return GlickoState(rated.new_rating, rated.new_deviation, rated.new_volatility)
