"""Arpad computes chess ratings by the book, for the date of the event, and shows its working."""

from arpad.comparison import compare
from arpad.errors import ArpadError, BadFile, BadInput, BadRulebook, NotYet, UncoveredDate, UnknownName
from arpad.match_rules import Sprt
from arpad.matches import match
from arpad.model import Event, Game, Pace, Period, Player, draw, loss, win
from arpad.outlook import rating_needed, score_needed
from arpad.performances import performance
from arpad.systems import rules, system, system_from, system_names

__all__ = [
    "ArpadError",
    "BadFile",
    "BadInput",
    "BadRulebook",
    "Event",
    "Game",
    "NotYet",
    "Pace",
    "Period",
    "Player",
    "Sprt",
    "UncoveredDate",
    "UnknownName",
    "__version__",
    "compare",
    "draw",
    "loss",
    "match",
    "performance",
    "rating_needed",
    "rules",
    "score_needed",
    "system",
    "system_from",
    "system_names",
    "win",
]

__version__ = "0.1.0"
