"""How good each prediction is: log loss, Brier score and binomial deviance.

A prediction is White's expected score; a draw counts as half a win and half a loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arpad.calculation.answer import derived

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arpad.bulk.arrays import Bools, Floats

CLAMP = 0.01  # the deviance of the Kaggle contests limits predictions to 1 % to 99 %
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
        """How much more was scored than expected, per game."""
        return self.score - self.expected


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


def log_losses(score: Floats, expected: Floats) -> Floats:
    """−(s ln E + (1 − s) ln (1 − E)) of each game; an E of 0 or 1 counts as almost 0 or 1."""
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
