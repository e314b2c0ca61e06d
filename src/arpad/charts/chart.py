"""A picture: what it shows in a sentence, the same as a table, and how it is drawn, by a browser or without one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.charts.theme import LETTERS, LETTERS_BROAD, THEMES, VEGA_LITE, Theme, altair, converter, dressed
from arpad.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NARROW = 400  # a drawing narrower than this is for a phone


class Picture(NamedTuple):
    """A chart: its name, a title, a sentence, the same as a table, the points to draw, and who draws them."""

    name: str
    title: str
    says: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    points: Mapping[str, list[dict[str, Any]]]
    draw: Callable[[Theme, bool], Any]  # with the point nearest to the pointer, if asked for
    broad: bool = False  # what reads along the page


def specification(picture: Picture, *, theme: str = "light", width: int = 560, pointer: bool = False) -> dict[str, Any]:
    """The Vega-Lite specification of a picture; with `pointer` it shows the point nearest to the pointer."""
    if theme not in THEMES:
        raise UnknownName("theme", theme, known=THEMES, at="theme")
    drawn = _drawing(picture.draw, theme, width, pointer, picture.broad and width >= NARROW)
    return {**drawn, "datasets": dict(picture.points)}


@lru_cache(maxsize=32)  # the drawing stays the same, only the points change
def _drawing(draw: Callable[[Theme, bool], Any], theme: str, width: int, pointer: bool, broad: bool) -> dict[str, Any]:
    size = {
        "width": 2 * width + 20 if broad else width,
        "height": round(width * (0.5 if width >= NARROW else 0.66)),
    }
    chart = draw(THEMES[theme], pointer).properties(**size, background="transparent")
    return dressed(chart, THEMES[theme], LETTERS_BROAD if broad else LETTERS).to_dict(validate=False)  # type: ignore[no-any-return]


def svg(specified: dict[str, Any]) -> str:
    """A specification as SVG, drawn without a browser."""
    drawn: str = converter().vegalite_to_svg(specified, vl_version=VEGA_LITE)
    return drawn


def script() -> str:
    """The JavaScript that draws a specification in a page, from the same library that draws it without one."""
    bundle: str = converter().javascript_bundle(vl_version=VEGA_LITE)
    return bundle


def points(name: str) -> Any:
    """A chart of the points with this name."""
    alt = altair()
    return alt.Chart(alt.NamedData(name=name))


def nearest(field: str) -> Any:
    """What is under the pointer, by one field."""
    return altair().selection_point(name="under", nearest=True, on="pointerover", fields=[field], empty=False)
