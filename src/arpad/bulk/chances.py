"""Chances of win, draw and loss in columns, by any model, and how well they hold by difference.

The calibrated model and Labelle's use the two ratings; Davidson's and `none` split the system's own expected score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arpad.calculation.answer import derived
from arpad.messages import say
from arpad.systems.chances import davidson, decisive
from arpad.systems.fide.games import todays_scale

if TYPE_CHECKING:
    from datetime import date

    from arpad.bulk.arrays import Floats
    from arpad.bulk.measures import Forecast
    from arpad.systems.chances import DrawModel
    from arpad.systems.system import System

EDGES = (*range(0, 600, 50), 600)  # differences where a band begins; the last has no end


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


def with_chances(seen: Forecast, draws: DrawModel, system: System, day: date) -> Forecast:
    """A forecast with the expected scores and draws of a model of chances on a day."""
    by_ratings = draws.fitted or draws.name == "labelle"
    known = ~np.isnan(seen.expected)
    given = np.stack([seen.white, seen.black] if by_ratings else [seen.expected], axis=1)[known]
    pairs, place = np.unique(given, axis=0, return_inverse=True)
    scale = todays_scale(system.rulebook, day) if draws.fitted else float
    split = [
        draws.chances(scale(pair[0]), scale(pair[1]), "white", float) if by_ratings else _split(pair[0], draws)
        for pair in pairs.tolist()
    ]
    win, drawn = np.array(split).reshape(-1, 3)[place.ravel(), :2].T
    expected, draw = np.full((2, len(known)), np.nan)
    expected[known], draw[known] = win + drawn / 2, drawn
    return seen._replace(expected=expected, draw=draw)


def _split(expected: float, draws: DrawModel) -> tuple[float, float, float]:
    """The chances from a system's own expected score, with a rate of draws or without draws."""
    chances = decisive(expected) if draws.draw_rate is None else davidson(expected, draws.draw_rate)
    return chances["win"], chances["draw"], chances["loss"]


def result_losses(seen: Forecast) -> Floats:
    """−ln of the chance of each game's result; a chance of zero counts as almost zero."""
    win = seen.expected - seen.draw / 2
    chance = np.select([seen.score == 1, seen.score == 0.5], [win, seen.draw], 1 - win - seen.draw)
    loss: Floats = -np.log(np.maximum(chance, np.finfo(float).eps))
    return loss
