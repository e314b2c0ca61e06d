"""Tables in CSV or Excel: a crosstable with one line per player, or a list with one game per line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.core.tournaments import Oddity, Source
from arpad.errors import BadFile
from arpad.formats.spreadsheets.crosstable import crosstable
from arpad.formats.spreadsheets.gamelist import game_list
from arpad.formats.spreadsheets.headings import Headings
from arpad.formats.spreadsheets.rows import EXCEL, csv_sheets, excel_sheets
from arpad.formats.spreadsheets.sheet import Sheet
from arpad.formats.text import check_oddities, place
from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arpad.core.tournaments import Tournament
    from arpad.formats.spreadsheets.rows import Row

HEAD = 30  # lines that are searched for headings
ENOUGH = 3  # recognised headings


def read_table(
    data: bytes,
    path: str,
    columns: Mapping[str, str] | None = None,
    progress: Callable[[int, int], object] | None = None,
    *,
    entries: bool = False,
) -> Tournament:
    """The tournament in a table with recognised columns, or columns named by the user; `entries` need no rounds."""
    excel = data.startswith(EXCEL)
    best: tuple[int, Headings | None, list[Row], int] = (0, None, [], 0)
    listed = False  # whether some line has the headings of an entry list
    for rows in (excel_sheets if excel else csv_sheets)(data, path):
        for index, row in enumerate(rows[:HEAD]):
            headings = Headings(row.cells)
            if columns and not {heading.strip().casefold() for heading in columns.values()} <= {
                cell.strip().casefold() for cell in row.cells
            }:
                continue
            listed = listed or headings.entries >= ENOUGH
            score = max(headings.worth, headings.entries if entries else 0) + (ENOUGH if columns else 0)
            if score > best[0]:
                best = score, headings, rows, index
    score, found, rows, at = best
    if found is None or score < ENOUGH:
        raise BadFile(_not_recognised(columns, listed=listed), at=place(path, 1))
    if columns:
        found.mapped(columns, path, rows[at].number)
    odd: list[Oddity] = []
    if found.unused:
        odd.append(Oddity(say("formats.table.unused", columns=found.unused), rows[at].number))
    odd += [
        Oddity(say("formats.table.too_wide"), row.number, len(found.row) + 1, True)
        for row in rows[at + 1 :]
        if _is_too_wide(row, found)
    ]
    check_oddities(odd, path, rows[at].number)
    build = game_list if found.is_games else crosstable
    filled = [row for row in rows[at + 1 :] if any(row.cells)]
    tournament = build(Sheet(filled, found, path, odd, progress))
    return replace(tournament, source=Source("xlsx" if excel else "csv", data))


def _is_too_wide(row: Row, headings: Headings) -> bool:
    """Whether a row has something after the last heading."""
    return any(row.cells[len(headings.row) :])


def _not_recognised(columns: Mapping[str, str] | None, *, listed: bool) -> Message:
    if columns:
        return say("formats.table.no_such_headings", headings=list(columns.values()))
    return say("formats.table.only_entries" if listed else "formats.table.not_recognised")
