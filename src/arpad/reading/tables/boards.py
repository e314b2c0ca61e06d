"""Seats and boards: a player in a row of a table, and both players of a game, with the left player's score first.

Boards come from the pairings of a round, and from team matches, where `1.2` is the second board of the first match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.reading.pasted import PastedGame, PastedLine
from arpad.reading.results import is_score
from arpad.reading.tables.cells import (
    RatingCell,
    bye_points,
    is_name,
    name_and_rating,
    name_and_title,
    no_game_in,
    number_in,
    rating_in,
    title_in,
)
from arpad.reading.tables.columns import OF_A_SIDE, SIDES
from arpad.reading.text import bare
from arpad.reading.vocabulary import heading

if TYPE_CHECKING:
    from arpad.reading.results import Result
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow


LEAST_CELLS = 6  # of the line that heads a team match
OF_A_SEAT = ("name", "title", "rating")
BETWEEN_CELLS = " \t,;|"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a row of a pasted table, or on one side of a board; a rating may stand behind the name."""

    name: str | None
    title: str | None
    rating: RatingCell | None  # None if the table does not say
    federation: str = ""
    national: int | None = None
    unread: str = ""  # the text for the rating, if it is none

    def game(self, result: Result, read_from: str) -> PastedGame:
        """A game against this player."""
        return PastedGame(
            result=result,
            opponent=self.rating.rating if self.rating else None,
            rating_state=self.rating.state if self.rating else "unknown",
            name=self.name,
            title=self.title,
            federation=self.federation or None,
            national_rating=self.national,
            read_from=read_from,
        )


def seat_of(row: PastedRow, columns: Mapping[str, int]) -> Seat:
    """The player of a row, or of a side whose columns these are."""
    name, before = name_and_title(full_name(row, columns))
    text = row.cell(columns.get("rating"))
    if "rating" not in columns:
        name, text = name_and_rating(name)
    rating = rating_in(text) if text or "rating" in columns else None
    national = rating_in(row.cell(columns["national"])) if "national" in columns else None
    title = title_in(row.cell(columns["title"])) if "title" in columns else None
    federation, national_rating = row.cell(columns.get("federation")), national.rating if national else None
    return Seat(name, title or before, rating, federation, national_rating, unread="" if rating else text)


def full_name(row: PastedRow, columns: Mapping[str, int]) -> str:
    """A player's name, from one column or from two, without the mark of a footnote."""
    if name := row.cell(columns.get("name")):
        return name.removesuffix("*)")
    return ", ".join(filter(None, (row.cell(columns.get(role)) for role in ("surname", "given"))))


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board: both sides, and the score as it is printed."""

    left: Seat
    right: Seat
    score: str
    lines: tuple[PastedLine, ...]
    round: int | None = None


def seat_columns(headings: TableHeadings) -> tuple[dict[str, int], dict[str, int]]:
    """The column of each fact about the left and the right player of a table of games.

    A column without a colour in its heading belongs to the player on its side of the result; if the result is not
    between the names, to the name before it, or to the one after it if the first such column stands before both.
    """
    left, right = headings.name_places
    assert left is not None and right is not None  # noqa: PT018, S101  # the caller has asked
    sides: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for side, place in zip(sides, (left, right), strict=True):
        side[headings.roles[place].partition("_")[2] or "name"] = place
    result = headings.place("result")
    between = result is not None and left < result < right
    before = "rating" in headings.roles[:left]
    for place, role in enumerate(headings.roles):
        colour, _, fact = role.partition("_")
        if fact:
            sides[SIDES.index(colour)][fact] = place
        elif role in OF_A_SIDE and role != "name":
            if role == "title" and place + 1 in (left, right):
                is_right = place + 1 == right
            elif between and result is not None:
                is_right = place > result
            else:
                is_right = place > (left if before else right)
            sides[is_right].setdefault(role, place)
    return sides


def boards_of(headings: TableHeadings, rows: Sequence[PastedRow], round_number: int | None) -> list[BoardRow]:
    """The games of a table with two players in each row."""
    columns = [{role: at for role, at in own.items() if role in OF_A_SEAT} for own in seat_columns(headings)]
    round_at, result_at = headings.place("round"), headings.place("result")
    found = []
    for row in rows:
        number = number_in(row.cell(round_at).partition(".")[0]) or round_number
        left, right = (seat_of(row, own) for own in columns)
        found.append(BoardRow(left, right, row.cell(result_at), tuple(row.lines), number))
    return found


def boards_in_matches(lines: Sequence[PastedLine], round_number: int | None) -> list[BoardRow]:
    """The boards below the headings of team matches."""
    boards: list[list[PastedLine]] = []
    for line in lines:
        if _is_board(line.text.split("\t")[0].strip(BETWEEN_CELLS)):
            boards.append([line])
        elif boards and not line.is_blank and not is_match_heading(line.text):
            boards[-1].append(line)
    return [board for group in boards if (board := board_of(group, round_number)) is not None]


def _is_board(cell: str) -> bool:
    """Whether a cell has the number of a match and a board: `1.2`."""
    match, dot, board = cell.strip().partition(".")
    return bool(dot) and match.isdecimal() and board.isdecimal()


def is_match_heading(line: str) -> bool:
    """Whether a line heads a team match: board, both teams, and the rating's heading twice."""
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) < LEAST_CELLS or "-" not in cells:
        return False
    meanings = [heading(cell) for cell in cells if len(bare(cell)) > 1]
    return meanings.count("rating") == 2 and "name" not in meanings


def is_board_number(line: str) -> bool:
    """Whether a line is the number of a match and a board and nothing else."""
    text = line.strip(BETWEEN_CELLS)
    return _is_board(text) and len(text) <= len("12.34")


def board_of(lines: Sequence[PastedLine], round_number: int | None) -> BoardRow | None:
    """A board from its lines, however they are broken: each name begins a side."""
    cells = [cell for line in lines for cell in _cells(line.text)][1:]
    names = [place for place, cell in enumerate(cells) if is_name(cell)]
    if len(names) < 2:
        return None
    left, right = names[0], names[1]
    score = next((cell for cell in cells[left + 1 :] if is_score(cell)), "")
    if not score and no_game_in(cells[right]):
        score = next((cell for cell in reversed(cells[left + 1 : right]) if bye_points(cell) is not None), "")
    return BoardRow(
        _seat_in_cells(cells, left, right), _seat_in_cells(cells, right, len(cells)), score, tuple(lines), round_number
    )


def _cells(line: str) -> list[str]:
    """The cells of a line; if its tabs were lost, a number and the score after it are two cells."""
    if "\t" in line:
        return [cell.strip() for cell in line.split("\t") if cell.strip()]
    text = line.strip(BETWEEN_CELLS)
    rest = text.lstrip("0123456789")
    number = text[: len(text) - len(rest)]
    cells = (number, rest.strip(BETWEEN_CELLS)) if rest[:1] in BETWEEN_CELLS else (text,)
    return [cell for cell in cells if cell]


def _seat_in_cells(cells: Sequence[str], place: int, until: int) -> Seat:
    name, before = name_and_title(cells[place])
    title = title_in(cells[place - 1]) if place > 0 else None
    ratings = [found for cell in cells[place + 1 : until] if cell != "-" and (found := rating_in(cell)) is not None]
    return Seat(name, title or before, ratings[0] if ratings else None)
