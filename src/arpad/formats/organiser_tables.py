"""CSV tables of an organiser: what is known about the players beyond the tournament's file, and the prizes.

A table of players has facts for K, or another list's ratings. A row is matched by `no`, the starting number, by
`fide_id`, by `id`, which is a national one or whatever ID the file has, or by `name`; the other columns may be left out
or left empty:

    fide_id,k,born,games,peak        id,name,rating,games
    90000074,40,2010,,               12345678,"Adams, Kim",1530,
    90000090,20,,,2105               12345679,"Baker, Lou",unrated,

The other columns depend on the system: they are the fields of its players' standing. Prizes are a table of their own,
`prize,amount,condition`, with conditions such as `U2000`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from typing import Any

from arpad.core import DwzStanding, EloStanding, Player, Standing
from arpad.core.tournaments import NATIONAL, Entrant, Oddity, Tournament
from arpad.errors import BadFile, BadInput
from arpad.formats.text import CsvTable, in_row, place, read_text, whole_in
from arpad.messages import say
from arpad.reading import parse_date
from arpad.reading.tables.cells import rating_in
from arpad.reading.tables.player import WITH_INDEX
from arpad.reading.text import name_words, same_person
from arpad.reading.vocabulary import heading
from arpad.systems.uschess import UsChessStanding
from arpad.tournaments.event.player_data import Known, PlayerData
from arpad.tournaments.prizes import Prize, check_condition

KEYS = ("no", "fide_id", "id", "name")
BORN = "born"
NOT_IN_TABLES = ("k_from",)
SPELT = {"dwz_index": "index"}  # the option's name in the command
WITH_GAMES = re.compile(r"(\d{1,4}(?:\.\d+)?)\s*[Pp/]\s*(\d{1,4})")  # 1530P12, a rating based on 12 games
YEAR = re.compile(r"\d{4}")
PRIZE_COLUMNS = ("prize", "amount", "condition")
DELIMITERS = (";", "\t", ",", "|")
MEANT = {"no": "no", "id": "fide_id", "name": "name", "rating": "rating", "born": "born"}  # by a heading's meaning
YES, NO = ("yes", "true", "1"), ("no", "false", "0")


def read_players(path: str, standing: type[Standing]) -> PlayersTable:
    """The table of a file, or a BadFile that names line and column."""
    return players_of(read_text(path), path, standing)


def players_of(text: str, name: str, standing: type[Standing]) -> PlayersTable:
    """The table in a text; `name` is for messages."""
    table = CsvTable(text, name, DELIMITERS)
    names = table.columns = list(map(_column, table.columns))
    own = columns_of(standing)
    if set(names) - KNOWN or not set(names) & set(KEYS) or len(set(names)) < len(names):
        raise BadFile(say("formats.players.columns", known=[BORN, *own]), at=place(name, 1))
    rows = []
    for at, row in table.rows():
        with in_row(at):
            rows.append(_row(row, at, standing))
    used = {*KEYS, BORN, *own, *(theirs for theirs, ours in SPELT.items() if ours in own)}
    return PlayersTable(tuple(rows), tuple(column for column in names if column not in used))


def _column(text: str) -> str:
    """The column that a heading names: our own name, or a word for it in any language."""
    name = text.strip().lower()
    return name if name in KNOWN else MEANT.get(heading(text) or "", name)


def _row(row: Mapping[str, str], at: str, standing: type[Standing]) -> PlayerRow:
    """A row of the table; an error names the column."""
    given = {SPELT.get(name, name): text for name, text in row.items()}
    if not given.keys() & set(KEYS):
        raise BadInput(say("formats.players.key"), at="no")
    no, fide_id = whole_in(given, "no"), whole_in(given, "fide_id")
    rating = rating_in(given["rating"]) if "rating" in given else None
    unrated = rating is not None and rating.state == "unrated"
    if unrated:
        del given["rating"]
    text = given.get(BORN)
    born = None if text is None or YEAR.fullmatch(text) else parse_date(text, at=BORN)
    year = text if born is None else born.year
    player = Player(_standing(given, standing), fide_id=fide_id if no is None else None, birth_year=year)
    told = PlayerData(player, unrated, given.get("id"), born)
    return PlayerRow(told, at, no, fide_id, given.get("id"), given.get("name"))


def _standing(given: Mapping[str, str], standing: type[Standing]) -> Standing:
    """The standing in a row: `1530-22` is a DWZ and its index, `1530P12` a rating based on 12 games."""
    own = columns_of(standing)
    said: dict[str, Any] = {name: value for name, value in given.items() if name in own}
    for pattern, name in ((WITH_INDEX, "index"), (WITH_GAMES, "games")):
        parts = pattern.fullmatch(said.get("rating", ""))
        if parts and name in own:
            if said.get(name, parts[2]) != parts[2]:
                raise BadInput(say("formats.players.twice", column=name, value=said[name], other=parts[2]), at=name)
            said |= {"rating": parts[1], name: parts[2]}
    if "adult" in said:
        said["adult"] = yes_or_no(said["adult"])
    return standing(**said)


@dataclass(frozen=True, slots=True)
class PlayersTable:
    """A table of players for one kind of standing."""

    rows: tuple[PlayerRow, ...]
    unused: tuple[str, ...]  # columns that the system does not use

    def for_tournament(self, tournament: Tournament) -> Known:
        """What the rows say, by the starting numbers of a tournament's players.

        Two rows of one player are refused, and so is a name that two players have.
        """
        by_no = {entrant.no: entrant for entrant in tournament.entrants}
        by_fide = {entrant.player.fide_id: entrant.no for entrant in tournament.entrants if entrant.player.fide_id}
        national = [record for record in tournament.records if record.code == NATIONAL and record.text("id")]
        by_id = {record.text("id"): record.number("no") for record in national}
        by_id = by_id or {str(number): no for number, no in by_fide.items()}
        by_name: dict[tuple[str, ...], list[int]] = {}
        for entrant in tournament.entrants:
            by_name.setdefault(name_words(entrant.player.name or ""), []).append(entrant.no)
        found: dict[int, PlayerData] = {}
        nobody: list[str] = []
        odd = [Oddity(say("formats.players.unused", columns=self.unused))] if self.unused else []
        for row in self.rows:
            no = row.no if row.no in by_no else by_fide.get(row.fide_id or 0) or by_id.get(row.id or "")
            if no is None and row.no is None and row.fide_id is None and row.name:
                named = by_name.get(name_words(row.name), [])
                if len(named) > 1:
                    said = say("formats.players.two_of_a_name", name=row.name, numbers=named)
                    raise BadFile(said, at=row.at)
                no = next(iter(named), None)
            if no is None:
                nobody.append(row.called)
            elif no in found:
                raise BadFile(say("formats.players.duplicate", number=no), at=row.at)
            else:
                found[no] = row.told
                odd += _contradictions(row, by_no[no])
        return Known(found, tuple(nobody), tuple(odd))


def _contradictions(row: PlayerRow, entrant: Entrant) -> Iterator[Oddity]:
    """An oddity for a player whose name or FIDE ID in the file differs from the row's."""
    name, fide_id = entrant.player.name, entrant.player.fide_id
    if row.name and name and not same_person(row.name, name):
        said = say("formats.players.other_name", no=entrant.no, name=name, other=row.name)
        yield Oddity(said, entrant.line, contradicts=True)
    if row.fide_id and fide_id and row.fide_id != fide_id:
        said = say("formats.players.other_id", no=entrant.no, id=str(fide_id), other=str(row.fide_id))
        yield Oddity(said, entrant.line, contradicts=True)


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A row: how its player is found, and what it says about them."""

    told: PlayerData
    at: str  # the place, for messages
    no: int | None = None
    fide_id: int | None = None
    id: str | None = None
    name: str | None = None

    @property
    def called(self) -> str:
        """The value that identifies the player, for messages."""
        return next(str(value) for value in (self.no, self.fide_id, self.id, self.name) if value is not None)


def columns_of(standing: type[Standing]) -> tuple[str, ...]:
    """The columns that a table may have for players with this kind of standing."""
    return tuple(field.name for field in fields(standing) if field.name not in NOT_IN_TABLES)


OWN = {name for kind in (EloStanding, DwzStanding, UsChessStanding) for name in columns_of(kind)}
KNOWN = {*KEYS, BORN, *SPELT, *OWN}


def read_prizes(path: str) -> tuple[Prize, ...]:
    """The prizes of a table, or a BadFile that names the line."""
    return prizes_of(read_text(path), path)


def prizes_of(text: str, name: str) -> tuple[Prize, ...]:
    """The prizes in a text; `name` is for messages."""
    table = CsvTable(text, name, loose=True)
    table.columns = [heading.strip().lower() for heading in table.columns]
    if not set(PRIZE_COLUMNS[:2]) <= set(table.columns):
        raise BadFile(say("formats.prizes.columns", columns=PRIZE_COLUMNS), at=name)
    found = tuple(_prize(row, at) for at, row in table.rows())
    if not found:
        raise BadFile(say("formats.prizes.none"), at=name)
    return found


def _prize(row: Mapping[str, str], at: str) -> Prize:
    text = row.get("amount", "")
    try:
        amount = Decimal(text.replace(",", "."))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0 or "prize" not in row:
        raise BadFile(say("formats.prizes.row", text=text), at=at)
    condition = row.get("condition", "")
    check_condition(condition, at=at)
    return Prize(row["prize"], amount, condition)


def yes_or_no(text: str) -> bool:
    """Whether a text says `yes` or `no`; anything else is refused."""
    if text.lower() not in (*YES, *NO):
        raise BadInput(say("formats.section.adult", text=text), at="adult")
    return text.lower() in YES
