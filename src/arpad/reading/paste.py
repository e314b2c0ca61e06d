"""Games as people paste them: from a results page, a crosstable, PGN, a message or a list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.errors import BadInput
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.reading.pasted import Paste

LONGEST_PASTE = 500_000  # characters: about 20,000 games, which take a few seconds to read


def read_paste(text: str, *, player: str | None = None) -> Paste:
    """The games of a pasted text; `player` says whose games to read if the text has several people's."""
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


def read_lines(texts: Sequence[str]) -> Paste:
    """Games that were typed one by one, as a paste; the lines are counted from 1."""
    from arpad.reading.pasted import Paste

    pastes = [read_paste(text) for text in texts]
    return Paste(
        games=tuple(replace(game, line=no) for no, paste in enumerate(pastes, start=1) for game in paste.games),
        left_out=tuple(replace(line, line=no) for no, paste in enumerate(pastes, start=1) for line in paste.left_out),
        layout="lines",
    )
