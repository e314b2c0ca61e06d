"""How reliable a rating is: how far strength lies from it, by how many games it rests on and whether they are recent.

The figures are in reliability.toml, written by bench/fit_reliability.py from two of FIDE's lists; see docs/chances.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from arpad.core import EloStanding
from arpad.errors import Unsupported
from arpad.messages import say
from arpad.systems.chances import FITTED_ON

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from arpad.core import Player
    from arpad.messages import Message
    from arpad.systems.system import System


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """The standard deviation of strength around the rating: established players, those with few games, or juniors."""

    kind: str
    inactive: bool  # no game for a year or more
    deviation: float
    error: float  # the standard error of the deviation
    players: int

    @property
    def doubtful(self) -> bool:
        """Whether the rating is less reliable than most."""
        return self.inactive or self.kind == "few"

    @property
    def note(self) -> Message:
        """The assumption, with its number and its source."""
        key = f"notes.reliability.{self.kind}{'.inactive' if self.inactive else ''}"
        return say(key, deviation=round(self.deviation), error=round(self.error), players=self.players)


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    """The data file."""
    import tomllib  # most outlooks do not ask for it

    return tomllib.loads((get_data("arpad.forecast", "reliability.toml") or b"").decode())


def reliability_of(system: System, player: Player, *, on: date, inactive: bool = False) -> Reliability:
    """How reliable a rating is: established, unless the player is known to be a junior or to have few games."""
    if system.name != FITTED_ON:
        raise Unsupported(say("forecast.refused.reliability_system", system=system.name), at="inactive")
    data, kind = _data(), "established"
    standing = EloStanding.of(player)
    junior = player.birth_year is not None and on.year - player.birth_year < data["adult"]
    if standing.games is not None and standing.games < data["few_games"]:
        kind = "few"
    elif junior:
        kind = "junior"
    elif standing.games is None and standing.k == data["few_k"]:
        kind = "few"
    return next(Reliability(**cell) for cell in data["cells"] if (cell["kind"], cell["inactive"]) == (kind, inactive))
