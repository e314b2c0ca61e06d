"""A player's panel of a Lichess arena: the last number is arena points, not a result.

0 is a loss and 1 a draw; 2 is a win, or a draw in a streak; 3 is a win with berserk, 4 and 5 are wins in a streak. A
streak begins after two wins in a row and ends with anything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.messages import say
from arpad.reading.characters import fold
from arpad.reading.layouts.cells import count_in, is_count, is_rating, name_and_title, rating_in
from arpad.reading.layouts.rows import PastedRow
from arpad.reading.pasted import PastedGame
from arpad.reading.tokens import titles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.reading.layouts.account import Account
    from arpad.reading.results import Result

PANEL = ("berserk rate", "games played")
LEAST_WORDS, RATING_PLACE = 4, 2
WIDTH = 7  # number, name, rating, berserk, colour, points, berserk
WINS_FOR_A_STREAK = 2


def is_arena(account: Account, rows: Sequence[PastedRow], rating: int | None) -> bool:
    """Whether rows are from an arena: its panel is in the text, or some points are more than a game can bring."""
    if rating is None or not all(_points(row, rating) is not None for row in rows):
        return False
    if len({count_in(row.cells[0]) for row in rows}) < len(rows):
        return False  # without the order of the games a streak cannot be followed
    panel = any(fold(line.text).startswith(PANEL) for line in account.lines)
    own_width = {len(row.cells) for row in rows} <= {WIDTH, LEAST_WORDS}
    return panel or (own_width and any((_points(row, rating) or 0) > 1 for row in rows))


def _points(row: PastedRow, rating: int) -> int | None:
    """The arena points of a row; -1 for a game in progress, None if there are none."""
    cells = [cell.strip() for cell in row.cells[rating + 1 :] if cell.strip()]
    if not cells or cells == ["*"]:
        return -1
    return int(cells[-1]) if cells[-1] in "012345" and len(cells[-1]) == 1 else None


def read_arena(account: Account, rows: Sequence[PastedRow], roles: Mapping[int, str]) -> None:
    """Every row as a game."""
    account.layout = "Lichess arena"
    place = {role: at for at, role in roles.items()}
    results = _results({count_in(row.cells[0]): _points(row, place["rating"]) or 0 for row in rows})
    for row in rows:
        number = count_in(row.cells[0])
        rating = rating_in(row.cell(place["rating"]))
        name, title = name_and_title(row.cell(place.get("name")))
        account.add(
            PastedGame(
                result=results[number],
                round=number,
                opponent=rating.rating if rating else None,
                rating_state=rating.state if rating else "unknown",
                name=name,
                title=title,
                read_from=row.cells[-1].strip() or row.cell(place["rating"] + 3),
            ),
            row.lines,
        )
    account.note(say("reading.note.arena_points"))


def _results(points: Mapping[int, int]) -> dict[int, Result]:
    """The result of each game by its number; the games were played in that order."""
    results: dict[int, Result] = {}
    wins = 0
    for number in sorted(points):
        scored = points[number]
        in_streak = wins >= WINS_FOR_A_STREAK
        if scored < 0:
            results[number] = "to-come"
            continue
        drawn = scored == 1 or (scored == 2 and in_streak)
        results[number] = "loss" if scored == 0 else "draw" if drawn else "win"
        wins = wins + 1 if results[number] == "win" else 0
    return results


def read_spaced_arena(account: Account) -> bool:
    """A panel whose tabs became spaces: number, name, rating and points; false if it is not an arena's."""
    rows = []
    for line in account.lines:
        words = line.text.split()
        titled = len(words) == LEAST_WORDS + 1 and words[1] in titles()
        if (titled or len(words) == LEAST_WORDS) and is_count(words[0]) and is_rating(words[-2]):
            rows.append(PastedRow([line], [words[0], " ".join(words[1:-2]), *words[-2:]]))
    if not rows or not is_arena(account, rows, RATING_PLACE):
        return False
    read_arena(account, rows, {0: "round", 1: "name", RATING_PLACE: "rating"})
    return True
