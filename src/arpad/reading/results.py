"""The words for results, and where a game as people type it parts: opponent, result, the next game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.core import DRAW, LOSS, WIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from decimal import Decimal

RESULTS = {
    "win": WIN, "won": WIN, "w": WIN, "1": WIN, "1.": WIN, "1-0": WIN,
    "draw": DRAW, "drawn": DRAW, "d": DRAW, "0.5": DRAW, ".5": DRAW, "½": DRAW, "1/2": DRAW, "=": DRAW,
    "½-½": DRAW, "1/2-1/2": DRAW, "0.5-0.5": DRAW, "=-=": DRAW,
    "loss": LOSS, "lost": LOSS, "l": LOSS, "0": LOSS, "0.": LOSS, "0-1": LOSS,
}  # fmt: skip
FORFEITS = {"+": WIN, "-": LOSS, "−": LOSS, "1k": WIN, "0k": LOSS, "1f": WIN, "0f": LOSS}
ALLOWED = "win, draw or loss (also w d l, 1 0.5 ½ 0), or + and - for a forfeit"
BYE, OPEN, UNRATED = "bye", "?", "unrated"
NUMBERS = ("1", "0")  # as a word alone these could be ratings
COLOURS = ("b", "black", "white")  # a loose w is a win, until a result follows it
POINTS = r"(1/2|0[.,]5|[10½=])"
BOTH_SCORES = rf"(?<=[\s:]){POINTS}\s?[-:–—−]\s?{POINTS}(?![\w.,/])"
HALF = r"(?:^|(?<=[:\s]))([01]),([05])(?![\w:/@])"


def score_of(word: str) -> Decimal | None:
    """`win`, `1`, `1.0`, `½`, `0,5`, `1-0`: the own score of a result in any spelling; None if it is none."""
    word = word.strip().lower().replace(",", ".")
    return RESULTS.get(word.rstrip("0") if "." in word[:2] else word)


def is_result(word: str) -> bool:
    """Whether a word is a result, a forfeit, or the sign of a game still to be played."""
    return score_of(word) is not None or word.lower() in FORFEITS or word == OPEN


def parted(game: str) -> tuple[str, str | None]:
    """The opponent and the result of `1950:win`, `1950 win` or `win 1950`; None if there is no result.

    A name keeps its blanks, for the D of `Holm D` is no draw: only a colon parts it from the result.
    """
    opponent, colon, result = rejoined(game.strip()).rpartition(":")
    if colon:
        return opponent.strip(), result.strip().lower()
    *before, last = result.split() or [""]
    if before and _is_number(before[0]) and is_result(last):
        return " ".join(before), last.lower()
    if len(before) == 1 and len(before[0]) > 1 and is_result(before[0]) and _is_number(last):
        return last, before[0].lower()
    return result, None


def rejoined(game: str) -> str:
    """`1950 1 : 0` with both scores as one word, `1950 1-0`."""
    return game if game.replace(":", "", 1).isalnum() else re.sub(BOTH_SCORES, r"\1-\2", game)


def apart(words: Iterable[str], *, played: bool = False) -> list[str]:
    """Games or opponents as they were typed, one by one, with a comma, a semicolon or a space between.

    The comma of `Carlsen, Magnus:win` and of `1950:0,5` stays; `1950 win` is `1950:win`, and `1950 b ½` `1950@b:½`.
    Where all games were `played`, nobody stands without a result, and the 1 of `1950 1` is one.
    """
    games: list[str] = []
    loose = False  # whether the last game ends in a w of its own, which may be the colour
    for word in words:
        for piece in _pieces(word):
            fits = games and (played or piece not in NUMBERS)
            if fits and loose and is_result(piece):
                games[-1] = f"{games[-1][: -len(':w')]}@w:{piece}"
                loose = False
            elif fits and (joined := _joined(games[-1], piece)):
                games[-1] = joined
                loose = piece.lower() == "w"
            else:
                games.append(piece)
                loose = False
    return games


def _joined(game: str, piece: str) -> str | None:
    """An opponent with the word behind: the own colour, the colon or the result; None if it is no such word."""
    opponent, colon, behind = game.partition(":")
    if not _is_number(opponent) or behind.strip() or (not colon and parted(game)[1] is not None):
        return None
    if is_result(piece):
        return f"{opponent}:{piece}"
    if piece == ":" and not colon:
        return f"{opponent}:"
    return f"{opponent}@{piece[0].lower()}" if piece.lower() in COLOURS and "@" not in opponent[1:] else None


def _pieces(word: str) -> Iterator[str]:
    """The games of one word; a space parts them as well, unless it stands within a game or a name."""
    for part in map(rejoined, _at_commas(word)):
        pieces = part.split()
        opponents = [one for one in pieces if one.lower() == BYE or (_is_number(one) and not is_result(one))]
        behind = [one for one in pieces if one not in opponents]
        several = len(opponents) > 1 and all(is_result(one) or one.lower() in COLOURS for one in behind)
        yield from pieces if several else [part]


def _at_commas(word: str) -> Iterator[str]:
    """The parts of a word between its commas; a surname and a forename stay together, and so does `0,5`."""
    if "," in word:
        word = re.sub(HALF, r"\1.\2", word)
    surname = ""
    for part in word.replace(";", ",").split(","):
        whole = f"{surname},{part}" if surname else part
        surname = "" if surname or not _is_surname(part) else whole
        if whole.strip() and not surname:
            yield whole.strip()
    if surname:
        yield surname.strip()


def _is_surname(part: str) -> bool:
    """Whether a part may be a name of which the forename follows."""
    part = part.strip()
    return part[:1].isalpha() and parted(part)[1] is None and not is_result(part) and not _is_word(part)


def _is_number(word: str) -> bool:
    """Whether a word begins like a rating or an ID, or says that there is none."""
    return word[:1].isdigit() or word[:1] == "@" or word.lower().startswith(UNRATED)


def _is_word(part: str) -> bool:
    return part.lower() == BYE or part.lower().startswith(UNRATED)
