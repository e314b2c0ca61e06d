"""Looking ahead: what upcoming games can do to a rating, what is needed for a target, and how strong results look."""

from arpad.forecast.distribution import Outcome
from arpad.forecast.levels import LevelChance
from arpad.forecast.needs import NeededRating, NeededScore, ScoreChange, rating_needed, score_needed
from arpad.forecast.norm_answer import MissingCondition, NormChance
from arpad.forecast.outlook import GameChances, LiveRating, Outlook, look_ahead
from arpad.forecast.plans import Plan, PlanComparison, compare_plans, look_ahead_plans
from arpad.forecast.reliability import Reliability, reliability_of
from arpad.forecast.schedule import NotRatedGame
from arpad.forecast.season import RatingChance, Season, look_ahead_season
from arpad.forecast.season_list import KChance, NotRatedChance, SeasonList
from arpad.forecast.strength import Likelihood, LikelyStrength, likely_strength

__all__ = [
    "GameChances",
    "KChance",
    "LevelChance",
    "Likelihood",
    "LikelyStrength",
    "LiveRating",
    "MissingCondition",
    "NeededRating",
    "NeededScore",
    "NormChance",
    "NotRatedChance",
    "NotRatedGame",
    "Outcome",
    "Outlook",
    "Plan",
    "PlanComparison",
    "RatingChance",
    "Reliability",
    "ScoreChange",
    "Season",
    "SeasonList",
    "compare_plans",
    "likely_strength",
    "look_ahead",
    "look_ahead_plans",
    "look_ahead_season",
    "rating_needed",
    "reliability_of",
    "score_needed",
]
