"""How good a system's ratings are on games: each period is predicted first and rated afterwards."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from arpad.bulk._replay import Predicted, ReplayPlan, run
from arpad.bulk.chances import with_chances
from arpad.bulk.engines.shard import check_in_parts
from arpad.bulk.evaluation import Evaluation, Seen
from arpad.bulk.fide.forecast import forecast_lists
from arpad.bulk.measures import Forecast
from arpad.bulk.methods import Method, predicted
from arpad.bulk.registry import method_of
from arpad.bulk.request import columns_by_table
from arpad.bulk.results import PeriodSummary
from arpad.bulk.tables.history import read_history
from arpad.bulk.tables.layout import of_table
from arpad.bulk.tables.periods import first_day, month_end
from arpad.bulk.tables.reader import sources
from arpad.bulk.tables.rejects import Rejects
from arpad.bulk.tables.standings import read_list, with_list
from arpad.bulk.tally import ForecastTally
from arpad.calculation.step import ruled
from arpad.systems import system as system_named
from arpad.systems.fide import FILES
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from pyspark.sql import SparkSession

    from arpad.bulk.engines.spark_tables import Frames
    from arpad.bulk.methods import Standings
    from arpad.bulk.tables.history import GameHistory
    from arpad.bulk.tables.periods import Calendar
    from arpad.bulk.tables.reader import Tables
    from arpad.systems.chances import DrawModel
    from arpad.systems.system import Setting, System


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
    from arpad.bulk.engines.spark_evaluate import SparkEvaluation

    system, columns = asked.rated_by(), columns_by_table(asked.columns)
    check_in_parts(system, "engine")
    place = SparkEvaluation(games, players, columns["games"], system, spark)
    calendar = place.calendar()
    low, high = calendar.span(asked.first, asked.last)
    periods = tuple(first_day(month + 1) for month in range(calendar.first, high + 1))
    predicted_from = Predicted(first_day(low), asked.draws)
    finished = list(run(ReplayPlan(periods, system, columns, out, place, predicted_from)))
    tally = reduce(ForecastTally.added, (one.tally for one in finished if one.tally is not None))
    rejected = reduce(PeriodSummary.added, (one.summary for one in finished)).reasons
    return asked.answer(system, calendar, (low, high), Seen(tally, dict(rejected)))


def forecast(method: Method, history: GameHistory, standings: Standings, first: int, last: int) -> Forecast:
    """Predict each period of a span with what was known before it, then rate it; earlier periods are only rated."""
    seen = []
    for period, games in history.periods(last):
        if period >= first:
            seen.append(predicted(method, standings, games))
        standings = method.rate(standings, games)
    return Forecast.joined(seen)
