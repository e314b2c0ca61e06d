"""What people type and paste, turned into values: games, opponents, days, time controls, whole tables.

Every door and every field uses these functions, so all of them understand the same. What only a paste needs is loaded
with the first paste.
"""

from arpad.lazy import getter, homes_by_name

_HOMES = {
    "days": "parse_age parse_birth_year parse_date parse_span",
    "notation": "is_game_word opponent_and_rest parse_game parse_opponent parse_pairing split_game split_games "
    "typed_words",
    "paste": "read_lines read_paste",
    "players": "names_a_player parse_federation parse_no parse_percentage parse_rating parse_sex parse_shares "
    "parse_title unmarked",
    "results": "ALLOWED BYE FORFEITS OPEN RESULTS score_of",
    "time_controls": "PacePeriod PaceReading pace_in_figures parse_pace read_pace",
}
_HOME = homes_by_name(_HOMES)

__all__ = sorted(_HOME)  # noqa: PLE0605  # a list, made from the table
__getattr__ = getter(__name__, _HOME)


def __dir__() -> list[str]:
    return __all__
