"""What people type and paste, turned into values."""

from arpad.reading.notation import (
    names_somebody,
    parse_birth_year,
    parse_date,
    parse_federation,
    parse_field,
    parse_game,
    parse_no,
    parse_opponent,
    parse_pace,
    parse_pairing,
    parse_rating,
    parse_sex,
    parse_span,
    parse_title,
    parse_us_pace,
    parts_of,
)
from arpad.reading.results import apart, is_result, parted, score_of

__all__ = [
    "apart",
    "is_result",
    "names_somebody",
    "parse_birth_year",
    "parse_date",
    "parse_federation",
    "parse_field",
    "parse_game",
    "parse_no",
    "parse_opponent",
    "parse_pace",
    "parse_pairing",
    "parse_rating",
    "parse_sex",
    "parse_span",
    "parse_title",
    "parse_us_pace",
    "parted",
    "parts_of",
    "score_of",
]
