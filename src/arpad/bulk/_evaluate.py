"""How good a system's ratings are on games: each period is predicted first and rated afterwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from arpad.bulk.chances import Band, bands, result_loss, with_chances
from arpad.bulk.fide.forecast import forecast_lists
from arpad.bulk.measures import Bin, Forecast, calibration, measures
from arpad.bulk.reasons import Reasons
from arpad.bulk.registry import method_of
from arpad.bulk.tables.history import read_history
from arpad.bulk.tables.layout import of_table
from arpad.bulk.tables.periods import month_end
from arpad.bulk.tables.reader import sources
from arpad.bulk.tables.rejects import Rejects, nothing_to_rate
from arpad.bulk.tables.standings import read_list, with_list
from arpad.calculation.answer import Answer, Figure, derived
from arpad.calculation.step import Step, ruled
from arpad.messages import say
from arpad.systems import system as system_named
from arpad.systems.draw_models import DrawModel
from arpad.systems.fide import FILES
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.bulk.arrays import Floats
    from arpad.bulk.methods import Method, Standings
    from arpad.bulk.tables.history import GameHistory
    from arpad.bulk.tables.reader import Tables
    from arpad.systems.base import Setting


@dataclass(frozen=True, kw_only=True)
class Evaluation(Answer):
    """The measures of a system on games, with the settings they belong to."""

    settings: dict[str, float | str]
    first: str  # period
    last: str
    draws: DrawModel | None  # the model of chances, if one was asked for
    newcomers: int  # games with a player about whom nothing was known
    not_predicted: int
    predictions: pa.Table = field(repr=False, metadata={"hidden": True})  # the columns of a forecast, by game
    rejects: pa.Table = field(repr=False, metadata={"hidden": True})  # rows

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        settings: tuple[Step, ...],
        span: tuple[str, str],
        seen: Forecast,
        rejects: pa.Table,
        draws: DrawModel | None,
    ) -> Evaluation:
        """From the forecast of a span of periods."""
        first, last = span
        predicted = ~np.isnan(seen.expected)
        if not predicted.any():
            raise nothing_to_rate("no_predictions", rejects, at="from", first=first, last=last)
        known = seen.where(predicted)
        return cls(
            system=system,
            on=on,
            trail=(*settings, *measures(known.score, known.expected).values()),
            settings={step.key: step.value for step in settings},
            first=first,
            last=last,
            draws=draws,
            newcomers=int(known.new.sum()),
            not_predicted=int((~predicted).sum()),
            predictions=pa.table(
                {name: pa.array(column, from_pandas=True) for name, column in known._asdict().items()}
            ),
            rejects=rejects,
        )

    @derived
    def games(self) -> int:
        """How many games were predicted."""
        return int(self.predictions.num_rows)

    @derived
    def rejected(self) -> dict[str, int]:
        """How many rows were rejected, by reason."""
        return dict(Counter(self.rejects.column("reason").to_pylist()))

    @derived
    def deviance(self) -> float:
        """The binomial deviance a game: base 10, expected scores clamped to 1 % and 99 %."""
        return self._measured("deviance")

    @derived
    def log_loss(self) -> float:
        """The natural logarithmic loss a game."""
        return self._measured("log_loss")

    @derived
    def brier(self) -> float:
        """The mean square of expected score minus score."""
        return self._measured("brier")

    @derived
    def score(self) -> float:
        """White's mean score."""
        return float(self._column("score").mean())

    @derived
    def expected(self) -> float:
        """White's mean expected score."""
        return float(self._column("expected").mean())

    @derived
    def calibration(self) -> list[Bin]:
        """The games by expected score, in ten ranges."""
        return calibration(self._column("score"), self._column("expected"))

    @derived
    def bands(self) -> list[Band]:
        """The games by difference, from the favourite's side."""
        return bands(self._forecast)

    @derived
    def result_loss(self) -> float | None:
        """−ln of the chance that the result had, a game; None without a model of chances."""
        return None if self.draws is None else result_loss(self._forecast)

    @property
    def _forecast(self) -> Forecast:
        expected, score, white, black, draw = map(self._column, ("expected", "score", "white", "black", "draw"))
        return Forecast(expected, score, self._column("new") > 0, white, black, draw)

    def _measured(self, name: str) -> float:
        return float(next(step.value for step in self.trail if step.key == name))

    def _column(self, name: str) -> Floats:
        column: Floats = self.predictions.column(name).to_numpy(zero_copy_only=False)
        return column

    def to_arrow(self) -> pa.Table:
        """A row for each game that was predicted: White's expected score, the score, ratings, the chance of a draw."""
        return self.predictions

    def summary(self) -> list[Figure]:
        even = measures(self._column("score"), np.full(self.games, 0.5))
        return [
            *(
                Figure(name, f"{self._measured(name):.5f}", say("bulk.remark.even", value=f"{step.value:.5f}"))
                for name, step in even.items()
            ),
            *(
                [Figure("result_loss", f"{self.result_loss:.5f}", say("forecast.draw_model", model=self.draws.called))]
                if self.draws
                else []
            ),
            Figure(
                "predicted",
                say("bulk.remark.predicted_games", games=self.games),
                say("bulk.remark.predicted", first=self.first, last=self.last),
            ),
            Figure("newcomers", self.newcomers or None, say("bulk.remark.newcomers")),
            Figure("not_predicted", self.not_predicted or None, say("bulk.remark.not_predicted")),
            Figure(
                "bulk.rejected",
                sum(self.rejected.values()) or None,
                say("bulk.remark.rejected", reasons=Reasons(self.rejected)),
            ),
            Figure("score", f"{self.score:.4f}", say("bulk.remark.score", expected=f"{self.expected:.4f}")),
        ]


def evaluate(
    games: Tables,
    players: Tables | None,
    system: str,
    first: str | int | None,
    last: str | int | None,
    on: date | None,
    columns: Mapping[str, str],
    settings: Mapping[str, Setting],
    draws: DrawModel | None = None,
) -> Evaluation:
    """What `arpad.bulk.evaluate` asks for: FIDE's lists one by one, the other systems on columns."""
    if system in FILES:
        return _evaluate_lists(games, players, system, first, last, columns, settings, draws)
    method, rejects = method_of(system, on, **settings), Rejects()
    history = read_history(sources(games, "games"), of_table("games", columns), rejects)
    low, high = history.calendar.span(first, last)
    standings = method.newcomers(len(history.ids))
    if players is not None:
        listed = read_list(sources(players, "players"), of_table("players", columns), method.columns, rejects)
        standings = with_list(standings, history.ids, listed)
    seen = forecast(method, history, standings, low, high)
    if draws is not None:
        seen = with_chances(seen, draws, system_named(system), method.on)
    span = history.calendar.name(low), history.calendar.name(high)
    return Evaluation.of(system, method.on, method.settings, span, seen, rejects.table(), draws)


def forecast(method: Method, history: GameHistory, standings: Standings, first: int, last: int) -> Forecast:
    """Predict each period of a span with what was known before it, then rate it; earlier periods are only rated."""
    seen = []
    for period, games in history.periods(last):
        if period >= first:
            new = ~(standings.played[games.white] & standings.played[games.black])
            white, black = (standings.rating[side] for side in (games.white, games.black))
            no_draws = np.full(len(games.score), np.nan)
            seen.append(Forecast(method.expected(standings, games), games.score, new, white, black, no_draws))
        standings = method.rate(standings, games)
    return Forecast.joined(seen)


def _evaluate_lists(
    games: Tables,
    players: Tables | None,
    system: str,
    first: str | int | None,
    last: str | int | None,
    columns: Mapping[str, str],
    settings: Mapping[str, Setting],
    draws: DrawModel | None,
) -> Evaluation:
    fide = system_named(system, **settings)
    lists = forecast_lists(fide, games, players, columns, first, last, draws)
    day = month_end(lists.span[1])
    rule = fide.rulebook.of(FideRules).at(day).expected
    low, high = (lists.calendar.name(period) for period in lists.span)
    table = (ruled("table", rule, rule.article),)
    return Evaluation.of(system, day, table, (low, high), lists.forecast, lists.rejects, draws)
