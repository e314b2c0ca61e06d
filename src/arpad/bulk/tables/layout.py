"""The columns of bulk tables: Arpad's name for each, and the other names by which it is recognised."""

from collections.abc import Mapping, Sequence

from arpad.errors import BadInput, UnknownName
from arpad.messages import say

GAMES: Mapping[str, tuple[str, ...]] = {
    "white": ("white_id", "white_fide_id", "whitefideid", "whiteid", "white_player", "whiteplayer", "white player #"),
    "black": ("black_id", "black_fide_id", "blackfideid", "blackid", "black_player", "blackplayer", "black player #"),
    "result": ("score", "white_score", "whitescore", "outcome"),
    "date": ("day", "played_on", "game_date"),
    "period": ("rating_period", "month", "monthid", "month #"),
    "start": ("event_start", "event_date", "eventdate", "start_date"),
    "event": ("event_id", "tournament", "tournament_id", "event_code"),
    "round": ("rd", "round_no", "game_id"),
    "time": ("time_control", "timecontrol", "pace"),
    "how": ("termination",),
    "approved": ("qc_approved",),
    "highest": ("tournament_highest",),
    "white_rating": ("white_elo", "whiteelo"),
    "black_rating": ("black_elo", "blackelo"),
}
PLAYERS: Mapping[str, tuple[str, ...]] = {
    "id": ("player", "player_id", "fide_id", "fideid", "id_number"),
    "rating": ("elo", "rtng"),
    "k": ("k_by_hand",),
    "born": ("birth_year", "year_of_birth", "birthday", "b-day", "birth"),
    "games": ("games_before", "games_completed"),
    "peak": ("highest", "highest_rating"),
    "standard": ("standard_rating", "srtng"),
    "base": ("corrected",),
}
POOL: Mapping[str, tuple[str, ...]] = {
    "player": (), "event": (), "start": (), "opponent": (), "half_points": (), "minutes": (), "highest": (),
}  # fmt: skip
NEEDED = {
    "games": ("white", "black", "result"),
    "players": ("id", "rating"),
    "pool": ("player", "opponent", "half_points"),
}
IDS = {"games": ("white", "black"), "players": ("id",), "pool": ("player",)}  # the columns with players
COLUMNS = {"games": GAMES, "players": PLAYERS, "pool": POOL}
# The columns that the next list adds; in an input they are ignored.
ADDED = ("before", "change", "rated", "k_used", "k_next", "flags")


def recognise(table: str, names: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """The name in the file of each column of the layout that the file has; `columns` gives unusual names."""
    lower = {name.strip().lower(): name for name in reversed(names)}
    found = {}
    for column, others in COLUMNS[table].items():
        if column in columns:
            if columns[column] not in names:
                raise UnknownName(f"{table}_column", columns[column], known=names, at=f"columns, {column}")
            found[column] = columns[column]
        else:
            name = next((lower[known_as] for known_as in (column, *others) if known_as in lower), None)
            if name is not None:
                found[column] = name
    missing = [column for column in NEEDED[table] if column not in found]
    if missing:
        said = say(f"bulk.table.{table}")
        lacks = say("bulk.file.columns", table=said, missing=missing, names=", ".join(names), first=missing[0])
        raise BadInput(lacks, at=table)
    return found


def of_table(table: str, columns: Mapping[str, str]) -> dict[str, str]:
    """The part of a mapping of columns that belongs to one table."""
    known = {name for names in COLUMNS.values() for name in names}
    for column in columns:
        if column not in known:
            raise UnknownName("column", column, known=known, at="columns")
    return {column: name for column, name in columns.items() if column in COLUMNS[table]}
