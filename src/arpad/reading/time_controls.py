"""Time controls as people write them: `90+30`, `90 min + 30 sek`, `40 zetten in 1.30 uur en vervolgens 30 minuten`.

In words, the quantities of time and of moves are found first, then combined into periods, increment and delay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from arpad.core import Pace, Rating, number
from arpad.errors import BadInput
from arpad.messages import Message, say
from arpad.reading.text import fold, plain

PLAIN = re.compile(r"([0-9]{1,3})(?: ?[+|] ?([0-9]{1,3}))?")
LONGEST_SHOWN = 100
LONGEST = 400  # characters; a longer text is not a time control
MARKS = str.maketrans(dict.fromkeys("″”“„", '"') | dict.fromkeys("′’‘´`", "'") | {"×": "x"})
TOKEN = re.compile(r"[0-9]+:[0-9]{2}|[0-9]+[.,][0-9]+|[0-9]+|[^\W\d_]+|''|[-+|/\"';,.]")
UNIT_MARKS = {"'": "minute", '"': "second", "''": "second"}
TIMES = ("hour", "minute", "second")
MINUTES_IN_AN_HOUR = 60
MOST_INCREMENT = 60  # seconds; a larger bare number after a plus may be minutes
SHORTEST_WORD = 3  # letters; shorter words, such as the in of `game in 60`, say nothing about the time
FORTY = 40  # if one of two bare numbers is 40, it is the moves
REFUSED = {
    "between": say("reading.pace.range"),
    "hour-glass": say("reading.pace.hour_glass"),
    "byo-yomi": say("reading.pace.byo_yomi"),
}
LONGEST_TIME = 600  # minutes; a larger number must be seconds, or a mistake
MOVES_COUNTED = 60  # time controls are compared over this many moves


def read_pace(text: str) -> PaceReading:
    """A time control in figures or in words, in many languages; what is not understood is said in the reading."""
    text = " ".join(plain(text).split())
    if (figures := PLAIN.fullmatch(text)) is not None and 0 < int(figures[1]) <= LONGEST_TIME:
        minutes, increment = int(figures[1]), int(figures[2] or 0)
        return PaceReading(periods=(PacePeriod(minutes=minutes),), increment=increment, minutes=minutes + increment)
    return _read_words(text)


def _read_words(text: str) -> PaceReading:
    """A time control in words."""
    if len(text) > LONGEST:
        return PaceReading(unclear=True, why=say("reading.pace.not_understood"))
    tokens = TOKEN.findall(fold(text.translate(MARKS)))
    meanings = {meaning for token in tokens if (meaning := _meaning(token)) is not None}
    quantities = list(_quantities(tokens))
    if {"white", "black"} <= meanings:
        increment = next((quantity.value for quantity in quantities if quantity.unit == "second"), 0)
        return PaceReading(increment=increment, unclear=True, why=say("reading.pace.unequal"))
    for meaning, why in REFUSED.items():
        if meaning in meanings:
            return PaceReading(unclear=True, why=why)
    unknown = any(token.isalpha() and len(token) >= SHORTEST_WORD and _meaning(token) is None for token in tokens)
    if _has_loose_end(tokens) or (_is_bare(quantities) and unknown):
        return PaceReading(unclear=True, why=say("reading.pace.not_understood"))
    one_time = sum(quantity.unit != "move" for quantity in quantities) == 1  # `90 minutes plus increment`
    if meanings & {"plus", "increment"} and "without" not in meanings and one_time:
        return PaceReading(unclear=True, why=say("reading.pace.unknown_increment"))
    try:
        return _combined(quantities, delayed="delay" in meanings and "delay" in tokens, meanings=meanings)
    except _Unclear as unclear:
        return PaceReading(unclear=True, why=unclear.why)


def _meaning(token: str) -> str | None:
    from arpad.reading.vocabulary import words

    return words("times").meaning(token)


def _quantities(tokens: Sequence[str]) -> Iterator[_Quantity]:
    """The numbers of a text, each with its unit; `1h15` and `1 hour and 45 minutes` are one."""
    sign, part, delayed = "", 0, False
    place = 0
    while place < len(tokens):
        token = tokens[place]
        read = _quantity(tokens, place)
        if read is not None:
            value, unit, length = read
            before = _meaning(tokens[place - 1]) if place else None
            if unit is None and before == "move":
                unit = "move"  # after move 40
            if unit != "move" or value > 1:  # from move 1: every move
                yield _Quantity(value, unit, sign, part, delayed)
            sign, delayed = "", False
            place += length
            continue
        meaning = _meaning(token)
        if meaning == "or":
            part += 1
        elif meaning == "plus" or token in ("+", "|"):
            sign = "+"
        elif token in ("/", ";", ",", "x") and sign != "+":
            sign = token
        elif meaning in ("delay", "game-in"):
            delayed = meaning == "delay"
            place += tokens[place + 1 : place + 2] == ["/"]  # the slash of G/60 separates nothing
        place += 1


@dataclass(frozen=True, slots=True)
class _Quantity:
    """A number with its unit (minute, second, move or none), and the sign before it."""

    value: Rating
    unit: str | None
    sign: str = ""
    part: int = 0  # of the text, between words such as "or"
    delayed: bool = False


def _quantity(tokens: Sequence[str], place: int) -> tuple[Rating, str | None, int] | None:
    """The number at a place, its unit, and how many tokens they take; None if there is none."""
    token = tokens[place]
    if place == 0 and len(token) > 1 and _meaning(token) == "minute":
        return 1, "minute", 1  # `minuta` alone is one minute
    is_word = token in _number_words()
    if not token[0].isdecimal() and not is_word:
        return None
    unit, length = _unit(tokens, place + 1)
    if is_word and unit is None:
        return None
    if is_word:
        count = _number_words()[token]
        return (count * MINUTES_IN_AN_HOUR, "minute", 1 + length) if unit == "hour" else (count, unit, 1 + length)
    if unit == "hour" or (unit is None and ":" in token):
        minutes, more = _hours(token), _minutes_behind(tokens, place + 1 + length) if unit else (0, 0)
        return minutes + more[0], "minute", 1 + length + more[1]
    value = Decimal(token.replace(",", ".").replace(":", "."))
    return int(value) if value == int(value) else value, unit, 1 + length


@cache
def _number_words() -> dict[str, int]:
    from arpad.reading.vocabulary import entries  # not loaded for `90+30`

    return {fold(word): int(meaning) for meaning, word in entries("numbers")}


def _unit(tokens: Sequence[str], place: int) -> tuple[str | None, int]:
    """The unit after a number, and its length in tokens; other words may come before it: `30 weitere Minuten`."""
    behind = tokens[place : place + 3]
    if behind and behind[0] in UNIT_MARKS:
        return UNIT_MARKS[behind[0]], 1
    for length, word in enumerate(behind, start=1):
        meaning = _meaning(word)
        if meaning in TIMES and (length == 1 or len(word) > 1):
            return meaning, length
        if meaning == "move" and (length == 1 or behind[0] == "-"):
            return meaning, length
        if word == "-" or (word.isalpha() and meaning is None and word not in ("x", *_number_words())):
            continue
        break
    return None, 0


def _hours(token: str) -> Rating:
    """Hours in minutes: `1:35` and `1.30` have two digits of minutes, `1,5` is one and a half hours."""
    whole, _, rest = token.replace(",", ".").replace(":", ".").partition(".")
    if len(rest) == 2 and int(rest) < MINUTES_IN_AN_HOUR:
        return int(whole) * MINUTES_IN_AN_HOUR + int(rest)
    minutes = Decimal(f"{whole}.{rest or 0}") * MINUTES_IN_AN_HOUR
    return int(minutes) if minutes == int(minutes) else minutes


def _minutes_behind(tokens: Sequence[str], place: int) -> tuple[int, int]:
    """The minutes after hours, as in `1h15` or `1 hour and 45 minutes`, and how many tokens they take."""
    joined = place + 1 < len(tokens) and tokens[place].isalpha() and len(tokens[place]) <= len("and")
    at = place + 1 if joined else place
    if at >= len(tokens) or not tokens[at].isdecimal() or int(tokens[at]) >= MINUTES_IN_AN_HOUR:
        return 0, 0
    unit, length = _unit(tokens, at + 1)
    if unit == "minute" or (unit is None and not joined and len(tokens[at]) == 2):
        return int(tokens[at]), at - place + 1 + length
    return 0, 0


def _has_loose_end(tokens: Sequence[str]) -> bool:
    """Whether there is no quantity before the first plus or after the last: `90+x`, `x+30`."""
    pluses = [place for place, token in enumerate(tokens) if token in ("+", "|")]
    there = [_quantity(tokens, place) is not None for place in range(len(tokens))]
    return bool(pluses) and not (any(there[: pluses[0]]) and any(there[pluses[-1] :]))


def _is_bare(quantities: Sequence[_Quantity]) -> bool:
    """Whether nothing says what the numbers are: none has a unit, and none is added to another, as in `90+30`."""
    return all(quantity.unit is None for quantity in quantities) and not any(
        quantity.sign == "+" for quantity in quantities[1:]
    )


def _combined(quantities: Sequence[_Quantity], *, delayed: bool, meanings: set[str]) -> PaceReading:
    """The reading that the quantities give: periods, increment and delay."""
    clocks: list[_Clock] = []
    part = -1
    for quantity in _for_each_player(quantities):
        if quantity.part != part and (quantity.unit not in ("second", "move") or not clocks):
            clocks.append(_Clock([], [], [], []))
        part = quantity.part
        _add(clocks[-1], quantity, delayed=delayed)
    clocks = [clock for whole in clocks for clock in _split_clocks(whole, meanings)]
    clocks = [clock for clock in clocks if clock.times]
    if not clocks:
        raise _Unclear(say("reading.pace.not_understood"))
    if len({clock.total for clock in clocks}) > 1:
        raise _Unclear(say("reading.pace.several"))
    best = next((clock for clock in clocks if clock.seconds), clocks[0])
    return _reading(best, say("reading.pace.side_by_side") if len(clocks) > 1 else None)


@dataclass(slots=True)
class _Clock:
    """A time control under construction."""

    times: list[Rating]
    moves: list[int]
    seconds: list[Rating]
    delays: list[Rating]

    @property
    def total(self) -> Rating:
        return sum(self.times) + sum(self.seconds[:1]) + sum(self.delays[:1])


def _for_each_player(quantities: Sequence[_Quantity]) -> list[_Quantity]:
    """Quantities without the 2 of `2 x 10 min`, which counts the players."""
    kept: list[_Quantity] = []
    for quantity in quantities:
        if (
            kept
            and kept[-1].unit is None
            and kept[-1].value == 2
            and quantity.sign == "x"
            and quantity.unit == "minute"
        ):
            kept[-1] = _Quantity(quantity.value, quantity.unit, kept[-1].sign, quantity.part)
        else:
            kept.append(quantity)
    return kept


def _add(clock: _Clock, quantity: _Quantity, *, delayed: bool) -> None:
    """Add a quantity to a clock; a number without a unit gets its meaning from its sign."""
    bare = quantity.unit is None
    if quantity.unit == "second" or (bare and quantity.delayed):
        (clock.delays if delayed or quantity.delayed else clock.seconds).append(quantity.value)
    elif quantity.unit == "move" or (bare and quantity.sign == "x" and clock.times):
        clock.moves.append(int(quantity.value))
    elif bare and quantity.sign == "/" and clock.times and not clock.moves:
        _add_moves_or_time(clock, quantity)
    elif bare and quantity.sign == "+" and clock.times and not clock.moves:
        if quantity.value > MOST_INCREMENT:
            raise _Unclear(say("reading.pace.minutes_or_seconds", number=quantity.value))
        clock.seconds.append(quantity.value)
    elif quantity.value > LONGEST_TIME:
        raise _Unclear(say("reading.pace.seconds", number=quantity.value))
    elif quantity.value > 0:
        clock.times.append(quantity.value)


def _add_moves_or_time(clock: _Clock, quantity: _Quantity) -> None:
    """Add `90/40` or `40/120`, where 40 is the moves; other numbers without units are unclear."""
    first, second = clock.times[-1], quantity.value
    if first == FORTY and second != FORTY:
        clock.times[-1], moves = second, first
    elif second == FORTY and first != FORTY:
        moves = second
    else:
        raise _Unclear(say("reading.pace.moves_or_minutes", first=first, second=second))
    clock.moves.append(int(moves))


class _Unclear(Exception):  # never leaves this module
    """A time control that cannot be understood, or can mean several things, and why."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


def _split_clocks(clock: _Clock, meanings: set[str]) -> list[_Clock]:
    """Split several times without moves into several clocks; a double time `per game` is for both players together."""
    distinct = list(dict.fromkeys(clock.moves))
    clock.moves = distinct
    if len(clock.times) < 2 or distinct:
        return [clock]
    if len(clock.times) == 2 and {"player", "game"} <= meanings and clock.times[1] == 2 * clock.times[0]:
        return [_Clock(clock.times[:1], [], clock.seconds, clock.delays)]
    last = len(clock.times) - 1
    return [
        _Clock([time], [], clock.seconds if place == last else [], clock.delays if place == last else [])
        for place, time in enumerate(clock.times)
    ]


def _reading(clock: _Clock, why: Message | None) -> PaceReading:
    """A clock as a reading."""
    if len(set(clock.seconds)) > 1 or len(clock.moves) > len(clock.times):
        raise _Unclear(say("reading.pace.several"))
    moves = [*clock.moves, *[None] * (len(clock.times) - len(clock.moves))]
    periods = tuple(PacePeriod(minutes=time, moves=moved) for time, moved in zip(clock.times, moves, strict=True))
    increment = clock.seconds[0] if clock.seconds else 0
    delay = clock.delays[0] if clock.delays else 0
    if moves[-1] is not None and sum(clock.moves) < MOVES_COUNTED:
        why = say("reading.pace.moves_only", moves=sum(clock.moves))
        return PaceReading(periods=periods, increment=increment, delay=delay, unclear=True, why=why)
    return PaceReading(periods=periods, increment=increment, delay=delay, minutes=clock.total, why=why)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceReading:
    """A time control as understood; `why` says what was not understood, or what is doubtful."""

    periods: tuple[PacePeriod, ...] = ()
    increment: Rating = 0  # seconds a move
    delay: Rating = 0  # seconds a move
    minutes: Rating | None = None  # for 60 moves; None if not understood
    unclear: bool = False
    why: Message | None = None

    @property
    def pace(self) -> Pace | None:
        """The minutes of all periods and the seconds per move, including a delay; None if not understood."""
        if self.minutes is None:
            return None
        return Pace(sum(period.minutes for period in self.periods), self.increment + self.delay)


@dataclass(frozen=True, slots=True, kw_only=True)
class PacePeriod:
    """A period of a time control: its minutes and its moves; None means the rest of the game."""

    minutes: Rating
    moves: int | None = None


def parse_pace(text: str, *, at: str | None = None) -> Pace:
    """`90+30`: minutes for the game plus seconds per move; `60` has no increment.

    Words work too, and US Chess's `G/60;d5`, where a delay counts like an increment.
    Raises BadInput, with the reason, for a time control that is not understood.
    """
    figures = _decimals(text, at)
    if figures is not None:
        return figures
    reading = read_pace(text)
    if reading.pace is None:
        raise BadInput(say("reading.not_a_pace", text=text[:LONGEST_SHOWN], why=reading.why), at=at)
    return reading.pace


def _decimals(text: str, at: str | None) -> Pace | None:
    """`0.5+1`: a time control in figures with a point or a comma; None if it is not one."""
    minutes, _, increment = text.strip().replace("|", "+").partition("+")
    try:
        pace = Pace(*(number(part.strip() or "0", at=at) for part in (minutes, increment)))
    except BadInput:
        return None
    return pace if 0 <= pace.minutes <= LONGEST_TIME and pace.increment >= 0 and pace.total else None
