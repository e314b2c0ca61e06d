"""Small charts as inline SVG: bars and lines, drawn by the server with the page.

Colours are classes of the style sheet (`b` a bar, `hit` one that counts, `tgt` the target, `ln` a line, `area` a band),
so a chart follows the theme and prints; text is real text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

WIDTH = 560
HEIGHT = 206
FLOOR = 150  # the y of the axis
TOP = 20  # the y of the highest bar
GAP = 8  # between bars
MARGIN = 46  # left and right of a line, for its labels
LEAST_BAR = 3  # a chance that is drawn is seen
MOST_LABELS = 7  # of the second row, which has long labels


class Bar(NamedTuple):
    """A bar: the label below it, a second label, its value, whether it counts, and a text above it."""

    label: str
    below: str
    value: float
    hit: bool = False
    shown: str = ""


def bars(data: Sequence[Bar], says: str, *, target: str = "") -> Markup:
    """Bars side by side; before the first that counts stands the target."""
    if not data:
        return Markup("")
    width = WIDTH / len(data)
    highest = max(bar.value for bar in data) or 1
    every = -(-len(data) // MOST_LABELS)  # rounded up
    parts = [Markup('<path class="ax" d="M0 {y}H{width}"/>').format(y=FLOOR + 0.5, width=WIDTH)]
    first = next((place for place, bar in enumerate(data) if bar.hit), None)
    top = TOP
    if target and first is not None:
        x = round(first * width, 1)
        parts.append(Markup('<path class="tgt" d="M{x} 2V{y}"/>').format(x=x, y=FLOOR))
        left = x >= WIDTH * 0.85
        parts.append(_text(x + (-8 if left else 8), 13, target, "em", "end" if left else "start"))
        top += 18  # the target stands above the figures of all bars
    for place, bar in enumerate(data):
        height = max(LEAST_BAR, (FLOOR - top) * bar.value / highest)
        x, middle = place * width + GAP / 2, (place + 0.5) * width
        kind = "hit" if bar.hit else "b"
        parts.append(
            Markup(
                '<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="3"/>'
            ).format(kind=kind, x=x, y=FLOOR - height, width=max(1.0, width - GAP), height=height)
        )
        if bar.shown:
            parts.append(_text(middle, FLOOR - height - 7, bar.shown, "em val"))
        if place % max(1, every // 2) == 0:
            parts.append(_text(middle, 173, bar.label, "em" if place == first else ""))
        if place % every == 0:
            parts.append(_text(middle, 199, bar.below))
    return _framed(parts, says)


class Point(NamedTuple):
    """A point of a line: its label, its value, and the ends of a band around it, if there is one."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None


def line(data: Sequence[Point], says: str, *, target: float | None = None) -> Markup:
    """A line through the points, over a band, with the target across; a gap where a value is missing."""
    known = [value for point in data for value in (point.value, point.low, point.high, target) if value is not None]
    if not known:
        return Markup("")
    scale = _Scale(len(data), min(known), max(known))
    parts = [Markup('<path class="ax" d="M0 {y}H{width}"/>').format(y=FLOOR + 0.5, width=WIDTH), _band(data, scale)]
    if target is not None:
        y = scale.y(target)
        parts.append(Markup('<path class="tgt" d="M0 {y:.1f}H{width}"/>').format(y=y, width=WIDTH))
        parts.append(_text(4, y - 6, f"{target:.0f}", "em", "start"))
    return _framed([*parts, _curve(data, scale), *_dots(data, scale)], says, height=184)


class _Scale(NamedTuple):
    """Where points are drawn: how many there are, and the lowest and highest value."""

    points: int
    low: float
    high: float

    def x(self, place: int) -> float:
        """From left to right, with room for the labels of the first and last point."""
        return MARGIN + place * (WIDTH - 2 * MARGIN) / (self.points - 1) if self.points > 1 else WIDTH / 2

    def y(self, value: float) -> float:
        """From the axis up, with room for a label above the highest."""
        return FLOOR - 8 - (FLOOR - TOP - 30) * (value - self.low) / max(self.high - self.low, 1.0)


def _band(data: Sequence[Point], scale: _Scale) -> Markup:
    """The band around a line, where it is known."""
    ends = [
        (scale.x(place), scale.y(point.low), scale.y(point.high))
        for place, point in enumerate(data)
        if point.low is not None and point.high is not None
    ]
    if len(ends) < 2:
        return Markup("")
    corners = [f"{x:.1f} {above:.1f}" for x, _, above in ends] + [f"{x:.1f} {below:.1f}" for x, below, _ in ends[::-1]]
    return Markup('<path class="area" d="M{path}Z"/>').format(path="L".join(corners))


def _curve(data: Sequence[Point], scale: _Scale) -> Markup:
    """The line itself; it begins again after a gap."""
    path = ""
    for place, point in enumerate(data):
        if point.value is not None:
            joined = place > 0 and data[place - 1].value is not None
            path += f"{'L' if joined else 'M'}{scale.x(place):.1f} {scale.y(point.value):.1f}"
    return Markup('<path class="ln" d="{path}"/>').format(path=path)


def _dots(data: Sequence[Point], scale: _Scale) -> Iterator[Markup]:
    """A dot for each point, with its value above and its label below, as far as there is room."""
    every = -(-len(data) // MOST_LABELS)
    for place, point in enumerate(data):
        x, labelled = scale.x(place), place % every == 0 or place == len(data) - 1
        if point.value is not None:
            y = scale.y(point.value)
            yield Markup('<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>').format(x=x, y=y)
            if labelled:
                yield _text(x, y - 10, f"{point.value:.0f}", "em")
        if labelled:
            yield _text(x, 173, point.label)


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> Markup:
    classes = Markup(' class="{}"').format(kind) if kind else ""
    return Markup('<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{classes}>{text}</text>').format(
        x=x, y=y, anchor=anchor, classes=classes, text=text
    )


def _framed(parts: Sequence[Markup], says: str, height: int = HEIGHT) -> Markup:
    """The parts inside a picture that a screen reader hears as one sentence."""
    return Markup(
        '<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="{says}">{parts}</svg>'
    ).format(width=WIDTH, height=height, says=says, parts=Markup("").join(parts))
