"""Chart: what it shows in sentences, the same as a table, and the specification that draws it, in a browser or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from arpad.charts.theme import LETTERS, LETTERS_BROAD, THEMES, VEGA_LITE, Theme, altair, converter, dressed
from arpad.errors import UnknownName
from arpad.messages import voice

if TYPE_CHECKING:
    from pathlib import Path

NARROW = 400  # a chart less wide than this is for a telephone
ONCE = ("$schema", "config", "background")  # what charts side by side have in common

Specification = dict[str, Any]  # of Vega-Lite
Plot = Callable[[Theme, bool], object]  # an Altair chart; with the point nearest to the pointer, if asked for


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart in the present language; one made of `parts` shows those side by side."""

    name: str
    title: str
    sentences: tuple[str, ...]
    head: tuple[str, ...]  # of the table that says the same
    rows: tuple[tuple[str, ...], ...]
    points: Mapping[str, Sequence[Mapping[str, object]]]  # what is drawn, by the names that the plot uses
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
        broad = self.broad and width >= NARROW
        height = round(width * (0.5 if width >= NARROW else 0.66))
        size = None if self.fixed else (2 * width + 20 if broad else width, height)
        letters = LETTERS_BROAD if broad else LETTERS
        drawn = _plotted(self.plot, theme, pointer, size, letters, voice().language)
        return {**drawn, "datasets": {name: list(points) for name, points in self.points.items()}}

    def svg(self, *, theme: str = "light", width: int = 560) -> str:
        """The chart as SVG, drawn without a browser."""
        return svg(self.specification(theme=theme, width=width))

    def save(self, path: str | Path) -> None:
        """Write the chart to a file, as SVG, PNG or a page that needs no network, by the file's name."""
        from arpad.charts.saving import save  # which is built on charts

        save(self, path)

    def _repr_svg_(self) -> str:
        return self.svg()


# The plot stays the same, only the points change; its texts depend on the language.
@lru_cache(maxsize=32)
def _plotted(
    plot: Plot, theme: str, pointer: bool, size: tuple[int, int] | None, letters: int, _language: str
) -> Specification:
    chart: Any = plot(THEMES[theme], pointer)
    if size is not None:
        chart = chart.properties(width=size[0], height=size[1])
    drawn: Specification = dressed(chart.properties(background="transparent"), THEMES[theme], letters).to_dict(
        validate=False
    )
    return drawn


def side_by_side(drawn: Sequence[Specification]) -> Specification:
    """Charts side by side, with one scale for their ratings; the points of each keep their own names."""
    datasets: Specification = {}
    parts = []
    for number, one in enumerate(drawn):
        layers = [
            {**layer, "data": {**layer["data"], "name": f"{number} {layer['data']['name']}"}} for layer in one["layer"]
        ]
        datasets |= {f"{number} {name}": points for name, points in one["datasets"].items()}
        own = {name: part for name, part in one.items() if name not in (*ONCE, "datasets")}
        parts.append({**own, "layer": layers})
    head = {name: drawn[0][name] for name in ONCE}
    return {**head, "datasets": datasets, "hconcat": parts, "resolve": {"scale": {"y": "shared"}}}


def svg(specified: Specification) -> str:
    """A specification as SVG, drawn without a browser."""
    drawn: str = converter().vegalite_to_svg(specified, vl_version=VEGA_LITE)
    return drawn


def script() -> str:
    """The JavaScript that draws a specification in a page, from the same library that draws it without one."""
    bundle: str = converter().javascript_bundle(vl_version=VEGA_LITE)
    return bundle


def points(name: str) -> Any:
    """An Altair chart of the points with this name."""
    alt = altair()
    return alt.Chart(alt.NamedData(name=name))


def nearest(field: str) -> Any:
    """What is under the pointer, by one field."""
    return altair().selection_point(name="under", nearest=True, on="pointerover", fields=[field], empty=False)
