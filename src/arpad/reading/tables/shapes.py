"""Tables without headings: the meaning of a column is inferred from its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from arpad.messages import Message, say
from arpad.reading.lines import LONGEST_LINE, WHOLE_TABLE, read_line
from arpad.reading.pasted import OWN_ROW, PARTICULARS, Account, PastedLine
from arpad.reading.results import SCORES, is_mark, is_score, letter_signs, meaning_of
from arpad.reading.sites import is_arena, read_arena, read_spaced_arena
from arpad.reading.tables.boards import board_of, boards_in_matches, is_board_number
from arpad.reading.tables.cells import (
    count_in,
    is_count,
    is_cross_cell,
    is_federation,
    is_figure,
    is_name,
    is_rating,
    is_wordy,
    no_game_in,
    rating_in,
    title_in,
)
from arpad.reading.tables.columns import TableHeadings
from arpad.reading.tables.crosstable import is_own_cell
from arpad.reading.tables.own import (
    parts_of_result,
    read_boards,
    read_card,
    read_crosstable,
    read_round_robin,
    state_rating,
)
from arpad.reading.tables.rows import PastedRow, Separator, is_block_result, split

NO_GAME = say("reading.why.not_like_the_others")
LEAST_CELLS = 3
GLYPHS = ("½", "=", "+", "-", "1/2")
MOST_RESULT_COLUMNS = 2  # the opponent's points and the result
YEAR_OF_BIRTH = re.compile(r"19[3-9][0-9]|20[01][0-9]")  # of most players


def read_shapes(account: Account) -> bool:
    """Read a table without headings; false if the text has no rows of cells."""
    if any(is_board_number(line.text) for line in account.lines):
        account.layout = "team boards"
        read_boards(account, boards_in_matches(account.lines, None), colours=False)
        return True
    separator = _separator(account.lines)
    if separator is None:
        return read_spaced_arena(account)
    rows, block, others = _rows(account.lines, separator)
    reasons = [_why_no_row(row) for row in rows]
    if all(why is NO_GAME for why in reasons):
        return False
    for row, why in zip(rows, reasons, strict=True):
        if why is not None:
            account.leave(row.lines, why, doubtful=True)
    rows = [row for row, why in zip(rows, reasons, strict=True) if why is None]
    if not rows:
        return True
    columns = _Columns(rows, max(len(row.cells) for row in rows))
    if columns.every_cell(0, is_rating) and columns.first(is_name) is None:
        return False  # a list of ratings and results
    _read_others(account, others, columns.width, separator)
    _read_rows(account, columns, block)
    return True


def _read_rows(account: Account, columns: _Columns, block: int | None) -> None:
    """Read the rows as what their cells show: pairings, a crosstable, a round robin, or a card."""
    rows = columns.rows
    scores = sum(any(map(is_score, row.cells)) for row in rows)
    pairs = sum(_people(row.cells) == 2 for row in rows)
    if 2 * scores > len(rows) or 2 * pairs > len(rows):
        account.layout = "pairings"
        boards = [board for row in rows if (board := board_of(row.lines, None)) is not None]
        team_boards = any("." in row.cells[0].strip(".") for row in rows)
        read_boards(account, boards, colours=not team_boards)
    elif any(sum(map(is_cross_cell, row.cells)) > 1 for row in rows):
        account.layout = "crosstable"
        read_crosstable(account, _crossed(columns, is_cross_cell), rows)
    elif all(sum(map(is_own_cell, row.cells)) == 1 for row in rows) and len(rows) > 1:
        account.layout = "round robin"
        read_round_robin(account, _crossed(columns, is_own_cell), rows)
    else:
        _card(account, columns, block)


def _separator(lines: Sequence[PastedLine]) -> Separator | None:
    """What separates the cells in most lines; None if nothing does. A comma may also be part of a name."""
    texts = [line.text for line in lines]
    counts: dict[Separator, int] = {
        sign: sum(text.count(sign) >= LEAST_CELLS - 1 for text in texts) for sign in ("\t", ";", "|")
    }
    counts[","] = sum(text.count(",") >= LEAST_CELLS and ", " not in text for text in texts)
    best = max(counts, key=lambda sign: counts[sign])
    return best if counts[best] else None


def _rows(lines: Sequence[PastedLine], separator: Separator) -> tuple[list[PastedRow], int | None, list[PastedLine]]:
    """The rows, the column of results that were on their own lines, and the lines that belong to no row."""
    split_lines = [(line, split(line.text, separator)) for line in lines if line.text.strip()]
    width = max((len(cells) for _, cells in split_lines if is_count(cells[0])), default=0)
    rows: list[PastedRow] = []
    others: list[PastedLine] = []
    block: int | None = None
    for line, cells in split_lines:
        if _starts(cells, width, count_in(rows[-1].cells[0]) if rows else 0):
            rows.append(PastedRow([line], cells))
        elif rows and len(cells) == 1 and not rows[-1].cells[-1].strip() and is_block_result(cells[0]):
            rows[-1].cells[-1] = cells[0]
            rows[-1].lines.append(line)
            block = len(rows[-1].cells) - 1 if block is None else block
        elif rows and separator == "\t" and _continues(rows[-1], cells, width):
            rows[-1].cells += cells
            rows[-1].lines.append(line)
        else:
            others.append(line)
    return rows, block, others


def _starts(cells: Sequence[str], width: int, last_number: int) -> bool:
    """Whether a line begins a row: a number first, and enough cells or the next number."""
    if len(cells) < LEAST_CELLS or not is_count(cells[0]):
        return False
    follows = abs(count_in(cells[0]) - last_number) == 1
    return 2 * len(cells) >= width or follows or any(map(no_game_in, cells))


def _continues(row: PastedRow, cells: Sequence[str], width: int) -> bool:
    """Whether a line continues a row that a page broke."""
    if len(cells) >= LEAST_CELLS and any(map(is_wordy, cells)) and any(map(is_name, row.cells)):
        return False  # another row, and not the rest of this one
    broken = not row.cells[-1].strip() or len(row.lines) > 1
    short = len(cells) > 1 or len(cells[0].strip()) <= len("9999") or len(row.cells) < width
    return broken and short and not (len(cells) == 1 and is_wordy(cells[0]) and len(row.cells) >= width)


def _why_no_row(row: PastedRow) -> Message | None:
    """Why a row is not one game: it has no figure behind its number, or it holds a whole table."""
    if not (any(sign.isdecimal() for cell in row.cells[1:] for sign in cell) or any(map(no_game_in, row.cells))):
        return NO_GAME
    return WHOLE_TABLE if _people(row.cells) > 2 else None


def _people(cells: Sequence[str]) -> int:
    """How many people a row has: names followed by a rating."""
    filled = [cell for cell in cells if cell.strip()]
    return sum(is_wordy(cell) and is_rating(behind) for cell, behind in pairwise(filled))


@dataclass(frozen=True)
class _Columns:
    """Rows without headings, examined column by column."""

    rows: Sequence[PastedRow]
    width: int

    @cached_property
    def cells(self) -> list[list[str]]:
        """The filled cells of each column, in rows with an opponent."""
        rows = [row for row in self.rows if not any(map(no_game_in, row.cells))]
        return [[cell for row in rows if (cell := row.cell(place))] for place in range(self.width)]

    def every_cell(self, place: int, test: Callable[[str], bool]) -> bool:
        """Whether a column is not empty and every cell passes a test."""
        cells = self.cells[place] if 0 <= place < self.width else []
        return bool(cells) and all(map(test, cells))

    def those(self, test: Callable[[str], bool], start: int = 0, until: int | None = None) -> list[int]:
        """The columns from `start` on, and before `until`, that are not empty and in which every cell passes a test."""
        places = range(start, self.width if until is None else until)
        return [place for place in places if self.every_cell(place, test)]

    def first(self, test: Callable[[str], bool]) -> int | None:
        """The first column in which every cell passes a test."""
        return next(iter(self.those(test)), None)

    def headed(self, roles: Mapping[int, str], numbers: Mapping[int, int] | None = None) -> TableHeadings:
        """Headings with these roles and numbers, by column, as if they were printed."""
        places = range(self.width)
        return TableHeadings(
            tuple("" for _ in places),
            tuple(roles.get(place, "unknown") for place in places),
            tuple((numbers or {}).get(place) for place in places),
        )


def _read_others(account: Account, others: Sequence[PastedLine], width: int, separator: Separator) -> None:
    """Read the lines outside the rows: the player's own row has as many cells; a played game is read."""
    for line in others:
        cells = split(line.text, separator)
        own = [cell.strip() for cell in cells if is_wordy(cell) and not is_federation(cell)]
        is_own = 2 * len(cells) >= width and len(cells) >= LEAST_CELLS and any(map(is_rating, cells)) and own
        if is_own and account.player is None:
            account.player = own[0]
        games = () if is_own or len(line.text) > LONGEST_LINE else read_line(line.text, player=account.player).games
        if games and all(game.result != "to-come" for game in games):
            for game in games:
                account.add(game, [line])
        else:
            account.leave([line], OWN_ROW if is_own else PARTICULARS)
            if is_own:
                _state_own_row(account, cells, own[0], line)


def _state_own_row(account: Account, cells: Sequence[str], name: str, line: PastedLine) -> None:
    """State what the player's own row says: the rating right behind the name, and the federation."""
    texts = [cell.strip() for cell in cells]
    rating = texts[texts.index(name) + 1 :][:1]
    if any(map(is_rating, rating)):
        state_rating(account, rating[0], line)
    federations = [text for text in texts if is_federation(text)]
    if len(set(federations)) == 1:
        account.state("federation", federations[0], line)


def _crossed(columns: _Columns, is_round: Callable[[str], bool]) -> TableHeadings:
    """The columns of a crosstable: the rounds or the opponents are from the first to the last one with such a cell."""
    found = [place for place in range(columns.width) if any(is_round(row.cell(place)) for row in columns.rows)]
    numbers = {place: number for number, place in enumerate(range(found[0], found[-1] + 1), start=1)}
    return columns.headed({0: "no", **_person_columns(columns)}, numbers)


def _person_columns(columns: _Columns) -> dict[int, str]:
    """The columns of name, title, rating and federation; the rating is behind a name, and not 0 in every row."""
    ratings = columns.those(_may_be_rating, (columns.first(is_name) or 0) + 1)
    rating = next((place for place in ratings if any(is_rating(row.cell(place)) for row in columns.rows)), None)
    names = columns.those(is_name, until=rating)
    roles: dict[int, str] = {}
    if names:
        roles[names[-1]] = "name"
        if columns.every_cell(names[-1] - 1, lambda cell: title_in(cell) is not None):
            roles[names[-1] - 1] = "title"
    if rating is not None:
        roles[rating] = "rating"
        if columns.every_cell(rating + 1, lambda cell: _may_be_rating(cell) and len(cell) >= len("100")):
            roles[rating + 1] = "national"
    if (federation := columns.first(is_federation)) is not None:
        roles.setdefault(federation, "federation")
    return roles


def _may_be_rating(cell: str) -> bool:
    return rating_in(cell) is not None


def _card(account: Account, columns: _Columns, block: int | None) -> None:
    """Read a player's card: the result is beside the colour, on its own line, or in the last column of results."""
    account.layout = "card"
    roles = _person_columns(columns)
    if _counts_rounds(columns.rows):
        roles[0] = "round"
    rating = columns.headed(roles).place("rating")
    if "name" in roles.values() and is_arena(account, columns.rows, rating):
        read_arena(account, columns.rows, roles)
        return
    headings = columns.headed(roles | _colour_and_result(columns, rating, block))
    problem = (
        None if block is not None else _problem(columns, rating, headings.place("colour"), headings.place("result"))
    )
    if "national" in roles.values() and all(map(YEAR_OF_BIRTH.fullmatch, columns.cells[rating or 0])):
        problem = say("reading.why.two_ratings")
    if problem is None:
        read_card(account, headings, columns.rows)
    else:
        account.leave((line for row in columns.rows for line in row.lines), problem, doubtful=True)


def _counts_rounds(rows: Sequence[PastedRow]) -> bool:
    """Whether the first column counts the rounds, upwards or downwards."""
    numbers = [count_in(row.cells[0]) for row in rows]
    steps = {later - earlier for earlier, later in pairwise(numbers)}
    return len(set(numbers)) == len(numbers) and (steps <= {1, 2, 3} or steps <= {-1, -2, -3})


def _colour_and_result(columns: _Columns, rating: int | None, block: int | None) -> dict[int, str]:
    """The columns of colour and result: the result is right after the colour, in `block`, or the last that fits."""
    colour = columns.first(_is_colour)
    roles = {} if colour is None else {colour: "colour"}
    if colour is not None and columns.every_cell(colour + 1, is_mark):
        block = colour + 1
    first = 1 + max((place for place in (rating, colour) if place is not None), default=0)
    results = columns.those(_is_result, first) if block is None else [block]
    return {**roles, results[-1]: "result"} if results else roles


def _is_colour(cell: str) -> bool:
    """Whether a cell is a colour letter: `w`, `(B)`."""
    letter = cell.strip("().").lower()
    return len(letter) == 1 and letter in letter_signs()


def _is_result(cell: str) -> bool:
    """Whether a cell can be a result: a mark, a colour letter with or without one, or a word."""
    letter, mark = parts_of_result(cell)
    return is_mark(mark) or (not mark and bool(letter)) or meaning_of(cell) in SCORES


def _problem(columns: _Columns, rating: int | None, colour: int | None, result: int | None) -> Message | None:
    """Why a card without headings cannot be read: its results may be something else.

    They are not if they are right behind the colours, or if both colours occur.
    """
    if colour is not None and (
        result == colour + 1 or len({cell.strip("().").lower() for cell in columns.cells[colour]}) > 1
    ):
        return None
    marks = columns.those(_is_result, (rating or 0) + 1)
    if len(marks) > MOST_RESULT_COLUMNS:
        return say("reading.why.columns_of_results")
    if result is None:
        return None
    glyphs = any(cell in GLYPHS for cell in columns.cells[result])
    if not glyphs and columns.those(is_figure, result + 1):  # without a ½ it may be a tie-break
        return say("reading.why.which_column")
    return say("reading.why.points_or_result_column") if _may_be_points(columns, rating, marks) else None


def _may_be_points(columns: _Columns, rating: int | None, results: Sequence[int]) -> bool:
    """Whether the only column of results may be the opponents' points, after round, board and number."""
    if len(results) > 1 or any(parts_of_result(row.cell(results[0]))[0] for row in columns.rows):
        return False
    leading = columns.those(is_count, until=columns.first(is_name) or 0)
    points = columns.those(is_figure, (rating or 0) + 1, results[0])
    glyphs = any(cell in GLYPHS for cell in columns.cells[results[0]])
    return len(leading) >= 2 and not points and not glyphs
