"""Time controls as people write them: `90+30`, `90 min + 30 sek`, `40 zetten in 1.30 uur en vervolgens 30 minuten`."""

from __future__ import annotations

import re

from arpad.core import Pace, number
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading.characters import plain
from arpad.reading.pace_reading import LONGEST_TIME, PacePeriod, PaceReading

PLAIN = re.compile(r"([0-9]{1,3})(?: ?[+|] ?([0-9]{1,3}))?")
LONGEST_SHOWN = 100


def read_pace(text: str) -> PaceReading:
    """Read a time control in figures or in words, in many languages."""
    text = " ".join(plain(text).split())
    if (figures := PLAIN.fullmatch(text)) is not None and 0 < int(figures[1]) <= LONGEST_TIME:
        minutes, increment = int(figures[1]), int(figures[2] or 0)
        return PaceReading(periods=(PacePeriod(minutes=minutes),), increment=increment, minutes=minutes + increment)
    from arpad.reading.pace_words import read_words

    return read_words(text)


def parse_pace(text: str, *, at: str | None = None) -> Pace:
    """`90+30`: minutes for the game plus seconds per move; `60` has no increment. Words work too."""
    figures = _decimals(text, at)
    if figures is not None:
        return figures
    reading = read_pace(text)
    if reading.pace is None:
        raise BadInput(say("reading.not_a_pace", text=text[:LONGEST_SHOWN], why=reading.why), at=at)
    return reading.pace


def _decimals(text: str, at: str | None) -> Pace | None:
    """`0.5+1`: a time control in figures with a point or a comma; None if it is not one."""
    minutes, _, increment = text.strip().replace("|", "+").partition("+")
    try:
        pace = Pace(*(number(part.strip() or "0", at=at) for part in (minutes, increment)))
    except BadInput:
        return None
    return pace if 0 <= pace.minutes <= LONGEST_TIME and pace.increment >= 0 and pace.total else None


def parse_us_pace(text: str, *, at: str | None = None) -> Pace:
    """A time control, also as US Chess writes it: `G/60;d5`, where a delay counts like an increment."""
    return parse_pace(text, at=at)
