"""How good a system's ratings are on a file of games: each period is foretold first and rated afterwards."""

from typing import Any, NamedTuple

import numpy as np

from arpad.bulk.measures import Bin, calibration, measures
from arpad.bulk.method import Method, method_of
from arpad.bulk.rejects import REASONS, Rejects
from arpad.bulk.season import Season
from arpad.bulk.season_intake import read_season
from arpad.contract import Calculation, Figure
from arpad.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date


class Forecast(NamedTuple):
    """Columns by game: what was expected before its period, what came, and whether a player was new."""

    expected: Any  # White's expected score; not a number where the system expects nothing
    score: Any
    new: Any


class Evaluation(Calculation):
    """The measures of a system on games, with the settings they belong to."""

    def __init__(self, method: Method, span: tuple[str, str], seen: Forecast, rejects: Rejects) -> None:
        foretold = ~np.isnan(seen.expected)
        if not foretold.any():
            raise BadInput(f"No game from {span[0]} to {span[1]} could be foretold; choose other periods.", at="from")
        self.expected, self.score, new = (column[foretold] for column in seen)
        self.newcomers, self.not_foretold = int(new.sum()), int((~foretold).sum())
        self.first, self.last = span
        self.rejects = rejects
        self.calibration: list[Bin] = calibration(self.score, self.expected)
        self._settings = method.settings
        self._measures = measures(self.score, self.expected)
        super().__init__(method.name, method.on, (*method.settings, *self._measures.values()))

    @property
    def games(self) -> int:
        """How many games were foretold."""
        return len(self.score)

    @property
    def deviance(self) -> float:
        """The binomial deviance a game: base 10, expected scores clamped to 1 % and 99 %."""
        return float(self._measures["deviance"].value)

    @property
    def log_loss(self) -> float:
        """The natural logarithmic loss a game."""
        return float(self._measures["log_loss"].value)

    @property
    def brier(self) -> float:
        """The mean square of what was expected minus what came."""
        return float(self._measures["brier"].value)

    def figures(self) -> list[Figure]:
        even = measures(self.score, np.full(self.games, 0.5))
        return [
            *(
                Figure(name, f"{step.value:.5f}", f"{even[name].value:.5f} if all games were even")
                for name, step in self._measures.items()
            ),
            Figure("foretold", self.games, f"games, from {self.first} to {self.last}"),
            Figure("newcomers", self.newcomers or None, "of them with a player of whom nothing was known"),
            Figure("not_foretold", self.not_foretold or None, "games more, of which the system expects nothing"),
            Figure("rejected", len(self.rejects) or None, _counted(self.rejects)),
            Figure("score", f"{self.score.mean():.4f}", f"of White, a game; expected {self.expected.mean():.4f}"),
        ]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "settings": {step.key: step.value for step in self._settings},
            "from": self.first,
            "to": self.last,
            "games": self.games,
            "newcomers": self.newcomers,
            "not_foretold": self.not_foretold,
            "rejected": self.rejects.counts(),
            **{name: float(step.value) for name, step in self._measures.items()},
            "score": float(self.score.mean()),
            "expected": float(self.expected.mean()),
            "calibration": [one._asdict() for one in self.calibration],
        }


def _counted(rejects: Rejects) -> str:
    """How often each reason held a row back."""
    return "rows: " + "; ".join(f"{count} times {REASONS[reason]}" for reason, count in rejects.counts().items())


def forecast(method: Method, season: Season, first: int, last: int) -> Forecast:
    """Foretell each period of a span with what was known before it, then rate it; earlier ones are rated alone."""
    standings = method.newcomers(len(season.ids))
    seen = []
    for period, games in season.periods(last):
        if period >= first:
            new = ~(standings.played[games.white] & standings.played[games.black])
            seen.append(Forecast(method.expected(standings, games), games.score, new))
        standings = method.rate(standings, games)
    return Forecast(*(np.concatenate(column) for column in zip(*seen, strict=True)))


def evaluate(
    games: Any,
    system: str,
    first: Any,
    last: Any,
    on: "date | None",
    columns: "Mapping[str, str]",
    settings: "Mapping[str, Any]",
) -> Evaluation:
    """What `arpad.bulk.evaluate` asks for."""
    method, rejects = method_of(system, on, **settings), Rejects()
    season = read_season(games, columns, rejects)
    low, high = season.span(first, last)
    seen = forecast(method, season, low, high)
    return Evaluation(method, (season.name(low), season.name(high)), seen, rejects)
