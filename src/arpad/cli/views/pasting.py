"""The view of a reading: the games of a pasted text, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli.show import Reply, filled, told
from arpad.cli.views import view
from arpad.messages import figure, say
from arpad.questions.pasting import PasteReading

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arpad.messages import Message
    from arpad.questions import Asked
    from arpad.reading import LeftOutLine, Paste, PastedGame

HEAD = ("round", "opponent", "title", "name", "result", "colour", "line")


@view.register(PasteReading)
def _(answer: PasteReading, asked: Asked) -> Reply:  # noqa: ARG001  # nobody is looked up
    reply = Reply.to(answer, *([lambda _: game_table(answer.games)] if answer.games else []))
    doubtful = [line for line in answer.left_out if line.doubtful]
    names = [say("reading.players", names="; ".join(answer.players))] if answer.players else []
    return reply._replace(
        footer=lambda: [row for said in (*answer.notes, *names, *_grouped(answer.left_out)) for row in told(said)],
        working=lambda: "\n".join(row for said in (*answer.notes, *each_line(answer.left_out)) for row in told(said)),
        warnings=list(each_line(doubtful)),
        look=bool(doubtful or answer.players),
    )


def reading_text(reading: Paste) -> str:
    """What each line became, and what was left out."""
    below = [row for said in (*reading.notes, *each_line(reading.left_out)) for row in told(said)]
    return "\n".join([*([game_table(reading.games)] if reading.games else []), *below])


def game_table(games: Sequence[PastedGame]) -> str:
    """What each row became."""
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
    """The opponent's rating, or that there is none."""
    if game.opponent is not None:
        return figure(game.opponent)
    return "" if game.result == "bye" else str(say(f"reading.state.{game.rating_state}"))


def each_line(left_out: Iterable[LeftOutLine]) -> Iterable[Message]:
    """Every line that was left out, with its reason."""
    return (say("reading.left_line", line=one.line, why=one.why, text=" ".join(one.text.split())) for one in left_out)


def _grouped(left_out: Iterable[LeftOutLine]) -> Iterable[Message]:
    """Each reason once, after the lines it is about."""
    found: dict[str, list[int]] = {}
    for one in left_out:
        found.setdefault(str(one.why), []).append(one.line)
    for why, lines in found.items():
        yield say(f"reading.left_lines.{'one' if len(lines) == 1 else 'several'}", lines=lines, why=why)
