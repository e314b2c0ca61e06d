"""How a game ended, and with which colour: words in many languages, marks such as `½`, and scores such as `1 - 0`."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, lru_cache
from typing import Literal, get_args

from arpad.core import DRAW, LOSS, WIN
from arpad.messages import say
from arpad.reading.text import MANY_WORDS, fold, plain

Result = Literal["win", "draw", "loss", "to-come", "forfeit-win", "forfeit-loss", "bye"]
Colour = Literal["white", "black"]
RESULT_NAMES: dict[str, Result] = {name: name for name in get_args(Result)}
COLOUR_NAMES: dict[str, Colour] = {name: name for name in get_args(Colour)}

# Arpad's notation, for every door. A word that is not here is looked up in the vocabulary.
RESULTS = {
    "win": WIN, "won": WIN, "w": WIN, "1": WIN, "1.": WIN, "1-0": WIN,
    "draw": DRAW, "drawn": DRAW, "d": DRAW, "0.5": DRAW, ".5": DRAW, "½": DRAW, "1/2": DRAW, "=": DRAW,
    "½-½": DRAW, "1/2-1/2": DRAW, "0.5-0.5": DRAW, "=-=": DRAW,
    "loss": LOSS, "lost": LOSS, "l": LOSS, "0": LOSS, "0.": LOSS, "0-1": LOSS,
}  # fmt: skip
FORFEITS = {"+": WIN, "-": LOSS, "−": LOSS, "1k": WIN, "0k": LOSS, "1f": WIN, "0f": LOSS}
ALLOWED = say("reading.allowed_results")
BYE, OPEN, UNRATED_WORD = "bye", "?", "unrated"
SCORES: dict[str, Decimal] = {"win": WIN, "draw": DRAW, "loss": LOSS}

# Marks as tables print them, without spaces, with a point instead of a comma and one kind of dash.
MARKS: dict[str, Result] = {
    **dict.fromkeys(("1", "1.", "1.0", "1.00"), "win"),
    **dict.fromkeys(("½", "0.5", ".5", "0.50", "1/2", "="), "draw"),
    **dict.fromkeys(("0", "0.", "0.0", "0.00"), "loss"),
    **dict.fromkeys(("+", "1k", "-1k", "+1k", "1f", ">"), "forfeit-win"),
    **dict.fromkeys(("-", "0k", "-0k", "0f", "<"), "forfeit-loss"),
    **dict.fromkeys(("*", "?"), "to-come"),
}
POINTS = {"1": 2, "½": 1, "0": 0, "1/2": 1, "0.5": 1, "=": 1, "1.0": 2, "0.0": 0, ".5": 1}  # in half points
BY_SCORE: dict[tuple[int, int], tuple[Result, Result]] = {
    (2, 0): ("win", "loss"), (1, 1): ("draw", "draw"), (0, 2): ("loss", "win"),
}  # fmt: skip
BETWEEN = ("-", ":", "/")
SIDES: dict[str, tuple[Result, Result]] = {
    **{
        f"{left}{sign}{right}": BY_SCORE[POINTS[left], POINTS[right]]
        for left in POINTS for right in POINTS for sign in BETWEEN[:2] if (POINTS[left], POINTS[right]) in BY_SCORE
    },
    **{f"+{sign}-": ("forfeit-win", "forfeit-loss") for sign in BETWEEN},
    **{f"-{sign}+": ("forfeit-loss", "forfeit-win") for sign in BETWEEN},
    **{f"-{sign}-": ("forfeit-loss", "forfeit-loss") for sign in BETWEEN},
}  # fmt: skip
LONGEST_SCORE = 12  # characters
NOBODY_CAME = ("0-0", "0:0")
NOT_PLAYED = ("", "-", ":", "x-x", "*", "?", "vs", "vs.")
FORFEIT_MARKS = "fk"  # of `1-0f` and `1f-0f`
FORFEITED: dict[Result, Result] = {"win": "forfeit-win", "loss": "forfeit-loss"}
TWO_FOR_A_WIN: dict[str, tuple[Result, Result]] = {
    "2:0": ("win", "loss"), "1:1": ("draw", "draw"), "0:2": ("loss", "win"),
}  # fmt: skip
MIRROR: dict[Result, Result] = {
    "win": "loss", "draw": "draw", "loss": "win", "forfeit-win": "forfeit-loss", "forfeit-loss": "forfeit-win",
    "to-come": "to-come",
}  # fmt: skip
RESULT_LETTERS: dict[str, Result] = {"w": "win", "d": "draw", "l": "loss"}
DASHES = dict.fromkeys(map(ord, "–—−‐‑‒"), "-")
BYE_POINTS = {**POINTS, "-": 0}


def score_of(word: str) -> Decimal | None:
    """The player's score for a result such as `win`, `1`, `1.0`, `½`, `0,5`, `1-0` or `Sieg`; None if it is not one."""
    word = word.strip().lower().replace(",", ".")
    found = RESULTS.get(word.rstrip("0") if "." in word[:2] else word)
    if found is None and len(word) > 2 and word.isalpha():
        return SCORES.get(meaning_of(word) or "")
    return found


def is_result(word: str) -> bool:
    """Whether a word is a result, a forfeit, or the sign of a game still to be played."""
    return score_of(word) is not None or word.lower() in FORFEITS or word == OPEN


def is_plain_result(word: str) -> bool:
    """Whether a word is a result in Arpad's notation, leaving out the words of other languages."""
    word = word.lower().replace(",", ".")
    return word in RESULTS or word in FORFEITS or word == OPEN


@lru_cache(maxsize=MANY_WORDS)
def meaning_of(phrase: str) -> str | None:
    """What a word or phrase says about a game: win, draw, loss, forfeit, bye, absent, empty, to-come or unrated."""
    from arpad.reading.vocabulary import words

    return words("results").meaning(" ".join(fold(phrase).split()))


@lru_cache(maxsize=MANY_WORDS)
def compact(text: str) -> str:
    """A mark without spaces, with a point instead of a comma and one kind of dash: `½ – ½` is `½-½`."""
    return "".join(plain(text).lower().split()).replace(",", ".").translate(DASHES)


def is_mark(cell: str) -> bool:
    """Whether a cell is one player's result as tables print it."""
    return compact(cell) in MARKS


def is_score(cell: str) -> bool:
    """Whether a cell is a score of both players."""
    small = compact(cell) if len(cell) <= LONGEST_SCORE else ""
    return small in SIDES or small in TWO_FOR_A_WIN


def both_results(text: str, *, two_points: bool = False) -> tuple[Result, Result] | None:
    """How a game ended for White and for Black: `1-0`, `½`, `2:0` with two points for a win, `1-0f`, `remis`, `White`.

    None if the text is not a result.
    """
    small = compact(text)
    if small in NOT_PLAYED:
        return "to-come", "to-come"
    if two_points and small in TWO_FOR_A_WIN:
        return TWO_FOR_A_WIN[small]
    if small in SIDES:
        return SIDES[small]
    if small.rstrip(FORFEIT_MARKS) in NOBODY_CAME:
        return "forfeit-loss", "forfeit-loss"
    plain_score = small.replace("f", "").replace("k", "")
    if small[-1] in FORFEIT_MARKS and SIDES.get(plain_score):
        left, right = SIDES[plain_score]
        return FORFEITED.get(left, left), FORFEITED.get(right, right)
    if small in MARKS:
        own = MARKS[small]
    else:
        meaning, colour = meaning_of(text), colour_of(text)
        if meaning != "draw" and colour is None:
            return None
        own = "draw" if colour is None else "win" if colour == "white" else "loss"
    return own, MIRROR[own]


def colour_of(word: str) -> Colour | None:
    """A colour in words: `White`, `mit Schwarz`, `blancas`."""
    from arpad.reading.vocabulary import words

    return COLOUR_NAMES.get(words("colours").meaning(" ".join(fold(word).split())) or "")


def colour_letters(letters: set[str]) -> dict[str, Colour]:
    """What the colour letters of a table mean, judged together; `b` alone may be either colour and is left out.

    `b` is Black with w (English), and White with a letter for Black: n (noirs), c (czarne), s (siyah), p (pretas).
    """
    from arpad.reading.vocabulary import words

    plain_letters = {letter.strip("().").lower() for letter in letters}
    meanings: dict[str, Colour] = {}
    for letter in plain_letters:
        match words("colours").meaning(fold(letter)):
            case "letter-white":
                meanings[letter] = "white"
            case "letter-black":
                meanings[letter] = "black"
    if "b" in plain_letters:
        if "white" in meanings.values():
            meanings["b"] = "black"
        elif "black" in meanings.values():
            meanings["b"] = "white"
    return meanings


@cache
def letter_signs() -> str:
    """Every letter that stands for a colour in a table."""
    from arpad.reading.vocabulary import entries

    letters = [word for meaning, word in entries("colours") if meaning.startswith("letter")]
    return "".join(dict.fromkeys([*letters, *map(fold, letters)]))
