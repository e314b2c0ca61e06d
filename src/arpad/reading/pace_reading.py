"""What a time control says: periods, increment, delay, and the minutes for 60 moves."""

from __future__ import annotations

from dataclasses import dataclass

from arpad.core import Pace, Rating
from arpad.messages import Message

LONGEST_TIME = 600  # minutes; a larger number must be seconds, or a mistake
MOVES_COUNTED = 60  # time controls are compared over this many moves


@dataclass(frozen=True, slots=True, kw_only=True)
class PacePeriod:
    """A period of a time control: its minutes and its moves; None means the rest of the game."""

    minutes: Rating
    moves: int | None = None


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
