"""The one notation for games, dates and time controls, shared by every door."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from itertools import takewhile
from string import ascii_letters
from typing import Any

from arpad.core import (
    DRAW,
    EARLIEST_BIRTH,
    LOSS,
    MOST_GAMES,
    UNRATED,
    EloStanding,
    Field,
    Game,
    GlickoStanding,
    Pace,
    Pairing,
    Player,
    Rating,
    deviation_of,
    number,
    rating_of,
    refused,
    whole_of,
)
from arpad.errors import BadInput, UnknownName
from arpad.reading.results import ALLOWED, BYE, FORFEITS, OPEN, is_result, parted, score_of

MOST_SPREAD = 1000
COLOURS = {"w": "white", "white": "white", "b": "black", "black": "black"}
TITLES = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")
SEXES = {"m": "m", "w": "w", "f": "w"}
LONGEST_NO = 9  # digits
EXAMPLE = "1950"
MINUTES, SECONDS = r"(?<=[0-9])\s*(m|mins?\.?|minutes?|['′])$", r"(?<=[0-9])\s*(s|secs?\.?|seconds?|[\"″]|'')$"
ANNOUNCED = r"g/?\s*([0-9]+)(?:[;, ]\s*(?:d/?|\+|inc/?)\s*([0-9]+))?"
ISO_DAY = r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?"
DOTTED_DAY = r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})"
DAY_FIRST = r"([0-9]{1,2})[-./ ]([0-9]{1,2})[-./ ]([0-9]{4}|[0-9]{2})"
YEAR_FIRST = r"([0-9]{4})[-./ ]([0-9]{1,2})[-./ ]([0-9]{1,2})|([0-9]{4})([0-9]{2})([0-9]{2})"
MONTH_FIRST = r"([0-9]{1,2})[-./ ]([0-9]{4})"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WITH_A_NAME = r"(?:([0-9]{1,2})[. -]*)?([a-z]{3})[a-z]*[., -]*(?:([0-9]{1,2})[, ]+)?([0-9]{4})"  # 5 Nov 2026 too


def parse_rating(text: str, *, at: str | None = None) -> Rating | None:
    """`1750` or `unrated`."""
    text = text.strip()
    return None if text.lower() == "unrated" else rating_of(text, at=at)


def parse_opponent(text: str, *, at: str | None = None) -> Player:
    """`1950`, `unrated`, `2100s` for somebody with a standard rating alone; `1400/30` with a deviation.

    For norms a title stands behind the rating and a federation behind a stroke: `2450gm/GER`, `2450gm`, `unrated/GER`.
    """
    text = text.strip()
    text, slash, behind = text.partition("/")
    if slash and behind.strip().isalpha():
        return replace(parse_opponent(text, at=at), federation=parse_federation(behind, at=at))
    if slash:
        return Player(GlickoStanding(rating_of(text, at=at), deviation=deviation_of(behind, at=at)))
    digits = text.rstrip(ascii_letters)
    title = text[len(digits) :].upper()
    if digits and title in TITLES:
        return Player(rating_of(digits, at=at), title=title)
    if text[-1:].lower() == "s" and text[:-1].isdigit():
        return Player(EloStanding(standard=rating_of(text[:-1], at=at)))
    if text.startswith("@"):
        raise BadInput(f"'{text}' is somebody's ID, and no rating list is asked here; write the rating.", at=at)
    try:
        rating = parse_rating(text, at=at)
    except BadInput as error:
        raise BadInput(f"{error.message.rstrip('.')}, or 'unrated'.", at=at) from None
    return UNRATED if rating is None else Player(rating)


def parse_federation(text: str, *, at: str | None = None) -> str:
    """`GER`: a federation by its three letters."""
    federation = text.strip().upper()
    if len(federation) != len("GER") or not (federation.isascii() and federation.isalpha()):
        raise BadInput(f"'{text}' is not a federation; it has three letters, for example GER.", at=at)
    return federation


def parse_title(text: str, *, at: str | None = None) -> str:
    """`GM`: a title by its letters."""
    title = text.strip().upper()
    if title not in TITLES:
        raise UnknownName("title", text, known=TITLES, at=at)
    return title


def parse_no(text: str, *, at: str | None = None) -> int:
    """`12`: a starting number."""
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NO):
        raise BadInput(f"'{text[:20]}' is not a starting number; give a whole number.", at=at)
    return int(text)


def parse_game(text: str, *, at: str | None = None) -> Game:
    """`1950:win`, `1950 win`, `unrated:½`, `2100s:0`, `1400/30:win@w` with one's colour, a forfeit `1950:+`, `bye`."""
    at = at or f"game '{text}'"
    game, colour = _without_colour(text, at)
    if game.lower() == BYE:
        return Game(UNRATED, LOSS, "bye")
    opponent, result = parted(game)
    if result is None:
        raise BadInput(f"'{text.strip()}' is not a game; write opponent:result, for example {_guess(game)}.", at=at)
    if result in FORFEITS:
        return Game(parse_opponent(opponent, at=at), FORFEITS[result], "forfeit")
    score = score_of(result)
    if score is None:
        raise BadInput(f"'{result}' is not a result; a result is {ALLOWED}.", at=at)
    if colour == "black" and "-" in result and score != DRAW:
        raise BadInput(f"'{result}' with Black may be your score or White's; write win or loss.", at=at)
    return Game(parse_opponent(opponent, at=at), score, colour=colour)


def _guess(text: str) -> str:
    """What somebody may have meant who wrote a game without a colon."""
    opponent = "".join(takewhile(str.isdigit, text))
    typed = text[len(opponent) :].strip(" /_.").lower()
    result = next((one for one in (typed, typed.strip("-=")) if opponent and is_result(one)), "win")
    return f"{opponent or EXAMPLE}:{result}"


def parse_pairing(text: str, *, at: str | None = None) -> Pairing:
    """A game, or one still to be played: `1950`, `1950:?`, `1950@w` with White."""
    at = at or f"game '{text}'"
    game, colour = _without_colour(text, at)
    opponent, result = parted(game)
    if opponent.lower() != BYE and result in (None, OPEN):
        return Pairing(parse_opponent(opponent, at=at), colour=colour)
    played = parse_game(text, at=at)
    return Pairing(played.opponent, played.score, played.colour, played.how)


def _without_colour(text: str, at: str) -> tuple[str, str | None]:
    """A game without its `@w` or `@b`, behind the opponent or the result, or the b of `1950 b 1`; and the colour."""
    text = text.strip()
    sign = text.find("@", 1)  # an ID begins with one
    if sign < 0:
        match text.split():
            case [opponent, colour, result] if colour.lower() in COLOURS and is_result(result):
                return f"{opponent} {result}", COLOURS[colour.lower()]
        return text, None
    colour, *behind = re.split(r"(?=[:\s])", text[sign + 1 :].lstrip(), maxsplit=1)
    if colour.lower() not in COLOURS:
        raise BadInput(f"'{colour}' is not a colour; write @w or @b for your own, for example 1950:win@w.", at=at)
    return f"{text[:sign]}{''.join(behind)}", COLOURS[colour.lower()]


def parse_field(average: Any, spread: Any, rounds: Any, *, at: str | None = None) -> tuple[Pairing, ...]:
    """An open known by its average, the spread round it (standard deviation) and its rounds; nothing if not given."""
    if average is None:
        if spread is not None or rounds is not None:
            raise BadInput("A spread or rounds belong to a field; give its average, for example --field 1850.", at=at)
        return ()
    wide = number(0 if spread is None else spread, "spread", low=0, high=MOST_SPREAD, at=at)
    if not 0 <= wide <= MOST_SPREAD:
        raise refused(spread, "spread", low=0, high=MOST_SPREAD, at=at)
    if rounds is None:
        raise BadInput("A field needs the number of rounds, for example --rounds 9.", at=at)
    games = whole_of(rounds, "rounds", 1, MOST_GAMES, at=at)
    return (Pairing(Field(rating_of(average, at=at), wide)),) * games


def parse_date(text: str, *, at: str | None = None) -> date:
    """`2026-11-15`, `15.11.2026`, or `2026-11` for the first of the month."""
    text = text.strip()
    if iso := re.fullmatch(ISO_DAY, text):
        found = _days(iso[1], iso[2], iso[3] or "1")
    else:
        dotted = re.fullmatch(DOTTED_DAY, text)
        found = _days(dotted[3], dotted[2], dotted[1]) if dotted else []
    if not found and iso:
        raise BadInput(f"'{text}' is not in the calendar; a day is written as 2026-11-15 or 2026-11.", at=at)
    if not found:
        raise BadInput(f"'{text}' is not a date; write it as {_own_day(text)}.", at=at)
    return found[0]


def _days(year: str, month: str, day: str) -> list[date]:
    """The day of three numbers; none if the calendar does not have it."""
    try:
        return [date(int(year), int(month), int(day))]
    except ValueError:
        return []


def _own_day(text: str) -> str:
    """The day or month somebody may have meant, as it should be written; both days if either order may be meant."""
    days: list[date] = []
    if (found := re.fullmatch(YEAR_FIRST, text)) is not None:
        days = _days(*filter(None, found.groups()))
    elif (found := re.fullmatch(DAY_FIRST, text)) is not None:
        first, second, year = found.groups()
        year = f"20{year}" if len(year) == len("26") else year
        days = [*_days(year, second, first), *_days(year, first, second)]
    elif (found := re.fullmatch(WITH_A_NAME, text.lower())) is not None and found[2] in MONTHS:
        days = _days(found[4], str(MONTHS.index(found[2]) + 1), found[1] or found[3] or "1")
        return f"{days[0]:%Y-%m}" if days and not (found[1] or found[3]) else _either(days)
    elif (found := re.fullmatch(MONTH_FIRST, text)) is not None and (days := _days(found[2], found[1], "1")):
        return f"{days[0]:%Y-%m}"
    return _either(days)


def _either(days: list[date]) -> str:
    return " or ".join(sorted({str(day) for day in days})) or "2026-11-15 or 2026-11"


def parse_span(text: str, *, at: str | None = None) -> tuple[date, date]:
    """`2013-01-01..2026-11-15`: two days, the earlier one first."""
    after, dots, until = text.partition("..")
    if not dots:
        raise BadInput(f"'{text}' is not a span of days; write it as 2013-01-01..2026-11-15.", at=at)
    span = parse_date(after, at=at), parse_date(until, at=at)
    if span[0] > span[1]:
        raise BadInput(f"{after} is after {until}; the earlier day comes first.", at=at)
    return span


def parse_sex(text: str, *, at: str | None = None) -> str:
    """`w` for a woman and `m` for a man, as FIDE's lists have it as well: F and M."""
    sex = SEXES.get(text.strip().lower())
    if sex is None:
        raise BadInput(f"'{text}' is not m or w; women's titles are open to whoever is w.", at=at)
    return sex


def parse_pace(text: str, *, at: str | None = None) -> Pace:
    """`90+30`: minutes for the game plus seconds a move; `60` has no increment. `15|10` and `90 min + 30 s` too."""
    minutes, _, increment = text.strip().lower().replace("|", "+").partition("+")
    parts = re.sub(MINUTES, "", minutes.strip()), re.sub(SECONDS, "", increment.strip())
    try:
        pace = Pace(*(number(part or "0", at=at) for part in parts))
    except BadInput:
        pace = Pace(0)
    if pace.minutes < 0 or pace.increment < 0 or not pace.total:
        allowed = "a time control is minutes+seconds, for example 90+30"
        raise BadInput(f"'{text}' is not a time control; {allowed}.", at=at)
    return pace


def parse_us_pace(text: str, *, at: str | None = None) -> Pace:
    """A time control as US Chess writes it as well: `G/60;d5`, where a delay counts as an increment does."""
    announced = re.fullmatch(ANNOUNCED, text.strip().lower())
    return parse_pace(text if announced is None else f"{announced[1]}+{announced[2] or 0}", at=at)


def parts_of(text: str) -> tuple[str, str]:
    """Who is met, and what stands behind: a colour, a result, both or nothing."""
    who, result = parted(text)
    sign = who.rfind("@")
    if sign < 1 or who[sign + 1 : sign + 2].isdigit():  # an ID begins with one, and may stand behind the name
        sign = len(who)
    who, colour = who[:sign], who[sign:]
    return who, f"{colour}{'' if result is None else f':{result}'}"


def names_somebody(text: str) -> bool:
    """Whether `@1503014`, `Carlsen, Magnus` or both stand where a rating may stand."""
    if text[:1] == "@":
        return True
    if text[:1].isdigit() or "/" in text or text.strip().lower() in ("unrated", "bye"):
        return False
    return sum(sign.isalpha() for sign in text) > 1


def parse_birth_year(text: str, *, at: str | None = None) -> int:
    """A year of birth; of a whole date, its year."""
    text = text.strip()
    if len(text) > len("2010") and not text.isdigit():
        return parse_date(text, at=at).year
    return whole_of(text, "birth_year", EARLIEST_BIRTH, at=at)
