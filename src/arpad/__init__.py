"""Arpad computes chess ratings by the book, for the date of the event, and shows its working."""

from arpad.draws import draw_model
from arpad.errors import ArpadError, BadFile, BadInput, BadRulebook, NotYet, UncoveredDate, UnknownName
from arpad.model import Event, Field, Game, Pace, Pairing, Period, PlannedEvent, Player, draw, loss, win
from arpad.needs import rating_needed, score_needed
from arpad.performances import performance
from arpad.systems import rules, system, system_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arpad.outlook import look_ahead
    from arpad.plans import Plan, compare_plans
    from arpad.season import look_ahead_season
    from arpad.strength import likely_strength

__all__ = [
    "ArpadError",
    "BadFile",
    "BadInput",
    "BadRulebook",
    "Event",
    "Field",
    "Game",
    "NotYet",
    "Pace",
    "Pairing",
    "Period",
    "Plan",
    "PlannedEvent",
    "Player",
    "UncoveredDate",
    "UnknownName",
    "__version__",
    "compare_plans",
    "draw",
    "draw_model",
    "likely_strength",
    "look_ahead",
    "look_ahead_season",
    "loss",
    "performance",
    "rating_needed",
    "rules",
    "score_needed",
    "system",
    "system_names",
    "win",
]

__version__ = "0.1.0"

# Looking ahead is imported when somebody does it, so that whoever rates a game does not wait for it.
_LATER = {
    "Plan": "arpad.plans",
    "compare_plans": "arpad.plans",
    "likely_strength": "arpad.strength",
    "look_ahead": "arpad.outlook",
    "look_ahead_season": "arpad.season",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'arpad' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)
