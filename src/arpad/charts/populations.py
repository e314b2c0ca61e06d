"""Charts of many players and games: a list's distributions, and the calibration of expected scores."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from arpad.charts.chart import HEIGHT, Chart, points
from arpad.charts.theme import Theme, altair, named
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.bulk import Bin
    from arpad.lists import ListGroup

MOST_GROUPS = 30  # bars of one distribution
MOST_TICKS = 5
GROUPS = ("federation", "age", "sex")


def calibration(ranges: Sequence[Bin], title: str) -> Chart:
    """What was expected and what was scored, a point a range as large as its games are many, beside the diagonal."""
    return Chart(
        name="calibration",
        title=title,
        sentences=(str(say("charts.calibration.says")),),
        head=(named("expected"), named("score"), named("games")),
        rows=tuple((f"{one.expected:.3f}", f"{one.score:.3f}", f"{one.games:,}") for one in ranges),
        points={
            "ranges": [{"expected": one.expected, "score": one.score, "games": one.games} for one in ranges],
            "diagonal": [{"expected": end, "score": end} for end in (0, 1)],
        },
        plot=_plot_calibration,
        fixed=True,
    )


def _plot_calibration(colours: Theme, pointer: bool) -> Any:  # noqa: ARG001  # a point is under the pointer as it is
    alt = altair()
    scale, share = alt.Scale(domain=[0, 1]), alt.Axis(format="%")
    x = alt.X("expected:Q", scale=scale, axis=share, title=named("expected"))
    y = alt.Y("score:Q", scale=scale, axis=share, title=named("score"))
    diagonal = points("diagonal").mark_line(color=colours.faint, strokeDash=[4, 3]).encode(x=x, y=y)
    ranges = (
        points("ranges")
        .mark_circle(color=colours.win, opacity=0.9)
        .encode(
            x=x,
            y=y,
            size=alt.Size("games:Q", title=named("games"), scale=alt.Scale(range=[30, 500])),
            tooltip=[
                alt.Tooltip("expected:Q", title=named("expected"), format=".1%"),
                alt.Tooltip("score:Q", title=named("score"), format=".1%"),
                alt.Tooltip("games:Q", title=named("games")),
            ],
        )
    )
    return (diagonal + ranges).properties(width=HEIGHT * 4 // 3, height=HEIGHT * 4 // 3)


def distributions(groups: Sequence[ListGroup], title: str) -> Chart:
    """Players and their mean rating by federation, age and sex, side by side."""
    shown = {by: [one for one in groups if one.by == by][:MOST_GROUPS] for by in GROUPS}
    sizes = tuple((by, len(some), max((one.players for one in some), default=0)) for by, some in shown.items())
    return Chart(
        name="distributions",
        title=title,
        sentences=(str(say("charts.distributions.says")),),
        head=(named("by"), named("group"), named("players"), named("mean")),
        rows=tuple(
            (named(by), str(one.group), f"{one.players:,}", f"{one.mean:.0f}")
            for by, some in shown.items()
            for one in some
        ),
        points={
            by: [{"group": str(one.group), "players": one.players, "mean": one.mean} for one in some]
            for by, some in shown.items()
        },
        plot=partial(_plot_distributions, sizes),
        fixed=True,
    )


def _plot_distributions(sizes: tuple[tuple[str, int, int], ...], colours: Theme, pointer: bool) -> Any:  # noqa: ARG001
    alt = altair()

    def bars(by: str, groups: int, most: int) -> Any:
        ticks = min(MOST_TICKS, most)  # whole numbers, also of few players
        return (
            points(by)
            .mark_bar()
            .encode(
                x=alt.X("group:N", sort=None, title=None),
                y=alt.Y("players:Q", title=named("players"), axis=alt.Axis(tickCount=ticks, format=",d")),
                color=alt.Color("mean:Q", title=named("mean"), scale=alt.Scale(range=[colours.line, colours.win])),
                tooltip=[
                    alt.Tooltip("group:N", title=named("group")),
                    alt.Tooltip("players:Q", title=named("players")),
                    alt.Tooltip("mean:Q", title=named("mean")),
                ],
            )
            .properties(title=named(by), width=max(60, 16 * groups), height=HEIGHT // 2)
        )

    federation, age, sex = (bars(*one) for one in sizes)
    return alt.vconcat(federation, alt.hconcat(age, sex))
