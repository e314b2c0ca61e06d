"""The points of an event: 162 and 362 of TRF26, JaVaFo's XXS and bbpPairings' BB codes, to and from one mapping."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.core.tournaments import ABSENT, ALLOCATED_BYE, FULL_BYE, HALF_BYE, USUAL, ZERO_BYE, Oddity
from arpad.formats.trf.values import as_points
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping

WINS, DRAWS, LOSSES = (("white-" + result, "black-" + result) for result in ("win", "draw", "loss"))

# JaVaFo's codes and what each pays; W and D are short for several.
XXS = {
    "WW": ("white-win",), "BW": ("black-win",), "WD": ("white-draw",), "BD": ("black-draw",),
    "WL": ("white-loss",), "BL": ("black-loss",), "ZPB": (ZERO_BYE, ABSENT), "HPB": (HALF_BYE,), "FPB": (FULL_BYE,),
    "PAB": (ALLOCATED_BYE,), "FW": ("forfeit-win",), "FL": ("forfeit-loss",),
    "W": (*WINS, "forfeit-win", FULL_BYE), "D": (*DRAWS, HALF_BYE),
}  # fmt: skip
# The letters of 162. P pays the same as W unless given; X, an unknown result, pays nothing here.
LETTERS = {
    "W": (*WINS, "forfeit-win", FULL_BYE),
    "D": (*DRAWS, HALF_BYE),
    "L": LOSSES,
    "A": (ZERO_BYE, "forfeit-loss", ABSENT),
    "P": (ALLOCATED_BYE,),
}
UNKNOWN = "X"
BBP = {
    "BBW": LETTERS["W"],
    "BBD": LETTERS["D"],
    "BBL": LOSSES,
    "BBZ": (ZERO_BYE, ABSENT),
    "BBF": ("forfeit-loss",),
    "BBU": (ALLOCATED_BYE,),
}
MATCH = {"TW": "win", "TD": "draw", "TL": "loss"}
USUAL_MATCH = {"win": Decimal(2), "draw": Decimal(1), "loss": Decimal(0)}

PAIR = re.compile(r"([A-Z]+)\s*=?\s*(-?[\d.,]+)?")

CODES: dict[str, Mapping[str, tuple[str, ...]]] = {
    "XXS": XXS,
    "162": LETTERS,
    "362": {code: (name,) for code, name in MATCH.items()},
}


class Scoring:
    """What the lines of a file say about points; later lines override earlier ones."""

    def __init__(self, odd: list[Oddity]) -> None:
        self.odd = odd
        self.games: dict[str, Decimal] = {}
        self.matches: dict[str, Decimal] = {}
        self.bye_as_win = False  # 162 pays the allocated bye as a win, unless it says otherwise

    def line(self, code: str, text: str, number: int) -> None:
        """Read a line of any of the four kinds."""
        if code in BBP:
            self._pay(self.games, BBP[code], text, number)
            return
        self.bye_as_win = self.bye_as_win or code == "162"
        known, end = CODES[code], 0
        for pair in PAIR.finditer(text):
            end = pair.end()
            if pair[1] in known:
                self._pay(self.matches if code == "362" else self.games, known[pair[1]], pair[2] or "", number)
            elif pair[1] != UNKNOWN:
                self.odd.append(Oddity(say("formats.trf.paid_key", text=pair[1]), number, 5, True))
        if text[end:].strip():
            rest = text[end:].strip()
            self.odd.append(Oddity(say("formats.trf.paid_rest", text=rest), number, 5 + end, True))

    def _pay(self, into: dict[str, Decimal], kinds: tuple[str, ...], text: str, number: int) -> None:
        try:
            points = as_points(text.strip())
        except ValueError:
            points = None
        if points is None:
            self.odd.append(Oddity(say("formats.trf.paid_points", text=text.strip()), number, 5, True))
            return
        into.update(dict.fromkeys(kinds, points))

    @property
    def paid(self) -> Mapping[str, Decimal] | None:
        """The points for each result; None if they are the usual ones."""
        points = {**USUAL, **self.games}
        if self.bye_as_win and ALLOCATED_BYE not in self.games:
            points[ALLOCATED_BYE] = points["white-win"]
        return None if points == USUAL else points

    @property
    def match_points(self) -> Mapping[str, Decimal] | None:
        """The points for team matches; None if they are the usual ones."""
        points = {**USUAL_MATCH, **self.matches}
        return None if points == USUAL_MATCH else points


def letters_of(scoring: Mapping[str, Decimal]) -> dict[str, Decimal] | None:
    """The letters of 162 for a scoring; None if one letter would need two values."""
    letters = {}
    for letter, kinds in LETTERS.items():
        paid = {scoring.get(kind, USUAL[kind]) for kind in kinds}
        if len(paid) > 1:
            return None
        letters[letter] = paid.pop()
    return letters


def codes_of(scoring: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """JaVaFo's codes for a scoring, without the short ones."""
    return {code: scoring.get(kinds[0], USUAL[kinds[0]]) for code, kinds in XXS.items() if code not in ("W", "D")}
