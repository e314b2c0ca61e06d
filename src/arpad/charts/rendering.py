"""Draws specifications without a browser, as SVG, PNG or a page that needs no network; and has the browser's script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arpad.charts.theme import VEGA_LITE, converter
from arpad.errors import BadFile, BadInput
from arpad.messages import say

Specification = dict[str, Any]  # of Vega-Lite

FORMS = (".html", ".png", ".svg")  # the files a chart can be written to
DENSE = 2  # pixels of a PNG for each point of the chart


def svg(specified: Specification) -> str:
    """A specification as SVG."""
    drawn: str = converter().vegalite_to_svg(specified, vl_version=VEGA_LITE)
    return drawn


def png(specified: Specification) -> bytes:
    """A specification as PNG, sharp enough for a small screen."""
    drawn: bytes = converter().vegalite_to_png(specified, vl_version=VEGA_LITE, scale=DENSE)
    return drawn


def script() -> str:
    """The JavaScript that draws a specification in a browser, from the same library that draws it without one."""
    bundle: str = converter().javascript_bundle(vl_version=VEGA_LITE)
    return bundle


def check_form(path: str | Path) -> None:
    """Refuse a file name that no chart can have."""
    if Path(path).suffix not in FORMS:
        raise BadInput(say("charts.form", path=str(path), forms=FORMS), at="chart")


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
        raise BadFile(say("charts.not_written", reason=problem.strerror), at=str(path)) from None
