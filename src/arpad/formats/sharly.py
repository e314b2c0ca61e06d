"""Sharly Chess (.sce): an SQLite database with one event and its tournaments, of which one is read.

The program has changed its tables many times. Only the columns named here are read, each if the file has it: a file may
also have passwords, addresses and phone numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.core import DRAW, LOSS, WIN, Pace
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PENDING,
    PLAYED,
    SHORT,
    ZERO_BYE,
    Round,
    Source,
    Tournament,
)
from arpad.errors import BadFile, MissingExtra
from arpad.formats.programs import (
    ISO_DAY,
    Roster,
    check_rounds,
    chosen,
    day_of,
    joined,
    known_days,
    refused,
    scoring_of,
    text_of,
)
from arpad.formats.trf.event import pace_of
from arpad.messages import say

if TYPE_CHECKING:
    from sqlite3 import Connection

Cell = str | int | float | None
Cells = Mapping[str, Cell]

MAGIC = b"SQLite format 3\x00"
MODE = slice(18, 20)  # bytes of the header; 2 means that the newest changes may be in a second file
TWO_FILES = b"\x02\x02"
LONGEST_CELL = 1_000_000  # bytes
MOST_STEPS, STEPS = 3000, 10_000  # of SQLite's machine; a file that needs more is hostile
COLUMNS = {
    "info": "federation location start stop start_date stop_date pab_value three_points_for_a_win event_type",
    "tournament": "id name location start stop start_date stop_date rounds rating pairing time_control_trf25"
    " time_control_initial_time time_control_increment time_control_handicap_penalty_step pab_value"
    " three_points_for_a_win game_points round_datetimes",
    "player": "id last_name first_name date_of_birth year_of_birth gender title ratings fide_id federation",
    "tournament_player": "tournament_id player_id pairing_number",
    "board": "id white_player_id black_player_id",
    "pairing": "tournament_id player_id round result board_id",
}
# Views and virtual tables could do anything.
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
# Of what extensions of the program keep, passwords among it, this alone is read.
HANDICAP = "json_extract(plugin_data, '$.handicap_games.penalty_step') AS time_control_handicap_penalty_step"
GAMES = {
    0: (PENDING, None), 1: (PLAYED, LOSS), 2: (PLAYED, DRAW), 3: (PLAYED, WIN),
    4: (FORFEIT, LOSS), 5: (FORFEIT, LOSS), 6: (FORFEIT, WIN),
    11: (SHORT, LOSS), 12: (SHORT, DRAW), 13: (SHORT, WIN),
    # After a penalty: 0-0, ½-0 and 0-½, from the player's own side, and the same in games that are not rated.
    15: (PLAYED, LOSS), 16: (PLAYED, DRAW), 17: (PLAYED, LOSS),
    18: (SHORT, LOSS), 19: (SHORT, DRAW), 20: (SHORT, LOSS),
}  # fmt: skip
ALONE = {0: ABSENT, 7: ZERO_BYE, 8: HALF_BYE, 9: ALLOCATED_BYE, 10: FULL_BYE, 14: ABSENT}
LISTS = {1: "standard", 2: "rapid", 3: "blitz"}
FIDE = 3  # among the kinds of rating in files up to version 3.1
TITLES = (None, "WCM", "CM", "WFM", "FM", "WIM", "IM", "WGM", "GM")  # as numbers up to version 3.5
SEXES = (None, "w", "m")
NO_FEDERATION = "NON"
INDIVIDUAL = "INDIVIDUAL"
WIN_CODE, DRAW_CODE, LOSS_CODE, ZERO_CODE, BYE_CODE = "3", "2", "1", "7", "9"


def is_sqlite(data: bytes) -> bool:
    """Whether a file is an SQLite database."""
    return data.startswith(MAGIC)


def read_sharly(data: bytes, path: str, section: str | None = None) -> Tournament:
    """A tournament of the event, by number or name if there are several; a BadFile if the file is damaged."""
    try:
        import sqlite3  # a browser's Python may not have it
    except ImportError:
        raise MissingExtra(say("formats.sharly.no_sqlite"), at=path) from None
    if data[MODE] == TWO_FILES:
        raise BadFile(say("formats.sharly.two_files"), at=path)
    faults = sqlite3.Error, LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError
    with refused("Sharly Chess", path, *faults):
        with closing(sqlite3.connect(":memory:")) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(LONGEST_CELL, len(data)))
            tables = _tables(database, data, path)
        return _tournament(tables, path, section)


def _tables(database: Connection, data: bytes, path: str) -> dict[str, list[Cells]]:
    """The rows of each table, with the columns that are wanted and known to this version of the program."""
    left = iter(range(MOST_STEPS))
    database.set_progress_handler(lambda: next(left, None) is None, STEPS)
    database.deserialize(data)
    database.execute("PRAGMA trusted_schema = OFF")
    if database.execute("PRAGMA quick_check").fetchone() != ("ok",):
        raise ValueError("quick_check")
    present = {name for (name,) in database.execute(TABLES)}
    if "tournament" not in present or "info" not in present:
        raise BadFile(say("formats.sharly.other"), at=path)
    if not present.issuperset(COLUMNS):  # the games were in Papi files then
        raise BadFile(say("formats.sharly.old"), at=path)
    found: dict[str, list[Cells]] = {}
    for table, wanted in COLUMNS.items():
        known = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        columns = [column for column in wanted.split() if column in known]
        if table == "tournament" and "plugin_data" in known:
            columns.append(HANDICAP)
        rows = database.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608  # names from this module
        names = [column.split()[-1] for column in columns]
        found[table] = [dict(zip(names, row, strict=True)) for row in rows]
    return found


def _tournament(tables: Mapping[str, list[Cells]], path: str, section: str | None) -> Tournament:
    info, tournaments = tables["info"][0], tables["tournament"]
    if info.get("event_type") not in (None, INDIVIDUAL):
        raise BadFile(say("formats.sharly.teams"), at=path)
    if not tournaments:
        raise BadFile(say("formats.program.no_player"), at=path)
    number = chosen({at: str(row["name"]) for at, row in enumerate(tournaments, start=1)}, section, path)
    facts = tournaments[number - 1]
    roster = Roster(path)
    rounds = check_rounds(_whole(facts["rounds"]), path)
    rating = _whole(facts["rating"])
    numbers = _numbers(tables["tournament_player"], _whole(facts["id"]), roster)
    _put_rounds(roster, tables, facts, numbers)
    for row in tables["player"]:
        if row["id"] in numbers:
            _add(roster, numbers[_whole(row["id"])], row, rating)
    if rating != 1:
        roster.note("formats.program.list", lost=False, list=LISTS[rating])
    coded, pace = _time_control(facts, roster)
    start, end = (_day(facts, info, name, roster) for name in ("start", "stop"))
    federation = text_of(info.get("federation"))
    return Tournament(
        roster.entrants(),
        name=text_of(facts["name"]),
        city=text_of(facts.get("location")) or text_of(info.get("location")),
        federation=None if federation == NO_FEDERATION else federation,
        start=start,
        end=end,
        kind=text_of(facts.get("pairing")),
        time_control=coded if pace is None else str(pace),
        pace=pace,
        rounds=rounds,
        round_days=_round_days(facts, rounds),
        scoring=_scoring(facts, info),
        oddities=tuple(roster.odd),
        source=Source("sce", b""),
    )


def _whole(value: Cell) -> int:
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def _numbers(entries: list[Cells], tournament: int, roster: Roster) -> dict[int, int]:
    """The starting number of each player of the tournament by ID; players without one follow in the file's order."""
    entered = [row for row in entries if row["tournament_id"] == tournament]
    given = {_whole(row["player_id"]): row["pairing_number"] for row in entered}
    if None not in given.values() and len(set(given.values())) == len(given):
        return {player: _whole(no) for player, no in given.items()}
    roster.note("formats.program.no_numbers", lost=False)
    return {player: no for no, player in enumerate(sorted(given), start=1)}


def _put_rounds(roster: Roster, tables: Mapping[str, list[Cells]], facts: Cells, numbers: Mapping[int, int]) -> None:
    """Put the rounds of all players; byes after the last round are of rounds that were given up."""
    boards = {row["id"]: (row["white_player_id"], row["black_player_id"]) for row in tables["board"]}
    for row in tables["pairing"]:
        if row["tournament_id"] != facts["id"] or row["player_id"] not in numbers:
            continue
        player, number, result = (_whole(row[column]) for column in ("player_id", "round", "result"))
        played = _round(player, result, boards.get(row["board_id"]), numbers)
        if 1 <= number <= _whole(facts["rounds"]):
            roster.put(numbers[player], number, played, result)
        elif played is None or played.opponent:
            roster.note("formats.program.round", no=numbers[player], round=number, text=result)


def _round(player: int, result: int, board: tuple[Cell, Cell] | None, numbers: Mapping[int, int]) -> Round | None:
    """A round of a player; None if it makes no sense."""
    if board is None or None in board:
        return Round(ALONE[result]) if result in ALONE else None
    white, black = map(_whole, board)
    if player not in board or white == black or not {white, black} <= numbers.keys() or result not in GAMES:
        return None
    kind, score = GAMES[result]
    return Round(kind, numbers[black if player == white else white], "white" if player == white else "black", score)


def _add(roster: Roster, no: int, row: Cells, rating: int) -> None:
    fide, other = _ratings(row["ratings"], rating)
    if not fide and other:
        roster.not_fide(no)
    year = row.get("year_of_birth")
    roster.add(
        no,
        name=joined(row["last_name"], row["first_name"]),
        rating=fide,
        title=_named(TITLES, row["title"]),
        sex=_named(SEXES, row["gender"]),
        federation=text_of(row["federation"]),
        fide_id=_whole(row["fide_id"]) if row["fide_id"] is not None else None,
        born=roster.born(no, text_of(row["date_of_birth"]), ISO_DAY) or (year if isinstance(year, int) else None),
    )


def _ratings(text: Cell, rating: int) -> tuple[int | None, bool]:
    """FIDE's rating of a player in a list, and whether there is a rating of another kind."""
    found = json.loads(str(text)).get(str(rating), {})
    if "type" in found:
        return (found["value"] if found["type"] == FIDE else None), bool(found["value"])
    return found.get("fide"), any(found.values())


def _named(names: tuple[str | None, ...], value: Cell) -> str | None:
    """A title or a sex, which older files have as a number."""
    return names[value] if isinstance(value, int) and 0 <= value < len(names) else text_of(value)


def _time_control(facts: Cells, roster: Roster) -> tuple[str | None, Pace | None]:
    """The time control in TRF26's code, and what it means; None if players had different times."""
    seconds, increment = (facts.get(f"time_control_{part}") for part in ("initial_time", "increment"))
    coded = text_of(facts.get("time_control_trf25")) or (f"{seconds}+{increment or 0}" if seconds else None)
    if facts.get("time_control_handicap_penalty_step"):
        roster.note("formats.sharly.handicap")
        return None, None
    return coded, pace_of(coded, None)


def _day(facts: Cells, info: Cells, name: str, roster: Roster) -> date | None:
    """A day of the tournament or else of the event; an older file has a moment, whose day depends on the time zone."""
    if day := day_of(text_of(facts.get(f"{name}_date")) or text_of(info.get(f"{name}_date")), ISO_DAY):
        return day
    moment = facts.get(name) or info.get(name)
    if isinstance(moment, int | float):
        when = datetime.fromtimestamp(moment, tz=UTC).strftime("%Y-%m-%d %H:%M")
        roster.note(f"formats.sharly.{name}", when=when)
    return None


def _round_days(facts: Cells, rounds: int) -> tuple[date | None, ...]:
    given = json.loads(str(facts.get("round_datetimes") or "{}"))
    texts = [text_of(given.get(str(number))) for number in range(1, rounds + 1)]
    return known_days(None if text is None else day_of(text[:10], ISO_DAY) for text in texts)


def _scoring(facts: Cells, info: Cells) -> dict[str, Decimal] | None:
    """The points of the tournament, or else of the event, where they are not the usual ones."""
    if "game_points" in facts:
        given = json.loads(str(facts["game_points"] or "{}"), parse_float=Decimal, parse_int=Decimal)
        win, draw, loss, zero = (
            given.get(code, usual)
            for code, usual in ((WIN_CODE, WIN), (DRAW_CODE, DRAW), (LOSS_CODE, LOSS), (ZERO_CODE, LOSS))
        )
        return scoring_of(win, draw, loss, given.get(BYE_CODE), zero)
    three, bye = (
        info.get(name) if facts.get(name) is None else facts[name] for name in ("three_points_for_a_win", "pab_value")
    )
    win, draw, loss = (Decimal(3), Decimal(1), Decimal(0)) if three else (WIN, DRAW, LOSS)
    return scoring_of(win, draw, loss, {WIN_CODE: win, DRAW_CODE: draw, LOSS_CODE: loss}[str(bye or WIN_CODE)])
