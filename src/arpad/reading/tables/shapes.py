"""Tables without headings: the meaning of a column is inferred from its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from arpad.messages import Message, say
from arpad.reading.clauses import TWO_RATINGS
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
    whole, odd, games = _sorted_rows(rows)
    if len(odd) == len(rows):
        return False
    account.leave((line for row in whole for line in row.lines), WHOLE_TABLE, doubtful=True)
    account.leave((line for row in odd for line in row.lines), say("reading.why.not_like_the_others"), doubtful=True)
    rows = games
    if not rows:
        return True
    columns = _Columns(rows, max(len(row.cells) for row in rows))
    if columns.every_cell(0, is_rating) and columns.first(is_name) is None:
        return False  # a list of ratings and results
    _read_others(account, others, columns.width, separator)
    scores = sum(any(map(is_score, row.cells)) for row in rows)
    pairs = sum(_people(row.cells) == 2 for row in rows)
    if 2 * scores > len(rows) or 2 * pairs > len(rows):
        account.layout = "pairings"
        boards = [board for row in rows if (board := board_of(row.lines, None)) is not None]
        team_boards = any("." in row.cells[0].strip(".") for row in rows)
        read_boards(account, boards, colours=not team_boards)
    elif any(sum(map(is_cross_cell, row.cells)) > 1 for row in rows):
        account.layout = "crosstable"
        read_crosstable(account, _crosstable(columns), rows)
    elif all(sum(map(is_own_cell, row.cells)) == 1 for row in rows) and len(rows) > 1:
        account.layout = "round robin"
        read_round_robin(account, _round_robin(columns), rows)
    else:
        _card(account, columns, block)
    return True


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
    last_number = 0
    for line, cells in split_lines:
        if _starts(cells, width, last_number):
            rows.append(PastedRow([line], cells))
            last_number = count_in(cells[0])
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
    number = count_in(cells[0])
    return 2 * len(cells) >= width or abs(number - last_number) == 1 or any(map(no_game_in, cells))


def _continues(row: PastedRow, cells: Sequence[str], width: int) -> bool:
    """Whether a line continues a row that a page broke."""
    if len(cells) >= LEAST_CELLS and any(map(is_wordy, cells)) and any(map(is_name, row.cells)):
        return False  # another row, and not the rest of this one
    broken = not row.cells[-1].strip() or len(row.lines) > 1
    short = len(cells) > 1 or len(cells[0].strip()) <= len("9999") or len(row.cells) < width
    return broken and short and not (len(cells) == 1 and is_wordy(cells[0]) and len(row.cells) >= width)


def _sorted_rows(rows: Sequence[PastedRow]) -> tuple[list[PastedRow], list[PastedRow], list[PastedRow]]:
    """Rows that hold a whole table, rows without a game, and the rest."""
    whole: list[PastedRow] = []
    odd: list[PastedRow] = []
    good: list[PastedRow] = []
    for row in rows:
        has_numbers = any(sign.isdecimal() for cell in row.cells[1:] for sign in cell)
        kind = odd if not (has_numbers or _no_game(row)) else whole if _people(row.cells) > 2 else good
        kind.append(row)
    return whole, odd, good


def _no_game(row: PastedRow) -> bool:
    return any(map(no_game_in, row.cells))


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
        rows = [row for row in self.rows if not _no_game(row)]
        return [[cell for row in rows if (cell := row.cell(place))] for place in range(self.width)]

    def every_cell(self, place: int, test: Callable[[str], bool]) -> bool:
        """Whether a column is not empty and every cell passes a test."""
        cells = self.cells[place] if 0 <= place < self.width else []
        return bool(cells) and all(map(test, cells))

    def first(self, test: Callable[[str], bool], start: int = 0) -> int | None:
        """The first column, from `start` on, in which every cell passes a test."""
        return next((place for place in range(start, self.width) if self.every_cell(place, test)), None)


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


def _crosstable(columns: _Columns) -> TableHeadings:
    """The columns of a crosstable: the rounds are from the first to the last one with an opponent's number."""
    crossed = [place for place in range(columns.width) if any(is_cross_cell(row.cell(place)) for row in columns.rows)]
    rounds = {place: number for number, place in enumerate(range(crossed[0], crossed[-1] + 1), start=1)}
    return _headings(columns, {0: "no", **_person_columns(columns)}, rounds)


def _headings(columns: _Columns, roles: dict[int, str], numbers: dict[int, int] | None = None) -> TableHeadings:
    places = range(columns.width)
    return TableHeadings(
        tuple("" for _ in places),
        tuple(roles.get(place, "unknown") for place in places),
        tuple((numbers or {}).get(place) for place in places),
    )


def _person_columns(columns: _Columns) -> dict[int, str]:
    """The columns of name, title, rating and federation."""
    rating = _rating_column(columns)
    until = columns.width if rating is None else rating
    names = [place for place in range(until) if columns.every_cell(place, is_name)]
    roles: dict[int, str] = {}
    if names:
        roles[names[-1]] = "name"
        if names[-1] and columns.every_cell(names[-1] - 1, lambda cell: title_in(cell) is not None):
            roles[names[-1] - 1] = "title"
    if rating is not None:
        roles[rating] = "rating"
        if columns.every_cell(rating + 1, lambda cell: rating_in(cell) is not None and len(cell) >= len("100")):
            roles[rating + 1] = "national"
    if (federation := columns.first(is_federation)) is not None:
        roles.setdefault(federation, "federation")
    return roles


def _rating_column(columns: _Columns) -> int | None:
    """The first column after a name in which every cell is a rating or 0, and at least one is a rating."""
    first = next((place for place in range(columns.width) if columns.every_cell(place, is_name)), 0)
    for place in range(first + 1, columns.width):
        if columns.every_cell(place, lambda cell: rating_in(cell) is not None) and any(
            is_rating(row.cell(place)) for row in columns.rows
        ):
            return place
    return None


def _round_robin(columns: _Columns) -> TableHeadings:
    """The columns of a round robin: a square that spans the marks of the players' own cells."""
    marked = [next(place for place, cell in enumerate(row.cells) if is_own_cell(cell)) for row in columns.rows]
    opponents = {place: number for number, place in enumerate(range(min(marked), max(marked) + 1), start=1)}
    return _headings(columns, {0: "no", **_person_columns(columns)}, opponents)


def _card(account: Account, columns: _Columns, block: int | None) -> None:
    """Read a player's card: the result is beside the colour, on its own line, or in the last column of results."""
    account.layout = "card"
    roles = _person_columns(columns)
    if _counts_rounds(columns.rows):
        roles[0] = "round"
    rating = next((place for place, role in roles.items() if role == "rating"), None)
    if "name" in roles.values() and is_arena(account, columns.rows, rating):
        read_arena(account, columns.rows, roles)
        return
    roles |= _colour_and_result(columns, rating, block)
    results = [place for place, role in roles.items() if role == "result"]
    colours = [place for place, role in roles.items() if role == "colour"]
    beside = bool(colours and results) and results[0] == colours[0] + 1
    problem = None if block is not None or beside else _problem(columns, rating, results, colours)
    if "national" in roles.values() and all(map(YEAR_OF_BIRTH.fullmatch, columns.cells[rating or 0])):
        problem = TWO_RATINGS
    if problem is not None:
        account.leave((line for row in columns.rows for line in row.lines), problem, doubtful=True)
        return
    read_card(account, _headings(columns, roles), columns.rows)


def _counts_rounds(rows: Sequence[PastedRow]) -> bool:
    """Whether the first column counts the rounds, upwards or downwards."""
    numbers = [count_in(row.cells[0]) for row in rows]
    steps = {later - earlier for earlier, later in pairwise(numbers)}
    return len(set(numbers)) == len(numbers) and (steps <= {1, 2, 3} or steps <= {-1, -2, -3})


def _colour_and_result(columns: _Columns, rating: int | None, block: int | None) -> dict[int, str]:
    """The columns of colour and result: the result is right after the colour, in `block`, or the last that fits."""
    roles: dict[int, str] = {}
    first = (rating or 0) + 1
    colour = columns.first(_is_colour)
    if colour is not None:
        roles[colour] = "colour"
        if columns.every_cell(colour + 1, is_mark):
            return {**roles, colour + 1: "result"}
        first = max(first, colour + 1)
    if block is not None:
        return {**roles, block: "result"}
    results = [place for place in range(first, columns.width) if columns.every_cell(place, _is_result)]
    return {**roles, results[-1]: "result"} if results else roles


def _is_colour(cell: str) -> bool:
    """Whether a cell is a colour letter: `w`, `(B)`."""
    letter = cell.strip("().").lower()
    return len(letter) == 1 and letter in letter_signs()


def _is_result(cell: str) -> bool:
    """Whether a cell can be a result: a mark, a colour letter with or without one, or a word."""
    parts = parts_of_result(cell)
    return is_mark(parts.mark) or (not parts.mark and bool(parts.letter)) or meaning_of(cell) in SCORES


def _problem(columns: _Columns, rating: int | None, results: Sequence[int], colours: Sequence[int]) -> Message | None:
    """Why a card without headings cannot be read: its results may be something else, unless both colours occur."""
    if colours and len({cell.strip("().").lower() for cell in columns.cells[colours[0]]}) > 1:
        return None
    marks = [place for place in range((rating or 0) + 1, columns.width) if columns.every_cell(place, _is_result)]
    if len(marks) > MOST_RESULT_COLUMNS:
        return say("reading.why.columns_of_results")
    if results and _figures_follow(columns, results[-1]):
        return say("reading.why.which_column")
    return say("reading.why.points_or_result_column") if results and _may_be_points(columns, rating, marks) else None


def _figures_follow(columns: _Columns, result: int) -> bool:
    """Whether columns of figures follow one that may be results or, without a ½, a tie-break."""
    if any(cell in GLYPHS for cell in columns.cells[result]):
        return False
    return any(columns.every_cell(place, is_figure) for place in range(result + 1, columns.width))


def _may_be_points(columns: _Columns, rating: int | None, results: Sequence[int]) -> bool:
    """Whether the only column of results may be the opponents' points, after round, board and number."""
    if len(results) > 1 or any(parts_of_result(row.cell(results[0])).letter for row in columns.rows):
        return False
    name = next((place for place in range(columns.width) if columns.every_cell(place, is_name)), 0)
    leading = sum(columns.every_cell(place, is_count) for place in range(name))
    points = [place for place in range((rating or 0) + 1, results[0]) if columns.every_cell(place, is_figure)]
    glyphs = any(cell in GLYPHS for cell in columns.cells[results[0]])
    return leading >= 2 and not points and not glyphs
