"""Matches between two engines: Elo difference with error bars, normalised Elo, LOS and SPRT."""

from arpad.matches.answer import MatchResult, SprtResult
from arpad.matches.rules import PROGRAMS, Sprt
from arpad.matches.statistics import match

__all__ = ["PROGRAMS", "MatchResult", "Sprt", "SprtResult", "match"]
