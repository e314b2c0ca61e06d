"""The words and figures of a line, each with what its characters show: a rating, a score, a title, a word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category

from arpad.core import HIGHEST_RATING
from arpad.reading.pasted import LOWEST_PASTED
from arpad.reading.players import unmarked
from arpad.reading.results import MARKS, RESULTS, SIDES, compact
from arpad.reading.text import MANY_WORDS, fold, plain
from arpad.reading.vocabulary import months, titles, words

WORD = re.compile(r"[,;()\[\]{}|\t]|[^\s,;()\[\]{}|]+")
DECIMAL_COMMA = re.compile(r"(?<![\w.,])([0-9]{1,2}),([0-9]{1,2})(?![\w,])")
SMILEY = re.compile(r"(?<!\S)[:;8x=]-?[)(DPp]+(?!\S)")
ROUND = re.compile(r"([^\W\d_]{1,7})\.?([0-9]{1,2})[.:)]?")
COUNTED = re.compile(r"([0-9]{1,2})[.:)]")
RATING_AND_MARK = re.compile(r"([0-9]{3,4})[-–=:]([01½]|1/2|0[.,]5|=)|([0-9]{3,4})(=)")
TITLED_RATING = re.compile(r"([0-9]{3,4})([A-Za-z]{2,3})")
TIMES = re.compile(r"[x×*]([0-9]{1,2})|([0-9]{1,2})[x×]", re.IGNORECASE)  # games: x2, 3x
MONEY = "€$£%"
LETTERS = frozenset("wdlbsnc")
DASHES = ("-", "–", "—", "−")
QUOTES = "\"'“”„«»¡"
ENDS = ".:!…"  # of a sentence or a part of it


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a figure, and what its characters show it to be; or what it does in a row or a sentence."""

    kind: str
    text: str
    meaning: str = ""
    form: str = ""  # of a word in a sentence
    first: bool = False  # of a sentence


def tokens_of(line: str) -> list[Token]:
    """The tokens of a line; a score of three words such as `1 - 0` is one token, smileys are none."""
    text = SMILEY.sub(" ", DECIMAL_COMMA.sub(r"\1.\2", plain(line)))
    if not text.isascii():
        text = "".join(sign for sign in text if category(sign) not in ("So", "Sk") and sign != "\ufe0f")
    raw = WORD.findall(text)
    found: list[Token] = []
    place = 0
    while place < len(raw):
        if not raw[place][0].isalpha():
            joined = compact("".join(raw[place : place + 3]))
            if len(raw) >= place + 3 and joined in SIDES:
                found.append(Token("sides", joined))
                place += 3
                continue
            pair = compact("".join(raw[place : place + 2]))
            if len(raw) >= place + 2 and pair in ("-1k", "-0k", "+1k"):
                found.append(Token("mark", pair, MARKS[pair]))
                place += 2
                continue
        found += [token for token in _tokens_in(raw[place], raw, place, found) if token.text]
        place += 1
    return found


def _tokens_in(word: str, raw: Sequence[str], place: int, before: Sequence[Token]) -> list[Token]:
    """The tokens of one word: a figure, or a word and the punctuation behind it."""
    if word in ",;\t|":
        return [Token("break", word)]
    if word in "([{":
        return [Token("open", word)]
    if word in ")]}":
        return [Token("close", word)]
    if times := TIMES.fullmatch(word):
        return [Token("twice" if "2" in (times[1], times[2]) else "several", word)]
    if word in DASHES and place + 1 < len(raw) and not (before and before[-1].kind == "break"):
        return [Token("dash", word)]
    if word[0].isdecimal() or word[0] in "½+-–—−=*?.<>":
        return _figure(word, raw, place, before)
    asked = "¿" in word or "?" in word
    bare = word.strip(QUOTES + "¿").rstrip("?!" + QUOTES)
    shown = bare.rstrip(ENDS)
    if bare != shown and (_has_dot(bare) or _is_an_initial(bare, raw[place + 1 :])):
        shown = bare
    ended = [Token("break", ".")] if shown != bare or word.rstrip(QUOTES)[-1:] == "!" else []
    return [*([_letters(shown)] if shown else []), *([Token("question", "?")] if asked else []), *ended]


@lru_cache(maxsize=MANY_WORDS)
def _has_dot(word: str) -> bool:
    """Whether a dot belongs to the word: `vs.`, `Rd.`, `unr.`."""
    return any(words(subject).meaning(fold(word)) is not None for subject in ("sentences", "results"))


def _is_an_initial(word: str, behind: Sequence[str]) -> bool:
    """Whether this is the letter of a forename: the J. of `J. Okafor`."""
    return len(word) == len("J.") and word[0].isupper() and bool(behind) and behind[0][0].isupper()


def _figure(word: str, raw: Sequence[str], place: int, before: Sequence[Token]) -> list[Token]:
    """The tokens of a number or a mark: `1950`, `1643P12`, `½`, `1-0`, `1.`, `1899-0`."""
    small = compact(word)
    if small in SIDES:
        return [Token("sides", small)]
    if both := RATING_AND_MARK.fullmatch(word):
        rating, mark = both[1] or both[3], both[2] or both[4]
        return [Token("rating", rating, rating), Token("mark", mark, MARKS[compact(mark)])]
    begins = not before or before[-1].kind == "break"
    if begins and (counted := COUNTED.fullmatch(word)) and place + 1 < len(raw):
        return [Token("round", word, counted[1])]
    if small.rstrip(":") in MARKS:
        return [Token("mark", word.rstrip(":"), MARKS[small.rstrip(":")])]
    if (titled := TITLED_RATING.fullmatch(word)) and titled[2].upper() in titles():
        return [Token("title", titled[2].upper(), titled[2].upper()), Token("rating", titled[1], titled[1])]
    beside = raw[max(place - 1, 0) : place + 2]
    is_money = any(sign in text for text in beside for sign in MONEY)
    is_money = is_money or any(words("cells").phrase(fold(text.rstrip(ENDS))) == "money" for text in beside)
    if is_money or (before and _is_a_month(before[-1].text)):
        return [Token("other", word)]
    shown = word.rstrip(ENDS + QUOTES)
    ordinal = word[-1] == "." and len(shown) < len("100") and place + 1 < len(raw)  # `im 31. Zug`
    ended = [Token("break", word[-1])] if shown != word and not ordinal else []
    number = unmarked(shown)
    if number.isascii() and number.isdecimal() and len(number) <= len(str(HIGHEST_RATING)):
        is_rating = LOWEST_PASTED <= int(number) <= HIGHEST_RATING
        asked = [Token("question", "?")] if shown.endswith("?") else []
        return [Token("rating" if is_rating else "number", shown, number), *asked, *ended]
    return [Token("other", shown), *ended]


def _is_a_month(word: str) -> bool:
    return fold(word) in months() and words("sentences").meaning(fold(word)) is None


@lru_cache(maxsize=MANY_WORDS)
def _letters(word: str) -> Token:
    """The token of a word of letters: `FM` is a title, `GER` a federation, `R3` a round, `w` a letter."""
    if word in titles():
        return Token("title", word, word)
    if len(word) == 1 and word.lower() in LETTERS:
        return Token("letter", word, word.lower())
    if (glued := ROUND.fullmatch(word)) and words("sentences").meaning(fold(glued[1])) == "round":
        return Token("round", word, glued[2])
    is_code = len(word) == len("GER") and word.isascii() and word.isalpha() and word.isupper()
    if is_code and word.lower() not in RESULTS:
        return Token("federation", word, word)
    return Token("word" if any(letter.isalpha() for letter in word) else "other", word)
