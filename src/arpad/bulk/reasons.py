"""Why rows are rejected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.core import HIGHEST_K, HIGHEST_RATING, LOWEST_RATING
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping

TAKEN, ELSEWHERE = "taken", "elsewhere"
# In the order in which they are checked: a row gets the first reason that applies.
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
    "bad_approved",
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
    """A reason in words."""
    return str(say(f"bulk.reason.{reason}", low=LOWEST_RATING, high=HIGHEST_RATING, most_k=HIGHEST_K))


@dataclass(frozen=True, slots=True)
class Reasons:
    """How many rows were rejected for each reason, as a value in a message."""

    counts: Mapping[str, int]
    before: str = ""  # what comes before the reasons, if there are any

    def __str__(self) -> str:
        said = "; ".join(f"{reason_text(reason)} ({count:,})" for reason, count in self.counts.items())
        return f"{self.before}{said}" if said else ""
