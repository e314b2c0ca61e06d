"""Shares of the points or of a probability: `75 %`, `0,75`, `3/4`."""

from __future__ import annotations

from decimal import Decimal

from arpad.core import number, refused
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading.characters import plain

HUNDRED = 100


def parse_percentage(text: str, *, at: str | None = None) -> Decimal:
    """A share between 0 and 1: `75 %` and `0,75` are the same; a number above 1 needs a percent sign."""
    figure = plain(text).strip()
    share = Decimal(number(figure.removesuffix("%").strip(), "percentage", at=at))
    if figure.endswith("%"):
        share /= HUNDRED
    elif 1 < share <= HUNDRED:
        raise BadInput(say("reading.percent_sign", figure=figure), at=at)
    if not 0 <= share <= 1:
        raise refused(figure, "percentage", at=at)
    return share
