"""Lists of players: entry lists and standings, pasted as a table with headings or typed line by line."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import FieldPlayer, Player, as_title
from arpad.errors import ArpadError, BadInput
from arpad.messages import Message, say
from arpad.reading.notation import parse_opponent, split_games
from arpad.reading.paste import read_paste
from arpad.reading.pasted import HEADING, LeftOutLine, PastedLine, lines_of
from arpad.reading.tables import examined, tables_in_text
from arpad.reading.tables.boards import seat_of
from arpad.reading.tables.cells import is_federation
from arpad.reading.text import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    lines = [line for line in lines_of(text) if not line.is_blank]
    tables, before = tables_in_text(lines)
    entries: list[FieldPlayer] = []
    left_out: list[LeftOutLine] = []
    if not tables and all(_in_notation(line) for line in lines):
        entries = [FieldPlayer(parse_opponent(word)) for line in lines for word in split_games([line.text])]
    elif not tables:
        # Without headings each line is somebody to be met, which is how games to come are read.
        paste = read_paste(text)
        to_come = [game for game in paste.games if game.result == "to-come" and game.rating_state != "unknown"]
        entries = [
            FieldPlayer(Player(one.opponent, name=one.name, title=as_title(one.title), federation=one.federation))
            for one in to_come
        ]
        left_out = list(paste.left_out)
    else:
        table = examined(tables[0])
        left_out += _left([table.line], HEADING)
        for line, why, doubtful in (*before, *table.left_out):
            left_out += _left([line], why, doubtful=doubtful)
        for row in table.rows:
            entry = _entry(table.headings, row)
            if entry is None:
                left_out += _left(row.lines, say("reading.why.no_player"), doubtful=True)
            else:
                entries.append(entry)
    if not entries:
        raise BadInput(say("reading.no_players"), at="entries")
    return PlayerList(tuple(entries), tuple(sorted(left_out, key=lambda line: line.line)))


def _left(lines: Iterable[PastedLine], why: Message, *, doubtful: bool = False) -> list[LeftOutLine]:
    return [LeftOutLine(line=line.number, text=line.raw, why=why, doubtful=doubtful) for line in lines]


def _entry(headings: TableHeadings, row: PastedRow) -> FieldPlayer | None:
    """The player of a row; None if its rating or its points cannot be read."""
    found = seat_of(row, headings.first)
    written = plain(row.cell(headings.place("points"))).replace(",", ".").replace("½", ".5")
    if found.unread or (written and not _is_number(written)):
        return None
    federation = found.federation if is_federation(found.federation) else None
    player = Player(
        found.rating and found.rating.rating, name=found.name, title=as_title(found.title), federation=federation
    )
    return FieldPlayer(player, Decimal(written) if written else None)


def _is_number(text: str) -> bool:
    whole, _, part = text.partition(".")
    return (whole + part).isascii() and (whole + part).isdecimal()


def _in_notation(line: PastedLine) -> bool:
    """Whether a line is made of opponents such as 2450gm/GER."""
    words = split_games([line.text])
    try:
        return all(" " not in word and parse_opponent(word).rating is not None for word in words)
    except ArpadError:
        return False
