"""What an organiser knows of the players beside the file, as a CSV table: K, year of birth, games, highest rating.

A row is found by `no`, the starting number, or by `fide_id`; the other columns may be left out or left empty:

    fide_id,k,born,games,peak
    90000074,40,2010,,
    90000090,20,,,2105
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from arpad.core import EloStanding, Player
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.formats.text import read_text
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = ("no", "fide_id")
SAYS = ("k", "born", "games", "peak", "standard", "rating")
COLUMNS = (*KEYS, *SAYS)


def read_k_table(path: str) -> dict[int, Player]:
    """The players of a table by starting number or FIDE ID, or a BadFile that names line and column."""
    return k_table_of(read_text(path), path)


def k_table_of(text: str, name: str) -> dict[int, Player]:
    """The same from a text; the name is for messages."""
    rows = csv.DictReader(text.splitlines())
    head = rows.fieldnames or ()
    if set(head) - set(COLUMNS) or not set(head) & set(KEYS):
        raise BadFile(say("formats.k_table.columns", known=SAYS), at=f"{name}, line 1")
    found: dict[int, Player] = {}
    try:
        for row in rows:
            number, player = _player(row, f"{name}, line {rows.line_num}")
            if number in found:
                raise BadFile(say("formats.k_table.duplicate", number=number), at=f"{name}, line {rows.line_num}")
            found[number] = player
    except csv.Error as error:
        raise BadFile(say("formats.file.not_csv", why=error), at=f"{name}, line {rows.line_num}") from None
    return found


def _player(row: Mapping[Any, Any], at: str) -> tuple[int, Player]:
    """A row as a player under a number, with the column of whatever is wrong."""
    if None in row:
        raise BadFile(say("formats.k_table.fields"), at=at)
    given = {name: value.strip() for name, value in row.items() if value and value.strip()}
    try:
        number = given.get("no") or given.get("fide_id") or ""
        if not (number.isascii() and number.isdigit()):
            raise BadInput(say("formats.k_table.number"), at="no")
        known: dict[str, Any] = {name: value for name, value in given.items() if name in SAYS and name != "born"}
        by_id = None if given.get("no") else int(number)
        return int(number), Player(EloStanding(**known), fide_id=by_id, birth_year=given.get("born"))
    except ArpadError as error:
        raise BadFile(error.said, at=", ".join(filter(None, (at, error.at)))) from None
