"""A round in one cell of a crosstable: `12w1`, `12 w 1`, `12b½`, `12?1` without a colour, `W12`, `+12`, `-`, `bye`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import DRAW, LOSS, WIN
from arpad.core.tournaments import (
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

COLOURS = {"w": "white", "b": "black", "s": "black", "?": None}  # s as in schwarz; ? is unknown
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
# In a table of US Chess, which writes W12, some letters mean something else: U is an unplayed round.
ALONE_AMONG_LETTERS = {"u": ABSENT, "b": FULL_BYE}
NOBODY = re.compile(r"([HUBZ])0+", re.IGNORECASE)  # `H 0`: a letter with 0 for no opponent

RESULT = r"1/2|0[.,]5|\.5|1\.0|0\.0|[10+\-]k|[10½=+\-wdl]"
NUMBER_FIRST = re.compile(rf"(\d{{1,6}})([wbs?])?({RESULT})?", re.IGNORECASE)
SCORES = frozenset({"1", "½", "=", "0", "0.5", ".5", "0,5", "1/2", "1.0", "0.0"})  # results that could be byes
COLOUR_FIRST = re.compile(rf"([wb])(\d{{1,6}}):?({RESULT})", re.IGNORECASE)
SIGN = re.compile(r"([+=\-])(\d{1,6})([wbs])?", re.IGNORECASE)
LETTER = re.compile(r"([WDLXF])(\d{1,6})([wb])?")
SIGNED = re.compile(r"[+=]\d{1,6}[wbs]?", re.IGNORECASE)
LETTERS = {ALLOCATED_BYE: "U", FULL_BYE: "F", HALF_BYE: "H", ZERO_BYE: "Z", ABSENT: "-"}
SIGNS = {game: sign.upper() for sign, game in reversed(GAMES.items()) if sign != "="}
BLANKS = str.maketrans({" ": None, "\t": None, "\xa0": None, "−": "-", "–": "-"})


class Notation(NamedTuple):
    """How a table writes its rounds, which decides what a cell such as `-1`, `U` or `1` means."""

    signed: bool = False  # +12 and =3: then -1 is a loss to number 1, and not a bye
    lettered: bool = False  # W12 and D3, as US Chess does
    paired: bool = True  # opponents are named: then a 1 alone is a bye

    @classmethod
    def of(cls, cells: Iterable[str]) -> Notation:
        """How the cells of a table are written."""
        plain = [cell.translate(BLANKS) for cell in cells]
        signed = any(SIGNED.fullmatch(cell) for cell in plain)
        lettered = any(LETTER.fullmatch(cell) for cell in plain)
        return cls(signed, lettered, signed or lettered or any(map(_names_opponent, plain)))


def _names_opponent(cell: str) -> bool:
    """Whether a cell has an opponent's number beside a colour or a result."""
    match = NUMBER_FIRST.fullmatch(cell)
    beside = match is not None and (match[2] or not (match[3] or "0").isdigit())
    return bool(beside) or COLOUR_FIRST.fullmatch(cell) is not None


USUAL_NOTATION = Notation()


def round_of(text: str, notation: Notation = USUAL_NOTATION) -> Round | None:
    """The round in a cell; None for a blank, a ValueError for anything that is not a round."""
    cell = text.translate(BLANKS)
    if not cell:
        return None
    if notation.signed and (match := SIGN.fullmatch(cell)) and int(match[2]):
        return _game(SIGN_FIRST[match[1]], match[2], match[3])
    alone = _without_opponent(cell, notation)
    if alone is not None:
        return alone
    if match := LETTER.fullmatch(cell):
        return _game(LETTER_FIRST[match[1]], match[2], match[3])
    if match := SIGN.fullmatch(cell):
        return _game(SIGN_FIRST[match[1]], match[2], match[3])
    if match := COLOUR_FIRST.fullmatch(cell):
        return _game(GAMES[match[3].lower()], match[2], match[1])
    if match := NUMBER_FIRST.fullmatch(cell):
        return _game(GAMES[match[3].lower()] if match[3] else (PENDING, None), match[1], match[2])
    raise ValueError(text)


def _without_opponent(cell: str, notation: Notation) -> Round | None:
    """A round without an opponent; None if the cell is not one."""
    small = cell.lower()
    if small in SCORES and not notation.paired:
        raise ValueError(cell)
    if notation.lettered and (match := NOBODY.fullmatch(small)):
        small = match[1]
    if notation.lettered and small in ALONE_AMONG_LETTERS:
        return Round(ALONE_AMONG_LETTERS[small])
    if small in ALONE:
        return Round(ALONE[small])
    if cell in ("+", "-k", "-0k"):
        return Round(FORFEIT, score=WIN if cell == "+" else LOSS)
    return None


def _game(game: tuple[str, Decimal | None], opponent: str, colour: str | None) -> Round:
    kind, score = game
    if not int(opponent):
        if kind == FORFEIT:
            return Round(kind, score=score)
        raise ValueError(opponent)
    return Round(kind, int(opponent), COLOURS[colour.lower()] if colour else None, score)


def cell_of(played: Round) -> str:
    """A round as a cell such as `12w1`; an unknown colour is `?`, so that `2?1` is not read as 21."""
    if played.opponent is None:
        return LETTERS.get(played.kind) or ("0+" if played.score else "0-")
    sign = "" if played.kind == PENDING or played.score is None else SIGNS[played.kind, played.score]
    return f"{played.opponent}{played.colour[0] if played.colour else '?'}{sign}"
