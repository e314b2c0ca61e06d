"""A picture as a file: SVG, PNG, or a page that needs no network."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.charts import FORMS
from arpad.charts.chart import Picture, specification, svg
from arpad.charts.theme import VEGA_LITE, converter
from arpad.errors import BadFile, BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 560, 280
PAPER = "white"  # a file may be laid on anything
DENSE = 2  # points of a PNG for each of the drawing
ONCE = ("$schema", "config", "background")  # what pictures side by side have together


def on_paper(pictures: Sequence[Picture]) -> dict[str, Any]:
    """The specification of pictures side by side, each under its title, with one scale for their ratings."""
    drawn = [_titled(picture) for picture in pictures]
    if len(drawn) == 1:
        return drawn[0]
    datasets: dict[str, Any] = {}
    for number, one in enumerate(drawn):
        one["width"] = WIDTH // 2
        for layer in one["layer"]:
            layer["data"]["name"] = f"{number} {layer['data']['name']}"
        datasets |= {f"{number} {name}": points for name, points in one["datasets"].items()}
    parts = [{name: part for name, part in one.items() if name not in (*ONCE, "datasets")} for one in drawn]
    head = {name: drawn[0][name] for name in ONCE}
    return {**head, "datasets": datasets, "hconcat": parts, "resolve": {"scale": {"y": "shared"}}}


def _titled(picture: Picture) -> dict[str, Any]:
    """A picture on paper under its title, with its sentence part by part."""
    drawn = deepcopy(specification(picture))
    title = {"text": picture.title, "subtitle": picture.says.split("; ")}
    return {**drawn, "title": title, "width": WIDTH, "height": HEIGHT, "background": PAPER}


def check_form(path: str) -> None:
    """Refuse a name that is not one of a picture."""
    if Path(path).suffix not in FORMS:
        raise BadInput(f"'{path}' is not a picture Arpad can write; name it {', '.join(FORMS)}.", at="--chart")


def save(specified: dict[str, Any], path: str) -> None:
    """Write a specification as a picture, in the form that the file's name asks for."""
    check_form(path)
    file = Path(path)
    try:
        if file.suffix == ".png":
            file.write_bytes(converter().vegalite_to_png(specified, vl_version=VEGA_LITE, scale=DENSE))
        elif file.suffix == ".svg":
            file.write_text(svg(specified), encoding="utf-8", newline="")
        else:
            page = converter().vegalite_to_html(specified, vl_version=VEGA_LITE, bundle=True)
            file.write_text(page, encoding="utf-8", newline="")
    except OSError as problem:
        raise BadFile(f"The chart cannot be written: {problem.strerror}.", at=path) from None
