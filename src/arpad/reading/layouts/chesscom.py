"""The game archive of Chess.com: two lines with name and rating, White first, then two scores."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.messages import say
from arpad.reading.layouts.account import HEADING, OTHERS
from arpad.reading.layouts.cells import name_and_title, rating_in
from arpad.reading.layouts.headings import headings_of
from arpad.reading.layouts.pairings import BoardRow, Seat, read_boards
from arpad.reading.results import compact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.reading.layouts.account import Account, PastedLine

SCORES = ("1", "0", "½", "1/2", "0.5")
LONGEST_LINE = 60


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game of the archive: the place of its first name, both players, and the scores."""

    place: int
    seats: tuple[Seat, Seat]
    scores: tuple[str, ...]


def read_chesscom(account: Account) -> bool:
    """Read the games of an archive; false if the text is something else."""
    lines = [line for line in account.lines if not line.is_blank]
    games = _games(lines)
    if not games or not any(len(game.scores) == 2 for game in games):
        return False
    account.layout = "Chess.com archive"
    names = Counter(seat.name for game in games for seat in game.seats)
    everywhere = [name for name, count in names.items() if name and count == len(games)]
    if account.player is None and len(everywhere) == 1:
        account.player = everywhere[0]
        account.note(say("reading.note.in_every_game", name=account.player))
    boards = []
    for number, game in enumerate(games):
        first = max(game.place - 1, 0)  # the line above has the time control
        until = max(games[number + 1].place - 1, 0) if number + 1 < len(games) else len(lines)
        own = tuple(line for line in lines[first:until] if headings_of(line.text) is None)
        boards.append(BoardRow(*game.seats, "-".join(game.scores) if len(game.scores) == 2 else "", own))
    read_boards(account, boards, colours=True)
    for line in lines:
        if line.number not in account.used and line.number not in account.left_out:
            account.leave([line], HEADING if headings_of(line.text) else OTHERS)
    return True


def _seat(line: str) -> Seat | None:
    """`harrowwren (1204)`: a name and a rating in brackets."""
    text = line.strip()
    before, bracket, behind = text.rpartition("(")
    if not bracket or not behind.endswith(")") or len(text) > LONGEST_LINE or not before.strip() or "\t" in before:
        return None
    rating = rating_in(behind[:-1])
    name, title = name_and_title(before)
    return Seat(name, title, rating) if rating is not None and rating.rating is not None else None


def _games(lines: Sequence[PastedLine]) -> list[ArchivedGame]:
    games: list[ArchivedGame] = []
    place = 0
    while place + 1 < len(lines):
        white, black = _seat(lines[place].text), _seat(lines[place + 1].text)
        if white is None or black is None:
            place += 1
            continue
        scores: list[str] = []
        for line in lines[place + 2 : place + 4]:
            marks = [compact(word) for word in line.text.split()]
            if not marks or not all(mark in SCORES for mark in marks):
                break
            scores += marks
        games.append(ArchivedGame(place, (white, black), tuple(scores)))
        place += 2
    return games
