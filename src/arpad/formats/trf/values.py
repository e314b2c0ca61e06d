"""The single fields of a report: what the texts of titles, results and numbers mean, and their strict spelling."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from arpad.core import DRAW, LOSS, TITLES, WIN
from arpad.core.tournaments import ALLOCATED_BYE, FORFEIT, FULL_BYE, HALF_BYE, PLAYED, SHORT, ZERO_BYE
from arpad.formats.dates import read_day, read_short_day

# One letter as in Vega, JaVaFo and FIDE's own example, or a letter and f as in French. MF in capitals is left out on
# purpose: it is a French FM, and also the French woman international master.
SHORT_TITLES = {
    "g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM",
    "gf": "WGM", "mf": "WIM", "ff": "WFM", "cf": "WCM", "mi": "IM", "gmi": "GM",
}  # fmt: skip
AMBIGUOUS_TITLE = "MF"
NO_TITLE = ("", "-")

SEXES = {"m": "m", "w": "w"}
OTHER_SEXES = {"f": "w", "M": "m", "W": "w", "F": "w"}

COLOURS = {"w": "white", "b": "black", "W": "white", "B": "black", "-": None, "": None}

# Results of a game, and of a round without an opponent.
GAMES = {
    "1": (PLAYED, WIN), "=": (PLAYED, DRAW), "0": (PLAYED, LOSS),
    "w": (SHORT, WIN), "d": (SHORT, DRAW), "l": (SHORT, LOSS),
    "+": (FORFEIT, WIN), "-": (FORFEIT, LOSS),
}  # fmt: skip
BYE_LETTERS = {"h": HALF_BYE, "f": FULL_BYE, "z": ZERO_BYE, "u": ALLOCATED_BYE}
OTHER_RESULTS = {"½": "="}

RESULT_LETTERS = {kind: letter.upper() for letter, kind in BYE_LETTERS.items()}
GAME_LETTERS = {game: letter.upper() for letter, game in GAMES.items()}

WHOLE = re.compile(r"\d{1,9}")
NUMBER = re.compile(r"-?\d{0,6}[.,]?\d{0,4}")


def title_of(text: str) -> tuple[str | None, bool]:
    """The title, and whether it is spelt as FIDE spells it; a ValueError if it is not a title."""
    if text in NO_TITLE:
        return None, True
    if text in TITLES:
        return text, True
    if text.upper() in TITLES:
        return text.upper(), False
    if text == AMBIGUOUS_TITLE or text.lower() not in SHORT_TITLES:
        raise ValueError(text)
    return SHORT_TITLES[text.lower()], False


def as_number(text: str) -> int | None:
    """A whole number; None for a blank."""
    if not text:
        return None
    if not WHOLE.fullmatch(text):
        raise ValueError(text)
    return int(text)


def as_points(text: str) -> Decimal | None:
    """Points such as `11.5` or `11,5`; None for a blank."""
    if not text:
        return None
    if not NUMBER.fullmatch(text) or not any(map(str.isdigit, text)):
        raise ValueError(text)
    return Decimal(text.replace(",", "."))


def as_list(text: str) -> tuple[int, ...]:
    """Numbers separated by blanks or commas."""
    return tuple(int(word) for word in _words(text))


def _words(text: str) -> list[str]:
    words = text.replace(",", " ").split()
    for word in words:
        if not WHOLE.fullmatch(word):
            raise ValueError(word)
    return words


FORMS: dict[str, Any] = {
    "text": str,
    "number": as_number,
    "seat": as_number,  # 0 or a blank means that nobody sits there
    "points": as_points,
    "list": as_list,
    "day": lambda text: read_day(text) if text else None,
    "short day": lambda text: read_short_day(text) if text else None,
}
REFUSED = {
    "number": "formats.trf.number",
    "seat": "formats.trf.number",
    "points": "formats.trf.points",
    "list": "formats.trf.list",
    "day": "formats.trf.day",
    "short day": "formats.trf.day",
}
