"""Arpad computes chess ratings by the book, for the date of the event, and shows its working."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from arpad import bulk as bulk
    from arpad.ahead.needs import rating_needed, score_needed
    from arpad.ahead.outlook import look_ahead
    from arpad.ahead.plans import Plan, compare_plans
    from arpad.ahead.season import look_ahead_season
    from arpad.ahead.strength import likely_strength
    from arpad.checks import inconsistencies
    from arpad.comparison import compare
    from arpad.draws import draw_model
    from arpad.errors import ArpadError, BadFile, BadInput, BadRulebook, NotNow, NotYet, UncoveredDate, UnknownName
    from arpad.event import rate_event
    from arpad.files.tournament import read, write
    from arpad.matches import match
    from arpad.matches.rules import Sprt
    from arpad.model import Event, Field, Game, Pace, Pairing, Period, PlannedEvent, Player, draw, loss, win
    from arpad.norms.report import find_norms
    from arpad.performances import performance
    from arpad.rulebooks import rules
    from arpad.systems import system, system_from, system_names
    from arpad.ties.report import tie_breaks
    from arpad.tournament import Adjustment, Entrant, Oddity, Record, Round, Source, Team, Tournament

__version__ = "0.1.0"

# Where each public name lives. A module is imported when one of its names is first used, so that the command line
# pays only for what it needs.
_HOMES = {
    "ahead.needs": "rating_needed score_needed",
    "ahead.outlook": "look_ahead",
    "ahead.plans": "Plan compare_plans",
    "ahead.season": "look_ahead_season",
    "ahead.strength": "likely_strength",
    "checks": "inconsistencies",
    "comparison": "compare",
    "draws": "draw_model",
    "errors": "ArpadError BadFile BadInput BadRulebook NotNow NotYet UncoveredDate UnknownName",
    "event": "rate_event",
    "files.tournament": "read write",
    "matches": "match",
    "matches.rules": "Sprt",
    "model": "Event Field Game Pace Pairing Period PlannedEvent Player draw loss win",
    "norms.report": "find_norms",
    "performances": "performance",
    "rulebooks": "rules",
    "systems": "system system_from system_names",
    "ties.report": "tie_breaks",
    "tournament": "Adjustment Entrant Oddity Record Round Source Team Tournament",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Adjustment",
    "ArpadError",
    "BadFile",
    "BadInput",
    "BadRulebook",
    "Entrant",
    "Event",
    "Field",
    "Game",
    "NotNow",
    "NotYet",
    "Oddity",
    "Pace",
    "Pairing",
    "Period",
    "Plan",
    "PlannedEvent",
    "Player",
    "Record",
    "Round",
    "Source",
    "Sprt",
    "Team",
    "Tournament",
    "UncoveredDate",
    "UnknownName",
    "__version__",
    "compare",
    "compare_plans",
    "draw",
    "draw_model",
    "find_norms",
    "inconsistencies",
    "likely_strength",
    "look_ahead",
    "look_ahead_season",
    "loss",
    "match",
    "performance",
    "rate_event",
    "rating_needed",
    "read",
    "rules",
    "score_needed",
    "system",
    "system_from",
    "system_names",
    "tie_breaks",
    "win",
    "write",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name == "bulk":
        return import_module("arpad.bulk")
    if name not in _HOME:
        raise AttributeError(f"module 'arpad' has no attribute '{name}'")
    value = getattr(import_module(f"arpad.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "bulk"]
