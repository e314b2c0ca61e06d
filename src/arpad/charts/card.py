"""A card to share: a headline, a few sentences, and below them a chart if there is one."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from arpad.charts.chart import PAPER
from arpad.charts.rendering import png
from arpad.charts.theme import THEMES, altair, dressed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.charts.chart import Chart

WIDTH, PADDING = 540, 30  # points; messengers show cards about twice as wide as high
LETTERS, HEADLINE = 15, 30
LINE = 78  # characters that fit in the width


def card(headline: str, sentences: Sequence[str], chart: Chart | None = None) -> bytes:
    """The card as a PNG."""
    lines = [line for sentence in sentences for line in wrap(sentence, LINE)]
    if chart is None or chart.fixed:
        alt = altair()
        empty = alt.Chart(alt.Data(values=[{}])).mark_point(opacity=0).properties(width=WIDTH, height=20)
        drawn = dressed(empty, THEMES["light"]).to_dict(validate=False)
    else:
        drawn = {**chart.specification(width=WIDTH), "width": WIDTH, "height": 190}
    title = {"text": headline, "subtitle": lines, "fontSize": HEADLINE, "subtitleFontSize": LETTERS}
    return png({**drawn, "title": {**title, "subtitlePadding": 10}, "padding": PADDING, "background": PAPER})
