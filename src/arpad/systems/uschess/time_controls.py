"""Time controls: which lists a game enters, and when it is dual-rated (1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Figure, derived
from arpad.calculation.step import N, Step, formula, found, known, ruled
from arpad.errors import BadInput
from arpad.messages import say
from arpad.systems.uschess.rules import ONLINE, OVER_THE_BOARD, REGULAR, rulebook

if TYPE_CHECKING:
    from arpad.core import Pace
    from arpad.systems.uschess.rules import UsChessRules


@formula("{minutes} + {seconds}")
def minutes_and_seconds(minutes: N, seconds: N) -> N:
    """Main minutes plus seconds of delay or increment: the figure US Chess uses."""
    return minutes + seconds


@dataclass(frozen=True, kw_only=True)
class RatedIn(Answer):
    """The lists a time control is rated in."""

    pace: str
    systems: tuple[str, ...]  # the slowest first; empty, one, or two for a dual-rated game

    @derived
    def dual(self) -> bool:
        """Whether the game is rated in two lists."""
        return len(self.systems) > 1

    def summary(self) -> Sequence[Figure]:
        lists = ", ".join(self.systems) or say("answers.none")
        return (Figure("rated_in", lists, say("uschess.dual") if self.dual else None),)


def rated_in(pace: Pace, *, on: date, online: bool = False, readings: Mapping[str, str] | None = None) -> RatedIn:
    """The lists a time control is rated in, over the board or online."""
    rated = _lists(pace, rulebook(readings).at(on), ONLINE if online else OVER_THE_BOARD)
    return RatedIn(system="uschess", on=on, trail=(rated,), pace=str(pace), systems=rated.words["lists"])


def is_dual(pace: Pace | None, system: str, rules: UsChessRules) -> bool:
    """Whether this is the regular side of a dual-rated event; refused if the time control belongs to other lists."""
    if pace is None:
        return False
    lists = _lists(pace, rules, ONLINE if system in ONLINE else OVER_THE_BOARD).words["lists"]
    if system not in lists:
        where = "elsewhere" if lists else "nowhere"
        raise BadInput(say(f"uschess.rated.{where}", pace=pace, system=system, lists=lists), at="time")
    return len(lists) > 1 and system == REGULAR


def _lists(pace: Pace, rules: UsChessRules, among: tuple[str, ...]) -> Step:
    time = found(
        "time", minutes_and_seconds, minutes=known("minutes", pace.minutes), seconds=known("seconds", pace.increment)
    )
    spans = rules.time_control.value
    lists = tuple(name for name in among if name in spans and pace.fits(spans[name]))
    return ruled("rated_in", rules.time_control, ", ".join(lists) or None, words={"lists": lists}, time=time)
