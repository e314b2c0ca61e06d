"""Days as people write them, spans of days, years of birth and ages."""

from __future__ import annotations

import re
from datetime import date

from arpad.core import EARLIEST_BIRTH, refused, whole_of
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading.text import fold, plain

ISO_DAY = re.compile(r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?")
DOTTED_DAY = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})")
YEAR_FIRST = re.compile(r"([0-9]{4})[-./ ]([0-9]{1,2})[-./ ]([0-9]{1,2})|([0-9]{4})([0-9]{2})([0-9]{2})")
YEAR_LAST = re.compile(r"([0-9]{1,2})[-./ ]([0-9]{1,2})[-./ ]([0-9]{4}|[0-9]{2})")
MONTH_FIRST = re.compile(r"([0-9]{1,2})[-./ ]([0-9]{4})")
LONGEST_DAY = 40  # characters; more is not a day
SMALL_WORDS = ("de", "of", "the", "den", "le", "г", "года", "del", "di", "r", "roku")
ORDINALS = ("st", "nd", "rd", "th", "er", "º", "ª", "o")
EXAMPLES = ["2026-11-15", "2026-11"]
OLDEST = 130  # years


def parse_date(text: str, *, at: str | None = None) -> date:
    """`2026-11-15`, `15.11.2026`, `15 November 2026` in any language, or `2026-11` for the first of the month.

    Raises BadInput for a day that the calendar does not have, and for `03/04/2026`, which may be either of two days.
    """
    text = plain(text).strip()
    if iso := ISO_DAY.fullmatch(text):
        found = _days(iso[1], iso[2], iso[3] or "1")
        if not found:
            raise BadInput(say("reading.not_in_the_calendar", text=text), at=at)
        return found[0]
    found = _days_meant(text)
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(say("reading.not_a_date", text=text, meant=found), at=at)
    year_last = YEAR_LAST.fullmatch(text)
    has_day = len(year_last[3]) == len("2026") if year_last else YEAR_FIRST.fullmatch(text) or _in_words(text)
    if has_day:  # such as 31.02.2026
        raise BadInput(say("reading.not_in_the_calendar", text=text), at=at)
    raise BadInput(say("reading.not_a_date", text=text, meant=_other_writing(text) or EXAMPLES), at=at)


def _days(year: str, month: str, day: str) -> list[date]:
    """The day with this year, month and day, in a list; empty if the calendar does not have it."""
    try:
        return [date(int(year), int(month), int(day))]
    except ValueError:
        return []


def _days_meant(text: str) -> list[date]:
    """The days that a text can mean: two if day and month can be swapped, none if it is not a day."""
    if dotted := DOTTED_DAY.fullmatch(text):
        return _days(dotted[3], dotted[2], dotted[1])
    if found := YEAR_FIRST.fullmatch(text):
        return _days(*filter(None, found.groups()))
    if (found := YEAR_LAST.fullmatch(text)) and len(found[3]) == len("2026"):
        return sorted({*_days(found[3], found[2], found[1]), *_days(found[3], found[1], found[2])})
    in_words = _in_words(text)
    return _days(*in_words) if in_words else []


def _in_words(text: str) -> tuple[str, str, str] | None:
    """Year, month and day of `Nov 15th, 2026` or `15 de noviembre de 2026`; a month alone has its first day."""
    from arpad.reading.vocabulary import months

    month, numbers = 0, []
    for word in re.split(r"[\s.,/-]+", fold(text[:LONGEST_DAY])):
        number = word.rstrip("".join(ORDINALS)) if word[:1].isdecimal() else ""
        if number.isdecimal():
            numbers.append(number)
        elif word in months() and not month:
            month = months()[word]
        elif word and word not in SMALL_WORDS:
            return None
    years = [number for number in numbers if len(number) == len("2026")]
    days = [number for number in numbers if len(number) <= len("15")]
    if not month or len(years) != 1 or len(days) > 1 or len(years) + len(days) != len(numbers):
        return None
    return years[0], str(month), days[0] if days else "1"


def _other_writing(text: str) -> list[str] | None:
    """How a month, or a day with a two-digit year, should be written; None for anything else."""
    if found := MONTH_FIRST.fullmatch(text):
        first = _days(found[2], found[1], "1")
        return [f"{first[0]:%Y-%m}"] if first else None
    if found := YEAR_LAST.fullmatch(text):
        year = f"20{found[3]}"
        days = {*_days(year, found[2], found[1]), *_days(year, found[1], found[2])}
        return sorted(map(str, days)) or None
    return None


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
        years = {day.year for day in _days_meant(text)}
        if iso := ISO_DAY.fullmatch(text):
            years = {day.year for day in _days(iso[1], iso[2], iso[3] or "1")}
        if month := MONTH_FIRST.fullmatch(text):
            years = {day.year for day in _days(month[2], month[1], "1")}
        if len(years) == 1:
            return whole_of(years.pop(), "birth_year", EARLIEST_BIRTH, at=at)
    return whole_of(text, "birth_year", EARLIEST_BIRTH, at=at)


def parse_age(text: str, *, at: str | None = None) -> int:
    """`14`, `14 years`, `14 Jahre`: an age in years."""
    number, *unit = plain(text).split(maxsplit=1)[:2] or [""]
    if unit:
        from arpad.reading.vocabulary import words

        if words("times").meaning(fold(unit[0]).strip(". ")) != "year":
            raise refused(text.strip(), "age", low=0, high=OLDEST, at=at)
    return whole_of(number, "age", 0, OLDEST, at=at)
