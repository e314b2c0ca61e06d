"""What the readers of other programs' files share: one tournament of several, players, and an event's points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from decimal import Decimal

from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    FULL_BYE,
    HALF_BYE,
    NATIONAL,
    USUAL,
    ZERO_BYE,
    Entrant,
    Oddity,
    Record,
    RecordValue,
    Round,
)
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.formats.games import MOST_PLAYERS, MOST_ROUNDS
from arpad.formats.text import one_line
from arpad.formats.trf.player import possible_player
from arpad.messages import Message, apart, say
from arpad.reading.players import SEXES, title_of

MOST_SHOWN = 50  # tournaments of a file that a refusal lists
ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
PLAIN_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)")
DAY_FIRST = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")
DIGITS = re.compile(r"\d{1,11}")


def chosen(sections: Mapping[int, str], wanted: str | None, path: str) -> int:
    """The number of the tournament asked for, by its number or name; the only one need not be named."""
    if wanted is None:
        if len(sections) == 1:
            return next(iter(sections))
        raise BadFile(say("formats.program.sections", count=len(sections), sections=_listed(sections)), at=path)
    if wanted.strip().isdecimal() and int(wanted) in sections:
        return int(wanted)
    named = [number for number, name in sections.items() if name.casefold() == wanted.strip().casefold()]
    if len(named) != 1:
        key = "formats.program.same_name" if named else "formats.program.no_section"
        raise BadInput(say(key, wanted=wanted, sections=_listed(sections)), at="section")
    return named[0]


def _listed(sections: Mapping[int, str]) -> str:
    shown = [f"{number} {name}" for number, name in list(sections.items())[:MOST_SHOWN]]
    return apart([*shown, *(["…"] if len(sections) > MOST_SHOWN else [])])


class Roster:
    """The players of a file as they are read, and what was odd about them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.odd: list[Oddity] = []
        self._rounds: dict[int, dict[int, Round]] = {}  # by player and number
        self._entrants: dict[int, Entrant] = {}
        self._not_fide: list[int] = []

    def put(self, no: int, number: int, played: Round | None, text: object) -> None:
        """A round of a player; one that makes no sense, or that is there twice, is left out with its text in a note."""
        own = self._rounds.setdefault(no, {})
        if played is None or number in own:
            self.note("formats.program.round", no=no, round=number, text=text)
        own.setdefault(number, played or Round(ABSENT))

    @property
    def last_paired(self) -> int:
        """The last round in which anybody is paired with somebody."""
        rounds = (found for own in self._rounds.values() for found in own.items())
        return max((number for number, played in rounds if played.opponent), default=0)

    def add(  # what files say about a player
        self,
        no: int,
        *,
        name: str | None,
        rating: str | int | None = None,
        title: str | None = None,
        sex: str | None = None,
        federation: str | None = None,
        fide_id: str | int | None = None,
        born: date | int | None = None,
        points: Decimal | None = None,
        rank: int | None = None,
        national_id: str | None = None,
    ) -> None:
        """Add a player; a value that no player can have is left out with a note."""
        if no < 1:
            raise BadFile(say("formats.program.number", no=no), at=self.path)
        if no in self._entrants:
            raise BadFile(say("formats.program.number_twice", no=no), at=self.path)
        if len(self._entrants) >= MOST_PLAYERS:
            raise BadFile(say("formats.file.many_players", most=MOST_PLAYERS), at=self.path)
        day = born if isinstance(born, date) else None
        player = possible_player(
            self._whole(rating, "rating", no),
            born.year if isinstance(born, date) else born,
            lambda _, says: self.player_note(no, says),
            title=self._title(title, no),
            sex=self._sex(sex, no),
            federation=federation or None,
            fide_id=self._whole(fide_id, "id", no),
            name=name or None,
        )
        day = day if player.birth_year else None
        self._entrants[no] = Entrant(no, player, (), points, rank, day, national_id=national_id or None)

    def _whole(self, value: str | int | None, column: str, no: int) -> int | None:
        """A rating or an ID; 0 is none."""
        text = str(value or "").strip()
        if not text.strip("0"):
            return None
        if DIGITS.fullmatch(text):
            return int(text)
        self.player_note(no, say("formats.player.figure", text=text, column=column))
        return None

    def _title(self, text: str | None, no: int) -> str | None:
        try:
            return title_of((text or "").strip())
        except ValueError:
            self.player_note(no, say("formats.player.title", text=text))
            return None

    def _sex(self, text: str | None, no: int) -> str | None:
        text = (text or "").strip()
        if not text:
            return None
        if text.lower() not in SEXES:
            self.player_note(no, say("formats.player.sex", text=text))
        return SEXES.get(text.lower())

    def born(self, no: int, text: str | None, *patterns: re.Pattern[str]) -> date | None:
        """A day of birth in one of the orders of a format."""
        try:
            return day_of(text, *patterns)
        except ValueError:
            self.player_note(no, say("formats.player.born", text=text))
            return None

    def day(self, text: str | None, *patterns: re.Pattern[str]) -> date | None:
        """A day of the event in one of the orders of a format."""
        try:
            return day_of(text, *patterns)
        except ValueError:
            self.note("formats.trf.date", text=text)
            return None

    def player_note(self, no: int, says: Message) -> None:
        """Something about a player that was left out."""
        self.note("formats.program.player", no=no, says=says)

    def note(self, key: str, *, lost: bool = True, **values: object) -> None:
        """Something odd, by its message."""
        self.odd.append(Oddity(say(key, **values), lost=lost))

    def not_fide(self, no: int) -> None:
        """A player whose only rating is a national or an estimated one."""
        self._not_fide.append(no)

    def entrants(self) -> tuple[Entrant, ...]:
        """The players by number, each with the rounds up to the last that was paired, or to a bye after it."""
        if not self._entrants:
            raise BadFile(say("formats.program.no_player"), at=self.path)
        if self._not_fide:
            self.note("formats.program.not_fide", lost=False, numbers=sorted(self._not_fide))
        last = self.last_paired
        return tuple(replace(self._entrants[no], rounds=self._in_order(no, last)) for no in sorted(self._entrants))

    def _in_order(self, no: int, last: int) -> tuple[Round, ...]:
        """A player's rounds; a missing one is absent."""
        own = self._rounds.get(no, {})
        late = (number for number, played in own.items() if number > last and played.kind != ABSENT)
        return tuple(own.get(number, Round(ABSENT)) for number in range(1, max(late, default=last) + 1))


def check_rounds(number: int, path: str) -> int:
    """A number of rounds within the limit."""
    if not 0 <= number <= MOST_ROUNDS:
        raise BadFile(say("formats.game.many_rounds", round=number, most=MOST_ROUNDS), at=path)
    return number


def known_days(days: Iterable[date | None]) -> tuple[date | None, ...]:
    """The days of the rounds up to the last that is known."""
    found = list(days)
    while found and found[-1] is None:
        found.pop()
    return tuple(found)


def scoring_of(
    win: Decimal, draw: Decimal, loss: Decimal, bye: Decimal | None = None, zero: Decimal = USUAL[ZERO_BYE]
) -> dict[str, Decimal] | None:
    """The points of an event; None if they are the usual ones. A pairing-allocated bye pays a win unless said."""
    paid = {
        **dict.fromkeys(("white-win", "black-win", "forfeit-win", FULL_BYE), win),
        **dict.fromkeys(("white-draw", "black-draw", HALF_BYE), draw),
        **dict.fromkeys(("white-loss", "black-loss"), loss),
        **dict.fromkeys(("forfeit-loss", ZERO_BYE, ABSENT), zero),
        ALLOCATED_BYE: win if bye is None else bye,
    }
    return None if paid == USUAL else paid


@contextmanager
def refused(program: str, path: str, *faults: type[Exception]) -> Iterator[None]:
    """Refuse a file as damaged whose reader stumbles over one of these faults."""
    try:
        yield
    except ArpadError:
        raise
    except faults:
        raise BadFile(say("formats.program.damaged", program=program), at=path) from None


def joined(*texts: object) -> str:
    """Texts with a comma between them, as far as they are there: surname and forename."""
    return ", ".join(filter(None, map(text_of, texts)))


def text_of(value: object) -> str | None:
    """A text on one line; None for an empty one."""
    return one_line(str(value)) or None if value is not None else None


def day_of(text: str | None, *patterns: re.Pattern[str]) -> date | None:
    """A day in one of the orders of a format; None for no day, a ValueError for anything else."""
    if not text or not text.strip(" 0./-"):
        return None
    for pattern in patterns:
        if match := pattern.fullmatch(text):
            parts = [int(part) for part in match.groups()]
            year, month, day = parts if len(match[1]) > 2 else reversed(parts)  # digits of a year
            return date(year, month, day)
    raise ValueError(text)


def national_record(entrant: Entrant, federation: str, rating: int | None) -> Record:
    """A player's rating on the list of a federation, with the ID there."""
    player = entrant.player
    fields: dict[str, RecordValue] = {
        "federation": federation,
        "no": entrant.no,
        "sex": player.sex,
        "title": player.title,
        "name": player.name,
        "rating": rating,
        "origin": player.federation,
        "id": entrant.national_id,
        "born": entrant.born,
    }
    return Record(NATIONAL, fields)
