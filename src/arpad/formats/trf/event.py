"""The lines about the event itself: name, place, days, arbiters, time control, and the points it pays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from arpad.core import Pace
from arpad.core.tournaments import ABSENT, ALLOCATED_BYE, FULL_BYE, HALF_BYE, USUAL, ZERO_BYE, Oddity
from arpad.formats.trf.columns import ROUND_DAY, TEXT_FROM
from arpad.formats.trf.fields import FORMS, as_points
from arpad.messages import Message, say
from arpad.reading.days import Day, DayOrder, read_day

# What each code says, by the names of a Tournament.
TEXTS = {"012": "name", "022": "city", "032": "federation", "092": "kind", "102": "arbiter", "122": "time_control"}
DAYS = {"042": "start", "052": "end"}
COUNTS = ("062", "072", "082")  # players, rated players, teams
ROUNDS = ("142", "XXR")
DEPUTY, ROUND_DAYS = "112", "132"
FIELDS = {*TEXTS, *DAYS, *COUNTS, *ROUNDS, DEPUTY, ROUND_DAYS}
CODED_TYPE, CODED_TIME = "192", "222"
PERIOD = re.compile(r"(?:\d+/)?(\d{1,6})(?:\+(\d{1,4}))?")
SECONDS = 60
COUNT = re.compile(r"\d{1,6}")
WINS, DRAWS, LOSSES = (("white-" + result, "black-" + result) for result in ("win", "draw", "loss"))

# JaVaFo's codes and what each pays; W and D are short for several.
XXS = {
    "WW": ("white-win",), "BW": ("black-win",), "WD": ("white-draw",), "BD": ("black-draw",),
    "WL": ("white-loss",), "BL": ("black-loss",), "ZPB": (ZERO_BYE, ABSENT), "HPB": (HALF_BYE,), "FPB": (FULL_BYE,),
    "PAB": (ALLOCATED_BYE,), "FW": ("forfeit-win",), "FL": ("forfeit-loss",),
    "W": (*WINS, "forfeit-win", FULL_BYE), "D": (*DRAWS, HALF_BYE),
}  # fmt: skip

# The letters of 162. P pays the same as W unless given; X, an unknown result, pays nothing here.
LETTERS = {
    "W": (*WINS, "forfeit-win", FULL_BYE),
    "D": (*DRAWS, HALF_BYE),
    "L": LOSSES,
    "A": (ZERO_BYE, "forfeit-loss", ABSENT),
    "P": (ALLOCATED_BYE,),
}
UNKNOWN = "X"
BBP = {
    "BBW": LETTERS["W"],
    "BBD": LETTERS["D"],
    "BBL": LOSSES,
    "BBZ": (ZERO_BYE, ABSENT),
    "BBF": ("forfeit-loss",),
    "BBU": (ALLOCATED_BYE,),
}
MATCH = {"TW": "win", "TD": "draw", "TL": "loss"}
USUAL_MATCH = {"win": Decimal(2), "draw": Decimal(1), "loss": Decimal(0)}
PAIR = re.compile(r"([A-Z]+)\s*=?\s*(-?[\d.,]+)?")
CODES: dict[str, Mapping[str, tuple[str, ...]]] = {
    "XXS": XXS,
    "162": LETTERS,
    "362": {code: (name,) for code, name in MATCH.items()},
}


class EventLines:
    """The facts of an event, gathered line by line."""

    def __init__(self, odd: list[Oddity], most_rounds: int, order: DayOrder | None = None) -> None:
        self.odd = odd
        self.order = order
        self.most_rounds = most_rounds
        self.facts: dict[str, Any] = {}
        self.counts: dict[str, tuple[int, int]] = {}  # the number claimed, and the line
        self.deputies: list[str] = []
        self.days: tuple[date | None, ...] = ()
        self.rounds = 0  # as the file announces them
        self.rounds_line: int | None = None

    def line(self, code: str, line: str, number: int) -> None:
        """One line of the event."""
        text = line[TEXT_FROM - 1 :].strip()
        if code == ROUND_DAYS:
            self._round_days(line, number)
        elif not text:
            return
        elif code in TEXTS:
            self._keep(TEXTS[code], text, number)
        elif code in DAYS:
            self._day(DAYS[code], text, number)
        elif code in ROUNDS:
            self._rounds(text, number)
        elif code == DEPUTY:
            self.deputies.append(text)
        else:
            self._count(code, text, number)

    def _note(self, says: Message, number: int, column: int = TEXT_FROM, *, lost: bool = False) -> None:
        self.odd.append(Oddity(says, number, column, lost))

    def _keep(self, name: str, value: object, number: int) -> None:
        if self.facts.setdefault(name, value) != value:
            said = say("formats.trf.fact_twice", fact=say(f"formats.fact.{name}"))
            self._note(said, number, lost=True)

    def _day(self, name: str, text: str, number: int) -> None:
        try:
            written = read_day(text)
        except ValueError:
            self._note(say("formats.trf.date", text=text), number, lost=True)
            return
        found = written.by(self.order and self.order.order)
        if found.day is None and found.meant:
            self._note(say("formats.day.either", text=text, days=found.candidates), number, lost=True)
            return
        if found.day is None:
            self._note(say("formats.trf.partial_date", text=text), number, lost=True)
            return
        if self.order and written.meant:
            by = self.order.settled_by
            self._note(say("formats.day.settled", text=text, day=found.day, settled_by=by), number)
        elif not found.exact:
            self._note(say("formats.trf.date_form", day=found.day, text=text), number)
        self._keep(name, found.day, number)

    def _rounds(self, text: str, number: int) -> None:
        match = COUNT.match(text)
        if match is None or not 0 < int(match[0]) <= self.most_rounds:
            self._note(say("formats.trf.rounds", text=text, most=self.most_rounds), number, lost=True)
            return
        self.rounds, self.rounds_line = int(match[0]), number

    def _count(self, code: str, text: str, number: int) -> None:
        match = COUNT.match(text)
        if match is None:
            self._note(say("formats.trf.count", text=text), number)
            return
        if match[0] != text:
            self._note(say("formats.trf.count_form", text=text), number)
        self.counts[code] = int(match[0]), number

    def _round_days(self, line: str, number: int) -> None:
        """Read the dates of the rounds; a second such line fills the gaps of the first."""
        days: list[date | None] = []
        unread = []
        end = len(line.rstrip())
        while (at := ROUND_DAY.first + ROUND_DAY.every * len(days)) <= end and len(days) < self.most_rounds:
            text = ROUND_DAY.cut(line, len(days))
            try:
                found = FORMS[ROUND_DAY.form](text)
            except ValueError:
                unread.append(Oddity(say("formats.trf.date", text=text), number, at, True))
                found = None
            days.append(None if found is None else self._round_day(found))
        if end >= TEXT_FROM and not any(days):
            self._loose_days(line, number)
            return
        self.odd += unread
        longer, shorter = sorted((list(self.days), days), key=len, reverse=True)
        self.days = tuple(day or (shorter[place] if place < len(shorter) else None) for place, day in enumerate(longer))

    def _round_day(self, found: Day) -> date | None:
        """A round's date, YY/MM/DD by the format; in the file's own order if that is impossible."""
        return found.day or found.by("ymd").day or found.by(self.order and self.order.order).day

    def _loose_days(self, line: str, number: int) -> None:
        """Read dates that are separated by blanks instead of being in their columns."""
        words = line[TEXT_FROM - 1 :].split()
        try:
            found = [FORMS[ROUND_DAY.form](word) for word in words[: self.most_rounds]]
        except ValueError:
            self._note(say("formats.trf.round_days"), number, lost=True)
            return
        self.days = tuple(map(self._round_day, found))
        self._note(say("formats.trf.round_days_columns"), number)


def pace_of(coded: str | None, plain: str | None) -> Pace | None:
    """The time control, from TRF26's code or else from words; None if it cannot be understood."""
    if coded:
        periods = [PERIOD.fullmatch(part.strip()) for part in coded.split(":")]
        if all(periods):
            seconds = sum(int(period[1]) for period in periods if period)
            increments = {int(period[2] or 0) for period in periods if period}
            if len(increments) == 1 and (seconds or any(increments)):
                minutes = Decimal(seconds) / SECONDS
                whole = int(minutes) if minutes == int(minutes) else minutes
                return Pace(whole, increments.pop())
    if not plain:
        return None
    from arpad.reading.time_controls import read_pace

    return read_pace(plain).pace


class Scoring:
    """What the lines of a file say about points; later lines override earlier ones."""

    def __init__(self, odd: list[Oddity]) -> None:
        self.odd = odd
        self.games: dict[str, Decimal] = {}
        self.matches: dict[str, Decimal] = {}
        self.bye_as_win = False  # 162 pays the allocated bye as a win, unless it says otherwise

    def line(self, code: str, text: str, number: int) -> None:
        """Read a line of any of the four kinds."""
        if code in BBP:
            self._pay(self.games, BBP[code], text, number)
            return
        self.bye_as_win = self.bye_as_win or code == "162"
        known, end = CODES[code], 0
        for pair in PAIR.finditer(text):
            end = pair.end()
            if pair[1] in known:
                self._pay(self.matches if code == "362" else self.games, known[pair[1]], pair[2] or "", number)
            elif pair[1] != UNKNOWN:
                self.odd.append(Oddity(say("formats.trf.paid_key", text=pair[1]), number, 5, True))
        if text[end:].strip():
            rest = text[end:].strip()
            self.odd.append(Oddity(say("formats.trf.paid_rest", text=rest), number, 5 + end, True))

    def _pay(self, into: dict[str, Decimal], kinds: tuple[str, ...], text: str, number: int) -> None:
        try:
            points = as_points(text.strip())
        except ValueError:
            points = None
        if points is None:
            self.odd.append(Oddity(say("formats.trf.paid_points", text=text.strip()), number, 5, True))
            return
        into.update(dict.fromkeys(kinds, points))

    @property
    def paid(self) -> Mapping[str, Decimal] | None:
        """The points for each result; None if they are the usual ones."""
        points = {**USUAL, **self.games}
        if self.bye_as_win and ALLOCATED_BYE not in self.games:
            points[ALLOCATED_BYE] = points["white-win"]
        return None if points == USUAL else points

    @property
    def match_points(self) -> Mapping[str, Decimal] | None:
        """The points for team matches; None if they are the usual ones."""
        points = {**USUAL_MATCH, **self.matches}
        return None if points == USUAL_MATCH else points


def letters_of(scoring: Mapping[str, Decimal]) -> dict[str, Decimal] | None:
    """The letters of 162 for a scoring; None if one letter would need two values."""
    letters = {}
    for letter, kinds in LETTERS.items():
        paid = {scoring.get(kind, USUAL[kind]) for kind in kinds}
        if len(paid) > 1:
            return None
        letters[letter] = paid.pop()
    return letters


def codes_of(scoring: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """JaVaFo's codes for a scoring, without the short ones."""
    return {code: scoring.get(kinds[0], USUAL[kinds[0]]) for code, kinds in XXS.items() if code not in ("W", "D")}
