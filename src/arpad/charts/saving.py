"""A chart as a file: SVG, PNG, or a page that needs no network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arpad.charts.chart import side_by_side, svg
from arpad.charts.theme import VEGA_LITE, converter
from arpad.errors import BadFile, BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.charts.chart import Chart, Specification

FORMS = (".html", ".png", ".svg")  # the files a chart can be written to
WIDTH, HEIGHT = 560, 280
PAPER = "white"  # a file may be laid on anything
DENSE = 2  # points of a PNG for each of the chart


def on_paper(chart: Chart) -> Specification:
    """The specification of a chart on paper; its parts, if it has any, each under its title."""
    if not chart.parts:
        return _titled(chart, WIDTH)
    return side_by_side([_titled(part, WIDTH // 2) for part in chart.parts])


def _titled(chart: Chart, width: int) -> Specification:
    """A chart under its title and sentences."""
    drawn = chart.specification()
    title = {"text": chart.title, "subtitle": list(chart.sentences)}
    size = {} if chart.fixed else {"width": width, "height": HEIGHT}
    return {**drawn, "title": title, **size, "background": PAPER}


def check_form(path: str | Path) -> None:
    """Refuse a file name that is not one of a chart."""
    if Path(path).suffix not in FORMS:
        raise BadInput(say("charts.form", path=str(path), forms=FORMS), at="chart")


def save(chart: Chart, path: str | Path) -> None:
    """Write a chart in the form that the file's name asks for."""
    check_form(path)
    file, specified = Path(path), on_paper(chart)
    try:
        if file.suffix == ".png":
            file.write_bytes(converter().vegalite_to_png(specified, vl_version=VEGA_LITE, scale=DENSE))
        elif file.suffix == ".svg":
            file.write_text(svg(specified), encoding="utf-8", newline="")
        else:
            page = converter().vegalite_to_html(specified, vl_version=VEGA_LITE, bundle=True)
            file.write_text(page, encoding="utf-8", newline="")
    except OSError as problem:
        raise BadFile(say("charts.not_written", reason=problem.strerror), at=str(path)) from None
