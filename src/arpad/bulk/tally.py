"""Predictions and how good they are: a forecast by game, its sums, which parts of it add up to, and the measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arpad.calculation import formulas
from arpad.calculation.answer import derived
from arpad.calculation.step import Step, found, known
from arpad.messages import say
from arpad.systems.chances import davidson, decisive
from arpad.systems.fide.games import todays_scale

if TYPE_CHECKING:
    from arpad.bulk.tables.columns import Bools, Floats, Ints
    from arpad.systems.base import System
    from arpad.systems.chances import DrawModel


RESULTS = (1.0, 0.5, 0.0)  # White's score
BINS = 10
EDGES = (*range(0, 600, 50), 600)  # differences where a band begins; the last has no end
CLAMP = 0.01  # the deviance of the Kaggle contests limits predictions to 1 % to 99 %


class Forecast(NamedTuple):
    """Columns by game: the expected score before its period, the score, whether a player was new, and the ratings."""

    expected: Floats  # White's expected score; NaN where the system has none
    score: Floats
    new: Bools
    white: Floats  # the ratings before the period
    black: Floats
    draw: Floats  # the chance of a draw; NaN without a model of chances

    @classmethod
    def of_system(cls, expected: Floats, score: Floats, new: Bools, white: Floats, black: Floats) -> Forecast:
        """The forecast of a system alone, without a model of chances."""
        return cls(expected, score, new, white, black, np.full(len(score), np.nan))

    def where(self, rows: Bools) -> Forecast:
        """Some of the games."""
        expected, score, white, black, draw = (
            column[rows] for column in (self.expected, self.score, self.white, self.black, self.draw)
        )
        return Forecast(expected, score, self.new[rows], white, black, draw)

    @classmethod
    def joined(cls, parts: Sequence[Forecast]) -> Forecast:
        """Several forecasts, one after the other."""
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def with_chances(seen: Forecast, draws: DrawModel, system: System, day: date) -> Forecast:
    """A forecast with the expected scores and draws of a model of chances on a day."""
    by_ratings = draws.fitted or draws.name == "labelle"
    known = ~np.isnan(seen.expected)
    given = np.stack([seen.white, seen.black] if by_ratings else [seen.expected], axis=1)[known]
    pairs, place = np.unique(given, axis=0, return_inverse=True)
    scale = todays_scale(system.rulebook, day) if draws.fitted else float
    rate = draws.draw_rate
    split = [
        draws.chances(scale(pair[0]), scale(pair[1]), "white", float) if by_ratings else _split(pair[0], rate)
        for pair in pairs.tolist()
    ]
    win, drawn = np.array(split).reshape(-1, 3)[place.ravel(), :2].T
    expected, draw = np.full((2, len(known)), np.nan)
    expected[known], draw[known] = win + drawn / 2, drawn
    return seen._replace(expected=expected, draw=draw)


def _split(expected: float, draw_rate: float | None) -> tuple[float, float, float]:
    """The chances from a system's own expected score, with a rate of draws or without draws."""
    chances = decisive(expected) if draw_rate is None else davidson(expected, draw_rate)
    return chances["win"], chances["draw"], chances["loss"]


@dataclass(frozen=True, slots=True)
class ForecastTally:
    """The sums of a forecast, or of a part of it."""

    newcomers: int  # games with a player about whom nothing was known
    not_predicted: int
    losses: Mapping[str, float]  # by measure
    result_loss: float  # 0 without a model of chances
    by_expected: tuple[GameSums, ...]  # the games in ranges of White's expected score
    by_difference: tuple[GameSums, ...]  # and in bands, from the favourite's side

    @classmethod
    def of(cls, seen: Forecast) -> ForecastTally:
        """The tally of a forecast; games without an expected score are only counted."""
        predicted = ~np.isnan(seen.expected)
        games = seen.where(predicted)
        gap, drawn = games.white - games.black, games.score == RESULTS[1]
        draws = np.nan_to_num(games.draw)
        favourite = (np.where(gap >= 0, column, 1 - column) for column in (games.expected, games.score))
        return cls(
            newcomers=int(games.new.sum()),
            not_predicted=int((~predicted).sum()),
            losses={name: float(by(games.score, games.expected).sum()) for name, by in MEASURES.items()},
            result_loss=float(np.nan_to_num(result_losses(games)).sum()),
            by_expected=_sums(
                np.minimum((games.expected * BINS).astype(int), BINS - 1),
                BINS,
                (games.expected, games.score, draws, drawn),
            ),
            by_difference=_sums(
                np.searchsorted(EDGES, np.abs(gap), side="right") - 1, len(EDGES), (*favourite, draws, drawn)
            ),
        )

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> ForecastTally:
        """A tally from the values that `to_dict` gave, also by way of JSON."""
        groups = {name: tuple(GameSums(*sums) for sums in given[name]) for name in ("by_expected", "by_difference")}
        return cls(**{**given, **groups})

    def to_dict(self) -> dict[str, object]:
        """The tally as values that JSON has, with every digit."""
        return asdict(self)

    def added(self, other: ForecastTally) -> ForecastTally:
        """The tally of this part of a forecast and another one."""
        return ForecastTally(
            self.newcomers + other.newcomers,
            self.not_predicted + other.not_predicted,
            {name: loss + other.losses[name] for name, loss in self.losses.items()},
            self.result_loss + other.result_loss,
            *(
                tuple(sums.added(others) for sums, others in zip(ours, theirs, strict=True))
                for ours, theirs in (
                    (self.by_expected, other.by_expected),
                    (self.by_difference, other.by_difference),
                )
            ),
        )

    @property
    def whole(self) -> GameSums:
        """All games that were predicted."""
        return reduce(GameSums.added, self.by_expected)

    def measures(self) -> dict[str, Step]:
        """Every measure: the mean over the games, with its total."""
        return {name: self._mean(name, total) for name, total in self.losses.items()}

    def even(self) -> dict[str, Step]:
        """Every measure for predictions of 0.5 in every game."""
        whole = self.whole
        won = whole.score - whole.drawn / 2
        counts = np.array([won, whole.drawn, whole.games - whole.drawn - won])
        half = np.full(len(RESULTS), 0.5)
        return {name: self._mean(name, float(by(np.array(RESULTS), half) @ counts)) for name, by in MEASURES.items()}

    def _mean(self, name: str, total: float) -> Step:
        games = known("predicted", self.whole.games)
        return found(name, formulas.average, total=known(f"{name}.total", total), games=games)

    def calibration(self) -> list[Bin]:
        """The games by expected score; a range without games is left out."""
        return [
            Bin(number / BINS, (number + 1) / BINS, sums.games, sums.expected / sums.games, sums.score / sums.games)
            for number, sums in enumerate(self.by_expected)
            if sums.games
        ]

    def bands(self, *, modelled: bool) -> list[Band]:
        """The games by difference; a band without games is left out, and only a model expects draws."""
        return [
            Band(
                low,
                None if high is None else high - 1,
                sums.games,
                sums.expected / sums.games,
                sums.score / sums.games,
                sums.draws / sums.games if modelled else None,
                sums.drawn / sums.games,
            )
            for low, high, sums in zip(EDGES, (*EDGES[1:], None), self.by_difference, strict=True)
            if sums.games
        ]


class GameSums(NamedTuple):
    """A group of games, and their totals."""

    games: int
    expected: float
    score: float
    draws: float  # as a model of chances expects; 0 without one
    drawn: int

    def added(self, other: GameSums) -> GameSums:
        """The totals of these games and others."""
        return GameSums(
            self.games + other.games,
            self.expected + other.expected,
            self.score + other.score,
            self.draws + other.draws,
            self.drawn + other.drawn,
        )


def _sums(place: Ints, places: int, columns: tuple[Floats, ...]) -> tuple[GameSums, ...]:
    """The number of games at each place, and the sums of the columns there."""
    games = np.bincount(place, minlength=places).tolist()
    expected, score, draws, drawn = (np.bincount(place, column, places).tolist() for column in columns)
    rows = zip(games, expected, score, draws, drawn, strict=True)
    return tuple(GameSums(int(row[0]), row[1], row[2], row[3], int(row[4])) for row in rows)


@dataclass(frozen=True)
class Bin:
    """The games whose expected score is in one range: the mean expected score, and the mean score."""

    low: float
    high: float
    games: int
    expected: float
    score: float

    @derived
    def bias(self) -> float:
        """How much more was scored than expected, per game."""
        return self.score - self.expected


@dataclass(frozen=True)
class Band:
    """The games in a range of rating differences: what was expected of the favourite, and what happened."""

    low: int
    high: int | None
    games: int
    expected: float
    score: float
    draws: float | None  # the share of draws that a model expects; None without a model
    drawn: float

    @property
    def name(self) -> str:
        """The range in points."""
        return f"{self.low}+" if self.high is None else str(say("bulk.range", low=self.low, high=self.high))

    @derived
    def bias(self) -> float:
        """How much more the favourites scored than expected, per game."""
        return self.score - self.expected


def deviances(score: Floats, expected: Floats) -> Floats:
    """−(s log₁₀ E + (1 − s) log₁₀ (1 − E)) of each game, with E between 0.01 and 0.99."""
    return _surprise(score, np.clip(expected, CLAMP, 1 - CLAMP), np.log10)


def log_losses(score: Floats, expected: Floats) -> Floats:
    """−(s ln E + (1 − s) ln (1 − E)) of each game; an E of 0 or 1 counts as almost 0 or 1."""
    least = np.finfo(float).eps
    return _surprise(score, np.clip(expected, least, 1 - least), np.log)


def brier_scores(score: Floats, expected: Floats) -> Floats:
    """(E − s)² of each game."""
    return (expected - score) ** 2


def _surprise(score: Floats, expected: Floats, log: Callable[[Floats], Floats]) -> Floats:
    return -(score * log(expected) + (1 - score) * log(1 - expected))


def result_losses(seen: Forecast) -> Floats:
    """−ln of the chance of each game's result; a chance of zero counts as almost zero."""
    win = seen.expected - seen.draw / 2
    chance = np.select([seen.score == 1, seen.score == 0.5], [win, seen.draw], 1 - win - seen.draw)
    loss: Floats = -np.log(np.maximum(chance, np.finfo(float).eps))
    return loss


MEASURES = {"deviance": deviances, "log_loss": log_losses, "brier": brier_scores}
