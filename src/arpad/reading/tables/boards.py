"""Boards: both players of a game, with the left player's score first.

They come from the pairings of a round, and from team matches, where `1.2` is the second board of the first match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.messages import Message, say
from arpad.reading.pasted import HEADING, OTHERS, PARTICULARS, Account, PastedGame, PastedLine
from arpad.reading.results import SIDES, TWO_FOR_A_WIN, Colour, Result, compact
from arpad.reading.tables.cells import RatingCell, bye_points, is_name, name_and_title, no_game_in, rating_in, title_in
from arpad.reading.text import bare, persons_called
from arpad.reading.vocabulary import heading

if TYPE_CHECKING:
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow


LONGEST_SCORE = 12  # characters
COLOUR_OF_SIDE: tuple[Colour, Colour] = ("white", "black")
LEAST_CELLS = 6  # of the line that heads a team match
BETWEEN_CELLS = " \t,;|"
NOT_PLAYED = ("-", ":", "x-x", "*", "vs", "vs.")


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a board."""

    name: str | None
    title: str | None
    rating: RatingCell | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board: both sides, and the score as it is printed."""

    left: Seat
    right: Seat
    score: str
    lines: tuple[PastedLine, ...]
    round: int | None = None


def read_boards(account: Account, boards: Sequence[BoardRow], *, colours: bool) -> None:
    """Read the player's own boards as games; `colours` says whether the left player has White."""
    if not boards:
        return
    names = [seat.name or "" for board in boards for seat in (board.left, board.right)]
    names = ["" if no_game_in(name) else name for name in names]
    place = account.whose(names)
    own = set() if place is None or account.player is None else set(persons_called(account.player, names))
    two_points = any(compact(board.score) in ("2:0", "0:2") for board in boards)
    for number, board in enumerate(boards):
        side = 0 if 2 * number in own else 1 if 2 * number + 1 in own else None
        if side is None:
            account.leave(board.lines, OTHERS)
            continue
        game = _own_game(board, side, colours=colours, two_points=two_points)
        if isinstance(game, PastedGame):
            account.add(game, board.lines)
        else:
            account.leave(board.lines, game, doubtful=True)


def _own_game(board: BoardRow, side: int, *, colours: bool, two_points: bool) -> PastedGame | Message:
    """The game of the player on one side of a board, or why it cannot be read."""
    opponent = (board.right, board.left)[side]
    if (opponent.name is None and opponent.rating is None) or (opponent.name and no_game_in(opponent.name)):
        return PastedGame(result="bye", round=board.round, points=bye_points(board.score), read_from=board.score)
    result = _side_result(board.score, side, two_points=two_points)
    if result is None:
        return say("reading.why.not_a_score", cell=board.score[:20])
    rating = opponent.rating
    return PastedGame(
        result=result,
        round=board.round,
        opponent=rating.rating if rating else None,
        rating_state=rating.state if rating else "unknown",
        name=opponent.name,
        title=opponent.title,
        colour=COLOUR_OF_SIDE[side] if colours else None,
        read_from=board.score,
    )


def _side_result(score: str, side: int, *, two_points: bool) -> Result | None:
    small = compact(score)
    if not small or small in NOT_PLAYED:
        return "to-come"
    both = TWO_FOR_A_WIN.get(small) if two_points else SIDES.get(small)
    return both[side] if both else None


def read_pairings(
    account: Account,
    headings: TableHeadings,
    rows: Sequence[PastedRow],
    others: Iterable[PastedLine],
    round_number: int | None,
) -> list[BoardRow]:
    """The boards of a table; other lines are left out."""
    account.leave(others, PARTICULARS)
    return [_board(headings, row, round_number) for row in rows]


def _board(headings: TableHeadings, row: PastedRow, round_number: int | None) -> BoardRow:
    left, right = name_places(headings)
    ratings = [place for place, role in enumerate(headings.roles) if role == "rating"]
    own_round = row.cell(headings.place("round")).rstrip(".")
    return BoardRow(
        _seat_in_columns(headings, row, left, _behind(ratings, left, right)),
        _seat_in_columns(headings, row, right, _behind(ratings, right, None)),
        row.cell(headings.place("result")),
        tuple(row.lines),
        int(own_round) if own_round.isdecimal() and len(own_round) <= 3 else round_number,
    )


def _seat_in_columns(headings: TableHeadings, row: PastedRow, name: int | None, rating: int | None) -> Seat:
    text, before = name_and_title(row.cell(name).removesuffix("*)"))
    titled = name is not None and name > 0 and headings.roles[name - 1] == "title"
    title = title_in(row.cell(name - 1)) if titled and name is not None else None
    return Seat(text, title or before, rating_in(row.cell(rating)) if rating is not None else None)


def _behind(ratings: Sequence[int], name: int | None, until: int | None) -> int | None:
    """The first rating column after a name, before `until`."""
    return next((p for p in ratings if name is not None and p > name and (until is None or p < until)), None)


def name_places(headings: TableHeadings) -> tuple[int | None, int | None]:
    """The columns of both names: White and Black, or `Name` twice."""
    white, black = headings.place("white"), headings.place("black")
    if white is not None and black is not None:
        return white, black
    return headings.place("name"), headings.place("name", 1)


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


def is_score(cell: str) -> bool:
    """Whether a cell is a score of both players."""
    small = compact(cell) if len(cell) <= LONGEST_SCORE else ""
    return small in SIDES or small in TWO_FOR_A_WIN
