"""Pictures of what is to come: the histogram of an event's outcomes, and the fan of a season, with the target."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from arpad.charts.chart import Picture, nearest, points
from arpad.charts.theme import LETTERS, LETTERS_BROAD, Theme, altair
from arpad.forecast.chances import percent
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import Plans
from arpad.forecast.season import SHARES, Season
from arpad.messages import figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BAR = 0.3  # of the distance to the next outcome, to either side
THIN = 1.5  # points to either side of a rating, so that a bar hides no other rating
SEEN = 150  # a bar is as broad as this part of the picture where that is more
ALONE = 5  # points between outcomes where there is only one
PLACES = {f"q{100 * share:.0f}": share for share in SHARES}  # the places of a fan, as fields of its points


def chances_pictures(what: Outlook | Season | Plans) -> list[Picture]:
    """The pictures of an answer about the future: a histogram, a fan, or a fan for each plan."""
    if isinstance(what, Outlook):
        return [outcomes_picture(what)]
    if isinstance(what, Season):
        return [fan_picture(what)]
    frame = sorted(rating for plan in what.plans for rating in _ends(plan.season))
    return [
        fan_picture(season, name=f"fan-{number}", title=name, frame=(frame[0], frame[-1]))
        for number, (name, season) in enumerate(what.plans, start=1)
    ]


def outcomes_picture(outlook: Outlook) -> Picture:
    """The new ratings of an outlook with their chances, and the target."""
    target = outlook.asked.reach
    chances: dict[int, float] = {}
    for one in outlook.outcomes:
        if one.new_rating is not None:
            chances[one.new_rating] = chances.get(one.new_rating, 0.0) + one.probability
    ratings = sorted(chances)
    apart = min((after - before for before, after in pairwise(ratings)), default=ALONE)
    half = min(BAR * apart, max(THIN, (ratings[-1] - ratings[0]) / SEEN)) if ratings else THIN
    curve = [
        {"rating": rating, "from": rating - half, "to": rating + half, "chance": chances[rating],
         "reaches": target is None or rating >= target}
        for rating in ratings
    ]  # fmt: skip
    unrated = outlook.chance(lambda one: one.new_rating is None)
    rows = [(str(rating), percent(chances[rating]) or "") for rating in ratings]
    return Picture(
        "outcomes",
        f"Where {figure(outlook.rating)} may end",
        _says(outlook, unrated),
        ("new rating", "chance"),
        tuple([("unrated", percent(unrated) or ""), *rows] if unrated else rows),
        {"curve": curve, "here": _target(outlook)},
        _outcomes_drawing,
        broad=True,
    )


def fan_picture(
    season: Season, *, name: str = "fan", title: str = "Rating over the season", frame: Sequence[int] = ()
) -> Picture:
    """Where the rating may be on each list: the middle half, nine in ten, and the target.

    A frame is what pictures side by side share: the lowest and the highest rating of all of them.
    """
    start = dict.fromkeys(PLACES, season.player.rating)
    after = [{place: one.quantile(share) for place, share in PLACES.items()} for one in season.lists]
    days = [season.on, *(one.on for one in season.lists)]
    rows = [(str(day), *(str(one[place] or "unrated") for place in PLACES)) for day, one in zip(days[1:], after)]  # noqa: B905
    return Picture(
        name,
        title,
        _says(season, season.shares.get(None, 0.0)),
        ("list after", *(f"{100 * share:.0f} %" for share in SHARES)),
        tuple(rows),
        {
            "curve": [{"day": str(day), **one} for day, one in zip(days, [start, *after], strict=True)],
            "here": _target(season),
            "frame": [{"rating": rating} for rating in frame],
        },
        _fan_drawing,
    )


def _ends(season: Season) -> Iterator[int]:
    """Every rating that bounds a season's fan."""
    ends = [one.quantile(share) for one in season.lists for share in (SHARES[0], SHARES[-1])]
    yield from (rating for rating in (int(season.player.rating or 0), season.asked.reach, *ends) if rating)


def _target(what: Outlook | Season) -> list[dict[str, Any]]:
    return [] if what.asked.reach is None else [{"target": what.asked.reach}]


def _says(what: Outlook | Season, unrated: float) -> str:
    """The middle half and the target in words."""
    low, high = (what.quantile(share) or "unrated" for share in (0.25, 0.75))
    end = f" after {what.lists[-1].on}" if isinstance(what, Season) else ""
    parts = [f"At least half of all outcomes lie from {low} to {high}{end}"]
    if isinstance(what, Season):
        parts.append(f"nine in ten from {' to '.join(str(what.quantile(one) or 'unrated') for one in (0.05, 0.95))}")
    if what.asked.reach is not None:
        parts.append(f"{what.asked.reach} or more has a chance of {percent(what.reach)}")
    if unrated:
        parts.append(f"no rating at all, {percent(unrated)}")
    return f"{'; '.join(parts)}."


def _outcomes_drawing(colours: Theme, pointer: bool) -> Any:  # noqa: ARG001  # a bar is under the pointer as it is
    alt = altair()
    axis = alt.Axis(format="d", grid=False, tickMinStep=1, tickCount=8)
    x = alt.X("from", type="quantitative", title="new rating", scale=alt.Scale(zero=False), axis=axis)
    y = alt.Y("chance", type="quantitative", title="chance", axis=alt.Axis(format="%", tickCount=5))
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
                alt.Tooltip("rating:Q", title="new rating", format="d"),
                alt.Tooltip("chance:Q", format=".1%"),
            ],
        )
    )
    here = points("here").encode(x="target:Q")
    rule = here.mark_rule(strokeDash=[4, 3], color=colours.loss, strokeWidth=1.5)
    above = here.mark_text(color=colours.loss, y=-7, fontSize=LETTERS_BROAD).encode(text="target:Q")
    return bars + rule + above


def _fan_drawing(colours: Theme, pointer: bool) -> Any:
    alt = altair()
    x = alt.X(
        "day:T",
        title=None,
        scale=alt.Scale(type="utc"),
        axis=alt.Axis(format="%b %Y", tickCount="month", labelOverlap=True, grid=False),
    )
    scale, axis = alt.Scale(zero=False, nice=True), alt.Axis(format="d", title="rating", tickCount=6)
    tips = [alt.Tooltip(f"{place}:Q", title=f"{100 * share:.0f} %") for place, share in PLACES.items()]
    when = alt.Tooltip("day:T", title="list after", format="%Y-%m-%d")
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
