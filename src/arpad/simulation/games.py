"""The results of simulated games: the calibrated model in arrays, and strengths as uncertain as the lists show them.

A player's strength in one run is drawn from what the rating, how reliable ratings are, and the results so far say
together (Bayes' rule, opponents at their ratings). It stays the same for all rounds of that run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arpad.simulation.position import BLACK, GAME, NOBODY, WHITE
from arpad.systems.chances import PER, Calibrated, calibrated

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.simulation.position import Position

    Ints = NDArray[np.integer]
    Floats = NDArray[np.float64]

UNRATED_SPREAD = 200.0  # points; the strength of an unrated player before any result
UNRATED_SHARE = 0.1  # of the rated players are weaker than an unrated one is taken to be
NO_RATINGS = 1500.0  # where nobody has one
GRID = np.linspace(-4, 4, 65)  # spreads around the rating


def shares(strength: Floats, opponent: Floats, colour: Ints) -> tuple[Floats, Floats]:
    """The chances of a win and of a draw by the calibrated model; colour 0 is the mean of White and Black."""
    model = calibrated()
    level = (np.clip((strength + opponent) / 2, model.lowest, model.highest) - model.middle) / model.span
    near = np.exp(-(((strength - opponent) / model.close_within) ** 2))
    width = np.exp(model.width + model.width_rise * level + model.close * near)
    edge = abilities(strength, model) - abilities(opponent, model)
    first_move = model.white + model.white_rise * level
    win, draw = _split(edge + np.where(colour == 0, WHITE, colour) * first_move, width, model.bend)
    if (colour == 0).any():
        other_win, other_draw = _split(edge + BLACK * first_move, width, model.bend)
        win = np.where(colour == 0, (win + other_win) / 2, win)
        draw = np.where(colour == 0, (draw + other_draw) / 2, draw)
    return win, draw


def _split(edge: Floats, width: Floats, bend: float) -> tuple[Floats, Floats]:
    edge = edge / (1 + bend * np.abs(edge))
    win, loss = 1 / (1 + np.exp(width - edge)), 1 / (1 + np.exp(width + edge))
    return win, (1 - win) * (1 - loss) * (1 - np.exp(-2 * width))


def abilities(rating: Floats, model: Calibrated) -> Floats:
    """The ability that a rating stands for: the integral of the slopes, constant outside."""
    knots, slopes = np.array(model.ratings, dtype=float), np.array(model.slopes)
    gaps = np.diff(knots)
    at_knots = np.concatenate([[0.0], np.cumsum((slopes[:-1] + slopes[1:]) / 2 * gaps)])
    part = np.clip(np.searchsorted(knots, rating, side="right") - 1, 0, len(gaps) - 1)
    into = np.clip(rating, knots[0], knots[-1]) - knots[part]
    bent = slopes[part] * into + (slopes[part + 1] - slopes[part]) * into**2 / (2 * gaps[part])
    outside = slopes[0] * np.minimum(rating - knots[0], 0) + slopes[-1] * np.maximum(rating - knots[-1], 0)
    found: Floats = (at_knots[part] + bent + outside) / PER
    return found


class Strengths:
    """What is known of everybody's strength: a mean and a spread each, after the results so far."""

    def __init__(self, position: Position, deviations: Floats, on_todays_scale: Floats) -> None:
        rated = ~np.isnan(on_todays_scale)
        low = float(np.quantile(on_todays_scale[rated], UNRATED_SHARE)) if rated.any() else NO_RATINGS
        prior = np.where(rated, on_todays_scale, low)
        spread = np.where(rated, deviations, UNRATED_SPREAD)
        candidates = prior[:, None] + spread[:, None] * GRID
        weight = np.tile(-(GRID**2) / 2, (len(prior), 1))
        for number in range(position.held):
            who = np.flatnonzero((position.kinds[:, number] == GAME) & (position.opponents[:, number] != NOBODY))
            against = prior[position.opponents[who, number]][:, None]
            win, draw = shares(candidates[who], against, position.colours[who, number][:, None])
            halves = position.halves[who, number][:, None]
            chance = np.where(halves == 2, win, np.where(halves == 1, draw, 1 - win - draw))
            weight[who] += np.log(np.maximum(chance, 1e-12))
        share = np.exp(weight - weight.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        self.rated = rated
        self.mean: Floats = (share * candidates).sum(axis=1)
        self.spread: Floats = np.sqrt((share * (candidates - self.mean[:, None]) ** 2).sum(axis=1))

    def draw(self, random: np.random.Generator, runs: int) -> Floats:
        """Everybody's strength in each run."""
        return self.mean + self.spread * random.standard_normal((runs, len(self.mean)))
