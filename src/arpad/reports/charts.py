"""The charts of a report, drawn without a browser in the page's colours, light or dark."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.charts.rendering import svg
from arpad.charts.theme import PLAIN_ZERO, Theme, altair, dressed
from arpad.messages import Message, say

if TYPE_CHECKING:
    from arpad.tournaments.event.report import EventReport

WIDTH, HEIGHT = 360, 220
COLOURS = Theme("var(--ink)", "var(--soft)", "var(--line)", "var(--up)", "var(--soft)", "var(--down)", "var(--card)")
LEAST = 2  # with fewer players there is nothing to see


class Drawn(NamedTuple):
    """A drawn chart with its title, and a sentence that says what it shows."""

    title: Message
    says: Message
    svg: str


def charts(rated: EventReport) -> list[Drawn]:
    """Each player's change by rating, and each player's performance by rating."""
    moved = [(player, player.change) for player in rated.players if player.change is not None and player.games]
    if len(moved) < LEAST:
        return []
    rows = [
        {
            "rating": float(player.rating or 0),
            "change": float(change),
            "performance": player.performance,
            "gains": change > 0,
        }
        for player, change in moved
    ]
    players = len(moved)
    gained, lost = sum(change > 0 for _, change in moved), sum(change < 0 for _, change in moved)
    total = sum((change for _, change in moved), Decimal(0))
    better = sum((player.performance or 0) > (player.rating or 0) for player, _ in moved)
    return [
        Drawn(
            say("reports.chart.change.title"),
            say("reports.chart.change.says", gained=gained, players=players, lost=lost, total=total),
            _svg(rows, "change", "+.0f", 0),
        ),
        Drawn(
            say("reports.chart.performance.title"),
            say("reports.chart.performance.says", better=better, players=players),
            _svg(rows, "performance", "d", None),
        ),
    ]


def _svg(rows: list[dict[str, Any]], what: str, numbers: str, level: int | None) -> str:
    """A dot for each player, and a line at a level, or where performance equals rating."""
    alt = altair()
    x = alt.X(
        "rating:Q",
        scale=alt.Scale(zero=False, nice=True),
        axis=alt.Axis(format="d", title=str(say("reports.chart.rating")), tickCount=6),
    )
    y = alt.Y(
        f"{what}:Q",
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format=numbers, title=str(say(f"reports.chart.{what}")), tickCount=6, labelExpr=PLAIN_ZERO),
    )
    colour = alt.condition("datum.gains", alt.value(COLOURS.win), alt.value(COLOURS.loss))
    dots = alt.Chart(alt.Data(values=rows)).mark_circle(size=_size(len(rows)), opacity=0.75).encode(x, y, color=colour)
    ends = [min(row["rating"] for row in rows), max(row["rating"] for row in rows)]
    line = [{"rating": end, what: end if level is None else level} for end in ends]
    rule = (
        alt.Chart(alt.Data(values=line)).mark_line(color=COLOURS.faint, strokeWidth=1, strokeDash=[4, 3]).encode(x, y)
    )
    chart = dressed((rule + dots).properties(width=WIDTH, height=HEIGHT, background="transparent"), COLOURS)
    drawn = svg(chart.to_dict(validate=False))
    return drawn.replace("<svg", '<svg aria-hidden="true"', 1)  # the caption says what it shows


def _size(dots: int) -> int:
    """The area of a dot: smaller if there are many."""
    return max(8, min(70, 7000 // dots))
