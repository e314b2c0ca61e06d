"""Dates as organisers write them: `2026/11/15`, `15.11.2026`, `Nov 15, 2026`, a year alone."""

import re
from datetime import date, datetime
from typing import NamedTuple

# The first three letters of the months in English, German, French, Spanish, Italian, Portuguese and Dutch.
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan gen ene", "feb fév fev", "mar mär maa", "apr avr abr", "may mai mag mei", "jun jui giu", "jul lug",
            "aug aoû aou ago", "sep set", "oct okt ott out", "nov", "dec dez déc dic",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
JUILLET = "juil"  # begins with the same three letters as June (juin)
EXACT = re.compile(r"\d{4}/\d\d/\d\d")
YEAR_FIRST = re.compile(r"(\d{4})\s*[-/. ]\s*(\d{1,2})\s*[-/. ]\s*(\d{1,2})\.?")
YEAR_LAST = re.compile(r"(\d{1,2})\s*[-/. ]\s*(\d{1,2})\s*[-/. ]\s*(\d{4})")
MONTH_FIRST = re.compile(r"([^\W\d]+)\.?\s*(\d{1,2})\s*,?\s*(\d{4})")
DAY_FIRST = re.compile(r"(\d{1,2})\.?[-\s]*([^\W\d]+)\.?[-\s,]*(\d{4})")
RUN_TOGETHER = re.compile(r"(\d{4})(\d\d)(\d\d)")
YEAR = re.compile(r"(\d{4})(?:[-/. ]+(?:0+|\?+|x+)){0,2}", re.IGNORECASE)
MONTHS_OF_A_YEAR = 12
LONGEST = 40  # characters of a date


class Day(NamedTuple):
    """A date as far as it is known; `exact` says whether it was written as FIDE's report format wants it."""

    day: date | None = None
    year: int | None = None
    exact: bool = False


def read_day(text: str) -> Day:
    """A date in any usual form, or a ValueError; `0000/00/00` is an unknown date."""
    text = text.strip()
    if len(text) > LONGEST:
        raise ValueError(text)
    if EXACT.fullmatch(text):
        year, month, day = (int(part) for part in text.split("/"))
        if month and day:
            return _day(year, month, day, exact=True)
        return Day(year=year or None, exact=True)
    if match := YEAR_FIRST.fullmatch(text) or RUN_TOGETHER.fullmatch(text):
        year, month, day = map(int, match.groups())
        return _day(year, month, day) if month and day else Day(year=year or None)
    if match := YEAR_LAST.fullmatch(text):
        day, month, year = map(int, match.groups())
        if month > MONTHS_OF_A_YEAR:  # then the month must come first
            day, month = month, day
        return _day(year, month, day) if month and day else Day(year=year or None)
    if match := MONTH_FIRST.fullmatch(text):
        return _day(int(match[3]), _month(match[1]), int(match[2]))
    if match := DAY_FIRST.fullmatch(text):
        return _day(int(match[3]), _month(match[2]), int(match[1]))
    if match := YEAR.fullmatch(text):
        return Day(year=int(match[1]) or None)
    raise ValueError(text)


def read_short_day(text: str) -> Day:
    """A round's date, `26/11/15`; a longer form is read as any other date."""
    text = text.strip()
    if re.fullmatch(r"\d\d/\d\d/\d\d", text):
        day = datetime.strptime(text, "%y/%m/%d").date()  # noqa: DTZ007  # a day has no time zone
        return Day(day, day.year, exact=True)
    return read_day(text)._replace(exact=False)


def _day(year: int, month: int, day: int, *, exact: bool = False) -> Day:
    return Day(date(year, month, day), year, exact)


def _month(name: str) -> int:
    name = name.lower()
    if name.startswith(JUILLET):
        return MONTHS["jul"]
    if name[:3] not in MONTHS:
        raise ValueError(name)
    return MONTHS[name[:3]]
