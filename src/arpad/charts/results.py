"""Charts of rated games: the rating round by round or list by list, and the change for each result of one game."""

from __future__ import annotations

from decimal import Decimal
from itertools import accumulate
from typing import TYPE_CHECKING

from arpad.calculation.explain import words
from arpad.charts.chart import Chart, months, nearest, points
from arpad.charts.drawing import PLAIN_ZERO, Altair, Theme, altair, named
from arpad.core.numbers import decimal
from arpad.errors import Unsupported
from arpad.forecast.targets import percent
from arpad.messages import figure, say
from arpad.systems.chances import DrawModel

if TYPE_CHECKING:
    from arpad.systems.answers import Expectation, RatingChange
    from arpad.systems.diary import Diary


# A tick at whole rounds only; the drawing library would put some between rounds and beyond the last.
WHOLE = {"format": "d", "values": {"expr": "sequence(0, 1 + domain('x')[1], max(1, ceil(domain('x')[1] / 12)))"}}


def rounds_chart(change: RatingChange) -> Chart:
    """The rating after each round, before it is rounded once at the end."""
    if change.rating is None or any(game.rated and game.change is None for game in change.per_game):
        raise Unsupported(say("charts.no_rounds", system=change.system), at="chart")
    played = [game.change or 0 for game in change.per_game]
    ratings = list(accumulate(played, initial=decimal(change.rating)))
    peak = max(range(len(ratings)), key=lambda number: ratings[number])
    ends = {"before": change.rating, "after": ratings[-1], "highest": ratings[peak], "round": peak}
    return Chart(
        name="rounds",
        title=str(say("charts.rounds.title")),
        sentences=(
            str(say("charts.rounds.says" if peak else "charts.rounds.says_fell", **ends)),
            str(say("charts.rounds.rounding")),
        ),
        head=(named("round"), named("change"), named("rating")),
        rows=tuple(
            (str(number), change_text(game.change), figure(rating))
            for number, (game, rating) in enumerate(zip(change.per_game, ratings[1:], strict=True), start=1)
        ),
        points=lambda: {"curve": [{"round": number, "rating": float(rating)} for number, rating in enumerate(ratings)]},
        plot=_plot_rounds,
        broad=True,
    )


def _plot_rounds(colours: Theme, pointer: bool) -> Altair:
    alt = altair()
    x = alt.X("round", type="quantitative", title=named("round"), axis=alt.Axis(grid=False, **WHOLE))
    y = alt.Y(
        "rating",
        type="quantitative",
        title=named("rating"),
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format="d", tickCount=6),
    )
    tips = [
        alt.Tooltip("round:Q", title=named("round")),
        alt.Tooltip("rating:Q", title=named("rating"), format=".2f"),
    ]
    chart = points("curve").encode(x=x, y=y, tooltip=tips)
    line = chart.mark_line(color=colours.win, strokeWidth=2)
    dots = chart.mark_point(filled=True, color=colours.win, opacity=1, size=45)
    if not pointer:
        return line + dots
    under = nearest("round")
    return line + dots.encode(size=alt.condition(under, alt.value(160), alt.value(45))).add_params(under)


def diary_chart(diary: Diary) -> Chart:
    """The rating from list to list, or from event to event."""
    first = diary.entries[0]
    ratings = [(first.events[0].on or first.on, diary.rating)]
    ratings += [(entry.day, entry.new_rating) for entry in diary.entries]
    shown = [(str(day), decimal(rating)) for day, rating in ratings if rating is not None]
    before, last = figure(shown[0][1]), shown[-1]
    return Chart(
        name="diary",
        title=str(say("charts.diary.title")),
        sentences=(str(say("charts.diary.says", before=before, after=last[1], on=last[0], highest=diary.highest)),),
        head=(named("day"), named("rating")),
        rows=tuple((day, figure(rating)) for day, rating in shown),
        points=lambda: {"curve": [{"day": day, "rating": float(rating)} for day, rating in shown]},
        plot=_plot_diary,
    )


def _plot_diary(colours: Theme, pointer: bool) -> Altair:
    alt = altair()
    x = months("day")
    y = alt.Y(
        "rating:Q",
        title=named("rating"),
        scale=alt.Scale(zero=False, nice=True),
        axis=alt.Axis(format="d", tickCount=6),
    )
    tips = [
        alt.Tooltip("day:T", title=named("day"), format="%Y-%m-%d"),
        alt.Tooltip("rating:Q", title=named("rating"), format="d"),
    ]
    chart = points("curve").encode(x=x, y=y, tooltip=tips)
    line = chart.mark_line(color=colours.win, strokeWidth=2, interpolate="step-after")
    dots = chart.mark_point(filled=True, color=colours.win, opacity=1, size=45)
    if pointer:
        under = nearest("day")
        dots = dots.encode(size=alt.condition(under, alt.value(160), alt.value(45))).add_params(under)
    return line + dots


def three_results_chart(game: Expectation) -> Chart:
    """The change for win, draw and loss in one game, with their chances if known."""
    if game.expected is None:
        raise Unsupported(say("charts.not_rated"), at="chart")
    names = result_names()
    changes: dict[str, Decimal | None] = {name: getattr(game, name) for name in names}
    chances: dict[str, float | None] = {name: getattr(game.chances, name) for name in names}
    has_chances = None not in chances.values()
    return Chart(
        name="results",
        title=str(say("charts.results.title")),
        sentences=(
            str(say("charts.results.says", **{name: change_text(change) for name, change in changes.items()})),
            str(say("charts.results.expected", expected=game.expected)),
            *([str(say("charts.model", model=DrawModel(game.chances.model).called))] if has_chances else []),
        ),
        head=(named("result"), named("change"), *([named("chance")] if has_chances else [])),
        rows=tuple(
            (names[name], change_text(change), *([str(percent(chances[name]))] if has_chances else []))
            for name, change in changes.items()
        ),
        points=lambda: {
            "bars": [
                {
                    "result": names[name],
                    "change": None if change is None else float(change),
                    "chance": chances[name],
                    "kind": name,
                }
                for name, change in changes.items()
            ]
        },
        plot=_plot_results,
    )


def _plot_results(colours: Theme, pointer: bool) -> Altair:  # noqa: ARG001  # its bars are easy to hit anyway
    alt = altair()
    names = list(result_names().values())
    colour = alt.Scale(domain=["win", "draw", "loss"], range=[colours.win, colours.draw, colours.loss])
    bars = points("bars").encode(
        x=alt.X("result", type="nominal", sort=names, title=None, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("change", type="quantitative", title=named("change"), axis=alt.Axis(format="+d", labelExpr=PLAIN_ZERO)),
        color=alt.Color("kind", type="nominal", scale=colour, legend=None),
        tooltip=[
            alt.Tooltip("result:N", title=named("result")),
            alt.Tooltip("change:Q", title=named("change"), format="+.2f"),
            alt.Tooltip("chance:Q", title=named("chance"), format=".1%"),
        ],
    )
    return alt.layer(bars.mark_bar(size=60))


def result_names() -> dict[str, str]:
    """Win, draw and loss in the current language, by the names of an expectation's fields."""
    scores = words("score")
    return {"win": scores["1"], "draw": scores["0.5"], "loss": scores["0"]}


def change_text(change: Decimal | None) -> str:
    """A change with its sign, or the words for a game that is not rated."""
    return str(say("answers.not_rated")) if change is None else figure(change, signed=True)
