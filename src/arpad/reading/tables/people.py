"""Lists of players: entry lists and standings, pasted as a table with headings or typed line by line."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import FieldPlayer, Player, as_title
from arpad.errors import ArpadError, BadInput
from arpad.messages import say
from arpad.reading.notation import parse_opponent, split_games
from arpad.reading.paste import read_paste
from arpad.reading.pasted import HEADING, Account, LeftOutLine, PastedLine, lines_of
from arpad.reading.tables import examined, tables_in_text
from arpad.reading.tables.boards import seat_of
from arpad.reading.tables.cells import is_federation
from arpad.reading.text import plain

if TYPE_CHECKING:
    from arpad.reading.tables.columns import TableHeadings
    from arpad.reading.tables.rows import PastedRow


class PlayerList(NamedTuple):
    """The players of a pasted list, and the lines that are not one of them."""

    entries: tuple[FieldPlayer, ...]
    left_out: tuple[LeftOutLine, ...]

    @property
    def doubtful(self) -> tuple[LeftOutLine, ...]:
        """The lines that may be a player and could not be read."""
        return tuple(line for line in self.left_out if line.doubtful)


def read_players(text: str) -> PlayerList:
    """The players of an entry list or of standings, with title, rating, federation and points as far as they are there.

    Without headings each line, or each word, is an opponent as in `outlook`: `2450gm/GER`, `GM Kovarik 2520`. Raises
    BadInput if there is no player in it.
    """
    account = Account([line for line in lines_of(text) if not line.is_blank])
    tables, before = tables_in_text(account.lines)
    entries: list[FieldPlayer | None] = []
    if tables:
        table = examined(tables[0])
        account.leave([table.line], HEADING)
        for line, why, doubtful in (*before, *table.left_out):
            account.leave([line], why, doubtful=doubtful)
        entries = [_entry(table.headings, row) for row in table.rows]
        for row, entry in zip(table.rows, entries, strict=True):
            if entry is None:
                account.leave(row.lines, say("reading.why.no_player"), doubtful=True)
    elif all(_in_notation(line) for line in account.lines):
        entries = [FieldPlayer(parse_opponent(word)) for line in account.lines for word in split_games([line.text])]
    else:
        # Without headings each line is somebody to be met, which is how games to come are read.
        paste = read_paste(text)
        entries = [
            FieldPlayer(Player(one.opponent, name=one.name, title=as_title(one.title), federation=one.federation))
            for one in paste.games
            if one.result == "to-come" and one.rating_state != "unknown"
        ]
        account.left_out = {line.line: line for line in paste.left_out}
    if not any(entries):
        raise BadInput(say("reading.no_players"), at="entries")
    left_out = sorted(account.left_out.values(), key=lambda line: line.line)
    return PlayerList(tuple(filter(None, entries)), tuple(left_out))


def _entry(headings: TableHeadings, row: PastedRow) -> FieldPlayer | None:
    """The player of a row; None if its rating or its points cannot be read."""
    seat = seat_of(row, headings.first)
    points = plain(row.cell(headings.place("points"))).replace(",", ".").replace("½", ".5")
    digits = points.replace(".", "", 1)
    if seat.unread or (points and not (digits.isascii() and digits.isdecimal())):
        return None
    federation = seat.federation if is_federation(seat.federation) else None
    rating = None if seat.rating is None else seat.rating.rating
    player = Player(rating, name=seat.name, title=as_title(seat.title), federation=federation)
    return FieldPlayer(player, Decimal(points) if points else None)


def _in_notation(line: PastedLine) -> bool:
    """Whether a line is made of opponents such as 2450gm/GER."""
    words = split_games([line.text])
    try:
        return all(" " not in word and parse_opponent(word).rating is not None for word in words)
    except ArpadError:
        return False
