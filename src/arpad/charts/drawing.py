"""How charts are drawn: one theme in light and dark, the optional libraries, and files."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from arpad.errors import BadFile, BadInput, MissingExtra, cause
from arpad.messages import say

Specification = dict[str, Any]  # of Vega-Lite
Altair = Any  # a chart or a part of one; the library is optional, so its types are not known here
VEGA_LITE = "6.4"
LETTERS = 15  # on a small screen the chart shrinks, and letters still have at least 11 pixels
PLAIN_ZERO = "datum.value == 0 ? '0' : datum.label"  # no sign for 0 on an axis of signed numbers
FONT = "'Helvetica Neue', Helvetica, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"  # the page's own
FORMS = (".html", ".png", ".svg")  # the files a chart can be written to
DENSE = 2  # pixels of a PNG for each point of the chart


class Theme(NamedTuple):
    """The colours of a chart."""

    ink: str
    faint: str
    line: str
    win: str
    draw: str
    loss: str
    paper: str


ThemeName = Literal["light", "dark"]
THEMES: Mapping[ThemeName, Theme] = {
    "light": Theme("#26231e", "#6a6459", "#ddd6c8", "#2c6a4f", "#8a6d1f", "#a2402f", "#fffdf8"),
    "dark": Theme("#ece6da", "#a79f90", "#3b372f", "#7cc4a0", "#d9b85c", "#e58d7a", "#1f1d19"),
}


def dressed(chart: Altair, colours: Theme, letters: int = LETTERS) -> Altair:
    """A chart in the theme: hairlines, the page's font, and no box."""
    return chart.configure(
        view={"stroke": None},
        aria=False,  # Vega's own labels for screen readers are English only; the title and sentences serve instead
        font=FONT,
        axis={
            "labelColor": colours.faint, "titleColor": colours.faint, "gridColor": colours.line,
            "domainColor": colours.faint, "tickColor": colours.line, "labelFontSize": letters, "titleFontSize": letters,
            "titleFontWeight": "normal", "titlePadding": 8, "domain": False, "tickSize": 4,
        },
        legend={
            "labelColor": colours.ink, "labelFontSize": letters, "title": None, "orient": "top",
            "symbolStrokeWidth": 2.5,
        },
        title={
            "color": colours.ink, "subtitleColor": colours.faint, "fontWeight": "normal", "anchor": "start",
            "fontSize": letters + 4, "subtitleFontSize": letters, "subtitlePadding": 6, "offset": 14,
        },
    )  # fmt: skip


def named(field: str) -> str:
    """The name of a field on an axis, in a tooltip and in a column heading."""
    return str(say(f"charts.field.{field}"))


def svg(specified: Specification) -> str:
    """A specification as SVG."""
    drawn: str = converter().vegalite_to_svg(specified, vl_version=VEGA_LITE)
    return drawn


def png(specified: Specification) -> bytes:
    """A specification as PNG, sharp enough for a small screen."""
    drawn: bytes = converter().vegalite_to_png(specified, vl_version=VEGA_LITE, scale=DENSE)
    return drawn


def write(specified: Specification, path: str | Path) -> None:
    """Write a specification in the form its file name asks for."""
    file = Path(path)
    try:
        if file.suffix == ".png":
            file.write_bytes(png(specified))
        elif file.suffix == ".svg":
            file.write_text(svg(specified), encoding="utf-8", newline="")
        else:
            page = converter().vegalite_to_html(specified, vl_version=VEGA_LITE, bundle=True)
            file.write_text(page, encoding="utf-8", newline="")
    except OSError as problem:
        raise BadFile(say("charts.not_written", reason=cause(problem)), at=str(path)) from None


def check_form(path: str | Path) -> None:
    """Refuse a file name that no chart can have."""
    if Path(path).suffix not in FORMS:
        raise BadInput(say("charts.form", path=str(path), forms=FORMS), at="chart")


def script() -> str:
    """The JavaScript that draws a specification in a browser, from the same library that draws it without one."""
    bundle: str = converter().javascript_bundle(vl_version=VEGA_LITE)
    return bundle


def altair() -> Any:
    """The optional library that describes charts."""
    try:
        import altair as alt
    except ImportError:
        raise MissingExtra(say("charts.missing"), at="chart") from None
    return alt


def converter() -> Any:
    """The optional library that renders charts without a browser."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra(say("charts.missing"), at="chart") from None
    return vl_convert


def can_draw() -> bool:
    """Whether the libraries that draw are installed."""
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


class Look(NamedTuple):
    """Everything a plot depends on besides its points."""

    plot: str
    theme: ThemeName
    pointer: bool
    size: tuple[int, int] | None
    language: str
