"""Team matches by board: a line per match, then `1.1`, name, rating, `-`, name, rating and score, left and right.

The score is that of the left and the right player, and colours are not in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.reading.characters import bare
from arpad.reading.layouts.account import HEADING
from arpad.reading.layouts.cells import (
    bye_points,
    is_federation,
    is_wordy,
    name_and_title,
    no_game_in,
    rating_in,
    title_in,
)
from arpad.reading.layouts.pairings import BoardRow, Seat, is_score
from arpad.reading.vocabulary import heading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.reading.layouts.account import Account, PastedLine

LEAST_CELLS = 6
BETWEEN_CELLS = " \t,;|"


def is_match_heading(line: str) -> bool:
    """Whether a line heads a team match: board, both teams, and the rating's heading twice."""
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) < LEAST_CELLS or "-" not in cells:
        return False
    meanings = [heading(cell) for cell in cells if len(bare(cell)) > 1]
    return meanings.count("rating") == 2 and "name" not in meanings


def read_matches(account: Account, lines: Sequence[PastedLine], round_number: int | None) -> list[BoardRow]:
    """The boards below the headings of the matches."""
    boards: list[list[PastedLine]] = []
    for line in lines:
        if is_match_heading(line.text):
            account.leave([line], HEADING)
        elif _is_board(line.text.split("\t")[0].strip(BETWEEN_CELLS)):
            boards.append([line])
        elif boards and not line.is_blank:
            boards[-1].append(line)
    return [board for group in boards if (board := board_of(group, round_number)) is not None]


def _is_board(cell: str) -> bool:
    """Whether a cell has the number of a match and a board: `1.2`."""
    match, dot, board = cell.strip().partition(".")
    return bool(dot) and match.isdecimal() and board.isdecimal()


def is_board_number(line: str) -> bool:
    """Whether a line is the number of a match and a board and nothing else."""
    text = line.strip(BETWEEN_CELLS)
    return _is_board(text) and len(text) <= len("12.34")


def _cells(line: str) -> list[str]:
    """The cells of a line; if its tabs were lost, a number and the score after it are two cells."""
    if "\t" in line:
        return [cell.strip() for cell in line.split("\t") if cell.strip()]
    text = line.strip(BETWEEN_CELLS)
    rest = text.lstrip("0123456789")
    number = text[: len(text) - len(rest)]
    cells = (number, rest.strip(BETWEEN_CELLS)) if rest[:1] in BETWEEN_CELLS else (text,)
    return [cell for cell in cells if cell]


def _is_name(cell: str) -> bool:
    return is_wordy(cell) and title_in(cell) is None and not is_federation(cell)


def board_of(lines: Sequence[PastedLine], round_number: int | None) -> BoardRow | None:
    """A board from its lines, however they are broken: each name begins a side."""
    cells = [cell for line in lines for cell in _cells(line.text)][1:]
    names = [place for place, cell in enumerate(cells) if _is_name(cell)]
    if len(names) < 2:
        return None
    left, right = names[0], names[1]
    score = next((cell for cell in cells[left + 1 :] if is_score(cell)), "")
    if not score and no_game_in(cells[right]):
        score = next((cell for cell in reversed(cells[left + 1 : right]) if bye_points(cell) is not None), "")
    return BoardRow(_seat(cells, left, right), _seat(cells, right, len(cells)), score, tuple(lines), round_number)


def _seat(cells: Sequence[str], place: int, until: int) -> Seat:
    name, before = name_and_title(cells[place])
    title = title_in(cells[place - 1]) if place > 0 else None
    ratings = [found for cell in cells[place + 1 : until] if cell != "-" and (found := rating_in(cell)) is not None]
    return Seat(name, title or before, ratings[0] if ratings else None)
