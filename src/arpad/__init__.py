"""Arpad computes chess ratings by the book, for the date of the event, and shows its working."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from arpad import bulk as bulk
    from arpad.core.model import Event, Field, Game, Pace, Pairing, Period, PlannedEvent, Player, draw, loss, win
    from arpad.core.tournament import Adjustment, Entrant, Oddity, Record, Round, Source, Team, Tournament
    from arpad.errors import (
        ArpadError,
        BadFile,
        BadInput,
        BadRulebook,
        Busy,
        MissingExtra,
        UncoveredDate,
        UnknownName,
        Unsupported,
    )
    from arpad.forecast.needs import rating_needed, score_needed
    from arpad.forecast.outlook import look_ahead
    from arpad.forecast.plans import Plan, compare_plans
    from arpad.forecast.season import look_ahead_season
    from arpad.forecast.strength import likely_strength
    from arpad.formats.recognise import read, write
    from arpad.matches import match
    from arpad.matches.rules import Sprt
    from arpad.questions.rulebooks import rules
    from arpad.systems import system, system_from, system_names
    from arpad.systems.comparison import compare
    from arpad.systems.draw_models import draw_model
    from arpad.systems.performance import performance
    from arpad.tournaments.checks import inconsistencies
    from arpad.tournaments.event import rate_event
    from arpad.tournaments.norms.report import find_norms
    from arpad.tournaments.tiebreaks.report import tie_breaks

__version__ = "0.1.0"

# Where each public name lives. A module is imported when one of its names is first used, so that the command line
# pays only for what it needs.
_HOMES = {
    "forecast.needs": "rating_needed score_needed",
    "forecast.outlook": "look_ahead",
    "forecast.plans": "Plan compare_plans",
    "forecast.season": "look_ahead_season",
    "forecast.strength": "likely_strength",
    "tournaments.checks": "inconsistencies",
    "systems.comparison": "compare",
    "systems.draw_models": "draw_model",
    "errors": "ArpadError BadFile BadInput BadRulebook Busy MissingExtra UncoveredDate UnknownName Unsupported",
    "tournaments.event": "rate_event",
    "formats.recognise": "read write",
    "matches": "match",
    "matches.rules": "Sprt",
    "core.model": "Event Field Game Pace Pairing Period PlannedEvent Player draw loss win",
    "tournaments.norms.report": "find_norms",
    "systems.performance": "performance",
    "questions.rulebooks": "rules",
    "systems": "system system_from system_names",
    "tournaments.tiebreaks.report": "tie_breaks",
    "core.tournament": "Adjustment Entrant Oddity Record Round Source Team Tournament",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Adjustment",
    "ArpadError",
    "BadFile",
    "BadInput",
    "BadRulebook",
    "Busy",
    "Entrant",
    "Event",
    "Field",
    "Game",
    "MissingExtra",
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
    "Unsupported",
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
