"""What an organiser knows of the players beside the file, as a CSV table: K, year of birth, games, highest rating.

A row is found by `no`, the starting number, or by `fide_id`; the other columns may be left out or left empty:

    fide_id,k,born,games,peak
    90000074,40,2010,,
    90000090,20,,,2105
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arpad.core import EloStanding, Player
from arpad.errors import ArpadError, BadFile, BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = ("no", "fide_id")
SAYS = ("k", "born", "games", "peak", "standard", "rating")
COLUMNS = (*KEYS, *SAYS)


def read_k_table(path: str) -> dict[int, Player]:
    """The players of a table by starting number or FIDE ID, or a BadFile that names line and column."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadFile(f"The table cannot be read: {error.strerror}.", at=path) from None
    except UnicodeDecodeError:
        raise BadFile("The table is not text in UTF-8; save it as CSV in UTF-8.", at=path) from None
    return k_table_of(text, path)


def k_table_of(text: str, name: str) -> dict[int, Player]:
    """The same from a text; the name is for messages."""
    rows = csv.DictReader(text.splitlines())
    head = rows.fieldnames or ()
    if set(head) - set(COLUMNS) or not set(head) & set(KEYS):
        raise BadFile(
            f"A table of players has a column no or fide_id, and of these what is known: {', '.join(SAYS)}. "
            "The first line names the columns, with commas between.",
            at=f"{name}, line 1",
        )
    found: dict[int, Player] = {}
    try:
        for row in rows:
            number, player = _player(row, f"{name}, line {rows.line_num}")
            if number in found:
                raise BadFile(f"The player {number} stands twice in the table.", at=f"{name}, line {rows.line_num}")
            found[number] = player
    except csv.Error as error:
        raise BadFile(f"The table is not CSV: {error}.", at=f"{name}, line {rows.line_num}") from None
    return found


def _player(row: Mapping[Any, Any], at: str) -> tuple[int, Player]:
    """A row as a player under a number, with the column of whatever is wrong."""
    if None in row:
        raise BadFile("The line has more fields than the first one.", at=at)
    given = {name: value.strip() for name, value in row.items() if value and value.strip()}
    try:
        number = given.get("no") or given.get("fide_id") or ""
        if not (number.isascii() and number.isdigit()):
            raise BadInput("Each line needs a whole number in no or fide_id.", at="no")
        known: dict[str, Any] = {name: value for name, value in given.items() if name in SAYS and name != "born"}
        by_id = None if given.get("no") else int(number)
        return int(number), Player(EloStanding(**known), fide_id=by_id, birth_year=given.get("born"))
    except ArpadError as error:
        raise BadFile(error.message, at=", ".join(filter(None, (at, error.at)))) from None
