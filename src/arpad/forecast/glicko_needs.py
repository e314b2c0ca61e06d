"""What is needed where ratings have deviations: Glicko, Glicko-2, Lichess, Chess.com.

There a score alone decides nothing: it matters who is beaten and, on the sites, in which order. So each score has a
lowest and a highest new rating. In one rating period a game counts for more the surer the opponent's rating is, which
gives both exactly. On the sites, where each game starts from the last one, all results are tried if there are few;
otherwise the lowest and the highest rating after every game are followed, which comes close to both.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import chain, product
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.step import Step, known
from arpad.core import DRAW, HIGHEST_RATING, LOSS, LOWEST_RATING, WIN, Game, GlickoStanding, Player
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.glicko.rating import GlickoChange, GlickoSystem

if TYPE_CHECKING:
    from datetime import date

    from arpad.core import Pace, Rating
    from arpad.messages import Message


MOST_ONE_BY_ONE = 25  # games on a site: each game is rated after every score, about a second
MOST_TRIED = 6  # games on a site of which all results are tried
HALVES = {0: LOSS, 1: DRAW, 2: WIN}
Results = Mapping[int, tuple[Decimal, ...]]  # by half points: the score against each opponent


class ScoreRange(NamedTuple):
    """What a score gives at least and at most, with the results that lead there."""

    lowest: GlickoChange
    highest: GlickoChange
    highest_results: tuple[Decimal, ...]  # in the order of the opponents


def score_ranges(
    system: GlickoSystem, player: Player, opponents: Sequence[Player], on: date, pace: Pace | None
) -> list[ScoreRange]:
    """The range of every score against these opponents, no points first."""
    if system.one_by_one and len(opponents) > MOST_ONE_BY_ONE:
        said = say("forecast.refused.one_by_one", system=system.name, games=len(opponents), most=MOST_ONE_BY_ONE)
        raise BadInput(said, at="against")
    find = _followed if system.one_by_one else _by_weight
    lowest, highest = find(system, player, opponents, on)

    def rated(results: tuple[Decimal, ...]) -> GlickoChange:
        games = [Game(opponent, score) for opponent, score in zip(opponents, results, strict=True)]
        change = system.rate(player, games, on=on, pace=pace)
        if not isinstance(change, GlickoChange):
            raise TypeError("a system with deviations gives a change with a deviation")
        return change

    return [
        ScoreRange(rated(lowest[halves]), rated(highest[halves]), highest[halves])
        for halves in range(2 * len(opponents) + 1)
    ]


def is_exact(system: GlickoSystem, games: int) -> bool:
    """Whether ranges are exact: in a rating period always, on a site for a few games."""
    return not system.one_by_one or games <= MOST_TRIED


def _by_weight(system: GlickoSystem, player: Player, opponents: Sequence[Player], on: date) -> tuple[Results, Results]:
    """The worst and the best results in one period: the points come from those who count least, or most."""
    won = system.rate(player, [Game(opponent, WIN) for opponent in opponents], on=on).per_game
    # A game's share of the change is the same factor for all times g times score minus expected score.
    weights = [(line.change or 0) / (1 - (line.expected or 0)) for line in won]
    order = sorted(range(len(opponents)), key=lambda place: weights[place])

    def filled(places: Sequence[int]) -> Results:
        results = {}
        for halves in range(2 * len(opponents) + 1):
            scores = [LOSS] * len(opponents)
            left = halves
            for place in places:
                scores[place] = HALVES[min(2, left)]
                left -= min(2, left)
            results[halves] = tuple(scores)
        return results

    return filled(order), filled(order[::-1])


class _Path(NamedTuple):
    """A standing on the way, and the results so far."""

    standing: GlickoStanding
    results: tuple[Decimal, ...] = ()

    @property
    def rating(self) -> Rating:
        return self.standing.rating or 0


def _followed(system: GlickoSystem, player: Player, opponents: Sequence[Player], on: date) -> tuple[Results, Results]:
    """The worst and the best results on a site: of all, or of those that led to the lowest or highest rating so far."""
    few = is_exact(system, len(opponents))
    ends: list[Callable[..., _Path]] = [min, max]
    tried = _ways(system, player, opponents, on) if few else {}
    found = []
    for end in ends:
        ways = tried if few else _ways(system, player, opponents, on, keep=end)
        found.append({halves: end(paths, key=lambda path: path.rating).results for halves, paths in ways.items()})
    return found[0], found[1]


def _ways(
    system: GlickoSystem,
    player: Player,
    opponents: Sequence[Player],
    on: date,
    *,
    keep: Callable[..., _Path] | None = None,
) -> Mapping[int, list[_Path]]:
    """The ways to each number of half points: all, or after every game only the one to `keep`."""
    ways = {0: [_Path(GlickoStanding.of(player))]}
    for opponent in opponents:
        further: dict[int, list[_Path]] = {}
        for halves, paths in ways.items():
            for path, (more, score) in product(paths, HALVES.items()):
                rated = system.rate(Player(path.standing), [Game(opponent, score)], on=on)
                if not isinstance(rated, GlickoChange):
                    raise TypeError("a system with deviations gives a change with a deviation")
                standing = GlickoStanding(rated.new_rating, rated.new_deviation, rated.new_volatility)
                further.setdefault(halves + more, []).append(_Path(standing, (*path.results, score)))
        ways = further
        if keep is not None:
            ways = {halves: [keep(paths, key=lambda path: path.rating)] for halves, paths in further.items()}
    return ways


class RatingFound(NamedTuple):
    """The lowest rating for an expected score: its step, the deviation used, and notes on what was assumed."""

    rating: int
    deviation: float
    step: Step
    notes: tuple[Message, ...]


def rating_with_deviation(
    system: GlickoSystem, opponents: Sequence[Player], wanted: Decimal, deviation: Rating | None, on: date
) -> RatingFound:
    """The lowest whole rating that is expected to score this much, by its own deviation and those of the opponents."""

    def steps(rating: int) -> list[Step]:
        player = Player(GlickoStanding(rating, deviation))
        return [system.expected(player, opponent, on=on) for opponent in opponents]

    def reaches(rating: int) -> bool:
        return bool(sum(step.value for step in steps(rating)) >= float(wanted) - 1e-12)

    if reaches(LOWEST_RATING):
        raise BadInput(say("forecast.refused.expected_low", expected=wanted, lowest=LOWEST_RATING), at="expected")
    ratings = range(LOWEST_RATING, HIGHEST_RATING + 1)
    place = bisect_left(ratings, True, key=reaches)
    if place == len(ratings):
        raise BadInput(say("forecast.refused.expected_high", expected=wanted, games=len(opponents)), at="expected")
    rating = ratings[place]
    expected = tuple(steps(rating))
    reached = Step("reached", Decimal(sum(step.value for step in expected)), {"expected": expected})
    player = Player(GlickoStanding(rating, deviation))
    answers = [system.expect(player, opponent, on=on) for opponent in opponents]
    notes: list[Message] = []
    for note in chain.from_iterable(answer.notes for answer in answers):
        notes += [] if note in notes else [note]
    used = system.rate(player, [Game(opponents[0], DRAW)], on=on)
    step = Step("needed_rating", rating, {"wanted": known("wanted", wanted), "reached": reached})
    return RatingFound(rating, float(getattr(used, "deviation", 0)), step, tuple(notes))
