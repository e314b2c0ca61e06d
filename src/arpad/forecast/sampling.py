"""Simulated seasons, where the exact chain would be too much work; the same question always gets the same answer."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from arpad.core import LOSS
from arpad.forecast.chain import FOR_A_GAME, Carried, ListTally
from arpad.forecast.distribution import lattice_of
from arpad.forecast.schedule import RESULTS, opponent_rating, possible_opponents, whole_rating
from arpad.systems.glicko.rating import GlickoChange

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from random import Random

    from arpad.core import Game
    from arpad.forecast.chain import Chain, Stage, State
    from arpad.forecast.schedule import Ahead, Model
    from arpad.systems.answers import RatingChange

    Simulate = Callable[[Random], tuple[int | None, Carried | None]]  # plays a state's games once

MOST_SEASONS, MOST_GLICKO = 10_000, 1_000  # at most
FEWEST_SEASONS = 100
STATES = 400  # simulated seasons after which hardly any state is new
GLICKO = 20  # measured cost of a simulated game in Glicko's family, and of each list


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


def _by_sum(ahead: Ahead) -> bool:
    """Whether only the sum of the changes decides the new rating, and all of them are hundredths of K."""
    return ahead.by_sum and ahead.one_k and ahead.in_hundredths and not ahead.by_event


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


def _simulator(ahead: Ahead, model: Model, before: State) -> Simulate:
    """A function that plays a state's games at random and gives the new rating, and in Glicko's family the standing."""
    lattice = lattice_of(ahead, model) if _by_sum(ahead) else None
    if lattice is None or not lattice.exact:

        def by_games(random: Random) -> tuple[int | None, Carried | None]:
            new = ahead.rate(_played(ahead, model, random))
            return whole_rating(new.new_rating), _standing(new, before)

        return by_games
    alike = Counter(tuple((way.units, way.probability) for way in game) for game in lattice.ways)
    dice = [([units for units, _ in game], [share for _, share in game], times) for game, times in alike.items()]
    new_ratings: dict[int, int | None] = {}

    def by_sum(random: Random) -> tuple[int | None, Carried | None]:
        total = sum(sum(random.choices(units, shares, k=times)) for units, shares, times in dice)
        if total not in new_ratings:
            _, new_ratings[total] = ahead.entered(lattice.unit * total)
        return new_ratings[total], None

    return by_sum


def _standing(rated: RatingChange, before: State) -> Carried | None:
    """What carries over to the next list in Glicko's family."""
    if before.standing is None or not isinstance(rated, GlickoChange) or rated.new_rating is None:
        return None
    return Carried(rated.new_rating, rated.new_deviation, rated.new_volatility)


def _played(ahead: Ahead, model: Model, random: Random) -> list[Game]:
    """The games with random results."""
    games = [game[LOSS] for game in ahead.games]
    for no in ahead.open:
        opponents, shares = zip(*possible_opponents(ahead, no), strict=True)
        game = random.choices(opponents, shares)[0]
        chances = model.chances(opponent_rating(game[LOSS].opponent), ahead.pairings[no].colour)
        games[no] = game[random.choices(RESULTS, chances)[0]]
    return games
