"""Time controls: the question `pace`, and the systems a time control is rated in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Literal

from arpad.calculation.answer import Answer, Figure, Text, derived
from arpad.calculation.step import Step, known, ruled
from arpad.core import Pace, Rating
from arpad.errors import UncoveredDate
from arpad.messages import Message, say
from arpad.questions import readers
from arpad.questions.declare import DOORS, flag, optional, question, required
from arpad.questions.fields import Asking
from arpad.reading import PacePeriod, PaceReading, read_pace
from arpad.systems.fide import LISTS, fide_pace
from arpad.systems.uschess import rated_in

UNRATED_CLOCKS = ("reading.pace.hour_glass", "reading.pace.unequal")  # understood, but rated by nobody
LONGEST_TEXT = 1000
PaceClass = Literal["standard", "rapid", "blitz", "not-rated", "unclear"]


@dataclass(frozen=True, kw_only=True)
class TimeControl(Answer):
    """What a time control says, which class FIDE puts it in, and the systems it is rated in."""

    json_names: ClassVar[dict[str, str]] = {"pace_class": "class"}

    pace: str
    systems: tuple[str, ...]  # of US Chess, the slowest first; none, one, or two for a dual-rated game
    periods: tuple[PacePeriod, ...]
    increment: Rating  # seconds a move
    delay: Rating  # seconds a move
    minutes: Rating | None  # for 60 moves; None if not understood
    pace_class: PaceClass
    rated_in: tuple[str, ...]
    why: Text | None  # what is not understood, or which games are not rated at it
    readings: tuple[Text, ...]  # what an unclear time control may mean

    @derived
    def dual(self) -> bool:
        """Whether US Chess rates the game twice."""
        return len(self.systems) > 1

    def summary(self) -> tuple[Figure, ...]:
        lists = ", ".join(self.rated_in) or say("answers.none")
        return (
            Figure("pace_class", say(f"reading.class.{self.pace_class}"), self.why),
            Figure("minutes", self.minutes, say("reading.for_60_moves")),
            Figure("rated_in", lists, say("reading.dual") if self.dual else None),
        )


@dataclass(frozen=True, slots=True)
class _FideClass:
    """The class FIDE puts a time control in, its step, and the rating from which games need more time."""

    name: PaceClass
    steps: tuple[Step, ...] = ()
    not_from: int | None = None


def _fide_class(reading: PaceReading, on: date) -> _FideClass:
    """Standard, rapid or blitz by the rules of a day, for players with the lowest time requirement."""
    if reading.minutes is None:
        unrated = reading.why is not None and reading.why.key in UNRATED_CLOCKS
        return _FideClass("not-rated" if unrated else "unclear")
    found = fide_pace(Pace(reading.minutes), on)
    if found is None:
        return _FideClass("not-rated")
    step = ruled("rated_in", found.rule, found.list, time=known("minutes", reading.minutes))
    return _FideClass(found.name, (step,), found.not_from)


def time_control(typed: str, *, on: date, online: bool = False) -> TimeControl:
    """A time control in figures or words, and where it is rated."""
    return _rated(read_pace(typed), typed, on=on, online=online)


def _rated(reading: PaceReading, typed: str, *, on: date, online: bool = False) -> TimeControl:
    """Where a time control is rated that was read from a text."""
    fide = _fide_class(reading, on)
    lists: tuple[str, ...] = ()
    trail = fide.steps
    shown = typed
    if reading.pace is not None:
        shown = str(reading.pace)
        try:
            us = rated_in(reading.pace, on=on, online=online)
        except UncoveredDate:
            if not fide.steps:
                raise
        else:
            lists, trail = us.systems, (*trail, *us.trail)
    by_fide = tuple(str(step.value) for step in fide.steps) if not online else ()
    return TimeControl(
        system="all",
        on=on,
        trail=trail,
        pace=shown,
        systems=lists,
        periods=reading.periods,
        increment=reading.increment,
        delay=reading.delay,
        minutes=reading.minutes,
        pace_class=fide.name,
        rated_in=(*by_fide, *lists),
        why=reading.why or (None if fide.not_from is None else say("reading.needs_more", rating=fide.not_from)),
        readings=reading.readings,
    )


def rated_elsewhere(pace: Pace, system: str, on: date) -> Message | None:
    """Says where a time control is rated if not in this FIDE system; None if it fits, or the system is not FIDE's."""
    if system not in LISTS.values():
        return None
    reading = PaceReading(periods=(PacePeriod(minutes=pace.minutes),), increment=pace.increment, minutes=pace.total)
    fitting = _rated(reading, str(pace), on=on).rated_in
    if system in fitting:
        return None
    key = "elsewhere" if fitting else "nowhere"
    return say(f"questions.pace.{key}", pace=pace, system=system, systems=list(fitting))


@question(
    "pace",
    doors=DOORS - {"page"},
    why="the pages say where else a time control is rated",
    needs=("pace",),
    examples=({"pace": "25+5"}, {"pace": "90 min + 30 sek"}, {"pace": "G/60;d5", "on": "2026-08-01"}),
)
@dataclass(frozen=True, kw_only=True)
class PaceOf(Asking):
    """What a time control says, and the systems it is rated in."""

    pace: str = required(readers.text, example="25+5", word=True, longest=LONGEST_TEXT)
    on: date | None = optional(readers.day, example="2026-08-01", group="rules")
    online: bool = flag()

    def answer(self) -> TimeControl:
        """The time control."""
        return time_control(self.pace, on=self.day, online=self.online)
