"""The rows of a table in a text: what separates its cells, lines that a web page broke, cells under their headings."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from arpad.reading.results import MARKS, compact
from arpad.reading.tables.cells import count_in, is_count, is_federation, is_rating, no_game_in, rating_in, title_in
from arpad.reading.tables.columns import LONGEST_HEADING, NAMES, UNKNOWN, TableHeadings, headings_in

if TYPE_CHECKING:
    from arpad.reading.pasted import PastedLine

Separator = Literal["\t", ";", "|", ",", "  ", " "]
SEPARATORS: tuple[Separator, ...] = ("\t", ";", "|", ",", "  ", " ")
GAPS = re.compile(r" {2,}|\t")
FOUR_DIGITS = re.compile(r"(?:^|[\t;|, ])[0-9]{4}(?:[\t;|, ]|$)")  # a rating or a year: no line of headings
MOST_LINES_OF_A_CELL = 5  # in quotes
TWO_DECIMALS = ("1.00", "0.50", "0.00")  # beside a result these are expected scores
LONGEST_BLOCK = 8  # characters of a cell that a page puts on its own line


@dataclass(slots=True)
class PastedRow:
    """A row: its lines, and its cells in the order of the headings."""

    lines: list[PastedLine]
    cells: list[str]

    def cell(self, place: int | None) -> str:
        """A cell without blanks around it; empty if the row has no such cell."""
        return self.cells[place].strip() if place is not None and place < len(self.cells) else ""


def headings_of(line: str) -> TableHeadings | None:
    """The headings in a line; None if it is not a line of headings."""
    if len(line) > LONGEST_HEADING or FOUR_DIGITS.search(line) or not any(letter.isalpha() for letter in line):
        return None
    found: list[TableHeadings] = []
    for separator in SEPARATORS:
        if separator in line or separator == " ":
            headings = headings_in(split(line, separator), separator)
            found += [] if headings is None else [headings]
        if separator == "\t" and found:
            break
    return max(found, key=lambda one: sum(role not in UNKNOWN for role in one.roles), default=None)


def split(line: str, separator: str) -> list[str]:
    """The cells of a line; a cell in quotes may contain the separator."""
    if separator == "\t":
        return [cell[1:-1].replace('""', '"') if _is_quoted(cell) else cell for cell in line.split("\t")]
    if separator == "|":
        return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
    if separator in (",", ";"):
        if '"' not in line:
            return [cell.strip() for cell in line.split(separator)]
        try:
            return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True), [""])]
        except csv.Error:  # a cell that is far too long
            return line.split(separator)
    return GAPS.split(line.strip()) if separator == "  " else line.split()


def _is_quoted(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def rows_of(lines: Sequence[PastedLine], headings: TableHeadings) -> tuple[list[PastedRow], list[PastedLine]]:
    """The rows below a line of headings, and the lines that belong to no row."""
    if headings.separator == "\t":
        return _joined(lines, headings)
    records: list[PastedRow] = []
    others: list[PastedLine] = []
    for own in _quoted_together(lines, headings.separator):
        cells = _cells_of("\n".join(line.text for line in own), headings)
        if cells is None:
            others += own
        else:
            records.append(PastedRow(own, cells))
    return records, others


def _quoted_together(lines: Iterable[PastedLine], separator: str) -> Iterator[list[PastedLine]]:
    """The lines, several together where quotes are opened in one and closed in another."""
    held: list[PastedLine] = []
    for line in lines:
        held.append(line)
        is_open = separator in (",", ";") and sum(one.text.count('"') for one in held) % 2
        if not is_open:
            yield held
            held = []
        elif len(held) == MOST_LINES_OF_A_CELL:
            yield from ([one] for one in held)
            held = []
    yield from ([one] for one in held)


def _joined(lines: Sequence[PastedLine], headings: TableHeadings) -> tuple[list[PastedRow], list[PastedLine]]:
    """The rows of a table with tabs, which a page breaks at cells that hold a block.

    The block is alone on its line, and a line with tabs has the cells after it. A new row begins with a number.
    """
    records: list[PastedRow] = []
    others: list[PastedLine] = []
    numbered = headings.roles[0] in ("round", "board", "no", "rank")
    for line in lines:
        if line.is_blank and "\t" not in line.text:
            continue
        cells = split(line.text, "\t")
        last_number = count_in(records[-1].cells[0]) if numbered and records else 0
        if _starts(cells, len(headings.roles), last_number, numbered=numbered):
            records.append(PastedRow([line], cells))
        elif records and _continues(records[-1], cells, headings.roles):
            records[-1].lines.append(line)
        else:
            others.append(line)
    return records, others


def _starts(cells: Sequence[str], width: int, last_number: int, *, numbered: bool) -> bool:
    """Whether a line begins a row: a number first, and at least half of the cells or the next number."""
    if len(cells) < 2 or not any(cell.strip() for cell in cells):
        return False
    if not numbered:
        return 2 * len(cells) > width
    if not is_count(cells[0]):
        return False
    follows = len(cells) > 2 and count_in(cells[0]) == last_number + 1
    return 2 * len(cells) >= width or follows or any(no_game_in(cell) for cell in cells)


def _continues(record: PastedRow, cells: Sequence[str], roles: Sequence[str]) -> bool:
    """Whether a line is the rest of a broken row; its cells are put under their headings."""
    at, width = len(record.cells), len(roles)
    is_open = not record.cells[-1].strip()
    if len(cells) == 1:
        text = cells[0].strip()
        is_block = compact(text) in MARKS or (len(text) <= LONGEST_BLOCK and any(sign.isdecimal() for sign in text))
        if not is_block or not (at < width or is_open):
            return False
        if at <= width and roles[at - 1] == "result" and is_open and is_block_result(text):
            record.cells[-1] = cells[0]
            return True
    elif at >= width or at + len(cells) > width + 1:
        return False
    vanished = at + 1 < width and roles[at] == "title" and roles[at + 1] in NAMES
    if vanished and cells[0].strip() and title_in(cells[0]) is None:
        record.cells.append("")  # an empty cell at the beginning of a line is lost
    record.cells += cells
    return True


def _cells_of(line: str, headings: TableHeadings) -> list[str] | None:
    """The cells of a line that is not separated by tabs, by heading; None if they do not fit."""
    width = len(headings.roles)
    cells = split(line, headings.separator)
    if headings.separator not in ("  ", " "):
        return cells if 2 * len(cells) > width or _begins_a_row(cells, headings) else None
    if headings.separator == "  " and len(cells) == width:
        return cells
    found = _by_words(line.split(), headings)
    return found if found is not None and _fits(found, headings) else None


def _begins_a_row(cells: Sequence[str], headings: TableHeadings) -> bool:
    """Whether a short line begins like a row: with a number and a name under their headings."""
    row = PastedRow([], list(cells))
    numbered = any(is_count(row.cell(headings.place(role))) for role in ("no", "rank", "round", "board"))
    return numbered and bool(row.cell(_name_place(headings)))


def _name_place(headings: TableHeadings) -> int | None:
    """The first column with a name."""
    return next((place for place, role in enumerate(headings.roles) if role in NAMES), None)


def _by_words(words: list[str], headings: TableHeadings) -> list[str] | None:
    """Cells from words, where a name has several: columns before it count from the left, those after it from the right.

    A title before the name has no heading of its own; a club may have several words too, after rating and federation.
    """
    roles = headings.roles
    name = _name_place(headings)
    if name is None or headings.count(*NAMES) > 1:
        return words if len(words) == len(roles) else None
    club = headings.place("club")
    if club is not None and club > name:
        return _around_club(words, headings, name, club)
    behind = len(roles) - name - 1
    if len(words) < len(roles) or not all(is_count(word) for word in words[:name]):
        return None
    middle = words[name : len(words) - behind]
    return [*words[:name], " ".join(middle), *words[len(words) - behind :]]


def _around_club(words: list[str], headings: TableHeadings, name: int, club: int) -> list[str] | None:
    """Cells from words where both name and club have several: the rating separates them."""
    roles = headings.roles
    rating, federation = headings.place("rating"), headings.place("federation")
    if rating is None or not name < rating < club:
        return None
    for place in range(name + 1, len(words)):
        beside = federation is None or federation != rating + 1 or is_federation("".join(words[place + 1 : place + 2]))
        if beside and (is_rating(words[place]) or words[place] == "0"):
            fixed = club - rating
            behind = len(roles) - club - 1
            last = len(words) - behind
            if last < place + fixed:
                return None
            middle = [*words[:name], " ".join(words[name:place]), *words[place : place + fixed]]
            return [*middle, " ".join(words[place + fixed : last]), *words[last:]]
    return None


def _fits(cells: Sequence[str], headings: TableHeadings) -> bool:
    """Whether cells made from words fit their headings: ratings and points are numbers, and not a club's.

    `LSG 7 1` may be the club LSG 7 and one point, or the club LSG, seven points and a win: a bare 1 or 0 after a bare
    number is not taken for a result.
    """
    rating, points, result = (headings.place(role) for role in ("rating", "points", "result"))
    if rating is not None and rating_in(cells[rating]) is None:
        return False
    if points is None:
        return True
    if not cells[points].replace(",", "").replace(".", "").replace("½", "").isdecimal() and cells[points] != "½":
        return False
    doubtful = result is not None and cells[result] in ("0", "1") and cells[points].isdecimal()
    return not (doubtful and headings.place("club") is not None)


def is_block_result(cell: str) -> bool:
    """Whether a cell alone on its line is a result; an expected score such as 0,50 is not."""
    small = compact(cell)
    return small in MARKS and small not in TWO_DECIMALS
