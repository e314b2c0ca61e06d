"""Games as people paste them: one a line, from a message, a crosstable or a results page."""

from __future__ import annotations

import re
from typing import NamedTuple

from arpad.core import HIGHEST_RATING, MOST_GAMES
from arpad.errors import BadInput
from arpad.reading.notation import parse_game
from arpad.reading.results import ALLOWED, BYE, FORFEITS, RESULTS, rejoined, score_of

LOWEST_PASTED = 100  # a smaller number in a line is a round, a board or a starting number
UNRATED = ("unrated", "unr", "unr.")
TITLES = ("gm", "im", "fm", "cm", "wgm", "wim", "wfm", "wcm", "agm", "aim", "afm", "acm")
WHOLE_WORDS = ("win", "draw", "loss", "½")
BLACK = ("b", "s", "black")
A_NAME = "Won"  # with a capital letter; small it is a result
BETWEEN = ("vs", "vs.", "v", "against", "to")  # between a result and an opponent; a capital V may be an initial
ROUND_IT = "()[],:"  # what people put round a rating or a result
FORFEIT_SCORES = re.compile(r"(?<!\S)([+-])\s?[:/–—-]\s?([+-])(?!\S)")  # both players' signs, the own one first
COLOURS = ("w", "b", "s", "white", "black")
BREAKS = re.compile(r"[\t;|]|(?<=\S)\s+")


class Pasted(NamedTuple):
    """A game in the one notation, and the opponent's name where the line has one."""

    game: str
    name: str | None


def read_pasted(text: str, *, at: str = "paste") -> list[Pasted]:
    """Every line that is not empty as a game."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) > MOST_GAMES:
        raise BadInput(f"{len(lines)} lines are too many; at most {MOST_GAMES} are taken.", at=at)
    return [_line(line, f"{at}, line {number}") for number, line in lines]


def _line(line: str, at: str) -> Pasted:
    """A line: its rating is the number that can be one, its result the last word that can be one."""
    if len(line.split()) == 1 and _in_notation(line):
        return Pasted(line, None)
    words = _words(line)
    if [word.lower() for word in words] == [BYE]:
        return Pasted(BYE, None)
    ratings = _ratings(words)
    if not ratings:
        raise BadInput(f"'{_short(line)}' has no rating; write for example `1950 win`, or `unrated win`.", at=at)
    if len(ratings) > 1:
        raise BadInput(f"'{_short(line)}' has more than one number that could be the rating; leave only one.", at=at)
    place = ratings[0]
    result = _last_result(words, place)
    if result is None:
        raise BadInput(f"'{_short(line)}' has no result; a result is {ALLOWED}.", at=at)
    if result in ("1-0", "0-1") and any(word.lower() in BLACK for word in words):
        raise BadInput(f"'{result}' with Black may be your score or White's; write win or loss.", at=at)
    rating = "unrated" if words[place].lower() in UNRATED else words[place]
    return Pasted(f"{rating}:{result}", _name(words, place))


def _words(line: str) -> list[str]:
    """The words of a line, without what stands round them; of `- : +`, a forfeit, the own sign is left."""
    whole = FORFEIT_SCORES.sub(r"\1", rejoined(line)).replace(":", " ")
    return [word for part in BREAKS.split(whole) if (word := part.strip(ROUND_IT))]


def _in_notation(line: str) -> bool:
    """Whether a line is a game in the one notation, against somebody with a rating that may be pasted."""
    try:
        opponent = parse_game(line).opponent
    except BadInput:
        return False
    return LOWEST_PASTED <= (opponent.rating or HIGHEST_RATING) <= HIGHEST_RATING


def _ratings(words: list[str]) -> list[int]:
    """The places of the numbers that could be a rating; one with four figures goes before one with three."""
    numbers = [
        place
        for place, word in enumerate(words)
        if word.lower() in UNRATED
        or (_digits(word).isdecimal() and LOWEST_PASTED <= int(_digits(word)) <= HIGHEST_RATING)
    ]
    long = [place for place in numbers if len(_digits(words[place])) >= len("1000")]
    return long or numbers


def _digits(word: str) -> str:
    """A number without the letter of a standard rating that stands in, `2100s`; nothing if it is too long for one."""
    digits = word[:-1] if word[-1:].lower() == "s" else word
    return digits if len(digits) <= len(str(HIGHEST_RATING)) and digits.isascii() else ""


def _last_result(words: list[str], place: int) -> str | None:
    """The last result behind the rating; before it only a whole word counts, for a number there is a round or board."""
    before = [word for word in words[:place] if word.lower() in WHOLE_WORDS]
    found = [result for word in (*before, *words[place + 1 :]) if (result := _result(word))]
    if not found and place + 1 < len(words) and words[-1][0].isdigit() and score_of(words[-1]) is not None:
        return words[-1].replace(",", ".")  # 1.0 within a line is the opponent's points, at its end the result
    return found[-1] if found else None


def _result(word: str) -> str | None:
    """A result in the one notation, from whatever way it was written."""
    small = word.lower().replace(",", ".")
    if small in FORFEITS:
        return "+" if FORFEITS[small] else "-"
    return small if small in RESULTS and word != A_NAME else None


def _name(words: list[str], place: int) -> str | None:
    """The longest row of words before or behind the rating that look like a name."""
    from itertools import groupby

    numbered = groupby(enumerate(words), key=lambda one: one[0] != place and _of_a_name(one[1]))
    rows: list[list[str]] = [[word for _, word in row] for of_a_name, row in numbered if of_a_name]
    longest: list[str] = max(rows, key=len, default=[])
    return " ".join(longest) or None


def _of_a_name(word: str) -> bool:
    lower = word.lower()
    return (
        word[0].isalpha()
        and lower not in TITLES
        and lower not in COLOURS
        and word not in BETWEEN
        and _result(word) is None
        and not (len(word) == len("NOR") and word.isupper())
    )


def _short(line: str) -> str:
    return line if len(line) <= 60 else f"{line[:57]}…"
