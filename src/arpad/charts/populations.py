"""Charts of many games and players: an evaluation's expected and actual scores, and the players of a list by group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from arpad.charts.chart import HEIGHT, Chart, points
from arpad.charts.drawing import Altair, Theme, altair, named
from arpad.messages import fixed, say, thousands

if TYPE_CHECKING:
    from arpad.bulk import Band, Bin, Evaluation
    from arpad.lists import ListGroup


SIDE = HEIGHT * 4 // 3
MOST_GROUPS = 30  # bars of one distribution
MOST_TICKS = 5
GROUPS = ("federation", "age", "sex")


def evaluation_chart(found: Evaluation) -> Chart:
    """The calibration of an evaluation, by expected score and by rating difference, side by side."""
    title = str(say("charts.calibration.title", system=found.system, games=found.games))
    if found.draws is None:
        by = say("charts.bands.by_system", system=found.system)
    else:
        by = say("charts.model", model=found.draws.called)
    by_range, by_band = calibration(found.calibration, title), bands_chart(found.bands, by=str(by))
    return Chart(
        name="evaluation",
        title=title,
        sentences=(*by_range.sentences, *by_band.sentences),
        head=by_band.head,
        rows=by_band.rows,
        points=dict,
        plot=_plot_bands,
        parts=(by_range, by_band),
    )


def calibration(ranges: Sequence[Bin], title: str) -> Chart:
    """Expected and actual scores, with a diagonal: a point for each range, larger the more games it has."""
    return Chart(
        name="calibration",
        title=title,
        sentences=(str(say("charts.calibration.says")),),
        head=(named("expected"), named("score"), named("games")),
        rows=tuple((fixed(bin.expected, 3), fixed(bin.score, 3), thousands(bin.games)) for bin in ranges),
        points=lambda: {
            "ranges": [{"expected": bin.expected, "score": bin.score, "games": bin.games} for bin in ranges],
            "diagonal": [{"expected": end, "score": end} for end in (0, 1)],
        },
        plot=_plot_calibration,
        fixed=True,
    )


def _plot_calibration(colours: Theme, pointer: bool) -> Altair:  # noqa: ARG001  # its points are easy to hit anyway
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
    return (diagonal + ranges).properties(width=SIDE, height=SIDE)


def bands_chart(bands: Sequence[Band], *, by: str) -> Chart:
    """Favourites' expected and actual scores by rating difference; with a model of chances, draws as well.

    `by` says what made the predictions: a model of chances, or the system's own expected score.
    """
    return Chart(
        name="bands",
        title=str(say("charts.bands.title")),
        sentences=(str(say("charts.bands.says")), by),
        head=(
            named("favourite"),
            named("games"),
            named("expected"),
            named("score"),
            named("model_draws"),
            named("drawn"),
        ),
        rows=tuple(
            (
                band.name,
                thousands(band.games),
                fixed(band.expected, 3),
                fixed(band.score, 3),
                "" if band.draws is None else fixed(band.draws, 3),
                fixed(band.drawn, 3),
            )
            for band in bands
        ),
        points=lambda: {"bands": [point for band in bands for point in _points(band)]},
        plot=_plot_bands,
        fixed=True,
    )


def _points(band: Band) -> Iterator[dict[str, object]]:
    """Predicted and actual score of a band, and its draws if a model predicts them."""
    place = {"difference": band.low, "band": band.name, "games": band.games}
    yield {**place, "kind": named("score"), "says": band.expected, "happened": band.score}
    if band.draws is not None:
        yield {**place, "kind": named("drawn"), "says": band.draws, "happened": band.drawn}


def _plot_bands(colours: Theme, pointer: bool) -> Altair:  # noqa: ARG001  # its points are easy to hit anyway
    alt = altair()
    scale = alt.Scale(domain=[named("score"), named("drawn")], range=[colours.win, colours.draw])
    bands = points("bands").encode(
        x=alt.X("difference:Q", title=named("favourite")),
        color=alt.Color("kind:N", scale=scale),
        tooltip=[
            alt.Tooltip("band:N", title=named("favourite")),
            alt.Tooltip("kind:N", title=named("by")),
            alt.Tooltip("says:Q", title=named("expected"), format=".1%"),
            alt.Tooltip("happened:Q", title=named("happened"), format=".1%"),
            alt.Tooltip("games:Q", title=named("games")),
        ],
    )
    axis = {"scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(format="%"), "title": named("share")}
    said = bands.mark_line(strokeWidth=2).encode(y=alt.Y("says:Q", **axis))
    happened = bands.mark_circle(size=60, opacity=0.9).encode(y=alt.Y("happened:Q", **axis))
    return (said + happened).properties(width=SIDE, height=SIDE)


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
            (named(by), str(group.group), thousands(group.players), f"{group.mean:.0f}")
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


def _plot_distributions(sizes: tuple[tuple[str, int, int], ...], colours: Theme, pointer: bool) -> Altair:  # noqa: ARG001
    alt = altair()

    def bars(by: str, groups: int, most: int) -> Altair:
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
