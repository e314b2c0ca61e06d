"""The words of a time control: a text becomes quantities of time, counts of moves, what they are for, and separators.

`90 min/40 moves + 30 s per move` is a time, a count of moves, a plus, a time, `per move`. Every word is of the kinds
that the tables of vocabulary/times.toml call it, a number of those in FIGURES. The grammar is written in patterns of
such kinds: `link* each? move` is `per move`, `a move`, `pro Zug`, `for each move`. A word or a number without a place
makes the whole text unclear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from arpad.core import Rating
from arpad.reading.text import fold
from arpad.reading.vocabulary import entries

MARKS = str.maketrans(dict.fromkeys("″”“„«»", '"') | dict.fromkeys("′’‘´`", "'") | dict.fromkeys("–—−‐‑", "-"))
UNIT_MARKS = ("'", '"', "''")
FRACTIONS = {"½": "5", "¼": "25", "¾": "75"}
FRACTION = re.compile(r"(?<![0-9])([0-9]{0,3}) ?([½¼¾])|(?<![0-9])([0-9]{1,3}) 1/2(?= ?[^\W\d_])")
LETTER = r"(?:[^\W\d_]|[\u0900-\u0963\u0970-\u0d7f\u0e00-\u0e7f])"  # some scripts write vowels as marks
RAW = re.compile(rf"\d+(?::\d{{2}}){{1,2}}(?!\d)|\d+[.,]\d+|\d+|{LETTER}+|''|\S")
UNSPACED = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")  # scripts without spaces between words
LONGEST_PHRASE = 5  # words
LONGEST_ABBREVIATION = 4  # letters; a full stop behind a longer word ends a sentence
SHORTEST_MISSPELT = 6  # letters
MISSPELT = {"hour", "minute", "second", "move", "increment"}
# What a number in figures may be, by how it is written. Without a unit, 1:30 is hours and minutes, but 15:10 and 1.30
# may be anything; before an hour, 1.30 is hours and minutes, 1,25 one and a quarter, but 1,30 and 1.25 may be either.
# Nobody means a number of more than nine digits; without a longest one, a pattern takes long over a page of digits.
FIGURES = {
    "figure": re.compile(r"\d{1,9}(?:[.,]\d{1,9})?"),
    "clock": re.compile(r"\d{1,9}(?::\d{1,9}){1,9}"),
    "count": re.compile(r"\d{1,9}(?:[.,]0{1,9})?"),
    "bare": re.compile(r"\d{1,9}(?:[.,](?:\d|25|50|75))?|0{0,9}[12]:\d{1,9}|\d{1,9}:\d{1,9}:\d{1,9}"),
    "minutes": re.compile(r"[0-5]\d"),
    "one": re.compile(r"0{0,9}1(?:[.,]0{1,9})?"),
    "two": re.compile(r"2"),
    "hours": re.compile(r"\d{1,9}(?:[.,]\d|,(?:25|50|75))?"),
    "hours-and-minutes": re.compile(r"\d{1,9}(?:\.(?!25|50|75)[0-5]\d|(?::\d{1,9}){1,9})"),
}
HOUR, MINUTE = 3600, 60  # seconds
SEPARATORS = ("plus", "with", "then", "and", "or", "comma", "slash")
PURPOSES = (
    "rest", "finish", "whole", "player", "game", "per-move", "increment", "added", "delay", "fischer", "bronstein",
    "next", "no-increment", "each",
)  # fmt: skip
SILENT = ("link", "empty")  # words that may stand anywhere
AROUND = "link|each|empty|rest|finish|whole|from|first|next|after|done|start|label"  # words around moves and the game
ITEM = re.compile(r" *(?:([a-z]+):)?([a-z-]+(?:\|[a-z-]+)*)([*?]?) *| +")  # of a pattern: `name:kind|kind*`


class NoPlace(Exception):  # never leaves the reading of time controls
    """A word, number or sign that has no place in a time control; its text."""


@dataclass(frozen=True, slots=True)
class TimePart:
    """A part of a time control: a time or a count with its number, what it is for, or a separator."""

    kind: str  # time, moves, after-move, from-move, moves-and-minutes, throughout, separator, remark, or a purpose
    number: Rating = 0  # seconds, or the figure alone if there is no unit; moves
    unit: str = ""  # of a time: hour, minute, second, clock, game-in or none; of a separator: its kind
    other: Rating = 0  # the second of two bare numbers: 40/90

    @property
    def is_soft(self) -> bool:
        """Whether it is a separator that needs no time behind it."""
        return self.kind == "separator" and self.unit not in ("plus", "then")


@dataclass(frozen=True, slots=True)
class TimeWord:
    """A word, a phrase, a number or a sign, with what it may be."""

    text: str
    kinds: frozenset[str] = frozenset()
    value: Rating = 0  # of a number
    as_hours: Rating = 0  # seconds of a number of hours: 1:30, 1.30, 1.5
    glued: bool = False  # no space before it


def words_of(text: str) -> list[TimeWord]:
    """The words, phrases, numbers and signs of a text, each with everything it may mean."""
    text = FRACTION.sub(lambda found: f"{found[1] or found[3] or 0}.{FRACTIONS.get(found[2], '5')}", text)
    raw = _without_marks(_raw(fold(text.translate(MARKS))))
    known = _vocabulary()
    words: list[TimeWord] = []
    while raw:
        first, glued = raw[0]
        phrases = [" ".join(word for word, _ in raw[:length]) for length in range(LONGEST_PHRASE, 1, -1)]
        phrase = next((phrase for phrase in phrases if phrase in known), first)
        word = _figure(first) if first[0].isdecimal() else known.get(phrase, TimeWord(phrase))
        words.append(replace(word, glued=glued))
        raw = raw[1 + phrase.count(" ") :]
    return words


def _raw(folded: str) -> list[tuple[str, bool]]:
    """The words, numbers and signs of a folded text, and whether each directly follows the one before it."""
    found: list[tuple[str, bool]] = []
    for match in RAW.finditer(folded):
        glued = match.start() > 0 and not folded[match.start() - 1].isspace()
        words = _unspaced().findall(match[0]) if UNSPACED.search(match[0]) else [match[0]]
        found += [(word, glued or place > 0) for place, word in enumerate(words)]
    return found


@cache
def _unspaced() -> re.Pattern[str]:
    """A word of a script without spaces, the longest known one first, or else a single character."""
    words = [fold(word) for subject in ("times", "numbers") for _, word in entries(subject)]
    return re.compile("|".join([*sorted(filter(UNSPACED.search, words), key=len, reverse=True), "."]))


def _without_marks(raw: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Words without what belongs to their spelling: full stops of abbreviations, hyphens, apostrophes, colons."""
    kept: list[tuple[str, bool]] = []
    for place, (sign, glued) in enumerate(raw):
        before = raw[place - 1][0] if place else ""
        after, glued_after = raw[place + 1] if place + 1 < len(raw) else ("", False)
        word_before, word_after = before[-1:].isalpha(), after[:1].isalpha()
        if sign == ".":
            abbreviation = word_before and (len(before) <= LONGEST_ABBREVIATION or (glued_after and word_after))
            spelling = abbreviation or not after or (before[-1:].isdecimal() and word_after)
        elif sign == "-":
            spelling = word_after and (word_before or (before[-1:].isdecimal() and glued))
            heading = not any(word[0].isdecimal() for word, _ in raw[:place])  # `Rapid - 15+10`
            spelling = spelling or (word_before and not glued and not glued_after and heading)
        elif sign in UNIT_MARKS:
            spelling = not before[-1:].isdecimal()
            if sign == "'" and len(before) == 1 and word_before and word_after and glued_after:
                kept.pop()  # d'increment
        else:
            spelling = sign == ":" and (word_before or before == ")")
        if not spelling:
            kept.append((sign, glued))
    return kept


@cache
def _vocabulary() -> Mapping[str, TimeWord]:
    """Every word and phrase with all its kinds: those of the vocabulary, numbers as words, and words misspelt."""
    kinds: dict[str, set[str]] = {}
    for kind, word in entries("times"):
        kinds.setdefault(_spelled(word), set()).add(kind)
    known: dict[str, TimeWord] = {}
    for word, found in (_misspellings(kinds) | kinds).items():
        seconds = next((int(kind) for kind in found if kind.isdecimal()), 0)
        known[word] = TimeWord(word, frozenset({"duration", *found} if seconds else found), seconds)
    for number, word in entries("numbers"):
        value, spelled = _whole(Decimal(number)), _spelled(word)
        kinds_too = known[spelled].kinds if spelled in known else frozenset()
        counts = isinstance(value, int) and kinds_too.isdisjoint(SILENT)  # `a` and `to` count only units of time
        kinds_too |= {"spelt", *(["count"] if counts else []), *(["one"] if value == 1 else [])}
        known[spelled] = TimeWord(spelled, kinds_too, value, _whole(value * HOUR))
    return known


def _misspellings(words: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The longer words for units, moves and increments with one letter missing, or two letters swapped."""
    found: dict[str, set[str]] = {}
    for word, kinds in words.items():
        if len(word) >= SHORTEST_MISSPELT and word.isalpha() and kinds <= MISSPELT:
            for place in range(1, len(word) - 1):
                before, letter, after = word[:place], word[place], word[place + 1 :]
                swapped = [before + after[0] + letter + after[1:]] if len(after) > 1 else []
                for wrong in (before + after, *swapped):
                    found.setdefault(wrong, set()).add(min(kinds))
    return {wrong: kinds for wrong, kinds in found.items() if len(kinds) == 1}


def _spelled(word: str) -> str:
    """A word or sign of the vocabulary, spelled as `words_of` spells it."""
    return " ".join(part for part, _ in _without_marks(_raw(fold(word.translate(MARKS))))) or word


def _figure(text: str) -> TimeWord:
    """A number in figures, with what it may be."""
    kinds = frozenset(kind for kind, spelling in FIGURES.items() if spelling.fullmatch(text))
    value = _whole(Decimal(text.replace(",", "."))) if "figure" in kinds else 0
    as_hours = _whole(value * HOUR)
    if "hours-and-minutes" in kinds:
        parts = map(int, re.split("[:.]", text))
        as_hours = sum(part * unit for part, unit in zip(parts, (HOUR, MINUTE, 1), strict=False))
    return TimeWord(text, kinds, value, as_hours)


def _whole(value: Rating) -> Rating:
    return int(value) if value == int(value) else value


def parts_of(words: Sequence[TimeWord]) -> list[TimePart]:
    """The parts of a time control, in order; raises NoPlace for a word or number that is none and belongs to none."""
    parts: list[TimePart] = []
    read = _Reader(words)
    while read.at < len(read.lines):
        start = read.at
        for rule in RULES:
            found = rule(read)
            if found is not None:
                parts += found
                break
            read.at = start
        else:
            raise NoPlace(read.word.text)
    return parts


class _Reader:
    """Words as lines of their kinds, and the place up to which they are read."""

    def __init__(self, words: Sequence[TimeWord]) -> None:
        self.words = words
        self.lines = "".join(
            f" any {' '.join(word.kinds)}{' glued' * word.glued}{' letter' * (len(word.text) == 1)} \n"
            for word in words
        )
        self.at = 0

    def take(self, *patterns: str) -> re.Match[str] | None:
        """Go past the words that one of these patterns describes, the first that does."""
        for pattern in patterns:
            found = _compiled(pattern).match(self.lines, self.at)
            if found:
                self.at = found.end()
                return found
        return None

    def take_all(self, kinds: str) -> set[str]:
        """Go past every word of one of these kinds; which of them there were."""
        found = self.take(f"words:{kinds}*")
        return set(found["words"].split()) & set(kinds.split("|")) if found else set()

    @property
    def word(self) -> TimeWord:
        """The next word."""
        return self.words[self.lines.count("\n", 0, self.at)]

    def number(self, found: re.Match[str]) -> TimeWord:
        """The word that a pattern calls `n`."""
        return self.words[self.lines.count("\n", 0, found.start("n"))]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of kinds as a regular expression for lines of kinds; `link*` takes every word that fits."""

    def item(found: re.Match[str]) -> str:
        name, kinds, times = found.groups()
        lines = rf"(?:.* (?:{kinds}) .*\n){times and times + '+'}" if kinds else ""
        return f"(?P<{name}>{lines})" if name else lines

    return re.compile(ITEM.sub(item, pattern))


def _no_increment(read: _Reader) -> list[TimePart] | None:
    """`no increment`, `without any delay`; in some languages the other way round."""
    found = read.take(
        "(without (link|empty|added* increment|delay|fischer|bronstein | link|empty* added link|empty|added*)"
        " | increment|delay without)"
    )
    return [TimePart("no-increment")] if found else None


def _time(read: _Reader) -> list[TimePart] | None:
    """`90 min`, `1h30`, `an hour and a half`, `2 x 10 min`, `30 further minutes`, `90 min (1.5 hours)`, `90'/40`."""
    read.take("two times")  # two players
    time = _duration(read)
    if time is None:
        return None
    end = read.at
    if read.take("same"):  # in another unit
        again = _duration(read)
        read.take("close")
        if again is None or again[0].number != time[0].number:
            read.at = end
    if moves := read.take("slash|times (?=figure) n:count (?!hour|minute|second|move)"):  # 90'/40 and 100'x40
        time.append(TimePart("moves", read.number(moves).value))
    return time


NUMBER = "(?!spelt next|increment* letter) n:figure|spelt between:next|increment*"  # of units; `a s` is not one second
HOURS = NUMBER.replace("figure", "hours|hours-and-minutes")


def _duration(read: _Reader) -> list[TimePart] | None:
    """A time in hours, minutes and seconds, and words inside it: `30 further minutes`; None if there is none."""
    if not read.take("(?=figure|clock|spelt|duration|empty|half|quarter)"):
        return None
    in_figures = read.take("(?=figure|clock)")
    unit, words = "hour", ""
    if found := read.take("(?!label figure|clock) n:duration"):  # `час 15 хв`: the Ukrainian word for time
        seconds = read.number(found).value
        unit = "hour" if seconds == HOUR else "minute"
    elif found := read.take("empty? part:half|quarter empty|link* hour"):
        seconds, unit = HOUR // 2 if "half" in found["part"].split() else HOUR // 4, "minute"
    elif found := read.take(HOURS + " hour"):
        seconds, words = read.number(found).as_hours, found["between"]
    elif found := read.take(NUMBER + " unit:minute|second"):
        unit, words = "minute" if "minute" in found["unit"].split() else "second", found["between"]
        seconds = _whole(read.number(found).value * (MINUTE if unit == "minute" else 1))
    else:
        return None
    if unit == "hour":
        found = read.take(f"and? {NUMBER} minute", *(["n:minutes"] if in_figures else []))
        half = not found and read.take("and? empty|link* half")
        minutes = _whole(read.number(found).value * MINUTE) if found else HOUR // 2 if half else 0
        seconds, unit = seconds + minutes, "minute" if minutes else "hour"
    if unit == "minute" and (found := read.take(NUMBER + " second")):
        seconds, unit = seconds + read.number(found).value, "second"
    inside = sorted({"next", "increment"} & set(words.split()))
    return [TimePart("time", seconds, unit), *map(TimePart, inside)]


MOVE_NUMBERS = (
    "move number-sign? n:count (?!hour|minute|second|slash|colon)",  # but: per move 30 s
    "n:count ((?=glued) ordinal)?+ first|next* move|first-move",
    "n:one move",
)
FROM_ONE = "(?=count) n:one ((?=glued) ordinal)?+ (?!first|next)"  # `from 1`


def _moves(read: _Reader) -> list[TimePart] | None:
    """`40 moves`, `the first 40 moves`, `after move 40`, `from the 1st move`, `from move no. 1`, `1 move`."""
    around = read.take_all(AROUND)
    found = read.take(*MOVE_NUMBERS, *([FROM_ONE] if "from" in around else []))
    if not found:
        return None
    number = read.number(found).value
    around |= read.take_all("after|from|each|done" if number == 1 else "after|from")
    if number == 1:
        return [TimePart("throughout" if "from" in around else "per-move")]
    if "each" in around and around.isdisjoint({"link", "first", "next"}):
        return None  # for every ten moves
    if "from" in around:
        return [TimePart("from-move", number)]
    if "after" in around and "link" not in around:
        return [TimePart("after-move", number)]
    return [TimePart("moves", number, "after" if "after" in around else "")]  # Dutch `na` is after, Polish `na` is for


def _two_numbers(read: _Reader) -> list[TimePart] | None:
    """`35/100 mins`, moves and a time; `40/90`, of which it is not yet known which is which."""
    found = read.take("(?=figure) n:count slash")
    if not found:
        return None
    first = read.number(found).value
    if time := _duration(read):
        return [TimePart("moves", first), *time]
    second = read.take("(?=figure) n:count (?!slash)")
    return [TimePart("moves-and-minutes", first, other=read.number(second).value)] if second else None


US_NOTATION = {
    "(?!letter) game-in slash|link? n:figure": "game-in",
    "(?=letter) game-in (slash | (?=glued)) n:figure": "game-in",
    "(?!letter) delay slash? n:figure": "delay",
    "(?=letter) delay|delay-mark (slash | (?=glued)) n:figure second?": "delay",
    "(?!letter) increment slash? n:figure": "increment",
    "(?=letter) increment|increment-mark (slash | (?=glued)) n:figure second?": "increment",
}


def _us_notation(read: _Reader) -> list[TimePart] | None:
    """`G/60`, `SD/30`, `game in 60`; `d5`, `d/5`, `inc30`."""
    if not read.take("(?=game-in|delay|delay-mark|increment|increment-mark)"):
        return None
    for pattern, kind in US_NOTATION.items():
        if found := read.take(pattern + "(?!hour|minute|second|slash)"):
            number = read.number(found).value
            return [TimePart("time", number, kind)] if kind == "game-in" else [TimePart("time", number), TimePart(kind)]
    return None


def _purpose(read: _Reader) -> list[TimePart] | None:
    """`per move`, `for the rest of the game`, `all moves`, `each player`, `from the start`, `KO`."""
    around = read.take_all(AROUND + "|slash")
    purposes: list[str] = []
    if read.take("first-move"):
        purposes = ["throughout"] if read.take("from") or "from" in around else []
    elif read.take("move done*"):
        purposes = _purpose_of_moves(around or read.take_all("each|after"))
    elif "from" in around and around & {"first", "start"}:
        read.take("game")
        purposes = ["throughout"]
    elif not around & {"first", "next"} and (found := read.take("who:game|player")):
        purposes = [kind for kind in ("rest", "finish", "whole") if kind in around]
        purposes = ["player", *purposes] if "player" in found["who"].split() else purposes[:1] or ["game"]
    return [TimePart(purpose) for purpose in purposes] or None


def _purpose_of_moves(around: set[str]) -> list[str]:
    """What the words before `moves` make of it; nothing if they make no sense."""
    if "rest" in around or ("next" in around and "each" not in around):
        return ["rest"]
    if "first" in around:
        return ["throughout"] if "from" in around else []
    if "whole" in around:
        return ["whole"]
    return ["per-move"] if around & {"link", "each", "slash", "after", "done"} else []


def _word(read: _Reader) -> list[TimePart] | None:
    """A bare number, a separator, a word that says what a time is for, a remark, or a word that says nothing here."""
    word = read.word
    read.take("any")
    if "bare" in word.kinds:
        return [TimePart("time", word.as_hours, "clock") if "clock" in word.kinds else TimePart("time", word.value)]
    silent = not word.kinds.isdisjoint(SILENT)
    separator = next((kind for kind in SEPARATORS if kind in word.kinds), "")
    if separator and not (silent and separator in ("or", "with")):  # `of` is English, and Dutch for or
        return [TimePart("separator", unit=separator)]
    purpose = next((kind for kind in PURPOSES if kind in word.kinds), "")
    if purpose:
        return [TimePart("player" if purpose == "each" else purpose)]
    return [TimePart("remark")] if word.kinds & {"label", "class"} else [] if silent else None


RULES = (_no_increment, _time, _moves, _two_numbers, _us_notation, _purpose, _word)
