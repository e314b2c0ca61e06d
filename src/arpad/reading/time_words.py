"""The words of a time control: a text becomes quantities of time, counts of moves, what they are for, and separators.

`90 min/40 moves + 30 s per move` is a time, a count of moves, a plus, a time, `per move`. The vocabulary is in
vocabulary/times.toml and numbers.toml. A word or a number without a place makes the whole text unclear.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from arpad.core import Rating
from arpad.reading.text import fold
from arpad.reading.vocabulary import entries

MARKS = str.maketrans(dict.fromkeys("″”“„«»", '"') | dict.fromkeys("′’‘´`", "'") | dict.fromkeys("–—−‐‑", "-"))
FRACTIONS = {"½": "5", "¼": "25", "¾": "75"}
FRACTION = re.compile(r"(?<![0-9])([0-9]{0,3}) ?([½¼¾])|(?<![0-9])([0-9]{1,3}) 1/2(?= ?[^\W\d_])")
LETTER = r"(?:[^\W\d_]|[\u0900-\u0963\u0970-\u0d7f\u0e00-\u0e7f])"  # some scripts write vowels as marks
RAW = re.compile(rf"[0-9]+(?::[0-9]{{2}}){{1,2}}(?![0-9])|[0-9]+[.,][0-9]+|[0-9]+|{LETTER}+|''|\S")
UNSPACED = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")  # scripts without spaces between words
LONGEST_PHRASE = 5  # words
LONGEST_ABBREVIATION = 4  # letters; a full stop behind a longer word ends a sentence
SHORTEST_MISSPELT = 6  # letters
MISSPELT = frozenset({"hour", "minute", "second", "move", "increment"})
UNITS: Mapping[str, int] = {"hour": 3600, "minute": 60, "second": 1}
UNIT_MARKS = {"'": "minute", '"': "second", "''": "second"}
NAMED: Mapping[str, int] = {
    "hour-and-a-half": 5400, "one-hour": 3600, "three-quarter-hour": 2700, "half-hour": 1800, "quarter-hour": 900,
    "one-minute": 60,
}  # fmt: skip
OF_AN_HOUR: Mapping[str, int] = {"half": 1800, "quarter": 900}
MOST_CLOCK_HOURS = 2  # `1:30` without a unit is hours and minutes; `15:10` may be anything
QUARTERS = ("25", "50", "75")  # `1,25` hours are one and a quarter
SIGNS = {**dict.fromkeys("+|", "+"), **dict.fromkeys(",;.•·、。()", ","), "&": "and", "/": "/"}
SEPARATORS = {"plus": "+", "with": "with", "then": "then", "and": "and", "or": "or"}
TIMES_SIGNS = ("x", "×", "*", "х")  # the last one is Cyrillic
REMARKS = ("label", "class")
SILENT = ("link", "empty")  # words that may stand anywhere
QUALIFIERS = (
    "link", "each", "empty", "rest", "finish", "whole", "from", "first", "next", "after", "done", "start", "label",
)  # fmt: skip
PURPOSES = (
    "rest", "finish", "whole", "player", "game", "per-move", "increment", "added", "delay", "fischer", "bronstein",
    "next", "no-increment",
)  # fmt: skip


class NoPlace(Exception):  # never leaves the reading of time controls
    """A word, number or sign that has no place in a time control."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True, slots=True)
class TimePart:
    """A part of a time control: a time or a count with its number, what it is for, or a separator."""

    kind: str  # time, moves, after-move, from-move, moves-and-minutes, throughout,
    # separator, remark, or one of PURPOSES
    number: Rating = 0  # seconds, or the figure alone if there is no unit; moves
    unit: str = ""  # of a time: minute, second, clock, game-in or none; of a separator: + , / and or then with
    other: Rating = 0  # the second of two bare numbers: 40/90


@dataclass(frozen=True, slots=True)
class TimeWord:
    """A word, a phrase, a number or a sign, with what it may mean."""

    text: str
    meanings: frozenset[str] = frozenset()
    value: Rating | None = None
    glued: bool = False  # no space before it

    @property
    def is_figure(self) -> bool:
        return self.text[0].isdecimal()


def tokens_of(text: str) -> list[TimeWord]:
    """The words, phrases, numbers and signs of a text, each with every meaning it may have."""
    text = FRACTION.sub(lambda found: f"{found[1] or found[3] or 0}.{FRACTIONS.get(found[2], '5')}", text)
    raw = _without_marks(_raw(fold(text.translate(MARKS))))
    vocabulary, numbers = _phrases(), _numbers()
    tokens: list[TimeWord] = []
    place = 0
    while place < len(raw):
        word, glued = raw[place]
        if word[0].isdecimal():
            tokens.append(TimeWord(word, value=_figure(word), glued=glued))
            place += 1
            continue
        for length in range(min(LONGEST_PHRASE, len(raw) - place), 0, -1):
            phrase = " ".join(word for word, _ in raw[place : place + length])
            if phrase in vocabulary or phrase in numbers or length == 1:
                meanings = vocabulary.get(phrase) or (_misspellings().get(phrase, frozenset()) if length == 1 else None)
                tokens.append(TimeWord(phrase, meanings or frozenset(), numbers.get(phrase), glued))
                place += length
                break
    return tokens


def _raw(folded: str) -> list[tuple[str, bool]]:
    """The words, numbers and signs of a folded text, and whether each directly follows the one before it."""
    found: list[tuple[str, bool]] = []
    for match in RAW.finditer(folded):
        glued = match.start() > 0 and not folded[match.start() - 1].isspace()
        words = _split_words(match[0]) if UNSPACED.search(match[0]) else [match[0]]
        found += [(word, glued or place > 0) for place, word in enumerate(words)]
    return found


def _split_words(run: str) -> list[str]:
    """The words of a script without spaces, the longest known one first."""
    known, longest = _unspaced_words()
    words: list[str] = []
    while run:
        length = next((n for n in range(min(longest, len(run)), 0, -1) if run[:n] in known), 1)
        words.append(run[:length])
        run = run[length:]
    return words


@cache
def _unspaced_words() -> tuple[frozenset[str], int]:
    """The words of scripts without spaces, and the length of the longest."""
    words = [fold(word) for subject in ("times", "numbers") for _, word in entries(subject)]
    known = frozenset(word for word in words if UNSPACED.search(word))
    return known, max(map(len, known))


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
def _phrases() -> Mapping[str, frozenset[str]]:
    """Every word and phrase of the vocabulary, spelled as `_raw` spells it, with all its meanings."""
    found: dict[str, set[str]] = {}
    for meaning, word in entries("times"):
        found.setdefault(_spelled(word), set()).add(meaning)
    return {phrase: frozenset(meanings) for phrase, meanings in found.items()}


@cache
def _numbers() -> Mapping[str, Rating]:
    """The numbers that are written as words."""
    return {_spelled(word): _whole(Decimal(number)) for number, word in entries("numbers")}


@cache
def _misspellings() -> Mapping[str, frozenset[str]]:
    """The longer words for units, moves and increments with one letter missing, or two letters swapped."""
    found: dict[str, set[str]] = {}
    for word, meanings in _phrases().items():
        if len(word) >= SHORTEST_MISSPELT and word.isalpha() and meanings <= MISSPELT:
            missing = [word[:place] + word[place + 1 :] for place in range(1, len(word) - 1)]
            swapped = [
                word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(1, len(word) - 2)
            ]
            for wrong in (*missing, *swapped):
                found.setdefault(wrong, set()).add(min(meanings))
    return {wrong: frozenset(meanings) for wrong, meanings in found.items() if len(meanings) == 1}


def _spelled(word: str) -> str:
    return " ".join(part for part, _ in _without_marks(_raw(fold(word.translate(MARKS)))))


def _figure(text: str) -> Rating | None:
    """The value of a number in figures; None if it has a colon, or two digits behind a point, and needs its unit."""
    return None if ":" in text else _whole(Decimal(text.replace(",", ".")))


def _whole(value: Decimal) -> Rating:
    return int(value) if value == int(value) else value


def parts_of(tokens: Sequence[TimeWord]) -> list[TimePart]:
    """The parts of a time control, in order; raises NoPlace for a word or number that is none and belongs to none."""
    parts: list[TimePart] = []
    place = 0
    while place < len(tokens):
        for rule in RULES:
            read = _Reader(tokens, place)
            found = rule(read)
            if found is not None:
                parts += found
                place = read.place
                break
        else:
            raise NoPlace(tokens[place].text)
    return parts


class _Reader:
    """A place in the tokens, which a rule moves on."""

    def __init__(self, tokens: Sequence[TimeWord], place: int) -> None:
        self.tokens = tokens
        self.place = place

    def peek(self, ahead: int = 0) -> TimeWord:
        """The token at the place, or an empty one behind the end."""
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else TimeWord(" ")

    def sees(self, *meanings: str, ahead: int = 0) -> bool:
        """Whether the token has one of these meanings, or is one of these signs."""
        token = self.peek(ahead)
        return (token.text in meanings and not token.text.isalpha()) or not token.meanings.isdisjoint(meanings)

    def take(self, *meanings: str) -> bool:
        """Go past a token with one of these meanings, or one of these signs."""
        found = self.sees(*meanings)
        self.place += found
        return found

    def take_all(self, *meanings: str) -> set[str]:
        """Go past every token with one of these meanings, or one of these signs; what they mean."""
        found: set[str] = set()
        while self.sees(*meanings):
            token = self.peek()
            found |= {meaning for meaning in meanings if meaning in token.meanings or meaning == token.text == "/"}
            self.place += 1
        return found


def _read_time(read: _Reader) -> list[TimePart] | None:
    """`90 min`, `1h30`, `an hour and a half`, `2 x 10 min`, `30 further minutes`, `90 min (1.5 hours)`, `90'/40`."""
    if read.peek().text == "2" and read.peek(1).text in TIMES_SIGNS:
        read.place += 2  # two players
    time = _duration(read)
    if time is None:
        return None
    close = read.place
    if read.take("(", "="):  # the same in another unit
        again = _duration(read)
        read.take(")")
        if again is None or again[0].number != time[0].number:
            read.place = close
    moves = read.peek(1).value
    joined = read.sees("/", *TIMES_SIGNS) and not read.sees(*UNITS, *UNIT_MARKS, "move", ahead=2)
    if joined and read.peek(1).is_figure and isinstance(moves, int):
        read.place += 2  # 90'/40 and 100'x40
        time.append(TimePart("moves", moves))
    return time


def _duration(read: _Reader) -> list[TimePart] | None:
    """A time in hours, minutes and seconds, and words inside it; None if there is none."""
    in_figures = read.peek().is_figure
    named = _named_time(read)
    first = (
        [TimePart("time", named, "hour" if named == UNITS["hour"] else "minute")] if named else _number_and_unit(read)
    )
    if first is None:
        return None
    words, seconds, unit = first[1:], first[0].number, first[0].unit
    if unit == "hour":
        minutes = _minutes_behind(read, in_figures=in_figures)
        seconds, unit = seconds + minutes, "minute" if minutes else unit
    behind = read.place
    if unit == "minute" and (more := _number_and_unit(read, "second")):
        seconds, unit = seconds + more[0].number, "second"
    else:
        read.place = behind
    return [TimePart("time", seconds, unit), *words]


def _named_time(read: _Reader) -> int:
    """`half an hour`, `Viertelstunde`, Polish `godzina` without a number, in seconds; 0 if there is none."""
    start = read.place
    label = read.sees("label") and read.peek(1).is_figure  # `час 15 хв`: the Ukrainian word for time
    if not label and read.sees(*NAMED):
        read.place += 1
        return next(seconds for meaning, seconds in NAMED.items() if meaning in read.peek(-1).meanings)
    if read.sees(*OF_AN_HOUR, ahead=1):
        read.take("empty")
    part = next((seconds for meaning, seconds in OF_AN_HOUR.items() if meaning in read.peek().meanings), 0)
    read.place += 1
    read.take_all("empty", "link")
    if part and read.take("hour"):
        return part
    read.place = start
    return 0


def _minutes_behind(read: _Reader, *, in_figures: bool) -> Rating:
    """The minutes of `1h30`, `1 hour and 45 minutes` and `an hour and a half`, in seconds; 0 if there are none."""
    start = read.place
    joined = read.take("and")
    if minutes := _number_and_unit(read, "minute"):
        return minutes[0].number
    bare = read.peek().text
    if in_figures and not joined and len(bare) == 2 and bare.isdecimal() and int(bare) < 60:
        read.place += 1
        return int(bare) * UNITS["minute"]
    read.take_all("empty", "link")
    if read.take("half"):
        return OF_AN_HOUR["half"]
    read.place = start
    return 0


def _number_and_unit(read: _Reader, *units: str) -> list[TimePart] | None:
    """A number with one of these units, or any, in seconds, and the words between them: `30 further minutes`."""
    start, token = read.place, read.peek()
    if token.value is not None or token.is_figure:
        read.place += 1
        between = read.take_all("next", "increment")
        mark = UNIT_MARKS.get(read.peek().text)
        unit = mark or next((unit for unit in units or UNITS if read.sees(unit)), "")
        long_enough = token.is_figure or len(read.peek().text) > 1  # `a s` is not one second
        seconds = _seconds(token, unit) if unit in (units or UNITS) and long_enough else None
        if seconds is not None:
            read.place += 1
            return [TimePart("time", seconds, unit), *(TimePart(word) for word in sorted(between))]
    read.place = start
    return None


def _seconds(token: TimeWord, unit: str) -> Rating | None:
    """A number of a unit in seconds; None if it may be two numbers, as `1,30 h`."""
    if ":" in token.text:
        return _clock_seconds(token.text) if unit == "hour" else None
    whole, _, rest = token.text.replace(",", ".").partition(".") if token.is_figure else ("", "", "")
    if unit == "hour" and len(rest) > 1:
        if "," in token.text:
            return _whole(Decimal(f"{whole}.{rest}") * UNITS["hour"]) if rest in QUARTERS else None
        hours_and_minutes = rest not in QUARTERS and len(rest) == 2 and int(rest) < 60
        return int(whole) * UNITS["hour"] + int(rest) * UNITS["minute"] if hours_and_minutes else None
    return None if token.value is None else _whole(Decimal(token.value) * UNITS[unit])


def _clock_seconds(text: str) -> int:
    """`1:30` and `0:25:00` in seconds."""
    hours, minutes, seconds = [*map(int, text.split(":")), 0][:3]
    return hours * UNITS["hour"] + minutes * UNITS["minute"] + seconds


def _read_moves(read: _Reader) -> list[TimePart] | None:
    """`40 moves`, `the first 40 moves`, `after move 40`, `from the 1st move`, `from move no. 1`, `1 move`."""
    around = read.take_all(*QUALIFIERS)
    number = _move_number(read, "from" in around)
    if not isinstance(number, int):
        return None
    around |= read.take_all("after", "from", "each", "done") if number == 1 else read.take_all("after", "from")
    if number == 1:
        return [TimePart("throughout" if "from" in around else "per-move")]
    if "each" in around and around.isdisjoint({"link", "first", "next"}):
        return None  # for every ten moves
    if "from" in around:
        return [TimePart("from-move", number)]
    if "after" not in around:
        return [TimePart("moves", number)]
    ambiguous = "link" in around  # Dutch `na` is after, Polish `na` is for
    return [TimePart("moves", number, "after") if ambiguous else TimePart("after-move", number)]


def _move_number(read: _Reader, from_one: bool) -> Rating | None:
    """The number of `40 moves`, `move 40`, `40th move` or `a move`; None if it is not a number of moves."""
    if read.sees("move") and (read.sees("number-sign", ahead=1) or _counts(read.peek(1))):
        read.place += 1
        read.take("number-sign")
        read.place += 1
        return None if read.sees(*UNITS, *UNIT_MARKS, "/", ":") else read.peek(-1).value  # but: per move 30 s
    if _counts(read.peek()):
        read.place += 1
        number = read.peek(-1).value
        if read.peek().glued:
            read.take("ordinal")
        behind = read.take_all("first", "next")
        named = read.take("move", "first-move") or (from_one and number == 1 and not behind)
        return number if named else None
    if read.peek().value == 1 and read.sees("move", ahead=1):
        read.place += 2
        return 1
    return None


def _counts(token: TimeWord) -> bool:
    """Whether a token is a number of moves; `a` and `to` are numbers only before a unit of time."""
    return token.value is not None and (token.is_figure or token.meanings.isdisjoint(SILENT))


def _read_purpose(read: _Reader) -> list[TimePart] | None:
    """`per move`, `for the rest of the game`, `all moves`, `each player`, `from the start`, `KO`."""
    found = read.take_all(*QUALIFIERS, "/")
    if read.take("first-move"):
        return [TimePart("throughout")] if read.take("from") or "from" in found else None
    if read.take("move"):
        read.take_all("done")
        purpose = _purpose_of_moves(found or read.take_all("each", "after"))
        return [TimePart(purpose)] if purpose else None
    if "from" in found and found & {"first", "start"}:
        read.take("game")
        return [TimePart("throughout")]
    if not found & {"first", "next"} and read.take("game", "player"):
        purposes = [kind for kind in ("rest", "finish", "whole") if kind in found]
        if "player" in read.peek(-1).meanings:
            return [TimePart("player"), *map(TimePart, purposes)]
        return [TimePart(purposes[0] if purposes else "game")]
    return None


def _purpose_of_moves(found: set[str]) -> str:
    """What the words before `moves` make of it; empty if they make nothing."""
    if "rest" in found or ("next" in found and "each" not in found):
        return "rest"
    if "first" in found:
        return "throughout" if "from" in found else ""
    if "whole" in found:
        return "whole"
    return "per-move" if found & {"link", "each", "/", "after", "done"} else ""


def _read_no_increment(read: _Reader) -> list[TimePart] | None:
    """`no increment`, `without any delay`; in some languages the other way round."""
    if read.take("without"):
        added = "added" in read.take_all("empty", "link", "added")
        return [TimePart("no-increment")] if read.take("increment", "delay", "fischer", "bronstein") or added else None
    return [TimePart("no-increment")] if read.take("increment", "delay") and read.take("without") else None


def _read_us_notation(read: _Reader) -> list[TimePart] | None:
    """`G/60`, `SD/30`, `game in 60`; `d5`, `d/5`, `inc30`."""
    first = read.peek()
    kinds = {"game-in": ("game-in",), "delay": ("delay", "delay-mark"), "increment": ("increment", "increment-mark")}
    kind = next((kind for kind, meanings in kinds.items() if read.take(*meanings)), "")
    if not kind:
        return None
    a_word = len(first.text) > 1
    marked = read.take("/") or (kind == "game-in" and a_word and read.take("link"))
    figure = read.peek()
    if not figure.is_figure or figure.value is None or not (marked or figure.glued or a_word):
        return None
    read.place += 1
    if kind != "game-in" and not a_word:
        read.take("second")
    if read.sees(*UNITS, *UNIT_MARKS, "/"):
        return None
    return (
        [TimePart("time", figure.value, kind)]
        if kind == "game-in"
        else [TimePart("time", figure.value), TimePart(kind)]
    )


def _read_two_numbers(read: _Reader) -> list[TimePart] | None:
    """`35/100 mins`, moves and a time; `40/90`, of which it is not yet known which is which."""
    first = read.peek()
    if not first.is_figure or not isinstance(first.value, int) or read.peek(1).text != "/":
        return None
    read.place += 2
    if (time := _duration(read)) is not None:
        return [TimePart("moves", first.value), *time]
    second = read.peek().value
    if not read.peek().is_figure or not isinstance(second, int) or read.sees("/", ahead=1):
        return None
    read.place += 1
    return [TimePart("moves-and-minutes", first.value, other=second)]


def _read_bare_number(read: _Reader) -> list[TimePart] | None:
    """`90`, and `1:30`, which is hours and minutes."""
    token = read.peek()
    read.place += 1
    if not token.is_figure:
        return None
    if ":" in token.text:
        is_clock = token.text.count(":") > 1 or 1 <= int(token.text.split(":")[0]) <= MOST_CLOCK_HOURS
        return [TimePart("time", _clock_seconds(token.text), "clock")] if is_clock else None
    _, _, decimals = token.text.replace(",", ".").partition(".")
    if len(decimals) > 1 and decimals not in QUARTERS:
        return None  # 1.30 may be hours and minutes
    return [TimePart("time", token.value or 0)]


def _read_word(read: _Reader) -> list[TimePart] | None:
    """A separator, a word that says what a time is for, a remark, or a word that says nothing here."""
    token = read.peek()
    read.place += 1
    kind = next((purpose for purpose in PURPOSES if purpose in token.meanings), "")
    kind = kind or ("player" if "each" in token.meanings else "")
    separator = SIGNS.get(token.text) or next((sign for word, sign in SEPARATORS.items() if word in token.meanings), "")
    silent = not token.meanings.isdisjoint(SILENT)  # `of` is English, and Dutch for or
    if separator and not (separator in ("or", "with") and (kind or silent)):
        return [TimePart("separator", unit=separator)]
    if kind:
        return [TimePart(kind)]
    if token.meanings & {"delay-mark", "increment-mark"} and read.peek().is_figure and read.peek().glued:
        return None
    if not token.meanings.isdisjoint(REMARKS):
        return [TimePart("remark")]
    return [] if silent else None


RULES = (
    _read_no_increment,
    _read_time,
    _read_moves,
    _read_two_numbers,
    _read_us_notation,
    _read_purpose,
    _read_bare_number,
    _read_word,
)
