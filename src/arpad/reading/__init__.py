"""What people type and paste, turned into values: games, opponents, days, time controls, whole tables.

Every door and every field uses these functions, so all of them understand the same.
"""

from arpad.reading.days import parse_age, parse_birth_year, parse_date, parse_span
from arpad.reading.notation import (
    is_game_word,
    opponent_and_rest,
    parse_game,
    parse_opponent,
    parse_pairing,
    split_game,
    split_games,
    typed_words,
)
from arpad.reading.paste import read_lines, read_paste
from arpad.reading.players import (
    names_a_player,
    parse_federation,
    parse_no,
    parse_percentage,
    parse_rating,
    parse_sex,
    parse_shares,
    parse_title,
    unmarked,
)
from arpad.reading.results import ALLOWED, BYE, FORFEITS, OPEN, RESULTS, score_of
from arpad.reading.time_controls import PacePeriod, PaceReading, pace_in_figures, parse_pace, read_pace

__all__ = [
    "ALLOWED",
    "BYE",
    "FORFEITS",
    "OPEN",
    "RESULTS",
    "PacePeriod",
    "PaceReading",
    "is_game_word",
    "names_a_player",
    "opponent_and_rest",
    "pace_in_figures",
    "parse_age",
    "parse_birth_year",
    "parse_date",
    "parse_federation",
    "parse_game",
    "parse_no",
    "parse_opponent",
    "parse_pace",
    "parse_pairing",
    "parse_percentage",
    "parse_rating",
    "parse_sex",
    "parse_shares",
    "parse_span",
    "parse_title",
    "read_lines",
    "read_pace",
    "read_paste",
    "score_of",
    "split_game",
    "split_games",
    "typed_words",
    "unmarked",
]
