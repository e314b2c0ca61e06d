"""Totals of predictions: the tallies of parts of a forecast are added, and every figure comes from the sum."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arpad.bulk.chances import EDGES, Band, result_losses
from arpad.bulk.measures import BINS, MEASURES, Bin
from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.bulk.arrays import Floats, Ints
    from arpad.bulk.measures import Forecast

RESULTS = (1.0, 0.5, 0.0)  # White's score


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

    def to_dict(self) -> dict[str, Any]:
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


def _sums(place: Ints, places: int, columns: tuple[Floats, ...]) -> tuple[GameSums, ...]:
    """The number of games at each place, and the sums of the columns there."""
    games = np.bincount(place, minlength=places).tolist()
    expected, score, draws, drawn = (np.bincount(place, column, places).tolist() for column in columns)
    rows = zip(games, expected, score, draws, drawn, strict=True)
    return tuple(GameSums(int(row[0]), row[1], row[2], row[3], int(row[4])) for row in rows)
