"""Seasons simulated, where the exact chain would be too much work; the same question gets the same simulation."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from arpad.core import LOSS
from arpad.forecast.chain import FOR_A_GAME, Carried, ListTally
from arpad.forecast.distribution import lattice_of
from arpad.forecast.schedule import RESULTS, opponent_rating, possible_opponents, whole_rating
from arpad.systems.glicko.answer import GlickoChange

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from random import Random

    from arpad.core import Game
    from arpad.forecast.chain import Chain, Stage, State
    from arpad.forecast.schedule import Ahead, Model
    from arpad.systems.rating_change import RatingChange

    Throw = Callable[[Random], tuple[int | None, Carried | None]]  # one way the games of a state end

MOST_SEASONS, MOST_GLICKO = 10_000, 1_000  # simulated at most
FEWEST_SEASONS = 100
STATES = 400  # after which a simulated list has hardly any new ones
GLICKO = 20  # what a simulated game costs in Glicko's family, and each list as well: measured


def seasons_within(chain: Chain, most_work: int) -> int:
    """How many seasons can be simulated with the same work."""
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
    """Whether the games enter the list by the sum of changes that are all hundredths of K."""
    return ahead.by_sum and ahead.one_k and ahead.in_hundredths and not ahead.by_event


def by_chance(chain: Chain, seasons: int) -> list[ListTally]:
    """Each list with the states after it, counted over simulated seasons; the same every time."""
    from random import Random

    chance = Random(seasons)  # noqa: S311  # a simulation, not a secret
    models = [chain.model(stage) for stage in chain.stages]
    tallies = [ListTally() for _ in chain.stages]
    known: dict[tuple[State, date], tuple[Ahead, Throw]] = {}
    looked: dict[date, Ahead] = {}

    def begun(state: State, stage: Stage, model: Model) -> tuple[Ahead, Throw]:
        if state.standing is not None:  # hardly any state comes twice
            if stage.on not in looked:
                looked[stage.on] = chain.at(state, stage)
            ahead = chain.stage_from(looked[stage.on], state, stage)
            return ahead, _throw(ahead, model, state)
        if (state, stage.on) not in known:
            ahead = chain.at(state, stage)
            known[state, stage.on] = ahead, _throw(ahead, model, state)
        return known[state, stage.on]

    for _ in range(seasons):
        state = chain.start
        for stage, model, tally in zip(chain.stages, models, tallies, strict=True):
            if state.rating is not None:
                ahead, throw = begun(state, stage, model)
                tally.start(ahead, 1 / seasons)
                state = chain.after(state, ahead, *throw(chance))
            tally.end(state, 1 / seasons)
    return tallies


def _throw(ahead: Ahead, model: Model, before: State) -> Throw:
    """How the games from one state are simulated: on the lattice of changes where they enter the list by their sum."""
    lattice = lattice_of(ahead, model) if _by_sum(ahead) else None
    if lattice is None or not lattice.exact:

        def rated(chance: Random) -> tuple[int | None, Carried | None]:
            new = ahead.rate(_played(ahead, model, chance))
            return whole_rating(new.new_rating), _standing(new, before)

        return rated
    alike = Counter(tuple((way.units, way.probability) for way in game) for game in lattice.ways)
    dice = [([units for units, _ in game], [share for _, share in game], times) for game, times in alike.items()]
    after: dict[int, int | None] = {}

    def thrown(chance: Random) -> tuple[int | None, Carried | None]:
        total = sum(sum(chance.choices(units, shares, k=times)) for units, shares, times in dice)
        if total not in after:
            _, after[total] = ahead.entered(lattice.unit * total)
        return after[total], None

    return thrown


def _standing(rated: RatingChange, before: State) -> Carried | None:
    """What carries over to the next list in Glicko's family."""
    if before.standing is None or not isinstance(rated, GlickoChange) or rated.new_rating is None:
        return None
    return Carried(rated.new_rating, rated.new_deviation, rated.new_volatility)


def _played(ahead: Ahead, model: Model, chance: Random) -> list[Game]:
    """The games with results by chance."""
    games = [game[LOSS] for game in ahead.games]
    for no in ahead.open:
        opponents, shares = zip(*possible_opponents(ahead, no), strict=True)
        game = chance.choices(opponents, shares)[0]
        chances = model.chances(opponent_rating(game[LOSS].opponent), ahead.pairings[no].colour)
        games[no] = game[chance.choices(RESULTS, chances)[0]]
    return games
