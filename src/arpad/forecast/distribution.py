"""Every possible result of upcoming games, with its exact probability and its change by the rules.

Three ways, one for each kind of question. *By score*: the expected scores are fixed before the event, so the change
depends on the total alone, and the totals are convolved game by game. *By change*: against opponents known only as a
field the expected scores vary as well, so changes are convolved, on a lattice. *By result*: where it matters who was
beaten (Glicko's family), every result is tried, as long as there are few.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache, partial
from itertools import product
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Exact, hidden
from arpad.core import DRAW, LOSS, WIN, Field, Rating
from arpad.core.numbers import half_up
from arpad.errors import BadInput, Unsupported
from arpad.forecast.schedule import (
    HUNDREDTH,
    RESULTS,
    SAME,
    in_hundredths,
    lattice,
    possible_opponents,
    whole_rating,
    with_half_points,
    with_scores,
)
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.core import Game
    from arpad.forecast.schedule import Ahead, Chances, Model
    from arpad.systems.answers import GameChange, RatingChange


MOST_BY_RESULT = 7  # games: three to the power of seven is 2187 results, each rated separately
NEGLIGIBLE = 1e-18  # rarer sums of changes are dropped: all of them together are far below the promised accuracy
MOST_RATED = 300_000  # games, where every sum of changes against a field is rated separately
MOST_FIELD = 30  # games against a field in one period: the sums of changes are many
Entry = tuple[Decimal, Rating, int | None]  # the change, the rounded change and the new rating


def distribution(ahead: Ahead, model: Model) -> list[Ending]:
    """Every possible outcome once, the lowest score or change first; outcomes without any chance are left out."""
    fields = sum(isinstance(ahead.pairings[no].opponent, Field) for no in ahead.open)
    if fields > MOST_FIELD:
        raise BadInput(say("forecast.refused.field_games", games=fields, most=MOST_FIELD), at="rounds")
    if fields:
        return list(_by_change(ahead, model))
    if score_decides(ahead):
        return list(_by_score(ahead, model))
    return _by_result(ahead, model)


class Ending(NamedTuple):
    """An outcome, and a function that calculates one way to get there; most are never called."""

    outcome: Outcome
    calculate: Callable[[], RatingChange]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One way the games can end: the score in the rated games, what it gives, and how probable it is."""

    score: Decimal | None  # None against a field, where one score means many changes
    remaining: Decimal | None  # the part of it that is still to be scored
    change: Exact
    new_rating: int | None
    probability: float
    rounded: Rating = hidden()  # the change in whole points


def mean_change(outcomes: Iterable[Outcome]) -> Decimal:
    """Each change times its probability."""
    return sum((Decimal(outcome.probability) * outcome.change for outcome in outcomes), Decimal(0))


def chance_of(outcomes: Iterable[Outcome], holds: Callable[[Outcome], bool]) -> float:
    """The total probability of the outcomes that meet a condition."""
    return min(1.0, sum((outcome.probability for outcome in outcomes if holds(outcome)), 0.0))


def chance_to_reach(outcomes: Iterable[Outcome], rating: int) -> float:
    """The probability of a new rating of `rating` or more."""
    return chance_of(outcomes, lambda outcome: (outcome.new_rating or 0) >= rating)


def score_decides(ahead: Ahead) -> bool:
    """Whether the change depends only on the total score."""
    games = len(ahead.open)
    if games < 2:
        return True
    if ahead.by_event:
        return False
    if ahead.one_k:
        return True
    # Otherwise try it: a point must be worth the same in every game, and as much as two draws.
    losses = [LOSS] * games
    ways = [[*losses[:no], WIN, *losses[no + 1 :]] for no in range(games)]
    changes = [ahead.rate(with_scores(ahead, way)) for way in (*ways, [DRAW, DRAW, *losses[2:]])]
    first = changes[0]
    return all(abs(rated.change - first.change) <= SAME and rated.new_rating == first.new_rating for rated in changes)


def _by_score(ahead: Ahead, model: Model) -> Iterator[Ending]:
    """An ending for each total score; where sums are exact, the change is K times total score minus expected score."""
    spread = convolved(model.against(ahead.pairings[no]) for no in ahead.open)
    by_sum = ahead.by_sum and ahead.in_hundredths and not ahead.by_event
    k, expected = ahead.k, ahead.drawn.expected
    for half_points, probability in enumerate(spread):
        if not probability:
            continue
        remaining = Decimal(half_points) / 2
        score = ahead.so_far + remaining
        calculate = partial(_rated, ahead, half_points)
        if by_sum:
            change = formulas.change(k, score, expected)
            yield _ending((change, *ahead.entered(change)), probability, calculate, score, remaining)
        else:
            yield _rated_ending(calculate(), probability, score, remaining)


def _rated(ahead: Ahead, half_points: int) -> RatingChange:
    return ahead.rate(with_half_points(ahead, half_points))


def convolved(games: Iterable[Chances]) -> list[float]:
    """The probability of every number of half points.

    Only non-negative numbers are multiplied and added, three of each for a game, so the relative error
    of any entry and of the sum is at most six roundings a game: below 1e-13 for a hundred games.
    """
    spread = [1.0]
    for win, drawn, lost in games:
        low, middle, high = [*spread, 0.0, 0.0], [0.0, *spread, 0.0], [0.0, 0.0, *spread]
        spread = [lost * a + drawn * b + win * c for a, b, c in zip(low, middle, high, strict=True)]
    return spread


def _by_result(ahead: Ahead, model: Model) -> list[Ending]:
    """Every result separately, for a system where it matters who was beaten."""
    places = ahead.open
    if len(places) > MOST_BY_RESULT:
        raise Unsupported(say("forecast.refused.by_result", games=len(places), most=MOST_BY_RESULT), at="against")
    chances = [dict(zip(RESULTS, model.against(ahead.pairings[no]), strict=True)) for no in places]
    merged: dict[tuple[Decimal, Decimal, int | None], Ending] = {}
    for scores in product(reversed(RESULTS), repeat=len(places)):
        probability = prod(chance[score] for chance, score in zip(chances, scores, strict=True))
        if not probability:
            continue
        remaining = sum(scores, Decimal(0))
        score = ahead.so_far + remaining
        new = _rated_ending(ahead.rate(with_scores(ahead, scores)), probability, score, remaining)
        key = (score, new.outcome.change, new.outcome.new_rating)
        if key in merged:
            before = merged[key].outcome
            new = merged[key]._replace(outcome=replace(before, probability=before.probability + probability))
        merged[key] = new
    return sorted(merged.values(), key=lambda ending: (ending.outcome.score or 0, ending.outcome.change))


def _by_change(ahead: Ahead, model: Model) -> Iterator[Ending]:
    """Sums of changes on a lattice: exact where every change is K times hundredths, else each rounded to 0.01."""
    unit, ways, _ = lattice_of(ahead, model)
    lowest = sum(min(way.units for way in game) for game in ways)
    spreads = [[1.0]]
    for game in ways:
        spreads.append(_spread(spreads[-1], game))
    likely = [(place, share) for place, share in enumerate(spreads[-1]) if share >= NEGLIGIBLE]
    if not ahead.by_sum and len(likely) * len(ways) > MOST_RATED:
        raise Unsupported(say("forecast.refused.field_sums", sums=len(likely)), at="rounds")
    for place, probability in likely:
        change = unit * (lowest + place)
        calculate = partial(_likeliest, ahead, ways, spreads, place)
        if ahead.by_sum:
            yield _ending((change, *ahead.entered(change)), probability, calculate)
        else:
            rated = calculate()
            _check_sum(rated, change)
            yield _rated_ending(rated, probability)


def lattice_of(ahead: Ahead, model: Model) -> Lattice:
    """The possible changes of each game on one lattice; identical games share a list."""
    if ahead.by_event or not ahead.one_k:
        raise Unsupported(say("forecast.refused.field_depends"), at="field")
    keys = [(pairing, no in ahead.open) for no, pairing in enumerate(ahead.pairings)]
    first = {key: no for no, key in reversed(list(enumerate(keys)))}
    lines = {key: _lines(ahead, no) for key, no in first.items()}
    exact = all(map(in_hundredths, lines.values()))
    unit = HUNDREDTH * ahead.k if exact else HUNDREDTH
    known = {key: _ways(ahead, no, model, lines[key], unit) for key, no in first.items()}
    ways = [known[key] for key in keys]
    if any(isinstance(pairing.opponent, Field) for pairing, to_play in first if to_play):
        _check_sums(ahead, ways, unit)
    return Lattice(unit, ways, exact)


class Lattice(NamedTuple):
    """The changes of the games as whole units: exactly, or each rounded to the unit."""

    unit: Decimal
    ways: list[list[Way]]
    exact: bool


class Way(NamedTuple):
    """One way a game can end: its change in units of the lattice, how probable it is, and the game."""

    units: int
    probability: float
    game: Game


def _ways(ahead: Ahead, no: int, model: Model, lines: Sequence[GameChange], unit: Decimal) -> list[Way]:
    """What one game can change; opponents who count alike are one way. A game that is not open has just one."""
    if no not in ahead.open:
        return [Way(round((lines[0].change or Decimal(0)) / unit), 1.0, ahead.games[no][DRAW])]
    alike: dict[tuple[Decimal | None, Decimal], list[tuple[float, Game]]] = defaultdict(list)
    met = zip(possible_opponents(ahead, no), _chances(model, ahead, no), lines, strict=True)
    for (game, share), chances, line in met:
        for score, chance in zip(RESULTS, chances, strict=True):
            alike[line.expected if line.rated else None, score].append((share * chance, game[score]))
    ways = []
    for (expected, score), games in alike.items():
        change = Decimal(0) if expected is None else formulas.change(ahead.k, score, expected)
        _, likeliest = max(games, key=itemgetter(0))
        ways.append(Way(round(change / unit), sum(share for share, _ in games), likeliest))
    return [way for way in ways if way.probability]


def _chances(model: Model, ahead: Ahead, no: int) -> Sequence[Chances]:
    """Win, draw and loss against each possible opponent."""
    pairing = ahead.pairings[no]
    if isinstance(pairing.opponent, Field):
        return _chances_in_field(model, pairing.opponent, pairing.colour, ahead.lowest)
    return (model.against(pairing),)


@lru_cache(maxsize=64)
def _chances_in_field(model: Model, field: Field, colour: str | None, lowest: int) -> tuple[Chances, ...]:
    """The same in a field, which a season meets after many ratings of one strength."""
    return tuple(model.chances(rating, colour) for rating, _ in lattice(field, lowest))


def _lines(ahead: Ahead, no: int) -> Sequence[GameChange]:
    """How a game counts against each possible opponent."""
    if no not in ahead.open or not isinstance(ahead.pairings[no].opponent, Field):
        return [ahead.drawn.per_game[no]]
    return ahead.weigh(no, [game[DRAW] for game, _ in possible_opponents(ahead, no)]).per_game


def _check_sums(ahead: Ahead, ways: Sequence[Sequence[Way]], unit: Decimal) -> None:
    """Check that no game's change depends on the others, even with all opponents at one end of the field."""
    for end in (min, max):
        at_end = {id(game): end(game, key=lambda way: way.units) for game in ways}
        path = [at_end[id(game)] for game in ways]
        _check_sum(ahead.rate([way.game for way in path]), unit * sum(way.units for way in path))


def _check_sum(rated: RatingChange, change: Decimal) -> None:
    """Check that the games' changes add up to the change of the period, except for rounding to the lattice."""
    if abs(rated.change - change) > len(rated.per_game) * HUNDREDTH:
        raise Unsupported(say("forecast.refused.field_depends"), at="field")


def _spread(spread: Sequence[float], game: Sequence[Way]) -> list[float]:
    """The probabilities of the sums after one more game, the lowest sum first; each way shifts and weights them.

    Again only non-negative numbers are added and multiplied, so even with the most games and ways the relative error
    is below 1e-10: 30 games, up to 10,000 ways, a product and a sum each, of 1.1e-16.
    """
    shares: dict[int, float] = {}
    for way in game:
        shares[way.units] = shares.get(way.units, 0.0) + way.probability
    lowest = min(shares)
    width = max(shares) - lowest
    longer = [0.0] * (len(spread) + width)
    for units, share in shares.items():
        first = units - lowest
        last = first + len(spread)
        longer[first:last] = [
            so_far + share * before for so_far, before in zip(longer[first:last], spread, strict=True)
        ]
    return longer


def _likeliest(
    ahead: Ahead, ways: Sequence[Sequence[Way]], spreads: Sequence[Sequence[float]], place: int
) -> RatingChange:
    """The calculation of the most probable games with a given sum, found backwards from the last game."""
    games: list[Game] = []
    for game, before in zip(reversed(ways), reversed(spreads[:-1]), strict=True):
        lowest = min(way.units for way in game)

        def weight(way: Way, before: Sequence[float] = before, shift: int = place + lowest) -> float:
            at = shift - way.units
            return before[at] * way.probability if 0 <= at < len(before) else 0.0

        best = max(game, key=weight)
        place += lowest - best.units
        games.append(best.game)
    return ahead.rate(games[::-1])


def _ending(
    entry: Entry,
    probability: float,
    calculate: Callable[[], RatingChange],
    score: Decimal | None = None,
    remaining: Decimal | None = None,
) -> Ending:
    change, rounded, new = entry
    outcome = Outcome(
        score=score, remaining=remaining, change=change, rounded=rounded, new_rating=new, probability=probability
    )
    return Ending(outcome, calculate)


def _rated_ending(
    rated: RatingChange, probability: float, score: Decimal | None = None, remaining: Decimal | None = None
) -> Ending:
    """An ending whose calculation has already been done."""
    unrounded = isinstance(rated.new_rating, Decimal)  # as on sites; whole points are what is shown
    rounded = half_up(rated.change) if unrounded else rated.rounded
    entry = rated.change, rounded, whole_rating(rated.new_rating)
    return _ending(entry, probability, lambda: rated, score, remaining)
