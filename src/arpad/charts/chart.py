"""Chart: what it shows in sentences, the same as a table, and the specification that draws it, in a browser or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from arpad.charts.prepared import Look, prepared
from arpad.charts.rendering import Specification, check_form, svg, write
from arpad.charts.theme import LETTERS, THEMES, Theme, altair, dressed
from arpad.errors import UnknownName
from arpad.messages import voice

if TYPE_CHECKING:
    from pathlib import Path

NARROW, MIDDLE = (
    400,
    600,
)  # a chart narrower than the one is for a phone, one wider than the other fills a page by itself
WIDTH, HEIGHT = 560, 280  # of a chart on paper
PAPER = "white"  # a file may be laid on anything
ONCE = ("$schema", "config", "background")  # what charts side by side have in common

Points = Mapping[str, Sequence[Mapping[str, object]]]  # what is drawn, by the names that the plot uses
Plot = Callable[[Theme, bool], object]  # an Altair chart; with the point nearest to the pointer, if asked for


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart in the present language; one made of `parts` shows those side by side."""

    name: str
    title: str
    sentences: tuple[str, ...]
    head: tuple[str, ...]  # of the table that says the same
    rows: tuple[tuple[str, ...], ...]
    points: Callable[[], Points]  # found when it is drawn: a page has the words and the table, and links to it
    plot: Plot
    broad: bool = False  # whether it takes the whole width of a page
    fixed: bool = False  # whether the plot has its own size
    parts: tuple[Chart, ...] = ()

    @property
    def says(self) -> str:
        """What it shows, in words."""
        return " ".join(self.sentences)

    def specification(self, *, theme: str = "light", width: int = 560, pointer: bool = False) -> Specification:
        """The Vega-Lite specification; with `pointer` it shows the point nearest to the pointer."""
        if theme not in THEMES:
            raise UnknownName("theme", theme, known=THEMES, at="theme")
        if self.parts:
            return side_by_side([part.specification(theme=theme, width=width // 2) for part in self.parts])
        return {
            **_plotted(self.plot, self.look(theme=theme, width=width, pointer=pointer)),
            "description": f"{self.title}. {self.says}",
            "datasets": {name: list(points) for name, points in self.points().items()},
        }

    def look(self, *, theme: str, width: int, pointer: bool) -> Look:
        """What its plot depends on."""
        broad = self.broad and NARROW <= width < MIDDLE
        height = round(width * (0.5 if width >= NARROW else 0.66))
        size = None if self.fixed else (2 * width + 20 if broad else width, height)
        name = getattr(self.plot, "__name__", "")  # what is made for one chart alone has none
        return Look(name, theme, pointer, size, voice().language)

    def svg(self, *, theme: str = "light", width: int = 560) -> str:
        """The chart as SVG, drawn without a browser."""
        return svg(self.specification(theme=theme, width=width))

    def save(self, path: str | Path) -> None:
        """Write the chart to a file, as SVG, PNG or a page that needs no network, by the file's name."""
        check_form(path)
        write(self.on_paper(), path)

    def on_paper(self) -> Specification:
        """The specification for a file: with the title and the sentences, or each part with its own."""
        if self.parts:
            return side_by_side([_titled(part, WIDTH // 2) for part in self.parts])
        return _titled(self, WIDTH)

    def _repr_svg_(self) -> str:
        return self.svg()


# The plot stays the same, only the points change; its texts depend on the language.
@lru_cache(maxsize=32)
def _plotted(plot: Plot, look: Look) -> Specification:
    if look.key in prepared():
        return prepared()[look.key]
    chart: Any = plot(THEMES[look.theme], look.pointer)
    if look.size is not None:
        chart = chart.properties(width=look.size[0], height=look.size[1])
    drawn: Specification = dressed(chart.properties(background="transparent"), THEMES[look.theme], LETTERS).to_dict(
        validate=False
    )
    return drawn


def _titled(chart: Chart, width: int) -> Specification:
    """A chart on paper, under its title and its sentences."""
    title = {"text": chart.title, "subtitle": list(chart.sentences)}
    size = {} if chart.fixed else {"width": width, "height": HEIGHT}
    return {**chart.specification(), "title": title, **size, "background": PAPER}


def side_by_side(drawn: Sequence[Specification]) -> Specification:
    """Charts side by side, with one scale for their ratings; the points of each keep their own names."""
    datasets: Specification = {}
    parts = []
    for number, one in enumerate(drawn):
        layers = [
            {**layer, "data": {"name": f"{number} {layer.get('data', one.get('data'))['name']}"}}
            for layer in one["layer"]
        ]
        datasets |= {f"{number} {name}": points for name, points in one["datasets"].items()}
        own = {name: part for name, part in one.items() if name not in (*ONCE, "datasets", "data")}
        parts.append({**own, "layer": layers})
    head = {name: drawn[0][name] for name in ONCE}
    return {**head, "datasets": datasets, "hconcat": parts, "resolve": {"scale": {"y": "shared"}}}


def points(name: str) -> Any:
    """An Altair chart of the points with this name."""
    alt = altair()
    return alt.Chart(alt.NamedData(name=name))


def months(field: str) -> Any:
    """An axis of days, marked by months."""
    alt = altair()
    axis = alt.Axis(format="%Y-%m", tickCount="month", labelOverlap=True, grid=False)
    return alt.X(f"{field}:T", title=None, scale=alt.Scale(type="utc"), axis=axis)


def nearest(field: str) -> Any:
    """What is under the pointer, by one field."""
    return altair().selection_point(name="under", nearest=True, on="pointerover", fields=[field], empty=False)
