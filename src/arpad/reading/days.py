"""Days as people write them, spans of days, years of birth and ages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from arpad.core import EARLIEST_BIRTH, refused, whole_of
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading.text import fold, plain

ISO_DAY = re.compile(r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?")
YEAR_FIRST = re.compile(r"([0-9]{4})[-./ ]([0-9]{1,2})[-./ ]([0-9]{1,2})\.?|([0-9]{4})([0-9]{2})([0-9]{2})")
YEAR_LAST = re.compile(r"([0-9]{1,2})([-./ ])([0-9]{1,2})[-./ ]([0-9]{4}|[0-9]{2})")
MONTH_FIRST = re.compile(r"([0-9]{1,2})[-./ ]([0-9]{4})")
EXACT = re.compile(r"[0-9]{4}/[0-9]{2}/[0-9]{2}")
PARTLY = re.compile(
    r"([0-9]{4})(?:[-/. ]+[0-9]{1,2})?(?:[-/. ]+(?:0+|\?+|x+)){0,2}|(?:[0-9]{1,2}[-/. ]+){0,2}(?<=00.)([0-9]{4})",
    re.IGNORECASE,
)  # a year, or a year and a month
LONGEST_DAY = 40  # characters; more is not a day
EXAMPLES = ["2026-11-15", "2026-11"]
OLDEST = 130  # years
ORDERS = {"ymd": (0, 1, 2), "dmy": (2, 1, 0), "mdy": (2, 0, 1)}  # where year, month and day stand
LONG_ORDERS = ("dmy", "mdy")  # with a year of four digits at the end


def parse_date(text: str, *, at: str | None = None) -> date:
    """`2026-11-15`, `15.11.2026`, `15 November 2026` in any language, or `2026-11` for the first of the month.

    Raises BadInput for a day that the calendar does not have, and for `03/04/2026`, which may be either of two days.
    """
    iso = ISO_DAY.fullmatch(text)
    if iso and iso[3]:
        with suppress(ValueError):
            return date.fromisoformat(text)  # as programs write it, and nothing else it could be
    text = _plain_day(text)
    iso = ISO_DAY.fullmatch(text)
    whole = f"{text}-01" if iso and not iso[3] else text
    found = sorted(set(_days_meant(whole).values()))
    if len(found) == 1 and not _has_short_year(text):
        return found[0]
    if found:
        raise BadInput(say("reading.not_a_date", text=text, meant=found), at=at)
    if month := MONTH_FIRST.fullmatch(text):
        first = _in_calendar("ymd", (month[2], month[1], "1")).values()
        raise BadInput(say("reading.not_a_date", text=text, meant=[f"{day:%Y-%m}" for day in first] or EXAMPLES), at=at)
    if YEAR_FIRST.fullmatch(whole) or (YEAR_LAST.fullmatch(text) and not _has_short_year(text)) or _in_words(text):
        raise BadInput(say("reading.not_in_the_calendar", text=text), at=at)  # such as 31.02.2026
    raise BadInput(say("reading.not_a_date", text=text, meant=EXAMPLES), at=at)


def _plain_day(text: str) -> str:
    """A day in figures without the blanks around its dots and strokes: `15. 8. 2026` is 15.8.2026."""
    text = plain(text).strip()
    if len(text) > LONGEST_DAY or any(map(str.isalpha, text)):
        return text
    return re.sub(r" ?([-./]) ?", r"\1", text)


def _days_meant(text: str) -> dict[str, date]:
    """The days that a text can mean, by the order of year, month and day; none if it is not a day.

    With points the day comes first, unless the year has two digits; such a year is one of this century.
    """
    if found := YEAR_FIRST.fullmatch(text):
        return _in_calendar("ymd", [part for part in found.groups() if part])
    if found := YEAR_LAST.fullmatch(text):
        parts = [found[1], found[3], found[4]]
        if _has_short_year(text):
            return {order: day for name in ORDERS for order, day in _in_calendar(name, parts).items()}
        orders = LONG_ORDERS[:1] if found[2] == "." and _in_calendar("dmy", parts) else LONG_ORDERS
        return {order: day for name in orders for order, day in _in_calendar(name, parts).items()}
    in_words = _in_words(text)
    return _in_calendar("ymd", in_words) if in_words else {}


def _has_short_year(text: str) -> bool:
    found = YEAR_LAST.fullmatch(text)
    return found is not None and len(found[4]) == len("26")


def _in_calendar(order: str, parts: Sequence[str]) -> dict[str, date]:
    """The day with these parts in this order; empty if the calendar does not have it."""
    year, month, day = (parts[place] for place in ORDERS[order])
    if len(year) > len("2026") or max(len(month), len(day)) > len("15"):
        return {}
    try:
        return {order: date(int(year) if len(year) > 2 else int(f"20{year}"), int(month), int(day))}
    except ValueError:
        return {}


def _in_words(text: str) -> tuple[str, str, str] | None:
    """Year, month and day of `Nov 15th, 2026` or `15 de noviembre de 2026`; a month alone has its first day."""
    from arpad.reading.vocabulary import entries, months

    meaning = {fold(word): role for role, word in entries("days")}
    endings = tuple(word for word, role in meaning.items() if role == "ordinal")
    month, numbers = 0, []
    for word in re.split(r"[\s.,/-]+", fold(text[:LONGEST_DAY])):
        ending = next((ending for ending in endings if word.endswith(ending)), "") if word[:1].isdecimal() else ""
        number = word.removesuffix(ending)
        if number.isdecimal():
            numbers.append(number)
        elif word in months() and not month:
            month = months()[word]
        elif word and meaning.get(word) != "empty":
            return None
    years = [number for number in numbers if len(number) == len("2026")]
    days = [number for number in numbers if len(number) <= len("15")]
    if not month or len(years) != 1 or len(days) > 1 or len(years) + len(days) != len(numbers):
        return None
    return years[0], str(month), days[0] if days else "1"


class Day(NamedTuple):
    """A day in a file as far as it is known; `exact` says whether it was written as FIDE's report format wants it.

    `meant` has the days it can be by the order of year, month and day, if that order is not known.
    """

    day: date | None = None
    year: int | None = None
    exact: bool = False
    meant: Mapping[str, date] = MappingProxyType({})
    short: bool = False  # whether the year has two digits

    def by(self, order: str | None) -> Day:
        """The day in a file with this order; still open if there is none, or if the day does not fit it."""
        day = self.meant.get(order or "")
        return self if day is None else Day(day, day.year, short=self.short)

    @property
    def candidates(self) -> list[date]:
        """The days it can be, the earliest first."""
        return sorted(set(self.meant.values()))


def read_day(text: str) -> Day:
    """A day of a file in any usual form, or a year alone; a ValueError if it is neither. `0000/00/00` is unknown."""
    text = _plain_day(text)
    if len(text) > LONGEST_DAY:
        raise ValueError(text)
    if (known := PARTLY.fullmatch(text)) is not None:
        return Day(year=int(known[1] or known[2]) or None, exact=EXACT.fullmatch(text) is not None)
    meant = _days_meant(text)
    days = set(meant.values())
    if not days:
        raise ValueError(text)
    if len(days) == 1 and not _has_short_year(text):
        day = days.pop()
        return Day(day, day.year, EXACT.fullmatch(text) is not None)
    if _has_short_year(text):
        return Day(meant=meant, short=True)
    return Day(year=days.pop().year, meant=meant)


def order_of_days(texts: Iterable[str]) -> DayOrder | None:
    """The order in which a file writes year, month and day: the only one that fits all its days; None if several do.

    A day that can be read in one way alone settles it: after 25/09/2025 the day comes first in 03/04/2026 too.
    """
    fitting, settled_by = set(ORDERS), ""
    for text in dict.fromkeys(texts):
        written = _plain_day(text)
        if YEAR_LAST.fullmatch(written) is None or not (meant := _days_meant(written)):
            continue
        if len(fitting) > 1:
            fitting, settled_by = fitting & set(meant), written
        elif not fitting & set(meant):
            return None
    return DayOrder(fitting.pop(), settled_by) if len(fitting) == 1 else None


class DayOrder(NamedTuple):
    """The order of a file's days, and the day that settles it."""

    order: str
    settled_by: str


def parse_span(text: str, *, at: str | None = None) -> tuple[date, date]:
    """`2013-01-01..2026-11-15`: two days; raises BadInput unless the earlier one is first."""
    after, dots, until = text.partition("..")
    if not dots:
        raise BadInput(say("reading.not_a_span", text=text), at=at)
    span = parse_date(after, at=at), parse_date(until, at=at)
    if span[0] > span[1]:
        raise BadInput(say("reading.span_turned_round", after=after, until=until), at=at)
    return span


def parse_birth_year(text: str, *, at: str | None = None) -> int:
    """`2010`, or a date whose year is clear: `2010-05-12`, `12/05/2010`, `May 2010`."""
    text = plain(text).strip()
    if not text.isdecimal() or len(text) == len("20100512"):
        written = f"{text}-01" if ISO_DAY.fullmatch(text) and len(text) == len("2010-05") else text
        years = set() if _has_short_year(written) else {day.year for day in _days_meant(written).values()}
        if month := MONTH_FIRST.fullmatch(text):
            years = {day.year for day in _in_calendar("ymd", (month[2], month[1], "1")).values()}
        if len(years) == 1:
            return whole_of(years.pop(), "birth_year", EARLIEST_BIRTH, at=at)
    return whole_of(text, "birth_year", EARLIEST_BIRTH, at=at)


def parse_age(text: str, *, at: str | None = None) -> int:
    """`14`, `14 years`, `14 Jahre`: an age in years."""
    number, *unit = plain(text).split(maxsplit=1)[:2] or [""]
    if unit:
        from arpad.reading.vocabulary import words

        if words("ages").meaning(fold(unit[0]).strip(". ")) != "year":
            raise refused(text.strip(), "age", low=0, high=OLDEST, at=at)
    return whole_of(number, "age", 0, OLDEST, at=at)
