"""The theme of all charts: hairlines, the page's font and colours, light and dark; and the libraries that draw."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.charts.prepared import prepared
from arpad.errors import MissingExtra
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping

VEGA_LITE = "6.4"
LETTERS = 15  # on a small screen the chart shrinks, and letters still have at least 11 pixels
PLAIN_ZERO = "datum.value == 0 ? '0' : datum.label"  # no sign for 0 on an axis of signed numbers
FONT = "'Helvetica Neue', Helvetica, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"  # the page's own


class Theme(NamedTuple):
    """The colours of a chart."""

    ink: str
    faint: str
    line: str
    win: str
    draw: str
    loss: str
    paper: str


THEMES: Mapping[str, Theme] = {
    "light": Theme("#26231e", "#6a6459", "#ddd6c8", "#2c6a4f", "#8a6d1f", "#a2402f", "#fffdf8"),
    "dark": Theme("#ece6da", "#a79f90", "#3b372f", "#7cc4a0", "#d9b85c", "#e58d7a", "#1f1d19"),
}


def dressed(chart: Any, colours: Theme, letters: int = LETTERS) -> Any:
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


def can_draw() -> bool:
    """Whether the libraries that draw are installed."""
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def can_specify() -> bool:
    """Whether there are specifications for a script to draw: from the library, or made ahead of time."""
    return find_spec("altair") is not None or bool(prepared())


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


def named(field: str) -> str:
    """The name of a field on an axis, in a tooltip and in a column heading."""
    return str(say(f"charts.field.{field}"))
