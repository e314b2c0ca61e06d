"""How well a system predicts games: each period is predicted first and rated afterwards; and the answer to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from arpad.bulk._replay import Predicted, ReplayPlan, run
from arpad.bulk.engines.shards import check_in_parts
from arpad.bulk.fide.forecast import forecast_lists
from arpad.bulk.methods import Method, predicted
from arpad.bulk.periods import method_of
from arpad.bulk.request import columns_by_table
from arpad.bulk.results import NothingToRate, PeriodSummary, Reasons
from arpad.bulk.tables.columns import of_table
from arpad.bulk.tables.files import sources
from arpad.bulk.tables.history import first_day, month_end, read_history
from arpad.bulk.tables.players import read_list, with_list
from arpad.bulk.tables.rejects import Rejects
from arpad.bulk.tally import Band, Bin, Forecast, ForecastTally, with_chances
from arpad.calculation.answer import Answer, Figure, derived
from arpad.calculation.step import ruled
from arpad.errors import Unsupported
from arpad.messages import fixed, say
from arpad.systems import system as system_named
from arpad.systems.chances import DrawModel
from arpad.systems.fide import FILES
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from arpad.bulk.engines.spark_tables import Frames
    from arpad.bulk.methods import Standings
    from arpad.bulk.tables.history import Calendar, GameHistory
    from arpad.bulk.tables.paths import Tables
    from arpad.calculation.step import Step
    from arpad.systems.base import Setting, System


class EvaluationRequest(NamedTuple):
    """What is asked about any games: a system with its settings, the periods, and a model of chances if any."""

    system: str
    first: str | int | None
    last: str | int | None
    on: date | None
    columns: Mapping[str, str]
    settings: Mapping[str, Setting]
    draws: DrawModel | None

    def rated_by(self) -> System | Method:
        """The system: one of FIDE's lists, or one for columns."""
        if self.system in FILES:
            return system_named(self.system, **self.settings)
        return method_of(self.system, self.on, **self.settings)

    def answer(self, system: System | Method, calendar: Calendar, span: tuple[int, int], seen: Seen) -> Evaluation:
        """The answer, by what was seen in a span of periods."""
        if isinstance(system, Method):
            day, settings = system.on, system.settings
        else:
            day = month_end(span[1])
            rule = system.rulebook.of(FideRules).at(day).expected
            settings = (ruled("table", rule, rule.article),)
        low, high = (calendar.name(period) for period in span)
        return Evaluation.of(self.system, day, settings, (low, high), seen, self.draws)


def evaluate(games: Tables, players: Tables | None, asked: EvaluationRequest) -> Evaluation:
    """With arrays on this machine: FIDE's lists one by one, the other systems on columns."""
    system = asked.rated_by()
    if not isinstance(system, Method):
        lists = forecast_lists(system, games, players, asked.columns, asked.first, asked.last, asked.draws)
        return asked.answer(system, lists.calendar, lists.span, Seen.here(lists.forecast, lists.rejects))
    rejects = Rejects()
    history = read_history(sources(games, "games"), of_table("games", asked.columns), rejects)
    span = history.calendar.span(asked.first, asked.last)
    rejects.leave_after(history.calendar.end(span[1]))
    standings = system.newcomers(len(history.ids))
    if players is not None:
        listed = read_list(sources(players, "players"), of_table("players", asked.columns), system.columns, rejects)
        standings = with_list(standings, history.ids, listed)
    seen = forecast(system, history, standings, *span)
    if asked.draws is not None:
        seen = with_chances(seen, asked.draws, system_named(asked.system), system.on)
    return asked.answer(system, history.calendar, span, Seen.here(seen, rejects.table()))


def evaluate_on_spark(
    games: Frames, players: Frames | None, asked: EvaluationRequest, out: str, spark: SparkSession | str | None
) -> Evaluation:
    """On Spark, month by month as a replay does: the lists stay in a folder, where an evaluation resumes."""
    from arpad.bulk.engines.spark import SparkEvaluation

    system, columns = asked.rated_by(), columns_by_table(asked.columns)
    check_in_parts(system, "engine")
    place = SparkEvaluation(games, players, columns["games"], system, spark)
    calendar = place.calendar()
    low, high = calendar.span(asked.first, asked.last)
    periods = tuple(first_day(month + 1) for month in range(calendar.first, high + 1))
    predicted_from = Predicted(first_day(low), asked.draws)
    finished = list(run(ReplayPlan(periods, system, columns, out, place, predicted_from)))
    tally = reduce(ForecastTally.added, (period.tally for period in finished if period.tally is not None))
    rejected = reduce(PeriodSummary.added, (period.summary for period in finished)).reasons
    return asked.answer(system, calendar, (low, high), Seen(tally, dict(rejected)))


def forecast(method: Method, history: GameHistory, standings: Standings, first: int, last: int) -> Forecast:
    """Predict each period of a span with what was known before it, then rate it; earlier periods are only rated."""
    seen = []
    for period, games in history.periods(last):
        if period >= first:
            seen.append(predicted(method, standings, games))
        standings = method.rate(standings, games)
    return Forecast.joined(seen)


class Seen(NamedTuple):
    """What the predictions of a span add up to, and the rows that were rejected; on one machine also one by one."""

    tally: ForecastTally
    rejected: dict[str, int]  # by reason
    predictions: pa.Table | None = None
    rejects: pa.Table | None = None

    @classmethod
    def here(cls, seen: Forecast, rejects: pa.Table) -> Seen:
        """From every game and every rejected row."""
        known = seen.where(~np.isnan(seen.expected))._asdict()
        predictions = pa.table({name: pa.array(column, from_pandas=True) for name, column in known.items()})
        return cls(ForecastTally.of(seen), dict(Counter(rejects.column("reason").to_pylist())), predictions, rejects)


@dataclass(frozen=True, kw_only=True)
class Evaluation(Answer):
    """The measures of a system on games, with the settings they belong to."""

    settings: dict[str, float | str]
    first: str  # period
    last: str
    draws: DrawModel | None  # the model of chances, if one was asked for
    rejected: dict[str, int]  # how many rows, by reason
    tally: ForecastTally = field(repr=False, metadata={"hidden": True})
    # By game, the columns of a forecast; and the rejected rows. Both only on one machine.
    predictions: pa.Table | None = field(repr=False, metadata={"hidden": True})
    rejects: pa.Table | None = field(repr=False, metadata={"hidden": True})

    @classmethod
    def of(
        cls,
        system: str,
        on: date,
        settings: tuple[Step, ...],
        span: tuple[str, str],
        seen: Seen,
        draws: DrawModel | None,
    ) -> Evaluation:
        """From what was seen in a span of periods."""
        first, last = span
        if not seen.tally.whole.games:
            reasons = Reasons(seen.rejected, before=": ")
            said = say("bulk.error.no_predictions", reasons=reasons, first=first, last=last)
            raise NothingToRate(said, seen.rejects, at="from")
        return cls(
            system=system,
            on=on,
            trail=(*settings, *seen.tally.measures().values()),
            settings={step.key: step.value for step in settings},
            first=first,
            last=last,
            draws=draws,
            **seen._asdict(),
        )

    @derived
    def games(self) -> int:
        """How many games were predicted."""
        return self.tally.whole.games

    @derived
    def newcomers(self) -> int:
        """How many of them have a player about whom nothing was known."""
        return self.tally.newcomers

    @derived
    def not_predicted(self) -> int:
        """How many more were rated, for which the system has no expected score."""
        return self.tally.not_predicted

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
        return self.tally.whole.score / self.games

    @derived
    def expected(self) -> float:
        """White's mean expected score."""
        return self.tally.whole.expected / self.games

    @derived
    def calibration(self) -> list[Bin]:
        """The games by expected score, in ten ranges."""
        return self.tally.calibration()

    @derived
    def bands(self) -> list[Band]:
        """The games by difference, from the favourite's side."""
        return self.tally.bands(modelled=self.draws is not None)

    @derived
    def result_loss(self) -> float | None:
        """−ln of the chance that the result had, a game; None without a model of chances."""
        return None if self.draws is None else self.tally.result_loss / self.games

    def _measured(self, name: str) -> float:
        return float(next(step.value for step in self.trail if step.key == name))

    def to_arrow(self) -> pa.Table:
        """A row for each game that was predicted: White's expected score, the score, ratings, the chance of a draw."""
        if self.predictions is None:
            raise Unsupported(say("bulk.spark.predictions"), at="engine")
        return self.predictions

    def summary(self) -> list[Figure]:
        return [
            *(
                Figure(name, fixed(self._measured(name), 5), say("bulk.remark.even", value=fixed(step.value, 5)))
                for name, step in self.tally.even().items()
            ),
            *(
                [Figure("result_loss", fixed(self.result_loss, 5), say("forecast.draw_model", model=self.draws.called))]
                if self.draws and self.result_loss is not None
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
            Figure("score", fixed(self.score, 4), say("bulk.remark.score", expected=fixed(self.expected, 4))),
        ]
