"""The lines about the event itself: name, place, days, arbiters, time control, and the points it pays."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any

from arpad.core import Pace
from arpad.core.tournaments import ABSENT, ALLOCATED_BYE, FULL_BYE, HALF_BYE, USUAL, ZERO_BYE, Entrant, Team
from arpad.formats.trf.columns import CODE, MOST_ROUNDS, PLAYER, ROUND_DAY, TEXT_FROM, round_column
from arpad.formats.trf.fields import ReportLine, as_points
from arpad.messages import say
from arpad.reading.days import Day, DayOrder, order_of_days, read_day

# What each code says, by the names of a Tournament.
TEXTS = {"012": "name", "022": "city", "032": "federation", "092": "kind", "102": "arbiter", "122": "time_control"}
DAYS = {"042": "start", "052": "end"}
COUNTS = ("062", "072", "082")  # players, rated players, teams
ROUNDS = ("142", "XXR")
DEPUTY, ROUND_DAYS = "112", "132"
FIELDS = {*TEXTS, *DAYS, *COUNTS, *ROUNDS, DEPUTY, ROUND_DAYS}
CODED_TYPE, CODED_TIME = "192", "222"
BORN = next(column for column in PLAYER if column.name == "born")
PERIOD = re.compile(r"(?:\d+/)?(\d{1,6})(?:\+(\d{1,4}))?")
SECONDS = 60
COUNT = re.compile(r"\d{1,6}")
WINS, DRAWS, LOSSES = (("white-" + result, "black-" + result) for result in ("win", "draw", "loss"))

# The letters of 162. P pays the same as W unless given; X, an unknown result, pays nothing here.
LETTERS = {
    "W": (*WINS, "forfeit-win", FULL_BYE), "D": (*DRAWS, HALF_BYE), "L": LOSSES,
    "A": (ZERO_BYE, "forfeit-loss", ABSENT), "P": (ALLOCATED_BYE,),
}  # fmt: skip
UNKNOWN = "X"

# JaVaFo's codes and what each pays; W and D are short for several.
XXS = {
    "WW": ("white-win",), "BW": ("black-win",), "WD": ("white-draw",), "BD": ("black-draw",),
    "WL": ("white-loss",), "BL": ("black-loss",), "ZPB": (ZERO_BYE, ABSENT), "HPB": (HALF_BYE,), "FPB": (FULL_BYE,),
    "PAB": (ALLOCATED_BYE,), "FW": ("forfeit-win",), "FL": ("forfeit-loss",), "W": LETTERS["W"], "D": LETTERS["D"],
}  # fmt: skip
BBP = {
    "BBW": LETTERS["W"], "BBD": LETTERS["D"], "BBL": LOSSES, "BBZ": (ZERO_BYE, ABSENT), "BBF": ("forfeit-loss",),
    "BBU": (ALLOCATED_BYE,),
}  # fmt: skip
MATCH = {"TW": "win", "TD": "draw", "TL": "loss"}
USUAL_MATCH = {"win": Decimal(2), "draw": Decimal(1), "loss": Decimal(0)}
PAIR = re.compile(r"([A-Z]+)\s*=?\s*(-?[\d.,]+)?")
CODES: dict[str, Mapping[str, tuple[str, ...]]] = {
    "XXS": XXS,
    "162": LETTERS,
    "362": {code: (name,) for code, name in MATCH.items()},
}
SCORING = {*CODES, *BBP}


def day_order(lines: Iterable[str]) -> DayOrder | None:
    """The order in which the file writes year, month and day; None if nothing in it settles that.

    The dates of the rounds are YY/MM/DD by the format: if the event begins or ends on one of them, in one order alone,
    the order is that.
    """
    births: list[str] = []
    event: list[str] = []
    rounds: dict[date, str] = {}
    for line in lines:
        code = line[CODE]
        if code == "001":
            births.append(BORN.cut(line))
        elif code in DAYS:
            event.append(line[TEXT_FROM - 1 :].strip())
        elif code == ROUND_DAYS:
            for text in line[TEXT_FROM - 1 :].split():
                with suppress(ValueError):
                    rounds.setdefault(read_day(text).by("ymd").day or date.min, text)
    found = order_of_days([*births, *event])
    if found is not None or not rounds:
        return found
    meeting: dict[str, str] = {}
    for text in event:
        with suppress(ValueError):
            meeting |= {order: rounds[day] for order, day in read_day(text).meant.items() if day in rounds}
    return DayOrder(*meeting.popitem()) if len(meeting) == 1 else None


class EventLines:
    """The facts of an event, gathered line by line."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.counts: dict[str, tuple[int, ReportLine]] = {}  # the numbers claimed
        self.deputies: list[str] = []
        self.days: tuple[date | None, ...] = ()
        self.rounds = 0  # as the file announces them
        self.rounds_line: int | None = None

    def read(self, line: ReportLine) -> None:
        """Read one line of the event."""
        code, text = line.code, line.rest
        if code == ROUND_DAYS:
            self._round_days(line)
        elif not text:
            return
        elif code in TEXTS:
            self._keep(TEXTS[code], text, line)
        elif code in DAYS:
            self._day(DAYS[code], text, line)
        elif code in ROUNDS:
            self._rounds(text, line)
        elif code == DEPUTY:
            self.deputies.append(text)
        else:
            self._count(code, text, line)

    def _keep(self, name: str, value: object, line: ReportLine) -> None:
        if self.facts.setdefault(name, value) != value:
            line.note(say("formats.trf.fact_twice", fact=say(f"formats.fact.{name}")), lost=True)

    def _day(self, name: str, text: str, line: ReportLine) -> None:
        try:
            written = read_day(text)
        except ValueError:
            line.note(say("formats.trf.date", text=text), lost=True)
            return
        found = line.settled(written)
        if found.day is None:
            either = say("formats.day.either", text=text, days=found.candidates)
            line.note(either if found.meant else say("formats.trf.partial_date", text=text), lost=True)
            return
        if line.order and written.meant:
            by = line.order.settled_by
            line.note(say("formats.day.settled", text=text, day=found.day, settled_by=by))
        elif not found.exact:
            line.note(say("formats.trf.date_form", day=found.day, text=text))
        self._keep(name, found.day, line)

    def _rounds(self, text: str, line: ReportLine) -> None:
        match = COUNT.match(text)
        if match is None or not 0 < int(match[0]) <= MOST_ROUNDS:
            line.note(say("formats.trf.rounds", text=text, most=MOST_ROUNDS), lost=True)
            return
        self.rounds, self.rounds_line = int(match[0]), line.number

    def _count(self, code: str, text: str, line: ReportLine) -> None:
        match = COUNT.match(text)
        if match is None:
            line.note(say("formats.trf.count", text=text))
            return
        if match[0] != text:
            line.note(say("formats.trf.count_form", text=text))
        self.counts[code] = int(match[0]), line

    def _round_days(self, line: ReportLine) -> None:
        """Read the dates of the rounds; a second such line fills the gaps of the first."""
        unread = line.changed(line.text)
        days: list[date | None] = []
        while round_column(len(days) + 1) <= line.end and len(days) < MOST_ROUNDS:
            text = ROUND_DAY.cut(line.text, len(days))
            try:
                days.append(_round_day(text, line))
            except ValueError:
                unread.note(say("formats.trf.date", text=text), round_column(len(days) + 1), lost=True)
                days.append(None)
        if line.end >= TEXT_FROM and not any(days):
            self._loose_days(line)
            return
        line.odd += unread.odd
        longer, shorter = sorted((list(self.days), days), key=len, reverse=True)
        self.days = tuple(day or (shorter[place] if place < len(shorter) else None) for place, day in enumerate(longer))

    def _loose_days(self, line: ReportLine) -> None:
        """Read dates that are separated by blanks instead of being in their columns."""
        try:
            self.days = tuple(_round_day(word, line) for word in line.rest.split()[:MOST_ROUNDS])
        except ValueError:
            line.note(say("formats.trf.round_days"), lost=True)
            return
        line.note(say("formats.trf.round_days_columns"))


def _round_day(text: str, line: ReportLine) -> date | None:
    """A round's date, YY/MM/DD by the format; in the file's own order if that is impossible."""
    found = read_day(text) if text else Day()
    return found.day or found.by("ymd").day or line.settled(found).day


def pace_of(coded: str | None, plain: str | None) -> Pace | None:
    """The time control, from TRF26's code or else from words; None if it cannot be understood."""
    periods = [PERIOD.fullmatch(part.strip()) for part in coded.split(":")] if coded else []
    if periods and all(periods):
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

    def __init__(self) -> None:
        self.games: dict[str, Decimal] = {}
        self.matches: dict[str, Decimal] = {}
        self.bye_as_win = False  # 162 pays the allocated bye as a win, unless it says otherwise

    def read(self, line: ReportLine) -> None:
        """Read a line of any of the four kinds."""
        code, text = line.code, line.text[TEXT_FROM - 1 :]
        if code in BBP:
            _pay(self.games, BBP[code], text, line)
            return
        self.bye_as_win = self.bye_as_win or code == "162"
        known, end = CODES[code], 0
        for pair in PAIR.finditer(text):
            end = pair.end()
            if pair[1] in known:
                _pay(self.matches if code == "362" else self.games, known[pair[1]], pair[2] or "", line)
            elif pair[1] != UNKNOWN:
                line.note(say("formats.trf.paid_key", text=pair[1]), lost=True)
        if rest := text[end:].strip():
            line.note(say("formats.trf.paid_rest", text=rest), TEXT_FROM + end, lost=True)

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


def _pay(into: dict[str, Decimal], kinds: tuple[str, ...], text: str, line: ReportLine) -> None:
    try:
        points = as_points(text.strip())
    except ValueError:
        points = None
    if points is None:
        line.note(say("formats.trf.paid_points", text=text.strip()), lost=True)
    else:
        into.update(dict.fromkeys(kinds, points))


def counts_of(entrants: Collection[Entrant], teams: Collection[Team]) -> dict[str, int]:
    """How many players, rated players and teams there are, by the codes of these numbers."""
    rated = sum(entrant.player.rating is not None for entrant in entrants)
    return dict(zip(COUNTS, (len(entrants), rated, len(teams)), strict=True))


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
