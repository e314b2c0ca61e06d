"""The cells of a crosstable: the opponent's number, the player's colour and the result, in any order.

`105b½`, `4w+`, `13b` (chess-results), `+138B`, `= 29N`, `EXE` (French), `1 w 4` (German), `W 12`, `H` (US Chess).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.reading.layouts.cells import bye_points, no_game_in
from arpad.reading.results import MARKS, colour_letters, compact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arpad.reading.results import Colour, Result

NUMBER, LETTER = r"([0-9]{1,3})", r"([wbsncčzpvaλμбч])"  # a longer number is a rating
NUMBER_FIRST = re.compile(rf"{NUMBER} ?{LETTER} ?([01½=+*-]|1/2|0[.,]5)?", re.IGNORECASE)
RESULT_FIRST = re.compile(rf"([01½=]|1/2|0[.,]5) ?{LETTER} ?{NUMBER}", re.IGNORECASE)
SIGN_FIRST = re.compile(rf"([+=<>-]) ?{LETTER}? ?{NUMBER} ?{LETTER}?", re.IGNORECASE)
LETTER_FIRST = re.compile(rf"([WDLXF]) ?{NUMBER}")
SIGNS: dict[str, Result] = {"+": "win", "=": "draw", "-": "loss", ">": "forfeit-win", "<": "forfeit-loss"}
US_RESULTS: dict[str, Result] = {
    "W": "win", "D": "draw", "L": "loss", "X": "forfeit-win", "F": "forfeit-loss",
}  # fmt: skip
US_BYES = {"H": Decimal("0.5"), "B": Decimal(1), "U": Decimal(0), "Z": Decimal(0)}
LONGEST_CELL = 12
BYE_CELL = re.compile(r"- ?([01½]|0[.,]5)")


@dataclass(frozen=True, slots=True)
class CrossCell:
    """A round of one player: the opponent's number if there is one, the colour and the result."""

    result: Result
    number: int | None = None
    letter: str | None = None
    points: Decimal | None = None
    text: str = ""


def cross_cell(cell: str, *, result_first: bool = False) -> CrossCell | None:
    """A cell of a crosstable; None if it is not one. An empty cell is not one either."""
    text = " ".join(cell.split()).strip()
    if not text:
        return None
    if no_game_in(text):
        return CrossCell("bye", text=text)
    if bye := BYE_CELL.fullmatch(text):
        return CrossCell("bye", points=bye_points(bye[1]), text=text)
    if result_first and (found := RESULT_FIRST.fullmatch(text)):
        return CrossCell(MARKS[compact(found[1])], int(found[3]), found[2].lower(), text=text)
    if found := NUMBER_FIRST.fullmatch(text):
        result = MARKS[compact(found[3])] if found[3] else "to-come"
        return CrossCell(result, int(found[1]), found[2].lower(), text=text)
    if found := SIGN_FIRST.fullmatch(text):
        letter = (found[2] or found[4] or "").lower() or None
        return CrossCell(SIGNS[found[1]], int(found[3]), letter, text=text)
    return us_cell(text)


def us_cell(text: str) -> CrossCell | None:
    """A cell in the letters of US Chess: `W 12`, `H`, `-H-`; None if it is not one."""
    letter = " ".join(text.split()).strip("- ").upper()
    if found := LETTER_FIRST.fullmatch(letter):
        return CrossCell(US_RESULTS[found[1]], int(found[2]), text=text)
    if letter in ("X", "F"):
        return CrossCell(US_RESULTS[letter], text=text)
    return CrossCell("bye", points=US_BYES[letter], text=text) if letter in US_BYES else None


def is_cross_cell(cell: str) -> bool:
    """Whether a cell names an opponent by number, with a colour or a result."""
    if len(cell) > LONGEST_CELL or not any(sign.isdecimal() for sign in cell):
        return False
    found = cross_cell(cell) or cross_cell(cell, result_first=True)
    return found is not None and found.number is not None


def is_result_first(cells: Iterable[str]) -> bool:
    """Whether a table writes `1 w 4`, the result first: some cell makes sense only that way."""
    return any(NUMBER_FIRST.fullmatch(cell.strip()) is None and RESULT_FIRST.fullmatch(cell.strip()) for cell in cells)


def colours_of(cells: Iterable[CrossCell]) -> dict[str, Colour]:
    """What the colour letters of a table mean."""
    return colour_letters({cell.letter for cell in cells if cell.letter})
