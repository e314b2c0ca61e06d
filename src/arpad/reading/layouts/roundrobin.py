"""Round robins and line-ups: columns of plain results, headed by the opponent's number or by the round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.messages import say
from arpad.reading.layouts.account import OTHERS, OWN_ROW, PARTICULARS
from arpad.reading.layouts.cells import name_and_title, rating_in, title_in
from arpad.reading.layouts.crosstable import MIRROR
from arpad.reading.pasted import PastedGame
from arpad.reading.results import MARKS, compact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.reading.layouts.account import Account, PastedLine
    from arpad.reading.layouts.headings import TableHeadings
    from arpad.reading.layouts.rows import PastedRow
    from arpad.reading.results import Result

HIMSELF = ("*", "**", "***", "x", "xx", "xxx", "#", "##", "■", "█", "\\", "---", "--")
SINGLE = "10½=+-"


def results_in(cell: str) -> list[Result]:
    """The results in a cell: one, or two in a double round robin such as `1 ½`."""
    small = compact(cell)
    if small in MARKS:
        return [MARKS[small]]
    marks = small.replace("0.5", "½").replace("1/2", "½").replace("/", "")
    return [MARKS[mark] for mark in marks] if marks and all(mark in SINGLE for mark in marks) else []


def is_himself(cell: str) -> bool:
    """Whether a cell marks the player's own column."""
    return compact(cell) in HIMSELF


def own_columns(rows: Sequence[PastedRow], headings: TableHeadings) -> list[int | None]:
    """The number of each row's own column, by its mark; by row order in a square table with an empty diagonal."""
    columns = headings.rounds
    marked = [next((number for at, number in columns if is_himself(row.cell(at))), None) for row in rows]
    if any(number is not None for number in marked) or len(rows) != len(columns):
        return marked
    numbers = [number for _, number in columns]
    diagonal_is_empty = all(not row.cell(at) for row, (at, _) in zip(rows, columns, strict=True))
    return list(numbers) if diagonal_is_empty and _mirrors(rows, headings) else marked


def _mirrors(rows: Sequence[PastedRow], headings: TableHeadings) -> bool:
    """Whether every result has its opposite across the diagonal."""
    for number, row in enumerate(rows):
        for other, (at, _) in enumerate(headings.rounds):
            here, there = results_in(row.cell(at)), results_in(rows[other].cell(headings.rounds[number][0]))
            if [MIRROR[result] for result in here] != there:
                return False
    return True


def read_round_robin(
    account: Account, headings: TableHeadings, rows: Sequence[PastedRow], others: Iterable[PastedLine]
) -> None:
    """Read the player's row, with an opponent in each column; such a table has no rounds and no colours."""
    account.leave(others, PARTICULARS)
    own = own_columns(rows, headings)
    place = account.whose([row.cell(headings.place("name")) for row in rows])
    for number, row in enumerate(rows):
        if number != place:
            account.leave(row.lines, OTHERS)
    if place is None:
        return
    by_number = {number: row for number, row in zip(own, rows, strict=True) if number is not None}
    row = rows[place]
    for at, number in headings.rounds:
        opponent = by_number.get(number)
        if number == own[place] or opponent is row:
            continue
        cell = row.cell(at)
        here = results_in(cell)
        back = results_in(opponent.cell(_column(headings, own[place]))) if opponent and own[place] else []
        if cell and not here:
            account.leave_part(row.lines[0], say("reading.why.column", cell=cell[:20], column=number))
        elif here and back and [MIRROR[result] for result in here] != back:
            account.leave_part(row.lines[0], say("reading.why.row_and_column", column=number))
        else:
            for result in here or ["to-come"] if opponent else here:
                account.add(_game(headings, opponent, result, cell), row.lines)
    account.leave(row.lines, OWN_ROW)


def _column(headings: TableHeadings, number: int | None) -> int | None:
    return next((at for at, own in headings.rounds if own == number), None)


def _game(headings: TableHeadings, opponent: PastedRow | None, result: Result, cell: str) -> PastedGame:
    """A game against the player of another row."""
    if opponent is None:
        return PastedGame(result=result, read_from=cell)
    place = headings.place
    name, before = name_and_title(opponent.cell(place("name")))
    rating = rating_in(opponent.cell(place("rating"))) if place("rating") is not None else None
    return PastedGame(
        result=result,
        opponent=rating.rating if rating else None,
        rating_state=rating.state if rating else "unknown",
        name=name,
        title=title_in(opponent.cell(place("title"))) or before,
        read_from=cell,
    )


def read_line_up(
    account: Account, headings: TableHeadings, rows: Sequence[PastedRow], others: Iterable[PastedLine]
) -> None:
    """Read the results of a team's player by round; such a table does not say who the opponents were."""
    account.leave(others, PARTICULARS)
    names = [row.cell(headings.place("name")) for row in rows]
    place = 0 if len(rows) == 1 else account.whose(names)
    for number, row in enumerate(rows):
        if number != place:
            account.leave(row.lines, OTHERS)
    if place is None:
        return
    account.note(say("reading.note.no_opponents"))
    for at, number in headings.rounds:
        cell = rows[place].cell(at)
        for result in results_in(cell):
            account.add(PastedGame(result=result, round=number, read_from=cell), rows[place].lines)
    account.leave(rows[place].lines, OWN_ROW)
