"""Pictures of many players and games: a list's distributions, and the calibration of expected scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.charts.saving import HEIGHT, PAPER
from arpad.charts.theme import THEMES, altair, dressed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.bulk import Bin

MOST_GROUPS = 30  # bars of one distribution
MOST_TICKS = 5
COLOURS = THEMES["light"]


def calibration(ranges: Sequence[Bin], title: str) -> dict[str, Any]:
    """What was expected and what was scored, a point a range as large as its games are many, beside the diagonal."""
    alt = altair()
    rows = [{"expected": one.expected, "score": one.score, "games": one.games} for one in ranges]
    scale, share = alt.Scale(domain=[0, 1]), alt.Axis(format="%")
    square = {"width": HEIGHT * 4 // 3, "height": HEIGHT * 4 // 3}
    diagonal = (
        alt.Chart(alt.Data(values=[{"expected": end, "score": end} for end in (0, 1)]), title=title, **square)
        .mark_line(color=COLOURS.faint, strokeDash=[4, 3])
        .encode(x=alt.X("expected:Q", scale=scale), y=alt.Y("score:Q", scale=scale))
    )
    points = (
        alt.Chart(alt.Data(values=rows))
        .mark_circle(color=COLOURS.win, opacity=0.9)
        .encode(
            x=alt.X("expected:Q", scale=scale, axis=share, title="expected score"),
            y=alt.Y("score:Q", scale=scale, axis=share, title="score"),
            size=alt.Size("games:Q", scale=alt.Scale(range=[30, 500])),
            tooltip=[alt.Tooltip("expected:Q", format=".1%"), alt.Tooltip("score:Q", format=".1%"), "games:Q"],
        )
    )
    return _on_paper(diagonal + points)


def distributions(rows: list[dict[str, Any]], title: str) -> dict[str, Any]:
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
                color=alt.Color("mean:Q", title="mean rating", scale=alt.Scale(range=[COLOURS.line, COLOURS.win])),
                tooltip=["group:N", "players:Q", "mean:Q"],
            )
        )

    return _on_paper(alt.vconcat(bars("federation"), alt.hconcat(bars("age"), bars("sex")), title=title))


def _on_paper(chart: Any) -> dict[str, Any]:
    return dressed(chart.properties(background=PAPER), COLOURS).to_dict(validate=False)  # type: ignore[no-any-return]
