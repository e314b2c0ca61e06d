"""The tables in a text or a sheet: each line of headings begins one, and its columns and cells say of which kind.

A pasted text, a CSV file, an Excel sheet, a saved page: all become rows of cells, and are read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

from arpad.messages import Message, say
from arpad.reading.particulars import is_labelled_figure
from arpad.reading.pasted import FOOTER, HEADING, NOT_A_PLAYER, PARTICULARS, RULE, TOTAL, WITHDRAWN, PastedLine
from arpad.reading.results import is_mark
from arpad.reading.tables.boards import is_match_heading
from arpad.reading.tables.cells import (
    cell_meaning,
    cross_cell,
    is_apart,
    is_count,
    is_cross_cell,
    is_rating,
    is_wordy,
    no_game_in,
)
from arpad.reading.tables.columns import TableHeadings, headings_in, roles_of, settled
from arpad.reading.tables.crosstable import own_columns, results_in
from arpad.reading.tables.rows import SEPARATORS, PastedRow, headings_of, rows_of, split
from arpad.reading.text import fold
from arpad.reading.vocabulary import words

MORE_CELLS = say("reading.why.more_cells")
MOST_OF_A_BYE = 2  # words behind the number of the round
MOST_WORDS = 12  # of a line that names a round
OF_MATCHES = TableHeadings((), ())  # of team matches, whose lines are read as they are
LINES_OF = {"total": TOTAL, "footer": FOOTER, "withdrawn": WITHDRAWN}

Kind = Literal["games", "matches", "crosstable", "round robin", "line-up", "card", "standing"]


class NotARow(NamedTuple):
    """A line without a game or a player, and why; `doubtful` if it may have one."""

    line: PastedLine
    why: Message
    doubtful: bool = False


@dataclass
class FoundTable:
    """A table: its headings, its rows, and the lines in it that are something else."""

    headings: TableHeadings
    line: PastedLine  # of the headings
    rows: list[PastedRow]
    left_out: list[NotARow] = field(default_factory=list)
    round: int | None = None  # as the line above names it
    kind: Kind = "standing"

    def leave(self, row: PastedRow, why: Message, *, doubtful: bool) -> None:
        """Leave a row out."""
        self.left_out += [NotARow(line, why, doubtful) for line in row.lines]


def tables_in_text(lines: Sequence[PastedLine], columns: Iterable[str] = ()) -> tuple[list[FoundTable], list[NotARow]]:
    """The tables with headings in a text, and the lines before the first; `columns` are headings it must have."""
    wanted = {text.strip().casefold() for text in columns}
    heads = {place: head for place, line in enumerate(lines) if (head := _head(line, wanted)) is not None}
    if wanted:
        heads = dict(list(heads.items())[:1])
    tables: list[FoundTable] = []
    before: list[NotARow] = []
    round_number: int | None = None
    for start, until in pairwise((-1, *heads, len(lines))):
        kept, left_out, following = _without_round_line(lines[start + 1 : until])
        if start < 0:
            before = [*left_out, *(NotARow(line, PARTICULARS) for line in kept)] if heads else []
        elif heads[start] is OF_MATCHES:
            rows = [PastedRow([line], []) for line in kept]
            tables.append(FoundTable(OF_MATCHES, lines[start], rows, left_out, round_number, "matches"))
        else:
            rows, others = rows_of(kept, heads[start])
            left_out += [NotARow(line, _why_other(line), _has_bye(line)) for line in others if not line.is_blank]
            tables.append(FoundTable(heads[start], lines[start], rows, left_out, round_number))
        round_number = following if following is not None else round_number
    return _joined(tables), before


def _head(line: PastedLine, wanted: set[str]) -> TableHeadings | None:
    """The headings of a line that begins a table: one with all the headings `wanted`, if the user names any."""
    for separator in SEPARATORS[:4] if wanted else ():
        cells = split(line.text, separator) if separator in line.text else []
        if wanted <= {cell.strip().casefold() for cell in cells}:
            return roles_of(cells, separator)
    text = line.text.strip()
    if wanted or not text or text[0].isdecimal() or text[0] in "[-+½*" or is_labelled_figure(text):
        return None
    return OF_MATCHES if is_match_heading(line.text) else headings_of(line.text)


def _without_round_line(lines: Sequence[PastedLine]) -> tuple[list[PastedLine], list[NotARow], int | None]:
    """The lines without ruled lines and without the one that names the round of the next table, and that round."""
    kept, left_out, found = [], [], None
    for line in lines:
        if line.text.strip() and not line.text.strip("-=|:+_ \t"):
            left_out.append(NotARow(line, RULE))
            continue
        number = _round_named(line.text)
        if number is None:
            kept.append(line)
        else:
            left_out.append(NotARow(line, HEADING))
            found = number
    return kept, left_out, found


def _round_named(line: str) -> int | None:
    """The round in a line such as `Round 4 on 2026/10/11` or `1. Runde am 26.09.2026`; None if there is none."""
    parts = line.split(maxsplit=MOST_WORDS)
    if "\t" in line or not 2 <= len(parts) <= MOST_WORDS:
        return None
    for number, word in ((parts[0], parts[1]), (parts[1], parts[0])):
        digits = number.strip(".:")
        is_number = digits.isascii() and digits.isdecimal() and len(digits) <= 2
        if is_number and len(word) > 2 and words("sentences").meaning(fold(word.strip(".:,"))) == "round":
            return int(digits)
    return None


def _why_other(line: PastedLine) -> Message:
    """What a line is that belongs to no row."""
    text = line.text.strip()
    return LINES_OF.get(cell_meaning(text) or "", TOTAL if "\t" in text else PARTICULARS)


def _has_bye(line: PastedLine) -> bool:
    """Whether a line that is too short for a row says that there was no opponent: `2 bye 1`."""
    number, *others = line.text.split(maxsplit=MOST_WORDS)
    return number.strip(".:").isdecimal() and len(others) <= MOST_OF_A_BYE and any(map(no_game_in, others))


def tables_in_rows(rows: Sequence[PastedRow], columns: Iterable[str] = ()) -> list[FoundTable]:
    """The tables with headings in rows of cells; `columns` are headings it must have."""
    wanted = {text.strip().casefold() for text in columns}
    tables: list[FoundTable] = []
    round_number: int | None = None
    for row in rows:
        filled = [cell for cell in row.cells if cell.strip()]
        if wanted:
            is_named = not tables and wanted <= {cell.strip().casefold() for cell in row.cells}
            headings = roles_of(row.cells) if is_named else None
        else:
            headings = headings_in(row.cells) if not tables or not filled[0][0].isdecimal() else None
        number = _round_named(filled[0]) if len(filled) == 1 else None
        if headings is not None:
            tables.append(FoundTable(headings, row.lines[0], [], [], round_number))
        elif number is not None:
            round_number = number
        elif tables:
            tables[-1].rows.append(row)
    return _joined(tables)


def _joined(tables: Sequence[FoundTable]) -> list[FoundTable]:
    """The tables with a repeated line of headings left out, where the numbers of the rows go on."""
    joined: list[FoundTable] = []
    for table in tables:
        last = joined[-1] if joined else None
        if last is not None and table.headings.texts == last.headings.texts and _goes_on(last, table):
            last.rows += table.rows
            last.left_out += [NotARow(table.line, HEADING), *table.left_out]
        else:
            joined.append(table)
    return joined


def _goes_on(table: FoundTable, following: FoundTable) -> bool:
    """Whether the rows of a table go on in another with the same headings: a player's number is in one of them."""
    headings = table.headings
    place = headings.place("no") if headings.place("no") is not None else headings.place("rank")
    if place is None or headings.has_games or not (headings.rounds or headings.parts) or following.round is not None:
        return False
    own = {row.cell(place) for row in table.rows}
    return not any(row.cell(place) in own for row in following.rows)


def examined(table: FoundTable, *, entries: bool = False) -> FoundTable:
    """The table with its kind, one meaning for each heading, and without the rows that are none.

    In a list of `entries`, or if the user named the column of names, a name is enough for a row. Raises BadInput if the
    meaning of a column is not clear.
    """
    if table.kind == "matches":
        return table
    width = len(table.headings.roles)
    rows = []
    for row in table.rows:
        if any(map(str.strip, row.cells[width:])):
            table.leave(row, MORE_CELLS, doubtful=True)
        else:
            rows.append(row)
    table.headings = settled(table.headings, rows)
    table.kind = _kind(table.headings, rows)
    table.rows = []
    for row in rows:
        why = _why_no_row(table, row, entries=entries)
        if why is None:
            table.rows.append(row)
        else:
            table.leave(row, why, doubtful=why is NOT_A_PLAYER)
    return table


def _kind(headings: TableHeadings, rows: Sequence[PastedRow]) -> Kind:
    """The kind of table that headings and cells show."""
    if headings.has_games:
        return "games"
    cells = {row.cell(at) for row in rows for at, _ in headings.rounds}
    if headings.across:
        return "round robin"
    if headings.parts or any(map(is_cross_cell, cells)):
        return "crosstable"
    if headings.rounds and any(number is not None for number in own_columns(rows, headings)):
        return "round robin"
    if any(map(is_apart, cells)):
        return "crosstable"
    if headings.rounds and any(results_in(cell) for cell in cells):
        return "line-up"
    if headings.place("result") is not None:
        return "card"
    if headings.rounds and (headings.place("no") is not None or headings.place("rank") is not None):
        return "crosstable"  # before its first round
    return "standing"


def _why_no_row(table: FoundTable, row: PastedRow, *, entries: bool) -> Message | None:
    """Why a row is none: repeated headings, a total, a footer; None if it has what a player or a game has."""
    headings = table.headings
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    if filled == [text.strip() for text in headings.texts if text.strip()]:
        return HEADING
    meaning = cell_meaning(filled[0]) if filled and is_wordy(filled[0]) else None
    if table.kind in ("games", "card"):
        is_short = len(filled) < 3  # a name may begin like a footer
        named = cell_meaning(row.cell(headings.place("name")))  # `;Average;1875;½`
        return TOTAL if "total" in (meaning, named) else LINES_OF.get(meaning or "") if is_short else None
    name = row.cell(headings.place("name")) or row.cell(headings.place("surname"))
    numbered = any(is_count(row.cell(headings.place(role))) for role in ("no", "rank"))
    meaning = meaning or cell_meaning(row.cell(headings.place("name")))
    if meaning == "total" or (meaning in LINES_OF and not (name and numbered)):
        return LINES_OF[meaning]
    is_known = name or numbered or row.cell(headings.place("id"))
    rounds = [place for place, _ in headings.rounds]
    rounds += [place for part in headings.parts.values() for place in part.values()]
    only_names = table.kind == "standing" and (entries or not headings.chosen.isdisjoint(("name", "surname")))
    has_facts = (
        (name and (numbered or only_names))
        or is_count(row.cell(headings.place("no")))
        or is_rating(row.cell(headings.place("rating")))
        or any(row.cell(headings.place(role)) for role in ("id", "born", "federation", "points"))
        or any(is_mark(row.cell(place)) or cross_cell(row.cell(place)) is not None for place in rounds)
    )
    return None if is_known and has_facts else NOT_A_PLAYER
