"""Charts, as Vega-Lite through altair: one specification for page, report and file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arpad.ahead.outlook import Outlook
from arpad.ahead.season import SHARES, Season
from arpad.curves import outcomes_picture, specification
from arpad.errors import BadFile, BadInput, NotYet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.ahead.plans import Comparison
    from arpad.bulk.measures import Bin

FORMS = (".html", ".png", ".svg")
WIDTH, HEIGHT = 560, 280
PAPER = "white"  # a file may be laid on anything
MOST_GROUPS = 30  # bars of one distribution
MOST_TICKS = 5


def chart_of(what: Outlook | Season | Comparison) -> Any:
    """The picture of an answer: a histogram, a fan, or several fans side by side."""
    if isinstance(what, Outlook):
        return histogram(what)
    if isinstance(what, Season):
        return fan(what)
    alt = altair()
    fans = [fan(plan.season).properties(title=plan.name, width=WIDTH // 2) for plan in what.plans]
    return alt.hconcat(*fans).resolve_scale(y="shared")


def histogram(outlook: Outlook) -> Any:
    """The new ratings with their chances, and the target: the picture of the page."""
    alt = altair()
    picture = outcomes_picture(outlook)
    chart = alt.LayerChart.from_dict(specification(picture), validate=False)
    title = {"text": picture.title, "subtitle": picture.says}
    return chart.properties(title=title, width=WIDTH, height=HEIGHT, background=PAPER)


def fan(season: Season) -> Any:
    """The middle half and nine in ten of the ratings on each list, and the target."""
    alt = altair()
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


def calibration(ranges: Sequence[Bin], title: str) -> Any:
    """What was expected and what was scored, a point a range as large as its games are many, beside the diagonal."""
    alt = altair()
    rows = [{"expected": one.expected, "score": one.score, "games": one.games} for one in ranges]
    scale, share = alt.Scale(domain=[0, 1]), alt.Axis(format="%")
    square = {"width": HEIGHT * 4 // 3, "height": HEIGHT * 4 // 3}
    diagonal = (
        alt.Chart(alt.Data(values=[{"expected": end, "score": end} for end in (0, 1)]), title=title, **square)
        .mark_line(color="grey", strokeDash=[4, 3])
        .encode(x=alt.X("expected:Q", scale=scale), y=alt.Y("score:Q", scale=scale))
    )
    points = (
        alt.Chart(alt.Data(values=rows))
        .mark_circle(color="steelblue", opacity=0.9)
        .encode(
            x=alt.X("expected:Q", scale=scale, axis=share, title="expected score"),
            y=alt.Y("score:Q", scale=scale, axis=share, title="score"),
            size=alt.Size("games:Q", scale=alt.Scale(range=[30, 500])),
            tooltip=[alt.Tooltip("expected:Q", format=".1%"), alt.Tooltip("score:Q", format=".1%"), "games:Q"],
        )
    )
    return diagonal + points


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


def altair() -> Any:
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
    alt = altair()

    def bars(by: str) -> Any:
        some = [row for row in rows if row["by"] == by][:MOST_GROUPS]
        sort = [row["group"] for row in some]
        ticks = min(MOST_TICKS, max(row["players"] for row in some))  # whole numbers, also of few players
        return (
            alt.Chart(alt.Data(values=some), title=f"by {by}", width=max(60, 16 * len(some)), height=HEIGHT // 2)
            .mark_bar()
            .encode(
                x=alt.X("group:N", sort=sort, title=None),
                y=alt.Y("players:Q", axis=alt.Axis(tickCount=ticks, format=",d")),
                color=alt.Color("mean:Q", title="mean rating", scale=alt.Scale(scheme="viridis")),
                tooltip=["group:N", "players:Q", "mean:Q"],
            )
        )

    return alt.vconcat(bars("federation"), alt.hconcat(bars("age"), bars("sex")), title=title)
