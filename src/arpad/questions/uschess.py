"""US Chess: start, floor, section."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from arpad.core import Pace, Rating
from arpad.formats.section import SectionPlayer, entrants_of, read_section
from arpad.questions import readers
from arpad.questions.declare import NO_PAGE, defaulting, flag, nested, optional, question, required, several
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH, Asking
from arpad.systems.uschess import Floor, PlayerRating, SectionRating, StartRating, floor_of, rate_section, start_rating

REGULAR = "uschess-regular"
LONGEST_RESULTS = 2000  # characters of a player's results in a section


@dataclass(frozen=True, kw_only=True)
class UsChessFields(Asking):
    """Which list of US Chess, on which day."""

    system: str = defaulting(readers.text, REGULAR, example=REGULAR, group="rules")
    on: date | None = optional(readers.day, example="2026-08-30", group="rules")
    reading: tuple[tuple[str, str], ...] = several(readers.named_value, example="start=2020", group="rules")


@question(
    "start",
    examples=({"age": 8.12}, {"fide": 1500}),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class Start(UsChessFields):
    """The rating a US Chess newcomer starts from, by age or FIDE rating."""

    age: str | None = optional(readers.text, example="8.12")
    born: date | None = optional(readers.day, example="2018-05-12")
    fide: str | None = optional(readers.text, example="1500")
    adult: bool = flag()

    def answer(self) -> StartRating:
        """The rating to start from."""
        return start_rating(
            on=self.day,
            system=self.system,
            age=self.age,
            born=self.born,
            fide=self.fide,
            adult=self.adult,
            readings=dict(self.reading),
        )


@question(
    "floor",
    examples=({"peak": 1941}, {"wins": 120, "draws": 30, "events": 40}),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class FloorOf(UsChessFields):
    """The lowest a US Chess rating can fall."""

    peak: Rating | None = optional(readers.rating, example="1941")
    wins: int = defaulting(readers.count, 0, example="120")
    draws: int = defaulting(readers.count, 0, example="30")
    events: int = defaulting(readers.count, 0, example="10")
    life_master: bool = flag()
    prize: str | None = optional(readers.text, example="5000")
    under: Rating | None = optional(readers.rating, example="1800")

    def answer(self) -> Floor:
        """The floor."""
        return floor_of(
            on=self.day,
            system=self.system,
            peak=self.peak,
            wins=self.wins,
            draws=self.draws,
            events=self.events,
            life_master=self.life_master,
            prize=self.prize,
            under=self.under,
            readings=dict(self.reading),
        )


@dataclass(frozen=True, kw_only=True)
class SectionFields:
    """A player in a section; the fields are the columns of the CSV file."""

    id: str = required(readers.text, example="1")
    results: str = defaulting(readers.text, "", example="2:1 3:0.5", longest=LONGEST_RESULTS)
    rating: str = defaulting(readers.text, "", example="1500")
    games: str = defaulting(readers.text, "", example="30")
    start: str = defaulting(readers.text, "", example="1300")
    age: str = defaulting(readers.text, "", example="8.12")
    fide: str = defaulting(readers.text, "", example="1500")
    peak: str = defaulting(readers.text, "", example="1941")
    wins: str = defaulting(readers.text, "", example="120")
    draws: str = defaulting(readers.text, "", example="30")
    events: str = defaulting(readers.text, "", example="10")
    floor: str = defaulting(readers.text, "", example="1400")
    previous: str = defaulting(readers.text, "", example="wins")
    name: str = defaulting(readers.text, "", example="Adams")
    born: str = defaulting(readers.text, "", example="2018-05-12")
    adult: str = defaulting(readers.text, "", example="yes")
    gained_180_days: str = defaulting(readers.text, "", example="20")
    gained_3_years: str = defaulting(readers.text, "", example="60")


@question(
    "section",
    needs=("path|players",),
    examples=({"path": "docs/examples/uschess-section.csv", "on": "2026-08-30"},),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class SectionOf(UsChessFields):
    """A whole US Chess section: every player's new rating, or one player's."""

    path: str | None = optional(readers.path, example="section.csv", word=True, longest=LONGEST_PATH, **COMMAND_ALONE)
    players: tuple[SectionFields, ...] = nested(
        SectionFields, doors=frozenset({"api"}), why="at the command the players are a CSV file"
    )
    player: str | None = optional(readers.text, example="3")
    match: bool = flag()
    time: Pace | None = optional(readers.pace, example="90+30", group="event")

    def answer(self) -> SectionRating | PlayerRating:
        """The section, or one of its players."""
        players = [SectionPlayer(**vars(player)) for player in self.players]
        entrants = entrants_of(players) if self.path is None else read_section(self.path)
        rated = rate_section(
            entrants, on=self.day, system=self.system, pace=self.time, match=self.match, readings=dict(self.reading)
        )
        return rated if self.player is None else rated.player(self.player)
