"""Charts, as Vega-Lite through altair: one specification for page, report and file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arpad.ahead.outlook import Outlook, percent
from arpad.ahead.season import SHARES, Season
from arpad.errors import BadFile, BadInput, NotYet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arpad.ahead.plans import Comparison

FORMS = (".html", ".png", ".svg")
WIDTH, HEIGHT = 560, 280
MOST_GROUPS = 30  # bars of one distribution


def chart_of(what: Outlook | Season | Comparison) -> Any:
    """The picture of an answer: a histogram, a fan, or several fans side by side."""
    if isinstance(what, Outlook):
        return histogram(what)
    if isinstance(what, Season):
        return fan(what)
    alt = _altair()
    fans = [fan(plan.season).properties(title=plan.name, width=WIDTH // 2) for plan in what.plans]
    return alt.hconcat(*fans).resolve_scale(y="shared")


def histogram(outlook: Outlook) -> Any:
    """The new ratings with their chances, and the target."""
    alt = _altair()
    rows = [
        {
            "new rating": one.new_rating,
            "chance": one.probability,
            "score": None if one.score is None else str(one.score),
            "reaches": outlook.asked.reach is not None and one.new_rating >= outlook.asked.reach,
        }
        for one in outlook.outcomes
        if one.new_rating is not None
    ]
    unrated = outlook.chance(lambda one: one.new_rating is None)
    title = f"New rating after {outlook.rating}" + (f"; unrated: {percent(unrated)}" if unrated else "")
    bars = (
        alt.Chart(alt.Data(values=rows), width=WIDTH, height=HEIGHT, title=title)
        .mark_bar(size=max(2, min(20, WIDTH // (2 * max(1, len(rows))))))
        .encode(
            x=alt.X(
                "new rating:Q", scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(format="d", title="new rating")
            ),
            y=alt.Y("chance:Q", axis=alt.Axis(format="%")),
            color=alt.condition("datum.reaches", alt.value("seagreen"), alt.value("steelblue")),
            tooltip=["new rating:Q", "score:N", alt.Tooltip("chance:Q", format=".1%")],
        )
    )
    return bars if outlook.asked.reach is None else bars + _rule(alt, outlook.asked.reach, "x")


def fan(season: Season) -> Any:
    """The middle half and nine in ten of the ratings on each list, and the target."""
    alt = _altair()
    rows = [_fan_row(season.on.isoformat(), [season.player.rating] * len(SHARES))]
    rows += [_fan_row(one.on.isoformat(), [one.quantile(share) for share in SHARES]) for one in season.lists]
    base = alt.Chart(
        alt.Data(values=rows),
        width=WIDTH,
        height=HEIGHT,
        title="Rating over the season: the middle half, and nine in ten",
    ).encode(x=alt.X("list:T", title="list"))
    scale = alt.Scale(zero=False)
    axis = alt.Axis(format="d", title="rating")
    wide = base.mark_area(opacity=0.2).encode(y=alt.Y("5 %:Q", scale=scale, axis=axis), y2="95 %:Q")
    half = base.mark_area(opacity=0.35).encode(y=alt.Y("25 %:Q", scale=scale), y2="75 %:Q")
    middle = base.mark_line(point=True).encode(y=alt.Y("50 %:Q", scale=scale))
    layers = wide + half + middle
    return layers if season.asked.reach is None else layers + _rule(alt, season.asked.reach, "y")


def _fan_row(day: str, ratings: list[Any]) -> dict[str, Any]:
    return {"list": day, **{f"{100 * share:.0f} %": rating for share, rating in zip(SHARES, ratings, strict=True)}}


def _rule(alt: Any, target: int, axis: str) -> Any:
    """A line at the target, with its number beside it."""
    place = {"x": alt.X, "y": alt.Y}[axis]("target:Q")
    base = alt.Chart(alt.Data(values=[{"target": target}])).encode(**{axis: place}, tooltip="target:Q")
    away = {"x": {"align": "left", "dx": 4, "y": 8}, "y": {"align": "left", "dy": -6, "x": 4}}[axis]
    return base.mark_rule(color="firebrick", strokeDash=[4, 3]) + base.mark_text(color="firebrick", **away).encode(
        text="target:Q"
    )


def save(chart: Any, path: str) -> None:
    """Write a chart as SVG, PNG, or a page that needs no network."""
    file = Path(path)
    if file.suffix not in FORMS:
        raise BadInput(f"'{path}' is not a picture Arpad can write; name it {', '.join(FORMS)}.", at="--chart")
    try:
        chart.save(path, **({"inline": True} if file.suffix == ".html" else {}))
    except OSError as problem:
        raise BadFile(f"The chart cannot be written: {problem.strerror}.", at=path) from None
    except (ImportError, ValueError) as problem:
        # altair says in a ValueError of its own that the converter is missing.
        raise NotYet(
            f"Charts need altair and vl-convert; `pip install arpad[charts]` brings them ({problem})."
        ) from None


def _altair() -> Any:
    """The charting library, which is an extra."""
    try:
        import altair as alt
    except ImportError:
        raise NotYet(
            "Charts need altair and vl-convert; `pip install arpad[charts]` brings them.", at="chart"
        ) from None
    return alt


def distributions(rows: list[dict[str, Any]], title: str) -> Any:
    """Players and their mean rating by federation, age and sex, side by side."""
    alt = _altair()

    def bars(by: str) -> Any:
        some = [row for row in rows if row["by"] == by][:MOST_GROUPS]
        if by == "age":
            some = sorted(some, key=lambda row: (len(row["group"]), row["group"]))
        sort = [row["group"] for row in some]
        return (
            alt.Chart(alt.Data(values=some), title=f"by {by}", width=max(60, 16 * len(some)), height=HEIGHT // 2)
            .mark_bar()
            .encode(
                x=alt.X("group:N", sort=sort, title=None),
                y=alt.Y("players:Q"),
                color=alt.Color("mean:Q", title="mean rating", scale=alt.Scale(scheme="viridis")),
                tooltip=["group:N", "players:Q", "mean:Q"],
            )
        )

    return alt.vconcat(bars("federation"), alt.hconcat(bars("age"), bars("sex")), title=title)
