"""Why rows are rejected, in the order in which it is checked: a row gets the first reason that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.core import HIGHEST_RATING, LOWEST_RATING

if TYPE_CHECKING:
    from collections.abc import Mapping

TAKEN, ELSEWHERE = "taken", "elsewhere"
RANGE = f"from {LOWEST_RATING} to {HIGHEST_RATING}"
REASONS = {
    TAKEN: "",
    ELSEWHERE: "the row belongs to another period",
    "no_white": "White's id is missing or cannot be read",
    "no_black": "Black's id is missing or cannot be read",
    "bad_result": "the result is not 1, ½ or 0",
    "unknown_white": "White is not among the players",
    "unknown_black": "Black is not among the players",
    "against_himself": "a player against himself",
    "bad_date": "the date is missing or cannot be read",
    "outside_period": "the date is not in the period",
    "bad_period": "the period is missing or is not a whole number",
    "before_rules": "the event began before the rules are covered",
    "bad_time": "the time control is not minutes+seconds, such as 90+30",
    "bad_how": "a game is played, a forfeit or a bye",
    "bad_game_rating": f"a rating on the day of the event is not a whole number {RANGE}",
    "unplayed": "the game was not played, so it says nothing about strength",
    "not_born": "a player was born after the period",
    "duplicate": "the game appears twice",
    "no_id": "the player's id is missing",
    "duplicate_id": "the player appears twice",
    "bad_rating": f"the rating is not a whole number {RANGE}",
    "bad_start": f"the rating is not a number {RANGE}, or the deviation or volatility is not above 0",
    "bad_k": "K is not a whole number from 1 to 1000",
    "bad_born": "the year of birth cannot be right",
    "bad_games": "the number of games is not a whole number from 0",
    "bad_peak": f"the peak is not a whole number {RANGE}",
    "bad_standard": f"the standard rating is not a whole number {RANGE}",
    "bad_base": f"the corrected rating is not a whole number {RANGE}",
    "bad_pool": "the game in the pool cannot be read",
    "bad_file": "the file, or the rest of it, cannot be read",
}


def reasons_of(counts: Mapping[str, int]) -> str:
    """How many rows were rejected for what."""
    return "; ".join(f"{REASONS[reason]} ({count:,})" for reason, count in counts.items())
