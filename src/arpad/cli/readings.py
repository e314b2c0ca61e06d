"""How pasted games look on a terminal: what each line was read as, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli.show import filled, in_lines
from arpad.messages import figure, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.messages import Message
    from arpad.reading.pasted import LeftOutLine, Paste, PastedGame

HEAD = ("round", "opponent", "title", "name", "result", "colour", "line")


def reading_text(reading: Paste) -> str:
    """What each line was read as, and what was left out."""
    below = [row for said in (*reading.notes, *each_line(reading.left_out)) for row in in_lines(said)]
    return "\n".join([*([game_table(reading.games)] if reading.games else []), *below])


def game_table(games: Sequence[PastedGame]) -> str:
    """The games, one row each."""
    rows = [
        [
            "" if game.round is None else str(game.round),
            opponent(game),
            game.title or "",
            game.name or "",
            str(say(f"reading.result.{game.result}")),
            "" if game.colour is None else str(say(f"reading.colour.{game.colour}")),
            str(game.line),
        ]
        for game in games
    ]
    return filled(HEAD, rows, left=["title", "name", "result", "colour"])


def opponent(game: PastedGame) -> str:
    """The opponent's rating, or the word for having none."""
    if game.opponent is not None:
        return figure(game.opponent)
    return "" if game.result == "bye" else str(say(f"reading.state.{game.rating_state}"))


def each_line(left_out: Iterable[LeftOutLine]) -> Iterable[Message]:
    """Every line that was left out, with its reason."""
    return (
        say("reading.left_line", line=left.line, why=left.why, text=" ".join(left.text.split())) for left in left_out
    )
