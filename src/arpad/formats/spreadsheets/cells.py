"""A round in one cell of a crosstable: `12w1`, `12 w 1`, `12b½`, `W12`, `+12`, `-`, `bye`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.core import DRAW, LOSS, WIN
from arpad.core.tournament import (
    ABSENT,
    ALLOCATED_BYE,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PENDING,
    PLAYED,
    SHORT,
    ZERO_BYE,
    Round,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from decimal import Decimal

COLOURS = {"w": "white", "b": "black", "s": "black"}  # s as in schwarz
GAMES = {
    "1": (PLAYED, WIN), "½": (PLAYED, DRAW), "=": (PLAYED, DRAW), "0": (PLAYED, LOSS), "0.5": (PLAYED, DRAW),
    ".5": (PLAYED, DRAW), "0,5": (PLAYED, DRAW), "1/2": (PLAYED, DRAW), "1.0": (PLAYED, WIN), "0.0": (PLAYED, LOSS),
    "+": (FORFEIT, WIN), "-": (FORFEIT, LOSS), "1k": (FORFEIT, WIN), "0k": (FORFEIT, LOSS), "+k": (FORFEIT, WIN),
    "-k": (FORFEIT, LOSS), "w": (SHORT, WIN), "d": (SHORT, DRAW), "l": (SHORT, LOSS),
}  # fmt: skip
LETTER_FIRST = {
    "W": (PLAYED, WIN), "D": (PLAYED, DRAW), "L": (PLAYED, LOSS), "X": (FORFEIT, WIN), "F": (FORFEIT, LOSS),
}  # fmt: skip
SIGN_FIRST = {"+": (PLAYED, WIN), "=": (PLAYED, DRAW), "-": (PLAYED, LOSS)}

# A round without an opponent. `-1`, `-½` and `-0` are Swiss-Manager's; its `-1` is the pairing-allocated bye.
ALONE = {
    "-": ABSENT, "--": ABSENT, "---": ABSENT, "*": ABSENT, "-0": ABSENT, "-0.5": HALF_BYE, "-½": HALF_BYE,
    "-1": ALLOCATED_BYE, "u": ALLOCATED_BYE, "b": ALLOCATED_BYE, "bye": ALLOCATED_BYE, "spielfrei": ALLOCATED_BYE,
    "exempt": ALLOCATED_BYE, "exe": ALLOCATED_BYE, "free": ALLOCATED_BYE, "bye1": FULL_BYE, "1": FULL_BYE,
    "f": FULL_BYE, "-=": HALF_BYE, "h": HALF_BYE, "½": HALF_BYE, "0.5": HALF_BYE, "bye½": HALF_BYE, "bye0.5": HALF_BYE,
    "=": HALF_BYE, "z": ZERO_BYE, "0": ZERO_BYE, "bye0": ZERO_BYE, "absent": ABSENT, "x": ABSENT,
    "notpaired": ABSENT,
}  # fmt: skip

RESULT = r"1/2|0[.,]5|\.5|1\.0|0\.0|[10+\-]k|[10½=+\-wdl]"
NUMBER_FIRST = re.compile(rf"(\d{{1,6}})([wbs])?({RESULT})?", re.IGNORECASE)
COLOUR_FIRST = re.compile(rf"([wb])(\d{{1,6}}):?({RESULT})", re.IGNORECASE)
SIGN = re.compile(r"([+=\-])(\d{1,6})([wbs])?", re.IGNORECASE)
LETTER = re.compile(r"([WDLXF])(\d{1,6})([wb])?")
SIGNED = re.compile(r"[+=]\d{1,6}[wbs]?", re.IGNORECASE)
LETTERS = {ALLOCATED_BYE: "U", FULL_BYE: "F", HALF_BYE: "H", ZERO_BYE: "Z", ABSENT: "-"}
SIGNS = {game: sign.upper() for sign, game in reversed(GAMES.items()) if sign != "="}
BLANKS = str.maketrans({" ": None, "\t": None, "\xa0": None, "−": "-", "–": "-"})


def is_signed(cells: Iterable[str]) -> bool:
    """Whether a table writes the result first as a sign: then `-1` is a loss to number 1, and not a bye."""
    return any(SIGNED.fullmatch(cell.translate(BLANKS)) for cell in cells)


def round_of(text: str, *, signed: bool = False) -> Round | None:
    """The round in a cell; None for a blank, and a ValueError for what is no round."""
    cell = text.translate(BLANKS)
    if not cell:
        return None
    if signed and (match := SIGN.fullmatch(cell)) and int(match[2]):
        return _game(SIGN_FIRST[match[1]], match[2], match[3])
    if cell.lower() in ALONE:
        return Round(ALONE[cell.lower()])
    if cell in ("+", "-k", "-0k"):
        return Round(FORFEIT, score=WIN if cell == "+" else LOSS)
    if match := LETTER.fullmatch(cell):
        return _game(LETTER_FIRST[match[1]], match[2], match[3])
    if match := SIGN.fullmatch(cell):
        return _game(SIGN_FIRST[match[1]], match[2], match[3])
    if match := COLOUR_FIRST.fullmatch(cell):
        return _game(GAMES[match[3].lower()], match[2], match[1])
    if match := NUMBER_FIRST.fullmatch(cell):
        return _game(GAMES[match[3].lower()] if match[3] else (PENDING, None), match[1], match[2])
    raise ValueError(text)


def _game(game: tuple[str, Decimal | None], opponent: str, colour: str | None) -> Round:
    kind, score = game
    if not int(opponent):
        if kind == FORFEIT:
            return Round(kind, score=score)
        raise ValueError(opponent)
    return Round(kind, int(opponent), COLOURS[colour.lower()] if colour else None, score)


def cell_of(one: Round) -> str:
    """A round as a cell, in the form `12w1`."""
    if one.opponent is None:
        return LETTERS.get(one.kind) or ("0+" if one.score else "0-")
    sign = "" if one.kind == PENDING or one.score is None else SIGNS[one.kind, one.score]
    return f"{one.opponent}{(one.colour or '')[:1]}{sign}"
