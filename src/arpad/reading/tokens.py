"""The words of a line about games, each with what it can mean: a rating, a result, a colour, a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from arpad.core import HIGHEST_RATING
from arpad.reading.characters import fold, plain
from arpad.reading.opponents import unmarked
from arpad.reading.results import MANY_WORDS, MARKS, SIDES, compact
from arpad.reading.vocabulary import entries, months, words

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal[
    "rating", "number", "mark", "sides", "result", "forfeit", "bye", "to-come", "unrated", "colour", "letter",
    "against", "and", "own", "round", "small", "title", "federation", "label", "word", "break", "bracket", "other",
]  # fmt: skip

LOWEST_PASTED = 100  # a smaller number in a line is a round, a board or a starting number
MOST_ROUNDS = 99
WORD = re.compile(r"[,;()\[\]{}|\t]|[^\s,;()\[\]{}|]+")
DECIMAL_COMMA = re.compile(r"(?<![\w.,])([0-9]{1,2}),([0-9]{1,2})(?![\w,])")
ROUND = re.compile(r"([^\W\d_]{1,7})\.?([0-9]{1,2})[.:)]?")
COUNTED = re.compile(r"([0-9]{1,2})[.:)]")
RATING_AND_MARK = re.compile(r"([0-9]{3,4})[-–=:]([01½]|1/2|0[.,]5|=)|([0-9]{3,4})(=)")
TITLED_RATING = re.compile(r"([0-9]{3,4})([A-Za-z]{2,3})")
MONEY = "€$£%"
LETTERS = frozenset("wdlbsnc")
AROUND = ".:!?\"'“”„«»"
RESULT_KINDS: dict[str, Kind] = {
    "win": "result", "draw": "result", "loss": "result", "forfeit": "forfeit", "bye": "bye", "absent": "bye",
    "empty": "bye", "to-come": "to-come", "unrated": "unrated",
}  # fmt: skip
SENTENCE_KINDS: dict[str, Kind] = {
    "against": "against", "and": "and", "own": "own", "round": "round", "small": "small", "of": "small",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a phrase, and what it means where that is known."""

    kind: Kind
    text: str
    meaning: str = ""


@cache
def titles() -> dict[str, str]:
    """Every title by its spelling."""
    return {word: word for meaning, word in entries("titles") if meaning == "titles"}


@cache
def title_letters() -> dict[str, str]:
    """The titles that pages shorten to a letter or two: `f` is FM."""
    return dict(word.split("=") for meaning, word in entries("titles") if meaning == "letters")


def tokens_of(line: str) -> list[Token]:
    """The tokens of a line; a phrase such as `ohne Elo` is one token."""
    raw = WORD.findall(DECIMAL_COMMA.sub(r"\1.\2", plain(line)))
    found: list[Token] = []
    place = 0
    while place < len(raw):
        token, length = _phrase(raw, place) or (_word(raw[place], raw, place, found), 1)
        found += token if isinstance(token, list) else [token]
        place += length
    return found


def _phrase(raw: Sequence[str], place: int) -> tuple[Token, int] | None:
    """A score of three words, `1 - 0`, or a phrase of the vocabulary; None if there is none here."""
    first = raw[place]
    if not first[0].isalpha():
        for length in (3, 2):
            joined = compact("".join(raw[place : place + length]))
            if len(raw) >= place + length and joined in SIDES and length == 3:
                return Token("sides", joined), length
            if len(raw) >= place + length and length == 2 and joined in ("-1k", "-0k", "+1k"):
                return Token("mark", joined, MARKS[joined]), length
        return None
    for length in (3, 2):
        if len(raw) >= place + length and (token := _in_vocabulary(" ".join(raw[place : place + length]), length)):
            return token, length
    return None


@lru_cache(maxsize=MANY_WORDS)
def _in_vocabulary(phrase: str, length: int = 1) -> Token | None:
    """The token for a word or phrase of the vocabulary; None if it is not there."""
    folded = fold(phrase.strip(AROUND))
    results = words("results")
    if (meaning := results.meaning(folded) if length == 1 else results.phrase(folded)) is not None:
        return Token(RESULT_KINDS[meaning], phrase, meaning)
    if (meaning := words("colours").meaning(folded)) in ("white", "black"):
        return Token("colour", phrase, meaning)
    if len(folded) > 1 and (meaning := words("sentences").meaning(folded)) is not None:
        return Token(SENTENCE_KINDS[meaning], phrase, meaning)
    if words("labels").meaning(folded) is not None:
        return Token("label", phrase)
    return None


def _word(word: str, raw: Sequence[str], place: int, before: Sequence[Token]) -> Token | list[Token]:
    """The token for a single word, by its characters and then by the vocabulary."""
    if word in ",;\t|":
        return Token("break", word)
    if word in "()[]{}":
        return Token("bracket", word)
    if word[0].isdecimal() or word[0] in "½+-–—−=*?.<>":
        return _figure(word, raw, place, before)
    if len(word) == 1 and word.lower() in LETTERS:
        return Token("letter", word, word.lower())
    if (glued := ROUND.fullmatch(word)) and words("sentences").meaning(fold(glued[1])) == "round":
        return Token("round", word, glued[2])
    return _letters(word)


def _letters(word: str) -> Token:
    bare = word.strip(AROUND)
    if bare in titles():
        return Token("title", bare, bare)
    if (known := _in_vocabulary(word)) is not None:
        return known
    if len(bare) == 1 and bare.islower() and (meaning := words("sentences").meaning(bare)) is not None:
        return Token(SENTENCE_KINDS[meaning], word, meaning)  # a capital V may be an initial
    if len(bare) == len("GER") and bare.isascii() and bare.isalpha() and bare.isupper():
        return Token("federation", bare, bare)
    return Token("word", word) if any(letter.isalpha() for letter in bare) else Token("other", word)


def _figure(word: str, raw: Sequence[str], place: int, before: Sequence[Token]) -> Token | list[Token]:
    """The token for a number or a mark: `1950`, `1643P12`, `½`, `1-0`, `1.`, `1899-0`."""
    small = compact(word)
    if small in SIDES:
        return Token("sides", small)
    if both := RATING_AND_MARK.fullmatch(word):
        rating, mark = both[1] or both[3], both[2] or both[4]
        return [Token("rating", rating, rating), Token("mark", mark, MARKS[compact(mark)])]
    if not before and (counted := COUNTED.fullmatch(word)) and len(raw) > 1:
        return Token("round", word, counted[1])
    if small.rstrip(":") in MARKS:
        return Token("mark", word, MARKS[small.rstrip(":")])
    if (titled := TITLED_RATING.fullmatch(word)) and titled[2].upper() in titles():
        return [Token("title", titled[2].upper(), titled[2].upper()), Token("rating", titled[1], titled[1])]
    if _is_money(raw, place) or (before and fold(before[-1].text.strip(AROUND)) in months()):
        return Token("other", word)
    number = unmarked(word.strip(AROUND.replace("?", "")))
    if number.isascii() and number.isdecimal() and len(number) <= len(str(HIGHEST_RATING)):
        is_rating = LOWEST_PASTED <= int(number) <= HIGHEST_RATING
        return Token("rating" if is_rating else "number", word, number)
    return Token("other", word)


def _is_money(raw: Sequence[str], place: int) -> bool:
    around = (*raw[max(place - 1, 0) : place + 2],)
    return any(sign in text for text in around for sign in MONEY)
