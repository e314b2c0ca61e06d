"""Tables with headings in a pasted text: each line of headings begins a table, and its columns say of which kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arpad.messages import say
from arpad.reading.pasted import HEADING, PARTICULARS, RULE, Account, PastedLine
from arpad.reading.tables.boards import (
    BoardRow,
    is_match_heading,
    name_places,
    read_boards,
    read_matches,
    read_pairings,
)
from arpad.reading.tables.card import read_card
from arpad.reading.tables.cells import is_cross_cell
from arpad.reading.tables.columns import TableHeadings, headings_of
from arpad.reading.tables.crosstable import own_columns, read_crosstable, read_line_up, read_round_robin, results_in
from arpad.reading.tables.rows import PastedRow, rows_of
from arpad.reading.text import fold
from arpad.reading.vocabulary import words

MORE_CELLS = say("reading.why.more_cells")
MOST_WORDS = 12  # of a line that names a round


def read_tables(account: Account) -> bool:
    """Read every table with headings; false if the text has none."""
    starts = [place for place, line in enumerate(account.lines) if _heads_a_table(line)]
    if not starts:
        return False
    boards: list[BoardRow] = []
    teams = False
    round_number: int | None = None
    for place, start in enumerate((-1, *starts)):
        until = starts[place] if place < len(starts) else len(account.lines)
        inside = account.lines[start + 1 : until]
        kept, following = _without_round_line(account, inside)
        line = account.lines[start] if start >= 0 else None
        if line is None:
            account.leave(kept, PARTICULARS)
        elif is_match_heading(line.text):
            account.layout, teams = "team boards", True
            boards += read_matches(account, [line, *kept], round_number)
        elif (headings := headings_of(line.text)) is not None:
            account.leave([line], HEADING)
            account.columns = account.columns or headings.readings
            boards += _read_rows(account, headings, *rows_of(kept, headings), round_number)
        round_number = following if following is not None else round_number
    read_boards(account, boards, colours=not teams)
    return True


def _heads_a_table(line: PastedLine) -> bool:
    text = line.text.strip()
    if not text or text[0].isdecimal() or text[0] in "[-+½*":
        return False
    return is_match_heading(line.text) or headings_of(line.text) is not None


def _without_round_line(account: Account, lines: Sequence[PastedLine]) -> tuple[list[PastedLine], int | None]:
    """The lines without ruled lines and without the one that names the round of the next table, and that round."""
    kept, found = [], None
    for line in lines:
        if line.text.strip() and not line.text.strip("-=|:+_ \t"):
            account.leave([line], RULE)
            continue
        number = _round_named(line.text)
        if number is None:
            kept.append(line)
        else:
            account.leave([line], HEADING)
            found = number
    return kept, found


def _round_named(line: str) -> int | None:
    """The round in a line such as `Round 4 on 2026/10/11` or `1. Runde am 26.09.2026`; None if there is none."""
    parts = line.split()
    if "\t" in line or not 2 <= len(parts) <= MOST_WORDS:
        return None
    for number, word in ((parts[0], parts[1]), (parts[1], parts[0])):
        digits = number.strip(".:")
        if digits.isascii() and digits.isdecimal() and len(digits) <= 2 and len(word) > 2:
            meaning = words("sentences").meaning(fold(word.strip(".:,")))
            if meaning == "round":
                return int(digits)
    return None


def _read_rows(
    account: Account,
    headings: TableHeadings,
    rows: Sequence[PastedRow],
    others: Iterable[PastedLine],
    round_number: int | None,
) -> list[BoardRow]:
    """Read rows by the kind of table their headings show; boards of pairings are returned, to be read together.

    A row with more cells than headings is left out.
    """
    width = len(headings.roles)
    account.leave(
        (line for row in rows if any(map(str.strip, row.cells[width:])) for line in row.lines),
        MORE_CELLS,
        doubtful=True,
    )
    rows = [row for row in rows if not any(map(str.strip, row.cells[width:]))]
    if None not in name_places(headings):
        account.layout = "pairings"
        return read_pairings(account, headings, rows, others, round_number)
    cells = [row.cell(at) for row in rows for at, _ in headings.rounds]
    if any(is_cross_cell(cell) for cell in cells):
        account.layout = "crosstable"
        read_crosstable(account, headings, rows, others)
    elif headings.rounds and any(number is not None for number in own_columns(rows, headings)):
        account.layout = "round robin"
        read_round_robin(account, headings, rows, others)
    elif headings.rounds and any(results_in(cell) for cell in cells):
        account.layout = "line-up"
        read_line_up(account, headings, rows, others)
    elif headings.place("result") is not None:
        account.layout = "card"
        read_card(account, headings, rows, others)
    else:
        account.layout = account.layout or "standing"
        account.leave((line for row in rows for line in row.lines), say("reading.why.standing"))
        account.leave(others, PARTICULARS)
        account.note(say("reading.note.standing"))
    return []
