"""Charts of answers, in one theme for page, report and file; each chart also comes in words and figures.

Drawing needs the extra `charts` (Altair and vl-convert); without it, an error says how to install it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.charts.chart import Chart
from arpad.errors import Unsupported
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer

__all__ = ["Chart", "chart_of"]


def chart_of(answer: Answer) -> Chart:
    """The chart of an answer; raises Unsupported if its kind has none."""
    # Imported here, because a report needs the theme alone and would load every forecast with it.
    from arpad.charts.forecasts import outcomes_chart, plans_chart, season_chart
    from arpad.charts.results import diary_chart, rounds_chart, three_results_chart
    from arpad.forecast.outlook import Outlook
    from arpad.forecast.plans import PlanComparison
    from arpad.forecast.season import Season
    from arpad.systems.answers import Expectation, RatingChange
    from arpad.systems.diary import Diary

    if isinstance(answer, RatingChange):
        return rounds_chart(answer)
    if isinstance(answer, Expectation):
        return three_results_chart(answer)
    if isinstance(answer, Outlook):
        return outcomes_chart(answer)
    if isinstance(answer, Season):
        return season_chart(answer)
    if isinstance(answer, Diary):
        return diary_chart(answer)
    if isinstance(answer, PlanComparison):
        return plans_chart(answer)
    raise Unsupported(say("charts.none", kind=type(answer).__name__))
