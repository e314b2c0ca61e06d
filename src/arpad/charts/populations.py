"""Charts of many players: the distributions of a rating list."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from arpad.charts.chart import HEIGHT, Chart, points
from arpad.charts.theme import Theme, altair, named
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.lists import ListGroup

MOST_GROUPS = 30  # bars of one distribution
MOST_TICKS = 5
GROUPS = ("federation", "age", "sex")


def distributions(groups: Sequence[ListGroup], title: str) -> Chart:
    """Players and their mean rating by federation, age and sex, side by side."""
    shown = {by: [group for group in groups if group.by == by][:MOST_GROUPS] for by in GROUPS}
    sizes = tuple(
        (by, len(of_kind), max((group.players for group in of_kind), default=0)) for by, of_kind in shown.items()
    )
    return Chart(
        name="distributions",
        title=title,
        sentences=(str(say("charts.distributions.says")),),
        head=(named("by"), named("group"), named("players"), named("mean")),
        rows=tuple(
            (named(by), str(group.group), f"{group.players:,}", f"{group.mean:.0f}")
            for by, of_kind in shown.items()
            for group in of_kind
        ),
        points=lambda: {
            by: [{"group": str(group.group), "players": group.players, "mean": group.mean} for group in of_kind]
            for by, of_kind in shown.items()
        },
        plot=partial(_plot_distributions, sizes),
        fixed=True,
    )


def _plot_distributions(sizes: tuple[tuple[str, int, int], ...], colours: Theme, pointer: bool) -> Any:  # noqa: ARG001
    alt = altair()

    def bars(by: str, groups: int, most: int) -> Any:
        ticks = min(MOST_TICKS, most)  # whole numbers, even with few players
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

    federation, age, sex = (bars(*size) for size in sizes)
    return alt.vconcat(federation, alt.hconcat(age, sex))
