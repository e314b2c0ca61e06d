"""The chance of a norm where opponents are not known: simulated from the field; and what their average decides.

In every run the opponents are drawn, and the games are judged by the same conditions as those of a real tournament.
Once the opponents are known, the chance is that of a score, which is exact; only where games may be left out, results
are drawn too. The draws do not depend on results so far: with one seed, more points never lower a chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import sqrt
from statistics import fmean, pstdev
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import HIGHEST_RATING, WIN, Field, Player
from arpad.core.tournaments import DOUBLE_ROUND_ROBIN, EVENT_KINDS
from arpad.errors import BadInput, UnknownName
from arpad.forecast.distribution import convolved
from arpad.forecast.opponents import Lineup
from arpad.forecast.targets import UNLIKELY, percent
from arpad.messages import Message, fixed, say
from arpad.tournaments.norms.conditions import (
    FID,
    WON,
    CountedGame,
    Setting,
    in_points,
    judge,
    least_games,
    least_halves,
    settle,
)
from arpad.tournaments.norms.games import Scoresheet
from arpad.tournaments.norms.needed import least_rating
from arpad.tournaments.norms.rules import NORMS, Edition, edition

if TYPE_CHECKING:
    from datetime import date
    from random import Random

    from arpad.core import Pairing, Rating
    from arpad.forecast.opponents import Person
    from arpad.forecast.schedule import Chances, Model
    from arpad.tournaments.norms.conditions import Verdict


KINDS = tuple(kind for kind in EVENT_KINDS if kind != DOUBLE_ROUND_ROBIN)  # where meeting an opponent twice matters
SEED = 1
MOST_RUNS = 2_500  # a sixth of a second, and less than one in a browser
LEAST_RUNS = 100
LEFT_OUT_RUNS = 10_000  # over the square of the games that may be left out: every choice of them is judged
DECIDED = ("score", "performance")  # the conditions that depend on results
REACH = 2.5  # spreads on either side of the field's average for which a table says what is needed
LEAST_REACH = 150  # points


class NormCase(NamedTuple):
    """A norm in an event: for which title and whom, in which games that count, by which rules."""

    title: str
    player: Player
    pairings: tuple[Pairing, ...]
    rounds: int
    spared: bool  # whether a round was a forfeit win
    rules: Edition
    setting: Setting

    @classmethod
    def of(cls, title: str, player: Player, pairings: Sequence[Pairing], on: date, kind: str) -> NormCase:
        """The norm, checked, by the edition in force when the event starts."""
        if title.upper() not in NORMS:
            raise UnknownName("title_with_norms", title, known=NORMS, at="norm")
        if kind not in KINDS:
            raise UnknownName("event_kind_ahead", kind, known=KINDS, at="event_kind")
        rules = edition(on)
        counted = tuple(pairing for pairing in pairings if _counts(pairing, rules))
        named = [pairing.opponent for pairing in counted if isinstance(pairing.opponent, Player)]
        for opponent in named:
            if opponent.rating is not None and not isinstance(opponent.rating, int):
                raise BadInput(say("forecast.refused.norm_whole", rating=opponent.rating), at="norm")
        spared = any(pairing.how == "forfeit" and pairing.score == WIN for pairing in pairings)
        # Fields have titles of their own; among named opponents alone, none at all means that they were not given.
        titles = len(named) < len(counted) or any(opponent.title for opponent in named)
        setting = Setting(kind, least_games(len(pairings), kind, rules.titles), titles=titles)
        return cls(title.upper(), player, counted, len(pairings), spared, rules, setting)

    @property
    def least_games(self) -> int:
        """The fewest games of a norm here."""
        return 0 if self.setting.games is None else self.setting.games.least

    @property
    def can_leave_out(self) -> bool:
        """Whether there are more games than a norm needs."""
        return len(self.pairings) > self.least_games

    @property
    def unpaired(self) -> tuple[Pairing, ...]:
        """The games against opponents who are not known yet."""
        return tuple(pairing for pairing in self.pairings if isinstance(pairing.opponent, Field))


def _counts(pairing: Pairing, rules: Edition) -> bool:
    """Whether a game counts for a norm once it is played (1.4.2)."""
    federation = pairing.opponent.federation if isinstance(pairing.opponent, Player) else None
    return pairing.how == "played" and not (federation == FID and rules.titles.fid.value == "left out")


def norm_game(pairing: Pairing, number: int) -> CountedGame:
    """A game against a named opponent; without a result it has no points yet."""
    opponent = pairing.opponent
    if isinstance(opponent, Field):
        raise TypeError("an opponent who is not known plays no game yet")
    rating = None if opponent.rating is None else int(opponent.rating)
    return CountedGame(rating, opponent.title, opponent.federation, int(WON * (pairing.score or 0)), number, number)


def simulate_norm(
    norm: NormCase, model: Model, *, lowest: int, seed: int = SEED, runs: int = MOST_RUNS
) -> tuple[float, NormSimulation]:
    """The mean chance of the norm over simulated events, and how it came about."""
    from random import Random

    if norm.can_leave_out:
        runs = min(runs, max(LEAST_RUNS, LEFT_OUT_RUNS // (len(norm.pairings) - norm.least_games) ** 2))
    random = Random(seed)  # noqa: S311  # a simulation, not a secret
    lineup = Lineup([pairing.opponent for pairing in norm.pairings], lowest)
    estimate = (_Played if norm.can_leave_out or norm.spared else _Exact)(norm, model)
    found: list[float] = []
    met: dict[str, float] = defaultdict(float)
    unknown: dict[str, bool] = {}
    for _ in range(runs):
        event = estimate.of(lineup.draw(random), random)
        found.append(event.chance)
        for condition in event.verdict.conditions:
            met[condition.name] += event.shares.get(condition.name, condition.met is not False)
            unknown[condition.name] = unknown.get(condition.name, False) or condition.met is None
    never_known = [say(f"steps.label.norm.{name}") for name, so in unknown.items() if so]
    taken = (say("notes.norm.taken_as_met", conditions=never_known),) if never_known else ()
    open_to_all = norm.title not in norm.rules.titles.women.value
    return fmean(found), NormSimulation(
        runs=runs,
        seed=seed,
        error=standard_error(found),
        conditions=tuple(
            ConditionChance(name=name, chance=met[name] / runs, known=not so)
            for name, so in unknown.items()
            if not (name == "sex" and open_to_all)
        ),
        by_average=tuple(what_pairings_decide(norm, model)),
        assumed=(*lineup.assumed, *taken),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NormSimulation:
    """How the chance of a norm was simulated: runs, seed and standard error; and how it depends on the opponents."""

    runs: int
    seed: int
    error: float  # the standard error of the chance
    conditions: tuple[ConditionChance, ...]
    by_average: tuple[NeededAgainst, ...]  # the highest score first
    assumed: tuple[Message, ...]  # about the opponents who are not known


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionChance:
    """A condition of a norm, and in what share of the simulated events it is met; taken as met if it is not known."""

    name: str
    chance: float
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededAgainst:
    """The least score that is enough if the opponents not yet paired have an average in a range; None is no limit.

    The chances are those of the score or more with all of them at that end of the range; the other conditions, on
    titles and federations, are not part of it.
    """

    from_average: int | None
    to_average: int | None
    score: Decimal  # in all games
    remaining: Decimal  # in the games to come
    chance_from: float | None
    chance_to: float | None

    @property
    def averages(self) -> Message:
        """The range of averages in words."""
        low, high = self.from_average, self.to_average
        key = (
            "any" if low is None and high is None else "up_to" if low is None else "from" if high is None else "between"
        )
        return say(f"forecast.norm.average.{key}", low=low, high=high)

    @property
    def chances(self) -> Message:
        """The chance of the score or more, from one end of the range to the other."""
        ends = [percent(chance) for chance in (self.chance_from, self.chance_to) if chance is not None]
        return say(f"forecast.norm.chances.{len(ends)}", first=ends[0], last=ends[-1])

    def holds(self, average: Rating) -> bool:
        """Whether an average is in the range."""
        return (self.from_average or 0) <= average <= (self.to_average or HIGHEST_RATING)


def standard_error(chances: Sequence[float]) -> float:
    """The standard error of a mean; at an end of the scale that of one case among the runs, because none was seen."""
    mean, runs = fmean(chances), len(chances)
    return 1 / runs if mean in (0, 1) else pstdev(chances, mean) / sqrt(runs)


def simulated_percent(chance: float, error: float, *, brief: bool = False) -> Message:
    """A simulated chance in percent, without digits that are noise; near an end of the scale it is only a bound.

    `brief` writes a bound with a sign, for tables.
    """
    decimals = 0 if error >= 0.0025 else 1 if error >= 0.00025 else 2
    shown, near = fixed(100 * chance, decimals), min(chance, 1 - chance)
    if near and shown not in (fixed(0, decimals), fixed(100, decimals)):
        return say("forecast.percent", percent=shown)
    # With no case in n runs the chance is below 3 / n, 95 times of 100; the error of none is that of one.
    bound = min(1, max(UNLIKELY, near + 2 * error if near else 3 * error))
    edges = ("chances.under", "chances.over") if brief else ("forecast.percent.hardly", "forecast.percent.nearly")
    high = chance > 0.5
    return say(edges[high], percent=fixed(100 * (1 - bound if high else bound), 2))


class _Estimate(NamedTuple):
    """A simulated event: the chance of a norm in it, the verdict, and the chances of conditions it does not decide."""

    chance: float
    verdict: Verdict
    shares: Mapping[str, float] = MappingProxyType({})


class _Simulated:
    """The games of an event, once the opponents are drawn."""

    def __init__(self, norm: NormCase, model: Model) -> None:
        self.norm = norm
        self._model = model
        self._halves = [None if pairing.score is None else int(WON * pairing.score) for pairing in norm.pairings]
        self._leaves_out = FID if norm.rules.titles.fid.value == "left out" else ""
        self._known: dict[tuple[int | None, str | None], Chances] = {}

    def games(self, people: Sequence[Person]) -> Iterator[tuple[CountedGame, Chances | None]]:
        """The games that count, with the chances of those that are not played yet."""
        seats = zip(people, self.norm.pairings, self._halves, strict=True)
        for number, (person, pairing, halves) in enumerate(seats, start=1):
            if person[2] == self._leaves_out:
                continue
            if halves is not None:
                yield CountedGame(*person, halves, number, number), None
                continue
            key = person[0], pairing.colour
            if key not in self._known:  # most ratings are drawn again and again
                self._known[key] = self._model.chances(person[0] or 0, pairing.colour)
            yield CountedGame(*person, WON, number, number), self._known[key]


class _Exact(_Simulated):
    """All games count, so once the opponents are known only the score decides."""

    def __init__(self, norm: NormCase, model: Model) -> None:
        super().__init__(norm, model)
        self._least: dict[tuple[int | None, int], int | None] = {}

    def of(self, people: Sequence[Person], _: Random) -> _Estimate:
        """The chance of the least score that is enough, if everything else is met."""
        drawn = list(self.games(people))
        norm, games = self.norm, [game for game, _ in drawn]
        verdict = judge(norm.title, norm.player, games, norm.rules, norm.setting)
        made = sum(game.halves for game, chances in drawn if chances is None)
        by_halves = convolved(chances for _, chances in drawn if chances is not None)
        key = verdict.average, len(games)
        if key not in self._least:
            self._least[key] = least_halves(verdict, norm.rules)

        def reaches(halves: int | None) -> float:
            return 0.0 if halves is None else min(1.0, sum(by_halves[max(0, halves - made) :]))

        shares = {
            "score": reaches(norm.rules.titles.score.value.halves(len(games))),
            "performance": reaches(self._least[key]),
        }
        others = all(condition.met is not False for condition in verdict.conditions if condition.name not in DECIDED)
        return _Estimate(shares["performance"] if others else 0.0, verdict, shares)


class _Played(_Simulated):
    """Some games may be left out, or one may be missing, so it matters which games are won: they are played."""

    def of(self, people: Sequence[Person], random: Random) -> _Estimate:
        """One, or zero, by whether the games are a norm."""
        games = []
        for game, chances in self.games(people):
            if chances is None:
                games.append(game)
                continue
            point = random.random()
            halves = WON if point < chances[0] else 1 if point < chances[0] + chances[1] else 0
            games.append(game._replace(halves=halves))
        norm = self.norm
        sheet = Scoresheet(tuple(games), spared=norm.spared, rounds=norm.rounds)
        verdict = settle(norm.title, norm.player, sheet, norm.rules, norm.setting)
        return _Estimate(float(verdict.met is not False), verdict)


def what_pairings_decide(norm: NormCase, model: Model) -> Iterator[NeededAgainst]:
    """The scores that may be enough, each with the averages of the opponents not yet paired for which it is."""
    unpaired = norm.unpaired
    named = [pairing for pairing in norm.pairings if not isinstance(pairing.opponent, Field)]
    games = tuple(norm_game(pairing, number) for number, pairing in enumerate(named, start=1))
    sheet = Scoresheet(games, rounds=norm.rounds)
    made = sum(game.halves for game in games)
    to_play = [model.against(pairing) for pairing in named if pairing.score is None]
    fields = [pairing.opponent for pairing in unpaired if isinstance(pairing.opponent, Field)]
    middle = sum(float(field.average) for field in fields) / len(fields)
    reach = max(LEAST_REACH, REACH * max(float(field.spread) for field in fields))

    def chance(average: int | None, halves: int) -> float | None:
        if average is None:
            return None
        against = [model.chances(average, pairing.colour) for pairing in unpaired]
        return min(1.0, sum(convolved([*to_play, *against])[max(0, halves - made) :]))

    most = made + WON * (len(to_play) + len(unpaired))
    least = norm.rules.titles.score.value.halves(len(norm.pairings))
    lowest = {
        halves: least_rating(norm.title, sheet, len(unpaired), halves, norm.rules)
        for halves in range(max(made, least), most + 1)
    }
    for halves in reversed(lowest):
        above = lowest.get(halves - 1, HIGHEST_RATING + 1)  # from there on, half a point less is enough
        start = lowest[halves]
        if above is None or (start is not None and start >= above):
            continue  # half a point less is always enough
        end = None if above > HIGHEST_RATING else above - 1
        if (start is not None and start > middle + reach) or (end is not None and end < middle - reach):
            continue
        yield NeededAgainst(
            from_average=start,
            to_average=end,
            score=in_points(halves),
            remaining=in_points(halves - made),
            chance_from=chance(round(middle) if start is None and end is None else start, halves),
            chance_to=chance(end, halves),
        )
