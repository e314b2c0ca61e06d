"""Plans side by side: what each is expected to gain, its chance to reach the target, and its risk."""

from __future__ import annotations

from typing import Any, NamedTuple

from arpad.ahead.chances import percent, signed
from arpad.contract import Calculation, Figure, Note
from arpad.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.ahead.season import Season

MOST_PLANS = 10


class Plan(NamedTuple):
    """A season with a name."""

    name: str
    season: Season


class Comparison(Calculation):
    """Several plans of one player."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = tuple(plans)
        first = self.plans[0].season
        super().__init__(
            first.system,
            first.on,
            tuple(root for plan in self.plans for root in plan.season.roots),
            self._noted,
        )

    def _noted(self) -> list[Note]:
        """Each plan's notes, those that agree once."""
        notes: list[Note] = []
        for plan in self.plans:
            notes += [note for note in plan.season.notes if note not in notes]
        return notes

    @property
    def best(self) -> Plan:
        """The plan with the best chance to reach the target; without a target, with the highest expected gain."""
        return max(self.plans, key=_merit)

    def figures(self) -> list[Figure]:
        season = self.best.season
        why = f"{percent(season.reach)} to reach {season.asked.reach}"
        if season.reach is None:
            why = "no rating is left" if season.mean is None else f"{signed(season.mean)} on average"
        return [Figure("best", self.best.name, why)]

    def value(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "on": self.on.isoformat(),
            "best": self.best.name,
            "plans": [{"name": plan.name, **plan.season.value()} for plan in self.plans],
        }


def _merit(plan: Plan) -> tuple[float, float]:
    season = plan.season
    gain = float("-inf") if season.mean is None else season.mean
    return (0.0 if season.reach is None else season.reach), gain


def compare_plans(plans: Sequence[Plan]) -> Comparison:
    """Two or more plans side by side."""
    if not 2 <= len(plans) <= MOST_PLANS:
        raise BadInput(f"{len(plans)} plans cannot be compared; give from 2 to {MOST_PLANS}.", at="plan")
    return Comparison(plans)
