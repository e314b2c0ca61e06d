"""Single cells of a pasted table: ratings, titles, names, rounds without an opponent, and the cells of crosstables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from arpad.core import DRAW, HIGHEST_RATING, LOSS, WIN
from arpad.core import is_federation as is_code
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
from arpad.reading.pasted import LOWEST_PASTED, RatingState
from arpad.reading.players import unmarked
from arpad.reading.results import (
    BYE_POINTS,
    DASHES,
    MARKS,
    Colour,
    Result,
    colour_letters,
    compact,
    letter_signs,
    meaning_of,
)
from arpad.reading.text import fold
from arpad.reading.vocabulary import title_letters, titles, words

LONGEST_PHRASE = 30  # characters
NAME_AND_RATING = re.compile(r"([^()]*[^()\s])\s*\(([0-9]{3,4})\)")
NO_OPPONENT_NUMBERS = ("-1", "-2")
MANY_CELLS = 20_000  # kept in memory, so that each is looked up once
LONGEST_CELL = 12  # characters
MOST_PLAYERS = 1000  # a longer number with a letter behind it, and no result, is a rating

# A result in a cell, with its kind: a letter for a game of less than one move, as in a tournament report.
RESULT = r"1/2|[01]?[.,][05]|[10+\-]k|[10½=+*\-wdl]"
ENDED: dict[Result, tuple[str, Decimal | None]] = {
    "win": (PLAYED, WIN), "draw": (PLAYED, DRAW), "loss": (PLAYED, LOSS), "to-come": (PENDING, None),
    "forfeit-win": (FORFEIT, WIN), "forfeit-loss": (FORFEIT, LOSS),
}  # fmt: skip
SHORT_GAMES: dict[str, Result] = {"w": "win", "d": "draw", "l": "loss"}
RESULT_OF = {ended: result for result, ended in ENDED.items()}
RESULT_OF |= {(SHORT, ENDED[result][1]): result for result in SHORT_GAMES.values()}
SIGNS: dict[str, Result] = {"+": "win", "=": "draw", "-": "loss", ">": "forfeit-win", "<": "forfeit-loss"}
US_RESULTS: dict[str, Result] = {
    "w": "win", "d": "draw", "l": "loss", "x": "forfeit-win", "f": "forfeit-loss",
}  # fmt: skip

# Rounds without an opponent: in US Chess's letters, in those of a tournament report, and in Swiss-Manager's `-1`.
US_BYES = {"h": HALF_BYE, "b": FULL_BYE, "u": ABSENT, "z": ZERO_BYE}
BYES = {
    "u": ALLOCATED_BYE, "b": ALLOCATED_BYE, "f": FULL_BYE, "h": HALF_BYE, "z": ZERO_BYE, "x": ABSENT,
    "-": ABSENT, "--": ABSENT, "---": ABSENT, "*": ABSENT, "-0": ABSENT, "-0.5": HALF_BYE, "-½": HALF_BYE,
    "-=": HALF_BYE, "-1": ALLOCATED_BYE, "bye1": FULL_BYE, "bye½": HALF_BYE, "bye0.5": HALF_BYE, "bye0": ZERO_BYE,
}  # fmt: skip
BYES_BY_RESULT = {"win": FULL_BYE, "draw": HALF_BYE, "loss": ZERO_BYE}  # a result alone among pairings
FORFEITS: dict[str, Result] = {
    **dict.fromkeys(("+", "0+", "-1k"), "forfeit-win"), **dict.fromkeys(("0-", "-0k"), "forfeit-loss"),
}  # fmt: skip
BYE_LETTERS = {ALLOCATED_BYE: "U", FULL_BYE: "F", HALF_BYE: "H", ZERO_BYE: "Z", ABSENT: "-"}  # as cells are written
CELL_MARKS = {
    (PLAYED, WIN): "1", (PLAYED, DRAW): "½", (PLAYED, LOSS): "0", (PENDING, None): "",
    (FORFEIT, WIN): "+", (FORFEIT, LOSS): "-", (SHORT, WIN): "W", (SHORT, DRAW): "D", (SHORT, LOSS): "L",
}  # fmt: skip
NO_PLAYER = {"bye": ALLOCATED_BYE, "absent": ABSENT, "empty": ABSENT}
POINTS_OF = {FULL_BYE: WIN, ALLOCATED_BYE: WIN, HALF_BYE: DRAW, ZERO_BYE: LOSS, ABSENT: LOSS}


def rating_in(cell: str) -> RatingCell | None:
    """`1702`, `1672 F`, `2273 *`, `1384P12`; 0 or nothing is unrated; None if it is not a rating."""
    text = cell.strip()
    if not text or text == "0" or cell_meaning(text) in ("unknown", "unrated") or meaning_of(text) == "unrated":
        return RatingCell(None, "unrated")
    number = unmarked(text.removesuffix(".0"))
    if number.isascii() and number.isdecimal() and LOWEST_PASTED <= int(number[:5]) <= HIGHEST_RATING:
        return RatingCell(int(number), "rated", text.endswith("*"))
    return None


@lru_cache(maxsize=MANY_CELLS)
def cell_meaning(text: str) -> str | None:
    """What a cell or the beginning of a line says apart from figures: unknown, unrated, a sex, a total, a footer."""
    return words("cells").meaning(" ".join(fold(text).split())) if text else None


class RatingCell(NamedTuple):
    """The rating in a cell."""

    rating: int | None
    state: RatingState
    capped: bool = False


def is_rating(cell: str) -> bool:
    """Whether a cell is a rating other than 0."""
    found = rating_in(cell)
    return found is not None and found.rating is not None


def title_in(cell: str) -> str | None:
    """A title in full or by its letter; None if it is not one."""
    text = cell.strip()
    return titles().get(text) or title_letters().get(text.lower() if len(text) <= 3 else "")


def name_and_title(cell: str) -> tuple[str | None, str | None]:
    """A name without a title before it: `FM Bishopric`."""
    text = cell.strip()
    first, _, rest = text.partition(" ")
    if rest and first in titles():
        return rest.strip(), first
    return text or None, None


def name_and_rating(name: str | None) -> tuple[str | None, str]:
    """A name without the rating in brackets behind it, and the rating: `Smith (1850)`."""
    found = NAME_AND_RATING.fullmatch(name or "")
    return (found[1], found[2]) if found else (name, "")


def is_name(cell: str) -> bool:
    """Whether a cell can be a person's name: words, and neither a federation nor a title."""
    return is_wordy(cell) and not is_federation(cell) and title_in(cell) is None


def is_wordy(cell: str) -> bool:
    """Whether a cell is made of letters, as a name or a club is."""
    return sum(letter.isalpha() for letter in cell) > 1


def is_federation(cell: str) -> bool:
    """Whether a cell is three capital letters."""
    return is_code(cell.strip())


def is_count(cell: str) -> bool:
    """Whether a cell is a small whole number: a round, a board, a starting number; `1.` and `1.1` too."""
    text = cell.strip().rstrip(".")
    whole, _, board = text.partition(".")
    return whole.isascii() and whole.isdecimal() and len(whole) <= 4 and (not board or board.isdecimal())


def count_in(cell: str) -> int:
    """The number in such a cell: 1 for `1.` and for `1.2`."""
    return int(cell.strip().partition(".")[0])


def number_in(cell: str, digits: int = 4) -> int:
    """A starting number or a rank such as `12` or `12.`; 0 for other cells."""
    text = cell.rstrip(".")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else 0


def is_figure(cell: str) -> bool:
    """Whether a cell is a number, such as points or a tie-break."""
    return cell.strip("-+").replace(",", "").replace(".", "").replace("½", "0").isdecimal()


def no_game_in(cell: str) -> bool:
    """Whether a cell says that there was no opponent: `bye`, `spielfrei`, `not paired`."""
    return _kind_without_opponent(cell) is not None


def _kind_without_opponent(cell: str) -> str | None:
    """The kind of round that words such as `bye` name; None for other cells."""
    text = cell.strip()
    meanings = (meaning_of(text), cell_meaning(text)) if 0 < len(text) <= LONGEST_PHRASE else ()
    return next((NO_PLAYER[meaning] for meaning in meanings if meaning in NO_PLAYER), None)


def bye_points(cell: str) -> Decimal | None:
    """The points of a round without an opponent: `- 1`, `-½`, `0`; None if the cell does not say."""
    text = compact(cell)
    halves = BYE_POINTS.get(text, BYE_POINTS.get(text.removeprefix("-")))
    return None if halves is None else Decimal(halves) / 2


class Notation(NamedTuple):
    """How a table writes its rounds, which decides what a cell such as `-1`, `U`, `1` or `1w2` means."""

    signed: bool = False  # +12 and =3: then -1 is a loss to number 1, and not a bye
    lettered: bool = False  # W12 and D3, as US Chess does
    result_first: bool = False  # 1w12
    paired: bool = True  # opponents are named: then a 1 alone is a bye

    @classmethod
    def of(cls, cells: Iterable[str]) -> Notation:
        """How the cells of a table are written."""
        plain = {_tidy(cell) for cell in cells}
        forms = _forms()
        signed = any(cell[:1] != "-" and forms.sign.fullmatch(cell) for cell in plain)
        lettered = any(forms.letter.fullmatch(cell) for cell in plain)
        backwards = any(forms.result.fullmatch(cell) and not forms.number.fullmatch(cell) for cell in plain)
        paired = signed or lettered or backwards or any(map(is_cross_cell, plain))
        return cls(signed, lettered, backwards, paired)


USUAL = Notation()


def _tidy(cell: str) -> str:
    return " ".join(cell.translate(DASHES).split())


class _Forms(NamedTuple):
    """The patterns of a cell with an opponent, with the letters of colours in every language."""

    number: re.Pattern[str]  # 12w1, 12 w, 12?½
    result: re.Pattern[str]  # 1w12
    sign: re.Pattern[str]  # +12, >12w
    letter: re.Pattern[str]  # W12
    colour: re.Pattern[str]  # w12 1
    apart: re.Pattern[str]  # 12 1, without a colour


@cache
def _forms() -> _Forms:
    letters, number, ended = f"[{letter_signs()}?]", "(?P<number>[0-9]{1,6})", f"(?P<ended>{RESULT})"
    letter = f"(?P<letter>{letters})"
    return _Forms(
        number=re.compile(f"{number} ?{letter} ?{ended}?", re.IGNORECASE),
        result=re.compile(f"(?P<ended>1/2|[01]?[.,][05]|[10½=]) ?{letter} ?{number}", re.IGNORECASE),
        sign=re.compile(f"(?P<ended>[+=<>-]) ?(?P<before>{letters})? ?{number} ?{letter}?", re.IGNORECASE),
        letter=re.compile(f"(?P<ended>[WDLXF]) ?{number} ?{letter}?"),
        colour=re.compile(f"{letter} ?{number} ?:? ?{ended}", re.IGNORECASE),
        apart=re.compile(f"{number}(?: |(?=½|=|1/2)){ended}", re.IGNORECASE),
    )


def cross_cell(cell: str, notation: Notation = USUAL) -> CrossCell | None:
    """A round in a cell; None if it is blank or not one. What only the opponent's row can prove says so."""
    text = _tidy(cell)
    if not text or len(text) > LONGEST_PHRASE:
        return None
    forms = _forms()
    first = [forms.sign] if notation.signed else []
    others = [forms.letter, forms.number, forms.sign, forms.colour, forms.apart]
    if notation.result_first:
        others.insert(1, forms.result)
    else:
        first.insert(0, forms.number)
    if (found := _first_match(first, text)) is not None:
        return _game(found, text)
    if (alone := _without_opponent(text, notation)) is not None:
        return alone
    if (found := _first_match(others, text)) is not None:
        return _game(found, text)
    if text.isascii() and text.isdecimal() and len(text) <= len("99999"):
        return CrossCell(PENDING, number=int(text), text=text, unproven=True)
    return None


def _first_match(patterns: Iterable[re.Pattern[str]], text: str) -> re.Match[str] | None:
    return next((found for pattern in patterns if (found := pattern.fullmatch(text))), None)


def _game(found: re.Match[str], text: str) -> CrossCell | None:
    """A round with an opponent, by the form that its cell has; only a forfeit may have nobody, written 0."""
    forms = _forms()
    results = SIGNS if found.re is forms.sign else US_RESULTS if found.re is forms.letter else MARKS
    mark = compact(found["ended"] or "*")
    if results is MARKS and mark in SHORT_GAMES:
        kind, score = SHORT, ENDED[SHORT_GAMES[mark]][1]
    elif mark in results:
        kind, score = ENDED[results[mark]]
    else:
        return None
    number = int(found["number"])
    if not number:
        return CrossCell(kind, score, text=text) if kind == FORFEIT else None
    groups = found.groupdict()
    letter = (groups.get("before") or groups.get("letter") or "").lower().strip("?")
    return CrossCell(kind, score, number, letter or None, text=text, unproven=found.re is forms.apart)


def _without_opponent(text: str, notation: Notation) -> CrossCell | None:
    """A round without an opponent; None if the cell is not one."""
    mark = compact(text)
    letter = mark.rstrip("0").strip("-") if notation.lettered else ""
    if letter in ("x", "f") and mark.strip("-").isalpha():
        return CrossCell(*ENDED[US_RESULTS[letter]], text=text)
    if letter in US_BYES:
        return _bye(US_BYES[letter], text)
    if MARKS.get(mark) in BYES_BY_RESULT:
        alone = _bye(BYES_BY_RESULT[MARKS[mark]], text) if notation.paired else None
        if mark == "1":  # or a pairing with number 1, if the row of number 1 says so
            return CrossCell(PENDING, number=1, text=text, unproven=True, otherwise=alone)
        return alone
    if mark in BYES:
        return _bye(BYES[mark], text)
    if mark in FORFEITS:
        return CrossCell(*ENDED[FORFEITS[mark]], text=text)
    kind = _kind_without_opponent(text)
    return None if kind is None else CrossCell(kind, text=text)


def _bye(kind: str, text: str) -> CrossCell:
    return CrossCell(kind, points=POINTS_OF[kind], text=text)


@dataclass(frozen=True, slots=True)
class CrossCell:
    """A round of one player: its kind, the score, the opponent's number if there is one, and the colour's letter."""

    kind: str
    score: Decimal | None = None
    number: int | None = None
    letter: str | None = None
    points: Decimal | None = None  # of a round without an opponent, if the cell says
    text: str = ""
    unproven: bool = False  # whether only the opponent's row can prove it
    otherwise: CrossCell | None = None  # what it is without that proof

    @property
    def result(self) -> Result:
        """How the round ended for the player."""
        return RESULT_OF.get((self.kind, self.score), "bye")

    def round(self, colours: Mapping[str, Colour]) -> Round:
        """The round as a tournament has it; `colours` is what the table's letters mean."""
        return Round(self.kind, self.number, colours.get(self.letter or ""), self.score)


def us_cell(text: str) -> CrossCell | None:
    """A cell in the letters of US Chess: `W 12`, `H`, `-H-`; None if it is not one."""
    return cross_cell(text.strip("- "), Notation(lettered=True)) if text.strip("- ")[:1].isalpha() else None


def is_cross_cell(cell: str) -> bool:
    """Whether a cell names an opponent by number, with a colour or a result."""
    if len(cell) > LONGEST_CELL or not any(sign.isdecimal() for sign in cell):
        return False
    found = cross_cell(cell) or cross_cell(cell, Notation(result_first=True))
    if found is None or found.number is None or found.unproven:
        return False
    return found.number < MOST_PLAYERS or found.score is not None


def is_apart(cell: str) -> bool:
    """Whether a cell may be an opponent's number and a result without a colour: `12 1`."""
    found = cross_cell(cell)
    return found is not None and found.unproven and found.kind != PENDING


def colours_of(cells: Iterable[CrossCell]) -> dict[str, Colour]:
    """What the colour letters of a table mean."""
    return colour_letters({cell.letter for cell in cells if cell.letter})


def cell_text(played: Round) -> str:
    """A round as a cell such as `12w1`; an unknown colour is `?`, so that `2?1` is not read as 21."""
    if played.opponent is None:
        return BYE_LETTERS.get(played.kind) or ("0+" if played.score else "0-")
    return f"{played.opponent}{played.colour[0] if played.colour else '?'}{CELL_MARKS[played.kind, played.score]}"
