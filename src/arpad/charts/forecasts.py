"""Charts of forecasts: the histogram of an outlook's outcomes, the fan of a season, and the fans of several plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from arpad.charts.chart import Chart, months, nearest, points
from arpad.charts.drawing import LETTERS, Altair, Theme, altair, named
from arpad.forecast.targets import SHARES, middle_half_text, percent, rating_or_unrated
from arpad.messages import Message, say

if TYPE_CHECKING:
    from arpad.forecast.outlook import Outlook
    from arpad.forecast.plans import PlanComparison
    from arpad.forecast.season import Season


BAR = 0.3  # half the width of a bar, as a part of the distance to the next outcome
THIN = 1.5  # points; half the width of a bar is at most this, so that it hides no other rating
SEEN = 150  # or this part of the range of ratings, if that is more
ALONE = 5  # points between outcomes if there is only one
PLACES = {f"q{100 * share:.0f}": share for share in SHARES}  # the quantiles of a fan, by field name


def outcomes_chart(outlook: Outlook) -> Chart:
    """The new ratings in an outlook with their chances, and the target."""
    chances: dict[int, float] = {}
    for outcome in outlook.outcomes:
        if outcome.new_rating is not None:
            chances[outcome.new_rating] = chances.get(outcome.new_rating, 0.0) + outcome.probability
    ratings = sorted(chances)
    unrated = [(str(say("answers.unrated")), str(percent(outlook.unrated)))] if outlook.unrated else []
    return Chart(
        name="outcomes",
        title=str(say("charts.outcomes.title", rating=outlook.rating)),
        sentences=_sentences(outlook, say("charts.middle_half", ratings=middle_half_text(outlook.middle_half))),
        head=(named("new_rating"), named("chance")),
        rows=(*unrated, *((str(rating), str(percent(chances[rating]))) for rating in ratings)),
        points=lambda: {"curve": _bars(chances, outlook.target), "here": _target(outlook)},
        plot=_plot_outcomes,
        broad=True,
    )


def _bars(chances: Mapping[int, float], target: int | None) -> list[dict[str, object]]:
    """A bar for each rating, in order."""
    ratings = sorted(chances)
    if not ratings:
        return []
    gap = min((after - before for before, after in pairwise(ratings)), default=ALONE)
    half = min(BAR * gap, max(THIN, (ratings[-1] - ratings[0]) / SEEN))
    return [
        {
            "rating": rating,
            "from": rating - half,
            "to": rating + half,
            "chance": chances[rating],
            "reaches": target is None or rating >= target,
        }
        for rating in ratings
    ]


def _plot_outcomes(colours: Theme, pointer: bool) -> Altair:  # noqa: ARG001  # its bars are easy to hit anyway
    alt = altair()
    axis = alt.Axis(format="d", grid=False, tickMinStep=1, tickCount=8)
    x = alt.X("from", type="quantitative", title=named("new_rating"), scale=alt.Scale(zero=False), axis=axis)
    y = alt.Y("chance", type="quantitative", title=named("chance"), axis=alt.Axis(format="%", tickCount=5))
    bars = (
        points("curve")
        .mark_bar()
        .encode(
            x=x,
            x2="to",
            y=y,
            y2=alt.datum(0),
            color=alt.condition("datum.reaches", alt.value(colours.win), alt.value(colours.faint)),
            tooltip=[
                alt.Tooltip("rating:Q", title=named("new_rating"), format="d"),
                alt.Tooltip("chance:Q", title=named("chance"), format=".1%"),
            ],
        )
    )
    here = points("here").encode(x="target:Q")
    rule = here.mark_rule(strokeDash=[4, 3], color=colours.loss, strokeWidth=1.5)
    above = here.mark_text(color=colours.loss, y=-7, fontSize=LETTERS).encode(text="target:Q")
    return bars + rule + above


def season_chart(season: Season, *, name: str = "fan", title: str | None = None, frame: Sequence[int] = ()) -> Chart:
    """Where the rating may be on each list: the middle half, nine in ten, and the target.

    `frame` is what charts side by side share: the lowest and highest rating of all of them.
    """
    after = [{place: list_after.quantile(share) for place, share in PLACES.items()} for list_after in season.lists]
    start = dict.fromkeys(PLACES, float(season.rating))
    last = season.last.on
    low, high = (rating_or_unrated(season.quantile(share)) for share in (SHARES[0], SHARES[-1]))
    half = say("charts.middle_half_after", ratings=middle_half_text(season.middle_half), on=last)
    return Chart(
        name=name,
        title=title or str(say("charts.season.title")),
        sentences=_sentences(season, half, say("charts.nine_in_ten", low=low, high=high)),
        head=(named("list_after"), *(f"{100 * share:.0f} %" for share in SHARES)),
        rows=tuple(
            (str(list_after.on), *(str(rating_or_unrated(places[place])) for place in PLACES))
            for list_after, places in zip(season.lists, after, strict=True)
        ),
        points=lambda: {
            "curve": [
                {"day": str(season.on), **start},
                *(
                    {"day": str(list_after.on), **places}
                    for list_after, places in zip(season.lists, after, strict=True)
                ),
            ],
            "here": _target(season),
            "frame": [{"rating": rating} for rating in frame],
        },
        plot=_plot_fan,
    )


def plans_chart(comparison: PlanComparison) -> Chart:
    """The fans of all plans side by side, on one scale."""
    frame = sorted(rating for season in comparison.plans for rating in _ends(season))
    fans = tuple(
        season_chart(season, name=f"fan-{number}", title=season.name, frame=(frame[0], frame[-1]))
        for number, season in enumerate(comparison.plans, start=1)
    )
    return Chart(
        name="plans",
        title=str(say("charts.plans.title")),
        sentences=(
            str(say("charts.plans.best", plan=comparison.best)),
            str(say("charts.model", model=comparison.plans[0].draws.called)),
        ),
        head=(named("plan"), *fans[0].head),
        rows=tuple((fan.title, *row) for fan in fans for row in fan.rows),
        points=dict,
        plot=_plot_fan,
        parts=fans,
    )


def _ends(season: Season) -> Iterator[int]:
    """The ratings at the edges of a season's fan, its start and its target."""
    ends = [list_after.quantile(share) for list_after in season.lists for share in (SHARES[0], SHARES[-1])]
    yield from (rating for rating in (int(season.rating), season.target, *ends) if rating)


def _plot_fan(colours: Theme, pointer: bool) -> Altair:
    alt = altair()
    x = months("day")
    scale, axis = alt.Scale(zero=False, nice=True), alt.Axis(format="d", title=named("rating"), tickCount=6)
    tips = [alt.Tooltip(f"{place}:Q", title=f"{100 * share:.0f} %") for place, share in PLACES.items()]
    when = alt.Tooltip("day:T", title=named("list_after"), format="%Y-%m-%d")
    curve = points("curve").encode(x=x)
    bands = [
        curve.mark_area(color=colours.win, opacity=opacity).encode(
            y=alt.Y(f"{low}:Q", scale=scale, axis=axis), y2=f"{high}:Q"
        )
        for low, high, opacity in (("q5", "q95", 0.16), ("q25", "q75", 0.3))
    ]
    middle = curve.encode(y=alt.Y("q50:Q", scale=scale, axis=axis), tooltip=[when, *tips])
    line = middle.mark_line(color=colours.win, strokeWidth=2)
    dots = middle.mark_point(filled=True, color=colours.win, opacity=1, size=45)
    here = points("here").encode(y=alt.Y("target:Q", scale=scale, axis=axis))
    rule = here.mark_rule(strokeDash=[4, 3], color=colours.loss, strokeWidth=1.5)
    label = here.mark_text(color=colours.loss, x=2, align="left", dy=-8, fontSize=LETTERS + 1).encode(text="target:Q")
    frame = points("frame").mark_point(opacity=0).encode(y=alt.Y("rating:Q", scale=scale, axis=axis))
    if pointer:
        under = nearest("day")
        dots = dots.encode(size=alt.condition(under, alt.value(160), alt.value(45))).add_params(under)
    return alt.layer(*bands, line, dots, rule, label, frame)


def _sentences(answer: Outlook | Season, *spread: Message) -> tuple[str, ...]:
    """How the ratings are spread, the chance of reaching the target, and the model of chances, in words."""
    said = list(spread)
    if answer.target is not None:
        said.append(say("charts.target", target=answer.target, chance=percent(answer.reach)))
    if answer.unrated:
        said.append(say("charts.unrated", chance=percent(answer.unrated)))
    said.append(say("charts.model", model=answer.draws.called))
    return tuple(map(str, said))


def _target(answer: Outlook | Season) -> list[dict[str, object]]:
    return [] if answer.target is None else [{"target": answer.target}]
