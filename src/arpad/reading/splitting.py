"""Splitting what people type into games, and a game into opponent and result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.reading.characters import fold, plain
from arpad.reading.results import BYE, UNRATED, is_plain_result, is_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NUMBERS = ("1", "0")  # a word on its own that could also begin a rating
COLOURS = ("b", "black", "white")  # a w on its own is a win, unless a result follows it
POINTS = r"(1/2|0[.,]5|[10½=])"
BOTH_SCORES = re.compile(rf"(?:^|(?<=[\s:])){POINTS}\s?[-:–—−]\s?{POINTS}(?![\w.,/])")
HALF = re.compile(r"(?:^|(?<=[:\s]))([01]),([05])(?![\w:/@])")
THOUSANDS = re.compile(r"([1-3])[ ,']([0-9]{3})(?=$|[ :@])")  # at the beginning of a game: 2 103, 2,103

# A name of two parts, and a name before an ID. Their lengths are bounded, so that a long line costs no more than that.
WHOLE_NAME = re.compile(r"(?<![^\s;])[^\W\d_][^\d@:;,]{0,80},\s{0,9}[^\W\d_][^\d@:;,]{0,80}(?:(?<!\s)[:@]\S*)?")
NAME_BEFORE_ID = re.compile(r"(?<![^\s,;])[^\W\d_][^\d@:;,]{0,80}(?:,[^\d@:;,]{0,80})?(?=@\d)")


def opponent_and_result(game: str) -> tuple[str, str | None]:
    """The opponent and the result of `1950:win`, `1950 win` or `win 1950`; None if there is no result.

    A name keeps its blanks, as the D of `Holm D` is not a draw: only a colon separates it from the result.
    """
    opponent, colon, result = rejoined(plain(game).strip()).rpartition(":")
    if colon:
        return opponent.strip(), result.strip().lower()
    *before, last = result.split() or [""]
    is_name = last.istitle() and len(before) > 1 and before[-1][0].isalpha()  # the Won of `1950 Kim Won`
    if before and _is_number(before[0]) and is_result(last) and not is_name:
        return " ".join(before), last.lower()
    if len(before) == 1 and before[0] not in NUMBERS and is_result(before[0]) and _is_number(last):
        return last, before[0].lower()
    return result, None


def rejoined(game: str) -> str:
    """The game with both scores in one word: `1950 1 : 0` becomes `1950 1-0`."""
    return game if game.replace(":", "", 1).isalnum() else BOTH_SCORES.sub(r"\1-\2", game)


def apart(words: Iterable[str], *, played: bool = False) -> list[str]:
    """Games or opponents as they were typed, split at commas, semicolons and spaces.

    The comma of `Carlsen, Magnus:win` and of `1950:0,5` stays; `1950 win` is `1950:win`, and `1950 b ½` is `1950@b:½`.
    If all games were `played`, every opponent has a result, and the 1 of `1950 1` is one.
    """
    games: list[str] = []
    leading: list[str] = []  # the words before an opponent: `won against`, `GM`
    loose = False  # whether the last game ends in a separate w, which may be the colour
    for word in words:
        for piece in _pieces(plain(word)):
            fits = games and not leading and (played or piece not in NUMBERS)
            if fits and loose and is_result(piece):
                games[-1] = f"{games[-1][: -len(':w')]}@w:{piece}"
                loose = False
            elif fits and (joined := _joined(games[-1], piece)):
                games[-1] = joined
                loose = piece.lower() == "w"
            elif _belongs_to_next(piece, leading):
                leading.append(piece)
            else:
                games.append(" ".join([*leading, piece]))
                leading, loose = [], False
    return [*games, " ".join(leading)] if leading else games


def _belongs_to_next(piece: str, leading: list[str]) -> bool:
    """Whether a word belongs to the opponent after it: a result, or `against` after one."""
    if not piece.isalpha():
        return False
    if leading:
        from arpad.reading.vocabulary import words

        return words("sentences").meaning(fold(piece)) == "against"
    return is_result(piece)


def _joined(game: str, piece: str) -> str | None:
    """An opponent joined with the word after: the player's colour, a colon or the result; None for any other word."""
    opponent, colon, behind = game.partition(":")
    if not _is_number(opponent) or behind.strip() or (not colon and opponent_and_result(game)[1] is not None):
        return None
    if is_result(piece):
        return f"{opponent}:{piece}"
    if piece == ":" and not colon:
        return f"{opponent}:"
    return f"{opponent}@{piece[0].lower()}" if piece.lower() in COLOURS and "@" not in opponent[1:] else None


def _pieces(word: str) -> Iterator[str]:
    """The games in one word; a space separates them too, unless it is within a game or a name."""
    for part in map(rejoined, _at_commas(word)):
        pieces = THOUSANDS.sub(r"\1\2", part, count=1).split() if THOUSANDS.match(part) else part.split()
        opponents = [piece for piece in pieces if piece.lower() == BYE or (_is_number(piece) and not is_result(piece))]
        behind = [piece for piece in pieces if piece not in opponents]
        several = len(opponents) > 1 and all(is_result(piece) or piece.lower() in COLOURS for piece in behind)
        yield from pieces if several else [part]


def _at_commas(word: str) -> Iterator[str]:
    """A word split at its commas; a surname and a forename stay together, and so do `0,5` and `1,950`."""
    if THOUSANDS.fullmatch(word.strip()):
        yield word.strip()
        return
    if "," in word:
        word = HALF.sub(r"\1.\2", word)
    surname = ""
    for part in word.replace(";", ",").split(","):
        whole = f"{surname},{part}" if surname else part
        surname = "" if surname or not _is_surname(part) else whole
        if whole.strip() and not surname:
            yield whole.strip()
    if surname:
        yield surname.strip()


def _is_surname(part: str) -> bool:
    """Whether a part may be a surname whose forename follows."""
    part = part.strip()
    if not part[:1].isalpha() or any(letter.isdecimal() for letter in part):
        return False
    return opponent_and_result(part)[1] is None and not is_plain_result(part) and not _is_bye_or_unrated(part)


def _is_number(word: str) -> bool:
    """Whether a word begins like a rating or an ID, or is `unrated`."""
    return word[:1].isdecimal() or word[:1] == "@" or word.lower().startswith(UNRATED)


def _is_bye_or_unrated(part: str) -> bool:
    return part.lower() == BYE or part.lower().startswith(UNRATED)


def words_of(line: str) -> list[str]:
    """The words of a line of several games or opponents, for `apart`.

    `Kovarik, Tomasz` is one word; a name before an ID is only for the reader, and left out.
    """
    line = NAME_BEFORE_ID.sub(lambda found: "".join(f"{word} " for word in _before_name(found[0])), line)
    words: list[str] = []
    end = 0
    for found in WHOLE_NAME.finditer(line):
        before = _before_name(found[0])
        name = " ".join(found[0].split()[len(before) :])
        words += [*line[end : found.start()].split(), *before, *([name] if "," in name else name.split())]
        end = found.end()
    return [*words, *line[end:].split()]


def _before_name(text: str) -> list[str]:
    """The words before the name that still belong to the previous game."""
    words = text.split()
    first = next((place for place, word in enumerate(words) if not is_said_of_a_game(word.strip(","))), len(words))
    return words[:first]


def is_said_of_a_game(word: str) -> bool:
    """Whether a word is a result, a colour, a bye or `unrated`, and not a name."""
    return is_result(word) or word.lower() in (*COLOURS, BYE, UNRATED)
