"""Games as people paste them: from a results page, a crosstable, PGN, a message or a list."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import MOST_GAMES
from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from arpad.reading.pasted import Paste

LONGEST_PASTE = 2_000_000  # characters


class Pasted(NamedTuple):
    """A game in the one notation, and the opponent's name where the line has one."""

    game: str
    name: str | None


def read_paste(text: str, *, player: str | None = None) -> Paste:
    """The games of a pasted text; `player` says whose games are meant where the text has several people's."""
    from arpad.reading.layouts.account import Account, lines_of
    from arpad.reading.layouts.chesscom import read_chesscom
    from arpad.reading.layouts.fide import read_fide
    from arpad.reading.layouts.messages import read_messages
    from arpad.reading.layouts.pgn import read_pgn
    from arpad.reading.layouts.segments import read_tables
    from arpad.reading.layouts.shapes import read_shapes
    from arpad.reading.layouts.uschess import read_uschess

    if len(text) > LONGEST_PASTE:
        raise BadInput(say("reading.long_paste", characters=len(text), most=LONGEST_PASTE), at="text")
    account = Account(lines_of(text), player if player is None or player.strip() else None)
    readers = (read_pgn, read_uschess, read_fide, read_chesscom, read_tables, read_shapes)
    if not any(read(account) for read in readers):
        read_messages(account)
    return account.paste()


def read_pasted(text: str, *, at: str = "paste") -> list[Pasted]:
    """Games in the one notation, for a form that takes nothing else; a line that is not a game is refused."""
    paste = read_paste(text)
    problems = [(line.line, line.why) for line in paste.doubtful]
    problems += [(game.line, say("reading.why.no_result")) for game in paste.games if game.result == "to-come"]
    problems += [(game.line, say("reading.why.no_rating")) for game in paste.games if game.notation is None]
    if not paste.games or paste.layout == "lines":
        problems += [(line.line, line.why) for line in paste.left_out]
    if problems:
        line, why = min(problems, key=itemgetter(0))
        text_of_line = text.splitlines()[line - 1].strip()
        raise BadInput(say("reading.bad_line", text=_short(text_of_line), why=why), at=f"{at}, line {line}")
    if len(paste.games) > MOST_GAMES:
        raise BadInput(say("reading.many_games", games=len(paste.games), most=MOST_GAMES), at=at)
    return [Pasted(game.notation or "", game.name) for game in paste.games]


def _short(line: str) -> str:
    return line if len(line) <= 60 else f"{line[:57]}…"
