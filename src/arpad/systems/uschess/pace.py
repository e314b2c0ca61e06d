"""Time controls: which lists a game enters, and when it is dual-rated (1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.calculation.contract import Calculation, Figure
from arpad.calculation.step import Step, formula, found, known, ruled
from arpad.errors import BadInput
from arpad.systems.uschess.rules import ONLINE, OVER_THE_BOARD, REGULAR, rulebook

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from arpad.core import Pace
    from arpad.systems.uschess.rules import UsChessRules


@formula("{minutes} + {seconds}")
def minutes_and_seconds(minutes: Any, seconds: Any) -> Any:
    """Main minutes plus seconds of delay or increment: the figure US Chess goes by."""
    return minutes + seconds


class RatedIn(Calculation):
    """The lists a time control is rated in."""

    def __init__(self, on: date, pace: Pace, rated: Step) -> None:
        super().__init__("uschess", on, (rated,))
        self.pace = pace
        self._rated = rated

    @property
    def systems(self) -> tuple[str, ...]:
        """The lists, the slowest first; none, one, or two for a dual-rated game."""
        systems: tuple[str, ...] = self._rated.words["lists"]
        return systems

    @property
    def dual(self) -> bool:
        """Whether the game is rated twice."""
        return len(self.systems) > 1

    def figures(self) -> list[Figure]:
        remark = "dual-rated: once in each list, by that list's ratings" if self.dual else ""
        return [Figure("rated_in", ", ".join(self.systems) or "none", remark)]

    def value(self) -> dict[str, Any]:
        return {
            "on": self.on.isoformat(),
            "pace": str(self.pace),
            "systems": list(self.systems),
            "dual": self.dual,
        }


def rated_in(pace: Pace, *, on: date, online: bool = False, readings: Mapping[str, str] | None = None) -> RatedIn:
    """The lists a time control is rated in, over the board or online."""
    return RatedIn(on, pace, _lists(pace, rulebook(readings).at(on), ONLINE if online else OVER_THE_BOARD))


def is_dual(pace: Pace | None, system: str, rules: UsChessRules) -> bool:
    """Whether this is the regular side of a dual-rated event; a time control that the list does not take is refused."""
    if pace is None:
        return False
    lists = _lists(pace, rules, ONLINE if system in ONLINE else OVER_THE_BOARD).words["lists"]
    if system not in lists:
        where = f"it is rated in {' and '.join(lists)}" if lists else "no list takes it"
        raise BadInput(f"The time control {pace} is not rated in {system}; {where}.", at="time")
    return len(lists) > 1 and system == REGULAR


def _lists(pace: Pace, rules: UsChessRules, among: tuple[str, ...]) -> Step:
    time = found(
        "time", minutes_and_seconds, minutes=known("minutes", pace.minutes), seconds=known("seconds", pace.increment)
    )
    spans = rules.time_control.value
    lists = tuple(name for name in among if name in spans and pace.fits(spans[name]))
    return ruled("rated_in", rules.time_control, ", ".join(lists) or "none", words={"lists": lists}, time=time)
