"""A player's upcoming games: how they are rated with any results, and what decides the results."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from math import floor
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Text
from arpad.core import DRAW, HIGHEST_RATING, LOSS, LOWEST_RATING, WIN, Event, Field, Game, Period, Player
from arpad.core.numbers import decimal, half_up
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.fide.games import todays_scale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from arpad.core import Colour, Pairing, PlannedEvent, Rating
    from arpad.messages import Message
    from arpad.systems.answers import GameChange, RatingChange
    from arpad.systems.base import System
    from arpad.systems.chances import DrawModel

MOST_PAIRINGS = 100
DRAWN = 100  # opponents that stand for a field of which only the average and the spread are known
SPREADS = 4  # beyond so many from its average, nobody is in a field
SAME = Decimal("1e-9")  # the same changes added in another order may differ in the last digits
HUNDREDTH = Decimal("0.01")

Chances = tuple[float, float, float]
RESULTS = (WIN, DRAW, LOSS)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRatedGame:
    """A game that will not be rated, by its number, and why."""

    game: int
    why: Text | None


def not_rated_games(games: Iterable[GameChange]) -> tuple[NotRatedGame, ...]:
    """The games of a calculation that do not count."""
    return tuple(NotRatedGame(game=no, why=line.why) for no, line in enumerate(games, start=1) if not line.rated)


class Ahead(NamedTuple):
    """A player's upcoming games: how to rate them, the pairings, and the places of the rated ones still open."""

    rate: Callable[[Sequence[Game]], RatingChange]
    weigh: Callable[[int, Sequence[Game]], RatingChange]  # other games in the place of one, as an event of their own
    pairings: tuple[Pairing, ...]
    games: tuple[Mapping[Decimal, Game], ...]  # each pairing's game by score; all the same once it is played
    open: tuple[int, ...]
    so_far: Decimal  # the score in the rated games that have a result
    lowest: int
    by_event: bool  # whether each of several events is rounded separately, so that it matters where points were scored
    drawn: RatingChange  # the rating with every open game drawn; its K and expected scores hold whatever the results

    @property
    def counted(self) -> int:
        """The rated games, played or not."""
        return self.drawn.games

    @property
    def k(self) -> Decimal:
        """The K that is used; zero in a system without one."""
        return decimal(self.drawn.k_used or 0)

    @property
    def by_sum(self) -> bool:
        """Whether only the sum of the changes decides the new rating."""
        return self.drawn.enter is not None

    def entered(self, change: Decimal) -> tuple[Rating, int | None]:
        """The rounded change and the new rating that a sum of changes gives."""
        entered = self.drawn.entered(change)
        if entered is None:
            raise TypeError("what enters this list depends on more than the sum")
        rounded, new = entered
        return rounded, whole_rating(new)

    @property
    def one_k(self) -> bool:
        """Whether one K applies to every game, so that the change depends on the total score alone."""
        return self.drawn.k_used is not None and all(
            line.change is not None
            and line.expected is not None
            and abs(line.change - formulas.change(self.k, line.score, line.expected)) <= SAME
            for line in self.drawn.per_game
            if line.rated
        )

    @property
    def in_hundredths(self) -> bool:
        """Whether every expected score is a whole number of hundredths, so that sums are exact in any order."""
        return in_hundredths(self.drawn.per_game)


class Model(NamedTuple):
    """What decides the results: the player's strength, the model of chances, the system's curve, and its scale."""

    strength: float
    draws: DrawModel
    expected: Callable[[float], float]
    scale: Callable[[float], float] = float  # from ratings of that day to the scale of the calibrated model

    @classmethod
    def on(cls, day: date, system: System, strength: Rating, draws: DrawModel) -> Model:
        """The model for a system on a day."""
        return cls(float(strength), draws, curve(system, day), todays_scale(system.rulebook, day))

    def chances(self, opponent: Rating, colour: str | None) -> Chances:
        """Win, draw and loss against a rating."""
        mine, other = self.strength, float(opponent)
        if self.draws.fitted:
            mine, other = self.scale(mine), self.scale(other)
        return self.draws.chances(mine, other, colour, self.expected)

    def how_well(self, opponents: Iterable[Rating], system: str) -> tuple[Message, ...]:
        """Notes on how well the model of chances holds against such opponents, where that is known."""
        mine = self.scale(self.strength)
        return self.draws.how_well([mine - self.scale(float(opponent)) for opponent in opponents], system)

    def against(self, pairing: Pairing) -> Chances:
        """Win, draw and loss in a pairing; against a field, at its average."""
        return self.chances(opponent_rating(pairing.opponent), pairing.colour)


def in_hundredths(lines: Iterable[GameChange]) -> bool:
    """Whether the expected scores of the rated games are hundredths."""
    return all(line.expected is not None and line.expected % HUNDREDTH == 0 for line in lines if line.rated)


def whole_rating(rating: Rating | None) -> int | None:
    """A rating as a whole number; a site's decimals are rounded."""
    return rating if rating is None or isinstance(rating, int) else half_up(rating)


def rater(
    system: System, player: Player, events: Sequence[PlannedEvent], on: date
) -> Callable[[Sequence[Game]], RatingChange]:
    """A function that rates the games of one rating period, given their results."""
    sizes = [len(event.pairings) for event in events]
    only = events[0] if len(events) == 1 and events[0].on in (None, on) else None

    def rate(games: Sequence[Game]) -> RatingChange:
        if only is not None:
            event = Event(tuple(games), pace=only.pace, qc_approved=only.qc_approved)
            return system.rate_period(player, Period((event,)), on=on)
        rest = iter(games)
        played = tuple(
            Event(tuple(islice(rest, size)), None, event.on, event.name, event.pace, qc_approved=event.qc_approved)
            for event, size in zip(events, sizes, strict=True)
        )
        return system.rate_period(player, Period(played), on=on)

    return rate


def look(system: System, player: Player, events: Sequence[PlannedEvent], *, on: date) -> Ahead:
    """The games of one rating period, ready to be rated with any results."""
    pairings = tuple(pairing for event in events for pairing in event.pairings)
    if not pairings:
        raise BadInput(say("forecast.refused.no_opponents"), at="against")
    if len(pairings) > MOST_PAIRINGS:
        raise BadInput(say("forecast.refused.games", games=len(pairings), most=MOST_PAIRINGS), at="against")
    rate = rater(system, player, events, on)

    def weigh(no: int, games: Sequence[Game]) -> RatingChange:
        in_order = (event for event in events for _ in event.pairings)
        return rater(system, player, [next(islice(in_order, no, None))], on)(games)

    lowest = lowest_published(system, on)
    games = tuple({score: _game(pairing, score, lowest) for score in RESULTS} for pairing in pairings)
    drawn = rate([game[DRAW] for game in games])
    lines = drawn.per_game
    rated = [(no, pairing.score) for no, pairing in enumerate(pairings) if lines[no].rated]
    if not rated:
        raise BadInput(say("forecast.refused.none_rated", why=lines[0].why), at="against")
    to_play = tuple(no for no, score in rated if score is None)
    so_far = sum((score for _, score in rated if score is not None), Decimal(0))
    by_event = len(events) > 1 and _rounds_each_event(system, on)
    return Ahead(rate, weigh, pairings, games, to_play, so_far, lowest, by_event, drawn)


def _rounds_each_event(system: System, on: date) -> bool:
    rule = getattr(system.rulebook.at(on), "rounding", None)
    return rule is not None and getattr(rule.value, "once_per", "period") == "event"


def lowest_published(system: System, on: date) -> int:
    """The floor of the list, where the system has one."""
    rule = getattr(system.rulebook.at(on), "floor", None)
    return LOWEST_RATING if rule is None or not isinstance(rule.value, int) else rule.value


def _game(pairing: Pairing, score: Decimal, lowest: int) -> Game:
    """The game with its own result, or with `score` if it has none; a field is one player with its average rating."""
    opponent = pairing.opponent
    if isinstance(opponent, Field):
        opponent = Player(max(lowest, round(opponent.average)))
    return Game(opponent, score if pairing.score is None else pairing.score, pairing.how, colour=pairing.colour)


def opponent_rating(opponent: Player | Field) -> Rating:
    """An opponent's rating: the list's own, or the one used instead; for a field, its average."""
    if isinstance(opponent, Field):
        return opponent.average
    rating = opponent.rating_used
    if rating is None:
        raise BadInput(say("forecast.refused.unrated_opponent"), at="against")
    return rating


def curve(system: System, on: date) -> Callable[[float], float]:
    """The system's expected score by difference, interpolated between whole points."""
    whole: dict[int, float] = {}

    def at(difference: int) -> float:
        if difference not in whole:
            whole[difference] = float(system.expected_score(difference, on=on))
        return whole[difference]

    def expected(difference: float) -> float:
        below = floor(difference)
        share = difference - below
        return at(below) if not share else (1 - share) * at(below) + share * at(below + 1)

    return expected


def lattice(field: Field, lowest: int) -> list[tuple[int, float]]:
    """A field as ratings with their shares: those of its players or, by average and spread, of a hundred drawn evenly.

    Each of the hundred stands in the middle of a hundredth of the normal distribution, which is cut off at the lowest
    published rating. docs/outlook.md says how far that is from the whole distribution.
    """
    if field.players:
        ratings = [max(lowest, round(player.rating)) for player in field.players if player.rating is not None]
    elif field.average + SPREADS * field.spread < lowest or field.average - SPREADS * field.spread > HIGHEST_RATING:
        raise BadInput(say("forecast.refused.field_below", average=field.average, lowest=lowest), at="field")
    elif not field.spread:
        ratings = [round(field.average)]
    else:
        normal = NormalDist(float(field.average), float(field.spread))
        below, up_to = normal.cdf(lowest - 0.5), normal.cdf(HIGHEST_RATING + 0.5)
        middles = (below + (up_to - below) * (number + 0.5) / DRAWN for number in range(DRAWN))
        ratings = [round(normal.inv_cdf(middle)) for middle in middles]
    counts = Counter(ratings)
    return [(rating, times / counts.total()) for rating, times in sorted(counts.items())]


def possible_opponents(ahead: Ahead, no: int) -> tuple[tuple[Mapping[Decimal, Game], float], ...]:
    """The possible opponents in a game (one, or a field's ratings), each as games by score, with the probability."""
    pairing = ahead.pairings[no]
    if isinstance(pairing.opponent, Field):
        return _games_against_field(pairing.opponent, pairing.colour, ahead.lowest)
    return ((ahead.games[no], 1.0),)


@lru_cache(maxsize=64)
def _games_against_field(
    field: Field, colour: Colour | None, lowest: int
) -> tuple[tuple[Mapping[Decimal, Game], float], ...]:
    return tuple(
        ({score: Game(rating, score, colour=colour) for score in RESULTS}, share)
        for rating, share in lattice(field, lowest)
    )


def with_half_points(ahead: Ahead, half_points: int) -> list[Game]:
    """The games with this many half points in the open ones; which games they come from does not change the sum."""
    wins, draws = divmod(half_points, 2)
    return with_scores(ahead, [WIN] * wins + [DRAW] * draws + [LOSS] * (len(ahead.open) - wins - draws))


def with_scores(ahead: Ahead, scores: Sequence[Decimal]) -> list[Game]:
    """The games with these scores in the open ones."""
    games = [game[LOSS] for game in ahead.games]
    for no, score in zip(ahead.open, scores, strict=True):
        games[no] = ahead.games[no][score]
    return games
