"""The chain of states behind a season: exact over the lattice of whole ratings, or played out by chance.

A state is all that the rules look at between two lists, and states that agree are merged. The work is bounded: what
would take more is played out by chance instead, and so is whatever has a deviation, which no lattice holds.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from arpad.ahead.distribution import changes, distribution, whole_new
from arpad.ahead.levels import peak_levels, peak_that_counts
from arpad.ahead.schedule import RESULTS, Model, curve, look, met, rater, rating_met
from arpad.errors import BadInput
from arpad.model import LOSS, Field, Player
from arpad.rounding import decimal, half_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date
    from random import Random

    from arpad.ahead.outlook import Question
    from arpad.ahead.schedule import Ahead
    from arpad.contract import Rated, System
    from arpad.model import Game, PlannedEvent, Rating
    from arpad.trail import Step

    Throw = Callable[[Random], tuple[int | None, "Standing | None"]]  # one way the games of a state end

MOST_LISTS = 60
MOST_WORK = 200_000  # games rated on the way: some two seconds, so that a page may wait for it
FOR_A_GAME, FOR_A_FIELD = 4, 300  # what a game costs by its sum alone, and against a field, beside rating one: measured
MOST_SEASONS = 10_000  # played out by chance, if it comes to that
FEWEST_SEASONS = 100
HUNDRED = 100
STATES = 400  # after which a list played out by chance has hardly any new ones
GLICKO = 10  # what a game played out costs in Glicko's family, and each list as well: measured


class State(NamedTuple):
    """All that the rules look at between two lists; a rating of None is one below the floor, and stays."""

    rating: int | None
    peak: int | None
    games: int | None
    reached: bool
    standing: Standing | None = None  # in Glicko's family, which does not round


class Standing(NamedTuple):
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
    asked: Question
    levels: tuple[int, ...]  # of the peak, those that K asks about on any of the days, and those that are watched

    @property
    def start(self) -> State:
        """The player before the first list."""
        player = self.player
        rating = whole_rating(player) if player.deviation is None else half_up(decimal(player.rating or 0))
        peak = peak_that_counts(max(rating, player.peak or 0), self.levels)
        standing = None
        if player.rating is not None and player.deviation is not None:
            standing = Standing(player.rating, player.deviation, player.volatility)
        return State(rating, peak, player.games, self._has(rating), standing)

    def _has(self, rating: int | None) -> bool:
        return self.asked.reach is not None and rating is not None and rating >= self.asked.reach

    def at(self, state: State, stage: Stage) -> Ahead:
        """A stage from a state."""
        return look(self.system, self._player(state), stage.events, on=stage.on)

    def again(self, ahead: Ahead, state: State, stage: Stage) -> Ahead:
        """A stage from another state, in Glicko's family, where no rating decides which games count."""
        return ahead._replace(rate=rater(self.system, self._player(state), stage.events, stage.on))

    def _player(self, state: State) -> Player:
        player = self.player._replace(rating=state.rating, peak=state.peak, games=state.games)
        return player if state.standing is None else player._replace(**state.standing._asdict())

    def after(self, state: State, ahead: Ahead, new: int | None, standing: Standing | None = None) -> State:
        """The state that a new rating makes."""
        peak = peak_that_counts(max(new or 0, state.peak or 0), self.levels)
        games = None if state.games is None else state.games + ahead.counted
        return State(new, peak, games, state.reached or self._has(new), standing)

    def model(self, stage: Stage) -> Model:
        """What decides the results of a stage."""
        return Model(float(self.asked.strength), self.asked.draws, curve(self.system, stage.on))


def whole_rating(player: Player) -> int:
    """The rating a season starts from; FIDE's lists have whole ones, and the lattice is of whole ones."""
    rating = player.rating if player.rating is not None else player.standard
    if rating is None or int(rating) != rating:
        raise BadInput(f"A season starts from a whole rating, not from {rating}.", at="rating")
    return int(rating)


def chain_of(
    system: System, player: Player, by_month: tuple[Stage, ...], asked: Question, *, watched: Iterable[int] = ()
) -> Chain:
    """A season ready to be gone through; levels that are watched are told apart beside those that K asks about."""
    levels = {level for stage in by_month for level in peak_levels(system, stage.on)}
    return Chain(system, player, by_month, asked, tuple(sorted({*levels, *watched})))


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
        sums = HUNDRED * steps * stage.games if ahead.drawn.enter is None else 0
        return FOR_A_FIELD * steps * stage.against_field + sums * stage.games
    if ahead.drawn.enter is None:
        return stage.games * (2 * stage.games + 4)
    return _least_work(stage)


def _least_work(stage: Stage) -> int:
    """What a state costs where its sum enters the list as it is."""
    return FOR_A_GAME * stage.games + FOR_A_FIELD * stage.against_field


def seasons_within(chain: Chain, most_work: int) -> int:
    """How many seasons can be played out with the same work."""
    if chain.start.standing is not None:
        fewest = most_work // sum(GLICKO * (1 + stage.games) for stage in chain.stages)
        return max(FEWEST_SEASONS, min(MOST_SEASONS, fewest))
    games = sum(stage.games for stage in chain.stages)
    again = games * (1 if _by_sum(chain.at(chain.start, chain.stages[0])) else 2)
    seasons = most_work // (FOR_A_GAME * games)
    if seasons > STATES:
        seasons = STATES + (most_work - STATES * FOR_A_GAME * games) // again
    return max(FEWEST_SEASONS, min(MOST_SEASONS, seasons))


def _by_sum(ahead: Ahead) -> bool:
    """Whether the games enter the list by the sum of changes that are all hundredths of K."""
    return ahead.drawn.enter is not None and ahead.one_k and ahead.in_hundredths and not ahead.by_event


def by_chance(chain: Chain, seasons: int) -> list[Met]:
    """Each list with the states after it, counted over seasons that were played out; the same every time."""
    from random import Random

    chance = Random(seasons)  # noqa: S311  # a simulation, not a secret
    models = [chain.model(stage) for stage in chain.stages]
    every = [Met() for _ in chain.stages]
    known: dict[tuple[State, date], tuple[Ahead, Throw]] = {}
    looked: dict[date, Ahead] = {}

    def begun(state: State, stage: Stage, model: Model) -> tuple[Ahead, Throw]:
        if state.standing is not None:  # hardly any state comes twice
            if stage.on not in looked:
                looked[stage.on] = chain.at(state, stage)
            ahead = chain.again(looked[stage.on], state, stage)
            return ahead, _throw(ahead, model, state)
        if (state, stage.on) not in known:
            ahead = chain.at(state, stage)
            known[state, stage.on] = ahead, _throw(ahead, model, state)
        return known[state, stage.on]

    for _ in range(seasons):
        state = chain.start
        for stage, model, met_there in zip(chain.stages, models, every, strict=True):
            if state.rating is not None:
                ahead, throw = begun(state, stage, model)
                met_there.start(ahead, 1 / seasons)
                state = chain.after(state, ahead, *throw(chance))
            met_there.end(state, 1 / seasons)
    return every


def _throw(ahead: Ahead, model: Model, before: State) -> Throw:
    """How the games from one state are played out: on the lattice of changes where they enter the list by their sum."""
    enter = ahead.drawn.enter
    lattice = changes(ahead, model) if _by_sum(ahead) else None
    if enter is None or lattice is None or not lattice.exact:

        def rated(chance: Random) -> tuple[int | None, Standing | None]:
            new = ahead.rate(_played(ahead, model, chance))
            return whole_new(new), _standing(new, before)

        return rated
    alike = Counter(tuple((way.units, way.probability) for way in game) for game in lattice.ways)
    dice = [([units for units, _ in game], [share for _, share in game], times) for game, times in alike.items()]
    after: dict[int, int | None] = {}

    def thrown(chance: Random) -> tuple[int | None, Standing | None]:
        total = sum(sum(chance.choices(units, shares, k=times)) for units, shares, times in dice)
        if total not in after:
            _, after[total] = enter(lattice.unit * total)
        return after[total], None

    return thrown


def _standing(rated: Rated, before: State) -> Standing | None:
    """What goes to the next list in Glicko's family."""
    if before.standing is None:
        return None
    new: Any = rated
    volatility = None if new.new_volatility is None else decimal(new.new_volatility)
    return Standing(decimal(new.new_rating), decimal(new.new_deviation), volatility)


def _played(ahead: Ahead, model: Model, chance: Random) -> list[Game]:
    """The games with results by chance."""
    games = [game[LOSS] for game in ahead.games]
    for no in ahead.open:
        opponents, shares = zip(*met(ahead, no), strict=True)
        game = chance.choices(opponents, shares)[0]
        chances = model.chances(rating_met(game[LOSS].opponent), ahead.pairings[no].colour)
        games[no] = game[chance.choices(RESULTS, chances)[0]]
    return games
