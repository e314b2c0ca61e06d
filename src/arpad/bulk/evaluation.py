"""How good a system's ratings are on games: each period is foretold first and rated afterwards."""

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk.layout import of_table
from arpad.bulk.measures import Bin, Forecast, calibration, measures
from arpad.bulk.methods import Method, Standings, method_of
from arpad.bulk.rejects import Rejects, nothing_to_rate, reasons_of
from arpad.bulk.season import PlayedSeason
from arpad.bulk.season_intake import read_season
from arpad.bulk.source import sources
from arpad.bulk.start_list import read_list, with_list
from arpad.calculation.contract import Calculation, Figure
from arpad.calculation.step import Step, ruled
from arpad.core.counting import counted, if_any
from arpad.systems import system as system_named
from arpad.systems.fide import FILES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date


class Subject(NamedTuple):
    """What is judged: a system with its settings, on the periods from one to another."""

    system: str
    on: "date"
    settings: tuple[Step, ...]
    first: str
    last: str


class Evaluation(Calculation):
    """The measures of a system on games, with the settings they belong to."""

    def __init__(self, subject: Subject, seen: Forecast, rejects: pa.Table) -> None:
        foretold = ~np.isnan(seen.expected)
        self.first, self.last = subject.first, subject.last
        if not foretold.any():
            raise nothing_to_rate(f"No game from {self.first} to {self.last} could be foretold", rejects, at="from")
        self.expected, self.score, new = (column[foretold] for column in seen)
        self.newcomers, self.not_foretold = int(new.sum()), int((~foretold).sum())
        self.rejects = rejects
        self.rejected = Counter(rejects.column("reason").to_pylist())
        self.calibration: list[Bin] = calibration(self.score, self.expected)
        self._settings = subject.settings
        self._measures = measures(self.score, self.expected)
        super().__init__(subject.system, subject.on, (*subject.settings, *self._measures.values()))

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
            Figure("foretold", counted(self.games, "game"), f"from {self.first} to {self.last}"),
            Figure("newcomers", if_any(self.newcomers), "of them with a player of whom nothing was known"),
            Figure("not_foretold", if_any(self.not_foretold), "more, of which the system expects nothing"),
            Figure("bulk.rejected", if_any(sum(self.rejected.values())), reasons_of(self.rejected)),
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
            "rejected": dict(self.rejected),
            **{name: float(step.value) for name, step in self._measures.items()},
            "score": float(self.score.mean()),
            "expected": float(self.expected.mean()),
            "calibration": [one.value() for one in self.calibration],
        }


def evaluate(
    games: Any,
    players: Any,
    system: str,
    first: Any,
    last: Any,
    on: "date | None",
    columns: "Mapping[str, str]",
    settings: "Mapping[str, Any]",
) -> Evaluation:
    """What `arpad.bulk.evaluate` asks for: FIDE's lists one by one, the other systems on columns."""
    if system in FILES:
        return _evaluate_lists(games, players, system, first, last, columns, settings)
    method, rejects = method_of(system, on, **settings), Rejects()
    season = read_season(sources(games, "games"), of_table("games", columns), rejects)
    low, high = season.calendar.span(first, last)
    span = season.calendar.name(low), season.calendar.name(high)
    standings = method.newcomers(len(season.ids))
    if players is not None:
        listed = read_list(sources(players, "players"), of_table("players", columns), method.columns, rejects)
        standings = with_list(standings, season.ids, listed)
    seen = forecast(method, season, standings, low, high)
    return Evaluation(Subject(system, method.on, method.settings, *span), seen, rejects.table())


def forecast(method: Method, season: PlayedSeason, standings: Standings, first: int, last: int) -> Forecast:
    """Foretell each period of a span with what was known before it, then rate it; earlier ones are rated alone."""
    seen = []
    for period, games in season.periods(last):
        if period >= first:
            new = ~(standings.played[games.white] & standings.played[games.black])
            seen.append(Forecast(method.expected(standings, games), games.score, new))
        standings = method.rate(standings, games)
    return Forecast.joined(seen)


def _evaluate_lists(
    games: Any,
    players: Any,
    system: str,
    first: Any,
    last: Any,
    columns: "Mapping[str, str]",
    settings: "Mapping[str, Any]",
) -> Evaluation:
    from arpad.bulk.calendar import month_end
    from arpad.bulk.fide_forecast import forecast_lists

    fide = system_named(system, **settings)
    lists = forecast_lists(fide, games, players, columns, first, last)
    day = month_end(lists.span[1])
    rule = fide.rulebook.at(day).expected
    span = (lists.calendar.name(period) for period in lists.span)
    subject = Subject(system, day, (ruled("table", rule, rule.article),), *span)
    return Evaluation(subject, lists.forecast, lists.rejects)
