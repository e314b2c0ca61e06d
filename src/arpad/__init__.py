"""Arpad computes chess ratings by the book, for the date of the event, and shows its working."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arpad import bulk as bulk
    from arpad.calculation.answer import Answer, Figure
    from arpad.calculation.step import Step
    from arpad.charts import Chart
    from arpad.core import (
        DwzStanding,
        EloStanding,
        Event,
        Field,
        Game,
        GlickoStanding,
        ListedK,
        Pace,
        Pairing,
        Period,
        PlannedEvent,
        Player,
        Standing,
        draw,
        loss,
        win,
    )
    from arpad.core.tournaments import Adjustment, Entrant, Oddity, Record, Round, Source, Team, Tournament
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
    from arpad.forecast.needs import NeededRating, NeededScore, rating_needed, score_needed
    from arpad.forecast.outlook import Outlook, look_ahead
    from arpad.forecast.plans import PlanComparison, compare_plans
    from arpad.forecast.season import Season, look_ahead_season
    from arpad.forecast.strength import LikelyStrength, likely_strength
    from arpad.formats import read, write
    from arpad.matches import MatchResult, Sprt, match
    from arpad.messages import Message
    from arpad.questions.rules import rules
    from arpad.reading import read_paste
    from arpad.reading.pasted import LeftOutLine, Paste, PastedGame
    from arpad.rulebooks import Change, Rule, Rulebook
    from arpad.systems import system, system_from, system_names
    from arpad.systems.answers import (
        Chances,
        Conversion,
        EventChange,
        Expectation,
        FirstRating,
        GameChange,
        RatingChange,
    )
    from arpad.systems.base import System
    from arpad.systems.chances import DrawModel, draw_model
    from arpad.systems.comparison import ComparedSystem, Comparison, compare
    from arpad.systems.diary import Diary, keep_diary
    from arpad.systems.glicko.rating import GlickoChange
    from arpad.systems.performance import Performance, performance
    from arpad.tournaments.checks import Finding, inconsistencies
    from arpad.tournaments.event import rate_event
    from arpad.tournaments.event.player import PlayerReport
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.norms.answer import NormsReport, PlayerNorms
    from arpad.tournaments.norms.report import find_norms
    from arpad.tournaments.standings import EventStandings, standings
    from arpad.tournaments.tiebreaks import TieBreaks, tie_breaks
    from arpad.tournaments.titles import DirectTitle, direct_title

__version__ = "0.1.0"

# Where each public name lives. A module is imported when one of its names is first used, so that the command line
# pays only for what it needs.
_HOMES = {
    "calculation.answer": "Answer Figure",
    "calculation.step": "Step",
    "charts": "Chart",
    "core": (
        "DwzStanding EloStanding Event Field Game GlickoStanding ListedK Pace Pairing Period PlannedEvent "
        "Player Standing draw loss win"
    ),
    "core.tournaments": "Adjustment Entrant Oddity Record Round Source Team Tournament",
    "errors": "ArpadError BadFile BadInput BadRulebook Busy MissingExtra UncoveredDate UnknownName Unsupported",
    "forecast.needs": "NeededRating NeededScore rating_needed score_needed",
    "forecast.outlook": "Outlook look_ahead",
    "forecast.plans": "PlanComparison compare_plans",
    "forecast.season": "Season look_ahead_season",
    "forecast.strength": "LikelyStrength likely_strength",
    "formats": "read write",
    "matches": "MatchResult Sprt match",
    "messages": "Message",
    "questions.rules": "rules",
    "reading": "read_paste",
    "reading.pasted": "LeftOutLine Paste PastedGame",
    "rulebooks": "Change Rule Rulebook",
    "systems": "system system_from system_names",
    "systems.answers": "Chances Conversion EventChange Expectation FirstRating GameChange RatingChange",
    "systems.chances": "DrawModel draw_model",
    "systems.comparison": "ComparedSystem Comparison compare",
    "systems.diary": "Diary keep_diary",
    "systems.glicko.rating": "GlickoChange",
    "systems.performance": "Performance performance",
    "systems.base": "System",
    "tournaments.checks": "Finding inconsistencies",
    "tournaments.event": "rate_event",
    "tournaments.event.player": "PlayerReport",
    "tournaments.event.report": "EventReport",
    "tournaments.norms.answer": "NormsReport PlayerNorms",
    "tournaments.norms.report": "find_norms",
    "tournaments.standings": "EventStandings standings",
    "tournaments.tiebreaks": "TieBreaks tie_breaks",
    "tournaments.titles": "DirectTitle direct_title",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Adjustment",
    "Answer",
    "ArpadError",
    "BadFile",
    "BadInput",
    "BadRulebook",
    "Busy",
    "Chances",
    "Change",
    "Chart",
    "ComparedSystem",
    "Comparison",
    "Conversion",
    "Diary",
    "DirectTitle",
    "DrawModel",
    "DwzStanding",
    "EloStanding",
    "Entrant",
    "Event",
    "EventChange",
    "EventReport",
    "EventStandings",
    "Expectation",
    "Field",
    "Figure",
    "Finding",
    "FirstRating",
    "Game",
    "GameChange",
    "GlickoChange",
    "GlickoStanding",
    "LeftOutLine",
    "LikelyStrength",
    "ListedK",
    "MatchResult",
    "Message",
    "MissingExtra",
    "NeededRating",
    "NeededScore",
    "NormsReport",
    "Oddity",
    "Outlook",
    "Pace",
    "Pairing",
    "Paste",
    "PastedGame",
    "Performance",
    "Period",
    "PlanComparison",
    "PlannedEvent",
    "Player",
    "PlayerNorms",
    "PlayerReport",
    "RatingChange",
    "Record",
    "Round",
    "Rule",
    "Rulebook",
    "Season",
    "Source",
    "Sprt",
    "Standing",
    "Step",
    "System",
    "Team",
    "TieBreaks",
    "Tournament",
    "UncoveredDate",
    "UnknownName",
    "Unsupported",
    "__version__",
    "compare",
    "compare_plans",
    "direct_title",
    "draw",
    "draw_model",
    "find_norms",
    "inconsistencies",
    "keep_diary",
    "likely_strength",
    "look_ahead",
    "look_ahead_season",
    "loss",
    "match",
    "performance",
    "rate_event",
    "rating_needed",
    "read",
    "read_paste",
    "rules",
    "score_needed",
    "standings",
    "system",
    "system_from",
    "system_names",
    "tie_breaks",
    "win",
    "write",
]


def __getattr__(name: str) -> object:
    if name == "bulk":
        return import_module("arpad.bulk")
    if name not in _HOME:
        raise AttributeError(f"module 'arpad' has no attribute '{name}'")
    value: object = getattr(import_module(f"arpad.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "bulk"]
