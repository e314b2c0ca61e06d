"""Splitting what people type into games and opponents: opponent, result, the next game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arpad.reading.characters import fold, plain
from arpad.reading.results import BYE, UNRATED, is_plain_result, is_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NUMBERS = ("1", "0")  # as a word alone these could be ratings
COLOURS = ("b", "black", "white")  # a loose w is a win, until a result follows it
POINTS = r"(1/2|0[.,]5|[10½=])"
BOTH_SCORES = re.compile(rf"(?:^|(?<=[\s:])){POINTS}\s?[-:–—−]\s?{POINTS}(?![\w.,/])")
HALF = re.compile(r"(?:^|(?<=[:\s]))([01]),([05])(?![\w:/@])")
THOUSANDS = re.compile(r"([1-3])[ ,']([0-9]{3})(?=$|[ :@])")  # at the beginning of a game: 2 103, 2,103

# A name of two parts, and a name before an ID. Their lengths are bounded, so that a long line costs no more than that.
WHOLE_NAME = re.compile(r"(?<![^\s;])[^\W\d_][^\d@:;,]{0,80},\s{0,9}[^\W\d_][^\d@:;,]{0,80}(?:(?<!\s)[:@]\S*)?")
NAME_BEFORE_ID = re.compile(r"(?<![^\s,;])[^\W\d_][^\d@:;,]{0,80}(?:,[^\d@:;,]{0,80})?(?=@\d)")


def opponent_and_result(game: str) -> tuple[str, str | None]:
    """The opponent and the result of `1950:win`, `1950 win` or `win 1950`; None if there is no result.

    A name keeps its blanks, for the D of `Holm D` is no draw: only a colon parts it from the result.
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
    """`1950 1 : 0` with both scores as one word, `1950 1-0`."""
    return game if game.replace(":", "", 1).isalnum() else BOTH_SCORES.sub(r"\1-\2", game)


def apart(words: Iterable[str], *, played: bool = False) -> list[str]:
    """Games or opponents as they were typed, one by one, with a comma, a semicolon or a space between.

    The comma of `Carlsen, Magnus:win` and of `1950:0,5` stays; `1950 win` is `1950:win`, and `1950 b ½` `1950@b:½`.
    Where all games were `played`, nobody stands without a result, and the 1 of `1950 1` is one.
    """
    games: list[str] = []
    leading: list[str] = []  # the words before an opponent: `won against`, `GM`
    loose = False  # whether the last game ends in a w of its own, which may be the colour
    for word in words:
        for piece in _pieces(plain(word)):
            fits = games and not leading and (played or piece not in NUMBERS)
            if fits and loose and is_result(piece):
                games[-1] = f"{games[-1][: -len(':w')]}@w:{piece}"
                loose = False
            elif fits and (joined := _joined(games[-1], piece)):
                games[-1] = joined
                loose = piece.lower() == "w"
            elif _leads(piece, leading):
                leading.append(piece)
            else:
                games.append(" ".join([*leading, piece]))
                leading, loose = [], False
    return [*games, " ".join(leading)] if leading else games


def _leads(piece: str, leading: list[str]) -> bool:
    """Whether a word says something of the opponent who follows: the result, or `against` behind one."""
    if not piece.isalpha():
        return False
    if leading:
        from arpad.reading.vocabulary import words

        return words("sentences").meaning(fold(piece)) == "against"
    return is_result(piece)


def _joined(game: str, piece: str) -> str | None:
    """An opponent with the word behind: the own colour, the colon or the result; None if it is no such word."""
    opponent, colon, behind = game.partition(":")
    if not _is_number(opponent) or behind.strip() or (not colon and opponent_and_result(game)[1] is not None):
        return None
    if is_result(piece):
        return f"{opponent}:{piece}"
    if piece == ":" and not colon:
        return f"{opponent}:"
    return f"{opponent}@{piece[0].lower()}" if piece.lower() in COLOURS and "@" not in opponent[1:] else None


def _pieces(word: str) -> Iterator[str]:
    """The games of one word; a space parts them as well, unless it stands within a game or a name."""
    for part in map(rejoined, _at_commas(word)):
        pieces = THOUSANDS.sub(r"\1\2", part, count=1).split() if THOUSANDS.match(part) else part.split()
        opponents = [one for one in pieces if one.lower() == BYE or (_is_number(one) and not is_result(one))]
        behind = [one for one in pieces if one not in opponents]
        several = len(opponents) > 1 and all(is_result(one) or one.lower() in COLOURS for one in behind)
        yield from pieces if several else [part]


def _at_commas(word: str) -> Iterator[str]:
    """The parts of a word between its commas; a surname and a forename stay together, and so do `0,5` and `1,950`."""
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
    """Whether a part may be a name of which the forename follows."""
    part = part.strip()
    if not part[:1].isalpha() or any(letter.isdecimal() for letter in part):
        return False
    return opponent_and_result(part)[1] is None and not is_plain_result(part) and not _is_word(part)


def _is_number(word: str) -> bool:
    """Whether a word begins like a rating or an ID, or says that there is none."""
    return word[:1].isdecimal() or word[:1] == "@" or word.lower().startswith(UNRATED)


def _is_word(part: str) -> bool:
    return part.lower() == BYE or part.lower().startswith(UNRATED)


def words_of(line: str) -> list[str]:
    """The words of a line of several games or opponents, for `apart`.

    `Kovarik, Tomasz` is one; before an ID a name is for people, and left out.
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
    """What belongs to the game before, in words that end in a name."""
    words = text.split()
    first = next((place for place, word in enumerate(words) if not is_said_of_a_game(word.strip(","))), len(words))
    return words[:first]


def is_said_of_a_game(word: str) -> bool:
    """Whether a word is a result, a colour, a bye or `unrated`, and no name."""
    return is_result(word) or word.lower() in (*COLOURS, BYE, UNRATED)
