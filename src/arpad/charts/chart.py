"""Chart: what it shows in sentences and as a table, and the specification to draw it, with or without a browser.

A card is a chart below a headline, as a picture for messengers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import wrap

from arpad.charts.drawing import (
    LETTERS,
    THEMES,
    Altair,
    Look,
    Specification,
    Theme,
    ThemeName,
    altair,
    check_form,
    dressed,
    png,
    svg,
    write,
)
from arpad.errors import UnknownName
from arpad.messages import voice

NARROW, MIDDLE = 400, 600  # below NARROW a chart is for a phone; from MIDDLE it fills a page by itself
WIDTH, HEIGHT = 560, 280  # of a chart in a file
PAPER = "white"  # a file may be put on any background
ONCE = ("$schema", "config", "background")  # what charts side by side share
CARD_WIDTH, CARD_PADDING = 540, 30  # points; messengers show cards about twice as wide as high
CARD_LETTERS, CARD_HEADLINE = 15, 30
CARD_LINE = 78  # characters that fit in the width
Points = Mapping[str, Sequence[Mapping[str, object]]]  # what is drawn, by the plot's names for it
Plot = Callable[[Theme, bool], Altair]  # the flag: highlight the point nearest to the pointer


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart in the current language; if it has `parts`, they are shown side by side."""

    name: str
    title: str
    sentences: tuple[str, ...]
    head: tuple[str, ...]  # the headings of the table that says the same
    rows: tuple[tuple[str, ...], ...]
    points: Callable[[], Points]  # worked out when it is drawn; a page has only words, table and a link
    plot: Plot
    broad: bool = False  # it takes the whole width of a page
    fixed: bool = False  # the plot has its own size
    parts: tuple[Chart, ...] = ()

    @property
    def says(self) -> str:
        """What it shows, in words."""
        return " ".join(self.sentences)

    def specification(self, *, theme: ThemeName = "light", width: int = 560, pointer: bool = False) -> Specification:
        """The Vega-Lite specification; with `pointer` it highlights the point nearest to the pointer."""
        if theme not in THEMES:
            raise UnknownName("theme", theme, known=THEMES, at="theme")
        if self.parts:
            return side_by_side([part.specification(theme=theme, width=width // 2) for part in self.parts])
        return {
            **_plotted(self.plot, self.look(theme=theme, width=width, pointer=pointer)),
            "description": f"{self.title}. {self.says}",
            "datasets": {name: list(points) for name, points in self.points().items()},
        }

    def look(self, *, theme: ThemeName, width: int, pointer: bool) -> Look:
        """What its plot depends on."""
        broad = self.broad and NARROW <= width < MIDDLE
        height = round(width * (0.5 if width >= NARROW else 0.66))
        size = None if self.fixed else (2 * width + 20 if broad else width, height)
        name = getattr(self.plot, "__name__", "")  # a plot made for a single chart has none
        return Look(name, theme, pointer, size, voice().language)

    def svg(self, *, theme: ThemeName = "light", width: int = 560) -> str:
        """The chart as SVG, drawn without a browser."""
        return svg(self.specification(theme=theme, width=width))

    def save(self, path: str | Path) -> None:
        """Write the chart to a file; its name decides between SVG, PNG and a page that needs no network."""
        check_form(path)
        write(self.on_paper(), path)

    def on_paper(self) -> Specification:
        """The specification for a file, with title and sentences; each part has its own."""
        if self.parts:
            return side_by_side([_titled(part, WIDTH // 2) for part in self.parts])
        return _titled(self, WIDTH)

    def _repr_svg_(self) -> str:
        return self.svg()


# Cached, because only the points change; the plot's texts depend on the language.
@lru_cache(maxsize=32)
def _plotted(plot: Plot, look: Look) -> Specification:
    chart: Altair = plot(THEMES[look.theme], look.pointer)
    if look.size is not None:
        chart = chart.properties(width=look.size[0], height=look.size[1])
    drawn: Specification = dressed(chart.properties(background="transparent"), THEMES[look.theme], LETTERS).to_dict(
        validate=False
    )
    return drawn


def _titled(chart: Chart, width: int) -> Specification:
    """A chart for a file, below its title and sentences."""
    title = {"text": chart.title, "subtitle": list(chart.sentences)}
    size = {} if chart.fixed else {"width": width, "height": HEIGHT}
    return {**chart.specification(), "title": title, **size, "background": PAPER}


def side_by_side(drawn: Sequence[Specification]) -> Specification:
    """Charts side by side, with one scale for their ratings; each keeps its own points."""
    datasets: Specification = {}
    parts = []
    for number, specified in enumerate(drawn):
        layers = [
            {**layer, "data": {"name": f"{number} {layer.get('data', specified.get('data'))['name']}"}}
            for layer in specified["layer"]
        ]
        datasets |= {f"{number} {name}": points for name, points in specified["datasets"].items()}
        own = {name: part for name, part in specified.items() if name not in (*ONCE, "datasets", "data")}
        parts.append({**own, "layer": layers})
    head = {name: drawn[0][name] for name in ONCE}
    return {**head, "datasets": datasets, "hconcat": parts, "resolve": {"scale": {"y": "shared"}}}


def card(headline: str, sentences: Sequence[str], chart: Chart | None = None) -> bytes:
    """A card as a PNG: the headline, the sentences below it, and the chart unless its size is fixed."""
    lines = [line for sentence in sentences for line in wrap(sentence, CARD_LINE)]
    if chart is None or chart.fixed:
        alt = altair()
        empty = alt.Chart(alt.Data(values=[{}])).mark_point(opacity=0).properties(width=CARD_WIDTH, height=20)
        drawn = dressed(empty, THEMES["light"]).to_dict(validate=False)
    else:
        drawn = {**chart.specification(width=CARD_WIDTH), "width": CARD_WIDTH, "height": 190}
    title = {"text": headline, "subtitle": lines, "fontSize": CARD_HEADLINE, "subtitleFontSize": CARD_LETTERS}
    return png({**drawn, "title": {**title, "subtitlePadding": 10}, "padding": CARD_PADDING, "background": PAPER})


def points(name: str) -> Altair:
    """An Altair chart of the points with this name."""
    alt = altair()
    return alt.Chart(alt.NamedData(name=name))


def months(field: str) -> Altair:
    """An axis of days, marked by months."""
    alt = altair()
    axis = alt.Axis(format="%Y-%m", tickCount="month", labelOverlap=True, grid=False)
    return alt.X(f"{field}:T", title=None, scale=alt.Scale(type="utc"), axis=axis)


def nearest(field: str) -> Altair:
    """Selects the point nearest to the pointer, by one field."""
    return altair().selection_point(name="under", nearest=True, on="pointerover", fields=[field], empty=False)
