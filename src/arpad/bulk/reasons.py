"""Why rows are rejected, in the order in which it is checked: a row gets the first reason that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.core import HIGHEST_RATING, LOWEST_RATING
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping

TAKEN, ELSEWHERE = "taken", "elsewhere"
REASONS = (
    TAKEN,
    ELSEWHERE,
    "no_white",
    "no_black",
    "bad_result",
    "unknown_white",
    "unknown_black",
    "against_himself",
    "bad_date",
    "outside_period",
    "bad_period",
    "before_rules",
    "bad_time",
    "bad_how",
    "bad_game_rating",
    "unplayed",
    "not_born",
    "duplicate",
    "no_id",
    "duplicate_id",
    "bad_rating",
    "bad_start",
    "bad_k",
    "bad_born",
    "bad_games",
    "bad_peak",
    "bad_standard",
    "bad_base",
    "bad_pool",
    "bad_file",
)


def reason_text(reason: str) -> str:
    """A reason in words; nothing for a row that is taken."""
    return "" if reason == TAKEN else str(say(f"bulk.reason.{reason}", low=LOWEST_RATING, high=HIGHEST_RATING))


def reasons_of(counts: Mapping[str, int]) -> str:
    """How many rows were rejected for what."""
    return "; ".join(f"{reason_text(reason)} ({count:,})" for reason, count in counts.items())
