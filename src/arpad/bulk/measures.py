"""How good predictions are: log loss, Brier score, binomial deviance and calibration.

A prediction is White's expected score; a draw counts as half a win and half a loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arpad.calculation import formulas
from arpad.calculation.answer import derived
from arpad.calculation.step import Step, found, known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arpad.bulk.arrays import Bools, Floats

CLAMP = 0.01  # the deviance of the Kaggle contests takes predictions from 1 % to 99 %
BINS = 10


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
        """How much more was scored than expected, a game."""
        return self.score - self.expected


class Forecast(NamedTuple):
    """Columns by game: what was expected before its period, the score, whether a player was new, and the ratings."""

    expected: Floats  # White's expected score; not a number where the system expects nothing
    score: Floats
    new: Bools
    white: Floats  # the ratings before the period
    black: Floats
    draw: Floats  # the chance of a draw; not a number where no model of chances was asked for

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


def log_losses(score: Floats, expected: Floats) -> Floats:
    """−(s ln E + (1 − s) ln (1 − E)) of each game; a certain E is taken as almost certain."""
    least = np.finfo(float).eps
    return _surprise(score, np.clip(expected, least, 1 - least), np.log)


def brier_scores(score: Floats, expected: Floats) -> Floats:
    """(E − s)² of each game."""
    return (expected - score) ** 2


def deviances(score: Floats, expected: Floats) -> Floats:
    """−(s log₁₀ E + (1 − s) log₁₀ (1 − E)) of each game, with E between 0.01 and 0.99."""
    return _surprise(score, np.clip(expected, CLAMP, 1 - CLAMP), np.log10)


def _surprise(score: Floats, expected: Floats, log: Callable[[Floats], Floats]) -> Floats:
    return -(score * log(expected) + (1 - score) * log(1 - expected))


MEASURES = {"deviance": deviances, "log_loss": log_losses, "brier": brier_scores}


def measures(score: Floats, expected: Floats) -> dict[str, Step]:
    """Every measure: the mean over the games, with its sum."""
    games = known("predicted", len(score))
    return {
        name: found(name, formulas.average, total=known(f"{name}.total", float(by(score, expected).sum())), games=games)
        for name, by in MEASURES.items()
    }


def calibration(score: Floats, expected: Floats, bins: int = BINS) -> list[Bin]:
    """The games by expected score, in ranges of equal width; a range without games is left out."""
    place = np.minimum((expected * bins).astype(int), bins - 1)
    games = np.bincount(place, minlength=bins)
    expected_sum, score_sum = (np.bincount(place, column, bins) for column in (expected, score))
    return [
        Bin(
            number / bins,
            (number + 1) / bins,
            int(games[number]),
            float(expected_sum[number] / games[number]),
            float(score_sum[number] / games[number]),
        )
        for number in np.flatnonzero(games).tolist()
    ]
